//! The command on a small project of its own: what it writes, what it leaves alone, and what it says.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, SystemTime};

use tempfile::TempDir;

const CONFIG: &str = "schema: schema/*.graphql
documents: operations/**/*.graphql
generates: {}
traitql:
  crate: api
  manifest: operations/generated/manifest.json
  typescript: { command: [sh, -c, 'echo typescript is generated'] }
";
const SCHEMA: &str = r#"directive @auth(role: Role, of: String, by: String) on FIELD_DEFINITION
directive @public on FIELD_DEFINITION

enum Role { VIEWER ADMIN }

type Query {
  tour(id: ID!): Tour @auth(role: VIEWER, of: "Tour", by: "id")
  version: String! @public
}

type Tour {
  id: ID!
  title: String!
}
"#;
const OPERATION: &str = "query Tour($id: ID!) {\n  tour(id: $id) {\n    id\n    title\n  }\n}\n";

fn project() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(&folder, "codegen.yml", CONFIG);
    write(&folder, "api/Cargo.toml", "[package]\nname = \"api\"\n");
    write(&folder, "schema/schema.graphql", SCHEMA);
    write(&folder, "operations/tour/Tour.graphql", OPERATION);
    folder
}

fn write(folder: &TempDir, path: &str, text: &str) {
    let path = folder.path().join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn traitql(folder: &TempDir, command: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_traitql"))
        .arg(command)
        .current_dir(folder.path())
        .output()
        .unwrap()
}

fn good(folder: &TempDir, command: &str) -> String {
    let output = traitql(folder, command);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn bad(folder: &TempDir, command: &str) -> String {
    let output = traitql(folder, command);
    assert_eq!(
        output.status.code(),
        Some(1),
        "{}",
        String::from_utf8_lossy(&output.stdout)
    );
    String::from_utf8(output.stderr).unwrap()
}

/// All files with their contents and the time of their last change.
fn state(folder: &TempDir) -> BTreeMap<String, (String, SystemTime)> {
    fn walk(root: &Path, folder: &Path, files: &mut BTreeMap<String, (String, SystemTime)>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(root, &path, files);
            } else {
                let name = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
                let changed = fs::metadata(&path).unwrap().modified().unwrap();
                files.insert(name, (fs::read_to_string(&path).unwrap(), changed));
            }
        }
    }
    let mut files = BTreeMap::new();
    walk(folder.path(), folder.path(), &mut files);
    files
}

#[test]
fn the_first_generation_counts_and_the_second_changes_nothing() {
    let project = project();
    let said = good(&project, "generate");
    assert!(said.contains("files for 3 types and 1 operation"), "{said}");
    let first = state(&project);
    assert!(first.contains_key("operations/generated/manifest.json"));
    assert!(first.keys().any(|path| path.starts_with("api/src/generated/")));
    assert!(
        !first.keys().any(|path| path.ends_with(".tmp")),
        "temporary files are gone: {:?}",
        first.keys()
    );

    assert_eq!(good(&project, "generate"), "nothing changed\n");
    assert_eq!(state(&project), first, "not even the times of the files change");
    assert!(good(&project, "check").contains("are up to date"));
}

#[test]
fn nothing_is_written_while_anything_is_wrong() {
    let project = project();
    write(
        &project,
        "schema/site.graphql",
        "type Site {\n  id: IDD!\n}\n\nextend type Query {\n  site: Site\n}\n",
    );
    let before = state(&project);
    let said = bad(&project, "generate");
    assert!(
        said.contains("error[G001 unknown_type]: there is no type `IDD`"),
        "{said}"
    );
    assert!(said.contains("error[T012 access_missing]"), "{said}");
    assert!(said.contains("--> schema/site.graphql:2:7"), "{said}");
    let end = "2 problems found\n`cargo traitql explain G001` says more about the first\nnothing was written\n";
    assert!(said.ends_with(end), "{said}");
    assert_eq!(state(&project), before);
}

#[test]
fn a_broken_schema_keeps_what_was_generated_from_the_last_good_one() {
    let project = project();
    good(&project, "generate");
    write(
        &project,
        "schema/schema.graphql",
        &SCHEMA.replace("title: String!", "title String!"),
    );
    let before = state(&project);
    assert!(bad(&project, "generate").contains("error[S001 syntax]"));
    assert_eq!(state(&project), before);
}

