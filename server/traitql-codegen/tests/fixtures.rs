//! What is generated from small schemas: a fixture shows one thing, and its snapshot stands beside it. Adding a test is
//! adding a file.
//!
//! The first line of a fixture names the generated files to look at: `# shows types/schema.rs`. A line `#--- path` begins a
//! further file of the project, a line `# allow input_suffix` gives up conventions, and with a line
//! `# rename what meets` names that meet in Rust are kept apart. The definitions of traitql's directives, and a small set of roles, error codes and formats,
//! come along.
#![allow(clippy::unwrap_used)]

use std::{fmt::Write as _, fs};

use insta::{Settings, assert_snapshot, glob};
use traitql_codegen::{Config, GeneratedFile, generate};
use traitql_schema::{Options, SourceText, Style, load, model::FieldKind};

const DIRECTIVES: &str = include_str!("../../traitql-schema/src/lower/directives.graphql");
const BASE: &str = r#"
enum Role { READER AUTHOR }
enum ErrorCode {
  TOUR_ARCHIVED @error(http: 409, say: "This tour is archived.")
  SLUG_TAKEN @error(http: 409, say: "The address “{slug}” is taken by {person_name}.", retry: REFRESH)
}
enum Format { SLUG COLOR }
"#;

#[test]
fn each_thing_becomes_rust_that_reads_well() {
    let mut settings = Settings::clone_current();
    settings.set_snapshot_path("fixtures");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        glob!("fixtures/*.graphql", |path| {
            let text = fs::read_to_string(path).unwrap();
            let first = text.lines().next().unwrap_or_default();
            let shown = first
                .strip_prefix("# shows ")
                .expect("the first line of a fixture says what to look at");
            assert_snapshot!("rust", show(&files(&text), shown));
        });
    });
}

#[test]
fn the_same_model_makes_the_same_bytes() {
    let text = include_str!("fixtures/seam.graphql");
    assert_eq!(files(text), files(text));
}

fn files(text: &str) -> Vec<GeneratedFile> {
    let mut sources = vec![SourceText::new("schema/schema.graphql", "")];
    for line in text.split_inclusive('\n') {
        match line.strip_prefix("#--- ") {
            Some(path) => sources.push(SourceText::new(path.trim(), "")),
            None => sources.last_mut().unwrap().text.push_str(line),
        }
    }
    sources.push(SourceText::new("schema/base.graphql", BASE));
    sources.push(SourceText::new("schema/traitql.graphql", DIRECTIVES));
    let (schema, documents): (Vec<_>, Vec<_>) = sources
        .into_iter()
        .partition(|source| source.path.starts_with("schema/"));
    let allowed = text.lines().filter_map(|line| line.strip_prefix("# allow "));
    let fields = text.lines().filter_map(|line| line.strip_prefix("# with fields."));
    let fields = fields.map(|line| match line.split_once(' ').unwrap() {
        (name, "data") => (name.to_owned(), FieldKind::Data),
        (name, _) => (name.to_owned(), FieldKind::Resolved),
    });
    let options = Options::allowing(allowed.flat_map(str::split_whitespace)).unwrap();
    let mut options = options.with_fields(fields.collect());
    if text.lines().any(|line| line == "# rename what meets") {
        options = options.renaming();
    }
    let model = load(&schema, &documents, &options).unwrap_or_else(|report| panic!("{}", report.render(Style::Plain)));
    let mut config = Config {
        scalars: [("DateTime".to_owned(), "traitql::DateTime".to_owned())].into(),
        extra: [(
            "Tour".to_owned(),
            [("author_id".to_owned(), "Option<traitql::Id>".to_owned())].into(),
        )]
        .into(),
        samples: text.lines().next().is_some_and(|shown| shown.contains("sample/")),
        typescript: Some("web/generated".to_owned()),
        ..Config::new("server/tour-api", "operations/generated/manifest.json")
    };
    for line in text.lines().filter_map(|line| line.strip_prefix("# with ")) {
        let (key, value) = line.split_once(' ').expect("a key and a value");
        let (section, name) = key.split_once('.').expect("a section and a name");
        let list = || value.split(' ').map(str::to_owned).collect();
        let section = match section {
            "derive" => {
                match name {
                    "objects" => config.derive.objects = list(),
                    "inputs" => config.derive.inputs = list(),
                    "enums" => config.derive.enums = list(),
                    _ => drop(config.derive.types.insert(name.to_owned(), list())),
                }
                continue;
            }
            "fields" => continue,
            "enums" => &mut config.enums,
            "objects" => &mut config.objects,
            "scalars" => &mut config.scalars,
            _ => panic!("{section} is no section of the configuration"),
        };
        section.insert(name.to_owned(), value.to_owned());
    }
    generate(&model, &config)
}

fn show(files: &[GeneratedFile], shown: &str) -> String {
    let mut out = String::new();
    for name in shown.split_whitespace() {
        let file = files.iter().find(|file| file.path.ends_with(&format!("/{name}")));
        let file = file.unwrap_or_else(|| panic!("{name} is not generated, only {:?}", paths(files)));
        writeln!(out, "==== {}\n{}", file.path, file.contents).unwrap();
    }
    out
}

fn paths(files: &[GeneratedFile]) -> Vec<&str> {
    files.iter().map(|file| file.path.as_str()).collect()
}
