//! Problems of a value: the violated rule with its parameters, for clients that translate messages, and the message.

use std::{borrow::Cow, fmt};

use serde_json::{Map, Value, json};

use crate::number;

/// A problem of a value.
#[derive(Debug, Clone, PartialEq)]
pub enum Problem {
    /// A required argument or input field is missing.
    Missing,
    /// Null was given for a non-null type.
    Null,
    /// The value does not have its declared type.
    Type(Expected),
    /// The input object does not have this field.
    UnknownField(String),
    /// A custom scalar rejects the value with this message.
    Rejected(String),
    /// The enum has only these values.
    Enum(Vec<String>),
    /// `@length`: the number of characters.
    Length(Bound),
    /// `@count`: the number of list entries.
    Count(Bound),
    /// `@depth(max:)`: the maximum number of nested levels.
    Levels(usize),
    /// `@depth(leaves:)`: the maximum number of objects that contain no other object.
    Leaves(usize),
    /// `@range`: the declared bounds.
    Range {
        /// The smallest accepted number.
        min: Option<f64>,
        /// The largest accepted number.
        max: Option<f64>,
    },
    /// `@format`: the name of the format, and its message.
    Format {
        /// The name in the schema's enum.
        name: Cow<'static, str>,
        /// The message, which follows the path of the value.
        message: Cow<'static, str>,
    },
}

/// The violated bound of a size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// The size is below this minimum.
    Min(usize),
    /// The size is above this maximum.
    Max(usize),
}

/// The type that a value should have. No variant has the name of a common type, because rustc would then print the full
/// path of that type in all messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// An `Int` is not a number or has a fraction.
    Integer,
    /// An `Int` does not fit in 32 bits.
    IntegerRange,
    /// A `Float` is not a number.
    Number,
    /// A number of a custom scalar cannot be represented exactly: an integer with more than 64 bits, or one beyond the
    /// range of 64-bit floats.
    NumberSize,
    /// A `String` is not a string.
    Text,
    /// A string contains U+0000, which databases reject and C programs take for the end of the string.
    NoNul,
    /// A `Boolean` is not a boolean.
    Boolean,
    /// An `ID` is neither a string nor an integer.
    Identifier,
    /// An input object is not an object.
    Object,
    /// A `@oneOf` input does not have exactly one non-null field.
    OneOf,
}

impl Problem {
    /// Returns the name of the violated rule in `extensions.violations`.
    pub const fn rule(&self) -> &'static str {
        match self {
            Self::Missing | Self::Null => "required",
            Self::Type(_) | Self::UnknownField(_) | Self::Rejected(_) => "type",
            Self::Enum(_) => "enum",
            Self::Length(_) => "length",
            Self::Count(_) => "count",
            Self::Levels(_) | Self::Leaves(_) => "depth",
            Self::Range { .. } => "range",
            Self::Format { .. } => "format",
        }
    }

    /// Returns the values that the message contains, by the names in `extensions.violations`.
    pub fn params(&self) -> Map<String, Value> {
        let params = match self {
            Self::Missing | Self::Null => vec![],
            Self::Type(expected) => vec![("expected", json!(expected.name()))],
            Self::UnknownField(name) => vec![("expected", json!("KNOWN_FIELD")), ("field", json!(name))],
            Self::Rejected(_) => vec![("expected", json!("SCALAR"))],
            Self::Enum(values) => vec![("values", json!(values))],
            Self::Length(bound) | Self::Count(bound) => match bound {
                Bound::Min(min) => vec![("min", json!(min))],
                Bound::Max(max) => vec![("max", json!(max))],
            },
            Self::Levels(max) => vec![("max", json!(max))],
            Self::Leaves(max) => vec![("leaves", json!(max))],
            Self::Range { min, max } => {
                let given = [("min", min), ("max", max)];
                let given = given.into_iter().filter_map(|(name, bound)| Some((name, (*bound)?)));
                given.map(|(name, bound)| (name, json_number(bound))).collect()
            }
            Self::Format { name, .. } => vec![("format", json!(name))],
        };
        params
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect()
    }
}

