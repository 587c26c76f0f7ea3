use super::{Field, InputValue, Origin};

#[derive(Debug, Clone)]
pub struct Directive {
    pub name: String,
    pub args: Vec<InputValue>,
    pub repeatable: bool,
    pub locations: Vec<String>,
    pub origin: Origin,
}

impl Directive {
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

#[derive(Debug, Clone)]
pub enum Type {
    Scalar(Scalar),
    Enum(Enum),
    Input(InputObject),
    Object(Object),
    Interface(Interface),
    Union(Union),
}

impl Type {
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

#[derive(Debug, Clone)]
pub struct Scalar {
    pub name: String,
    pub rust: String,
    pub description: Option<String>,
    pub specified_by: Option<String>,
    pub origin: Origin,
}

#[derive(Debug, Clone)]
pub struct Enum {
    pub name: String,
    pub rust: String,
    pub description: Option<String>,
    pub values: Vec<EnumValue>,
    pub origin: Origin,
}

#[derive(Debug, Clone)]
pub struct EnumValue {
    pub name: String,
    pub rust: String,
    pub description: Option<String>,
    pub deprecated: Option<String>,
}

#[derive(Debug, Clone)]
pub struct InputObject {
    pub name: String,
    pub rust: String,
    pub description: Option<String>,
    /// `@oneOf`: exactly one field must be given.
    pub one_of: bool,
    pub fields: Vec<InputValue>,
    pub origin: Origin,
}

#[derive(Debug, Clone)]
pub struct Object {
    pub name: String,
    pub rust: String,
    pub description: Option<String>,
    pub implements: Vec<String>,
    /// `@embedded`: values are stored inside their parent.
    pub embedded: bool,
    pub kind: ObjectKind,
    pub fields: Vec<Field>,
    pub origin: Origin,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ObjectKind {
    /// A root. Fields may return the query or mutation root.
    Root(RootKind),
    /// A page of a list, whose resolver returns `Page<node>`. Recognized by the name `…Connection` and its fields:
    /// `nodes: [T!]!` or `edges: [E!]!` with `E { cursor: String!, node: T! }`, together with `pageInfo: PageInfo!`.
    Connection {
        node: String,
        /// Name of the edge type, if the connection has edges.
        edge: Option<String>,
    },
    Edge {
        node: String,
    },
    PageInfo,
    Plain,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RootKind {
    /// The root type whose fields have no side effects and run in parallel.
    Query,
    Mutation,
    /// A stream of responses.
    Subscription,
}

#[derive(Debug, Clone)]
pub struct Interface {
    pub name: String,
    pub rust: String,
    pub description: Option<String>,
    pub implements: Vec<String>,
    /// `@embedded`: values are stored inside their parent.
    pub embedded: bool,
    pub fields: Vec<Field>,
    /// Object types that implement it, sorted.
    pub members: Vec<String>,
    pub origin: Origin,
}

#[derive(Debug, Clone)]
pub struct Union {
    pub name: String,
    pub rust: String,
    pub description: Option<String>,
    /// `@embedded`: values are stored inside their parent.
    pub embedded: bool,
    pub members: Vec<String>,
    pub origin: Origin,
}
