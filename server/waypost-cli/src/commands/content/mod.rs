//! Tours as code: `waypost pull`, `push` and `diff`. A tour's draft is a file, kept beside the code of the site it is for.
//!
//! A file remembers what it was pulled from, so neither direction loses anything: `pull` leaves a file alone that has changes of
//! its own, and `push` a draft that somebody else has saved since. Files are held to the rules of the schema before anything is
//! sent, by the generated code that the server has.

mod file;
mod form;
mod push;

use std::{fmt::Write as _, fs};

use cynic::QueryBuilder;
use similar::TextDiff;
use waypost_client::{
    Client,
    operations::{EditedTour, TourEditor, TourEditorVariables, TourStatus, Workspace},
};

pub use self::push::push;
use self::{
    file::{Content, TourFile},
    form::{Form, Origin},
};
use super::{Exit, Problem, client, report_with, tours, workspace};
use crate::arguments::{ContentArgs, PullArgs};

/// Runs `waypost pull`.
pub async fn pull(arguments: PullArgs) -> Exit {
    report_with(pulled(&arguments).await)
}

/// Runs `waypost diff`.
pub async fn diff(arguments: ContentArgs) -> Exit {
    report_with(differences(&arguments).await)
}

/// A server, a workspace and a folder.
struct Desk<'a> {
    client: Client,
    workspace: Workspace,
    form: Form,
    arguments: &'a ContentArgs,
}

/// A tour as the server has it.
struct Remote {
    tour: EditedTour,
    content: Content,
}

impl<'a> Desk<'a> {
    async fn new(arguments: &'a ContentArgs) -> Result<Self, Problem> {
        let client = client(&arguments.server)?;
        let workspace = workspace(&client, &arguments.workspace).await?;
        Ok(Self {
            client,
            workspace,
            form: Form::new(),
            arguments,
        })
    }

    async fn remote(&self, slug: &str) -> Result<Option<Remote>, Problem> {
        let variables = TourEditorVariables {
            workspace_id: self.workspace.id.clone(),
            slug: slug.to_owned(),
        };
        let answer = self.client.run(TourEditor::build(variables)).await?;
        Ok(answer.tour_by_slug.map(|tour| Remote {
            content: self.content(&tour),
            tour,
        }))
    }

    fn content(&self, tour: &EditedTour) -> Content {
        let draft = &tour.draft;
        let content = Content {
            title: tour.title.clone(),
            theme: draft.theme.as_ref().map(|theme| theme.name.clone()),
            start: draft.start.0.clone(),
            steps: draft.steps.iter().map(|step| step.0.clone()).collect(),
        };
        file::shortest(content, &self.form, Origin::Answer)
    }

    fn file(&self, slug: &str) -> Result<Option<TourFile>, Problem> {
        file::read(&self.arguments.dir, slug, &self.form).map_err(Problem::Asked)
    }

    /// The files that were asked for, all read before anything is done with one of them.
    fn files(&self) -> Result<Vec<(String, TourFile)>, Problem> {
        let folder = &self.arguments.dir;
        let slugs = match &self.arguments.tours[..] {
            [] => file::slugs(folder)
                .map_err(|error| Problem::Asked(format!("The folder {} cannot be read: {error}.", folder.display())))?,
            named => named.to_vec(),
        };
        let (mut files, mut problems) = (Vec::new(), Vec::new());
        for slug in slugs {
            match file::read(folder, &slug, &self.form) {
                Ok(Some(file)) => files.push((slug, file)),
                Ok(None) => problems.push(format!("There is no file {}.", file::path(folder, &slug).display())),
                Err(problem) => problems.push(problem),
            }
        }
        match problems.is_empty() {
            true => Ok(files),
            false => Err(Problem::Asked(problems.join("\n"))),
        }
    }

    fn missing(&self, slug: &str) -> Problem {
        Problem::Asked(format!("The workspace {} has no tour `{slug}`.", self.workspace.name))
    }
}

async fn pulled(arguments: &PullArgs) -> Result<(String, Exit), Problem> {
    let desk = Desk::new(&arguments.content).await?;
    let folder = &arguments.content.dir;
    let slugs = match &arguments.content.tours[..] {
        [] => tours::tours(&desk.client, desk.workspace.id.clone())
            .await?
            .into_iter()
            .filter(|tour| tour.status != TourStatus::Archived)
            .map(|tour| tour.slug)
            .collect(),
        named => named.to_vec(),
    };
    fs::create_dir_all(folder)
        .map_err(|error| Problem::Asked(format!("The folder {} cannot be made: {error}.", folder.display())))?;
    let (mut text, mut exit) = (String::new(), Exit::Success);
    for slug in slugs {
        let remote = desk.remote(&slug).await?.ok_or_else(|| desk.missing(&slug))?;
        let path = file::path(folder, &slug);
        // With --force, a file that cannot even be read is overwritten too.
        let known = match desk.file(&slug) {
            Err(_) if arguments.force => None,
            read => read?,
        };
        let word = match &known {
            None => "written",
            Some(file) if file.content == remote.content => "unchanged",
            Some(file) if arguments.force || file.is_as_it_was() => "updated",
            Some(_) => {
                exit = Exit::Different;
                let _ = writeln!(
                    text,
                    "{}: kept, it has changes of its own. `waypost diff {slug}` shows them; push them, or pull with --force.",
                    path.display()
                );
                continue;
            }
        };
        let version = remote.tour.draft.version;
        if known.is_none_or(|file| file.content != remote.content || !file.is_of(version)) {
            file::write(&path, &remote.content, version).map_err(Problem::Here)?;
        }
        let _ = writeln!(text, "{}: {word}", path.display());
    }
    if text.is_empty() {
        text = format!("The workspace {} has no tours.", desk.workspace.name);
    }
    Ok((text, exit))
}

impl TourFile {
    /// Whether nobody has changed it since it was pulled.
    fn is_as_it_was(&self) -> bool {
        let checksum = self.content.checksum();
        self.pulled.as_ref().is_some_and(|pulled| pulled.checksum == checksum)
    }

    /// Whether it says that it was pulled from this version as it is.
    fn is_of(&self, version: i32) -> bool {
        self.is_as_it_was() && self.pulled.as_ref().is_some_and(|pulled| pulled.version == version)
    }
}

async fn differences(arguments: &ContentArgs) -> Result<(String, Exit), Problem> {
    let desk = Desk::new(arguments).await?;
    let mut text = String::new();
    for (slug, file) in desk.files()? {
        let remote = desk.remote(&slug).await?.map(|remote| remote.content);
        text += &difference(&slug, remote.as_ref(), &file.content);
    }
    let exit = if text.is_empty() {
        Exit::Success
    } else {
        Exit::Different
    };
    Ok((text, exit))
}

/// A unified diff from the server's draft to the file; empty where they are equal.
fn difference(slug: &str, remote: Option<&Content>, file: &Content) -> String {
    if remote == Some(file) {
        return String::new();
    }
    let before = remote.map(Content::yaml).unwrap_or_default();
    let name = format!("{slug}.yml");
    let from = if remote.is_some() { "draft" } else { "no such tour" };
    TextDiff::from_lines(&before, &file.yaml())
        .unified_diff()
        .header(&format!("{name} ({from})"), &format!("{name} (file)"))
        .to_string()
}
