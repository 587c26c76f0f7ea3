//! `waypost release`: plays a tour's draft on a site, as the button in the browser does.

use cynic::{MutationBuilder, QueryBuilder};
use waypost_client::operations::{
    TourRelease, TourReleaseInput, TourReleaseVariables, TourReleases, TourReleasesVariables,
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
        note: arguments.note,
    };
    let released = client
        .run(TourRelease::build(TourReleaseVariables { input }))
        .await?
        .tour_release;
    let lines: Vec<_> = released
        .iter()
        .map(|release| {
            format!(
                "Revision {} of “{}” plays on {} since {}.",
                release.revision.number, tour.title, release.site.name, release.at.0
            )
        })
        .collect();
    Ok(lines.join("\n"))
}
