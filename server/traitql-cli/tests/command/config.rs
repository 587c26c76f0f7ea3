//! What codegen.yml may say, and what is said about the rest.

use std::fs;

use crate::project::{CONFIG, SCHEMA, bad, good, project, state, write};

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
  shared: [Tour, Query, Tuor]
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
    error: codegen.yml:16:3: `traitql.shared.Query`: `Query` is a root, which has no values: all its fields are resolved
    error: codegen.yml:16:25: `traitql.shared.Tuor`: the schema has no type `Tuor`: did you mean `Tour`?
    error: codegen.yml:18:5: `traitql.extra.Tour`: an own type stands for `Tour`; give that type the fields
    error: codegen.yml:21:5: `traitql.fields.Tour.steps` cannot be data: it has arguments, and data is there before anybody asks
    error: codegen.yml:22:5: `traitql.fields.Tour.titel`: the type `Tour` has no field `titel`: did you mean `title`?
    error: codegen.yml:23:5: `traitql.fields.Query.tour`: `Query` is a root, which has no values: all its fields are resolved
    error: codegen.yml:24:5: `traitql.fields.Node.id`: `Node` is an interface, and its members decide: name `Place.id`
    error: codegen.yml:25:5: `traitql.fields.version`: name a field with its type, such as `Tour.title`
    error: codegen.yml:27:15: `traitql.derive.objects`: name `Serialize` with its crate, such as `serde::Serialize`
    error: codegen.yml:27:26: `traitql.derive.objects`: `Clone` is derived anyway
    error: codegen.yml:29:7: `traitql.derive.types.State`: an own type stands for `State`; derive it there
    error: codegen.yml:29:14: `traitql.derive.types.State`: name `Eqq` with its crate, such as `serde::Eqq`: did you mean `Eq`?
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
    assert!(
        said.contains("`traitql.fields` in codegen.yml declares it as data"),
        "{said}"
    );
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
    assert!(said.contains("would both be named `second_name` in Rust"), "{said}");
    with("    Step.step_name: second_name\n    Role.ADMIN: Chief\n    \"Query.tour(id:)\": key\n");
    good(&project, "generate");
    let types = fs::read_to_string(project.path().join("api/src/generated/types/schema.rs")).unwrap();
    assert!(types.contains("pub second_name: ") && types.contains("Self::Chief => \"ADMIN\""));
    let args = fs::read_to_string(project.path().join("api/src/generated/args/schema.rs")).unwrap();
    assert!(args.contains("pub key: "), "{args}");
}

#[test]
fn arguments_are_called_as_in_the_interface() {
    let project = project();
    let fields = "picture(size: Int, format: String): String";
    let schema = format!(
        "{SCHEMA}interface Pictured {{ {fields} }}\ninterface Named implements Pictured {{ {fields} }}\n\
         type Author implements Pictured & Named {{ {fields} }}\ntype Book implements Pictured {{ {fields} }}\n"
    );
    write(&project, "schema/schema.graphql", &schema);
    let names = "    \"Pictured.picture(size:)\": pixels\n    \"Named.picture(format:)\": file_format\n    \
        \"Book.picture(size:)\": points\n";
    write(&project, "codegen.yml", &format!("{CONFIG}  rename:\n{names}"));
    good(&project, "generate");
    let file = |name: &str| fs::read_to_string(project.path().join("api/src/generated").join(name)).unwrap();
    let arguments: Vec<String> = file("args/schema.rs")
        .lines()
        .filter_map(|line| line.trim().strip_prefix("pub "))
        .filter(|line| line.contains(": "))
        .map(str::to_owned)
        .collect();
    assert_eq!(
        arguments,
        [
            "id: traitql::Id,",
            "pixels: Option<i32>,",
            "file_format: Option<String>,",
            "points: Option<i32>,",
            "format: Option<String>,",
        ]
    );
}