#[test]
fn check_names_the_file_the_line_and_the_command_and_changes_nothing() {
    let project = project();
    let said = bad(&project, "check");
    assert!(said.contains("operations/generated/manifest.json is missing"), "{said}");

    good(&project, "generate");
    let sdl = "api/src/generated/schema.graphql";
    let text = fs::read_to_string(project.path().join(sdl)).unwrap();
    write(&project, sdl, &text.replace("title: String!", "title: String"));
    let before = state(&project);
    let said = bad(&project, "check");
    assert!(said.contains(&format!("{sdl} is stale: line ")), "{said}");
    assert!(
        said.contains("is\n      title: String\n  and would be\n      title: String!\n"),
        "{said}"
    );
    assert!(said.contains("run `cargo traitql generate`"), "{said}");
    assert_eq!(state(&project), before);
}

#[test]
fn left_over_files_go_and_files_of_people_stay() {
    let project = project();
    good(&project, "generate");
    write(
        &project,
        "api/src/generated/old/thing.rs",
        "// Generated by `cargo traitql generate` from schema/old.graphql. Do not edit.\n",
    );
    write(&project, "api/src/mine.rs", "// written by hand\n");
    assert!(
        bad(&project, "check").contains("api/src/generated/old/thing.rs is there, and nothing generates it any more")
    );
    good(&project, "generate");
    let files = state(&project);
    assert!(!files.contains_key("api/src/generated/old/thing.rs"));
    assert!(files.contains_key("api/src/mine.rs"));
}

#[test]
fn a_file_of_people_in_the_generated_folder_is_never_removed() {
    let project = project();
    good(&project, "generate");
    write(&project, "api/src/generated/mine.rs", "// written by hand\n");
    let before = state(&project);
    let said = bad(&project, "generate");
    assert!(said.contains("api/src/generated/mine.rs was not generated"), "{said}");
    assert!(said.contains("`traitql.generated`"), "{said}");
    assert_eq!(state(&project), before);
}

#[test]
fn the_folder_of_typescript_is_shared_with_others() {
    let project = project();
    let config = CONFIG.replace("typescript: { command", "typescript: { folder: web/generated, command");
    write(&project, "codegen.yml", &config);
    write(&project, "web/generated/hooks.ts", "// By graphql-codegen.\n");
    let header = "// Generated by `cargo traitql generate` from schema/*.graphql. Do not edit.\n";
    write(&project, "web/generated/errors.ts", header);
    good(&project, "generate");
    let files = state(&project);
    let here = files.keys().filter_map(|path| path.strip_prefix("web/generated/"));
    // The schema has no error catalogue any more.
    assert_eq!(
        here.collect::<Vec<_>>(),
        [
            "cache.ts",
            "fields.ts",
            "hooks.ts",
            "policies.ts",
            "rules.ts",
            "traitql.ts"
        ]
    );
    let (fields, _) = &files["web/generated/fields.ts"];
    assert!(fields.contains("role: 'VIEWER', of: 'Tour', by: 'id'"), "{fields}");
    write(&project, "web/generated/rules.ts", &fields.replace("VIEWER", "ADMIN"));
    let said = bad(&project, "check");
    assert!(said.contains("web/generated/rules.ts is stale"), "{said}");
}

#[test]
fn the_folder_of_generated_rust_can_be_any_below_src() {
    let project = project();
    write(
        &project,
        "codegen.yml",
        &format!("{CONFIG}  generated: src/graphql/made\n"),
    );
    good(&project, "generate");
    let files = state(&project);
    let made = |path: &str| files[&format!("api/src/graphql/made/{path}")].0.clone();
    assert!(made("mod.rs").contains("\"../../../../operations/generated/manifest.json\""));
    assert!(made("resolve/schema.rs").contains("use crate::graphql::made::"));
    write(&project, "codegen.yml", &format!("{CONFIG}  generated: src\n"));
    let said = bad(&project, "generate");
    assert!(
        said.contains("codegen.yml:8:14: `traitql.generated` must be a folder below `src`"),
        "{said}"
    );
}

