//! New projects, and crates without a configuration, from schemas that were not written for traitql. Whether they compile and
//! answer is tested where the README's tutorial is followed.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

const SCHEMA: &str = r#"
schema { query: Root }
"Roots have other names, arguments are keywords, and no convention is kept."
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

    fn run(&self, words: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_traitql"))
            .args(words)
            .current_dir(self.0.path())
            .output()
            .unwrap()
    }

    fn succeed(&self, words: &[&str]) -> String {
        let output = self.run(words);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    fn fail(&self, words: &[&str]) -> String {
        let output = self.run(words);
        assert!(!output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        String::from_utf8(output.stderr).unwrap()
    }

    /// Everything below a folder.
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
fn a_project_is_complete_and_fresh() {
    let folder = Folder::with(&[("a/things.graphql", SCHEMA)]);
    let said = folder.succeed(&["new", "my-shop", "--schema", "a/*.graphql"]);
    assert!(
        said.starts_with("my-shop: 4 fields, answered with sample values"),
        "{said}"
    );
    assert!(
        said.contains("access_missing, connection_shape, input_suffix"),
        "{said}"
    );

    assert!(said.contains("is open to everybody"), "{said}");

    let configuration = folder.read("my-shop/codegen.yml");
    assert!(configuration.contains("    DateTime: traitql::DateTime\n    Money: traitql::Json\n"));
    assert!(folder.read("my-shop/Cargo.toml").contains("name = \"my-shop\""));
    assert!(
        folder
            .read("my-shop/src/main.rs")
            .contains("use my_shop::{App, engine};")
    );
    assert_eq!(folder.read("my-shop/schema/things.graphql"), SCHEMA);
    // Editors look for the files where traitql does.
    for line in folder.read("my-shop/.graphqlrc.yml").lines() {
        assert!(configuration.lines().any(|other| other == line), "{line}");
    }
    let leftover = folder.all("my-shop").into_iter().find(|(_, text)| text.contains("{{"));
    assert!(
        leftover.is_none_or(|(path, _)| path.contains("generated")),
        "a template was not filled in"
    );

    // Nothing is missing until somebody takes a field out of the list.
    let scaffold = ["scaffold", "--config", "my-shop/codegen.yml"];
    let said = folder.succeed(&scaffold);
    assert!(said.contains("all 4 resolvers are written already"), "{said}");
    let list = folder.read("my-shop/src/mocked.rs");
    let list = list.replace("    api::field::RootThings,\n", "");
    fs::write(folder.path("my-shop/src/mocked.rs"), list).unwrap();
    let said = folder.succeed(&scaffold);
    assert!(said.contains("impl resolve::RootThings for App"), "{said}");
    assert!(!said.contains("RootSelf"), "{said}");

    let check = ["check", "--config", "my-shop/codegen.yml"];
    assert!(folder.succeed(&check).contains("up to date"));
}

#[test]
fn what_is_there_is_never_touched() {
    let folder = Folder::with(&[
        ("things.graphql", SCHEMA),
        ("full/notes.txt", "mine"),
        ("repository/.git/HEAD", "ref"),
    ]);
    let said = folder.fail(&["new", "full", "--schema", "things.graphql"]);
    assert!(said.contains("full is not empty: it holds `notes.txt`"), "{said}");
    assert_eq!(folder.all("full").len(), 1);
    folder.succeed(&["new", "repository", "--schema", "things.graphql"]);
    assert_eq!(folder.read("repository/.git/HEAD"), "ref");
}

#[test]
fn a_schema_that_is_wrong_makes_nothing() {
    let folder = Folder::with(&[
        (
            "things.graphql",
            "type Query { a: Strin  a: Int }\ninput lower { a: Int }",
        ),
        ("good.graphql", SCHEMA),
    ]);
    let said = folder.fail(&["new", "shop", "--schema", "things.graphql"]);
    assert!(said.contains("things.graphql:1:"), "{said}");
    // Conventions are given up, so they are not among the problems.
    assert!(
        !said.contains("input_suffix") && !said.contains("access_missing"),
        "{said}"
    );
    assert!(!folder.path("shop").exists());
    let said = folder.fail(&["new", "shop", "--schema", "none/*.graphql"]);
    assert!(
        said.contains("`--schema`: no file fits `none/*.graphql`: there is no folder `none`"),
        "{said}"
    );
    let said = folder.fail(&["new", "shop", "--schema", "good.graphql", "--runtime", "nowhere"]);
    assert!(said.contains("there is no crate in nowhere"), "{said}");
}

#[test]
fn directives_that_the_schema_uses_are_defined_in_a_file_of_the_project() {
    let schema = "type Query { a(text: String! @length(max: 9)): Int @public b: Int @publik }";
    let folder = Folder::with(&[("api.graphql", schema)]);
    let said = folder.fail(&["new", "fresh", "--schema", "api.graphql"]);
    assert!(said.contains("there is no directive `@publik`"), "{said}");
    assert!(!said.contains("directive `@length`"), "{said}");

    let folder = Folder::with(&[("api.graphql", &schema.replace("@publik", "@public"))]);
    let said = folder.succeed(&["new", "fresh", "--schema", "api.graphql"]);
    let told = "schema/traitql.graphql defines what the schema uses of traitql's directives: @public, @length";
    assert!(said.contains(told), "{said}");
    let defined = folder.read("fresh/schema/traitql.graphql");
    assert!(defined.contains("directive @length("), "{defined}");
    folder.succeed(&["check", "--config", "fresh/codegen.yml"]);
    let said = folder.succeed(&["generate", "--schema", "api.graphql", "--crate", "alone"]);
    assert!(said.contains("traitql's directives: @public, @length."), "{said}");
}

#[test]
fn a_schema_with_subscriptions_comes_with_what_makes_streams() {
    let schema = "type Query { a: Int } type Subscription { b: Int }";
    let folder = Folder::with(&[("api.graphql", schema)]);
    folder.succeed(&["new", "fresh", "--schema", "api.graphql"]);
    assert!(folder.read("fresh/Cargo.toml").contains("\nfutures-util = "));
}

#[test]
fn the_first_look_at_a_connection_shows_its_nodes() {
    let schema = "type Query { a(first: Int): AConnection! } type A { id: ID! name: String }
        type AConnection { edges: [AEdge!]! pageInfo: PageInfo! } type AEdge { cursor: String! node: A! }
        type PageInfo { hasNextPage: Boolean! endCursor: String }";
    let folder = Folder::with(&[("api.graphql", schema)]);
    folder.succeed(&["new", "fresh", "--schema", "api.graphql"]);
    let asked = folder.read("fresh/operations/FirstLook.graphql");
    let asked = asked.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(asked, "query FirstLook { a { edges { node { id name } } } }");
}

#[test]
fn definitions_join_the_file_that_is_meant_for_them() {
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
fn an_introspection_answer_is_a_schema_too() {
    let string = r#"{ "kind": "SCALAR", "name": "String" }"#;
    let answer = format!(
        r#"{{ "data": {{ "__schema": {{ "queryType": {{ "name": "Query" }}, "types": [
            {{ "kind": "OBJECT", "name": "Query", "fields": [{{ "name": "hello", "args": [], "type": {string} }}] }}, {string}
        ] }} }} }}"#
    );
    let folder = Folder::with(&[("api.json", &answer), ("bad.json", "{}")]);
    folder.succeed(&["new", "shop", "--schema", "api.json"]);
    assert!(
        folder
            .read("shop/schema/api.graphql")
            .contains("type Query {\n  hello: String\n}")
    );
    assert_eq!(
        folder.read("shop/operations/FirstLook.graphql"),
        "query FirstLook {\n  hello\n}\n"
    );
    let said = folder.fail(&["new", "other", "--schema", "bad.json"]);
    assert!(
        said.contains("bad.json is no schema: it is not the answer of an introspection query"),
        "{said}"
    );
}

