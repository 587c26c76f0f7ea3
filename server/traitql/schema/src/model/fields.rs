use super::{Origin, TypeRef, Value};

/// An argument of a field, or a field of an input object.
#[derive(Debug, Clone)]
pub struct InputValue {
    pub name: String,
    pub rust: String,
    pub description: Option<String>,
    pub ty: TypeRef,
    pub default: Option<Value>,
    pub constraints: Vec<Constraint>,
    pub deprecated: Option<String>,
    pub sdl: String,
    pub origin: Origin,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Constraint {
    /// `@length`, also of each string in a list.
    Length {
        min: u32,
        max: u32,
    },
    Count {
        min: u32,
        max: u32,
    },
    /// `@range`: inclusive bounds.
    Range {
        min: Option<f64>,
        max: Option<f64>,
    },
    Depth {
        /// Maximum number of levels; the value itself is the first one.
        max: u32,
        /// Maximum number of innermost objects.
        leaves: Option<u32>,
    },
    /// `@format`, also of each string in a list.
    Format {
        is: String,
    },
}

#[derive(Debug, Clone)]
pub struct Field {
    pub name: String,
    pub rust: String,
    pub description: Option<String>,
    pub args: Vec<InputValue>,
    pub ty: TypeRef,
    pub kind: FieldKind,
    pub access: Option<Access>,
    pub throws: Vec<String>,
    pub transition: Option<Transition>,
    pub audited: Option<String>,
    pub cost: Cost,
    pub rate: Option<Rate>,
    pub deprecated: Option<String>,
    pub sdl: String,
    pub origin: Origin,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldKind {
    /// Stored in the parent's struct.
    Data,
    /// Computed by a resolver: a root field, a field with arguments or an object type, or `@resolve`.
    Resolved,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Access {
    Public,
    /// `@auth` without a role.
    SignedIn {
        authentication: Authentication,
    },
    /// `@auth(role:, of:, by:)`.
    Role {
        role: String,
        /// Index into [`Model::subjects`](super::Model::subjects).
        subject: usize,
        /// Path of the argument that identifies the subject: `["input", "id"]`.
        path: Vec<String>,
        authentication: Authentication,
    },
}

impl Access {
    /// Returns the requirements on the caller's last authentication; `None` without any.
    pub fn authentication(&self) -> Option<&Authentication> {
        match self {
            Self::Public => None,
            Self::SignedIn { authentication } | Self::Role { authentication, .. } => {
                (*authentication != Authentication::default()).then_some(authentication)
            }
        }
    }
}

/// Requirements of `@auth` on the caller's last authentication.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Authentication {
    /// Maximum time since then, in seconds.
    pub max_age: Option<u32>,
    /// Level that it must have reached.
    pub acr: Option<String>,
}

/// A kind of object on which accounts have roles, with the way it is identified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    pub of: String,
    /// The last part of the path that identifies it (`slug`), or `None` for an argument of type `ID!`.
    pub by: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transition {
    pub of: String,
    pub from: Vec<String>,
    pub to: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cost {
    pub value: u32,
    /// Argument that multiplies the cost of the selections.
    pub times: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rate {
    pub limit: u32,
    /// Length of the window in seconds: 1, 60 or 3600.
    pub window_seconds: u32,
    pub by: RateBy,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RateBy {
    Account,
    Address,
    /// The value of the argument at this path.
    Argument(Vec<String>),
}
