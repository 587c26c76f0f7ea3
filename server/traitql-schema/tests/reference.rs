//! The reference of the directives that people read is made of what the checks know.
#![allow(clippy::unwrap_used)]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use traitql_schema::{Code, Directive, directives};

const COMMAND: &str = "TRAITQL_BLESS=1 cargo test -p traitql-schema --test reference";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Compares a file with what it should hold, or writes it.
fn keep_fresh(path: &str, contents: &str) {
    let path = root().join(path);
    if std::env::var_os("TRAITQL_BLESS").is_some() {
        fs::write(&path, contents).unwrap();
    }
    let there = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        there == contents,
        "{} is stale: the directives have changed. Run {COMMAND}",
        path.display()
    );
}

#[test]
fn the_table_in_the_readme_of_the_schema_is_fresh() {
    let begin = format!("<!-- The table is written by `{COMMAND}`. -->\n");
    let end = "<!-- The end of the table. -->\n";
    let readme = fs::read_to_string(root().join("schema/README.md")).unwrap();
    let (before, rest) = readme
        .split_once(&begin)
        .expect("the README says where the table begins");
    let (_, after) = rest.split_once(end).expect("the README says where the table ends");
    let table = table("../server/traitql/docs/directives.md");
    keep_fresh("schema/README.md", &format!("{before}{begin}{table}{end}{after}"));
}

#[test]
fn the_page_of_the_directives_is_fresh() {
    let mut page = format!(
        "<!-- Generated from server/traitql-schema/src/lower/directives.graphql by `{COMMAND}`. Do not edit. -->\n\
         # Directives\n\n\
         The rules that a schema can declare. A schema writes their definitions out, so that any tool reads it; traitql refuses a\n\
         definition that differs. `cargo traitql explain @auth` prints the same in a terminal.\n\n{}",
        table("")
    );
    let source =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lower/directives.graphql")).unwrap();
    for directive in directives() {
        let Directive {
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
        writeln!(page, "- what can be wrong: {}", problems(directive.problems)).unwrap();
    }
    for name in ["Retry", "Window", "RateBy"] {
        let text = definition(&source, &format!("enum {name}"));
        write!(page, "\n## `{name}`\n\n```graphql\n{text}\n```\n").unwrap();
    }
    keep_fresh("server/traitql/docs/directives.md", &page);
}

fn table(page: &str) -> String {
    let mut out =
        String::from("| directive | on | says | kept by the server | given to clients |\n|---|---|---|---|---|\n");
    for directive in directives() {
        writeln!(
            out,
            "| [`{}`]({page}#{}) | {} | {} | {} | {} |",
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
        .map(|code| format!("[{} `{}`](diagnostics/{}.md)", code.id, code.slug, code.id));
    links.collect::<Vec<_>>().join(", ")
}

/// A definition as it is written, without its description.
fn definition(source: &str, head: &str) -> String {
    let at = source.match_indices(head).map(|(at, _)| at).find(|at| {
        let follows = source[at + head.len()..].chars().next();
        source[..*at].ends_with('\n') && follows.is_some_and(|letter| !letter.is_alphanumeric())
    });
    let text = &source[at.unwrap_or_else(|| panic!("{head} is not defined"))..];
    text.split("\n\n").next().unwrap_or_default().trim_end().to_owned()
}
