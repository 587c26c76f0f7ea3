//! README tests compile and run projects from schemas that were not written for traitql.
#![allow(clippy::unwrap_used)]

mod crates;
mod repository;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

const SCHEMA: &str = r#"
schema { query: Root }
"Roots have other names, arguments are keywords, and conventions are violated."
type Root { self: Thing, things(type: Kind, first: Int = 2): ThingConnection!, user_name: String }
type Thing { id: ID!, kind: Kind, at: DateTime, price: Money }
type ThingConnection { nodes: [Thing], totalCount: Int! }
enum Kind { one TWO }
scalar DateTime
scalar Money
input Filter { kind: Kind }
"#;

struct Folder(TempDir);

impl Folder {
    fn with(files: &[(&str, &str)]) -> Self {
        let folder = Self(TempDir::new().unwrap());
        for (path, text) in files {
            let path = folder.path(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        folder
    }

    fn path(&self, path: &str) -> std::path::PathBuf {
        self.0.path().join(path)
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    fn run(&self, args: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_traitql"))
            .args(args)
            .current_dir(self.0.path())
            .output()
            .unwrap()
    }

    fn succeed(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    fn fail(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert!(!output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        String::from_utf8(output.stderr).unwrap()
    }

    fn all(&self, folder: &str) -> BTreeMap<String, String> {
        fn walk(at: &Path, base: &Path, found: &mut BTreeMap<String, String>) {
            for entry in fs::read_dir(at).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    walk(&path, base, found);
                } else {
                    let name = path.strip_prefix(base).unwrap().to_str().unwrap().to_owned();
                    found.insert(name, fs::read_to_string(&path).unwrap());
                }
            }
        }
        let (mut found, at) = (BTreeMap::new(), self.path(folder));
        walk(&at, &at, &mut found);
        found
    }
}

#[test]
fn a_new_project_is_complete_and_up_to_date() {
    let folder = Folder::with(&[("a/things.graphql", SCHEMA)]);
    let output = folder.succeed(&["new", "my-shop", "--public", "--schema", "a/*.graphql"]);
    assert!(output.starts_with("my-shop: 4 fields with sample values"), "{output}");
    assert!(
        output.contains("access_missing, connection_shape, input_suffix"),
        "{output}"
    );

    assert!(
        output.contains("every root field is public: everyone can call it without signing in"),
        "{output}"
    );

    let configuration = folder.read("my-shop/codegen.yml");
    assert!(configuration.contains("    DateTime: traitql::DateTime\n    Money: traitql::Json\n"));
    assert!(folder.read("my-shop/Cargo.toml").contains("name = \"my-shop\""));
    assert!(
        folder
            .read("my-shop/src/main.rs")
            .contains("use my_shop::{App, engine};")
    );
    // rustc suggests the declaration if the line is lost.
    let declaration = "#[rustfmt::skip] mod generated;\n";
    assert!(folder.read("my-shop/api/src/lib.rs").contains(declaration));
    assert_eq!(folder.read("my-shop/schema/things.graphql"), SCHEMA);
    // The patterns of traitql.
    for line in folder.read("my-shop/.graphqlrc.yml").lines() {
        assert!(configuration.lines().any(|other| other == line), "{line}");
    }
    let leftover = folder.all("my-shop").into_iter().find(|(_, text)| text.contains("{{"));
    assert!(
        leftover.is_none_or(|(path, _)| path.contains("generated")),
        "a template contains an unreplaced placeholder"
    );

    // Until a field is removed from the list.
    let scaffold = ["scaffold", "--config", "my-shop/codegen.yml"];
    let output = folder.succeed(&scaffold);
    let expected = "all 4 resolvers already exist; 4 are mocked: remove one from the list at src/mocked.rs:";
    assert!(output.contains(expected), "{output}");
    let list = folder.read("my-shop/src/mocked.rs");
    let list = list.replace("    api::field::RootThings,\n", "");
    fs::write(folder.path("my-shop/src/mocked.rs"), list).unwrap();
    let output = folder.succeed(&scaffold);
    assert!(output.contains("impl resolve::RootThings for App"), "{output}");
    assert!(!output.contains("RootSelf"), "{output}");

    let check = ["check", "--config", "my-shop/codegen.yml"];
    assert!(folder.succeed(&check).contains("up to date"));
}

#[test]
fn existing_files_are_never_changed() {
    let folder = Folder::with(&[
        ("things.graphql", SCHEMA),
        ("full/notes.txt", "mine"),
        ("repository/.git/HEAD", "ref"),
    ]);
    let output = folder.fail(&["new", "full", "--schema", "things.graphql"]);
    assert!(
        output.contains("full is not empty: it contains `notes.txt`"),
        "{output}"
    );
    assert_eq!(folder.all("full").len(), 1);
    folder.succeed(&["new", "repository", "--public", "--schema", "things.graphql"]);
    assert_eq!(folder.read("repository/.git/HEAD"), "ref");
}

#[test]
fn an_invalid_schema_creates_nothing() {
    let folder = Folder::with(&[
        (
            "things.graphql",
            "type Query { a: Strin @public  a: Int @public }\ninput lower { a: Int }",
        ),
        ("good.graphql", SCHEMA),
    ]);
    let output = folder.fail(&["new", "shop", "--schema", "things.graphql"]);
    assert!(output.contains("things.graphql:1:"), "{output}");
    // Violated, but allowed.
    assert!(!output.contains("input_suffix"), "{output}");
    assert!(!folder.path("shop").exists());
    let output = folder.fail(&["new", "shop", "--schema", "none/*.graphql"]);
    assert!(
        output.contains("`--schema`: no file matches `none/*.graphql`: the folder `none` does not exist"),
        "{output}"
    );
    let output = folder.fail(&[
        "new",
        "shop",
        "--public",
        "--schema",
        "good.graphql",
        "--runtime",
        "nowhere",
    ]);
    assert!(output.contains("nowhere does not contain a crate"), "{output}");
}

#[test]
fn a_schema_without_access_directives_is_opened_only_explicitly() {
    let folder = Folder::with(&[("things.graphql", SCHEMA)]);
    for command in [
        &["new", "shop", "--schema", "things.graphql"][..],
        &["generate", "--schema", "things.graphql", "--crate", "shop"],
    ] {
        let output = folder.fail(command);
        let problem = "error[T012 access_missing]: none of the 3 root fields has an access directive\n";
        assert!(output.contains(problem), "{output}");
        assert!(output.contains("or `@public` to allow everyone"), "{output}");
        assert!(output.contains("`cargo traitql new --public` does that"), "{output}");
        assert!(output.contains("\n1 problem found\n"), "{output}");
        assert!(!folder.path("shop").exists());
    }
}

#[test]
fn a_schema_with_an_access_directive_stays_closed() {
    let schema = "enum Role { READER EDITOR } type Item { id: ID! }
        type Query { mine: Int @auth secret: Int open: Int @public }
        type Mutation { wipe(id: ID!): Int edit(id: ID!): Int @auth(role: EDITOR, of: \"Item\", by: \"id\") }";
    let folder = Folder::with(&[("api.graphql", schema)]);
    for command in [
        &["new", "shop", "--schema", "api.graphql"][..],
        &["new", "shop", "--public", "--schema", "api.graphql"],
        &["generate", "--public", "--schema", "api.graphql", "--crate", "shop"],
    ] {
        let output = folder.fail(command);
        assert!(output.contains("`Query.secret` has no access directive"), "{output}");
        assert!(output.contains("`Mutation.wipe` has no access directive"), "{output}");
        assert!(output.contains("\n2 problems found\n"), "{output}");
        assert!(!folder.path("shop").exists());
    }

    let closed = schema
        .replace("secret: Int", "secret: Int @auth")
        .replace("wipe(id: ID!): Int", "wipe(id: ID!): Int @auth");
    fs::write(folder.path("api.graphql"), closed).unwrap();
    folder.succeed(&["new", "shop", "--public", "--schema", "api.graphql"]);
    assert!(!folder.read("shop/codegen.yml").contains("access_missing"));
    fs::write(folder.path("shop/schema/api.graphql"), schema).unwrap();
    let configuration = folder
        .read("shop/codegen.yml")
        .replace("traitql:\n", "traitql:\n  allow: [access_missing]\n");
    fs::write(folder.path("shop/codegen.yml"), configuration).unwrap();
    let output = folder.fail(&["generate", "--config", "shop/codegen.yml"]);
    assert!(
        output.contains("can be allowed only for a schema that uses neither"),
        "{output}"
    );
}

#[test]
fn an_access_check_of_another_tool_is_rejected() {
    let schema = "directive @authenticated on FIELD_DEFINITION
        type Query { secret: Int @authenticated @public open: Int @public }";
    let folder = Folder::with(&[("api.graphql", schema)]);
    let output = folder.fail(&["new", "shop", "--schema", "api.graphql"]);
    assert!(
        output.contains("error[T019 access_foreign]: traitql does not enforce `@authenticated`"),
        "{output}"
    );
    assert!(!folder.path("shop").exists());
}

#[test]
fn missing_directive_definitions_are_added_to_the_project() {
    let schema = "type Query { a(text: String! @length(max: 9)): Int @public b: Int @publik }";
    let folder = Folder::with(&[("api.graphql", schema)]);
    let output = folder.fail(&["new", "fresh", "--schema", "api.graphql"]);
    assert!(output.contains("unknown directive `@publik`"), "{output}");
    assert!(!output.contains("directive `@length`"), "{output}");

    let folder = Folder::with(&[("api.graphql", &schema.replace("@publik", "@public"))]);
    let output = folder.succeed(&["new", "fresh", "--schema", "api.graphql"]);
    let expected = "schema/traitql.graphql defines the directives of traitql that the schema uses: @public, @length";
    assert!(output.contains(expected), "{output}");
    let defined = folder.read("fresh/schema/traitql.graphql");
    assert!(defined.contains("directive @length("), "{defined}");
    folder.succeed(&["check", "--config", "fresh/codegen.yml"]);
    let output = folder.succeed(&["generate", "--schema", "api.graphql", "--crate", "alone"]);
    assert!(
        output.contains("directives of traitql without defining them: @public, @length."),
        "{output}"
    );
}

#[test]
fn a_schema_with_subscriptions_adds_a_stream_dependency() {
    let schema = "type Query { a: Int @public } type Subscription { b: Int @public }";
    let folder = Folder::with(&[("api.graphql", schema)]);
    folder.succeed(&["new", "fresh", "--schema", "api.graphql"]);
    assert!(folder.read("fresh/Cargo.toml").contains("\nfutures-util = "));
}

#[test]
fn the_first_operation_selects_the_nodes_of_a_connection() {
    let schema = "type Query { a(first: Int): AConnection! @public } type A { id: ID! name: String }
        type AConnection { edges: [AEdge!]! pageInfo: PageInfo! } type AEdge { cursor: String! node: A! }
        type PageInfo { hasNextPage: Boolean! endCursor: String }";
    let folder = Folder::with(&[("api.graphql", schema)]);
    folder.succeed(&["new", "fresh", "--schema", "api.graphql"]);
    let operation = folder.read("fresh/operations/FirstLook.graphql");
    let operation = operation.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(operation, "query FirstLook { a { edges { node { id name } } } }");
}

#[test]
fn definitions_are_appended_to_an_existing_file() {
    let own = "directive @public on FIELD_DEFINITION\n";
    let schema = "type Query { a(text: String! @length(max: 9)): Int @public }\n";
    let folder = Folder::with(&[("schema/traitql.graphql", own), ("schema/api.graphql", schema)]);
    folder.succeed(&["new", "fresh", "--schema", "schema/*.graphql"]);
    let defined = folder.read("fresh/schema/traitql.graphql");
    assert!(
        defined.starts_with(own) && defined.contains("directive @length("),
        "{defined}"
    );
    assert_eq!(folder.read("fresh/schema/api.graphql"), schema);
    folder.succeed(&["check", "--config", "fresh/codegen.yml"]);
}

#[test]
fn an_introspection_response_can_be_used_as_schema() {
    let string = r#"{ "kind": "SCALAR", "name": "String" }"#;
    let response = format!(
        r#"{{ "data": {{ "__schema": {{ "queryType": {{ "name": "Query" }}, "types": [
            {{ "kind": "OBJECT", "name": "Query", "fields": [{{ "name": "hello", "args": [], "type": {string} }}] }}, {string}
        ] }} }} }}"#
    );
    let folder = Folder::with(&[("api.json", &response), ("bad.json", "{}")]);
    folder.succeed(&["new", "shop", "--public", "--schema", "api.json"]);
    assert!(
        folder
            .read("shop/schema/api.graphql")
            .contains("type Query {\n  hello: String\n}")
    );
    assert_eq!(
        folder.read("shop/operations/FirstLook.graphql"),
        "query FirstLook {\n  hello\n}\n"
    );
    let output = folder.fail(&["new", "other", "--schema", "bad.json"]);
    assert!(
        output.contains("bad.json is not a schema: not an introspection response"),
        "{output}"
    );
}

