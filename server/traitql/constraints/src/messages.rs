//! Error messages for values that do not have their declared type.

/// A required argument or input field is missing.
pub const REQUIRED: &str = "is required";
/// Null was given for a non-null type.
pub const NOT_NULL: &str = "must not be null";
/// An `Int` is not a number or has a fraction.
pub const INTEGER: &str = "must be an integer";
/// An `Int` does not fit in 32 bits.
pub const INTEGER_RANGE: &str = "must be an integer between -2147483648 and 2147483647";
/// A `Float` is not a number.
pub const NUMBER: &str = "must be a number";
/// A `String` is not a string.
pub const STRING: &str = "must be a string";
/// A string contains U+0000, which databases reject and C programs take for the end of the string.
pub const NO_NUL: &str = "must not contain the character U+0000";
/// A `Boolean` is not a boolean.
pub const BOOLEAN: &str = "must be true or false";
/// A number of a custom scalar cannot be represented exactly: an integer with more than 64 bits, or one beyond the range
/// of 64-bit floats.
pub const NUMBER_SIZE: &str = "must be a number that fits in 64 bits, or a string";
/// An `ID` is neither a string nor an integer.
pub const ID: &str = "must be a string or an integer";
/// An input object is not an object.
pub const OBJECT: &str = "must be an object";
/// A `@oneOf` input does not have exactly one non-null field.
pub const ONE_OF: &str = "must have exactly one field, and its value must not be null";

/// The enum does not have this value.
pub fn one_of_values<'v>(values: impl IntoIterator<Item = &'v str>) -> String {
    let values: Vec<&str> = values.into_iter().collect();
    format!("must be one of {}", values.join(", "))
}

/// The input object does not have this field.
pub fn unknown_field(name: &str) -> String {
    format!("must not have the field `{name}`")
}
