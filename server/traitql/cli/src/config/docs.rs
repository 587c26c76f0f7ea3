//! Renders the table of keys as a JSON schema (draft 7, which YAML extensions support) and as a Markdown page.
//!
//! graphql-codegen's schema rejects unknown keys, so ours repeats the common ones and refers to its definitions of the
//! others.

use serde_json::{Map, Value, json};
use traitql_schema::Options;

use super::table::{KEYS, Key, KeyKind, ValueType, WhenOmitted};

/// Base URL of the definitions in graphql-codegen's JSON schema.
const GRAPHQL_CODEGEN_KEYS: &str =
    "https://the-guild.dev/graphql/codegen/config.schema.json#/definitions/Types.Config/properties";
pub(crate) const SCHEMA_URL: &str = concat!(
    env!("CARGO_PKG_REPOSITORY"),
    "/raw/HEAD/server/traitql/cli/codegen.schema.json"
);
pub(crate) const PAGE_URL: &str = concat!(
    env!("CARGO_PKG_REPOSITORY"),
    "/blob/HEAD/server/traitql/docs/configuration.md"
);
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
    properties.insert("schema".into(), described(&files, "File patterns of the schema."));
    properties.insert(
        "documents".into(),
        described(&files, "File patterns of the operations."),
    );
    properties.insert("traitql".into(), described(&section(KEYS), "Configuration of traitql."));
    for key in OTHERS {
        properties.insert(key.into(), json!({ "$ref": format!("{GRAPHQL_CODEGEN_KEYS}/{key}") }));
    }
    let schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": SCHEMA_URL,
        "title": "codegen.yml with a traitql section",
        "type": "object",
        "required": ["schema", "documents", "traitql"],
        "properties": properties,
    });
    format!("{schema:#}\n")
}

fn section(keys: &[Key]) -> Value {
    let required = keys
        .iter()
        .filter(|key| matches!(key.when_omitted, WhenOmitted::Required));
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

fn text(key: &Key) -> String {
    match key.when_omitted {
        WhenOmitted::Required => key.doc.to_owned(),
        WhenOmitted::Default(what) => format!("{}\n\nDefault: {what}.", key.doc),
    }
}

fn shape(shape: &ValueType) -> Value {
    let texts = |entry: Value| json!({ "anyOf": [entry, { "type": "array", "items": entry }] });
    match shape {
        ValueType::Flag => json!({ "type": "boolean" }),
        ValueType::RustName => json!({ "type": "string", "pattern": "^[_A-Za-z][_0-9A-Za-z]*$" }),
        ValueType::Path | ValueType::RustType => json!({ "type": "string", "minLength": 1 }),
        ValueType::Derives => {
            texts(json!({ "type": "string", "pattern": "^[_A-Za-z][_0-9A-Za-z]*(::[_A-Za-z][_0-9A-Za-z]*)*$" }))
        }
        ValueType::Word(words) => json!({ "enum": words }),
        ValueType::OwnType => json!({ "type": "string", "pattern": "^crate(::[_A-Za-z][_0-9A-Za-z]*)+$" }),
        ValueType::Module => {
            json!({ "type": "string", "pattern": "^src/[A-Za-z_][A-Za-z0-9_]*(/[A-Za-z_][A-Za-z0-9_]*)*/?$" })
        }
        ValueType::Texts(_) => texts(json!({ "type": "string" })),
        ValueType::Conventions => {
            let all = Options::lenient();
            let slugs: Vec<&str> = all.allowed().map(|code| code.slug).collect();
            texts(json!({ "enum": slugs }))
        }
        ValueType::Section(keys) => section(keys),
        ValueType::List(names) => texts(json!({ "type": "string", "pattern": pattern(*names) })),
        ValueType::Map(names, inner) => {
            json!({ "type": ["object", "null"], "propertyNames": { "pattern": pattern(*names) }, "additionalProperties": self::shape(inner) })
        }
    }
}

fn pattern(names: KeyKind) -> &'static str {
    match names {
        KeyKind::Scalars
        | KeyKind::Enums
        | KeyKind::Objects
        | KeyKind::Generated
        | KeyKind::Operations
        | KeyKind::Structured => "^[_A-Za-z][_0-9A-Za-z]*$",
        KeyKind::Fields => r"^[_A-Za-z][_0-9A-Za-z]*\.[_A-Za-z][_0-9A-Za-z]*$",
        KeyKind::Coordinates => r"^[_A-Za-z][_0-9A-Za-z]*(\.[_A-Za-z][_0-9A-Za-z]*(\([_A-Za-z][_0-9A-Za-z]*:\))?)?$",
        KeyKind::RustFields => "^(r#)?[_A-Za-z][_0-9A-Za-z]*$",
    }
}

