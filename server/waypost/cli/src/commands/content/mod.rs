//! Tours as code. `pull` skips files that were changed locally, and `push` saves nothing if a draft was changed on the
//! server since its file was pulled. Files are checked like on the server before they are sent.

mod file;
mod json_schema;
mod normalize;
mod places;
mod push;
mod references;
mod translations;

use std::{fmt::Write as _, fs, sync::LazyLock};

use cynic::QueryBuilder;
use similar::TextDiff;
use waypost_api_client::{
    Client,
    generated::{
        Segments, SegmentsVariables, TourDraftRevision, TourEditor, TourEditorVariables, TourRowTour, TourStatus,
        workspace_home::Workspace,
    },
};

pub(super) use self::file::violations;
use self::{
    file::{Content, TourFile},
    normalize::{InputTypes, Source},
    references::{Directory, Kind},
};
pub(crate) use self::{push::push, translations::translations};
use super::{Exit, Problem, client, report, report_with, tours, workspace};
use crate::arguments::{ContentArgs, PullArgs};

/// Reads the text of a tour file, and writes its content again. For the fuzz target.
///
/// # Errors
/// Returns the problems of the file, as `push` reports them.
pub fn format_tour_file(text: &str) -> Result<String, Vec<String>> {
    static INPUTS: LazyLock<InputTypes> = LazyLock::new(InputTypes::new);
    file::parse("tour", text, &INPUTS).map(|file| file.content.yaml())
}

pub(crate) async fn pull(arguments: PullArgs) -> Exit {
    report_with(pull_files(&arguments).await)
}

pub(crate) async fn diff(arguments: ContentArgs) -> Exit {
    report_with(differences(&arguments).await)
}

pub(crate) fn schema() -> Exit {
    report(Ok(json_schema::text(&InputTypes::new())))
}

struct Session<'a> {
    client: Client,
    workspace: Workspace,
    inputs: InputTypes,
    directory: Directory,
    arguments: &'a ContentArgs,
}

struct Remote {
    tour: TourRowTour,
    draft: TourDraftRevision,
    /// The content with names, like a file.
    content: Content,
    /// The content with ids, as files of earlier versions have them.
    with_ids: Content,
}

impl<'a> Session<'a> {
    async fn new(arguments: &'a ContentArgs) -> Result<Self, Problem> {
        let client = client(&arguments.server)?;
        let workspace = workspace(&client, &arguments.workspace).await?;
        let mut directory = Directory::default();
        let variables = SegmentsVariables {
            slug: workspace.slug.clone(),
        };
        let segments = client.run(Segments::build(variables)).await?.workspace;
        for segment in segments.into_iter().flat_map(|workspace| workspace.segments) {
            let segment = segment.segment_fields_segment;
            directory.add(Kind::Segment, segment.id.inner(), &segment.name);
        }
        for tour in tours::tours(&client, workspace.id.clone()).await? {
            directory.add(Kind::Tour, tour.id.inner(), &tour.slug);
        }
        Ok(Self {
            client,
            workspace,
            inputs: InputTypes::new(),
            directory,
            arguments,
        })
    }

    async fn remote(&self, slug: &str) -> Result<Option<Remote>, Problem> {
        let variables = TourEditorVariables {
            workspace_id: self.workspace.id.clone(),
            slug: slug.to_owned(),
        };
        let data = self.client.run(TourEditor::build(variables)).await?;
        Ok(data.tour_by_slug.map(|data| {
            let (tour, draft) = (data.tour_row_tour, data.draft.tour_draft_revision);
            let with_ids = self.content(&tour, &draft);
            Remote {
                content: self.directory.with_names(with_ids.clone()),
                with_ids,
                tour,
                draft,
            }
        }))
    }

    fn content(&self, tour: &TourRowTour, draft: &TourDraftRevision) -> Content {
        let content = Content {
            title: tour.title.clone(),
            theme: draft.theme.as_ref().map(|theme| theme.name.clone()),
            locales: draft.locales.clone(),
            start: draft.start.0.clone(),
            steps: draft.steps.iter().map(|step| step.0.clone()).collect(),
        };
        file::normalize(content, &self.inputs, Source::Response)
    }

    fn file(&self, slug: &str) -> Result<Option<TourFile>, Problem> {
        file::read(&self.arguments.dir, slug, &self.inputs).map_err(Problem::Usage)
    }

