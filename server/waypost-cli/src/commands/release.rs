//! `waypost release`: plays a tour's draft on a site, as the button in the browser does.

use cynic::{MutationBuilder, QueryBuilder};
use waypost_client::operations::{
    DateTime, Release, TourRelease, TourReleaseInput, TourReleaseVariables, TourReleases, TourReleasesVariables,
};

use super::{Exit, Problem, client, report, workspace};
use crate::arguments::ReleaseArgs;

/// Runs the command.
pub async fn run(arguments: ReleaseArgs) -> Exit {
    report(release(arguments).await)
}

async fn release(arguments: ReleaseArgs) -> Result<String, Problem> {
    let client = client(&arguments.server)?;
    let workspace = workspace(&client, &arguments.workspace).await?;
    let names: Vec<_> = workspace.sites.iter().map(|site| site.name.as_str()).collect();
    let Some(site) = workspace.sites.iter().find(|site| site.name == arguments.site) else {
        let known = if names.is_empty() {
            "it has none yet".to_owned()
        } else {
            format!("it has {}", names.join(", "))
        };
        return Err(Problem::Asked(format!(
            "The workspace {} has no site `{}`; {known}.",
            workspace.name, arguments.site
        )));
    };
    let wanted = TourReleasesVariables {
        workspace_id: workspace.id.clone(),
        slug: arguments.tour.clone(),
    };
    let Some(tour) = client.run(TourReleases::build(wanted)).await?.tour_by_slug else {
        return Err(Problem::Asked(format!(
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
    let lines: Vec<_> = released.iter().map(|release| says(&tour.title, release)).collect();
    Ok(lines.join("\n"))
}

fn says(title: &str, release: &Release) -> String {
    let since = release.starts_at.as_ref().unwrap_or(&release.at);
    let mut says = format!(
        "Revision {} of “{title}” plays on {} since {}",
        release.revision.number, release.site.name, since.0
    );
    if let Some(end) = &release.ends_at {
        says += &format!(" until {}", end.0);
    }
    let (rollout, holdout) = (release.rollout_percent, release.holdout_percent);
    if rollout < 100 {
        says += &format!(", for {rollout} of 100 visitors");
    }
    if holdout > 0 {
        says += &format!(", {holdout} of 100 never see it");
    }
    if let Some(goal) = &release.goal {
        says += &format!(", and should lead to `{goal}`");
    }
    says + "."
}
