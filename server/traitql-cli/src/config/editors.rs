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
/// Where the schema of this version is, for editors anywhere.
pub(crate) const ADDRESS: &str = concat!(
    env!("CARGO_PKG_REPOSITORY"),
    "/raw/HEAD/server/traitql-cli/codegen.schema.json"
);
/// Where the page is.
pub(crate) const PAGE: &str = concat!(
    env!("CARGO_PKG_REPOSITORY"),
    "/blob/HEAD/server/traitql/docs/configuration.md"
);
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
        "$id": ADDRESS,
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
        Shape::RustName => json!({ "type": "string", "pattern": "^[_A-Za-z][_0-9A-Za-z]*$" }),
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
        Shape::List(names) => texts(json!({ "type": "string", "pattern": pattern(*names) })),
        Shape::Map(names, inner) => {
            json!({ "type": ["object", "null"], "propertyNames": { "pattern": pattern(*names) }, "additionalProperties": self::shape(inner) })
        }
    }
}

/// How names are spelled.
fn pattern(names: Names) -> &'static str {
    match names {
        Names::Scalars | Names::Enums | Names::Objects | Names::Generated => "^[_A-Za-z][_0-9A-Za-z]*$",
        Names::Fields => r"^[_A-Za-z][_0-9A-Za-z]*\.[_A-Za-z][_0-9A-Za-z]*$",
        Names::Coordinates => r"^[_A-Za-z][_0-9A-Za-z]*(\.[_A-Za-z][_0-9A-Za-z]*(\([_A-Za-z][_0-9A-Za-z]*:\))?)?$",
        Names::RustFields => "^(r#)?[_A-Za-z][_0-9A-Za-z]*$",
    }
}

/// The page of the documentation.
pub(crate) fn page() -> String {
    let mut out = "# The configuration\n\n\
        `codegen.yml` holds one configuration for both languages. graphql-codegen and traitql share `schema` and `documents`; everything\n\
        else that traitql reads stands in the section `traitql`. An unknown key is refused with the nearest one that is known, and every\n\
        problem is shown at its line. This page and the schema for editors, [`codegen.schema.json`](../../traitql-cli/codegen.schema.json), come\n\
        from the table that the reader itself uses.\n\n\
        An editor with a YAML extension completes and checks the keys when the file begins with\n\n"
        .to_owned();
    out += &format!("```yaml\n# yaml-language-server: $schema={ADDRESS}\n```\n\n");
    out += "or with the path of a file that holds what `cargo traitql config-schema` prints.\n\n\
        `schema` and `documents` are patterns or lists of them: `*` is any part of a name, `**` any number of folders, `{a,b}` one of several\n\
        texts, and a pattern that begins with `!` takes files out again. One that no file fits is refused where it passes GraphQL files by or\n\
        names a folder that is not there any more; a project that has no operations yet is fine. A schema that traitql has generated\n\
        is left out, unless its whole path is written.\n";
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
        if let Some((_, more)) = MORE.iter().find(|(name, _)| *name == key.name) {
            out += &format!("\n{more}\n");
        }
    }
    out
}

