//! Which tour begins on a page, as pages decide it (client/src/demo/choose-tour.ts).

use waypost_api::{BootTour, Trigger};

/// Whether a path fits a pattern of the schema's format `PATH_PATTERN`: `*` stands for any characters.
pub(super) fn fits(pattern: &str, path: &str) -> bool {
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

/// The tour that begins by itself or goes on: an unfinished one first, then in the order in which they are offered. One whose
/// condition only the page can decide is passed over: nobody here can say that it comes first.
pub fn first<'t>(tours: &'t [BootTour], path: &str) -> Option<&'t BootTour> {
    let begins = |tour: &&BootTour| {
        tour.start.trigger == Trigger::Auto
            && tour.start.when.is_none()
            && tour.resume.is_none()
            && on_page(tour.start.page.as_deref(), path)
    };
    tours
        .iter()
        .find(|tour| goes_on(tour, path))
        .or_else(|| tours.iter().find(begins))
}

/// An unfinished run goes on where its step belongs; if that belongs nowhere, where the tour starts.
fn goes_on(tour: &BootTour, path: &str) -> bool {
    let Some(resume) = &tour.resume else { return false };
    let step = tour.steps.iter().find(|step| step.key == resume.step_key);
    let page = step.and_then(|step| step.page.as_deref());
    on_page(page.or(tour.start.page.as_deref()), path)
}

/// Whether a start rule's page is this one; without a rule it is every page.
pub(super) fn on_page(pattern: Option<&str>, path: &str) -> bool {
    pattern.is_none_or(|pattern| fits(pattern, path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_characters() {
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
            assert_eq!(fits(pattern, path), expected, "{pattern} {path}");
        }
    }
}
