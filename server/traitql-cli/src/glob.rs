//! The patterns of `codegen.yml`: `*` stands for any part of a name, `**` for any number of folders, and `{a,b}` for one of
//! several texts. That is all that schemas and documents need.

/// Whether a path (with `/` between its parts) fits a pattern whose alternatives were written out.
pub(crate) fn matches(pattern: &str, path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').collect();
    let pattern: Vec<&str> = pattern.trim_start_matches("./").split('/').collect();
    folders_match(&pattern, &parts)
}

/// A pattern with each of its alternatives: `*.{graphql,gql}` is `*.graphql` and `*.gql`.
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

/// Whether files below the folders at the end of [`base`] may fit, and not only files in it.
pub(crate) fn is_deep(pattern: &str) -> bool {
    let base = base(pattern);
    let below = pattern.trim_start_matches("./").strip_prefix(&base).unwrap_or(pattern);
    below.trim_start_matches('/').contains('/')
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
    fn braces_stand_for_one_of_several_texts() {
        assert_eq!(
            alternatives("{a,b}/*.{graphql,gql}"),
            ["a/*.graphql", "a/*.gql", "b/*.graphql", "b/*.gql"]
        );
        assert_eq!(alternatives("schema/{a"), ["schema/{a"], "an open brace is a letter");
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
