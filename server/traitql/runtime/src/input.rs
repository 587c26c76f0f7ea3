//! Input coercion to generated types (GraphQL October 2021, sections 3.5, 3.9 to 3.12).
//!
//! Strict: an `Int` has 32 bits, a number is not a `String`, and an input object has no unknown fields. All violations
//! are collected.
//!
//! Strings with U+0000 are rejected, because PostgreSQL, among others, cannot store them.

use serde_json::{Map, Value};
use traitql_constraints::{Expected, Problem};

use crate::{
    Id, Patch, Scalar,
    violation::{Violation, Violations},
};

/// A type that arguments can have.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from a request",
    label = "needs `impl traitql::Scalar`",
    note = "if codegen.yml lists it under `traitql.scalars`, add this next to the type, or next to a wrapper type of your own:\n\nimpl traitql::Scalar for {Self} {{\n    fn parse(value: &traitql::Json) -> Result<Self, String> {{\n        todo!()\n    }}\n\n    fn write(&self) -> traitql::Json {{\n        todo!()\n    }}\n}}\n"
)]
pub trait Input: Sized {
    /// Reads a value. Returns `None` and records violations if it is invalid.
    fn read(value: &Value, at: &mut Violations) -> Option<Self>;
}

/// Reads the arguments of a field.
pub fn read<T: Input>(arguments: &Value) -> Result<T, Vec<Violation>> {
    let mut violations = Violations::default();
    let read = T::read(arguments, &mut violations);
    let violations = violations.into_violations();
    match read {
        Some(value) if violations.is_empty() => Ok(value),
        _ => Err(violations),
    }
}

impl<T: Scalar> Input for T {
    fn read(value: &Value, at: &mut Violations) -> Option<Self> {
        at.leaf(value, |value| T::parse(value).map_err(Problem::Rejected))
    }
}

impl Input for i32 {
    fn read(value: &Value, at: &mut Violations) -> Option<Self> {
        at.leaf(value, |value| whole_number(value).map_err(Problem::Type))
    }
}

/// Accepts `7.0`. The error is the violation.
pub(crate) fn whole_number(value: &Value) -> Result<i32, Expected> {
    let number = value
        .as_f64()
        .filter(|number| number.fract() == 0.0)
        .ok_or(Expected::Integer)?;
    if (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(&number) {
        Ok(number as i32)
    } else {
        Err(Expected::IntegerRange)
    }
}

/// No scalar accepts U+0000.
pub(crate) fn contains_nul(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.contains('\0'))
}

impl Input for f64 {
    fn read(value: &Value, at: &mut Violations) -> Option<Self> {
        at.leaf(value, |value| {
            value
                .as_f64()
                .filter(|number| number.is_finite())
                .ok_or(Problem::Type(Expected::Number))
        })
    }
}

impl Input for bool {
    fn read(value: &Value, at: &mut Violations) -> Option<Self> {
        at.leaf(value, |value| value.as_bool().ok_or(Problem::Type(Expected::Boolean)))
    }
}

impl Input for String {
    fn read(value: &Value, at: &mut Violations) -> Option<Self> {
        at.leaf(value, |value| {
            value.as_str().map(str::to_owned).ok_or(Problem::Type(Expected::Text))
        })
    }
}

impl Input for Id {
    fn read(value: &Value, at: &mut Violations) -> Option<Self> {
        at.leaf(value, |value| match value {
            Value::String(text) => Ok(text.as_str().into()),
            Value::Number(number) if number.is_i64() || number.is_u64() => Ok(number.to_string().into()),
            _ => Err(Problem::Type(Expected::Identifier)),
        })
    }
}

impl<T: Input> Input for Option<T> {
    fn read(value: &Value, at: &mut Violations) -> Option<Self> {
        if value.is_null() {
            Some(None)
        } else {
            T::read(value, at).map(Some)
        }
    }
}

impl<T: Input> Input for Vec<T> {
    fn read(value: &Value, at: &mut Violations) -> Option<Self> {
        match value {
            Value::Null => {
                at.violation(Problem::Null);
                None
            }
            Value::Array(entries) => {
                // Reads every entry, so that all violations are found.
                let read: Vec<Option<T>> = entries
                    .iter()
                    .enumerate()
                    .map(|(position, entry)| at.entry(position, |at| T::read(entry, at)))
                    .collect();
                read.into_iter().collect()
            }
            single => Some(vec![at.entry(0, |at| T::read(single, at))?]),
        }
    }
}

/// The fields of an input object or the arguments of a field.
#[derive(Clone, Copy)]
pub struct Fields<'a>(&'a Map<String, Value>);

impl Violations {
    fn leaf<T>(&mut self, value: &Value, parse: impl FnOnce(&Value) -> Result<T, Problem>) -> Option<T> {
        if value.is_null() {
            self.violation(Problem::Null);
            return None;
        }
        if contains_nul(value) {
            self.violation(Problem::Type(Expected::NoNul));
            return None;
        }
        parse(value).map_err(|problem| self.violation(problem)).ok()
    }

