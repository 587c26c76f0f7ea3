//! The checked model: what a schema and its operations mean, ready to be turned into files.
//!
//! A `Model` exists only when nothing is wrong, so those who read it never handle mistakes: every name refers to something that
//! exists, every directive has sensible arguments, every default value fits its type. Everything is in the order of the
//! source (files by path, definitions by position), so the same input always gives the same output.

mod fields;
mod operations;
mod types;
mod values;

use indexmap::IndexMap;

pub use fields::{Access, Cost, Field, FieldKind, InputValue, Rate, RateBy, Rule, Subject, Transition};
pub use operations::{Calls, Operation, Release, Variable};
pub use types::{
    Directive, Enum, EnumValue, InputObject, Interface, Object, ObjectKind, RootKind, Scalar, Type, Union,
};
pub use values::{TypeRef, Value};

/// A schema together with the operations that clients may ask.
#[derive(Debug, Clone)]
pub struct Model {
    /// All definitions, printed canonically: one SDL text that any GraphQL tool reads.
    pub sdl: String,
    /// Types by name, without those of introspection and without the built-in scalars.
    pub types: IndexMap<String, Type>,
    /// Name of the query root type.
    pub query: String,
    /// Name of the mutation root type.
    pub mutation: Option<String>,
    /// Name of the subscription root type.
    pub subscription: Option<String>,
    /// The enum that `@auth(role:)` takes its values from, lowest role first; `None` when no field asks for a role.
    pub role_enum: Option<String>,
    /// The enum whose values carry `@error`.
    pub error_enum: Option<String>,
    /// Error codes with their meaning, in the order of their enum.
    pub errors: Vec<ErrorCode>,
    /// Every distinct subject that `@auth(of:, by:)` names, in order of first use.
    pub subjects: Vec<Subject>,
    /// Definitions of directives, without the built-in ones, in order.
    pub directives: Vec<Directive>,
    /// Operations by name, in alphabetical order.
    pub operations: Vec<Operation>,
    /// What clients in the field were built with, oldest release first.
    pub releases: Vec<Release>,
    /// Names in Rust that were given because those of the schema meet there, by coordinate. Only where that is permitted:
    /// see [`Options::renaming`](crate::Options::renaming).
    pub renamed: Vec<(String, String)>,
}

impl Model {
    /// What the names in Rust of a type are made of.
    pub fn rust_type<'m>(&'m self, name: &'m str) -> &'m str {
        self.types.get(name).map_or(name, Type::rust)
    }

    /// What the name in Rust of a value of an enum is made of.
    pub fn rust_value<'m>(&'m self, of: &str, name: &'m str) -> &'m str {
        let value = match self.types.get(of) {
            Some(Type::Enum(ty)) => ty.values.iter().find(|value| value.name == name),
            _ => None,
        };
        value.map_or(name, |value| &value.rust)
    }
}

/// Where a definition stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// Path as it was given to the loader, with `/` between its parts.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
}

/// An error code and its meaning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErrorCode {
    /// Value of the error enum: `VERSION_CONFLICT`.
    pub code: String,
    /// Status of the HTTP answer.
    pub http: u16,
    /// Sentence with slots: `{person} saved a newer version.`
    pub say: String,
    /// Names of the slots in order of first use.
    pub slots: Vec<String>,
    /// `NEVER`, `LATER`, `SAME_REQUEST` or `REFRESH`.
    pub retry: String,
    /// Where it is defined.
    pub origin: Origin,
}
