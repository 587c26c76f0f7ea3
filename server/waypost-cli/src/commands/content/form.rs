//! The shortest form of content: what the schema would fill in anyway is left out.
//!
//! Answers and inputs have the same fields, but an answer says all of them. So what a server answers and what a person writes
//! are brought into one form by the schema's own inputs and defaults, and then compare as they are. Nothing of what a tour holds
//! is listed here.

use apollo_compiler::{
    Node, Schema,
    ast::{Type, Value as Literal},
    schema::ExtendedType,
};
use serde_json::{Map, Value};

/// The inputs of a schema.
pub(super) struct Form(Schema);

impl Form {
    /// The form of this program's schema.
    pub(super) fn new() -> Self {
        // Validated when it was generated.
        let schema = Schema::parse(waypost_api::SDL, "schema.graphql").unwrap_or_else(|broken| broken.partial);
        Self(schema)
    }

    /// A value of the input type `name` in its shortest form. Fields that only answers have go; what else does not fit stays, for
    /// whoever checks it.
    pub(super) fn shortest(&self, name: &str, value: Value, origin: Origin) -> Value {
        match (self.0.types.get(name), value) {
            (Some(ExtendedType::InputObject(input)), Value::Object(mut given)) => {
                let mut short = Map::new();
                for (field, definition) in &input.fields {
                    let Some(value) = given.shift_remove(field.as_str()).filter(|value| !value.is_null()) else {
                        continue;
                    };
                    let value = self.of_type(&definition.ty, value, origin);
                    let default = definition.default_value.as_ref().map(json);
                    let default = default.map(|default| self.of_type(&definition.ty, default, origin));
                    if default.as_ref() != Some(&value) {
                        short.insert(field.to_string(), value);
                    }
                }
                if origin == Origin::File {
                    short.extend(given.into_iter().filter(|(_, value)| !value.is_null()));
                }
                Value::Object(short)
            }
            (_, value) => value,
        }
    }

    fn of_type(&self, ty: &Type, value: Value, origin: Origin) -> Value {
        match value {
            Value::Array(entries) => entries
                .into_iter()
                .map(|entry| self.of_type(ty.item_type(), entry, origin))
                .collect(),
            value => self.shortest(ty.inner_named_type(), value, origin),
        }
    }
}

/// Who has written content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// A server.
    Answer,
    /// A person, in a file.
    File,
}

/// The JSON of a default.
fn json(literal: &Node<Literal>) -> Value {
    match &**literal {
        Literal::Null | Literal::Variable(_) => Value::Null,
        Literal::Boolean(value) => Value::Bool(*value),
        Literal::String(text) => Value::String(text.clone()),
        Literal::Enum(name) => Value::String(name.to_string()),
        Literal::Int(number) => number.try_to_i32().map_or(Value::Null, Value::from),
        Literal::Float(number) => number.try_to_f64().map_or(Value::Null, Value::from),
        Literal::List(entries) => entries.iter().map(json).collect(),
        Literal::Object(fields) => fields
            .iter()
            .map(|(name, value)| (name.to_string(), json(value)))
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_the_schema_fills_in_is_left_out_and_what_it_does_not_know_stays_with_its_writer() {
        let form = Form::new();
        let step = json!({
            "__typename": "Step", "key": "hello", "kind": "SPOTLIGHT", "title": "Hello", "body": "",
            "target": { "__typename": "Target", "by": "DATA_TOUR", "value": "menu" },
            "nextLabel": null, "waitMs": 9000,
        });
        assert_eq!(
            form.shortest("StepInput", step, Origin::Answer),
            json!({ "key": "hello", "title": "Hello", "target": { "value": "menu" }, "waitMs": 9000 })
        );
        let written = json!({ "key": "hello", "titel": "Hello", "body": "" });
        assert_eq!(
            form.shortest("StepInput", written, Origin::File),
            json!({ "key": "hello", "titel": "Hello" })
        );
    }

    /// A field that only the input has would be lost by `pull`, and so reset by the next `push`.
    #[test]
    fn answers_say_every_field_that_content_has() {
        let Form(schema) = Form::new();
        for (input, output) in [("StepInput", "Step"), ("StartRuleInput", "StartRule")] {
            compare(&schema, input, output, &mut Vec::new());
        }
    }

    fn compare(schema: &Schema, input: &str, output: &str, seen: &mut Vec<String>) {
        if seen.iter().any(|known| known == input) {
            return;
        }
        seen.push(input.to_owned());
        let (Some(ExtendedType::InputObject(from)), Some(ExtendedType::Object(to))) =
            (schema.types.get(input), schema.types.get(output))
        else {
            return;
        };
        for (name, field) in &from.fields {
            let answered = to.fields.get(name.as_str());
            assert!(answered.is_some(), "{output} does not answer `{name}` of {input}");
            if let Some(answered) = answered {
                compare(
                    schema,
                    field.ty.inner_named_type(),
                    answered.ty.inner_named_type(),
                    seen,
                );
            }
        }
    }
}
