use std::{collections::BTreeSet, sync::Arc};

use traitql::Url;
use waypost_api::{BootTour, StartRule, StepBranches};

use super::{
    bundle::has_server_conditions,
    candidate::{Candidate, CurrentRelease, Visit},
    conditions::{by_priority, partially_evaluate, possible_branches},
    offer,
};
use crate::{lift, visitor::identity::MAX_PAGE_BYTES};

pub fn offers(releases: &[CurrentRelease], visit: &Visit<'_>) -> Vec<BootTour> {
    let tours = releases.iter().filter_map(|tour| {
        let candidate = Candidate::new(visit, tour);
        let resume = offer(&candidate).ok()?;
        let condition = tour.start.when.as_ref().filter(|_| candidate.auto_starts());
        let when = partially_evaluate(condition, visit).ok()?;
        let mut steps = tour.steps.clone();
        let mut branches = Vec::new();
        for step in &mut steps {
            if !has_server_conditions(step) {
                continue;
            }
            let step = Arc::make_mut(step);
            step.branches = possible_branches(std::mem::take(&mut step.branches), visit);
            branches.push(StepBranches {
                step_key: step.key.clone(),
                branches: step.branches.clone(),
            });
        }
        Some(BootTour {
            tour_id: tour.tour_id.clone(),
            release_id: tour.release_id.clone(),
            slug: tour.slug.clone(),
            title: tour.title.clone(),
            steps,
            start: StartRule {
                when,
                ..tour.start.clone()
            },
            theme: tour.theme.clone(),
            locales: tour.locales.clone(),
            bundle: tour.bundle.clone(),
            branches,
            resume,
        })
    });
    by_priority(tours.collect())
}

pub fn new_exposures(releases: &[CurrentRelease], visit: &Visit<'_>) -> Vec<lift::store::NewExposure> {
    let exposures = releases.iter().filter(|tour| tour.goal.is_some()).filter_map(|tour| {
        lift::group(&Candidate::new(visit, tour)).map(|group| lift::store::NewExposure::new(&tour.release_id, group))
    });
    exposures.collect()
}

/// Removes user, password, query and fragment, because these can contain personal data.
pub fn stored_page(url: &Url) -> String {
    let mut page = url.parsed();
    page.set_query(None);
    page.set_fragment(None);
    // These only fail if the URL has no host.
    let _ = page.set_username("");
    let _ = page.set_password(None);
    cut_page(page.as_str(), MAX_PAGE_BYTES).to_owned()
}

/// Returns the beginning of a serialized URL, which is ASCII, without an incomplete percent-encoding at the end.
pub fn cut_page(page: &str, max: usize) -> &str {
    let Some(start) = page.get(..max) else { return page };
    let incomplete = start.rfind('%').filter(|at| at + 3 > max);
    &start[..incomplete.unwrap_or(max)]
}

pub fn goals(releases: &[CurrentRelease]) -> Vec<String> {
    let goals: BTreeSet<&String> = releases.iter().filter_map(|tour| tour.goal.as_ref()).collect();
    goals.into_iter().cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_pages_are_short_and_contain_no_personal_data() {
        let page = |text: &str| stored_page(&text.parse().expect("a URL"));
        assert_eq!(
            page("https://ada:secret@shop.example/cart?coupon=1#total"),
            "https://shop.example/cart"
        );
        let long = page(&format!("https://shop.example/{}", "<".repeat(1000)));
        assert!((198..=200).contains(&long.len()), "{long}");
        assert!(long.ends_with("%3C"), "{long}");
    }
}
