//! Fixture files: one text that contains several files.
//!
//! A line `#--- operations/tour/Tour.graphql` starts a file; everything before the first such line is
//! `schema/schema.graphql`. The definitions of traitql's directives and a small set of roles, error codes and formats
//! are added, unless the fixture has files of the same names.
//!
//! A first line `# allow input_suffix` allows violations of conventions. A line `#--- releases/2026-11` starts a
//! document of a release, in which lines `#= Tour.title String!` record its dependencies. A line `# rename Tour.title
//! to headline` sets a Rust name, and `# rename clashes` enables automatic renaming.
#![allow(dead_code)]

use traitql_schema::{Options, ReleaseDocument, ReleaseSource, SourceText};

const DIRECTIVES: &str = include_str!("../../src/directives.graphql");
const BASE: &str = r#"enum Role { VIEWER AUTHOR ADMIN }
enum ErrorCode {
  NOT_FOUND @error(http: 404, message: "This {thing} does not exist.")
  TOUR_LIVE @error(http: 409, message: "This tour plays on {sites}.", retry: REFRESH)
}
enum Format { SLUG COLOR }
"#;

pub(crate) fn split(text: &str) -> (Vec<SourceText>, Vec<SourceText>) {
    let mut files = vec![SourceText::new("schema/schema.graphql", "")];
    for line in text.split_inclusive('\n') {
        match line.strip_prefix("#--- ") {
            Some(path) => files.push(SourceText::new(path.trim(), "")),
            None => files.last_mut().expect("`files` is never empty").text.push_str(line),
        }
    }
    files.retain(|file| !file.text.trim().is_empty());
    for (path, text) in [("schema/base.graphql", BASE), ("schema/traitql.graphql", DIRECTIVES)] {
        if !files.iter().any(|file| file.path == path) {
            files.push(SourceText::new(path, text));
        }
    }
    files.retain(|file| !file.path.starts_with("releases/"));
    files.into_iter().partition(|file| file.path.starts_with("schema/"))
}

fn releases(text: &str) -> Vec<ReleaseSource> {
    let mut releases: Vec<ReleaseSource> = Vec::new();
    for section in text
        .split("#--- ")
        .filter_map(|section| section.strip_prefix("releases/"))
    {
        let (name, text) = section.split_once('\n').expect("the name is followed by a document");
        let name = name.trim().trim_end_matches(".graphql");
        if releases.iter().all(|release| release.name != name) {
            releases.push(ReleaseSource {
                name: name.to_owned(),
                ..ReleaseSource::default()
            });
        }
        let release = releases.last_mut().expect("a release was pushed above");
        let lines = text
            .lines()
            .filter_map(|line| line.strip_prefix("#= ")?.split_once(' '));
        release
            .types
            .extend(lines.map(|(key, line)| (key.to_owned(), line.to_owned())));
        release.unfrozen = text.contains("#= unfrozen");
        let body = text
            .lines()
            .filter(|line| !line.starts_with("#="))
            .collect::<Vec<_>>()
            .join("\n");
        if !release.unfrozen {
            release.documents.push(ReleaseDocument {
                name: body.split([' ', '(']).nth(1).unwrap_or_default().to_owned(),
                body,
            });
        }
    }
    releases
}

pub(crate) fn options(text: &str) -> Options {
    let first = text.lines().next().unwrap_or_default();
    let names = first.strip_prefix("# allow ").unwrap_or_default().split_whitespace();
    let options = Options::allowing(names).unwrap_or_else(|problems| panic!("{}", problems.join("\n")));
    let names = text
        .lines()
        .filter_map(|line| line.strip_prefix("# rename ")?.split_once(" to "));
    let names = names.map(|(coordinate, name)| (coordinate.to_owned(), name.to_owned()));
    let options = options.with_names(names.collect()).with_releases(releases(text));
    if text.lines().any(|line| line == "# rename clashes") {
        options.with_automatic_renaming()
    } else {
        options
    }
}
