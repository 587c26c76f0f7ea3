//! Types, and what else a schema defines by name.

use super::{Field, InputValue, Origin};

/// The definition of a directive.
#[derive(Debug, Clone)]
pub struct Directive {
    /// Name without `@`.
    pub name: String,
    /// Arguments in order.
    pub args: Vec<InputValue>,
    /// Whether it can stand several times in one place.
    pub repeatable: bool,
    /// Where it can stand: `FIELD`, `OBJECT`, …
    pub locations: Vec<String>,
    /// Where it is defined.
    pub origin: Origin,
}

impl Directive {
    /// Whether documents can carry it, not only schemas.
    pub fn is_executable(&self) -> bool {
        const EXECUTABLE: [&str; 8] = [
            "QUERY",
            "MUTATION",
            "SUBSCRIPTION",
            "FIELD",
            "FRAGMENT_DEFINITION",
            "FRAGMENT_SPREAD",
            "INLINE_FRAGMENT",
            "VARIABLE_DEFINITION",
        ];
        self.locations
            .iter()
            .any(|location| EXECUTABLE.contains(&location.as_str()))
    }
}

/// A named type.
#[derive(Debug, Clone)]
pub enum Type {
    /// A custom scalar.
    Scalar(Scalar),
    /// An enum.
    Enum(Enum),
    /// An input object.
    Input(InputObject),
    /// An object type, root types included.
    Object(Object),
    /// An interface.
    Interface(Interface),
    /// A union.
    Union(Union),
}

impl Type {
    /// Where it is defined.
    pub fn origin(&self) -> &Origin {
        match self {
            Type::Scalar(ty) => &ty.origin,
            Type::Enum(ty) => &ty.origin,
            Type::Input(ty) => &ty.origin,
            Type::Object(ty) => &ty.origin,
            Type::Interface(ty) => &ty.origin,
            Type::Union(ty) => &ty.origin,
        }
    }

    /// What its names in Rust are made of.
    pub fn rust(&self) -> &str {
        match self {
            Type::Scalar(ty) => &ty.rust,
            Type::Enum(ty) => &ty.rust,
            Type::Input(ty) => &ty.rust,
            Type::Object(ty) => &ty.rust,
            Type::Interface(ty) => &ty.rust,
            Type::Union(ty) => &ty.rust,
        }
    }

    /// Name in the schema.
    pub fn name(&self) -> &str {
        match self {
            Type::Scalar(ty) => &ty.name,
            Type::Enum(ty) => &ty.name,
            Type::Input(ty) => &ty.name,
            Type::Object(ty) => &ty.name,
            Type::Interface(ty) => &ty.name,
            Type::Union(ty) => &ty.name,
        }
    }
}

/// A custom scalar.
#[derive(Debug, Clone)]
pub struct Scalar {
    /// Name in the schema.
    pub name: String,
    /// What its names in Rust are made of: its name in the schema, unless it was given another.
    pub rust: String,
    /// Description in the schema.
    pub description: Option<String>,
    /// `@specifiedBy(url:)`.
    pub specified_by: Option<String>,
    /// Where it is defined.
    pub origin: Origin,
}

/// An enum and its values.
#[derive(Debug, Clone)]
pub struct Enum {
    /// Name in the schema.
    pub name: String,
    /// What its names in Rust are made of: its name in the schema, unless it was given another.
    pub rust: String,
    /// Description in the schema.
    pub description: Option<String>,
    /// Values in order.
    pub values: Vec<EnumValue>,
    /// Where it is defined.
    pub origin: Origin,
}

/// One value of an enum.
#[derive(Debug, Clone)]
pub struct EnumValue {
    /// Name in the schema, usually `SCREAMING_CASE`.
    pub name: String,
    /// What its names in Rust are made of: its name in the schema, unless it was given another.
    pub rust: String,
    /// Description in the schema.
    pub description: Option<String>,
    /// Reason given by `@deprecated`.
    pub deprecated: Option<String>,
}

/// An input object type.
#[derive(Debug, Clone)]
pub struct InputObject {
    /// Name in the schema.
    pub name: String,
    /// What its names in Rust are made of: its name in the schema, unless it was given another.
    pub rust: String,
    /// Description in the schema.
    pub description: Option<String>,
    /// `@oneOf`: exactly one field is given.
    pub one_of: bool,
    /// Fields in order.
    pub fields: Vec<InputValue>,
    /// Where it is defined.
    pub origin: Origin,
}

/// An object type.
#[derive(Debug, Clone)]
pub struct Object {
    /// Name in the schema.
    pub name: String,
    /// What its names in Rust are made of: its name in the schema, unless it was given another.
    pub rust: String,
    /// Description in the schema.
    pub description: Option<String>,
    /// Names of the interfaces it implements.
    pub implements: Vec<String>,
    /// `@embedded`: values live inside their parent.
    pub embedded: bool,
    /// What the type stands for.
    pub kind: ObjectKind,
    /// Fields in order.
    pub fields: Vec<Field>,
    /// Where it is defined.
    pub origin: Origin,
}

/// What an object type stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ObjectKind {
    /// The query, mutation or subscription root. A field may answer with one of the first two.
    Root(RootKind),
    /// A page of a list: its resolver returns `Page<node>`. Recognised by its name ending in `Connection` and a field
    /// `nodes: [T!]!` or `edges: [E!]!` with `E { cursor: String!, node: T! }`, beside `pageInfo: PageInfo!`. None of its
    /// parts implements an interface or belongs to a union.
    Connection {
        /// Name of the node's type.
        node: String,
        /// Name of the edge's type, if the connection has edges.
        edge: Option<String>,
    },
    /// The edge of a connection.
    Edge {
        /// Name of the node's type.
        node: String,
    },
    /// `PageInfo` of a connection.
    PageInfo,
    /// Everything else.
    Plain,
}

/// Which root an object type is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RootKind {
    /// Side-effect free, fields in parallel.
    Query,
    /// Fields one after the other.
    Mutation,
    /// A stream of answers.
    Subscription,
}

/// An interface.
#[derive(Debug, Clone)]
pub struct Interface {
    /// Name in the schema.
    pub name: String,
    /// What its names in Rust are made of: its name in the schema, unless it was given another.
    pub rust: String,
    /// Description in the schema.
    pub description: Option<String>,
    /// Names of the interfaces it implements.
    pub implements: Vec<String>,
    /// `@embedded`: values live inside their parent.
    pub embedded: bool,
    /// Fields in order.
    pub fields: Vec<Field>,
    /// Names of the object types that implement it, in alphabetical order.
    pub members: Vec<String>,
    /// Where it is defined.
    pub origin: Origin,
}

/// A union.
#[derive(Debug, Clone)]
pub struct Union {
    /// Name in the schema.
    pub name: String,
    /// What its names in Rust are made of: its name in the schema, unless it was given another.
    pub rust: String,
    /// Description in the schema.
    pub description: Option<String>,
    /// `@embedded`: values live inside their parent.
    pub embedded: bool,
    /// Names of its member types, as written.
    pub members: Vec<String>,
    /// Where it is defined.
    pub origin: Origin,
}
