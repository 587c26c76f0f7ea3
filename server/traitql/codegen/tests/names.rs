#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

use syn::{Item, UseTree};
use traitql_codegen::Config;
use traitql_schema::{Options, SourceText, names::RESERVED_TYPE_NAMES};

/// An item next to `pub use types::*` would shadow a type without a compile error.
#[test]
fn names_of_generated_items_are_reserved() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("golden-tests");
    let text = fs::read_to_string(root.join("src/generated/mod.rs")).unwrap();
    let mut names = Vec::new();
    for item in syn::parse_file(&text).unwrap().items {
        match item {
            Item::Mod(item) => names.push(item.ident.to_string()),
            Item::Trait(item) => names.push(item.ident.to_string()),
            Item::Struct(item) => names.push(item.ident.to_string()),
            Item::Enum(item) => names.push(item.ident.to_string()),
            Item::Type(item) => names.push(item.ident.to_string()),
            Item::Use(item) => imported(&item.tree, &mut names),
            _ => {}
        }
    }
    assert!(names.len() > 10, "{names:?}");
    let free: Vec<&String> = names
        .iter()
        .filter(|name| !RESERVED_TYPE_NAMES.contains(&name.as_str()))
        .collect();
    assert!(
        free.is_empty(),
        "add {free:?} to RESERVED_TYPE_NAMES in traitql-schema/src/names.rs"
    );
}

fn imported(tree: &UseTree, names: &mut Vec<String>) {
    match tree {
        UseTree::Path(path) => imported(&path.tree, names),
        UseTree::Name(name) => names.push(name.ident.to_string()),
        UseTree::Rename(rename) => names.push(rename.rename.to_string()),
        UseTree::Group(group) => group.items.iter().for_each(|tree| imported(tree, names)),
        UseTree::Glob(_) => {}
    }
}

#[test]
fn a_type_with_the_name_of_its_file_is_not_shadowed_by_the_module() {
    let schema = SourceText::new(
        "schema/users.graphql",
        "type users { id: ID! }\ntype Query { all: [users!]! }",
    );
    let other = SourceText::new("schema/other.graphql", "enum Status { ON }");
    let model = traitql_schema::load(&[schema, other], &[], &Options::lenient()).unwrap();
    let config = Config::new("api", "manifest.json");
    let files = traitql_codegen::generate(&model, &config);
    let types = files.iter().find(|file| file.path.ends_with("types/mod.rs")).unwrap();
    assert!(types.contents.contains("pub use users_::*;"), "{}", types.contents);
}
