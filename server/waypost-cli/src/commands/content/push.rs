//! `waypost push`: from files to drafts.

use std::fmt::Write as _;

use cynic::{MutationBuilder, QueryBuilder};
use waypost_client::operations::{
    Problem as Finding, Severity, StartContent, StepContent, ThemeName, Themes, ThemesVariables, TourCreate,
    TourCreateInput, TourCreateVariables, TourRename, TourRenameVariables, TourSave, TourSaveInput, TourSaveVariables,
};

use super::{
    Desk, Remote,
    file::{self, TourFile},
};
use crate::{
    arguments::PushArgs,
    commands::{Exit, Problem, report_with},
};

/// Runs `waypost push`.
pub async fn push(arguments: PushArgs) -> Exit {
    report_with(pushed(&arguments).await)
}

/// What becomes of a file.
enum Step {
    /// The draft says the same.
    Nothing,
    Create,
    Save(Box<Remote>),
    /// Somebody else has saved the draft.
    Conflict(String),
}

async fn pushed(arguments: &PushArgs) -> Result<(String, Exit), Problem> {
    let desk = Desk::new(&arguments.content).await?;
    let files = desk.files()?;
    let themes = desk.themes().await?;
    let mut plan = Vec::new();
    for (slug, file) in files {
        let theme = theme(&themes, &slug, &file)?;
        let step = step(desk.remote(&slug).await?, &slug, &file, arguments.force);
        plan.push((slug, file, theme, step));
    }
    let (mut text, mut exit) = (String::new(), Exit::Success);
    let conflict = plan.iter().any(|(.., step)| matches!(step, Step::Conflict(_)));
    for (slug, file, theme, step) in plan {
        let path = file::path(&arguments.content.dir, &slug);
        let word = match &step {
            Step::Nothing => "unchanged",
            Step::Conflict(problem) => problem,
            // Nothing is saved where something cannot be.
            Step::Create if arguments.check || conflict => "would be created",
            Step::Save(_) if arguments.check || conflict => "would be saved",
            Step::Create => "created",
            Step::Save(_) => "saved",
        };
        let _ = writeln!(text, "{}: {word}", path.display());
        if arguments.check || conflict {
            if !matches!(step, Step::Nothing) {
                exit = Exit::Different;
            }
            continue;
        }
        let remote = match step {
            Step::Nothing | Step::Conflict(_) => continue,
            Step::Create => desk.create(&slug, &file).await?,
            Step::Save(remote) => *remote,
        };
        let (version, findings) = desk.save(&remote, &file, theme).await?;
        file::write(&path, &file.content, version).map_err(Problem::Here)?;
        for finding in findings {
            let _ = writeln!(text, "  {}", sentence(&finding));
            if finding.severity == Severity::Blocker {
                exit = Exit::Unfinished;
            }
        }
    }
    if text.is_empty() {
        text = format!("There are no files in {}.", arguments.content.dir.display());
    }
    Ok((text, exit))
}

fn step(remote: Option<Remote>, slug: &str, file: &TourFile, force: bool) -> Step {
    let Some(remote) = remote else { return Step::Create };
    if remote.content == file.content {
        return Step::Nothing;
    }
    let version = remote.tour.draft.version;
    let known = file.pulled.as_ref();
    // A release opens a new draft with the same content: that is no change of anybody's.
    let seen = known.is_some_and(|pulled| pulled.version == version || pulled.checksum == remote.content.checksum());
    if seen || force {
        return Step::Save(Box::new(remote));
    }
    Step::Conflict(match known {
        Some(_) => format!(
            "not saved, the draft was changed since the file was pulled. `waypost diff {slug}` shows how they differ; \
             --force saves over it."
        ),
        None => format!(
            "not saved, there is such a tour already and the file was not pulled from it. `waypost diff {slug}` shows how they \
             differ; --force saves over it."
        ),
    })
}

/// The theme that a file names.
fn theme(themes: &[ThemeName], slug: &str, file: &TourFile) -> Result<Option<cynic::Id>, Problem> {
    let Some(name) = &file.content.theme else {
        return Ok(None);
    };
    let named: Vec<&ThemeName> = themes.iter().filter(|theme| theme.name == *name).collect();
    let problem = match &named[..] {
        [theme] => return Ok(Some(theme.id.clone())),
        [] => {
            let known: Vec<&str> = themes.iter().map(|theme| theme.name.as_str()).collect();
            format!("the workspace has no theme `{name}`; it has {}.", known.join(", "))
        }
        _ => format!(
            "the workspace has {} themes with the name `{name}`; rename them.",
            named.len()
        ),
    };
    Err(Problem::Asked(format!("{slug}.yml: {problem}")))
}

fn sentence(finding: &Finding) -> String {
    let word = match finding.severity {
        Severity::Blocker => "keeps it from being released",
        Severity::Warning => "could be better",
    };
    match &finding.step_key {
        Some(key) => format!("{word}: {} (step {key})", finding.message),
        None => format!("{word}: {}", finding.message),
    }
}

impl Desk<'_> {
    async fn themes(&self) -> Result<Vec<ThemeName>, Problem> {
        let variables = ThemesVariables {
            slug: self.workspace.slug.clone(),
        };
        let answer = self.client.run(Themes::build(variables)).await?;
        Ok(answer.workspace.map(|workspace| workspace.themes).unwrap_or_default())
    }

    async fn create(&self, slug: &str, file: &TourFile) -> Result<Remote, Problem> {
        let input = TourCreateInput {
            workspace_id: self.workspace.id.clone(),
            title: file.content.title.clone(),
            slug: slug.to_owned(),
        };
        self.client
            .run(TourCreate::build(TourCreateVariables { input }))
            .await?;
        self.remote(slug).await?.ok_or_else(|| self.missing(slug))
    }

    /// Saves a draft, and answers with its version and what is to be said of it.
    async fn save(
        &self,
        remote: &Remote,
        file: &TourFile,
        theme_id: Option<cynic::Id>,
    ) -> Result<(i32, Vec<Finding>), Problem> {
        let (tour, content) = (&remote.tour, &file.content);
        if tour.title != content.title {
            let renamed = TourRenameVariables {
                id: tour.id.clone(),
                expected_version: tour.version,
                title: content.title.clone(),
            };
            self.client.run(TourRename::build(renamed)).await?;
        }
        let input = TourSaveInput {
            id: tour.id.clone(),
            expected_version: tour.draft.version,
            steps: content.steps.iter().cloned().map(StepContent).collect(),
            start: StartContent(content.start.clone()),
            theme_id,
        };
        let saved = self.client.run(TourSave::build(TourSaveVariables { input })).await?;
        Ok((saved.tour_save.version, saved.tour_save.problems))
    }
}
