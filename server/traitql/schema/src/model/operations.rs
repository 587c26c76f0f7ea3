use indexmap::IndexMap;

use super::{Origin, RootKind, TypeRef};

/// The operations of a released client version.
#[derive(Debug, Clone)]
pub struct Release {
    /// Its name: `2026-11`.
    pub name: String,
    /// True if the release was unfrozen: its documents are no longer served.
    pub unfrozen: bool,
    /// Schema types its operations depend on: see [`schema_dependencies`](crate::schema_dependencies()).
    pub types: IndexMap<String, String>,
    /// Its operations, with their texts at that time.
    pub operations: Vec<Operation>,
}

/// An operation of a client.
#[derive(Debug, Clone)]
pub struct Operation {
    /// Name, which is also the name of its file.
    pub name: String,
    /// Query, mutation or subscription.
    pub kind: RootKind,
    /// The document as Apollo Client 4 sends it: the operation, then its fragments by name, printed as graphql-js does,
    /// with `__typename` in every selection set except the outermost.
    pub body: String,
    /// Coordinates of the called root fields: `Mutation.tourRelease`.
    pub root_fields: Vec<String>,
    /// Coordinates of all called fields.
    pub coordinates: Vec<String>,
    /// Coordinates of arguments and input fields that receive a variable.
    pub variable_inputs: Vec<String>,
    /// Maximum cost of one execution.
    pub cost: u64,
    /// Depth; root fields have depth 1.
    pub depth: u32,
    /// Number of resolver calls in one execution.
    pub calls: ResolverCalls,
    /// Declared variables.
    pub variables: Vec<Variable>,
    /// Position of its definition.
    pub origin: Origin,
}

/// Number of resolver calls in one execution of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResolverCalls {
    /// Maximum number, independent of the number of rows.
    pub max: u32,
    /// True if every successful execution has exactly this number of calls.
    pub is_constant: bool,
}

/// A variable of an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// Name without `$`.
    pub name: String,
    /// Declared type.
    pub ty: TypeRef,
}
