//! The documentation of the directives is generated from the definitions and facts that the checks use.
#![allow(clippy::unwrap_used)]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use traitql_schema::{Code, DirectiveReference, directive_references};

const COMMAND: &str = "TRAITQL_BLESS=1 cargo test -p traitql-schema --test reference";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

fn check_or_write(path: &str, contents: &str) {
    let path = root().join(path);
    if std::env::var_os("TRAITQL_BLESS").is_some() {
        fs::write(&path, contents).unwrap();
    }
    let existing = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        existing == contents,
        "{} is out of date: the directives have changed. Run {COMMAND}",
        path.display()
    );
}

#[test]
fn the_page_of_the_directives_is_up_to_date() {
    let mut page = format!(
        "<!-- Generated from server/traitql/schema/src/directives.graphql by `{COMMAND}`. Do not edit. -->\n\
         # Directives\n\n\
         The rules that a schema can declare. A schema contains their definitions, so that any tool can read it; traitql rejects a\n\
         definition that differs. `cargo traitql explain @auth` prints the same text in a terminal.\n\n{}",
        table()
    );
    let source = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/directives.graphql")).unwrap();
    for directive in directive_references() {
        let DirectiveReference {
            name,
            description,
            on,
            server,
            client,
            ..
        } = &directive;
        write!(
            page,
            "\n## `@{name}`\n\n```graphql\n{}\n```\n\n",
            definition(&source, &format!("directive @{name}"))
        )
        .unwrap();
        writeln!(
            page,
            "{description}\n\n- on: {on}\n- server: {server}\n- clients: {client}"
        )
        .unwrap();
        writeln!(page, "- diagnostics: {}", problems(directive.problems)).unwrap();
    }
    for name in ["Retry", "Window", "RateBy"] {
        let text = definition(&source, &format!("enum {name}"));
        write!(page, "\n## `{name}`\n\n```graphql\n{text}\n```\n").unwrap();
    }
    check_or_write("server/traitql/docs/directives.md", &page);
}

/// Schemas of this repository with the definitions of the directives they use.
const SCHEMAS: [&str; 4] = [
    "schema/traitql.graphql",
    "server/traitql/bench/schema/traitql.graphql",
    "server/traitql/examples/bookshelf/schema/traitql.graphql",
    "server/traitql/golden-tests/schema/traitql.graphql",
];

#[test]
fn the_definitions_in_the_schemas_are_up_to_date() {
    let source = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/directives.graphql")).unwrap();
    for path in SCHEMAS {
        let copy = fs::read_to_string(root().join(path)).unwrap();
        let comments: String = copy
            .lines()
            .take_while(|line| line.starts_with('#'))
            .map(|line| format!("{line}\n"))
            .collect();
        // The enum of the error codes may have any name.
        let codes = copy.split_once("codes: [").and_then(|(_, rest)| rest.split_once('!'));
        let codes = codes.map_or("ErrorCode", |(name, _)| name);
        let is_copied = |definition: &&String| {
            let head = definition
                .lines()
                .find(|line| line.starts_with("directive ") || line.starts_with("enum "));
            let head = head.and_then(|head| head.split(['(', '{']).next()).unwrap_or_default();
            let name = head.split(" on ").next().unwrap_or_default().trim_end();
            copy.lines()
                .any(|line| line.strip_prefix(name).is_some_and(|rest| rest.starts_with(['(', ' '])))
        };
        let definitions = definitions(&source);
        let copied: Vec<String> = definitions
            .iter()
            .filter(is_copied)
            .map(|text| text.replace("ErrorCode", codes))
            .collect();
        check_or_write(path, &format!("{comments}\n{}\n", copied.join("\n\n")));
    }
}

fn definitions(source: &str) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut in_description = false;
    for line in source
        .lines()
        .skip_while(|line| line.starts_with('#') || line.is_empty())
    {
        in_description ^= line == "\"\"\"";
        match all.last_mut() {
            Some(_) if line.is_empty() && !in_description => all.push(String::new()),
            Some(last) => *last += &format!("{}{line}", if last.is_empty() { "" } else { "\n" }),
            None => {}
        }
    }
    all.retain(|definition| !definition.is_empty());
    all
}

fn table() -> String {
    let mut out = String::from(
        "| directive | on | meaning | enforced by the server | available to clients |\n|---|---|---|---|---|\n",
    );
    for directive in directive_references() {
        writeln!(
            out,
            "| [`{}`](#{}) | {} | {} | {} | {} |",
            directive.usage(),
            directive.name,
            directive.on,
            directive.summary(),
            directive.server,
            directive.client,
        )
        .unwrap();
    }
    out
}

fn problems(codes: &[Code]) -> String {
    let links = codes
        .iter()
        .map(|code| format!("[{} `{}`](../schema/explanations/{}.md)", code.id, code.slug, code.id));
    links.collect::<Vec<_>>().join(", ")
}

/// Returns a definition as written, without its description.
fn definition(source: &str, head: &str) -> String {
    let at = source.match_indices(head).map(|(at, _)| at).find(|at| {
        let follows = source[at + head.len()..].chars().next();
        source[..*at].ends_with('\n') && follows.is_some_and(|letter| !letter.is_alphanumeric())
    });
    let text = &source[at.unwrap_or_else(|| panic!("{head} is not defined"))..];
    text.split("\n\n").next().unwrap_or_default().trim_end().to_owned()
}
