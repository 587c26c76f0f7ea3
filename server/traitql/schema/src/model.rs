//! The checked model of a schema and its operations, from which code is generated.
//!
//! Names refer to existing items, directives have valid arguments, and defaults have the correct type. Everything is
//! in source order, so that equal input produces equal output. `rust` is the base of the Rust names of an item, `sdl`
//! its definition on one line, and `deprecated` the reason of `@deprecated`.

mod fields;
mod operations;
mod selections;
mod types;
mod values;

use indexmap::IndexMap;

pub use fields::{
    Access, Authentication, Constraint, Cost, Field, FieldKind, InputValue, Rate, RateBy, Subject, Transition,
};
pub use operations::{Operation, Release, ResolverCalls, Variable};
pub use selections::{Argument, Condition, Fragment, SelectedField, Selection};
pub use types::{
    Directive, Enum, EnumValue, InputObject, Interface, Object, ObjectKind, RootKind, Scalar, Type, Union,
};
pub use values::{TypeRef, Value};

#[derive(Debug, Clone)]
pub struct Model {
    /// Canonical SDL of all definitions, readable by any GraphQL tool.
    pub sdl: String,
    /// Types by name, except introspection types and built-in scalars.
    pub types: IndexMap<String, Type>,
    pub query: String,
    pub mutation: Option<String>,
    pub subscription: Option<String>,
    /// Enum for `@auth(role:)`, from the lowest role.
    pub role_enum: Option<String>,
    /// Enum whose values have `@error`.
    pub error_enum: Option<String>,
    pub errors: Vec<ErrorCode>,
    /// Distinct subjects of `@auth(of:, by:)`, in order of first use.
    pub subjects: Vec<Subject>,
    /// Directive definitions in order, without built-in ones.
    pub directives: Vec<Directive>,
    /// Operations, sorted by name.
    pub operations: Vec<Operation>,
    /// Fragments of the operations, sorted by name.
    pub fragments: Vec<Fragment>,
    /// Releases of the clients, oldest first.
    pub releases: Vec<Release>,
    /// Rust names that were assigned automatically, by coordinate. Needs
    /// [`Options::with_automatic_renaming`](crate::Options::with_automatic_renaming).
    pub auto_renamed: Vec<(String, String)>,
}

impl Model {
    pub fn rust_type<'m>(&'m self, name: &'m str) -> &'m str {
        self.types.get(name).map_or(name, Type::rust)
    }

    pub fn rust_value<'m>(&'m self, of: &str, name: &'m str) -> &'m str {
        let value = match self.types.get(of) {
            Some(Type::Enum(ty)) => ty.values.iter().find(|value| value.name == name),
            _ => None,
        };
        value.map_or(name, |value| &value.rust)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// Path as passed to the loader, separated by `/`.
    pub file: String,
    /// Line, starting at 1.
    pub line: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErrorCode {
    pub code: String,
    pub http: u16,
    /// Message with slots: `{person} saved a newer version.`
    pub message: String,
    /// Names of the slots in order of first use.
    pub slots: Vec<String>,
    /// `NEVER`, `LATER`, `SAME_REQUEST` or `REFRESH`.
    pub retry: String,
    pub origin: Origin,
}
