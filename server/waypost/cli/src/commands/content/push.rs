use std::{collections::BTreeSet, fmt::Write as _, path::Path};

use cynic::{MutationBuilder, QueryBuilder};
use waypost_api_client::{
    Failure,
    generated::{
        Optional, Severity, StartRuleInput, StepInput, ThemeFieldsTheme, Themes, ThemesVariables, TourCreate,
        TourCreateInput, TourCreateVariables, TourRename, TourRenameVariables, TourSave, TourSaveInput,
        TourSaveVariables, tour_draft_revision::Problem as Finding,
    },
};

use super::{
    Remote, Session,
    file::{self, Content, Pulled, TourFile},
    references::Kind,
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
    /// Was created in this push, because another file refers to it.
    Created(Box<Remote>),
    Save(Box<Remote>),
    Conflict(String),
}

/// A file with the id of its theme.
type Planned = (String, TourFile, Option<cynic::Id>, Action);

async fn push_files(arguments: &PushArgs) -> Result<(String, Exit), Problem> {
    let mut session = Session::new(&arguments.content).await?;
    let files = session.files()?;
    let themes = session.themes(&files).await?;
    let mut plan = Vec::new();
    for ((slug, file), theme) in files.into_iter().zip(themes) {
        let action = action(session.remote(&slug).await?, &slug, &file, arguments.force);
        plan.push((slug, file, theme, action));
    }
    let new = plan.iter().filter(|(.., action)| matches!(action, Action::Create));
    let new: BTreeSet<String> = new.map(|(slug, ..)| slug.clone()).collect();
    session.check_references(&plan, &new)?;
    let (mut text, mut exit) = (String::new(), Exit::Success);
    let conflict = plan.iter().any(|(.., action)| matches!(action, Action::Conflict(_)));
    let only_checks = arguments.check || conflict;
    if !only_checks {
        session.create_referenced(&mut plan, &new).await?;
    }
    for (slug, file, theme, action) in plan {
        let path = file::path(&arguments.content.dir, &slug);
        let (outcome, remote) = match action {
            Action::Nothing => {
                let _ = writeln!(text, "{}: unchanged", path.display());
                continue;
            }
            Action::Conflict(problem) => {
                let _ = writeln!(text, "{}: {problem}", path.display());
                exit = Exit::Different;
                continue;
            }
            Action::Create => ("created", None),
            Action::Created(remote) => ("created", Some(*remote)),
            Action::Save(remote) => ("saved", Some(*remote)),
        };
        if only_checks {
            let _ = writeln!(text, "{}: would be {outcome}", path.display());
            exit = Exit::Different;
            continue;
        }
        let findings = match session.put(&path, &slug, &file, theme, remote).await {
            Ok(findings) => findings,
            Err(problem) => {
                let _ = writeln!(text, "{}: push failed. {problem}", path.display());
                exit = problem.exit();
                // The other files would fail too.
                if matches!(problem, Problem::Server(Failure::Network(_))) {
                    break;
                }
                continue;
            }
        };
        let _ = writeln!(text, "{}: {outcome}", path.display());
        for finding in findings {
            let _ = writeln!(text, "  {}", format_finding(&finding));
            if finding.severity == Severity::Blocker && exit == Exit::Success {
                exit = Exit::Unfinished;
            }
        }
    }
    if text.is_empty() {
        text = format!("The folder {} contains no tour files.", arguments.content.dir.display());
    }
    if conflict && !arguments.check {
        text += "Nothing was saved.";
    }
    Ok((text, exit))
}

