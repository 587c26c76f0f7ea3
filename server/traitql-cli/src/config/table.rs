//! Every key of the section `traitql`, in one table. What is accepted, what is said about a key that is not known, the schema
//! that editors read and the page of the documentation all come from here, so none of them can know less than another.

/// A key of a section.
#[derive(Debug)]
pub(crate) struct Key {
    pub(crate) name: &'static str,
    /// What it is for, in Markdown. The first sentence stands alone where there is room for one only.
    pub(crate) doc: &'static str,
    /// A section with this key, as it would stand in `codegen.yml`.
    pub(crate) example: &'static str,
    /// Whether it may be left out, and what holds then.
    pub(crate) absent: Absent,
    pub(crate) shape: Shape,
}

/// What holds where a key is left out.
#[derive(Debug)]
pub(crate) enum Absent {
    /// It must not be left out.
    Refused,
    /// The words say what holds.
    Means(&'static str),
}

/// What stands behind a key.
#[derive(Debug)]
pub(crate) enum Shape {
    /// A path from the folder of `codegen.yml`.
    Path,
    /// A path of folders below `src` that can be modules of Rust.
    Module,
    /// A name of Rust that is no keyword.
    RustName,
    /// A type of Rust, as it is written in the generated crate.
    RustType,
    /// `true` or `false`.
    Flag,
    /// The path of a type that a person wrote in the generated crate: `crate::model::Tour`.
    OwnType,
    /// One text, or a list of them. The words say what the texts are.
    Texts(&'static str),
    /// Names of conventions, or one.
    Conventions,
    /// Names, or one.
    List(Names),
    /// Paths of derive macros, or one.
    Derives,
    /// One of these words.
    Word(&'static [&'static str]),
    /// Further keys.
    Section(&'static [Key]),
    /// Names and what stands behind each.
    Map(Names, &'static Shape),
}

/// What the names of a map are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Names {
    /// Scalars of the schema, `ID` included.
    Scalars,
    /// Enums of the schema.
    Enums,
    /// Object types of the schema.
    Objects,
    /// Types of the schema that are generated: object types, interfaces, unions, input types and enums.
    Generated,
    /// Coordinates of fields: `Tour.title`.
    Fields,
    /// Coordinates of everything that has a name in Rust: `Tour`, `Tour.title`, `Query.tour(id:)`.
    Coordinates,
    /// Names that a field of a struct can have.
    RustFields,
}

impl Names {
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Scalars => "scalars",
            Self::Enums => "enums",
            Self::Objects => "object types",
            Self::Generated => "types",
            Self::Fields => "fields such as `Tour.title`",
            Self::Coordinates => "coordinates such as `Tour` or `Tour.title`",
            Self::RustFields => "fields",
        }
    }
}

