//! Input coercion of raw variables and literals (GraphQL October 2021, sections 3.4 to 3.12, CoerceVariableValues and
//! CoerceArgumentValues). Collects all violations. Custom scalars are checked later, by their Rust types.

use apollo_compiler::{
    Node, Schema,
    ast::{InputValueDefinition, Type, Value as Literal},
    executable::Field,
    schema::ExtendedType,
};
use serde_json::{Map, Number, Value};
use traitql_constraints::{Expected, Problem};

use super::{BIG_INTEGERS, prepare::Prepared};
use crate::{
    Violation,
    input::{contains_nul, whole_number},
};

/// More are of no use to a client, and a response must not grow to megabytes.
const MAX_VIOLATIONS: usize = 100;

/// A variable without a value and without a default remains absent.
pub(crate) fn variables(
    schema: &Schema,
    prepared: &Prepared,
    raw: &Map<String, Value>,
) -> Result<Map<String, Value>, Vec<Violation>> {
    let mut coercion = Coercion {
        schema,
        digits: raw.get(BIG_INTEGERS).and_then(Value::as_object),
        violations: Vec::new(),
    };
    let mut out = Map::new();
    for definition in &prepared.operation.variables {
        let name = definition.name.as_str();
        let value = match (raw.get(name), &definition.default_value) {
            (Some(value), _) => value.clone(),
            (None, Some(default)) => {
                let value = coercion.literal(default, Some(&definition.ty), &Map::new(), InputPath::of(name));
                value.unwrap_or_default()
            }
            (None, None) if definition.ty.is_non_null() => {
                coercion.violation(InputPath::of(name), Problem::Missing);
                continue;
            }
            (None, None) => continue,
        };
        let value = coercion.value(value, &definition.ty, InputPath::of(name));
        out.insert(name.to_owned(), value);
    }
    for name in &prepared.nullable_conditions {
        if out.get(name.as_str()).is_none_or(Value::is_null) {
            coercion.violation(InputPath::of(name), Problem::Null);
        }
    }
    coercion.finish(out)
}

/// An argument without a value and without a default remains absent.
pub(crate) fn arguments(
    schema: &Schema,
    definitions: &[Node<InputValueDefinition>],
    field: &Field,
    variables: &Map<String, Value>,
) -> Result<Map<String, Value>, Vec<Violation>> {
    let mut coercion = Coercion {
        schema,
        digits: None,
        violations: Vec::new(),
    };
    let mut out = Map::new();
    for definition in definitions {
        let path = InputPath::of(definition.name.as_str());
        let given = field.arguments.iter().find(|argument| argument.name == definition.name);
        let value = match given.map(|argument| &*argument.value) {
            // Validation and coercion have checked the variable. A nullable variable is allowed in a non-null argument
            // with a default, so only null still has to be checked.
            Some(Literal::Variable(name)) => match variables.get(name.as_str()) {
                Some(value) if !value.is_null() => {
                    out.insert(definition.name.to_string(), value.clone());
                    continue;
                }
                value => value.cloned(),
            },
            Some(value) => coercion.literal(value, Some(&definition.ty), variables, path),
            None => None,
        };
        coercion.field(&mut out, definition, value, path);
    }
    coercion.finish(out)
}

/// Converted to a string only for a violation, so that valid input allocates nothing.
#[derive(Clone, Copy)]
struct InputPath<'p> {
    above: Option<&'p InputPath<'p>>,
    key: Key<'p>,
}

#[derive(Clone, Copy)]
enum Key<'p> {
    Name(&'p str),
    Index(usize),
}

impl<'p> InputPath<'p> {
    fn of(name: &'p str) -> Self {
        let (above, key) = (None, Key::Name(name));
        Self { above, key }
    }

    fn below(&'p self, key: Key<'p>) -> Self {
        let above = Some(self);
        Self { above, key }
    }

    /// `input.steps.0.title`
    fn dotted(&self) -> String {
        let key = match self.key {
            Key::Name(name) => name.to_owned(),
            Key::Index(at) => at.to_string(),
        };
        match self.above {
            Some(above) => format!("{}.{key}", above.dotted()),
            None => key,
        }
    }
}