#[test]
fn a_schema_with_access_checks_adds_development_sign_in() {
    let guarded = "directive @auth(role: Role, of: String, by: String, maxAge: Int, acr: String) on FIELD_DEFINITION\n\
        enum Role { READER OWNER }\n\
        type Query { tour(id: ID!): Tour @auth(role: READER, of: \"Tour\", by: \"id\") }\n\
        type Tour { id: ID! }\n";
    let folder = Folder::with(&[("tour.graphql", guarded)]);
    folder.succeed(&["new", "tours", "--schema", "tour.graphql"]);
    assert!(folder.read("tours/src/app.rs").contains("api::Role::ALL.last()"));
    assert!(
        folder
            .read("tours/src/main.rs")
            .contains(".authenticate(Arc::new(AnyToken))")
    );
    assert!(folder.read("tours/README.md").contains("Bearer ada"));
    assert!(
        folder
            .read("tours/operations/FirstLook.graphql")
            .contains("tour(id: \"1\")")
    );
}

#[test]
fn foreign_definitions_of_directives_are_kept_with_a_warning() {
    let own = "directive @auth(requires: String) on FIELD_DEFINITION\ndirective @cost(weight: Int) on FIELD_DEFINITION\n\
        type Query { a: Int @auth(requires: \"ADMIN\") @cost(weight: 1) }";
    let folder = Folder::with(&[("own.graphql", own)]);
    let output = folder.fail(&["new", "own", "--schema", "own.graphql"]);
    assert!(output.contains("error[T012 access_missing]"), "{output}");
    assert!(output.contains("traitql does not enforce `@auth`"), "{output}");
    let output = folder.succeed(&["new", "own", "--public", "--schema", "own.graphql"]);
    let allowed =
        "allows the conventions that this schema violates: access_foreign, access_missing, definition_differs\n";
    assert!(
        output.contains(allowed) && output.contains("are not enforced"),
        "{output}"
    );
    assert!(
        output.contains("access checks by directives of other tools are absent"),
        "{output}"
    );
    assert!(!folder.read("own/src/main.rs").contains("AnyToken"));
}

