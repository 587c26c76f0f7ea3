//! The file patterns of `codegen.yml`: `*` matches any part of a name, `**` any number of folders, and `{a,b}` one of
//! several strings. Schemas and documents need no other features.

/// True if a path (separated by `/`) matches a pattern without `{a,b}`.
pub(crate) fn matches(pattern: &str, path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').collect();
    let pattern: Vec<&str> = pattern.trim_start_matches("./").split('/').collect();
    folders_match(&pattern, &parts)
}

/// Expands the alternatives of a pattern: `*.{graphql,gql}` becomes `*.graphql` and `*.gql`.
pub(crate) fn alternatives(pattern: &str) -> Vec<String> {
    let Some((before, rest)) = pattern.split_once('{') else {
        return vec![pattern.to_owned()];
    };
    let Some((inside, after)) = rest.split_once('}') else {
        return vec![pattern.to_owned()];
    };
    let after = alternatives(after);
    let all = inside
        .split(',')
        .flat_map(|one| after.iter().map(move |after| format!("{before}{one}{after}")));
    all.collect()
}

/// True if the pattern can match files in subfolders of its [`base`].
pub(crate) fn is_deep(pattern: &str) -> bool {
    let base = base(pattern);
    let below = pattern.trim_start_matches("./").strip_prefix(&base).unwrap_or(pattern);
    below.trim_start_matches('/').contains('/')
}

/// Returns the folder that contains all matches of a pattern: the parts before the first one with a star.
pub(crate) fn base(pattern: &str) -> String {
    let parts: Vec<&str> = pattern.trim_start_matches("./").split('/').collect();
    let fixed = parts
        .iter()
        .take(parts.len() - 1)
        .take_while(|part| !part.contains('*'));
    fixed.copied().collect::<Vec<_>>().join("/")
}

/// Returns a path relative to a folder: `a/b/c` relative to `a/x` is `../b/c`.
pub(crate) fn relative_to(folder: &str, path: &str) -> String {
    let parts = |text: &'_ str| -> Vec<String> {
        let parts = text.split('/').filter(|part| !part.is_empty());
        parts.map(str::to_owned).collect()
    };
    let (folder, path) = (parts(folder), parts(path));
    let common = folder.iter().zip(&path).take_while(|(one, other)| one == other).count();
    let up = std::iter::repeat_n("..".to_owned(), folder.len() - common);
    let relative: Vec<String> = up.chain(path[common..].iter().cloned()).collect();
    relative.join("/")
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
    fn stars_match_names_and_folders() {
        let all = "operations/**/*.graphql";
        assert!(matches(all, "operations/tour/Tours.graphql"));
        assert!(matches(all, "operations/Tours.graphql"));
        assert!(!matches(all, "operations/generated/manifest.json"));
        assert!(!matches("schema/*.graphql", "schema/old/tour.graphql"));
        assert_eq!((base(all).as_str(), is_deep(all)), ("operations", true));
        assert_eq!(
            (base("./schema/*.graphql").as_str(), is_deep("./schema/*.graphql")),
            ("schema", false)
        );
        assert_eq!((base("*.graphql").as_str(), is_deep("*.graphql")), ("", false));
    }

    #[test]
    fn braces_are_expanded() {
        assert_eq!(
            alternatives("{a,b}/*.{graphql,gql}"),
            ["a/*.graphql", "a/*.gql", "b/*.graphql", "b/*.gql"]
        );
        assert_eq!(
            alternatives("schema/{a"),
            ["schema/{a"],
            "an unclosed brace is a literal character"
        );
    }

    #[test]
    fn relative_paths_can_leave_the_folder() {
        assert_eq!(relative_to("", "schema/tour.graphql"), "schema/tour.graphql");
        assert_eq!(relative_to("server/", "server/api/a.graphql"), "api/a.graphql");
        assert_eq!(
            relative_to("server/api", "server/schema/a.graphql"),
            "../schema/a.graphql"
        );
        assert_eq!(relative_to("/p/server", "/p/schema/a.graphql"), "../schema/a.graphql");
    }
}
