//! Each generated file has the order of a schema file, and `.gitattributes` makes git keep the module lists of both
//! branches, which `cargo traitql generate` then sorts.
#![allow(clippy::unwrap_used)]

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use traitql_codegen::{Config, generate};
use traitql_schema::{SourceText, Style, load};

const BASE: &[(&str, &str)] = &[
    (
        "schema/directives.graphql",
        include_str!("../../schema/src/directives.graphql"),
    ),
    (
        "schema/base.graphql",
        "enum Role { READER }\nenum ErrorCode { GONE @error(http: 404, message: \"It is gone.\") }\nenum Format { SLUG }\n",
    ),
    (
        "schema/person.graphql",
        "type Person {\n  id: ID!\n  name: String!\n}\n\nextend type Query {\n  person(id: ID!): Person @public\n}\n",
    ),
    (
        "schema/tour.graphql",
        "type Query {\n  tour(id: ID!): Tour @public\n}\n\ntype Tour {\n  id: ID!\n  author: Person!\n}\n\ntype Step {\n  id: ID!\n  tour: Tour!\n}\n",
    ),
    (
        "operations/Person.graphql",
        "query Person($id: ID!) { person(id: $id) { name } }\n",
    ),
    (
        "operations/Tour.graphql",
        "query Tour($id: ID!) { tour(id: $id) { author { name } } }\n",
    ),
];

type Files = BTreeMap<String, String>;

#[test]
fn types_at_different_positions_of_one_file_merge() {
    merges(
        |files| {
            edit(
                files,
                "schema/tour.graphql",
                "type Tour {",
                "type Badge {\n  id: ID!\n  of: Tour!\n}\n\ntype Tour {",
            );
            edit(
                files,
                "schema/tour.graphql",
                "  author: Person!",
                "  author: Person!\n  badge: Badge",
            );
            add(
                files,
                "operations/BadgeOfTour.graphql",
                "query BadgeOfTour($id: ID!) { tour(id: $id) { badge { id } } }\n",
            );
        },
        |files| {
            edit(
                files,
                "schema/tour.graphql",
                "type Step {",
                "type Theme {\n  id: ID!\n  tours: [Tour!]!\n}\n\ntype Step {",
            );
            edit(
                files,
                "schema/tour.graphql",
                "  tour: Tour!",
                "  tour: Tour!\n  theme: Theme!",
            );
            add(
                files,
                "operations/TourWithAuthor.graphql",
                "query TourWithAuthor($id: ID!) { tour(id: $id) { author { id } } }\n",
            );
        },
    );
}

#[test]
fn types_at_the_end_of_one_file_and_the_start_of_the_next_merge() {
    merges(
        |files| {
            let file = files.get_mut("schema/person.graphql").unwrap();
            file.push_str("\ntype Team {\n  id: ID!\n  members: [Person!]!\n}\n");
        },
        |files| {
            let file = files.get_mut("schema/tour.graphql").unwrap();
            file.insert_str(0, "input StepInput {\n  text: String\n}\n\n");
            edit(
                files,
                "schema/tour.graphql",
                "tour(id: ID!): Tour @public",
                "tour(id: ID!, with: StepInput): Tour @public",
            );
        },
    );
}

#[test]
fn new_schema_files_merge() {
    merges(
        |files| {
            add(
                files,
                "schema/account.graphql",
                "type Account {\n  id: ID!\n  person: Person!\n}\n",
            )
        },
        |files| {
            add(
                files,
                "schema/theme.graphql",
                "type Theme {\n  id: ID!\n  tours: [Tour!]!\n}\n",
            )
        },
    );
}

#[track_caller]
fn merges(ours: impl Fn(&mut Files), theirs: impl Fn(&mut Files)) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let base: Files = BASE
        .iter()
        .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()))
        .collect();
    git(root, &["init", "--quiet", "--initial-branch=main"]);
    commit(root, &base);
    git(root, &["checkout", "--quiet", "-b", "theirs"]);
    let mut changed = base.clone();
    theirs(&mut changed);
    commit(root, &changed);
    git(root, &["checkout", "--quiet", "main"]);
    let mut changed = base.clone();
    ours(&mut changed);
    commit(root, &changed);
    git(root, &["merge", "--quiet", "--no-edit", "theirs"]);

    let mut merged = Files::new();
    read(root, "schema", &mut merged);
    read(root, "operations", &mut merged);
    merged.retain(|path, _| path.ends_with(".graphql"));
    for (path, contents) in generated(&merged) {
        let merged = fs::read_to_string(root.join(&path)).unwrap_or_default();
        assert_eq!(merged, contents, "the merged {path} must equal the generated one");
    }
}

fn commit(root: &Path, sources: &Files) {
    for (path, contents) in sources.iter().chain(&generated(sources)) {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, contents).unwrap();
    }
    git(root, &["add", "--all"]);
    git(root, &["commit", "--quiet", "--message=A change"]);
}

fn generated(sources: &Files) -> Files {
    let texts = |folder: &str| -> Vec<SourceText> {
        let files = sources.iter().filter(|(path, _)| path.starts_with(folder));
        files
            .map(|(path, text)| SourceText::new(path.clone(), text.clone()))
            .collect()
    };
    let model = load(&texts("schema/"), &texts("operations/"), &Default::default())
        .unwrap_or_else(|report| panic!("{}", report.render(Style::Plain)));
    let config = Config::new("api", "operations/generated/manifest.json");
    generate(&model, &config)
        .into_iter()
        .map(|file| (file.path, file.contents))
        .collect()
}

fn read(root: &Path, folder: &str, files: &mut Files) {
    let paths: Vec<PathBuf> = fs::read_dir(root.join(folder))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    for path in paths.iter().filter(|path| path.is_file()) {
        let name = path.file_name().unwrap().to_str().unwrap();
        files.insert(format!("{folder}/{name}"), fs::read_to_string(path).unwrap());
    }
}

fn edit(files: &mut Files, path: &str, from: &str, to: &str) {
    let text = files.get_mut(path).unwrap();
    assert!(text.contains(from), "{path} does not contain `{from}`");
    *text = text.replacen(from, to, 1);
}

fn add(files: &mut Files, path: &str, text: &str) {
    files.insert(path.to_owned(), text.to_owned());
}

#[track_caller]
fn git(root: &Path, arguments: &[&str]) {
    let output = Command::new("git")
        .args([
            "-c",
            "user.name=Test",
            "-c",
            "user.email=test@example.com",
            "-c",
            "commit.gpgsign=false",
        ])
        .args(arguments)
        .current_dir(root)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .output()
        .unwrap();
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "git {arguments:?} failed:\n{stdout}{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