/// What the page says about a key beside what editors show.
const MORE: &[(&str, &str)] = &[
    (
        "generated",
        "The `lib.rs` of the crate says who sees the types: `mod generated;` keeps them inside, `pub mod generated;` or \
         `pub use generated::*;` gives them to other crates. A file in the folder that was not generated stops the generator before \
         it writes anything.",
    ),
    (
        "scalars",
        "```rust\n\
impl traitql::Scalar for Money {
    fn parse(value: &Json) -> Result<Self, String> {
        let text = value.as_str().unwrap_or_default();
        let (whole, cents) = text.split_once('.').unwrap_or_default();
        let cents = match (whole.parse::<u32>(), cents.parse::<u32>()) {
            (Ok(whole), Ok(cents)) if cents < 100 => whole.checked_mul(100).and_then(|whole| whole.checked_add(cents)),
            _ => None,
        };
        cents
            .map(|cents| Self { cents })
            .ok_or_else(|| \"must be an amount such as 12.50\".to_owned())
    }

    fn write(&self) -> Json {
        format!(\"{}.{:02}\", self.cents / 100, self.cents % 100).into()
    }
}
```\n\n\
         The error of `parse` follows the name of what was read: `input.price: must be an amount such as 12.50`.",
    ),
    (
        "enums",
        "```rust\n\
impl bind::Condition for Wear {
    const NEW: Self = Self::None;
    const WORN: Self = Self::Some;
    const DAMAGED: Self = Self::Much;

    fn value(self) -> bind::value::Condition {
        match self {
            Self::None => bind::value::Condition::New,
            Self::Some => bind::value::Condition::Worn,
            Self::Much => bind::value::Condition::Damaged,
        }
    }
}
```\n\n\
         A value that the schema gains is a constant that is missing, one that it loses is a constant too many, and a variant of your \
         own is an arm that is missing: [rustc says each](own-types.md) at this `impl`. Nothing is converted at run time: resolvers receive and answer \
         with your type. That a constant and its arm agree is checked once, when the engine is made. The enum of roles and the enum of \
         errors are always generated, because proofs and errors are made of them.\n\n\
         Rust lets a crate implement the runtime's traits only for types of its own. Where the generated code is a crate of its own, \
         the type has to be in that crate too; where it is a module of the application, the application's types can be used as they are.",
    ),
    (
        "objects",
        "```rust\n\
impl bind::Offer for OfferRow {
    fn id(&self) -> Id {
        format!(\"o{}\", self.number).into()
    }

    fn price(&self) -> Money {
        let cents = match self.wear {
            Wear::None => self.cents,
            Wear::Some => self.cents / 2,
            Wear::Much => 0,
        };
        Money { cents }
    }

    fn condition(&self) -> Wear {
        self.wear
    }

    fn stickers(&self) -> Vec<Label> {
        self.stickers.clone()
    }
}
```\n\n\
         A method is asked when a client selects its field, so data can be computed. Fields with a resolver are not in the trait: their \
         resolvers receive a `Batch` of the own type. The own type is a member of interfaces and unions like any other; what holds it \
         derives `Debug`, `Clone` and `PartialEq`, so the trait asks for these where it is held. `traitql::mocked!` has no sample of an \
         own type: fields that answer with one are resolved.",
    ),
    (
        "extra",
        "The names must be none of the schema's, and the types are as the generated crate spells them. A resolver reads them from its \
         `Batch`: `tours.keys(|tour| tour.workspace_id.clone())`.",
    ),
    (
        "rename",
        "A coordinate is a type, a field, a value of an enum, a field of an input type, or an argument with its parentheses and its \
         colon. The name is spelled as Rust spells what it is for: `LegacyTourState` for types and values, `legacy_theme_id` for fields \
         and arguments. Everything that is named after it follows: the resolver of `Tour.theme_id` above is \
         `resolve::TourLegacyThemeId`.\n\n\
         Names that meet are reported with the line to write ([R001](diagnostics/R001.md), [R002](diagnostics/R002.md), \
         [R003](diagnostics/R003.md)). `cargo traitql new` writes such lines for a schema that needs them.",
    ),
    (
        "derive",
        "With `serde::Serialize`, fields and variants are called as in the schema, an interface or a union carries its `__typename`, and \
         an input field that was left out stays out. `extra` fields keep their own names.",
    ),
];

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

    /// What is shown of Rust stands in the sample, where it is compiled and run.
    #[test]
    fn the_examples_in_rust_are_compiled_elsewhere() {
        let sample = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("traitql-sample/src/shop.rs");
        let sample = std::fs::read_to_string(sample).expect("the sample is in the repository");
        let shown: Vec<&str> = MORE
            .iter()
            .filter_map(|(_, more)| more.split_once("```rust\n")?.1.split_once("```"))
            .map(|(code, _)| code)
            .collect();
        assert_eq!(shown.len(), 3);
        for code in shown {
            assert!(
                sample.contains(code),
                "traitql-sample/src/shop.rs says it otherwise:\n{code}"
            );
        }
    }

    #[test]
    fn the_documentation_says_what_is_read() {
        kept("../traitql/docs/configuration.md", &page());
    }
}
