use cynic::QueryBuilder;
use serde::Serialize;
use waypost_api_client::{
    Client,
    generated::{Defaulted, Optional, TourRowTour, TourStatus, Tours, ToursVariables, Viewer},
};

use super::{Exit, Problem, client, report, workspace};
use crate::arguments::ToursArgs;

const PAGE_SIZE: i32 = 100;

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Line {
    workspace: String,
    slug: String,
    title: String,
    status: &'static str,
    has_unreleased_changes: bool,
    updated_at: String,
}

pub(crate) async fn run(arguments: ToursArgs) -> Exit {
    report(list(&arguments).await)
}

async fn list(arguments: &ToursArgs) -> Result<String, Problem> {
    let client = client(&arguments.server)?;
    let mut lines = Vec::new();
    for (id, slug) in workspaces(&client, arguments.workspace.as_deref()).await? {
        lines.extend(tours(&client, id).await?.into_iter().map(|tour| line(&slug, tour)));
    }
    if arguments.json {
        return serde_json::to_string_pretty(&lines)
            .map_err(|error| Problem::Usage(format!("The list could not be written as JSON: {error}.")));
    }
    Ok(table(&lines))
}

async fn workspaces(client: &Client, slug: Option<&str>) -> Result<Vec<(cynic::Id, String)>, Problem> {
    if let Some(slug) = slug {
        let workspace = workspace(client, slug).await?;
        return Ok(vec![(workspace.id, workspace.slug)]);
    }
    let viewer = client.run(Viewer::build(())).await?.viewer;
    Ok(viewer
        .memberships
        .into_iter()
        .map(|member| (member.workspace.id, member.workspace.slug))
        .collect())
}

pub(super) async fn tours(client: &Client, workspace_id: cynic::Id) -> Result<Vec<TourRowTour>, Problem> {
    let mut rows = Vec::new();
    let mut after = Optional::Absent;
    loop {
        let variables = ToursVariables {
            first: Defaulted::Value(PAGE_SIZE),
            after,
            ..ToursVariables::new(workspace_id.clone())
        };
        let page = client.run(Tours::build(variables)).await?.tours;
        rows.extend(page.nodes.into_iter().map(|tour| tour.tour_row_tour));
        match page.page_info.end_cursor {
            Some(cursor) if page.page_info.has_next_page => after = Optional::Value(cursor),
            _ => return Ok(rows),
        }
    }
}

fn line(workspace: &str, tour: TourRowTour) -> Line {
    Line {
        workspace: workspace.to_owned(),
        slug: tour.slug,
        title: tour.title,
        status: match tour.status {
            TourStatus::Draft => "DRAFT",
            TourStatus::Live => "LIVE",
            TourStatus::Paused => "PAUSED",
            TourStatus::Stopped => "STOPPED",
            TourStatus::Archived => "ARCHIVED",
        },
        has_unreleased_changes: tour.has_unreleased_changes,
        updated_at: tour.updated_at.0,
    }
}

fn table(lines: &[Line]) -> String {
    if lines.is_empty() {
        return "There are no tours yet.".to_owned();
    }
    let mut rows = vec![["WORKSPACE", "TOUR", "STATUS", "CHANGED", "TITLE"].map(str::to_owned)];
    rows.extend(lines.iter().map(|line| {
        let mark = if line.has_unreleased_changes && line.status == "LIVE" {
            "*"
        } else {
            ""
        };
        let day = line.updated_at.get(..10).unwrap_or(&line.updated_at).to_owned();
        [
            line.workspace.clone(),
            line.slug.clone(),
            format!("{}{mark}", line.status),
            day,
            line.title.clone(),
        ]
    }));
    let width = |column: usize| {
        rows.iter()
            .map(|row| row[column].chars().count())
            .max()
            .unwrap_or_default()
    };
    let widths: [usize; 4] = std::array::from_fn(width);
    let mut text: Vec<_> = rows
        .iter()
        .map(|row| {
            let [workspace, slug, status, day, title] = row;
            let [first, second, third, fourth] = widths;
            format!("{workspace:first$}  {slug:second$}  {status:third$}  {day:fourth$}  {title}")
        })
        .collect();
    if lines
        .iter()
        .any(|line| line.has_unreleased_changes && line.status == "LIVE")
    {
        text.push("* has unreleased changes".to_owned());
    }
    text.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_columns_of_the_table_are_aligned() {
        let line = |slug: &str, status, has_unreleased_changes| Line {
            workspace: "acme".into(),
            slug: slug.into(),
            title: "Wélcome".into(),
            status,
            has_unreleased_changes,
            updated_at: "2026-11-05T09:30:00.000Z".into(),
        };
        insta::assert_snapshot!(table(&[line("welcome", "LIVE", true), line("new", "DRAFT", true)]), @r"
        WORKSPACE  TOUR     STATUS  CHANGED     TITLE
        acme       welcome  LIVE*   2026-11-05  Wélcome
        acme       new      DRAFT   2026-11-05  Wélcome
        * has unreleased changes
        ");
        assert_eq!(table(&[]), "There are no tours yet.");
    }
}