#[test]
fn a_command_from_a_checkout_uses_its_runtime() {
    let folder = Folder::with(&[("things.graphql", SCHEMA)]);
    let output = folder.succeed(&["new", "shop", "--public", "--schema", "things.graphql"]);
    let manifest = folder.read("shop/Cargo.toml");
    for name in ["runtime", "axum"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name(name);
        assert!(manifest.contains(&format!("{{ path = {path:?} }}")), "{manifest}");
    }
    assert!(output.contains("Cargo.toml uses the runtime in "), "{output}");
}

#[test]
fn an_unfinished_project_is_observable_and_fails_closed() {
    let guarded = "directive @auth(role: Role, of: String, by: String, maxAge: Int, acr: String) on FIELD_DEFINITION\n\
        enum Role { READER OWNER }\n\
        type Query { tour(id: ID!): Tour @auth(role: READER, of: \"Tour\", by: \"id\") }\n\
        type Tour { id: ID! }\n";
    let folder = Folder::with(&[("tour.graphql", guarded)]);
    folder.succeed(&["new", "tours", "--schema", "tour.graphql"]);
    // Responses lack the causes.
    assert!(
        folder
            .read("tours/src/main.rs")
            .contains("tracing_subscriber::fmt::init();")
    );
    assert!(folder.read("tours/tests/api.rs").contains("tracing_subscriber::fmt()"));
    assert!(folder.read("tours/Cargo.toml").contains("\ntracing-subscriber = "));
    let grant = "api::Role::ALL.last().filter(|_| cfg!(debug_assertions))";
    assert!(folder.read("tours/src/app.rs").contains(grant));
}

