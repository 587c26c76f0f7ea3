//! CoerceVariableValues, CoerceArgumentValues and the input coercion of each kind of type (sections 3.5 to 3.12 and
//! 6.1.2).

use apollo_compiler::{
    Node,
    ast::{Argument, InputValueDefinition, Type, Value as Literal, VariableDefinition},
    schema::{ExtendedType, InputObjectType},
};
use serde_json::{Map, Value};

use crate::facts::Facts;

pub(super) struct Invalid;

pub(super) struct Coercion<'a> {
    pub(super) facts: &'a Facts,
}

impl Coercion<'_> {
    pub(super) fn variables(
        &self,
        definitions: &[Node<VariableDefinition>],
        given: &Map<String, Value>,
    ) -> Result<Map<String, Value>, Invalid> {
        let mut coerced = Map::new();
        for definition in definitions {
            let name = definition.name.to_string();
            match (given.get(&name), &definition.default_value) {
                (Some(value), _) => coerced.insert(name, self.json(&definition.ty, value)?),
                (None, Some(default)) => coerced.insert(name, self.literal(&definition.ty, default, &Map::new())?),
                (None, None) if definition.ty.is_non_null() => return Err(Invalid),
                (None, None) => None,
            };
        }
        Ok(coerced)
    }

    pub(super) fn arguments(
        &self,
        definitions: &[Node<InputValueDefinition>],
        given: &[Node<Argument>],
        variables: &Map<String, Value>,
    ) -> Result<Map<String, Value>, Invalid> {
        self.literals(definitions.iter(), variables, |name| {
            given
                .iter()
                .find(|argument| argument.name == name)
                .map(|argument| &*argument.value)
        })
    }

    /// Coerces arguments, or fields of an input object, in a document.
    fn literals<'d, 'l>(
        &self,
        definitions: impl Iterator<Item = &'d Node<InputValueDefinition>>,
        variables: &Map<String, Value>,
        given: impl Fn(&str) -> Option<&'l Literal>,
    ) -> Result<Map<String, Value>, Invalid> {
        let mut coerced = Map::new();
        for definition in definitions {
            let name = definition.name.to_string();
            // A variable without a value is treated like a missing argument.
            let given = given(&name).filter(|literal| match literal {
                Literal::Variable(variable) => variables.contains_key(variable.as_str()),
                _ => true,
            });
            match (given, &definition.default_value) {
                (Some(literal), _) => coerced.insert(name, self.literal(&definition.ty, literal, variables)?),
                (None, Some(default)) => coerced.insert(name, self.literal(&definition.ty, default, &Map::new())?),
                (None, None) if definition.ty.is_non_null() => return Err(Invalid),
                (None, None) => None,
            };
        }
        Ok(coerced)
    }

    fn literal(&self, ty: &Type, literal: &Literal, variables: &Map<String, Value>) -> Result<Value, Invalid> {
        if let Literal::Variable(variable) = literal {
            // The value has been coerced already, and validation has compared the types.
            let value = variables.get(variable.as_str()).cloned().unwrap_or_default();
            return if value.is_null() && ty.is_non_null() {
                Err(Invalid)
            } else {
                Ok(value)
            };
        }
        match (literal, ty) {
            (Literal::Null, _) if ty.is_non_null() => Err(Invalid),
            (Literal::Null, _) => Ok(Value::Null),
            (Literal::List(entries), Type::List(item) | Type::NonNullList(item)) => entries
                .iter()
                .map(|entry| self.literal(item, entry, variables))
                .collect(),
            (single, Type::List(item) | Type::NonNullList(item)) => {
                Ok(Value::Array(vec![self.literal(item, single, variables)?]))
            }
            (literal, Type::Named(name) | Type::NonNullNamed(name)) => match self.facts.schema.types.get(name) {
                Some(ExtendedType::InputObject(input)) => {
                    let Literal::Object(fields) = literal else {
                        return Err(Invalid);
                    };
                    let find = |name: &str| {
                        fields
                            .iter()
                            .find(|(field, _)| field == name)
                            .map(|(_, value)| &**value)
                    };
                    if input.is_one_of() {
                        let [(_, value)] = &fields[..] else { return Err(Invalid) };
                        let absent = value
                            .as_variable()
                            .is_some_and(|name| variables.get(name.as_str()).is_none_or(Value::is_null));
                        if absent || value.is_null() {
                            return Err(Invalid);
                        }
                    }
                    Ok(Value::Object(self.literals(input.fields.values(), variables, find)?))
                }
                // An ID is the text of the number.
                _ => match literal {
                    Literal::Int(int) if name == "ID" => Ok(Value::String(int.as_str().to_owned())),
                    _ => self.leaf(name, plain(literal)?),
                },
            },
        }
    }

    fn json(&self, ty: &Type, value: &Value) -> Result<Value, Invalid> {
        match (value, ty) {
            (Value::Null, _) if ty.is_non_null() => Err(Invalid),
            (Value::Null, _) => Ok(Value::Null),
            (Value::Array(entries), Type::List(item) | Type::NonNullList(item)) => {
                entries.iter().map(|entry| self.json(item, entry)).collect()
            }
            (single, Type::List(item) | Type::NonNullList(item)) => Ok(Value::Array(vec![self.json(item, single)?])),
            (value, Type::Named(name) | Type::NonNullNamed(name)) => match self.facts.schema.types.get(name) {
                Some(ExtendedType::InputObject(input)) => self.object(input, value.as_object().ok_or(Invalid)?),
                _ => self.leaf(name, value.clone()),
            },
        }
    }

    fn object(&self, input: &InputObjectType, given: &Map<String, Value>) -> Result<Value, Invalid> {
        if given.keys().any(|name| !input.fields.contains_key(name.as_str())) {
            return Err(Invalid);
        }
        if input.is_one_of() && (given.len() != 1 || given.values().any(Value::is_null)) {
            return Err(Invalid);
        }
        let mut coerced = Map::new();
        for definition in input.fields.values() {
            let name = definition.name.to_string();
            match (given.get(&name), &definition.default_value) {
                (Some(value), _) => coerced.insert(name, self.json(&definition.ty, value)?),
                (None, Some(default)) => coerced.insert(name, self.literal(&definition.ty, default, &Map::new())?),
                (None, None) if definition.ty.is_non_null() => return Err(Invalid),
                (None, None) => None,
            };
        }
        Ok(Value::Object(coerced))
    }

    fn leaf(&self, type_name: &str, value: Value) -> Result<Value, Invalid> {
        let fits = |fits: bool, value: Value| if fits { Ok(value) } else { Err(Invalid) };
        match type_name {
            "Int" => {
                let number = value.as_f64().filter(|number| number.fract() == 0.0).ok_or(Invalid)?;
                let range = f64::from(i32::MIN)..=f64::from(i32::MAX);
                fits(range.contains(&number), (number as i64).into())
            }
            "Float" => fits(value.is_number(), value),
            "String" => fits(value.is_string(), value),
            "Boolean" => fits(value.is_boolean(), value),
            "ID" => match &value {
                Value::Number(number) if !number.is_f64() => Ok(Value::String(number.to_string())),
                _ => fits(value.is_string(), value),
            },
            _ => match self.facts.schema.types.get(type_name) {
                Some(ExtendedType::Enum(_)) => {
                    let values = self.facts.values(type_name);
                    fits(value.as_str().is_some_and(|name| values.contains(&name)), value)
                }
                _ => Ok(value),
            },
        }
    }
}

/// Fails for numbers without an equal JSON number.
fn plain(literal: &Literal) -> Result<Value, Invalid> {
    Ok(match literal {
        Literal::Boolean(value) => (*value).into(),
        Literal::String(text) => text.clone().into(),
        Literal::Enum(name) => name.as_str().into(),
        Literal::Int(int) => {
            let value: Value = serde_json::from_str(int.as_str()).map_err(|_| Invalid)?;
            if value.is_f64() {
                return Err(Invalid);
            }
            value
        }
        Literal::Float(float) => float.try_to_f64().map(Value::from).map_err(|_| Invalid)?,
        Literal::List(entries) => entries.iter().map(|entry| plain(entry)).collect::<Result<_, _>>()?,
        Literal::Object(fields) => {
            let fields = fields.iter().map(|(name, value)| Ok((name.to_string(), plain(value)?)));
            Value::Object(fields.collect::<Result<_, _>>()?)
        }
        Literal::Null | Literal::Variable(_) => Value::Null,
    })
}