#[test]
fn a_change_is_told_by_its_meaning() {
    let project = project();
    good(&project, "generate");
    let schema = SCHEMA
        .replace("title: String!", "title: String")
        .replace("  version: String! @public\n", "")
        + "\ntype Mutation {\n  tourArchive(id: ID!): Tour! @auth(role: ADMIN, of: \"Tour\", by: \"id\")\n}\n";
    write(&project, "schema/schema.graphql", &schema);
    write(
        &project,
        "operations/tour/TourArchive.graphql",
        "mutation TourArchive($id: ID!) {\n  tourArchive(id: $id) {\n    id\n  }\n}\n",
    );
    assert_eq!(
        good(&project, "generate"),
        "- Query.version  its resolver can go: impl resolve::QueryVersion
~ Tour.title  now nullable
+ Mutation.tourArchive(id: ID!): Tour!  ADMIN  needs a resolver: impl resolve::MutationTourArchive
+ operation TourArchive (cost 1)
"
    );
}

#[test]
fn the_configuration_must_fit_the_schema() {
    let project = project();
    let extra = "  extra:\n    Tuor:\n      workspace_id: traitql::Id\n    Tour:\n      title: String\n      a-b: Option<\n  scalars:\n    Url: traitql::Url\n    String: crate::Text\n  objects:\n    Role: crate::Role\n";
    write(&project, "codegen.yml", &format!("{CONFIG}{extra}"));
    write(&project, "schema/scalars.graphql", "scalar DateTime\n");
    fs::remove_file(project.path().join("api/Cargo.toml")).unwrap();
    let said = bad(&project, "generate");
    assert!(
        said.contains("the schema has no type `Tuor`: did you mean `Tour`?"),
        "{said}"
    );
    assert!(
        said.contains("`traitql.extra.Tour.title` is a field of the schema already"),
        "{said}"
    );
    assert!(said.contains("the schema has no scalar `Url`"), "{said}");
    assert!(
        said.contains("`String` is a scalar of GraphQL itself, which cannot stand here"),
        "{said}"
    );
    assert!(said.contains("`Role` is an enum, which cannot stand here"), "{said}");
    assert!(
        said.contains("`traitql.extra.Tour.a-b`: `Option<` is no type of Rust"),
        "{said}"
    );
    assert!(
        said.contains("`traitql.extra.Tour.a-b` is no name of a field in Rust"),
        "{said}"
    );
    assert!(
        said.contains("there is no crate, api/Cargo.toml does not exist"),
        "{said}"
    );
    assert!(said.contains("the scalar `DateTime` has no Rust type"), "{said}");
}