#[test]
fn the_rust_types_of_scalars_are_reported() {
    let schema = "type Query { a(file: Upload): URL, b: Money } scalar Upload scalar URL scalar Money";
    let folder = Folder::with(&[("api.graphql", schema)]);
    let output = folder.succeed(&["new", "shop", "--public", "--schema", "api.graphql"]);
    let lines = [
        "codegen.yml maps scalars to Rust types; change them in `traitql.scalars`:\n",
        "  - `traitql::Json` accepts any value: `Upload`, `Money`\n",
        "  - `traitql::Url` accepts only http and https URLs: `URL`\n",
        "  - traitql does not support file uploads, so requests cannot contain files for `Upload`\n",
    ];
    assert!(output.contains(&lines.concat()), "{output}");
}

#[test]
fn the_help_for_undefined_directives_is_complete() {
    let schema = "type Query { issue(id: ID!): Int @public @throws(codes: [ISSUE_LOCKED]) }
        type Mutation { report(mail: String @format(is: EMAIL)): Int @auth @throws(codes: [LABEL_UNKNOWN, ISSUE_LOCKED]) }";
    let folder = Folder::with(&[("api.graphql", schema)]);
    let output = folder.fail(&["new", "tracker", "--schema", "api.graphql"]);
    let definitions = output.lines().map(str::trim).filter(|line| line.starts_with('`'));
    let mut definitions: Vec<&str> = definitions.map(|line| line.trim_matches('`')).collect();
    definitions.sort_unstable();
    definitions.dedup();
    fs::write(
        folder.path("api.graphql"),
        format!("{schema}\n{}\n", definitions.join("\n")),
    )
    .unwrap();
    folder.succeed(&["new", "tracker", "--schema", "api.graphql"]);
}

