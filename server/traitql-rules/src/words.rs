//! What is said about values that do not have the form of their type.

/// An argument or input field without a default was left out.
pub const REQUIRED: &str = "is required";
/// Null stands where the type ends in `!`.
pub const NOT_NULL: &str = "must not be null";
/// An `Int` is something else, or has a fraction.
pub const WHOLE_NUMBER: &str = "must be a whole number";
/// An `Int` has more than 32 bits.
pub const WHOLE_NUMBER_RANGE: &str = "must be a whole number between -2147483648 and 2147483647";
/// A `Float` is no number.
pub const NUMBER: &str = "must be a number";
/// A `String` is no text.
pub const TEXT: &str = "must be a text";
/// A text holds U+0000, which databases and programs in C take for its end or refuse.
pub const NO_NUL: &str = "must not contain the character U+0000";
/// A `Boolean` is neither true nor false.
pub const BOOLEAN: &str = "must be true or false";
/// An `ID` is neither a text nor a whole number.
pub const ID: &str = "must be a text or a whole number";
/// An input object is something else.
pub const OBJECT: &str = "must be an object";
/// A `@oneOf` input has no field, several, or one that is null.
pub const ONE_OF: &str = "must have exactly one field, and its value must not be null";

/// An enum has no such value.
pub fn one_of_values<'v>(values: impl IntoIterator<Item = &'v str>) -> String {
    let values: Vec<&str> = values.into_iter().collect();
    format!("must be one of {}", values.join(", "))
}

/// An input object has no such field.
pub fn unknown_field(name: &str) -> String {
    format!("must not have the field `{name}`")
}