#[test]
fn own_types_and_fields_must_fit_the_schema() {
    let project = project();
    let schema = SCHEMA.replace(
        "  title: String!\n}",
        "  title: String!\n  state: State!\n  steps(first: Int): [Tour!]!\n  next: Tour\n}\n\nenum State { ON OFF }\n\nenum Spare { ONE }\n\ninterface Node { id: ID! }\n\ntype Place implements Node { id: ID! }\n",
    );
    write(&project, "schema/schema.graphql", &schema);
    let more = "  enums:
    State: model::State
    Role: crate::Role
    Sate: crate::Other
    Spare: crate::Spare
  objects:
    Query: crate::Query
    Tour: crate::Role
  extra:
    Tour:
      key: String
  fields:
    Tour.steps: data
    Tour.titel: resolve
    Query.tour: data
    Node.id: resolve
    version: resolve
  derive:
    objects: [Serialize, Clone, serde::Serialize]
    types:
      State: Eqq
";
    write(&project, "codegen.yml", &format!("{CONFIG}{more}"));
    let said = bad(&project, "generate");
    insta::assert_snapshot!(said, @r"
    error: codegen.yml:9:12: `traitql.enums.State`: `model::State` must be the path of a type in the generated crate, such as `crate::model::Tour`
    error: codegen.yml:10:5: `traitql.enums.Role`: this enum is always generated, because the proofs of `@auth` are made of its values
    error: codegen.yml:11:5: `traitql.enums.Sate`: the schema has no enum `Sate`: did you mean `State`?
    error: codegen.yml:12:5: `traitql.enums.Spare`: only directives have values of this enum, so nothing stands for it
    error: codegen.yml:14:5: `traitql.objects.Query`: `Query` is a root, which has no values: all its fields are resolved
    error: codegen.yml:15:5: `traitql.objects.Tour`: `crate::Role` stands for `Role` already
    error: codegen.yml:17:5: `traitql.extra.Tour`: an own type stands for `Tour`; give that type the fields
    error: codegen.yml:20:5: `traitql.fields.Tour.steps` cannot be data: it has arguments, and data is there before anybody asks
    error: codegen.yml:21:5: `traitql.fields.Tour.titel`: the type `Tour` has no field `titel`: did you mean `title`?
    error: codegen.yml:22:5: `traitql.fields.Query.tour`: `Query` is a root, which has no values: all its fields are resolved
    error: codegen.yml:23:5: `traitql.fields.Node.id`: `Node` is an interface, and its members decide: name `Place.id`
    error: codegen.yml:24:5: `traitql.fields.version`: name a field with its type, such as `Tour.title`
    error: codegen.yml:26:15: `traitql.derive.objects`: name `Serialize` with its crate, such as `serde::Serialize`
    error: codegen.yml:26:26: `traitql.derive.objects`: `Clone` is derived anyway
    error: codegen.yml:28:7: `traitql.derive.types.State`: an own type stands for `State`; derive it there
    error: codegen.yml:28:14: `traitql.derive.types.State`: name `Eqq` with its crate, such as `serde::Eqq`: did you mean `Eq`?
      = help: every key is explained at https://github.com/waypost/waypost/blob/HEAD/server/traitql/docs/configuration.md
    nothing was written
    ");
}

#[test]
fn a_field_can_be_data_or_resolved_by_configuration() {
    let project = project();
    let schema = SCHEMA
        .replace("title: String!", "title: String!\n  next: Step")
        .to_owned()
        + "\ntype Step {\n  id: ID!\n  tour: Tour\n}\n";
    write(&project, "schema/schema.graphql", &schema);
    write(
        &project,
        "codegen.yml",
        &format!("{CONFIG}  fields:\n    Tour.next: data\n    Tour.title: resolve\n"),
    );
    good(&project, "generate");
    let files = state(&project);
    let (types, _) = &files["api/src/generated/types/schema.rs"];
    assert!(types.contains("pub next: Option<Step>"), "{types}");
    assert!(!types.contains("pub title"), "{types}");
    let (resolve, _) = &files["api/src/generated/resolve/schema.rs"];
    assert!(
        resolve.contains("pub trait TourTitle") && !resolve.contains("TourNext"),
        "{resolve}"
    );
    assert_eq!(good(&project, "generate"), "nothing changed\n");

    let both = format!("{CONFIG}  fields:\n    Tour.next: data\n    Step.tour: data\n");
    write(&project, "codegen.yml", &both);
    let said = bad(&project, "generate");
    assert!(
        said.contains("error[T064 embedded_cycle]: `Tour` contains itself"),
        "{said}"
    );
    assert!(said.contains("it is data by `traitql.fields` of codegen.yml"), "{said}");
}

#[test]
fn watching_generates_both_languages_and_survives_mistakes() {
    let project = project();
    let mut child = Command::new(env!("CARGO_BIN_EXE_traitql"))
        .arg("watch")
        .current_dir(project.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let said = lines(child.stdout.take().unwrap());
    let complained = lines(child.stderr.take().unwrap());
    wait_for(&said, "typescript is generated");

    write(
        &project,
        "schema/schema.graphql",
        &SCHEMA.replace("title: String!", "title: Strng!"),
    );
    wait_for(&complained, "error[G001 unknown_type]");
    wait_for(&complained, "the last good state stays");

    write(
        &project,
        "schema/schema.graphql",
        &SCHEMA.replace("title: String!", "title: String"),
    );
    wait_for(&said, "~ Tour.title  now nullable");
    wait_for(&said, "typescript is generated");

    // Many editors save by putting a new file into the place of the old one, each time.
    let config = fs::read_to_string(project.path().join("codegen.yml")).unwrap();
    for name in ["first_unknown", "second_unknown"] {
        write(&project, "codegen.new", &format!("{config}  {name}: 1\n"));
        let path = |name| project.path().join(name);
        fs::rename(path("codegen.new"), path("codegen.yml")).unwrap();
        wait_for(&complained, &format!("`traitql` has no key `{name}`"));
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn what_is_not_where_it_should_be_is_said_with_a_way_out() {
    let project = project();
    let elsewhere = tempfile::tempdir().unwrap();
    let said = bad(&elsewhere, "generate");
    assert!(said.contains("there is no file `codegen.yml`"), "{said}");
    assert!(said.contains("run this in the folder of a project"), "{said}");

    let with = |schema: &str| write(&project, "codegen.yml", &CONFIG.replace("schema/*.graphql", schema));
    with("schema/");
    let said = bad(&project, "check");
    assert!(said.contains("`schema/` is a folder"), "{said}");
    assert!(
        said.contains("`schema/**/*.graphql` stands for the files in it"),
        "{said}"
    );
    with("[schema/schema.graphql, schema/more.graphql]");
    let said = bad(&project, "check");
    assert!(said.contains("there is no file `schema/more.graphql`"), "{said}");
}

/// The lines of a stream, as they come.
fn lines(stream: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        BufReader::new(stream)
            .lines()
            .map_while(Result::ok)
            .try_for_each(|line| sender.send(line))
    });
    receiver
}

fn wait_for(lines: &Receiver<String>, text: &str) {
    while let Ok(line) = lines.recv_timeout(Duration::from_secs(60)) {
        if line.contains(text) {
            return;
        }
    }
    panic!("the command did not say {text:?} within a minute");
}

#[test]
fn names_in_rust_are_given_to_what_exists_and_spelled_as_rust_spells_them() {
    let project = project();
    let schema = SCHEMA.to_owned() + "scalar Money\ntype Step { stepName: Money, step_name: Money }\n";
    write(&project, "schema/schema.graphql", &schema);
    let with = |lines: &str| {
        write(
            &project,
            "codegen.yml",
            &format!("{CONFIG}  scalars: {{ Money: traitql::Json }}\n  rename:\n{lines}"),
        );
    };
    with("");
    let said = bad(&project, "generate");
    assert!(said.contains("rust_name_clash"), "{said}");
    assert!(said.contains("Step.step_name: step_name_2"), "{said}");

    with("    Step.step_nam: other\n");
    let said = bad(&project, "generate");
    assert!(
        said.contains("`traitql.rename.Step.step_nam`: `Step` has no field `step_nam`: did you mean `step_name`?"),
        "{said}"
    );
    assert!(said.contains("codegen.yml:10:5"), "{said}");
    with("    Step.step_name: 2nd\n    Tour: type\n");
    let said = bad(&project, "generate");
    assert!(
        said.contains("`traitql.rename.Step.step_name`: `2nd` can be no name in Rust"),
        "{said}"
    );
    assert!(
        said.contains("`traitql.rename.Tour`: `type` can be no name in Rust"),
        "{said}"
    );
    with(
        "    Step.step_name: secondName\n    Tuor: Other\n    Money: Price\n    Role.ADMIM: Chief\n    \"Query.tour(idd:)\": key\n    \
        Query.tour(id): key\n    Role: role\n    Role.ADMIN: CHIEF\n",
    );
    let said = bad(&project, "generate");
    for problem in [
        "`traitql.rename.Step.step_name`: the name of a field is spelled `second_name` in Rust, not `secondName`",
        "`traitql.rename.Tuor`: the schema has no type `Tuor`: did you mean `Tour`?",
        "`traitql.rename.Money`: a scalar has no name in Rust; `traitql.scalars.Money` says which type it is",
        "`traitql.rename.Role.ADMIM`: `Role` has no value `ADMIM`: did you mean `ADMIN`?",
        "`traitql.rename.Query.tour(idd:)`: `Query.tour` has no argument `idd`: did you mean `id`?",
        "`traitql.rename.Query.tour(id)`: write `Query.tour(id:)`",
        "`traitql.rename.Role`: the name of a type is spelled `Role` in Rust, not `role`",
        "`traitql.rename.Role.ADMIN`: the name of a value is spelled `Chief` in Rust, not `CHIEF`",
    ] {
        assert!(said.contains(problem), "{problem}\n{said}");
    }

    with(
        "    Step.step_name: second_name\n    Role.ADMIN: Chief\n    \"Query.tour(id:)\": key\n    Step.stepName: second_name\n",
    );
    let said = bad(&project, "generate");
    assert!(said.contains("would both be called `second_name` in Rust"), "{said}");
    with("    Step.step_name: second_name\n    Role.ADMIN: Chief\n    \"Query.tour(id:)\": key\n");
    good(&project, "generate");
    let types = fs::read_to_string(project.path().join("api/src/generated/types/schema.rs")).unwrap();
    assert!(types.contains("pub second_name: ") && types.contains("Self::Chief => \"ADMIN\""));
    let args = fs::read_to_string(project.path().join("api/src/generated/args/schema.rs")).unwrap();
    assert!(args.contains("pub key: "), "{args}");
}
