//! The page's decision which tour starts. Must match `client/embed/player/choose-tour.ts`; the tests of both run
//! `content/page-patterns.json`.

use waypost_api::{BootTour, Trigger};

/// Matches a path with an optional query to the schema's format `PATH_PATTERN`.
///
/// Pattern and page can begin with a host (`//app.example.com/billing`), as in a network-path reference (RFC 3986,
/// section 4.2). A pattern with a host and without a path matches all pages of the host. A page without a host, as in a
/// preview, matches every host.
///
/// The pattern can have a query: the page must then have each of its parameters, in any order. Without one, the query of
/// the page is ignored.
pub(super) fn matches_pattern(pattern: &str, page: &str) -> bool {
    let (host, page) = split_host(page);
    let (host_pattern, pattern) = split_host(pattern);
    let (path, query) = page.split_once('?').unwrap_or((page, ""));
    let (path_pattern, required) = pattern.split_once('?').unwrap_or((pattern, ""));
    let is_on_host = match (host_pattern, host) {
        (Some(pattern), Some(host)) => matches_text(&pattern.to_lowercase(), host),
        _ => true,
    };
    let is_on_path = matches_text(path_pattern, path) || host_pattern.is_some() && path_pattern.is_empty();
    let has = |parameter: &str| query.split('&').any(|given| matches_text(parameter, given));
    let mut required = required.split('&').filter(|parameter| !parameter.is_empty());
    is_on_host && is_on_path && required.all(has)
}

/// Returns an address as a user compares it with a pattern: without its host, unless the pattern has one.
pub(super) fn as_in_pattern<'a>(address: &'a str, pattern: Option<&str>) -> &'a str {
    match pattern {
        Some(pattern) if split_host(pattern).0.is_some() => address,
        _ => split_host(address).1,
    }
}

fn split_host(address: &str) -> (Option<&str>, &str) {
    let Some(rest) = address.strip_prefix("//") else {
        return (None, address);
    };
    let (host, rest) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
    (Some(host), rest)
}

fn matches_text(pattern: &str, text: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else {
        return pattern == text;
    };
    let (middle, last) = rest.rsplit_once('*').unwrap_or(("", rest));
    let inner = text.strip_prefix(first).and_then(|text| text.strip_suffix(last));
    let Some(mut inner) = inner else { return false };
    for part in middle.split('*') {
        match inner.find(part) {
            Some(at) => inner = &inner[at + part.len()..],
            None => return false,
        }
    }
    true
}

/// Prefers a tour with an active run.
///
/// Skips tours with a condition that only the page can evaluate.
pub fn first_to_start<'t>(tours: &'t [BootTour], page: &str) -> Option<&'t BootTour> {
    let begins = |tour: &&BootTour| {
        tour.start.trigger == Trigger::Auto
            && tour.start.when.is_none()
            && tour.resume.is_none()
            && is_on_page(tour.start.page.as_deref(), page)
    };
    tours
        .iter()
        .find(|tour| resumes_on(tour, page))
        .or_else(|| tours.iter().find(begins))
}

/// Uses the page of the active run's step, or the start page if the step has none.
fn resumes_on(tour: &BootTour, page: &str) -> bool {
    let Some(resume) = &tour.resume else { return false };
    let step = tour.steps.iter().find(|step| step.key == resume.step_key);
    let pattern = step.and_then(|step| step.page.as_deref());
    is_on_page(pattern.or(tour.start.page.as_deref()), page)
}

pub(super) fn is_on_page(pattern: Option<&str>, page: &str) -> bool {
    pattern.is_none_or(|pattern| matches_pattern(pattern, page))
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize)]
    struct Example {
        pattern: String,
        page: String,
        matches: bool,
    }

    #[test]
    fn pages_match_as_in_the_player() {
        let examples: Vec<Example> =
            serde_json::from_str(include_str!("../../content/page-patterns.json")).expect("a list of examples");
        for Example { pattern, page, matches } in examples {
            assert_eq!(matches_pattern(&pattern, &page), matches, "{pattern} {page}");
        }
    }
}