fn action(remote: Option<Remote>, slug: &str, file: &TourFile, force: bool) -> Action {
    let Some(remote) = remote else { return Action::Create };
    if remote.content == file.content || remote.with_ids == file.content {
        return Action::Nothing;
    }
    let version = remote.draft.version;
    let pulled = file.pulled.as_ref();
    // A release opens a new draft version with the same content.
    let up_to_date = pulled.is_some_and(|pulled| {
        pulled.version == version
            || [&remote.content, &remote.with_ids]
                .map(Content::checksum)
                .contains(&pulled.checksum)
    });
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

/// Returns the id of the theme that the file names.
fn theme(themes: &[ThemeFieldsTheme], file: &TourFile) -> Result<Option<cynic::Id>, String> {
    let Some(name) = &file.content.theme else {
        return Ok(None);
    };
    let named: Vec<&ThemeFieldsTheme> = themes.iter().filter(|theme| theme.name == *name).collect();
    match &named[..] {
        [theme] => Ok(Some(theme.id.clone())),
        [] => {
            let known: Vec<&str> = themes.iter().map(|theme| theme.name.as_str()).collect();
            Err(format!(
                "the workspace has no theme `{name}`; its themes are {}.",
                known.join(", ")
            ))
        }
        _ => Err(format!(
            "the workspace has {} themes named `{name}`; rename all but one.",
            named.len()
        )),
    }
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
    /// Returns the ids of the themes of the files.
    async fn themes(&self, files: &[(String, TourFile)]) -> Result<Vec<Option<cynic::Id>>, Problem> {
        let variables = ThemesVariables {
            slug: self.workspace.slug.clone(),
        };
        let data = self.client.run(Themes::build(variables)).await?;
        let themes = data.workspace.map(|workspace| workspace.themes).unwrap_or_default();
        let (mut ids, mut problems) = (Vec::new(), Vec::new());
        for (slug, file) in files {
            match theme(&themes, file) {
                Ok(id) => ids.push(id),
                Err(problem) => {
                    let position = file::position(&self.arguments.dir, slug, "theme");
                    problems.push(format!("{position}: {problem}"));
                }
            }
        }
        if problems.is_empty() {
            Ok(ids)
        } else {
            Err(Problem::Usage(problems.join("\n")))
        }
    }

    /// References to tours that this push creates are valid.
    fn check_references(&self, plan: &[Planned], new: &BTreeSet<String>) -> Result<(), Problem> {
        let mut known = self.directory.clone();
        for slug in new {
            known.add(Kind::Tour, slug, slug);
        }
        let mut lines = Vec::new();
        for (slug, file, ..) in plan {
            for (path, problem) in known.with_ids(file.content.clone()).err().unwrap_or_default() {
                let position = file::position(&self.arguments.dir, slug, &path);
                lines.push(format!("{position}: {problem}"));
            }
        }
        if lines.is_empty() {
            Ok(())
        } else {
            Err(Problem::Usage(lines.join("\n")))
        }
    }

    /// Creates the tours that files refer to, because their ids are needed to save those files.
    async fn create_referenced(&mut self, plan: &mut [Planned], new: &BTreeSet<String>) -> Result<(), Problem> {
        let referenced: BTreeSet<String> = plan
            .iter()
            .flat_map(|(_, file, ..)| file.content.references(Kind::Tour))
            .filter(|slug| new.contains(slug))
            .collect();
        for (slug, file, _, action) in plan {
            if !referenced.contains(slug) {
                continue;
            }
            let path = file::path(&self.arguments.dir, slug);
            let created = self.create(slug, file).await?;
            file::write_pulled(&path, &file.content, Some(&created.pulled())).map_err(Problem::Local)?;
            self.directory.add(Kind::Tour, created.tour.id.inner(), slug);
            *action = Action::Created(Box::new(created));
        }
        Ok(())
    }

    async fn create(&self, slug: &str, file: &TourFile) -> Result<Remote, Problem> {
        let input = TourCreateInput {
            locale: file.content.locales.first().cloned().into(),
            ..TourCreateInput::new(self.workspace.id.clone(), file.content.title.clone(), slug.to_owned())
        };
        self.client
            .run(TourCreate::build(TourCreateVariables { input }))
            .await?;
        self.remote(slug).await?.ok_or_else(|| self.missing(slug))
    }

    /// Returns the problems of the tour. After a failure, the file can be pushed again.
    async fn put(
        &self,
        path: &Path,
        slug: &str,
        file: &TourFile,
        theme_id: Option<cynic::Id>,
        remote: Option<Remote>,
    ) -> Result<Vec<Finding>, Problem> {
        let content = &self.directory.with_names(file.content.clone());
        let sent = self.directory.with_ids(file.content.clone()).map_err(|problems| {
            let lines: Vec<String> = problems
                .into_iter()
                .map(|(at, problem)| format!("{at}: {problem}"))
                .collect();
            Problem::Usage(lines.join("\n"))
        })?;
        file::write_schema(&self.arguments.dir, &self.inputs).map_err(Problem::Local)?;
        let Remote { tour, draft, .. } = match remote {
            Some(remote) => remote,
            None => {
                let created = self.create(slug, file).await?;
                file::write_pulled(path, content, Some(&created.pulled())).map_err(Problem::Local)?;
                created
            }
        };
        let input = TourSaveInput {
            steps: Optional::Value(sent.steps.into_iter().map(StepInput).collect()),
            start: Optional::Value(StartRuleInput(sent.start)),
            theme_id: theme_id.into(),
            locales: Optional::Value(content.locales.clone()),
            ..TourSaveInput::new(tour.id.clone(), draft.version)
        };
        let saved = self.client.run(TourSave::build(TourSaveVariables { input })).await?;
        file::write(path, content, saved.tour_save.version).map_err(Problem::Local)?;
        // Last, because a rename also applies to visible releases, and saving can be rejected.
        if tour.title != content.title {
            let variables = TourRenameVariables {
                id: tour.id,
                expected_version: tour.version,
                title: content.title.clone(),
            };
            self.client.run(TourRename::build(variables)).await?;
        }
        Ok(saved.tour_save.problems)
    }
}

impl Remote {
    fn pulled(&self) -> Pulled {
        Pulled {
            version: self.draft.version,
            checksum: self.content.checksum(),
        }
    }
}