pub(crate) fn page() -> String {
    let mut out = "<!-- Generated from server/traitql/cli/src/config/table.rs by `TRAITQL_BLESS=1 cargo test -p traitql-cli configuration_page`. Do not edit. -->\n\
        # Configuration\n\n\
        `codegen.yml` configures both traitql and graphql-codegen. Both read `schema` and `documents`; all other settings of traitql are in\n\
        the section `traitql`. Errors are reported with their line, and unknown keys with a suggestion.\n\n\
        Editors with a YAML extension complete and check the keys if the file starts with\n\n"
        .to_owned();
    out += &format!("```yaml\n# yaml-language-server: $schema={SCHEMA_URL}\n```\n\n");
    out += "or with the path of a file that contains the output of `cargo traitql config-schema`.\n\n\
        `schema` and `documents` are file patterns or lists of them. `*` matches any part of a name, `**` any number of folders, `?` one\n\
        character, `[a-z]` one of several characters, and `{a,b}` one of several patterns. A pattern that starts with `!` excludes files. A pattern without matches is an error if there are GraphQL\n\
        files that no pattern matches, or if its folder no longer exists. A new project without operations is valid. Patterns do not match\n\
        generated schemas; a generated schema is read only if its full path is listed.\n";
    for key in KEYS {
        out += &format!("\n## `{}`\n\n{}\n\n", key.name, key.doc);
        out += &match key.when_omitted {
            WhenOmitted::Required => "Required.\n".to_owned(),
            WhenOmitted::Default(what) => format!("Default: {what}.\n"),
        };
        if let ValueType::Section(keys) = key.shape {
            out += "\n| key | description |\n|---|---|\n";
            for key in keys {
                out += &format!("| `{}` | {} |\n", key.name, key.doc);
            }
        }
        let example: String = key.example.lines().map(|line| format!("  {line}\n")).collect();
        out += &format!("\n```yaml\ntraitql:\n{example}```\n");
        if let Some((_, more)) = DETAILS.iter().find(|(name, _)| *name == key.name) {
            out += &format!("\n{more}\n");
        }
    }
    out
}

/// Added to the page only.
const DETAILS: &[(&str, &str)] = &[
    (
        "generated",
        "The crate's `lib.rs` determines the visibility of the types: `mod generated;` keeps them private, and `pub mod generated;` or \
         `pub use generated::*;` exports them. If the folder contains a file that was not generated, the generator stops before it \
         writes anything.",
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
         The error of `parse` is appended to the path of the input value: `input.price: must be an amount such as 12.50`.",
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
         [rustc reports missing and unknown values](bound-types.md) in this `impl`. Resolvers receive and return your type. The engine \
         checks once, when it is created, that each constant agrees with its arm. The enums of roles and of error codes are always \
         generated, because access checks and errors depend on their values.\n\n\
         A Rust crate can implement the runtime's traits only for its own types. If the generated code is a separate crate, the bound \
         type must be in that crate. If it is a module of the application, types of the application can be used directly.",
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
         A method is called only if the client selects its field, so values can be computed. Fields with a resolver are not in the trait: \
         their resolvers receive a `Batch` of the bound type. A bound type can be a member of interfaces and unions. Generated types that \
         contain it derive `Debug`, `Clone` and `PartialEq`, so in this case the trait requires them. Bound types have no sample values: \
         fields that return them cannot be listed in `traitql::mocked!`.",
    ),
    (
        "extra",
        "The names must not occur in the schema, and the types must be valid paths in the generated crate. Resolvers read the fields from \
         their `Batch`: `tours.keys(|tour| tour.workspace_id.clone())`.",
    ),
    (
        "rename",
        "A coordinate is a type, a field, an enum value, a field of an input type, or an argument with parentheses and a colon. The new \
         name must follow Rust's naming conventions: `LegacyTourState` for types and values, `legacy_theme_id` for fields and arguments. \
         Names that are derived from it change as well: the resolver of `Tour.theme_id` above is `resolve::TourLegacyThemeId`.\n\n\
         Diagnostics about collisions show the necessary line ([R001](../schema/explanations/R001.md), [R002](../schema/explanations/R002.md), \
         [R003](../schema/explanations/R003.md)). `cargo traitql new` adds these lines if the schema needs them.",
    ),
    (
        "derive",
        "With `serde::Serialize`, fields and variants have their names from the schema, interfaces and unions include `__typename`, and \
         absent input fields are omitted. `extra` fields keep their Rust names.",
    ),
];

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn check(path: &str, expected: &str) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        if std::env::var_os("TRAITQL_BLESS").is_some() {
            std::fs::write(&path, expected).expect("the file is writable");
        }
        let existing = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            existing == expected,
            "{} is stale, because the table of keys has changed. Run TRAITQL_BLESS=1 cargo test -p traitql-cli",
            path.display()
        );
    }

    #[test]
    fn the_json_schema_is_up_to_date() {
        check("codegen.schema.json", &schema());
    }

    /// The crate compiles and tests the examples.
    #[test]
    fn rust_examples_are_part_of_the_sample_crate() {
        let sample = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("golden-tests/src/shop.rs");
        let sample = std::fs::read_to_string(sample).expect("the sample crate is in the repository");
        let shown: Vec<&str> = DETAILS
            .iter()
            .filter_map(|(_, more)| more.split_once("```rust\n")?.1.split_once("```"))
            .map(|(code, _)| code)
            .collect();
        assert_eq!(shown.len(), 3);
        for code in shown {
            assert!(
                sample.contains(code),
                "traitql-golden/src/shop.rs must contain this example:\n{code}"
            );
        }
    }

    #[test]
    fn the_configuration_page_is_up_to_date() {
        check("../docs/configuration.md", &page());
    }
}