#[test]
fn long_lists_of_names_are_cut() {
    let scalars: String = (0..30).map(|number| format!("scalar S{number} ")).collect();
    let fields: String = (0..30)
        .map(|number| format!("aB{number}: S{number} a_b{number}: Int "))
        .collect();
    let schema = format!("type Query {{ item: Item @public }} type Item {{ {fields} }} {scalars}");
    let folder = Folder::with(&[("api.graphql", &schema)]);
    let output = folder.succeed(&["new", "shop", "--schema", "api.graphql"]);
    assert!(output.contains("`S8`, `S9` and 20 more\n"), "{output}");
    assert!(output.contains("`Item.a_b9` is `a_b9_2` and 20 more\n"), "{output}");
    assert!(output.lines().all(|line| line.len() < 500), "{output}");
    assert_eq!(folder.read("shop/codegen.yml").matches("traitql::Json").count(), 30);
}

#[test]
fn a_project_has_the_http_layer_next_to_the_runtime() {
    let folder = Folder::with(&[("things.graphql", SCHEMA), ("lib/runtime/Cargo.toml", "")]);
    let runtime = ["--runtime", "lib/runtime"];
    folder.succeed(&[&["new", "shop", "--public", "--schema", "things.graphql"][..], &runtime].concat());
    let manifest = folder.read("shop/Cargo.toml");
    assert!(
        manifest.contains("traitql-axum = { path = \"../lib/axum\" }"),
        "{manifest}"
    );
}

