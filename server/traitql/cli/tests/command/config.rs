use std::fs;

use crate::project::{CONFIG, SCHEMA, fail, project, state, succeed, write};

#[test]
fn names_in_the_configuration_must_exist_in_the_schema() {
    let project = project();
    let extra = "  extra:\n    Tuor:\n      workspace_id: traitql::Id\n    Tour:\n      title: String\n      a-b: Option<\n  scalars:\n    Url: traitql::Url\n    String: crate::Text\n  objects:\n    Role: crate::Role\n";
    write(&project, "codegen.yml", &format!("{CONFIG}{extra}"));
    write(&project, "schema/scalars.graphql", "scalar DateTime\n");
    fs::remove_file(project.path().join("api/Cargo.toml")).unwrap();
    let output = fail(&project, "generate");
    assert!(
        output.contains("the schema has no type `Tuor`: did you mean `Tour`?"),
        "{output}"
    );
    assert!(
        output.contains("`traitql.extra.Tour.title` is already a field of the schema"),
        "{output}"
    );
    assert!(output.contains("the schema has no scalar `Url`"), "{output}");
    assert!(
        output.contains("`String` is a built-in scalar, not the kind of type that is expected here"),
        "{output}"
    );
    assert!(
        output.contains("`Role` is an enum, not the kind of type that is expected here"),
        "{output}"
    );
    assert!(
        output.contains("`traitql.extra.Tour.a-b`: `Option<` is not a Rust type"),
        "{output}"
    );
    assert!(
        output.contains("`traitql.extra.Tour.a-b` is not a valid name for a Rust field"),
        "{output}"
    );
    assert!(
        output.contains("`traitql.crate` must be the folder of a crate, but api/Cargo.toml does not exist"),
        "{output}"
    );
    assert!(output.contains("the scalar `DateTime` has no Rust type"), "{output}");
}

