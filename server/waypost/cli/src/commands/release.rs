//! Options that are not given keep the values of the current release.

use std::io::{IsTerminal, stdin};

use cynic::{MutationBuilder, QueryBuilder};
use traitql::Violation;
use waypost_api as api;
use waypost_api_client::generated::{
    DateTime, Defaulted, ReleaseRowRelease, ReleaseState, RevisionState, TourRelease, TourReleaseInput,
    TourReleaseVariables, TourReleases, TourReleasesVariables, tour_releases::Tour,
};

use super::{Exit, Problem, client, content::violations, printable, report, workspace};
use crate::arguments::ReleaseArgs;

pub(crate) async fn run(arguments: ReleaseArgs) -> Exit {
    report(release(arguments).await)
}

async fn release(arguments: ReleaseArgs) -> Result<String, Problem> {
    let client = client(&arguments.server)?;
    let workspace = workspace(&client, &arguments.workspace).await?;
    let names: Vec<_> = workspace.sites.iter().map(|site| site.name.as_str()).collect();
    let Some(site) = workspace.sites.iter().find(|site| site.name == arguments.site) else {
        let known = if names.is_empty() {
            "it has no sites yet".to_owned()
        } else {
            format!("its sites are {}", names.join(", "))
        };
        return Err(Problem::Usage(format!(
            "The workspace {} has no site `{}`; {known}.",
            workspace.name, arguments.site
        )));
    };
    let variables = TourReleasesVariables {
        workspace_id: workspace.id.clone(),
        slug: arguments.tour.clone(),
    };
    let Some(tour) = client.run(TourReleases::build(variables)).await?.tour_by_slug else {
        return Err(Problem::Usage(format!(
            "The workspace {} has no tour `{}`.",
            workspace.name, arguments.tour
        )));
    };
    let current = tour
        .releases
        .iter()
        .find(|release| release.site.id == site.id && release.state != ReleaseState::Ended);
    let terms = Terms::new(&arguments, current);
    let plan = plan(&tour, &site.name, current, &terms);
    let input = TourReleaseInput {
        rollout_percent: Defaulted::Value(terms.rollout),
        holdout_percent: Defaulted::Value(terms.holdout),
        goal: terms.goal.into(),
        starts_at: terms.starts_at.map(DateTime).into(),
        ends_at: terms.ends_at.map(DateTime).into(),
        end_active_runs: Defaulted::Value(arguments.end_active_runs),
        note: arguments.note.into(),
        ..TourReleaseInput::new(tour.tour_row_tour.id.clone(), tour.draft.version, vec![site.id.clone()])
    };
    check(&input)?;
    eprintln!("{}", printable(&plan));
    if stdin().is_terminal() && !arguments.yes {
        let message = "Nothing was released. Repeat the command with --yes to release.";
        return Err(Problem::Usage(message.to_owned()));
    }
    let released = client
        .run(TourRelease::build(TourReleaseVariables { input }))
        .await?
        .tour_release;
    let lines: Vec<_> = released
        .iter()
        .map(|release| summary(&tour.tour_row_tour.title, &release.release_row_release))
        .collect();
    Ok(lines.join("\n"))
}

/// Checks the options like the server.
fn check(input: &TourReleaseInput) -> Result<(), Problem> {
    let input = serde_json::to_value(input).map_err(|error| Problem::Local(error.to_string()))?;
    let problem = |Violation { path, problem, .. }: Violation| {
        let option = match path.as_str() {
            "rolloutPercent" => "--rollout",
            "holdoutPercent" => "--holdout",
            "goal" => "--goal",
            "startsAt" => "--starts-at",
            "endsAt" => "--ends-at",
            "note" => "--note",
            other => other,
        };
        format!("{option} {problem}.")
    };
    let problems: Vec<String> = violations::<api::TourReleaseInput>(&input)
        .into_iter()
        .map(problem)
        .collect();
    if problems.is_empty() {
        Ok(())
    } else {
        Err(Problem::Usage(problems.join("\n")))
    }
}

