//! Snapshots of the generated files, one per fixture. The first line of a fixture lists the files in the snapshot: `#
//! shows types/schema.rs`. A line `#--- path` starts another file. `# allow input_suffix` disables conventions, `#
//! rename collisions` renames clashing definitions, and `# with enums.State crate::Stage` sets an option.
#![allow(clippy::unwrap_used)]

use std::{fmt::Write as _, fs, path::Path};

use insta::{Settings, assert_snapshot, glob};
use traitql_codegen::{Config, GeneratedFile, generate};
use traitql_schema::{
    Options, SourceText, Style, load,
    model::{FieldKind, Model, Type},
};

const DIRECTIVES: &str = include_str!("../../schema/src/directives.graphql");
const BASE: &str = r#"
enum Role { READER AUTHOR }
enum ErrorCode {
  TOUR_ARCHIVED @error(http: 409, message: "This tour is archived.")
  SLUG_TAKEN @error(http: 409, message: "The address “{slug}” is taken by {person_name}.", retry: REFRESH)
}
enum Format { SLUG COLOR }
"#;

#[test]
fn generated_files_match_their_snapshots() {
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
                .expect("the first line of a fixture must be `# shows FILES`");
            assert_snapshot!("rust", show(&files(&text), shown));
        });
    });
}

#[test]
fn generation_is_deterministic() {
    let text = include_str!("fixtures/dispatch.graphql");
    assert_eq!(files(text), files(text));
}

#[test]
#[cfg_attr(not(debug_assertions), ignore = "release builds do not compare line breaks")]
fn lines_with_names_of_any_length_are_broken_like_prettyplease_breaks_them() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|end| end == "graphql"))
        .collect();
    paths.sort();
    for (index, path) in paths.iter().enumerate() {
        let (model, mut config) = project(&fs::read_to_string(path).unwrap());
        config.samples = true;
        for length in (index % 7..=91).step_by(7) {
            let mut model = model.clone();
            lengthen(&mut model, &"x".repeat(length));
            generate(&model, &config);
        }
    }
}

fn lengthen(model: &mut Model, suffix: &str) {
    for ty in model.types.values_mut() {
        match ty {
            Type::Scalar(ty) => ty.rust += suffix,
            Type::Union(ty) => ty.rust += suffix,
            Type::Enum(ty) => {
                ty.rust += suffix;
                ty.values.iter_mut().for_each(|value| value.rust += suffix);
            }
            Type::Input(ty) => {
                ty.rust += suffix;
                ty.fields.iter_mut().for_each(|field| field.rust += suffix);
            }
            Type::Interface(ty) => {
                ty.rust += suffix;
                ty.fields.iter_mut().for_each(|field| field.rust += suffix);
            }
            Type::Object(ty) => {
                ty.rust += suffix;
                for field in &mut ty.fields {
                    field.rust += suffix;
                    for value in &mut field.args {
                        value.rust += suffix;
                        value.name += suffix;
                    }
                }
            }
        }
    }
    model.errors.iter_mut().for_each(|error| error.message += suffix);
}

fn files(text: &str) -> Vec<GeneratedFile> {
    let (model, config) = project(text);
    generate(&model, &config)
}

fn project(text: &str) -> (Model, Config) {
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
    if text.lines().any(|line| line == "# rename collisions") {
        options = options.with_automatic_renaming();
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
        let (key, value) = line
            .split_once(' ')
            .expect("a `# with` line must have a key and a value");
        let (section, name) = key
            .split_once('.')
            .expect("the key of a `# with` line must have a section and a name");
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
            _ => panic!("{section} is not a section of the configuration"),
        };
        section.insert(name.to_owned(), value.to_owned());
    }
    (model, config)
}

fn show(files: &[GeneratedFile], shown: &str) -> String {
    let mut out = String::new();
    for name in shown.split_whitespace() {
        let file = files.iter().find(|file| file.path.ends_with(&format!("/{name}")));
        let file = file.unwrap_or_else(|| panic!("{name} is not among the generated files {:?}", paths(files)));
        writeln!(out, "==== {}\n{}", file.path, file.contents).unwrap();
    }
    out
}

fn paths(files: &[GeneratedFile]) -> Vec<&str> {
    files.iter().map(|file| file.path.as_str()).collect()
}
