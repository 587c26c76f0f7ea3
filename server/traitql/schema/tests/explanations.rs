//! Every diagnostic is explained: the wrong example causes only it, the fixed one none. Writes the diagnostics into the
//! pages.
#![allow(clippy::unwrap_used)]

mod support;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use traitql_schema::{Code, Explanation, Report, load};

const COMMAND: &str = "TRAITQL_BLESS=1 cargo test -p traitql-schema --test explanations";
/// They need no file or ten thousand braces, or apollo-compiler has no such finding.
const WITHOUT_EXAMPLES: [&str; 4] = ["S004", "S005", "G099", "D099"];
const AREAS: [(&str, &str); 8] = [
    ("S", "Files and syntax"),
    ("G", "The schema, by the specification"),
    ("V", "Values"),
    ("D", "Operations, by the specification"),
    ("N", "Names and files"),
    ("L", "Documents of releases"),
    ("R", "Names in Rust"),
    ("T", "The rules of traitql"),
];

fn check(example: &str, schema: Option<&str>) -> Result<(), Report> {
    let (schema, documents, options) = support::example(example, schema);
    load(&schema, &documents, &options).map(|_| ())
}

#[test]
fn every_wrong_example_has_only_its_problem_and_every_fixed_one_none() {
    let mut problems = String::new();
    for code in Code::all() {
        let explanation = code.explanation();
        let Some(examples) = explanation.examples else {
            if !WITHOUT_EXAMPLES.contains(&code.id) {
                writeln!(problems, "{code} has no example").unwrap();
            }
            continue;
        };
        match check(examples.wrong, examples.schema) {
            Ok(()) => writeln!(problems, "the wrong example of {code} has no problem").unwrap(),
            Err(report) => {
                if report.diagnostics().iter().any(|found| found.code != *code) {
                    writeln!(problems, "the wrong example of {code} has other problems:\n{report}").unwrap();
                }
            }
        }
        if let Err(report) = check(examples.fixed, examples.schema) {
            writeln!(problems, "the fixed example of {code} has problems:\n{report}").unwrap();
        }
    }
    assert_eq!(problems, "", "\n{problems}");
}

#[test]
fn every_explanation_has_a_title_and_names_its_rule_of_the_specification() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("explanations");
    for code in Code::all() {
        let source = fs::read_to_string(folder.join(format!("{}.md", code.id))).unwrap();
        assert!(source.starts_with(&format!("# {code}\n\n")), "{code}: wrong title");
        let rule = code.explanation().text.rsplit("\n\n").next().unwrap_or_default();
        assert!(
            rule.starts_with("Specification: ") || !code.id.starts_with(['G', 'V', 'D']),
            "{code}: the last paragraph must name the rule, found {rule:?}"
        );
    }
    let files = fs::read_dir(folder).unwrap().count();
    assert_eq!(
        files,
        Code::all().len() + 2,
        "`explanations` contains a file without a code"
    );
}

#[test]
fn the_pages_are_up_to_date_and_all_links_exist() {
    let pages = pages();
    let folder = folder();
    if std::env::var_os("TRAITQL_BLESS").is_some() {
        for (name, text) in &pages {
            fs::write(folder.join(name), text).unwrap();
        }
    }
    for (name, text) in &pages {
        let existing = fs::read_to_string(folder.join(name)).unwrap_or_default();
        assert!(
            existing == *text,
            "{} is out of date. Run {COMMAND}",
            folder.join(name).display()
        );
    }
    for code in Code::all() {
        let path = code
            .link()
            .replace(concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/HEAD/"), "");
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..").join(path);
        assert!(page.exists(), "broken link: {}", code.link());
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("explanations")
}

fn pages() -> BTreeMap<String, String> {
    let mut pages: BTreeMap<String, String> = Code::all()
        .iter()
        .map(|code| (format!("{}.md", code.id), page(&code.explanation())))
        .collect();
    pages.insert("README.md".to_owned(), index());
    pages
}

fn page(explanation: &Explanation) -> String {
    let Explanation { code, text, examples } = explanation;
    let mut out = format!("# {code}\n\n{text}\n");
    if let Some(permission) = explanation.permission() {
        write!(out, "\n{permission}\n").unwrap();
    }
    if let Some(examples) = examples {
        write!(out, "\n## Wrong\n\n```graphql\n{}```\n", examples.wrong).unwrap();
        if let Err(report) = check(examples.wrong, examples.schema) {
            write!(out, "\n```text\n{}```\n", without_links(&report)).unwrap();
        }
        write!(out, "\n## Fixed\n\n```graphql\n{}```\n", examples.fixed).unwrap();
        if examples.schema.is_some() {
            out.push_str("\nThe examples use [this schema](schema.graphql).\n");
        }
    }
    out
}

/// Returns the report without the links to the pages and without the number of problems.
fn without_links(report: &Report) -> String {
    let text = report.to_string();
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("= see: "));
    let text: String = lines.map(|line| format!("{line}\n")).collect();
    let text = text.rsplit_once("\n\n").map_or(&*text, |(problems, _)| problems);
    format!("{text}\n")
}

fn index() -> String {
    let mut out = format!(
        "<!-- Generated from the pages by `{COMMAND}`. Do not edit. -->\n\
         # Diagnostics\n\n\
         `cargo traitql explain T012` prints the same text in a terminal.\n\n\
         The examples omit common definitions: traitql's directives, the enums `Role`, `ErrorCode` and `Format`, and `type Query`\n\
         where it does not matter. A line such as `# operations/Tour.graphql` starts a new file. Section numbers refer to the\n\
         [specification of September 2025](https://spec.graphql.org/September2025/).\n"
    );
    for (letter, area) in AREAS {
        write!(out, "\n## {area}\n\n").unwrap();
        for code in Code::all().iter().filter(|code| code.id.starts_with(letter)) {
            writeln!(out, "- [{} `{}`]({}.md)", code.id, code.slug, code.id).unwrap();
        }
    }
    out
}