fn is_named(ty: Option<&Type>, name: &str) -> bool {
    ty.is_some_and(|ty| ty.inner_named_type() == name)
}

fn is_number(ty: Option<&Type>) -> bool {
    is_named(ty, "Int") || is_named(ty, "Float")
}

struct Coercion<'a> {
    schema: &'a Schema,
    /// See [`BIG_INTEGERS`].
    digits: Option<&'a Map<String, Value>>,
    violations: Vec<Violation>,
}

impl<'a> Coercion<'a> {
    /// Returns the digits of an integer at this path, or of one inside the value.
    fn digits_at(&self, path: InputPath<'_>) -> Option<&'a Value> {
        let (digits, path) = (self.digits?, path.dotted());
        // A single value instead of a list has no position.
        let mut single = path.as_str();
        loop {
            if let Some(digits) = digits.get(single) {
                return Some(digits);
            }
            match single.strip_suffix(".0") {
                Some(list) => single = list,
                None => break,
            }
        }
        let is_inside = |key: &str| key.strip_prefix(&path).is_some_and(|rest| rest.starts_with('.'));
        digits.iter().find(|(key, _)| is_inside(key)).map(|(_, digits)| digits)
    }

    fn finish<T>(self, value: T) -> Result<T, Vec<Violation>> {
        if self.violations.is_empty() {
            Ok(value)
        } else {
            Err(self.violations)
        }
    }

    fn violation(&mut self, path: InputPath<'_>, problem: Problem) {
        if self.violations.len() < MAX_VIOLATIONS {
            self.violations.push(Violation {
                path: path.dotted(),
                problem,
            });
        }
    }

    /// Returns `None` for a variable without a value. `ty` is `None` inside a custom scalar.
    fn literal(
        &mut self,
        value: &Literal,
        ty: Option<&Type>,
        variables: &Map<String, Value>,
        path: InputPath<'_>,
    ) -> Option<Value> {
        Some(match value {
            Literal::Null => Value::Null,
            Literal::Boolean(value) => Value::Bool(*value),
            Literal::String(text) => Value::String(text.clone()),
            Literal::Enum(name) => Value::String(name.to_string()),
            Literal::Int(int) if is_named(ty, "ID") => Value::String(int.as_str().to_owned()),
            Literal::Int(int) => match (int.as_str().parse::<i64>(), int.as_str().parse::<u64>()) {
                (Ok(value), _) => value.into(),
                (_, Ok(value)) => value.into(),
                // The integer is a violation for `Int`, and not necessarily exact for `Float`.
                _ => self.number(int.try_to_f64().ok(), !is_number(ty), path),
            },
            Literal::Float(float) => self.number(float.try_to_f64().ok(), false, path),
            Literal::Variable(name) => variables.get(name.as_str())?.clone(),
            // A list has a position for every entry.
            Literal::List(entries) => {
                let item = ty.map(Type::item_type);
                let entries = entries.iter().enumerate().map(|(at, entry)| {
                    let path = path.below(Key::Index(at));
                    self.literal(entry, item, variables, path).unwrap_or_default()
                });
                entries.collect()
            }
            Literal::Object(fields) => {
                let schema = self.schema;
                let input = ty.and_then(|ty| schema.get_input_object(ty.inner_named_type()));
                let mut object = Map::new();
                for (name, value) in fields {
                    let definition = input.and_then(|input| input.fields.get(name));
                    let ty = definition.map(|definition| &*definition.ty);
                    let path = path.below(Key::Name(name));
                    if let Some(value) = self.literal(value, ty, variables, path) {
                        object.insert(name.to_string(), value);
                    }
                }
                Value::Object(object)
            }
        })
    }

    /// `rounded`: digits were lost.
    fn number(&mut self, value: Option<f64>, rounded: bool, path: InputPath<'_>) -> Value {
        match value.and_then(Number::from_f64) {
            Some(number) if !rounded => Value::Number(number),
            _ => {
                self.violation(path, Problem::Type(Expected::NumberSize));
                0.into()
            }
        }
    }

    fn value(&mut self, value: Value, ty: &Type, path: InputPath<'_>) -> Value {
        match (value, ty) {
            (Value::Null, Type::NonNullNamed(_) | Type::NonNullList(_)) => {
                self.violation(path, Problem::Null);
                Value::Null
            }
            (Value::Null, Type::Named(_) | Type::List(_)) => Value::Null,
            (Value::Array(entries), Type::List(item) | Type::NonNullList(item)) => entries
                .into_iter()
                .enumerate()
                .map(|(at, entry)| self.value(entry, item, path.below(Key::Index(at))))
                .collect(),
            (single, Type::List(item) | Type::NonNullList(item)) => {
                Value::Array(vec![self.value(single, item, path.below(Key::Index(0)))])
            }
            (value, Type::Named(name) | Type::NonNullNamed(name)) => self.named(value, name, path),
        }
    }

    fn named(&mut self, value: Value, type_name: &str, path: InputPath<'_>) -> Value {
        match self.schema.types.get(type_name) {
            Some(ExtendedType::Enum(definition)) => {
                if !value.as_str().is_some_and(|name| definition.values.contains_key(name)) {
                    let values = definition.values.keys().map(ToString::to_string);
                    self.violation(path, Problem::Enum(values.collect()));
                }
                value
            }
            Some(ExtendedType::InputObject(definition)) => {
                let Value::Object(given) = value else {
                    self.violation(path, Problem::Type(Expected::Object));
                    return Value::Null;
                };
                if definition.directives.get("oneOf").is_some() {
                    let fits = given.len() == 1 && given.values().all(|value| !value.is_null());
                    if !fits {
                        self.violation(path, Problem::Type(Expected::OneOf));
                        return Value::Null;
                    }
                }
                Value::Object(self.fields(given, definition.fields.values(), path))
            }
            _ => self.scalar(value, type_name, path),
        }
    }

    fn fields<'d>(
        &mut self,
        mut given: Map<String, Value>,
        definitions: impl Iterator<Item = &'d Node<InputValueDefinition>>,
        path: InputPath<'_>,
    ) -> Map<String, Value> {
        let mut out = Map::new();
        for definition in definitions {
            let name = definition.name.as_str();
            let value = given.shift_remove(name);
            self.field(&mut out, definition, value, path.below(Key::Name(name)));
        }
        for unknown in given.keys() {
            self.violation(path, Problem::UnknownField(unknown.clone()));
        }
        out
    }