#[test]
fn a_guarded_schema_comes_with_somebody_who_is_signed_in() {
    let guarded = "directive @auth(role: Role, of: String, by: String) on FIELD_DEFINITION\n\
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
fn directives_of_others_are_left_alone_and_that_is_said() {
    let own = "directive @auth(requires: String) on FIELD_DEFINITION\ntype Query { a: Int @auth(requires: \"ADMIN\") }";
    let folder = Folder::with(&[("own.graphql", own)]);
    let said = folder.succeed(&["new", "own", "--schema", "own.graphql"]);
    assert!(
        said.contains("definition_differs") && said.contains("is not enforced"),
        "{said}"
    );
    assert!(!folder.read("own/src/main.rs").contains("AnyToken"));
}

#[test]
fn a_crate_gets_a_name_that_cargo_takes_and_the_runtime_of_the_environment() {
    let folder = Folder::with(&[("things.graphql", SCHEMA), ("runtime/Cargo.toml", "")]);
    let output = Command::new(env!("CARGO_BIN_EXE_traitql"))
        .args(["generate", "--schema", "things.graphql", "--crate", "2.things"])
        .current_dir(folder.0.path())
        .env("TRAITQL_RUNTIME", "runtime")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let manifest = folder.read("2.things/Cargo.toml");
    assert!(manifest.contains("name = \"api-2-things\""), "{manifest}");
    assert!(manifest.contains("traitql = { path = \"../runtime\" }"), "{manifest}");
}

#[test]
fn a_crate_needs_no_configuration() {
    let operation = "query Things { things { nodes { id } } }";
    let folder = Folder::with(&[("a/things.graphql", SCHEMA), ("b/Things.graphql", operation)]);
    let command = [
        "generate",
        "--schema",
        "a/*",
        "--operations",
        "b/*",
        "--crate",
        "out/thing-api",
    ];
    let said = folder.succeed(&command);
    assert!(said.contains("files for"), "{said}");
    let made = folder.all("out/thing-api");
    assert!(made["Cargo.toml"].contains("name = \"thing-api\""));
    assert!(made["src/generated/mod.rs"].contains("include_str!(\"manifest.json\")"));
    assert!(made["src/generated/manifest.json"].contains("\"name\": \"Things\""));
    let foreign = made
        .values()
        .find(|text| text.contains(folder.0.path().to_str().unwrap()));
    assert!(foreign.is_none(), "what is generated knows no place of this machine");

    // What people may write is theirs, what is generated is not.
    fs::write(folder.path("out/thing-api/src/lib.rs"), "mine").unwrap();
    fs::write(
        folder.path("a/things.graphql"),
        SCHEMA.replace("totalCount: Int!", "totalCount: Int"),
    )
    .unwrap();
    let said = folder.succeed(&command);
    assert!(said.contains("ThingConnection.totalCount"), "{said}");
    assert_eq!(folder.read("out/thing-api/src/lib.rs"), "mine");
}

#[test]
fn the_example_is_fresh() {
    fresh("traitql-example/codegen.yml");
}

#[test]
fn what_the_benchmarks_are_generated_from_is_fresh() {
    fresh("bench/codegen.yml");
    fresh("bench/codegen.shared.yml");
}

fn fresh(configuration: &str) {
    let configuration = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name(configuration);
    let output = Command::new(env!("CARGO_BIN_EXE_traitql"))
        .arg(match std::env::var_os("TRAITQL_BLESS") {
            Some(_) => "generate",
            None => "check",
        })
        .arg("--config")
        .arg(&configuration)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{said}\nRun TRAITQL_BLESS=1 cargo test -p traitql-cli --test new"
    );
}