    /// Problems are reported before anything is changed.
    fn files(&self) -> Result<Vec<(String, TourFile)>, Problem> {
        let folder = &self.arguments.dir;
        let slugs = match &self.arguments.tours[..] {
            [] => file::slugs(folder).map_err(Problem::Usage)?,
            named => named.to_vec(),
        };
        let (mut files, mut problems) = (Vec::new(), Vec::new());
        for slug in slugs {
            match file::read(folder, &slug, &self.inputs) {
                Ok(Some(file)) => files.push((slug, file)),
                Ok(None) => problems.push(format!(
                    "The file {} does not exist.",
                    file::path(folder, &slug).display()
                )),
                Err(problem) => problems.push(problem),
            }
        }
        if problems.is_empty() {
            Ok(files)
        } else {
            Err(Problem::Usage(problems.join("\n")))
        }
    }

    fn missing(&self, slug: &str) -> Problem {
        Problem::Usage(format!("The workspace {} has no tour `{slug}`.", self.workspace.name))
    }
}

async fn pull_files(arguments: &PullArgs) -> Result<(String, Exit), Problem> {
    let session = Session::new(&arguments.content).await?;
    let folder = &arguments.content.dir;
    let slugs = match &arguments.content.tours[..] {
        [] => tours::tours(&session.client, session.workspace.id.clone())
            .await?
            .into_iter()
            .filter(|tour| tour.status != TourStatus::Archived)
            .map(|tour| tour.slug)
            .collect(),
        named => named.to_vec(),
    };
    fs::create_dir_all(folder).map_err(|error| {
        Problem::Usage(format!(
            "The folder {} could not be created: {error}.",
            folder.display()
        ))
    })?;
    file::write_schema(folder, &session.inputs).map_err(Problem::Local)?;
    let (mut text, mut exit) = (String::new(), Exit::Success);
    for slug in slugs {
        let remote = session.remote(&slug).await?.ok_or_else(|| session.missing(&slug))?;
        let path = file::path(folder, &slug);
        // --force also overwrites an invalid file.
        let existing = match session.file(&slug) {
            Err(_) if arguments.force => None,
            read => read?,
        };
        let outcome = match &existing {
            None => "written",
            Some(file) if file.content == remote.content => "unchanged",
            Some(file) if file.content == remote.with_ids || arguments.force || file.is_unmodified() => "updated",
            Some(_) => {
                exit = Exit::Different;
                let _ = writeln!(
                    text,
                    "{}: skipped, the file was changed locally. Run `waypost diff {slug}` to see the changes; push them, or \
                     overwrite them with --force.",
                    path.display()
                );
                continue;
            }
        };
        let version = remote.draft.version;
        if existing.is_none_or(|file| file.content != remote.content || !file.is_unmodified_since(version)) {
            file::write(&path, &remote.content, version).map_err(Problem::Local)?;
        }
        let _ = writeln!(text, "{}: {outcome}", path.display());
    }
    if text.is_empty() {
        text = format!("The workspace {} has no tours.", session.workspace.name);
    }
    Ok((text, exit))
}

impl TourFile {
    fn is_unmodified(&self) -> bool {
        let checksum = self.content.checksum();
        self.pulled.as_ref().is_some_and(|pulled| pulled.checksum == checksum)
    }

    fn is_unmodified_since(&self, version: i32) -> bool {
        self.is_unmodified() && self.pulled.as_ref().is_some_and(|pulled| pulled.version == version)
    }
}

async fn differences(arguments: &ContentArgs) -> Result<(String, Exit), Problem> {
    let session = Session::new(arguments).await?;
    let mut text = String::new();
    for (slug, file) in session.files()? {
        let remote = session.remote(&slug).await?.map(|remote| remote.content);
        text += &difference(&slug, remote.as_ref(), &session.directory.with_names(file.content));
    }
    let exit = if text.is_empty() {
        Exit::Success
    } else {
        Exit::Different
    };
    Ok((text, exit))
}

/// Returns a unified diff; empty if they are equal.
fn difference(slug: &str, remote: Option<&Content>, file: &Content) -> String {
    if remote == Some(file) {
        return String::new();
    }
    let before = remote.map(Content::yaml).unwrap_or_default();
    let name = format!("{slug}.yml");
    let from = if remote.is_some() { "draft" } else { "does not exist" };
    TextDiff::from_lines(&before, &file.yaml())
        .unified_diff()
        .header(&format!("{name} ({from})"), &format!("{name} (file)"))
        .to_string()
}
