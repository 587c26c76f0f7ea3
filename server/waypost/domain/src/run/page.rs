//! The page's decision which tour starts, reproduced for explanations. Must match `client/src/player/choose-tour.ts`.

use waypost_api::{BootTour, Trigger};

/// True if a path matches a pattern of the schema's format `PATH_PATTERN`, in which `*` matches any characters.
pub(super) fn matches_pattern(pattern: &str, path: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else {
        return pattern == path;
    };
    let (middle, last) = rest.rsplit_once('*').unwrap_or(("", rest));
    let inner = path.strip_prefix(first).and_then(|path| path.strip_suffix(last));
    let Some(mut inner) = inner else { return false };
    for part in middle.split('*') {
        match inner.find(part) {
            Some(at) => inner = &inner[at + part.len()..],
            None => return false,
        }
    }
    true
}

/// Returns the tour that resumes or starts automatically. A tour with an active run comes first, then the others in the
/// order in which they are offered.
///
/// Skips tours with a condition that only the page can evaluate, because the server does not know whether they start.
pub fn first_to_start<'t>(tours: &'t [BootTour], path: &str) -> Option<&'t BootTour> {
    let begins = |tour: &&BootTour| {
        tour.start.trigger == Trigger::Auto
            && tour.start.when.is_none()
            && tour.resume.is_none()
            && is_on_page(tour.start.page.as_deref(), path)
    };
    tours
        .iter()
        .find(|tour| resumes_on(tour, path))
        .or_else(|| tours.iter().find(begins))
}

/// True if the tour has an active run that resumes on this page: the page of its step, or the start page if the step
/// has none.
fn resumes_on(tour: &BootTour, path: &str) -> bool {
    let Some(resume) = &tour.resume else { return false };
    let step = tour.steps.iter().find(|step| step.key == resume.step_key);
    let page = step.and_then(|step| step.page.as_deref());
    is_on_page(page.or(tour.start.page.as_deref()), path)
}

/// True if a path matches the page of a rule. A rule without a page matches every path.
pub(super) fn is_on_page(pattern: Option<&str>, path: &str) -> bool {
    pattern.is_none_or(|pattern| matches_pattern(pattern, path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_matches_any_characters() {
        for (pattern, path, expected) in [
            ("/", "/", true),
            ("/billing", "/billing", true),
            ("/billing", "/billing/", false),
            ("/tours/*", "/tours/", true),
            ("/tours/*", "/tours/a/b", true),
            ("/tours/*", "/tour", false),
            ("*", "/anything", true),
            ("/a*a", "/a", false),
            ("/a*a", "/aa", true),
            ("/a/*/c/*/e", "/a/b/c/d/e", true),
            ("/a/*/c/*/e", "/a/b/d/e", false),
            ("/a**b", "/axb", true),
            ("/*x*y", "/yx", false),
            ("/*ä*", "/bär", true),
        ] {
            assert_eq!(matches_pattern(pattern, path), expected, "{pattern} {path}");
        }
    }
}
