//! The table for editors, as a JSON schema (draft 7, which is what their YAML extensions read), and for readers, as a page in
//! Markdown. `cargo traitql config-schema` prints the first.
//!
//! Of graphql-codegen's keys only those are described that traitql reads too: graphql-codegen's own schema refuses keys that
//! it does not know, so it cannot be combined with ours as a whole. Its parts are referred to.

use serde_json::{Map, Value, json};
use traitql_schema::Options;

use super::table::{Absent, KEYS, Key, Names, Shape};

/// Where graphql-codegen publishes the schema of its configuration.
const THEIRS: &str = "https://the-guild.dev/graphql/codegen/config.schema.json#/definitions/Types.Config/properties";
/// Keys of graphql-codegen that traitql does not read.
const OTHERS: [&str; 9] = [
    "config",
    "emitLegacyCommonJSImports",
    "generates",
    "hooks",
    "ignoreNoDocuments",
    "importExtension",
    "overwrite",
    "require",
    "watch",
];

/// The JSON schema of `codegen.yml`.
pub(crate) fn schema() -> String {
    let files = json!({
        "anyOf": [
            { "type": "string" },
            { "type": "array", "items": { "anyOf": [{ "type": "string" }, { "type": "object", "minProperties": 1, "maxProperties": 1 }] } }
        ]
    });
    let described = |shape: &Value, text: &str| {
        let mut value = shape.clone();
        value["description"] = text.into();
        value
    };
    let mut properties = Map::new();
    properties.insert("schema".into(), described(&files, "The files of the schema."));
    properties.insert("documents".into(), described(&files, "The files of the operations."));
    properties.insert(
        "traitql".into(),
        described(&section(KEYS), "What traitql generates, and how."),
    );
    for key in OTHERS {
        properties.insert(key.into(), json!({ "$ref": format!("{THEIRS}/{key}") }));
    }
    let schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "codegen.yml with a section of traitql",
        "type": "object",
        "required": ["schema", "documents", "traitql"],
        "properties": properties,
    });
    format!("{schema:#}\n")
}

fn section(keys: &[Key]) -> Value {
    let required = keys.iter().filter(|key| matches!(key.absent, Absent::Refused));
    let properties: Map<String, Value> = keys
        .iter()
        .map(|key| {
            let mut value = shape(&key.shape);
            value["description"] = text(key).into();
            (key.name.to_owned(), value)
        })
        .collect();
    json!({
        "type": "object",
        "required": required.map(|key| key.name).collect::<Vec<_>>(),
        "additionalProperties": false,
        "properties": properties,
    })
}

/// What an editor shows beside a key.
fn text(key: &Key) -> String {
    match key.absent {
        Absent::Refused => key.doc.to_owned(),
        Absent::Means(what) => format!("{}\n\nLeft out: {what}.", key.doc),
    }
}

fn shape(shape: &Shape) -> Value {
    let texts = |entry: Value| json!({ "anyOf": [entry, { "type": "array", "items": entry }] });
    match shape {
        Shape::Flag => json!({ "type": "boolean" }),
        Shape::Path | Shape::RustType => json!({ "type": "string", "minLength": 1 }),
        Shape::Derives => {
            texts(json!({ "type": "string", "pattern": "^[_A-Za-z][_0-9A-Za-z]*(::[_A-Za-z][_0-9A-Za-z]*)*$" }))
        }
        Shape::Word(words) => json!({ "enum": words }),
        Shape::OwnType => json!({ "type": "string", "pattern": "^crate(::[_A-Za-z][_0-9A-Za-z]*)+$" }),
        Shape::Module => {
            json!({ "type": "string", "pattern": "^src/[A-Za-z_][A-Za-z0-9_]*(/[A-Za-z_][A-Za-z0-9_]*)*/?$" })
        }
        Shape::Texts(_) => texts(json!({ "type": "string" })),
        Shape::Conventions => {
            let all = Options::lenient();
            let slugs: Vec<&str> = all.allowed().map(|code| code.slug).collect();
            texts(json!({ "enum": slugs }))
        }
        Shape::Section(keys) => section(keys),
        Shape::Map(names, inner) => {
            let pattern = match names {
                Names::Scalars | Names::Enums | Names::Objects | Names::Generated => "^[_A-Za-z][_0-9A-Za-z]*$",
                Names::Fields => r"^[_A-Za-z][_0-9A-Za-z]*\.[_A-Za-z][_0-9A-Za-z]*$",
                Names::RustFields => "^(r#)?[_A-Za-z][_0-9A-Za-z]*$",
            };
            json!({ "type": ["object", "null"], "propertyNames": { "pattern": pattern }, "additionalProperties": self::shape(inner) })
        }
    }
}

/// The page of the documentation.
pub(crate) fn page() -> String {
    let mut out = "# The configuration\n\n\
        `codegen.yml` holds one configuration for both languages. graphql-codegen and traitql share `schema` and `documents`; everything\n\
        else that traitql reads stands in the section `traitql`. An unknown key is refused with the nearest one that is known, and every\n\
        problem is shown at its line. This page and the schema for editors, [`codegen.schema.json`](../../traitql-cli/codegen.schema.json), come\n\
        from the table that the reader itself uses.\n\n\
        An editor with a YAML extension completes the keys when the file begins with\n\n\
        ```yaml\n# yaml-language-server: $schema=server/traitql-cli/codegen.schema.json\n```\n\n\
        or with the path of what `cargo traitql config-schema` printed.\n"
        .to_owned();
    for key in KEYS {
        out += &format!("\n## `{}`\n\n{}\n\n", key.name, key.doc);
        out += &match key.absent {
            Absent::Refused => "Must be given.\n".to_owned(),
            Absent::Means(what) => format!("Left out: {what}.\n"),
        };
        if let Shape::Section(keys) = key.shape {
            out += "\n| key | |\n|---|---|\n";
            for key in keys {
                out += &format!("| `{}` | {} |\n", key.name, key.doc);
            }
        }
        let example: String = key.example.lines().map(|line| format!("  {line}\n")).collect();
        out += &format!("\n```yaml\ntraitql:\n{example}```\n");
    }
    out
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// The file must be what the table makes; `TRAITQL_BLESS=1` writes it.
    fn kept(path: &str, made: &str) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        if std::env::var_os("TRAITQL_BLESS").is_some() {
            std::fs::write(&path, made).expect("the file can be written");
        }
        let there = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            there == made,
            "{} is stale: the table of keys has changed. Run TRAITQL_BLESS=1 cargo test -p traitql-cli",
            path.display()
        );
    }

    #[test]
    fn editors_are_told_what_is_read() {
        kept("codegen.schema.json", &schema());
    }

    #[test]
    fn the_documentation_says_what_is_read() {
        kept("../traitql/docs/configuration.md", &page());
    }
}