/// The section `traitql`.
pub(crate) const KEYS: &[Key] = &[
    Key {
        name: "crate",
        doc: "Folder of the crate that the Rust goes to.",
        example: "crate: server/tour-api",
        absent: Absent::Refused,
        shape: Shape::Path,
    },
    Key {
        name: "generated",
        doc: "Folder below the crate's `src` that belongs to the generator alone. It is a module of the crate: declare it in the `lib.rs`.",
        example: "generated: src/graphql/generated",
        absent: Absent::Means("`src/generated`"),
        shape: Shape::Module,
    },
    Key {
        name: "manifest",
        doc: "File of the trusted documents: what clients may ask.",
        example: "manifest: operations/generated/manifest.json",
        absent: Absent::Refused,
        shape: Shape::Path,
    },
    Key {
        name: "allow",
        doc: "Conventions of traitql that the schema and its operations need not keep, for those that were written for something else. A problem that can be permitted says so.",
        example: "allow: [input_suffix, access_missing]",
        absent: Absent::Means("every convention is kept"),
        shape: Shape::Conventions,
    },
    Key {
        name: "scalars",
        doc: "Rust types of the schema's scalars. A type says how it is read and written by implementing `traitql::Scalar`; \
            `traitql::DateTime`, `traitql::Date`, `traitql::Url` and `traitql::Json` do so already. For a type of another crate, \
            write a type around it.",
        example: "scalars:\n  DateTime: traitql::DateTime\n  Money: crate::money::Money",
        absent: Absent::Means("`ID` is `traitql::Id`; every other scalar must be named"),
        shape: Shape::Map(Names::Scalars, &Shape::RustType),
    },
    Key {
        name: "enums",
        doc: "Own types that stand for enums of the schema, in the place of generated ones. A type says which variant is which value \
            by implementing the generated trait `bind::…` of the enum's name. A value or a variant that is missing is then a mistake in \
            that `impl`. The type has to be one of the generated crate, because the crate implements traits of the runtime for it.",
        example: "enums:\n  TourState: crate::model::TourState",
        absent: Absent::Means("every enum is generated"),
        shape: Shape::Map(Names::Enums, &Shape::OwnType),
    },
    Key {
        name: "objects",
        doc: "Own types that stand for object types of the schema, in the place of generated structs. A type says what its data fields \
            are by implementing the generated trait `bind::…` of the type's name, with a method for each. Resolvers receive and answer \
            with the own type. The type has to be one of the generated crate, because the crate implements traits of the runtime for \
            it; `extra` and `derive` do not apply to it.",
        example: "objects:\n  Tour: crate::model::TourRow",
        absent: Absent::Means("every object type is a generated struct"),
        shape: Shape::Map(Names::Objects, &Shape::OwnType),
    },
    Key {
        name: "shared",
        doc: "Object types whose values the application keeps and hands out again and again, from a cache or from memory. Wherever \
            resolvers receive or answer with one, and wherever another type holds one, it is an `Arc`: to answer with what is there \
            costs a count, not a copy of its texts. A derive of serde for what holds such values needs serde's feature `rc`.",
        example: "shared: [Tour, Theme]",
        absent: Absent::Means("answers own their values"),
        shape: Shape::List(Names::Objects),
    },
    Key {
        name: "extra",
        doc: "What a struct carries beside the schema's fields: keys that resolvers of its fields need.",
        example: "extra:\n  Tour:\n    workspace_id: traitql::Id",
        absent: Absent::Means("structs have the fields of the schema"),
        shape: Shape::Map(Names::Objects, &Shape::Map(Names::RustFields, &Shape::RustType)),
    },
    Key {
        name: "fields",
        doc: "Where the values of single fields come from, whatever the schema says. `resolve` gives a field a resolver of its own, as \
            `@resolve` does. `data` makes it a part of its parent's struct, as a field of an `@embedded` type is; it must not have \
            arguments.",
        example: "fields:\n  Tour.rating: resolve\n  Tour.author: data",
        absent: Absent::Means(
            "the schema decides: leaf types and `@embedded` types are data, everything else is resolved",
        ),
        shape: Shape::Map(Names::Fields, &Shape::Word(&["resolve", "data"])),
    },
    Key {
        name: "rename",
        doc: "Names in Rust for what is called otherwise in the schema. GraphQL keeps `userName` and `user_name` apart and Rust does \
            not: where names of the schema meet in Rust and the schema cannot be changed, one of them is given another name here. \
            Clients see nothing of it.",
        example: "rename:\n  Tour.theme_id: legacy_theme_id\n  Tour_State: LegacyTourState\n  TourState.inReview: LegacyReview\n  \"Query.tour(tour_id:)\": legacy_id",
        absent: Absent::Means("everything is called as in the schema, in the spelling of Rust"),
        shape: Shape::Map(Names::Coordinates, &Shape::RustName),
    },
    Key {
        name: "derive",
        doc: "What generated types derive beside `Debug`, `Clone` and `PartialEq` (enums: also `Copy`, `Eq`, `PartialOrd`, `Ord` and \
            `Hash`). A macro of another crate is named by its path; that crate has to be a dependency of the generated one. A derive \
            of serde is told the names of the schema: a value in JSON looks as it does in an answer or a request.",
        example: "derive:\n  objects: serde::Serialize\n  enums: [serde::Serialize, serde::Deserialize]\n  types:\n    TourInput: Eq",
        absent: Absent::Means("nothing is added"),
        shape: Shape::Section(DERIVE),
    },
    Key {
        name: "samples",
        doc: "Whether fields may be answered with sample values until their resolvers are written. The application lists such fields in `traitql::mocked!`.",
        example: "samples: true",
        absent: Absent::Means("every field needs its resolver before the server compiles"),
        shape: Shape::Flag,
    },
    Key {
        name: "typescript",
        doc: "The other language: what traitql generates there itself, and how the rest is generated.",
        example: "typescript:\n  folder: client/src/generated",
        absent: Absent::Means(
            "traitql generates no TypeScript, and `cargo traitql watch` runs `npx graphql-codegen --config codegen.yml`",
        ),
        shape: Shape::Section(TYPESCRIPT),
    },
];

/// The section `traitql.typescript`.
const TYPESCRIPT: &[Key] = &[
    Key {
        name: "folder",
        doc: "Folder of the form rules, permissions, error texts and cache configuration. What other tools generate may stand there too. [What is in it](typescript.md), and what for.",
        example: "folder: client/src/generated",
        absent: Absent::Means("traitql generates no TypeScript"),
        shape: Shape::Path,
    },
    Key {
        name: "command",
        doc: "The command that generates the rest of the TypeScript while `cargo traitql watch` runs. It runs once at the start; one that stays is sent a line for each further generation.",
        example: "command: [npx, graphql-codegen, --config, codegen.yml]",
        absent: Absent::Means("`npx graphql-codegen --config codegen.yml`"),
        shape: Shape::Texts("a command and its arguments"),
    },
];

/// The section `traitql.derive`.
const DERIVE: &[Key] = &[
    Key {
        name: "objects",
        doc: "For all object types, interfaces and unions.",
        example: "objects: serde::Serialize",
        absent: Absent::Means("nothing is added"),
        shape: Shape::Derives,
    },
    Key {
        name: "inputs",
        doc: "For all input types.",
        example: "inputs: [serde::Serialize, serde::Deserialize]",
        absent: Absent::Means("nothing is added"),
        shape: Shape::Derives,
    },
    Key {
        name: "enums",
        doc: "For all enums.",
        example: "enums: strum::EnumIter",
        absent: Absent::Means("nothing is added"),
        shape: Shape::Derives,
    },
    Key {
        name: "types",
        doc: "For single types by their names.",
        example: "types:\n  TourInput: Eq",
        absent: Absent::Means("nothing is added"),
        shape: Shape::Map(Names::Generated, &Shape::Derives),
    },
];
