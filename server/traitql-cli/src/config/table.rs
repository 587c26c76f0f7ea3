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
    /// A type of Rust, as it is written in the generated crate.
    RustType,
    /// `true` or `false`.
    Flag,
    /// One text, or a list of them. The words say what the texts are.
    Texts(&'static str),
    /// Names of conventions, or one.
    Conventions,
    /// Names and what stands behind each.
    Map(Names, &'static Shape),
}

/// What the names of a map are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Names {
    /// Scalars of the schema, `ID` included.
    Scalars,
    /// Object types of the schema.
    Objects,
    /// Names that a field of a struct can have.
    RustFields,
}

impl Names {
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Scalars => "scalars",
            Self::Objects => "object types",
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
        doc: "Rust types of the schema's scalars.",
        example: "scalars:\n  DateTime: traitql::DateTime",
        absent: Absent::Means("`ID` is `traitql::Id`; every other scalar must be named"),
        shape: Shape::Map(Names::Scalars, &Shape::RustType),
    },
    Key {
        name: "extra",
        doc: "What a struct carries beside the schema's fields: keys that resolvers of its fields need.",
        example: "extra:\n  Tour:\n    workspace_id: traitql::Id",
        absent: Absent::Means("structs have the fields of the schema"),
        shape: Shape::Map(Names::Objects, &Shape::Map(Names::RustFields, &Shape::RustType)),
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
        doc: "The command that generates TypeScript while `cargo traitql watch` runs. It runs once at the start; one that stays is sent a line for each further generation.",
        example: "typescript: [npx, graphql-codegen, --config, codegen.yml]",
        absent: Absent::Means(
            "`npx graphql-codegen --config codegen.yml` where the file has its section `generates`, and nothing otherwise",
        ),
        shape: Shape::Texts("a command and its arguments"),
    },
];
