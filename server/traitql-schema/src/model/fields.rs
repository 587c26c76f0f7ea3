//! Fields, arguments and input fields, and what directives say of them.

use super::{Origin, TypeRef, Value};

/// An argument of a field, or a field of an input object.
#[derive(Debug, Clone)]
pub struct InputValue {
    /// Name in the schema.
    pub name: String,
    /// What its names in Rust are made of: its name in the schema, unless it was given another.
    pub rust: String,
    /// Description in the schema.
    pub description: Option<String>,
    /// Type as written.
    pub ty: TypeRef,
    /// Default value.
    pub default: Option<Value>,
    /// Limits of the value, in the order they are declared.
    pub rules: Vec<Rule>,
    /// Reason given by `@deprecated`.
    pub deprecated: Option<String>,
    /// The definition as one line of SDL, for documentation.
    pub sdl: String,
    /// Where it is defined.
    pub origin: Origin,
}

/// A limit of an input value.
#[derive(Debug, Clone, PartialEq)]
pub enum Rule {
    /// `@length`: characters of a text (of each text of a list).
    Length {
        /// Fewest characters.
        min: u32,
        /// Most characters.
        max: u32,
    },
    /// `@count`: entries of a list.
    Count {
        /// Fewest entries.
        min: u32,
        /// Most entries.
        max: u32,
    },
    /// `@range`: bounds of a number, both included.
    Range {
        /// Lower bound.
        min: Option<f64>,
        /// Upper bound.
        max: Option<f64>,
    },
    /// `@depth`: levels of objects of a recursive input.
    Depth {
        /// Most levels; the value itself is the first one.
        max: u32,
        /// Most objects that hold no other.
        leaves: Option<u32>,
    },
    /// `@format`: a named form of a text (of each text of a list); the name is a value of enum `Format`.
    Format {
        /// Name of the form.
        is: String,
    },
}

/// A field of an object or interface type.
#[derive(Debug, Clone)]
pub struct Field {
    /// Name in the schema.
    pub name: String,
    /// What its names in Rust are made of: its name in the schema, unless it was given another.
    pub rust: String,
    /// Description in the schema.
    pub description: Option<String>,
    /// Arguments in order.
    pub args: Vec<InputValue>,
    /// Type as written.
    pub ty: TypeRef,
    /// Whether the value is there or must be fetched.
    pub kind: FieldKind,
    /// Who may call it; always there on root fields, never elsewhere.
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
    /// The definition as one line of SDL with its directives, for documentation and messages.
    pub sdl: String,
    /// Where it is defined.
    pub origin: Origin,
}

/// Whether a field's value is there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldKind {
    /// Part of the parent's struct: no arguments, and a leaf type, an `@embedded` type, or a part of a connection.
    Data,
    /// Fetched by a resolver: a root field, a field with arguments, with an object type, or with `@resolve`.
    Resolved,
}

/// Who may call a root field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Access {
    /// `@public`.
    Public,
    /// `@auth` without arguments.
    SignedIn,
    /// `@auth(role:, of:, by:)`.
    Role {
        /// Value of the role enum.
        role: String,
        /// Index into [`Model::subjects`](super::Model::subjects).
        subject: usize,
        /// The path of the argument that identifies the subject: `["input", "id"]`.
        path: Vec<String>,
    },
}

/// Something that a person can have a role on, and what identifies it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    /// The `of` of `@auth`: an object type of the schema.
    pub of: String,
    /// How it is identified: `None` by an argument of type `ID!`, otherwise the last part of the path (`slug`).
    pub by: Option<String>,
}

/// An edge of a state machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transition {
    /// The enum of states.
    pub of: String,
    /// States it may begin in.
    pub from: Vec<String>,
    /// State it ends in.
    pub to: String,
}

/// What calling a field costs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cost {
    /// Cost of the field itself; 1 when nothing is said about a resolved field, 0 for data.
    pub value: u32,
    /// The integer argument that multiplies what is below.
    pub times: Option<String>,
}

/// How often a field may be called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rate {
    /// Calls in one window.
    pub limit: u32,
    /// Length of the window in seconds: 1, 60 or 3600.
    pub window_seconds: u32,
    /// What tells callers apart.
    pub by: RateBy,
}

/// What tells callers apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RateBy {
    /// The signed-in account.
    Account,
    /// The caller's network address.
    Address,
    /// The value of the argument at this path.
    Argument(Vec<String>),
}