const MEETING: &str = "type Query { user(userId: ID, user_id: ID): User, userName: String, colors: [Color!] }\n\
    type User { profilePicture(size: Int): String, profile_picture(scale: Float): String, color: Color }\n\
    type QueryUser { name(short: Boolean): String }\n\
    type Schema { id: ID! }\n\
    type Color_Map { id: ID! }\n\
    type ColorMap { id: ID! }\n\
    enum Color { FOO_BAR fooBar }\n";

#[test]
fn names_that_meet_in_rust_are_kept_apart_where_the_person_sees_it() {
    let folder = Folder::with(&[("a/api.graphql", MEETING)]);
    let said = folder.succeed(&["new", "shop", "--schema", "a/*.graphql"]);
    assert!(
        said.contains("would be called the same in Rust: `Schema` is `SchemaType`, `ColorMap` is `ColorMap2`, "),
        "{said}"
    );
    let configuration = folder.read("shop/codegen.yml");
    let lines = "  rename:\n    Schema: SchemaType\n    ColorMap: ColorMap2\n    \"Query.user(user_id:)\": user_id_2\n    \
        User.profile_picture: profile_picture_2\n    QueryUser.name: name_2\n    Color.fooBar: FooBar2\n";
    assert!(configuration.contains(lines), "{configuration}");
    let generated = folder.all("shop/api/src/generated");
    assert!(generated["resolve/api.rs"].contains("trait UserProfilePicture2:"));
    assert!(generated["schema.graphql"].contains("profile_picture(scale: Float): String"));

    // From then on the lines are the person's.
    let check = ["check", "--config", "shop/codegen.yml"];
    assert!(folder.succeed(&check).contains("up to date"));
    let better = configuration.replace("profile_picture_2", "scaled_picture");
    fs::write(folder.path("shop/codegen.yml"), better).unwrap();
    folder.succeed(&["generate", "--config", "shop/codegen.yml"]);
    assert!(folder.all("shop/api/src/generated")["resolve/api.rs"].contains("trait UserScaledPicture:"));
    let without = configuration.replace("    User.profile_picture: profile_picture_2\n", "");
    fs::write(folder.path("shop/codegen.yml"), without).unwrap();
    let said = folder.fail(&check);
    assert!(
        said.contains("rust_name_clash") && said.contains("User.profile_picture: profile_picture_2"),
        "{said}"
    );
}

