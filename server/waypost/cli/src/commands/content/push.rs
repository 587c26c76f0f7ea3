use std::fmt::Write as _;

use cynic::{MutationBuilder, QueryBuilder};
use waypost_api_client::operations::{
    Problem as Finding, Severity, StartContent, StepContent, ThemeName, Themes, ThemesVariables, TourCreate,
    TourCreateInput, TourCreateVariables, TourRename, TourRenameVariables, TourSave, TourSaveInput, TourSaveVariables,
};

use super::{
    Remote, Session,
    file::{self, TourFile},
};
use crate::{
    arguments::PushArgs,
    commands::{Exit, Problem, report_with},
};

pub(crate) async fn push(arguments: PushArgs) -> Exit {
    report_with(push_files(&arguments).await)
}

enum Action {
    Nothing,
    Create,
    Save(Box<Remote>),
    Conflict(String),
}

async fn push_files(arguments: &PushArgs) -> Result<(String, Exit), Problem> {
    let session = Session::new(&arguments.content).await?;
    let files = session.files()?;
    let themes = session.themes().await?;
    let mut plan = Vec::new();
    for (slug, file) in files {
        let theme = theme(&themes, &slug, &file)?;
        let action = action(session.remote(&slug).await?, &slug, &file, arguments.force);
        plan.push((slug, file, theme, action));
    }
    let (mut text, mut exit) = (String::new(), Exit::Success);
    // A push is never half done.
    let conflict = plan.iter().any(|(.., action)| matches!(action, Action::Conflict(_)));
    for (slug, file, theme, action) in plan {
        let path = file::path(&arguments.content.dir, &slug);
        let outcome = match &action {
            Action::Nothing => "unchanged",
            Action::Conflict(problem) => problem,
            Action::Create if arguments.check || conflict => "would be created",
            Action::Save(_) if arguments.check || conflict => "would be saved",
            Action::Create => "created",
            Action::Save(_) => "saved",
        };
        let _ = writeln!(text, "{}: {outcome}", path.display());
        if arguments.check || conflict {
            if !matches!(action, Action::Nothing) {
                exit = Exit::Different;
            }
            continue;
        }
        let remote = match action {
            Action::Nothing | Action::Conflict(_) => continue,
            Action::Create => session.create(&slug, &file).await?,
            Action::Save(remote) => *remote,
        };
        file::write_schema(&arguments.content.dir, &session.inputs).map_err(Problem::Local)?;
        let (version, findings) = session.save(&remote, &file, theme).await?;
        file::write(&path, &file.content, version).map_err(Problem::Local)?;
        for finding in findings {
            let _ = writeln!(text, "  {}", format_finding(&finding));
            if finding.severity == Severity::Blocker {
                exit = Exit::Unfinished;
            }
        }
    }
    if text.is_empty() {
        text = format!("The folder {} contains no tour files.", arguments.content.dir.display());
    }
    Ok((text, exit))
}

fn action(remote: Option<Remote>, slug: &str, file: &TourFile, force: bool) -> Action {
    let Some(remote) = remote else { return Action::Create };
    if remote.content == file.content {
        return Action::Nothing;
    }
    let version = remote.tour.draft.version;
    let pulled = file.pulled.as_ref();
    // A release opens a new draft version with the same content.
    let up_to_date =
        pulled.is_some_and(|pulled| pulled.version == version || pulled.checksum == remote.content.checksum());
    if up_to_date || force {
        return Action::Save(Box::new(remote));
    }
    Action::Conflict(match pulled {
        Some(_) => format!(
            "not saved, the draft was changed since the file was pulled. Run `waypost diff {slug}` to see the differences; \
             --force overwrites the draft."
        ),
        None => format!(
            "not saved, the tour already exists and the file was not pulled from it. Run `waypost diff {slug}` to see the \
             differences; --force overwrites the draft."
        ),
    })
}

fn theme(themes: &[ThemeName], slug: &str, file: &TourFile) -> Result<Option<cynic::Id>, Problem> {
    let Some(name) = &file.content.theme else {
        return Ok(None);
    };
    let named: Vec<&ThemeName> = themes.iter().filter(|theme| theme.name == *name).collect();
    let problem = match &named[..] {
        [theme] => return Ok(Some(theme.id.clone())),
        [] => {
            let known: Vec<&str> = themes.iter().map(|theme| theme.name.as_str()).collect();
            format!(
                "the workspace has no theme `{name}`; its themes are {}.",
                known.join(", ")
            )
        }
        _ => format!(
            "the workspace has {} themes named `{name}`; rename all but one.",
            named.len()
        ),
    };
    Err(Problem::Usage(format!("{slug}.yml: {problem}")))
}

fn format_finding(finding: &Finding) -> String {
    let severity = match finding.severity {
        Severity::Blocker => "prevents release",
        Severity::Warning => "warning",
    };
    match &finding.step_key {
        Some(key) => format!("{severity}: {} (step {key})", finding.message),
        None => format!("{severity}: {}", finding.message),
    }
}

impl Session<'_> {
    async fn themes(&self) -> Result<Vec<ThemeName>, Problem> {
        let variables = ThemesVariables {
            slug: self.workspace.slug.clone(),
        };
        let data = self.client.run(Themes::build(variables)).await?;
        Ok(data.workspace.map(|workspace| workspace.themes).unwrap_or_default())
    }

    async fn create(&self, slug: &str, file: &TourFile) -> Result<Remote, Problem> {
        let input = TourCreateInput {
            workspace_id: self.workspace.id.clone(),
            title: file.content.title.clone(),
            slug: slug.to_owned(),
            locale: file.content.locales.first().cloned(),
        };
        self.client
            .run(TourCreate::build(TourCreateVariables { input }))
            .await?;
        self.remote(slug).await?.ok_or_else(|| self.missing(slug))
    }

    /// Returns the new version and the problems of the tour.
    async fn save(
        &self,
        remote: &Remote,
        file: &TourFile,
        theme_id: Option<cynic::Id>,
    ) -> Result<(i32, Vec<Finding>), Problem> {
        let (tour, content) = (&remote.tour, &file.content);
        if tour.title != content.title {
            let variables = TourRenameVariables {
                id: tour.id.clone(),
                expected_version: tour.version,
                title: content.title.clone(),
            };
            self.client.run(TourRename::build(variables)).await?;
        }
        let input = TourSaveInput {
            id: tour.id.clone(),
            expected_version: tour.draft.version,
            steps: content.steps.iter().cloned().map(StepContent).collect(),
            start: StartContent(content.start.clone()),
            theme_id,
            locales: content.locales.clone(),
        };
        let saved = self.client.run(TourSave::build(TourSaveVariables { input })).await?;
        Ok((saved.tour_save.version, saved.tour_save.problems))
    }
}
