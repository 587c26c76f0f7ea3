//! The patterns of `codegen.yml`: `*` stands for any part of a name, `**` for any number of folders, and a pattern that
//! begins with `!` takes files out again. That is all that schemas and documents need.

/// Whether a path (with `/` between its parts) belongs to a list of patterns.
pub(crate) fn matches_any(patterns: &[String], path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').collect();
    let fits = |pattern: &str| {
        let pattern: Vec<&str> = pattern.trim_start_matches("./").split('/').collect();
        folders_match(&pattern, &parts)
    };
    let wanted = patterns
        .iter()
        .any(|pattern| !pattern.starts_with('!') && fits(pattern));
    wanted
        && !patterns
            .iter()
            .filter_map(|pattern| pattern.strip_prefix('!'))
            .any(fits)
}

/// The folder below which all matches of a pattern lie: everything before the first part with a star.
pub(crate) fn base(pattern: &str) -> String {
    let parts: Vec<&str> = pattern.trim_start_matches("./").split('/').collect();
    let fixed = parts
        .iter()
        .take(parts.len() - 1)
        .take_while(|part| !part.contains('*'));
    fixed.copied().collect::<Vec<_>>().join("/")
}

/// A path as a folder sees it, both from the same place: `a/b/c` from `a/x` is `../b/c`, which a pattern may begin with.
pub(crate) fn seen_from(folder: &str, path: &str) -> String {
    let parts = |text: &'_ str| -> Vec<String> {
        let parts = text.split('/').filter(|part| !part.is_empty());
        parts.map(str::to_owned).collect()
    };
    let (folder, path) = (parts(folder), parts(path));
    let common = folder.iter().zip(&path).take_while(|(one, other)| one == other).count();
    let up = std::iter::repeat_n("..".to_owned(), folder.len() - common);
    let seen: Vec<String> = up.chain(path[common..].iter().cloned()).collect();
    seen.join("/")
}

fn folders_match(pattern: &[&str], parts: &[&str]) -> bool {
    match (pattern.split_first(), parts.split_first()) {
        (None, None) => true,
        (Some((&"**", rest)), _) => (0..=parts.len()).any(|skip| folders_match(rest, &parts[skip..])),
        (Some((first, pattern)), Some((part, parts))) => name_matches(first, part) && folders_match(pattern, parts),
        _ => false,
    }
}

fn name_matches(pattern: &str, name: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == name,
        Some((before, after)) => match name.strip_prefix(before) {
            None => false,
            Some(rest) => (0..=rest.len())
                .filter(|at| rest.is_char_boundary(*at))
                .any(|at| name_matches(after, &rest[at..])),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_names_and_folders() {
        let patterns = [
            "operations/**/*.graphql".to_owned(),
            "!operations/**/Old*.graphql".to_owned(),
        ];
        assert!(matches_any(&patterns, "operations/tour/Tours.graphql"));
        assert!(matches_any(&patterns, "operations/Tours.graphql"));
        assert!(!matches_any(&patterns, "operations/tour/OldTours.graphql"));
        assert!(!matches_any(&patterns, "operations/generated/manifest.json"));
        assert!(!matches_any(
            &["schema/*.graphql".to_owned()],
            "schema/old/tour.graphql"
        ));
        assert_eq!(base("operations/**/*.graphql"), "operations");
        assert_eq!(base("*.graphql"), "");
    }

    #[test]
    fn what_is_outside_of_a_folder_is_seen_from_it() {
        assert_eq!(seen_from("", "schema/tour.graphql"), "schema/tour.graphql");
        assert_eq!(seen_from("server/", "server/api/a.graphql"), "api/a.graphql");
        assert_eq!(
            seen_from("server/api", "server/schema/a.graphql"),
            "../schema/a.graphql"
        );
        assert_eq!(seen_from("/p/server", "/p/schema/a.graphql"), "../schema/a.graphql");
    }
}
