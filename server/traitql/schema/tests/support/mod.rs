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

/// Returns the files of an example in an explanation, with the definitions that it omits.
pub(crate) fn example(example: &str, schema: Option<&str>) -> (Vec<SourceText>, Vec<SourceText>, Options) {
    let text = fixture(example, schema);
    let (schema, documents) = example_files(&text);
    (schema, documents, options(&text))
}

fn fixture(example: &str, schema: Option<&str>) -> String {
    let mut text = schema.unwrap_or_default().to_owned();
    for line in example.split_inclusive('\n') {
        match line.strip_prefix("# ") {
            Some(path) if path.trim_end().ends_with(".graphql") => text.push_str(&format!("#--- {path}")),
            _ => text.push_str(line),
        }
    }
    text
}

fn example_files(text: &str) -> (Vec<SourceText>, Vec<SourceText>) {
    let (mut schema, documents) = split(text);
    let written: String = schema
        .iter()
        .filter(|file| !["schema/base.graphql", "schema/traitql.graphql"].contains(&file.path.as_str()))
        .map(|file| file.text.as_str())
        .collect();
    for file in &mut schema {
        match file.path.as_str() {
            "schema/base.graphql" => file.text = without(&file.text.replace("\nenum ", "\n\nenum "), &written),
            "schema/traitql.graphql" => file.text = without(&file.text, &written),
            _ => {}
        }
    }
    if !written.contains("type Query") && !written.contains("schema {") {
        schema.push(SourceText::new(
            "schema/query.graphql",
            "type Query { ping: String @public }",
        ));
    }
    (schema, documents)
}

/// Returns the common definitions that the example does not contain itself.
fn without(common: &str, written: &str) -> String {
    let is_written = |definition: &&str| {
        definition.lines().any(|line| {
            let mut words = line.split([' ', '(', '{']);
            match (words.next(), words.next()) {
                (Some(keyword @ ("directive" | "enum")), Some(name)) => written.contains(&format!("{keyword} {name}")),
                _ => false,
            }
        })
    };
    let definitions: Vec<&str> = common.split("\n\n").filter(|text| !is_written(text)).collect();
    definitions.join("\n\n")
}
