//! All keys of the section `traitql`: the source of validation, messages, the JSON schema and the documentation.

#[derive(Debug)]
pub(crate) struct Key {
    pub(crate) name: &'static str,
    /// Contains Markdown; messages show only the first sentence.
    pub(crate) doc: &'static str,
    pub(crate) example: &'static str,
    pub(crate) when_omitted: WhenOmitted,
    pub(crate) shape: ValueType,
}

#[derive(Debug)]
pub(crate) enum WhenOmitted {
    Required,
    Default(&'static str),
}

#[derive(Debug)]
pub(crate) enum ValueType {
    Path,
    /// A folder in `src`, with valid module names.
    Module,
    /// An identifier that is no keyword.
    RustName,
    /// A type as written in the generated crate.
    RustType,
    Flag,
    /// A type in the generated crate: `crate::model::Tour`.
    OwnType,
    /// A list of texts, with a description for messages.
    Texts(&'static str),
    Conventions,
    List(KeyKind),
    Derives,
    /// One of these strings.
    Word(&'static [&'static str]),
    Section(&'static [Key]),
    Map(KeyKind, &'static ValueType),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeyKind {
    Scalars,
    Enums,
    Objects,
    Generated,
    Fields,
    /// All definitions with a Rust name: `Tour`, `Tour.title`, `Query.tour(id:)`.
    Coordinates,
    RustFields,
    Operations,
    /// Object and input types.
    Structured,
}

impl KeyKind {
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Scalars => "scalars",
            Self::Enums => "enums",
            Self::Objects => "object types",
            Self::Generated => "types",
            Self::Fields => "fields such as `Tour.title`",
            Self::Coordinates => "coordinates such as `Tour` or `Tour.title`",
            Self::RustFields => "fields",
            Self::Operations => "operations",
            Self::Structured => "object types and input types",
        }
    }
}

pub(crate) const KEYS: &[Key] = &[
    Key {
        name: "crate",
        doc: "Folder of the crate for the generated Rust.",
        example: "crate: server/tour-api",
        when_omitted: WhenOmitted::Required,
        shape: ValueType::Path,
    },
    Key {
        name: "generated",
        doc: "Folder within the crate's `src` for generated files only. It is a module of the crate: declare it in `lib.rs`.",
        example: "generated: src/graphql/generated",
        when_omitted: WhenOmitted::Default("`src/generated`"),
        shape: ValueType::Module,
    },
    Key {
        name: "manifest",
        doc: "Path of the manifest, which lists the trusted documents.",
        example: "manifest: operations/generated/manifest.json",
        when_omitted: WhenOmitted::Required,
        shape: ValueType::Path,
    },
    Key {
        name: "allow",
        doc: "Conventions of traitql that are not enforced, for schemas and operations that were written for another server. The diagnostic of a convention states that it can be allowed.",
        example: "allow: [input_suffix, access_missing]",
        when_omitted: WhenOmitted::Default("all conventions are enforced"),
        shape: ValueType::Conventions,
    },
    Key {
        name: "scalars",
        doc: "Rust types of the schema's scalars. A type must implement `traitql::Scalar`, which parses and serializes it. \
            `traitql::DateTime`, `traitql::Date`, `traitql::Url` and `traitql::Json` already implement it. Types of other crates need \
            a wrapper type.",
        example: "scalars:\n  DateTime: traitql::DateTime\n  Money: crate::money::Money",
        when_omitted: WhenOmitted::Default("`ID` is `traitql::Id`; all other scalars must be listed"),
        shape: ValueType::Map(KeyKind::Scalars, &ValueType::RustType),
    },
    Key {
        name: "enums",
        doc: "Rust types that are bound to enums of the schema and replace the generated types. A bound type implements the generated \
            trait `bind::…` with the name of the enum, which maps variants to values. rustc reports missing values and variants in that \
            `impl`. The type must be part of the generated crate, because the crate implements traits of the runtime for it.",
        example: "enums:\n  TourState: crate::model::TourState",
        when_omitted: WhenOmitted::Default("all enums are generated"),
        shape: ValueType::Map(KeyKind::Enums, &ValueType::OwnType),
    },
    Key {
        name: "objects",
        doc: "Rust types that are bound to object types of the schema and replace the generated structs. A bound type implements the \
            generated trait `bind::…` with the name of the object type, which has a method for each data field. Resolvers receive and return \
            the bound type. The type must be part of the generated crate, because the crate implements traits of the runtime for it. \
            `extra` and `derive` do not apply to it.",
        example: "objects:\n  Tour: crate::model::TourRow",
        when_omitted: WhenOmitted::Default("all object types are generated structs"),
        shape: ValueType::Map(KeyKind::Objects, &ValueType::OwnType),
    },
    Key {
        name: "shared",
        doc: "Object types whose values the application returns repeatedly, for example from a cache. In resolvers and in fields of other \
            types these values are behind an `Arc`, so returning one increments a reference count instead of copying its strings. Types \
            that contain shared values and derive serde's traits need serde's feature `rc`.",
        example: "shared: [Tour, Theme]",
        when_omitted: WhenOmitted::Default("values are not shared"),
        shape: ValueType::List(KeyKind::Objects),
    },
    Key {
        name: "extra",
        doc: "Additional struct fields that are not in the schema, such as keys that resolvers need.",
        example: "extra:\n  Tour:\n    workspace_id: traitql::Id",
        when_omitted: WhenOmitted::Default("structs have only the fields of the schema"),
        shape: ValueType::Map(
            KeyKind::Objects,
            &ValueType::Map(KeyKind::RustFields, &ValueType::RustType),
        ),
    },
    Key {
        name: "relations",
        doc: "Fields that refer to one object by its id, with the struct field of their parent that contains the id. Their resolvers are \
            generated: they load all objects of a batch with one call of the loader `load::…` with the name of the object's type, which the \
            application implements once. They have no sample values. All other fields keep their own resolvers.",
        example: "relations:\n  Tour.author: author_id\n  Review.tour: tour_id",
        when_omitted: WhenOmitted::Default("the application resolves all fields that are not data"),
        shape: ValueType::Map(KeyKind::Fields, &ValueType::RustName),
    },
    Key {
        name: "fields",
        doc: "Source of the values of individual fields, which overrides the schema. `resolve` gives a field a resolver, like `@resolve`. \
            `data` makes it a field of its parent's struct, like a field of an `@embedded` type; the field must not have arguments.",
        example: "fields:\n  Tour.rating: resolve\n  Tour.author: data",
        when_omitted: WhenOmitted::Default(
            "as in the schema: fields of leaf types and `@embedded` types are data, all others have resolvers",
        ),
        shape: ValueType::Map(KeyKind::Fields, &ValueType::Word(&["resolve", "data"])),
    },
    Key {
        name: "rename",
        doc: "Rust names that differ from the schema. `userName` and `user_name` are different names in GraphQL, but the same name in \
            Rust. If names of the schema collide in Rust and the schema cannot be changed, choose another Rust name for one of them. This \
            does not affect clients.",
        example: "rename:\n  Tour.theme_id: legacy_theme_id\n  Tour_State: LegacyTourState\n  TourState.inReview: LegacyReview\n  \"Query.tour(tour_id:)\": legacy_id",
        when_omitted: WhenOmitted::Default("Rust names follow from the names of the schema"),
        shape: ValueType::Map(KeyKind::Coordinates, &ValueType::RustName),
    },
    Key {
        name: "derive",
        doc: "Additional derives of generated types. `Debug`, `Clone` and `PartialEq` are always derived, and for enums also `Copy`, `Eq`, \
            `PartialOrd`, `Ord` and `Hash`. A macro of another crate needs its full path, and the crate must be a dependency of the \
            generated crate. serde's derives use the names of the schema, so that values have the same JSON as in requests and responses.",
        example: "derive:\n  objects: serde::Serialize\n  enums: [serde::Serialize, serde::Deserialize]\n  types:\n    TourInput: Eq",
        when_omitted: WhenOmitted::Default("nothing is added"),
        shape: ValueType::Section(DERIVE),
    },
    Key {
        name: "samples",
        doc: "Allows fields to return sample values until their resolvers are written. The application lists these fields in `traitql::mocked!`.",
        example: "samples: true",
        when_omitted: WhenOmitted::Default("the server compiles only if all fields have resolvers"),
        shape: ValueType::Flag,
    },
    Key {
        name: "typescript",
        doc: "TypeScript files that traitql generates, and the command that generates the others.",
        example: "typescript:\n  folder: client/src/generated",
        when_omitted: WhenOmitted::Default(
            "traitql generates no TypeScript, and `cargo traitql watch` runs `graphql-codegen --config codegen.yml`",
        ),
        shape: ValueType::Section(TYPESCRIPT),
    },
    Key {
        name: "cynic",
        doc: "Types for a client in Rust that uses [cynic](https://cynic-rs.dev): a struct for each operation, fragment and selection set. \
            See [clients in Rust](rust-clients.md).",
        example: "cynic:\n  folder: cli/src/generated\n  schema: tours\n  operations: [Tours, TourRelease]",
        when_omitted: WhenOmitted::Default("traitql generates no types for clients in Rust"),
        shape: ValueType::Section(CYNIC),
    },
];

const CYNIC: &[Key] = &[
    Key {
        name: "folder",
        doc: "Folder of the types, for generated files only. It is a module of the client's crate: declare it in `lib.rs`.",
        example: "folder: cli/src/generated",
        when_omitted: WhenOmitted::Required,
        shape: ValueType::Path,
    },
    Key {
        name: "schema",
        doc: "Name of the schema that the client's build script registers as the default.",
        example: "schema: tours",
        when_omitted: WhenOmitted::Required,
        shape: ValueType::RustName,
    },
    Key {
        name: "operations",
        doc: "Operations that the client sends.",
        example: "operations: [Tours, TourRelease]",
        when_omitted: WhenOmitted::Default("all operations"),
        shape: ValueType::List(KeyKind::Operations),
    },
    Key {
        name: "json",
        doc: "Object and input types whose values the client passes on without reading their fields. They contain a `serde_json::Value`.",
        example: "json: [Step, StepInput]",
        when_omitted: WhenOmitted::Default("all types have fields"),
        shape: ValueType::List(KeyKind::Structured),
    },
    Key {
        name: "scalars",
        doc: "Rust types of custom scalars. They must implement serde's traits, and the generated types wrap them.",
        example: "scalars:\n  DateTime: jiff::Timestamp",
        when_omitted: WhenOmitted::Default("`String`"),
        shape: ValueType::Map(KeyKind::Scalars, &ValueType::RustType),
    },
];

const TYPESCRIPT: &[Key] = &[
    Key {
        name: "folder",
        doc: "Folder of the generated constraints, access checks, error messages and cache configuration. It may contain files of other generators. See [the generated TypeScript](typescript.md).",
        example: "folder: client/src/generated",
        when_omitted: WhenOmitted::Default("traitql generates no TypeScript"),
        shape: ValueType::Path,
    },
    Key {
        name: "command",
        doc: "Command that `cargo traitql watch` runs to generate the other TypeScript files. A command that exits is started again for each generation. A command that keeps running receives a line on its standard input for each generation.",
        example: "command: [graphql-codegen, --config, codegen.yml]",
        when_omitted: WhenOmitted::Default("`graphql-codegen --config codegen.yml`"),
        shape: ValueType::Texts("a command and its arguments"),
    },
];

const DERIVE: &[Key] = &[
    Key {
        name: "objects",
        doc: "Derives for all object types, interfaces and unions.",
        example: "objects: serde::Serialize",
        when_omitted: WhenOmitted::Default("nothing is added"),
        shape: ValueType::Derives,
    },
    Key {
        name: "inputs",
        doc: "Derives for all input types.",
        example: "inputs: [serde::Serialize, serde::Deserialize]",
        when_omitted: WhenOmitted::Default("nothing is added"),
        shape: ValueType::Derives,
    },
    Key {
        name: "enums",
        doc: "Derives for all enums.",
        example: "enums: strum::EnumIter",
        when_omitted: WhenOmitted::Default("nothing is added"),
        shape: ValueType::Derives,
    },
    Key {
        name: "types",
        doc: "Derives for individual types, by name.",
        example: "types:\n  TourInput: Eq",
        when_omitted: WhenOmitted::Default("nothing is added"),
        shape: ValueType::Map(KeyKind::Generated, &ValueType::Derives),
    },
];