#[test]
fn bound_types_and_fields_must_match_the_schema() {
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
    let output = fail(&project, "generate");
    insta::assert_snapshot!(output, @r"
    error: `traitql.enums.State`: `model::State` must be the path of a type in the generated crate, such as `crate::model::Tour`
     --> codegen.yml:9:12
    error: `traitql.enums.Role`: this enum is always generated, because access checks depend on its values
     --> codegen.yml:10:5
    error: `traitql.enums.Sate`: the schema has no enum `Sate`: did you mean `State`?
     --> codegen.yml:11:5
    error: `traitql.enums.Spare`: only directives use this enum, so no Rust type is needed
     --> codegen.yml:12:5
    error: `traitql.objects.Query`: `Query` is a root type, so all its fields have resolvers
     --> codegen.yml:14:5
    error: `traitql.objects.Tour`: `crate::Role` is already bound to `Role`
     --> codegen.yml:15:5
    error: `traitql.shared.Query`: `Query` is a root type, so all its fields have resolvers
     --> codegen.yml:16:3
    error: `traitql.shared.Tuor`: the schema has no type `Tuor`: did you mean `Tour`?
     --> codegen.yml:16:25
    error: `traitql.extra.Tour`: `Tour` has a bound type; add the fields to that type
     --> codegen.yml:18:5
    error: `traitql.fields.Tour.steps` cannot be data: it has arguments, and data is loaded before arguments are known
     --> codegen.yml:21:5
    error: `traitql.fields.Tour.titel`: the type `Tour` has no field `titel`: did you mean `title`?
     --> codegen.yml:22:5
    error: `traitql.fields.Query.tour`: `Query` is a root type, so all its fields have resolvers
     --> codegen.yml:23:5
    error: `traitql.fields.Node.id`: `Node` is an interface; configure the fields of its members: `Place.id`
     --> codegen.yml:24:5
    error: `traitql.fields.version` must be a field with its type, such as `Tour.title`
     --> codegen.yml:25:5
    error: `traitql.derive.objects`: `Serialize` needs the path of its crate, such as `serde::Serialize`
     --> codegen.yml:27:15
    error: `traitql.derive.objects`: `Clone` is always derived
     --> codegen.yml:27:26
    error: `traitql.derive.types.State`: `State` has a bound type; add the derive to that type
     --> codegen.yml:29:7
    error: `traitql.derive.types.State`: `Eqq` needs the path of its crate, such as `serde::Eqq`: did you mean `Eq`?
     --> codegen.yml:29:14
      = help: all keys are documented at https://github.com/waypost/waypost/blob/HEAD/server/traitql/docs/configuration.md
    nothing was written
    ");
}

#[test]
fn the_configuration_can_change_the_source_of_a_field() {
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
    succeed(&project, "generate");
    let files = state(&project);
    let (types, _) = &files["api/src/generated/types/schema.rs"];
    assert!(types.contains("pub next: Option<Step>"), "{types}");
    assert!(!types.contains("pub title"), "{types}");
    let (resolve, _) = &files["api/src/generated/resolve/schema.rs"];
    assert!(
        resolve.contains("pub trait TourTitle") && !resolve.contains("TourNext"),
        "{resolve}"
    );
    assert_eq!(succeed(&project, "generate"), "nothing changed\n");

    let both = format!("{CONFIG}  fields:\n    Tour.next: data\n    Step.tour: data\n");
    write(&project, "codegen.yml", &both);
    let output = fail(&project, "generate");
    assert!(
        output.contains("error[T064 embedded_cycle]: `Tour` contains itself"),
        "{output}"
    );
    assert!(
        output.contains("`traitql.fields` in codegen.yml declares it as data"),
        "{output}"
    );
}

#[test]
fn missing_files_are_reported_with_help() {
    let project = project();
    let elsewhere = tempfile::tempdir().unwrap();
    let output = fail(&elsewhere, "generate");
    assert!(output.contains("the file `codegen.yml` does not exist"), "{output}");
    assert!(output.contains("run this in the folder of a project"), "{output}");

    let with = |schema: &str| write(&project, "codegen.yml", &CONFIG.replace("schema/*.graphql", schema));
    with("schema/");
    let output = fail(&project, "check");
    assert!(output.contains("`schema/` is a folder"), "{output}");
    assert!(
        output.contains("use `schema/**/*.graphql` for the files in it"),
        "{output}"
    );
    with("[schema/schema.graphql, schema/more.graphql]");
    let output = fail(&project, "check");
    assert!(
        output.contains("the file `schema/more.graphql` does not exist"),
        "{output}"
    );
}

#[test]
fn renames_need_existing_coordinates_and_idiomatic_rust_names() {
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
    let output = fail(&project, "generate");
    assert!(output.contains("rust_name_clash"), "{output}");
    assert!(output.contains("Step.step_name: step_name_2"), "{output}");

    with("    Step.step_nam: other\n");
    let output = fail(&project, "generate");
    assert!(
        output.contains("`traitql.rename.Step.step_nam`: `Step` has no field `step_nam`: did you mean `step_name`?"),
        "{output}"
    );
    assert!(output.contains("codegen.yml:10:5"), "{output}");
    with("    Step.step_name: 2nd\n    Tour: type\n");
    let output = fail(&project, "generate");
    assert!(
        output.contains("`traitql.rename.Step.step_name`: `2nd` is not a valid Rust identifier"),
        "{output}"
    );
    assert!(
        output.contains("`traitql.rename.Tour`: `type` is not a valid Rust identifier"),
        "{output}"
    );
    with(
        "    Step.step_name: secondName\n    Tuor: Other\n    Money: Price\n    Role.ADMIM: Chief\n    \"Query.tour(idd:)\": key\n    \
        Query.tour(id): key\n    Role: role\n    Role.ADMIN: CHIEF\n",
    );
    let output = fail(&project, "generate");
    for problem in [
        "`traitql.rename.Step.step_name`: the name of a field must be written as `second_name` in Rust, not `secondName`",
        "`traitql.rename.Tuor`: the schema has no type `Tuor`: did you mean `Tour`?",
        "`traitql.rename.Money`: a scalar has no Rust name; set its Rust type with `traitql.scalars.Money`",
        "`traitql.rename.Role.ADMIM`: `Role` has no value `ADMIM`: did you mean `ADMIN`?",
        "`traitql.rename.Query.tour(idd:)`: `Query.tour` has no argument `idd`: did you mean `id`?",
        "`traitql.rename.Query.tour(id)`: write `Query.tour(id:)`",
        "`traitql.rename.Role`: the name of a type must be written as `Role` in Rust, not `role`",
        "`traitql.rename.Role.ADMIN`: the name of a value must be written as `Chief` in Rust, not `CHIEF`",
    ] {
        assert!(output.contains(problem), "{problem}\n{output}");
    }

    with(
        "    Step.step_name: second_name\n    Role.ADMIN: Chief\n    \"Query.tour(id:)\": key\n    Step.stepName: second_name\n",
    );
    let output = fail(&project, "generate");
    assert!(output.contains("would both be named `second_name` in Rust"), "{output}");
    with("    Step.step_name: second_name\n    Role.ADMIN: Chief\n    \"Query.tour(id:)\": key\n");
    succeed(&project, "generate");
    let types = fs::read_to_string(project.path().join("api/src/generated/types/schema.rs")).unwrap();
    assert!(types.contains("pub second_name: ") && types.contains("Self::Chief => \"ADMIN\""));
    let args = fs::read_to_string(project.path().join("api/src/generated/args/schema.rs")).unwrap();
    assert!(args.contains("pub key: "), "{args}");
}

#[test]
fn renamed_arguments_of_interfaces_apply_to_their_members() {
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
    succeed(&project, "generate");
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

#[test]
fn rust_types_that_do_not_exist_are_reported_in_the_configuration() {
    let project = project();
    let schema = format!(
        "{SCHEMA}\nscalar Money\nscalar Day\nscalar Place\nscalar Known\nenum State {{ OUT }}\nextend type Tour {{ state: State }}\n"
    );
    write(&project, "schema/schema.graphql", &schema);
    write(
        &project,
        "api/src/lib.rs",
        "mod generated;\nmod money;\nmod other { pub(crate) use crate::money::*; }\npub use generated::*;\n",
    );
    write(
        &project,
        "api/src/money.rs",
        "pub struct Money;\npub enum Stage { Out }\n",
    );
    let more = "
  scalars:
    Money: crate::money::Mony
    Day: traitql::Dat
    Place: crate::place::Place
    Known: crate::other::Anything
  enums:
    State: crate::money::Stag
  extra:
    Tour:
      key: Option<traitql::Idd>
      found: crate::Unknown
      other: std::time::Duration
";
    write(&project, "codegen.yml", &format!("{CONFIG}{more}"));
    let output = fail(&project, "generate");
    insta::assert_snapshot!(output, @r"
    error: `traitql.scalars.Money`: api/src/money.rs has no type `Mony`: did you mean `Money`?
     --> codegen.yml:10:12
    error: `traitql.scalars.Day`: `traitql` has no scalar type `Dat`; its scalar types are `Date`, `DateTime`, `Id`, `Json`, `Url`: did you mean `Date`?
     --> codegen.yml:11:10
    error: `traitql.enums.State`: api/src/money.rs has no type `Stag`: did you mean `Stage`?
     --> codegen.yml:15:12
    error: `traitql.extra.Tour.key`: `traitql` has no type `Idd`: did you mean `Id`?
     --> codegen.yml:18:12
      = help: all keys are documented at https://github.com/waypost/waypost/blob/HEAD/server/traitql/docs/configuration.md
    nothing was written
    ");
}