#[test]
fn a_crate_without_configuration_says_what_it_renamed() {
    let folder = Folder::with(&[("a/api.graphql", MEETING)]);
    let command = ["generate", "--schema", "a/*", "--crate", "shop-api"];
    let said = folder.succeed(&command);
    assert!(
        said.contains("kept apart: `Schema` is `SchemaType`, ") && said.contains("`Color.fooBar` is `FooBar2`"),
        "{said}"
    );
    let first = folder.all("shop-api");
    assert!(first["src/generated/types/api.rs"].contains("pub struct SchemaType {"));
    // Once more it is the same, also where the pattern takes the schema that was generated.
    for files in ["a/*", "**/*.graphql"] {
        let said = folder.succeed(&["generate", "--schema", files, "--crate", "shop-api"]);
        assert!(said.starts_with("nothing changed\n"), "{said}");
        assert_eq!(folder.all("shop-api"), first);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn what_cannot_be_completed_is_not_begun() {
    let folder = Folder::with(&[("things.graphql", SCHEMA), ("here/.git/HEAD", "ref")]);
    let commands: [&[&str]; 3] = [
        &["new", "shop", "--schema", "things.graphql"],
        &["new", "here", "--schema", "things.graphql"],
        &["generate", "--schema", "things.graphql", "--crate", "shop"],
    ];
    for command in commands {
        // The files of the schema and of the manifest are longer than a file may be here, as on a disk that is full.
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
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains("cannot write "), "{command:?}: {said}");
        assert!(said.ends_with("nothing was written\n"), "{command:?}: {said}");
        let files = folder.all(".").into_keys();
        assert_eq!(
            files.collect::<Vec<_>>(),
            ["here/.git/HEAD", "things.graphql"],
            "{command:?}"
        );
    }
}

#[test]
fn a_crate_that_cannot_be_generated_is_not_begun() {
    let folder = Folder::with(&[
        ("things.graphql", SCHEMA),
        ("shop-api/src/generated/mine.rs", "// Somebody's own work."),
    ]);
    let said = folder.fail(&["generate", "--schema", "things.graphql", "--crate", "shop-api"]);
    assert!(said.contains("mine.rs was not generated"), "{said}");
    assert!(said.ends_with("nothing was written\n"), "{said}");
    assert_eq!(
        folder.all("shop-api").len(),
        1,
        "neither Cargo.toml nor lib.rs is there"
    );
}
