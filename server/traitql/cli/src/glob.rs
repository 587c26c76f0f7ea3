//! Patterns of `codegen.yml`: `*` matches any part of a name, `**` any number of folders, `?` one character, `[a-z]`
//! one of several characters, and `{a,b}` one of several patterns.

use fast_glob::glob_match;

pub(crate) fn has_wildcard(pattern: &str) -> bool {
    pattern.contains(['*', '?', '['])
}

/// `path` is separated by `/`, `pattern` has no `{a,b}`.
pub(crate) fn matches(pattern: &str, path: &str) -> bool {
    let pattern = pattern.trim_start_matches("./");
    if has_wildcard(pattern) {
        glob_match(pattern, path)
    } else {
        pattern == path
    }
}

/// Gives each alternative its own [`base`]: `*.{graphql,gql}` becomes `*.graphql` and `*.gql`.
pub(crate) fn alternatives(pattern: &str) -> Vec<String> {
    let unchanged = || vec![pattern.to_owned()];
    let Some(open) = pattern.find('{') else {
        return unchanged();
    };
    let mut depth = 0;
    let mut start = open + 1;
    let mut branches = Vec::new();
    for (at, character) in pattern.bytes().enumerate().skip(open) {
        match character {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        if (character == b',' && depth == 1) || depth == 0 {
            branches.push(&pattern[start..at]);
            start = at + 1;
        }
        if depth == 0 {
            break;
        }
    }
    if depth > 0 {
        return unchanged();
    }
    let (before, after) = (&pattern[..open], alternatives(&pattern[start..]));
    let branches = branches.into_iter().flat_map(alternatives);
    branches
        .flat_map(|branch| after.iter().map(move |after| format!("{before}{branch}{after}")))
        .collect()
}

/// True if the pattern matches files in subfolders of its [`base`].
pub(crate) fn is_deep(pattern: &str) -> bool {
    let base = base(pattern);
    let below = pattern.trim_start_matches("./").strip_prefix(&base).unwrap_or(pattern);
    below.trim_start_matches('/').contains('/')
}

/// Returns the parts before the first one with a wildcard.
pub(crate) fn base(pattern: &str) -> String {
    let parts: Vec<&str> = pattern.trim_start_matches("./").split('/').collect();
    let fixed = parts
        .iter()
        .take(parts.len() - 1)
        .take_while(|part| !has_wildcard(part));
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
    fn question_marks_and_brackets_match_one_character() {
        assert!(matches("schema/v?/[a-m]*.graphql", "schema/v1/account.graphql"));
        assert!(!matches("schema/v?/*.graphql", "schema/v10/account.graphql"));
        assert!(!matches("schema/[!a]*.graphql", "schema/account.graphql"));
        assert_eq!(base("schema/v?/*.graphql"), "schema");
        assert_eq!(base("schema/[ab]/*.graphql"), "schema");
    }

    #[test]
    fn nested_braces_are_expanded() {
        assert_eq!(alternatives("{a,b/{c,d}}/*.x"), ["a/*.x", "b/c/*.x", "b/d/*.x"]);
        assert_eq!(alternatives("{{a,b},c}{,/d}"), ["a", "a/d", "b", "b/d", "c", "c/d"]);
        assert_eq!(alternatives("{a,{b,c}"), ["{a,{b,c}"], "the outer brace is not closed");
        let matching = |path: &str| {
            alternatives("{operations,client/{web,app}}/**/*.{graphql,gql}")
                .iter()
                .any(|pattern| matches(pattern, path))
        };
        assert!(matching("operations/a.gql"));
        assert!(matching("client/app/tour/a.graphql"));
        assert!(!matching("client/player/a.graphql"));
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
