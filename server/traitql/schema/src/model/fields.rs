use super::{Origin, TypeRef, Value};

/// An argument of a field, or a field of an input object.
#[derive(Debug, Clone)]
pub struct InputValue {
    /// Name in the schema.
    pub name: String,
    /// Base of its Rust names.
    pub rust: String,
    /// Description in the schema.
    pub description: Option<String>,
    /// Declared type.
    pub ty: TypeRef,
    /// Default value.
    pub default: Option<Value>,
    /// In declaration order.
    pub constraints: Vec<Constraint>,
    /// Reason given by `@deprecated`.
    pub deprecated: Option<String>,
    /// The definition on one line of SDL.
    pub sdl: String,
    /// Position of its definition.
    pub origin: Origin,
}

/// A constraint of an input value.
#[derive(Debug, Clone, PartialEq)]
pub enum Constraint {
    /// `@length`, also of each string in a list.
    Length {
        /// Minimum number of characters.
        min: u32,
        /// Maximum number of characters.
        max: u32,
    },
    /// `@count`.
    Count {
        /// Minimum number of entries.
        min: u32,
        /// Maximum number of entries.
        max: u32,
    },
    /// `@range`: inclusive bounds.
    Range {
        /// Lower bound.
        min: Option<f64>,
        /// Upper bound.
        max: Option<f64>,
    },
    /// `@depth`.
    Depth {
        /// Maximum number of levels; the value itself is the first one.
        max: u32,
        /// Maximum number of innermost objects.
        leaves: Option<u32>,
    },
    /// `@format`, also of each string in a list.
    Format {
        /// Name of the format.
        is: String,
    },
}

/// A field of an object or interface type.
#[derive(Debug, Clone)]
pub struct Field {
    /// Name in the schema.
    pub name: String,
    /// Base of its Rust names.
    pub rust: String,
    /// Description in the schema.
    pub description: Option<String>,
    /// Arguments in order.
    pub args: Vec<InputValue>,
    /// Declared type.
    pub ty: TypeRef,
    /// Source of the value.
    pub kind: FieldKind,
    /// Access check, if it is a root field.
    pub access: Option<Access>,
    /// Codes of `@throws`, in order.
    pub throws: Vec<String>,
    /// `@transition`.
    pub transition: Option<Transition>,
    /// Action of `@audited`.
    pub audited: Option<String>,
    /// `@cost`.
    pub cost: Cost,
    /// `@rate`.
    pub rate: Option<Rate>,
    /// Reason given by `@deprecated`.
    pub deprecated: Option<String>,
    /// The definition on one line of SDL.
    pub sdl: String,
    /// Position of its definition.
    pub origin: Origin,
}

/// Source of a field's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldKind {
    /// Stored in the parent's struct.
    Data,
    /// Computed by a resolver: a root field, a field with arguments or an object type, or `@resolve`.
    Resolved,
}

/// Access check of a root field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Access {
    /// `@public`.
    Public,
    /// `@auth` without a role.
    SignedIn {
        /// Requirements on the caller's last authentication.
        authentication: Authentication,
    },
    /// `@auth(role:, of:, by:)`.
    Role {
        /// Value of the role enum.
        role: String,
        /// Index into [`Model::subjects`](super::Model::subjects).
        subject: usize,
        /// Path of the argument that identifies the subject: `["input", "id"]`.
        path: Vec<String>,
        /// Requirements on the caller's last authentication.
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
    /// The `of` of `@auth`: an object type.
    pub of: String,
    /// Last part of the path that identifies it (`slug`), or `None` for an argument of type `ID!`.
    pub by: Option<String>,
}

/// A transition of a state machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transition {
    /// The enum of states.
    pub of: String,
    /// Allowed states before the mutation.
    pub from: Vec<String>,
    /// State after the mutation.
    pub to: String,
}

/// Cost of a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cost {
    /// Cost of the field itself.
    pub value: u32,
    /// Argument that multiplies the cost of the selections.
    pub times: Option<String>,
}

/// Rate limit of a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rate {
    /// Number of calls per window.
    pub limit: u32,
    /// Length of the window in seconds: 1, 60 or 3600.
    pub window_seconds: u32,
    /// Key by which callers are counted.
    pub by: RateBy,
}

/// Key by which callers are counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RateBy {
    /// The signed-in account.
    Account,
    /// The caller's network address.
    Address,
    /// The value of the argument at this path.
    Argument(Vec<String>),
}
