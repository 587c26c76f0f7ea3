//! The welcome tour, and the tours of the sample workspace.
//!
//! Data files in the format of the API's input types, so that translators and designers can edit them; tests check
//! that they could be released.

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

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct BuiltInTour {
    pub(crate) slug: String,
    pub(crate) title: String,
    released: bool,
    #[serde(default = "original_language")]
    locales: Vec<String>,
    start: StoredStart,
    steps: Vec<StoredStep>,
}

/// The language of the content files.
fn original_language() -> Vec<String> {
    vec!["en".to_owned()]
}

impl BuiltInTour {
    pub(crate) fn into_content(self) -> Content {
        Content {
            steps: self.steps.into_iter().map(Step::from).map(Arc::new).collect(),
            start: self.start.into(),
            locales: self.locales,
            theme_id: None,
        }
    }
}

pub(crate) fn welcome_tours() -> Vec<BuiltInTour> {
    read(include_str!("../../content/welcome.json"))
}

pub(crate) fn sample_tours() -> Vec<BuiltInTour> {
    read(include_str!("../../content/sample.json"))
}

fn read(text: &str) -> Vec<BuiltInTour> {
    serde_json::from_str(text).expect("the content files are embedded, and a test parses them")
}

/// Releases it on a site if the content file requires it.
pub(crate) async fn add(
    conn: &mut Conn,
    tour: BuiltInTour,
    workspace_id: &Id,
    site_id: &Id,
    author: &Id,
    now: DateTime,
) -> Result<(), Internal> {
    let released = tour.released;
    let (slug, title) = (tour.slug.clone(), tour.title.clone());
    let content = tour.into_content();
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

    fn targets(tours: Vec<BuiltInTour>) -> Vec<String> {
        let steps = tours.into_iter().flat_map(|tour| tour.steps).map(Step::from);
        let targets = steps.filter_map(|step| step.target);
        targets
            .inspect(|target| assert_eq!(target.by, TargetBy::DataTour))
            .map(|target| target.value)
            .collect()
    }

    #[test]
    fn the_welcome_tour_has_no_problems() {
        for tour in welcome_tours() {
            let steps: Vec<Arc<Step>> = tour.steps.into_iter().map(Step::from).map(Arc::new).collect();
            assert_eq!(problems(&steps, &tour.start.into()), [], "{}", tour.slug);
        }
    }

    #[test]
    fn the_targets_of_the_welcome_tour_exist_in_the_client() {
        let known = ["start-here"];
        for target in targets(welcome_tours()) {
            assert!(
                known.contains(&target.as_str()),
                "no element of the client has `data-tour=\"{target}\"`"
            );
        }
    }
}
