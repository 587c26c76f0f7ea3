//! Tours that come with Waypost: the one that introduces it, and those of the sample workspace.
//!
//! Their content are data files, so that a translator or a designer can edit them. They have the form of the API's inputs
//! and are held to the same rules by tests.

use std::sync::Arc;

use serde::Deserialize;
use traitql::{DateTime, Id, Internal};
use waypost_api::Step;

use super::{
    content::Content,
    revisions, store,
    stored::{StoredStart, StoredStep},
};
use crate::{release, store::Conn};

/// A tour of a content file.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Prepared {
    pub(crate) slug: String,
    pub(crate) title: String,
    /// Whether it plays from the beginning.
    released: bool,
    start: StoredStart,
    steps: Vec<StoredStep>,
}

/// The tour that shows Waypost to people who open it for the first time.
pub(crate) fn welcome() -> Vec<Prepared> {
    read(include_str!("../../content/welcome.json"))
}

/// The tours of the sample workspace.
pub(crate) fn sample() -> Vec<Prepared> {
    read(include_str!("../../content/sample.json"))
}

fn read(text: &str) -> Vec<Prepared> {
    serde_json::from_str(text).expect("the content files are embedded and read by a test")
}

/// Adds a prepared tour to a workspace, and releases it on a site if it is to play.
pub(crate) async fn add(
    conn: &mut Conn,
    prepared: Prepared,
    workspace_id: &Id,
    site_id: &Id,
    author: &Id,
    now: DateTime,
) -> Result<(), Internal> {
    let Prepared {
        slug,
        title,
        released,
        start,
        steps,
    } = prepared;
    let content = Content {
        steps: steps.into_iter().map(Step::from).map(Arc::new).collect(),
        start: start.into(),
        theme_id: None,
    };
    let tour = store::insert(conn, workspace_id, &slug, &title, author, now).await?;
    let draft = revisions::insert_draft(conn, &tour, 1, 1, &content, author, now).await?;
    if released {
        revisions::freeze(conn, &draft, now).await?;
        revisions::insert_draft(conn, &tour, 2, 2, &content, author, now).await?;
        let new = release::NewRelease {
            tour_id: &tour,
            site_id,
            revision_id: &draft,
            by: author,
            note: None,
            terms: &release::Terms::ALL,
            paused: false,
            end_runs: false,
            rollback_of: None,
        };
        release::store::insert(conn, new, now).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use waypost_api::TargetBy;

    use super::*;
    use crate::tour::problem::problems;

    fn targets(tours: Vec<Prepared>) -> Vec<String> {
        let steps = tours.into_iter().flat_map(|tour| tour.steps).map(Step::from);
        let targets = steps.filter_map(|step| step.target);
        targets
            .inspect(|target| assert_eq!(target.by, TargetBy::DataTour))
            .map(|target| target.value)
            .collect()
    }

    #[test]
    fn prepared_tours_have_no_problems() {
        for tour in welcome().into_iter().chain(sample()) {
            let steps: Vec<Arc<Step>> = tour.steps.into_iter().map(Step::from).map(Arc::new).collect();
            assert_eq!(problems(&steps, &tour.start.into()), [], "{}", tour.slug);
        }
    }

    #[test]
    fn the_welcome_tour_points_at_what_the_client_has() {
        let known = ["nav-tours", "nav-themes", "nav-sites", "session-menu", "tour-new"];
        for target in targets(welcome()) {
            assert!(
                known.contains(&target.as_str()),
                "the client marks no element as `{target}`"
            );
        }
    }

    #[test]
    fn the_sample_tours_point_at_what_the_demo_page_has() {
        let known = [
            "play-home",
            "play-search",
            "play-cart",
            "play-account",
            "play-orders",
            "play-help",
        ];
        for target in targets(sample()) {
            assert!(
                known.contains(&target.as_str()),
                "the demo page marks no element as `{target}`"
            );
        }
    }
}