/// Writes whole numbers without a fraction, as JavaScript does.
fn json_number(value: f64) -> Value {
    const MAX_SAFE_INTEGER: f64 = 9_007_199_254_740_991.0;
    if value.fract() == 0.0 && value.abs() <= MAX_SAFE_INTEGER {
        json!(value as i64)
    } else {
        json!(value)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let noun = |number: usize, one: &'static str, other: &'static str| if number == 1 { one } else { other };
        let entries = |number| noun(number, "entry", "entries");
        match self {
            Self::Missing => f.write_str("is required"),
            Self::Null => f.write_str("must not be null"),
            Self::Type(expected) => f.write_str(expected.message()),
            Self::UnknownField(name) => write!(f, "must not have the field `{name}`"),
            Self::Rejected(message) => f.write_str(message),
            Self::Enum(values) => write!(f, "must be one of {}", values.join(", ")),
            Self::Length(Bound::Min(1)) => f.write_str("must not be empty"),
            Self::Length(Bound::Min(min)) => write!(f, "must have at least {min} characters"),
            Self::Length(Bound::Max(max)) => {
                write!(f, "must have at most {max} {}", noun(*max, "character", "characters"))
            }
            Self::Count(Bound::Min(min)) => write!(f, "must have at least {min} {}", entries(*min)),
            Self::Count(Bound::Max(max)) => write!(f, "must have at most {max} {}", entries(*max)),
            Self::Levels(max) => write!(
                f,
                "must not be nested deeper than {max} {}",
                noun(*max, "level", "levels")
            ),
            Self::Leaves(max) => write!(
                f,
                "must not contain more than {max} leaf {}",
                noun(*max, "object", "objects")
            ),
            Self::Range {
                min: Some(min),
                max: Some(max),
            } => write!(f, "must be between {} and {}", number(*min), number(*max)),
            Self::Range { min: Some(min), .. } => write!(f, "must be at least {}", number(*min)),
            Self::Range { max, .. } => write!(f, "must be at most {}", number(max.unwrap_or(f64::INFINITY))),
            Self::Format { message, .. } => f.write_str(message),
        }
    }
}

impl Expected {
    /// Returns the name in `extensions.violations`.
    const fn name(self) -> &'static str {
        match self {
            Self::Integer => "INTEGER",
            Self::IntegerRange => "INTEGER_RANGE",
            Self::Number => "NUMBER",
            Self::NumberSize => "NUMBER_SIZE",
            Self::Text => "STRING",
            Self::NoNul => "NO_NUL",
            Self::Boolean => "BOOLEAN",
            Self::Identifier => "ID",
            Self::Object => "OBJECT",
            Self::OneOf => "ONE_OF",
        }
    }

    const fn message(self) -> &'static str {
        match self {
            Self::Integer => "must be an integer",
            Self::IntegerRange => "must be an integer between -2147483648 and 2147483647",
            Self::Number => "must be a number",
            Self::NumberSize => "must be a number that fits in 64 bits, or a string",
            Self::Text => "must be a string",
            Self::NoNul => "must not contain the character U+0000",
            Self::Boolean => "must be true or false",
            Self::Identifier => "must be a string or an integer",
            Self::Object => "must be an object",
            Self::OneOf => "must have exactly one field, and its value must not be null",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_has_a_rule_parameters_and_a_message() {
        let about = |problem: Problem| {
            let params = Value::Object(problem.params());
            format!("{} {params}: {problem}", problem.rule())
        };
        let problems = [
            Problem::Missing,
            Problem::Type(Expected::Integer),
            Problem::UnknownField("x".to_owned()),
            Problem::Rejected("must be a price".to_owned()),
            Problem::Enum(vec!["A".to_owned(), "B".to_owned()]),
            Problem::Length(Bound::Min(1)),
            Problem::Count(Bound::Max(1)),
            Problem::Levels(3),
            Problem::Leaves(1),
            Problem::Range {
                min: Some(0.0),
                max: Some(0.5),
            },
            Problem::Format {
                name: "SLUG".into(),
                message: "must be a slug".into(),
            },
        ];
        assert_eq!(
            problems.map(about),
            [
                "required {}: is required",
                r#"type {"expected":"INTEGER"}: must be an integer"#,
                r#"type {"expected":"KNOWN_FIELD","field":"x"}: must not have the field `x`"#,
                r#"type {"expected":"SCALAR"}: must be a price"#,
                r#"enum {"values":["A","B"]}: must be one of A, B"#,
                r#"length {"min":1}: must not be empty"#,
                r#"count {"max":1}: must have at most 1 entry"#,
                r#"depth {"max":3}: must not be nested deeper than 3 levels"#,
                r#"depth {"leaves":1}: must not contain more than 1 leaf object"#,
                r#"range {"min":0,"max":0.5}: must be between 0 and 0.5"#,
                r#"format {"format":"SLUG"}: must be a slug"#,
            ]
        );
    }
}
