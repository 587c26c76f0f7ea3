//! Every kind of problem is explained, and the explanation is true: its wrong example has this problem alone, its mended one
//! has none. The pages of `server/traitql/docs/diagnostics` are made of the same texts, together with what traitql prints.
#![allow(clippy::unwrap_used)]

mod support;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use traitql_schema::{Code, Explanation, Report, SourceText, load};

const COMMAND: &str = "TRAITQL_BLESS=1 cargo test -p traitql-schema --test explanations";
/// No text can show these: there is no file at all, ten thousand braces are needed, or the library finds nothing today for
/// which there are no words.
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

/// An example as the text of a fixture.
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

/// The files of an example, with everything that the example leaves out because it is always the same.
fn files(text: &str) -> (Vec<SourceText>, Vec<SourceText>) {
    let (mut schema, documents) = support::split(text);
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

/// Definitions, parted by blank lines, that the example does not write itself.
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

fn said(example: &str, schema: Option<&str>) -> Result<(), Report> {
    let text = fixture(example, schema);
    let (schema, documents) = files(&text);
    load(&schema, &documents, &support::options(&text)).map(|_| ())
}

#[test]
fn every_explanation_shows_its_mistake_alone_and_mends_it() {
    let mut problems = String::new();
    for code in Code::all() {
        let explanation = code.explanation();
        let Some(examples) = explanation.examples else {
            if !WITHOUT_EXAMPLES.contains(&code.id) {
                writeln!(problems, "{code} has no example").unwrap();
            }
            continue;
        };
        match said(examples.wrong, examples.schema) {
            Ok(()) => writeln!(problems, "the wrong example of {code} is right").unwrap(),
            Err(report) => {
                if report.diagnostics().iter().any(|found| found.code != *code) {
                    writeln!(
                        problems,
                        "the wrong example of {code} has other problems too:\n{report}"
                    )
                    .unwrap();
                }
            }
        }
        if let Err(report) = said(examples.mended, examples.schema) {
            writeln!(problems, "the mended example of {code} is wrong:\n{report}").unwrap();
        }
    }
    assert_eq!(problems, "", "\n{problems}");
}

#[test]
fn every_explanation_is_titled_and_names_its_rule() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("explanations");
    for code in Code::all() {
        let source = fs::read_to_string(folder.join(format!("{}.md", code.id))).unwrap();
        assert!(
            source.starts_with(&format!("# {code}\n\n")),
            "{code}: the title of its file"
        );
        let last = code.explanation().text.lines().last().unwrap_or_default();
        let rule = code.explanation().text.rsplit("\n\n").next().unwrap_or_default();
        assert!(
            rule.starts_with("Rule: "),
            "{code}: the last paragraph names the rule, not {last:?}"
        );
    }
    let files = fs::read_dir(folder).unwrap().count();
    assert_eq!(
        files,
        Code::all().len() + 1,
        "a file of `explanations` belongs to no code"
    );
}

#[test]
fn the_pages_are_fresh_and_every_link_leads_to_one() {
    let pages = pages();
    let folder = folder();
    if std::env::var_os("TRAITQL_BLESS").is_some() {
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        for (name, text) in &pages {
            fs::write(folder.join(name), text).unwrap();
        }
    }
    for (name, text) in &pages {
        let there = fs::read_to_string(folder.join(name)).unwrap_or_default();
        assert!(
            there == *text,
            "{} is stale. Run {COMMAND}",
            folder.join(name).display()
        );
    }
    for code in Code::all() {
        let path = code
            .link()
            .replace(concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/HEAD/"), "");
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
        assert!(page.exists(), "{} leads nowhere", code.link());
    }
    let left = fs::read_dir(&folder).unwrap().count();
    assert_eq!(
        left,
        pages.len(),
        "{} holds a page of no code. Run {COMMAND}",
        folder.display()
    );
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .with_file_name("traitql")
        .join("docs/diagnostics")
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
    let id = code.id;
    let mut out = format!(
        "<!-- Generated from server/traitql-schema/explanations/{id}.md: change that and run `{COMMAND}`. -->\n\
         # {id} `{}`\n\n{text}\n",
        code.slug
    );
    if let Some(permission) = explanation.permission() {
        write!(out, "\n{permission}\n").unwrap();
    }
    if let Some(examples) = examples {
        write!(out, "\n## Wrong\n\n```graphql\n{}```\n", examples.wrong).unwrap();
        if let Err(report) = said(examples.wrong, examples.schema) {
            write!(out, "\n```text\n{}```\n", without_links(&report)).unwrap();
        }
        write!(out, "\n## Mended\n\n```graphql\n{}```\n", examples.mended).unwrap();
        if let Some(schema) = examples.schema {
            write!(out, "\nThe examples ask this schema:\n\n```graphql\n{schema}```\n").unwrap();
        }
    }
    out.push_str("\n[All diagnostics](README.md)\n");
    out
}

/// What traitql prints, but for the address of the page that one is reading and the count of the problems.
fn without_links(report: &Report) -> String {
    let text = report.to_string();
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("= see: "));
    let text: String = lines.map(|line| format!("{line}\n")).collect();
    let text = text.rsplit_once("\n\n").map_or(&*text, |(problems, _)| problems);
    format!("{text}\n")
}

fn index() -> String {
    let mut out = format!(
        "<!-- Generated from server/traitql-schema/explanations: change those and run `{COMMAND}`. -->\n\
         # Diagnostics\n\n\
         Every problem that traitql reports has a code, and each code a page: what happened, why it is refused, and what mends\n\
         it. `cargo traitql explain T012` prints the same in a terminal.\n\n\
         The examples leave out what is always the same: the definitions of traitql's directives, the enums `Role`, `ErrorCode`\n\
         and `Format`, and a `type Query` where it does not matter. A line such as `# operations/Tour.graphql` begins a file.\n\
         Section numbers are those of the [specification of September 2025](https://spec.graphql.org/September2025/).\n"
    );
    for (letter, area) in AREAS {
        write!(out, "\n## {area}\n\n| code | for example |\n|---|---|\n").unwrap();
        for code in Code::all().iter().filter(|code| code.id.starts_with(letter)) {
            let explanation = code.explanation();
            let report = explanation
                .examples
                .and_then(|examples| said(examples.wrong, examples.schema).err());
            let message = report.map(|report| report.diagnostics()[0].message.clone());
            let message = message.unwrap_or_else(|| "–".to_owned()).replace('|', "\\|");
            writeln!(out, "| [{} `{}`]({}.md) | {message} |", code.id, code.slug, code.id).unwrap();
        }
    }
    out
}