struct Terms {
    rollout: i32,
    holdout: i32,
    goal: Option<String>,
    starts_at: Option<String>,
    ends_at: Option<String>,
}

impl Terms {
    fn of(release: &ReleaseRowRelease) -> Self {
        let instant = |at: &Option<DateTime>| at.as_ref().map(|at| at.0.clone());
        Self {
            rollout: release.rollout_percent,
            holdout: release.holdout_percent,
            goal: release.goal.clone(),
            starts_at: instant(&release.starts_at),
            ends_at: instant(&release.ends_at),
        }
    }

    fn new(arguments: &ReleaseArgs, current: Option<&ReleaseRowRelease>) -> Self {
        let before = current.map_or(
            Self {
                rollout: 100,
                holdout: 0,
                goal: None,
                starts_at: None,
                ends_at: None,
            },
            Self::of,
        );
        let instant = |option: &Option<String>, none: &str, before: Option<String>| match option {
            Some(text) if text == none => None,
            Some(text) => Some(text.clone()),
            None => before,
        };
        Self {
            rollout: arguments.rollout.unwrap_or(before.rollout),
            holdout: arguments.holdout.unwrap_or(before.holdout),
            goal: arguments.goal.clone().or(before.goal).filter(|_| !arguments.no_goal),
            starts_at: instant(&arguments.starts_at, "now", before.starts_at),
            ends_at: instant(&arguments.ends_at, "never", before.ends_at),
        }
    }

    fn rows(&self) -> [(&'static str, String); 5] {
        let or = |value: &Option<String>, none: &str| value.clone().unwrap_or_else(|| none.to_owned());
        [
            ("rollout", format!("{} %", self.rollout)),
            ("holdout", format!("{} %", self.holdout)),
            ("goal", or(&self.goal, "none")),
            ("start", or(&self.starts_at, "now")),
            ("end", or(&self.ends_at, "never")),
        ]
    }
}

fn plan(tour: &Tour, site: &str, current: Option<&ReleaseRowRelease>, terms: &Terms) -> String {
    // An unchanged draft releases the newest revision again.
    let unchanged = !tour.tour_row_tour.has_unreleased_changes && tour.draft.state == RevisionState::Draft;
    let revision = tour.tour_row_tour.released.as_ref().filter(|_| unchanged);
    let number = revision.map_or(tour.draft.number, |revision| revision.number);
    let rows = |number: i32, terms: &Terms| [("revision", number.to_string())].into_iter().chain(terms.rows());
    let mut before = current.map(|release| rows(release.revision.number, &Terms::of(release)));
    let mut text = match current {
        None => format!("Releases “{}” to {site}:", tour.tour_row_tour.title),
        Some(_) => format!(
            "Releases “{}” to {site} and replaces the current release there:",
            tour.tour_row_tour.title
        ),
    };
    for (name, after) in rows(number, terms) {
        let change = match before.as_mut().and_then(Iterator::next) {
            None => after,
            Some((_, before)) if before == after => format!("{after} (as before)"),
            Some((_, before)) => format!("{before} → {after}"),
        };
        text += &format!("\n  {name:<9} {change}");
    }
    text
}

fn summary(title: &str, release: &ReleaseRowRelease) -> String {
    let since = release.starts_at.as_ref().unwrap_or(&release.at);
    let mut text = format!(
        "Released revision {} of “{title}” to {}, live from {}",
        release.revision.number, release.site.name, since.0
    );
    if let Some(end) = &release.ends_at {
        text += &format!(" to {}", end.0);
    }
    let (rollout, holdout) = (release.rollout_percent, release.holdout_percent);
    if rollout < 100 {
        text += &format!(", rollout {rollout} %");
    }
    if holdout > 0 {
        text += &format!(", holdout {holdout} %");
    }
    if let Some(goal) = &release.goal {
        text += &format!(", goal `{goal}`");
    }
    text + "."
}