const COLLISIONS: &str = "type Query { user(userId: ID, user_id: ID): User, userName: String, colors: [Color!] }\n\
    type User { profilePicture(size: Int): String, profile_picture(scale: Float): String, color: Color }\n\
    type QueryUser { name(short: Boolean): String }\n\
    type Schema { id: ID! }\n\
    type Color_Map { id: ID! }\n\
    type ColorMap { id: ID! }\n\
    enum Color { FOO_BAR fooBar }\n";

#[test]
fn colliding_rust_names_are_renamed_in_the_configuration() {
    let folder = Folder::with(&[("a/api.graphql", COLLISIONS)]);
    let output = folder.succeed(&["new", "shop", "--public", "--schema", "a/*.graphql"]);
    assert!(
        output.contains("whose Rust names would collide: `Schema` is `SchemaType`, `ColorMap` is `ColorMap2`, "),
        "{output}"
    );
    let configuration = folder.read("shop/codegen.yml");
    let lines = "  rename:\n    Schema: SchemaType\n    ColorMap: ColorMap2\n    \"Query.user(user_id:)\": user_id_2\n    \
        User.profile_picture: profile_picture_2\n    QueryUser.name: name_2\n    Color.fooBar: FooBar2\n";
    assert!(configuration.contains(lines), "{configuration}");
    let generated = folder.all("shop/api/src/generated");
    assert!(generated["resolve/api.rs"].contains("trait UserProfilePicture2:"));
    assert!(generated["schema.graphql"].contains("profile_picture(scale: Float): String"));

    let check = ["check", "--config", "shop/codegen.yml"];
    assert!(folder.succeed(&check).contains("up to date"));
    let better = configuration.replace("profile_picture_2", "scaled_picture");
    fs::write(folder.path("shop/codegen.yml"), better).unwrap();
    folder.succeed(&["generate", "--config", "shop/codegen.yml"]);
    assert!(folder.all("shop/api/src/generated")["resolve/api.rs"].contains("trait UserScaledPicture:"));
    let without = configuration.replace("    User.profile_picture: profile_picture_2\n", "");
    fs::write(folder.path("shop/codegen.yml"), without).unwrap();
    let output = folder.fail(&check);
    assert!(
        output.contains("rust_name_clash") && output.contains("User.profile_picture: profile_picture_2"),
        "{output}"
    );
}

#[test]
#[cfg(target_os = "linux")]
fn a_failed_command_leaves_no_files() {
    let folder = Folder::with(&[("things.graphql", SCHEMA), ("here/.git/HEAD", "ref")]);
    let commands: [&[&str]; 3] = [
        &["new", "shop", "--public", "--schema", "things.graphql"],
        &["new", "here", "--public", "--schema", "things.graphql"],
        &["generate", "--public", "--schema", "things.graphql", "--crate", "shop"],
    ];
    for command in commands {
        // A full disk: schema and manifest exceed the maximum file size.
        let output = Command::new("sh")
            .args([
                "-c",
                "trap '' XFSZ; ulimit -f 4; exec \"$@\"",
                "sh",
                env!("CARGO_BIN_EXE_traitql"),
            ])
            .args(command)
            .current_dir(folder.0.path())
            .output()
            .unwrap();
        let output = String::from_utf8(output.stderr).unwrap();
        assert!(output.contains("cannot write "), "{command:?}: {output}");
        assert!(output.ends_with("nothing was written\n"), "{command:?}: {output}");
        let files = folder.all(".").into_keys();
        assert_eq!(
            files.collect::<Vec<_>>(),
            ["here/.git/HEAD", "things.graphql"],
            "{command:?}"
        );
    }
}
