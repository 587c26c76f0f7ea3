//! Crates without a project: `generate --schema … --crate …`.

use std::fs;

use crate::{COLLISIONS, Folder, SCHEMA};

#[test]
fn a_crate_has_a_valid_package_name_and_the_chosen_runtime() {
    let folder = Folder::with(&[("things.graphql", SCHEMA), ("runtime/Cargo.toml", "")]);
    let command = [
        "generate",
        "--public",
        "--schema",
        "things.graphql",
        "--crate",
        "2.things",
    ];
    folder.succeed(&[&command[..], &["--runtime", "runtime"]].concat());
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
        "--public",
        "--schema",
        "a/*",
        "--operations",
        "b/*",
        "--crate",
        "out/thing-api",
    ];
    let output = folder.succeed(&command);
    assert!(output.contains("files for"), "{output}");
    let files = folder.all("out/thing-api");
    assert!(files["Cargo.toml"].contains("name = \"thing-api\""));
    assert!(files["src/generated/mod.rs"].contains("include_str!(\"manifest.json\")"));
    assert!(files["src/generated/manifest.json"].contains("\"name\": \"Things\""));
    let absolute = files
        .values()
        .find(|text| text.contains(folder.0.path().to_str().unwrap()));
    assert!(absolute.is_none(), "generated files must not contain absolute paths");

    // `lib.rs` is not overwritten.
    fs::write(folder.path("out/thing-api/src/lib.rs"), "mine").unwrap();
    fs::write(
        folder.path("a/things.graphql"),
        SCHEMA.replace("totalCount: Int!", "totalCount: Int"),
    )
    .unwrap();
    let output = folder.succeed(&command);
    assert!(output.contains("ThingConnection.totalCount"), "{output}");
    assert_eq!(folder.read("out/thing-api/src/lib.rs"), "mine");
}

#[test]
fn a_crate_without_configuration_reports_its_renames() {
    let folder = Folder::with(&[("a/api.graphql", COLLISIONS)]);
    let command = ["generate", "--public", "--schema", "a/*", "--crate", "shop-api"];
    let output = folder.succeed(&command);
    assert!(
        output.contains("were renamed: `Schema` is `SchemaType`, ") && output.contains("`Color.fooBar` is `FooBar2`"),
        "{output}"
    );
    let first = folder.all("shop-api");
    assert!(first["src/generated/types/api.rs"].contains("pub struct SchemaType {"));
    // Even if the pattern includes the generated schema.
    for files in ["a/*", "**/*.graphql"] {
        let output = folder.succeed(&["generate", "--public", "--schema", files, "--crate", "shop-api"]);
        assert!(output.starts_with("nothing changed\n"), "{output}");
        assert_eq!(folder.all("shop-api"), first);
    }
}

#[test]
fn a_crate_that_cannot_be_generated_is_not_created() {
    let folder = Folder::with(&[
        ("things.graphql", SCHEMA),
        ("shop-api/src/generated/mine.rs", "// Handwritten."),
    ]);
    let output = folder.fail(&[
        "generate",
        "--public",
        "--schema",
        "things.graphql",
        "--crate",
        "shop-api",
    ]);
    assert!(output.contains("mine.rs was not generated"), "{output}");
    assert!(output.ends_with("nothing was written\n"), "{output}");
    assert_eq!(
        folder.all("shop-api").len(),
        1,
        "neither Cargo.toml nor lib.rs must be created"
    );
}
