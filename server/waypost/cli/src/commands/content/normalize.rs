//! Omits values that equal the schema's defaults, so that responses and files can be compared.

use apollo_compiler::{
    Node, Schema,
    ast::{Type, Value as Literal},
    schema::ExtendedType,
};
use serde_json::{Map, Value};

pub(super) struct InputTypes(pub(super) Schema);

impl InputTypes {
    pub(super) fn new() -> Self {
        // The generator has validated the schema.
        let schema = Schema::parse(waypost_api::SDL, "schema.graphql").unwrap_or_else(|broken| broken.partial);
        Self(schema)
    }

    /// Removes unknown fields from responses, which contain output-only fields, but keeps them in files for
    /// validation.
    pub(super) fn normalize(&self, name: &str, value: Value, source: Source) -> Value {
        match (self.0.types.get(name), value) {
            (Some(ExtendedType::InputObject(input)), Value::Object(mut fields)) => {
                let mut normalized = Map::new();
                for (field, definition) in &input.fields {
                    let Some(value) = fields.shift_remove(field.as_str()).filter(|value| !value.is_null()) else {
                        continue;
                    };
                    let value = self.normalize_as(&definition.ty, value, source);
                    let default = definition.default_value.as_ref().map(literal);
                    let default = default.map(|default| self.normalize_as(&definition.ty, default, source));
                    if default.as_ref() != Some(&value) {
                        normalized.insert(field.to_string(), value);
                    }
                }
                if source == Source::File {
                    normalized.extend(fields.into_iter().filter(|(_, value)| !value.is_null()));
                }
                Value::Object(normalized)
            }
            (_, value) => value,
        }
    }

    fn normalize_as(&self, ty: &Type, value: Value, source: Source) -> Value {
        match value {
            Value::Array(entries) => entries
                .into_iter()
                .map(|entry| self.normalize_as(ty.item_type(), entry, source))
                .collect(),
            value => self.normalize(ty.inner_named_type(), value, source),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    Response,
    File,
}

pub(super) fn literal(value: &Node<Literal>) -> Value {
    match &**value {
        Literal::Null | Literal::Variable(_) => Value::Null,
        Literal::Boolean(value) => Value::Bool(*value),
        Literal::String(text) => Value::String(text.clone()),
        Literal::Enum(name) => Value::String(name.to_string()),
        Literal::Int(number) => number.try_to_i32().map_or(Value::Null, Value::from),
        Literal::Float(number) => number.try_to_f64().map_or(Value::Null, Value::from),
        Literal::List(entries) => entries.iter().map(literal).collect(),
        Literal::Object(fields) => fields
            .iter()
            .map(|(name, value)| (name.to_string(), literal(value)))
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn defaults_are_omitted_and_unknown_fields_are_kept_in_files_only() {
        let inputs = InputTypes::new();
        let step = json!({
            "__typename": "Step", "key": "hello", "kind": "SPOTLIGHT", "title": "Hello", "body": "",
            "target": { "__typename": "Target", "by": "DATA_TOUR", "value": "menu" },
            "nextLabel": null, "waitMs": 9000,
        });
        assert_eq!(
            inputs.normalize("StepInput", step, Source::Response),
            json!({ "key": "hello", "title": "Hello", "target": { "value": "menu" }, "waitMs": 9000 })
        );
        let misspelled = json!({ "key": "hello", "titel": "Hello", "body": "" });
        assert_eq!(
            inputs.normalize("StepInput", misspelled, Source::File),
            json!({ "key": "hello", "titel": "Hello" })
        );
    }

    #[test]
    fn outputs_have_every_field_of_the_inputs() {
        let InputTypes(schema) = InputTypes::new();
        for (input, output) in [("StepInput", "Step"), ("StartRuleInput", "StartRule")] {
            compare(&schema, input, output, &mut Vec::new());
        }
    }

    fn compare(schema: &Schema, input: &str, output: &str, seen: &mut Vec<String>) {
        if seen.iter().any(|known| known == input) {
            return;
        }
        seen.push(input.to_owned());
        let (Some(ExtendedType::InputObject(input_type)), Some(ExtendedType::Object(output_type))) =
            (schema.types.get(input), schema.types.get(output))
        else {
            return;
        };
        for (name, field) in &input_type.fields {
            let counterpart = output_type.fields.get(name.as_str());
            assert!(
                counterpart.is_some(),
                "{output} has no field `{name}`, but {input} does"
            );
            if let Some(counterpart) = counterpart {
                compare(
                    schema,
                    field.ty.inner_named_type(),
                    counterpart.ty.inner_named_type(),
                    seen,
                );
            }
        }
    }
}
