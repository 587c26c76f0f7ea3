//! Which tour begins on a page, as pages decide it (client/src/play/choose.ts).

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

/// The tour that begins by itself or goes on: an unfinished one first, then in the order in which they are offered.
pub(crate) fn first<'t>(tours: &'t [BootTour], path: &str) -> Option<&'t BootTour> {
    let fitting = || tours.iter().filter(|tour| on_page(tour.start.page.as_deref(), path));
    fitting()
        .find(|tour| tour.resume.is_some())
        .or_else(|| fitting().find(|tour| tour.start.trigger == Trigger::Auto))
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