    fn field(
        &mut self,
        out: &mut Map<String, Value>,
        definition: &InputValueDefinition,
        given: Option<Value>,
        path: InputPath<'_>,
    ) {
        let value = match (given, &definition.default_value) {
            (Some(value), _) => value,
            (None, Some(default)) => {
                let value = self.literal(default, Some(&definition.ty), &Map::new(), path);
                value.unwrap_or_default()
            }
            (None, None) if definition.ty.is_non_null() => {
                return self.violation(path, Problem::Missing);
            }
            (None, None) => return,
        };
        let value = self.value(value, &definition.ty, path);
        out.insert(definition.name.to_string(), value);
    }

    fn scalar(&mut self, value: Value, type_name: &str, path: InputPath<'_>) -> Value {
        if self.digits.is_some() {
            match (type_name, self.digits_at(path)) {
                ("ID", Some(digits)) => return digits.clone(),
                ("Int" | "Float" | "String" | "Boolean", _) | (_, None) => {}
                (_, Some(_)) => self.violation(path, Problem::Type(Expected::NumberSize)),
            }
        }
        let wanted = |fits: bool, expected| (!fits).then_some(expected);
        let wanted = match type_name {
            "Int" => match whole_number(&value) {
                Ok(number) => return number.into(),
                Err(expected) => Some(expected),
            },
            "Float" => wanted(value.is_number(), Expected::Number),
            "String" => wanted(value.is_string(), Expected::Text),
            "Boolean" => wanted(value.is_boolean(), Expected::Boolean),
            "ID" => match &value {
                Value::Number(id) if id.is_i64() || id.is_u64() => return Value::String(id.to_string()),
                _ => wanted(value.is_string(), Expected::Identifier),
            },
            _ => None,
        };
        if let Some(expected) = wanted {
            self.violation(path, Problem::Type(expected));
        } else if contains_nul(&value) {
            self.violation(path, Problem::Type(Expected::NoNul));
        }
        value
    }
}
