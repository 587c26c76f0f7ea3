//! `waypost release`: releases a tour's draft to a site, like the button in the browser.

use cynic::{MutationBuilder, QueryBuilder};
use waypost_api_client::operations::{
    DateTime, Release, TourRelease, TourReleaseInput, TourReleaseVariables, TourReleases, TourReleasesVariables,
};

use super::{Exit, Problem, client, report, workspace};
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
    let input = TourReleaseInput {
        tour_id: tour.id,
        expected_version: tour.draft.version,
        site_ids: vec![site.id.clone()],
        rollout_percent: arguments.rollout,
        holdout_percent: arguments.holdout,
        goal: arguments.goal,
        starts_at: arguments.starts_at.map(DateTime),
        ends_at: arguments.ends_at.map(DateTime),
        end_active_runs: arguments.end_active_runs.then_some(true),
        note: arguments.note,
    };
    let released = client
        .run(TourRelease::build(TourReleaseVariables { input }))
        .await?
        .tour_release;
    let lines: Vec<_> = released.iter().map(|release| summary(&tour.title, release)).collect();
    Ok(lines.join("\n"))
}

fn summary(title: &str, release: &Release) -> String {
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
