//! What clients ask.

use indexmap::IndexMap;

use super::{Origin, RootKind, TypeRef};

/// The operations that a release of the clients was built with.
#[derive(Debug, Clone)]
pub struct Release {
    /// Its name: `2026-11`.
    pub name: String,
    /// Given up on purpose: nothing is kept for it any more.
    pub retired: bool,
    /// What its operations rely on: see [`contract`](crate::contract()).
    pub types: IndexMap<String, String>,
    /// Its operations with their texts of that time, by name.
    pub operations: Vec<Operation>,
}

/// An operation that clients may ask.
#[derive(Debug, Clone)]
pub struct Operation {
    /// Its name, which is also the name of its file.
    pub name: String,
    /// Query, mutation or subscription.
    pub kind: RootKind,
    /// The document exactly as Apollo Client 4 sends it: the operation, then the fragments it uses sorted by name, with
    /// `__typename` added to every selection set but the operation's own, printed as graphql-js prints.
    pub body: String,
    /// Coordinates of the root fields it calls: `Mutation.tourRelease`.
    pub root_fields: Vec<String>,
    /// Coordinates of all fields it calls.
    pub coordinates: Vec<String>,
    /// Coordinates of all arguments and input fields that take a variable: `Query.tours(first:)`, `TourSaveInput.title`.
    pub sent: Vec<String>,
    /// What one execution costs at most, with variables at their defaults or at the upper limit of their rules.
    pub cost: u64,
    /// Depth of the deepest selection; a root field has depth 1.
    pub depth: u32,
    /// How often resolvers are called by one execution.
    pub calls: Calls,
    /// Its variables, as declared.
    pub variables: Vec<Variable>,
    /// Where it is defined.
    pub origin: Origin,
}

/// How often resolvers are called by one execution of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Calls {
    /// As often as this at most, however many rows there are.
    pub most: u32,
    /// Whether it is as often in every execution that does not fail.
    pub constant: bool,
}

/// A variable of an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// Name without `$`.
    pub name: String,
    /// Type as declared.
    pub ty: TypeRef,
}
