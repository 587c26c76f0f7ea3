use indexmap::IndexMap;

use super::{Origin, RootKind, Selection, TypeRef};

/// The operations of a released client version.
#[derive(Debug, Clone)]
pub struct Release {
    pub name: String,
    /// True if the release was unfrozen: its documents are no longer served.
    pub unfrozen: bool,
    /// Schema types its operations depend on: see [`schema_dependencies`](crate::schema_dependencies()).
    pub types: IndexMap<String, String>,
    pub operations: Vec<Operation>,
}

#[derive(Debug, Clone)]
pub struct Operation {
    pub name: String,
    pub kind: RootKind,
    /// The document as Apollo Client 4 sends it: the operation, then its fragments by name, printed like graphql-js,
    /// with `__typename` in every selection set except the outermost.
    pub body: String,
    /// Coordinates of the called root fields: `Mutation.tourRelease`.
    pub root_fields: Vec<String>,
    /// Coordinates of all called fields.
    pub coordinates: Vec<String>,
    /// Coordinates of arguments and input fields that receive a variable.
    pub variable_inputs: Vec<String>,
    /// Coordinates of arguments and input fields that are given, also as literals, and of enum values.
    pub given_inputs: Vec<String>,
    pub cost: u64,
    pub depth: u32,
    pub calls: ResolverCalls,
    pub variables: Vec<Variable>,
    pub selections: Vec<Selection>,
    pub origin: Origin,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResolverCalls {
    /// Maximum number, independent of the number of rows.
    pub max: u32,
    /// True if every successful execution has exactly this number of calls.
    pub is_constant: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    pub name: String,
    pub ty: TypeRef,
    /// True if it has a default other than null.
    pub has_default: bool,
}
