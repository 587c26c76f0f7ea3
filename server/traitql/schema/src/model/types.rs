use super::{Field, InputValue, Origin};

/// A directive definition.
#[derive(Debug, Clone)]
pub struct Directive {
    /// Name without `@`.
    pub name: String,
    /// Arguments in order.
    pub args: Vec<InputValue>,
    /// True if it can be applied several times at one location.
    pub repeatable: bool,
    /// Allowed locations: `FIELD`, `OBJECT`, …
    pub locations: Vec<String>,
    /// Position of its definition.
    pub origin: Origin,
}

impl Directive {
    /// True if it is allowed in documents.
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
    /// An object type, including root types.
    Object(Object),
    /// An interface.
    Interface(Interface),
    /// A union.
    Union(Union),
}

impl Type {
    /// Returns the position of its definition.
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

    /// Returns the base of its Rust names.
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

    /// Returns its name in the schema.
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
    /// Base of its Rust names.
    pub rust: String,
    /// Description in the schema.
    pub description: Option<String>,
    /// `@specifiedBy(url:)`.
    pub specified_by: Option<String>,
    /// Position of its definition.
    pub origin: Origin,
}

/// An enum and its values.
#[derive(Debug, Clone)]
pub struct Enum {
    /// Name in the schema.
    pub name: String,
    /// Base of its Rust names.
    pub rust: String,
    /// Description in the schema.
    pub description: Option<String>,
    /// Values in order.
    pub values: Vec<EnumValue>,
    /// Position of its definition.
    pub origin: Origin,
}

/// One value of an enum.
#[derive(Debug, Clone)]
pub struct EnumValue {
    /// Name in the schema.
    pub name: String,
    /// Base of its Rust names.
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
    /// Base of its Rust names.
    pub rust: String,
    /// Description in the schema.
    pub description: Option<String>,
    /// `@oneOf`: exactly one field must be given.
    pub one_of: bool,
    /// Fields in order.
    pub fields: Vec<InputValue>,
    /// Position of its definition.
    pub origin: Origin,
}

/// An object type.
#[derive(Debug, Clone)]
pub struct Object {
    /// Name in the schema.
    pub name: String,
    /// Base of its Rust names.
    pub rust: String,
    /// Description in the schema.
    pub description: Option<String>,
    /// Names of the interfaces it implements.
    pub implements: Vec<String>,
    /// `@embedded`: values are stored inside their parent.
    pub embedded: bool,
    /// Role of the type.
    pub kind: ObjectKind,
    /// Fields in order.
    pub fields: Vec<Field>,
    /// Position of its definition.
    pub origin: Origin,
}

/// Role of an object type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ObjectKind {
    /// A root. Fields may return the query or mutation root.
    Root(RootKind),
    /// A page of a list, whose resolver returns `Page<node>`. Recognized by the name `…Connection` and its fields:
    /// `nodes: [T!]!` or `edges: [E!]!` with `E { cursor: String!, node: T! }`, together with `pageInfo: PageInfo!`.
    /// None of its parts implements an interface or belongs to a union.
    Connection {
        /// Name of the node type.
        node: String,
        /// Name of the edge type, if the connection has edges.
        edge: Option<String>,
    },
    /// The edge of a connection.
    Edge {
        /// Name of the node type.
        node: String,
    },
    /// `PageInfo` of a connection.
    PageInfo,
    /// Any other object type.
    Plain,
}

/// Kinds of root types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RootKind {
    /// Without side effects; fields run in parallel.
    Query,
    /// Fields run one after the other.
    Mutation,
    /// A stream of responses.
    Subscription,
}

/// An interface.
#[derive(Debug, Clone)]
pub struct Interface {
    /// Name in the schema.
    pub name: String,
    /// Base of its Rust names.
    pub rust: String,
    /// Description in the schema.
    pub description: Option<String>,
    /// Names of the interfaces it implements.
    pub implements: Vec<String>,
    /// `@embedded`: values are stored inside their parent.
    pub embedded: bool,
    /// Fields in order.
    pub fields: Vec<Field>,
    /// Object types that implement it, sorted.
    pub members: Vec<String>,
    /// Position of its definition.
    pub origin: Origin,
}

/// A union.
#[derive(Debug, Clone)]
pub struct Union {
    /// Name in the schema.
    pub name: String,
    /// Base of its Rust names.
    pub rust: String,
    /// Description in the schema.
    pub description: Option<String>,
    /// `@embedded`: values are stored inside their parent.
    pub embedded: bool,
    /// Member types, in declaration order.
    pub members: Vec<String>,
    /// Position of its definition.
    pub origin: Origin,
}