    /// Reads an object. Fields outside `known` are violations.
    pub fn object<'a>(&mut self, value: &'a Value, known: &[&str]) -> Option<Fields<'a>> {
        match value {
            Value::Object(fields) => {
                for name in fields.keys().filter(|name| !known.contains(&name.as_str())) {
                    self.violation(Problem::UnknownField(name.clone()));
                }
                Some(Fields(fields))
            }
            Value::Null => {
                self.violation(Problem::Null);
                None
            }
            _ => {
                self.violation(Problem::Type(Expected::Object));
                None
            }
        }
    }

    /// Reads an enum value.
    pub fn name<T: Copy>(&mut self, value: &Value, all: &[T], name: fn(T) -> &'static str) -> Option<T> {
        if value.is_null() {
            self.violation(Problem::Null);
            return None;
        }
        let found = value
            .as_str()
            .and_then(|text| all.iter().find(|one| name(**one) == text));
        if found.is_none() {
            self.violation(Problem::Enum(all.iter().map(|one| name(*one).to_owned()).collect()));
        }
        found.copied()
    }
}

impl<'a> Fields<'a> {
    /// Reads a required field.
    pub fn required<T: Input>(self, name: &'static str, at: &mut Violations) -> Option<T> {
        at.field(name, |at| match self.0.get(name) {
            Some(value) => T::read(value, at),
            None => {
                at.violation(Problem::Missing);
                None
            }
        })
    }

    /// Reads a field with a default.
    pub fn or<T: Input>(self, name: &'static str, default: impl FnOnce() -> T, at: &mut Violations) -> Option<T> {
        match self.0.get(name) {
            Some(value) => at.field(name, |at| T::read(value, at)),
            None => Some(default()),
        }
    }

    /// Reads a nullable argument; absent is null.
    pub fn optional<T: Input>(self, name: &'static str, at: &mut Violations) -> Option<Option<T>> {
        self.or(name, || None, at)
    }

    /// Reads a nullable field; absent is not null.
    pub fn patch<T: Input>(self, name: &'static str, at: &mut Violations) -> Option<Patch<T>> {
        match self.0.get(name) {
            None => Some(Patch::Keep),
            Some(Value::Null) => Some(Patch::Clear),
            Some(value) => at.field(name, |at| T::read(value, at)).map(Patch::Set),
        }
    }

    /// Returns the only field of a `@oneOf` input (GraphQL September 2025, section 3.10.1).
    pub fn one(self, at: &mut Violations) -> Option<(&'a str, &'a Value)> {
        let mut given = self.0.iter();
        match (given.next(), given.next()) {
            (Some((name, value)), None) if !value.is_null() => Some((name, value)),
            _ => {
                at.violation(Problem::Type(Expected::OneOf));
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn problems<T: Input>(value: Value) -> Vec<String> {
        match read::<T>(&value) {
            Ok(_) => Vec::new(),
            Err(violations) => violations
                .into_iter()
                .map(|v| format!("{}: {} ({})", v.path, v.problem, v.problem.rule()))
                .collect(),
        }
    }

    #[derive(Debug, PartialEq)]
    struct Args {
        first: i32,
        after: Option<String>,
        ids: Vec<Option<Id>>,
        note: Patch<String>,
    }

    impl Input for Args {
        fn read(value: &Value, at: &mut Violations) -> Option<Self> {
            let fields = at.object(value, &["first", "after", "ids", "note"])?;
            let first = fields.or("first", || 20, at);
            let after = fields.optional("after", at);
            let ids = fields.required("ids", at);
            let note = fields.patch("note", at);
            Some(Self {
                first: first?,
                after: after?,
                ids: ids?,
                note: note?,
            })
        }
    }

    #[test]
    fn arguments_are_read_with_defaults_lists_of_one_and_patches() {
        let read = |value| read::<Args>(&value).expect("valid arguments");
        let args = read(json!({ "ids": "a" }));
        assert_eq!(
            args,
            Args {
                first: 20,
                after: None,
                ids: vec![Some("a".into())],
                note: Patch::Keep
            }
        );
        let args = read(json!({ "ids": [7, null], "first": 3, "after": "x", "note": null }));
        assert_eq!(
            args,
            Args {
                first: 3,
                after: Some("x".into()),
                ids: vec![Some("7".into()), None],
                note: Patch::Clear
            }
        );
        assert_eq!(read(json!({ "ids": [], "note": "n" })).note, Patch::Set("n".into()));
    }

    #[test]
    fn every_violation_is_reported_with_its_path() {
        insta::assert_debug_snapshot!(problems::<Args>(json!({ "first": 1.5, "ids": ["a", 2, true, {}], "note": 3, "nope": 1 })), @r#"
        [
            ": must not have the field `nope` (type)",
            "first: must be an integer (type)",
            "ids.2: must be a string or an integer (type)",
            "ids.3: must be a string or an integer (type)",
            "note: must be a string (type)",
        ]
        "#);
        assert_eq!(
            problems::<Args>(json!({ "first": null })),
            ["first: must not be null (required)", "ids: is required (required)"]
        );
    }

    #[test]
    fn scalars_are_strict() {
        assert_eq!(
            problems::<i32>(json!(2147483648_i64)),
            [": must be an integer between -2147483648 and 2147483647 (type)"]
        );
        assert_eq!(problems::<i32>(json!("1")), [": must be an integer (type)"]);
        assert_eq!(problems::<i32>(json!(true)), [": must be an integer (type)"]);
        assert_eq!(problems::<f64>(json!("1")), [": must be a number (type)"]);
        assert_eq!(read::<f64>(&json!(1)), Ok(1.0));
        assert_eq!(problems::<String>(json!(1)), [": must be a string (type)"]);
        assert_eq!(problems::<bool>(json!(0)), [": must be true or false (type)"]);
        assert_eq!(problems::<Id>(json!(1.5)), [": must be a string or an integer (type)"]);
    }
}
