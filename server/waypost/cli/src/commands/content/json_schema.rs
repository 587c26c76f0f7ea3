//! The JSON schema of tour files, with which editors complete and check them: draft 7, which YAML extensions support. It is
//! derived from the input types of the GraphQL schema.

use apollo_compiler::{
    Node, Schema,
    ast::{Directive, DirectiveList, InputValueDefinition, Type},
    schema::{ExtendedType, InputObjectType},
};
use serde_json::{Map, Value, json};

use super::normalize::{InputTypes, literal};

pub(super) const FILE_NAME: &str = "tour.schema.json";

/// Top-level properties, with the input type and the output type that have them.
const CONTENT: [(&str, &str, &str); 4] = [
    ("title", "TourCreateInput", "Tour"),
    ("locales", "TourSaveInput", "Revision"),
    ("start", "TourSaveInput", "Revision"),
    ("steps", "TourSaveInput", "Revision"),
];

/// Fields with an id in the API, and a name in files.
const NAMED: [(&str, &str); 2] = [
    ("segment", "The name of a segment of the workspace."),
    ("tourId", "The slug of a tour of the workspace."),
];

pub(super) fn text(inputs: &InputTypes) -> String {
    format!("{:#}\n", json_schema(inputs))
}

fn json_schema(InputTypes(schema): &InputTypes) -> Value {
    let mut definitions = Map::new();
    let mut properties = Map::new();
    for (name, input, output) in CONTENT {
        if let Some(ExtendedType::InputObject(input)) = schema.types.get(input)
            && let Some(field) = input.fields.get(name)
        {
            // `push` always sends these fields, so they cannot be null.
            let ty = (*field.ty).clone().non_null();
            properties.insert(name.to_owned(), of_field(schema, field, &ty, output, &mut definitions));
        }
    }
    let text = |description| json!({ "type": ["string", "null"], "description": description });
    properties.insert(
        "theme".to_owned(),
        text("The name of a theme. Omit it for the workspace's default theme."),
    );
    properties.insert(
        "pulled".to_owned(),
        text("Written by `waypost pull` to detect concurrent changes."),
    );
    json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Waypost tour",
        "type": "object",
        "properties": properties,
        "required": ["title"],
        "additionalProperties": false,
        "definitions": definitions,
    })
}

/// Inputs have no descriptions; those of the output type apply to both.
fn of_field(
    schema: &Schema,
    field: &InputValueDefinition,
    ty: &Type,
    output: &str,
    definitions: &mut Map<String, Value>,
) -> Value {
    let mut value = of_type(schema, ty, &field.directives, definitions);
    // Draft 7 ignores properties next to `$ref`.
    if value.get("$ref").is_some() {
        value = json!({ "allOf": [value] });
    }
    let output = schema
        .get_object(output)
        .and_then(|output| output.fields.get(&field.name));
    let description = output.and_then(|output| output.description.as_ref());
    if let Some(description) = NAMED
        .iter()
        .find_map(|(name, description)| (field.name == *name).then_some(*description))
        .or(description.map(|description| description.as_str()))
    {
        value["description"] = json!(description);
    }
    if let Some(default) = &field.default_value {
        value["default"] = literal(default);
    }
    value
}

fn of_type(schema: &Schema, ty: &Type, directives: &DirectiveList, definitions: &mut Map<String, Value>) -> Value {
    let mut value = if ty.is_list() {
        let mut list = json!({ "type": "array", "items": of_type(schema, ty.item_type(), directives, definitions) });
        limit(&mut list, directives.get("count"), ["minItems", "maxItems"]);
        list
    } else {
        of_named(schema, ty.inner_named_type(), directives, definitions)
    };
    if !ty.is_non_null() {
        match value.get("type").cloned() {
            Some(name) => value["type"] = json!([name, "null"]),
            None => value = json!({ "anyOf": [value, { "type": "null" }] }),
        }
    }
    value
}

fn of_named(schema: &Schema, name: &str, directives: &DirectiveList, definitions: &mut Map<String, Value>) -> Value {
    let mut value = match name {
        "Int" => json!({ "type": "integer" }),
        "Float" => json!({ "type": "number" }),
        "Boolean" => json!({ "type": "boolean" }),
        name => match schema.types.get(name) {
            Some(definition @ (ExtendedType::InputObject(_) | ExtendedType::Enum(_))) => {
                if !definitions.contains_key(name) {
                    // Types can be recursive.
                    definitions.insert(name.to_owned(), Value::Null);
                    let definition = of_definition(schema, definition, definitions);
                    definitions.insert(name.to_owned(), definition);
                }
                json!({ "$ref": format!("#/definitions/{name}") })
            }
            _ => json!({ "type": "string" }),
        },
    };
    limit(&mut value, directives.get("length"), ["minLength", "maxLength"]);
    limit(&mut value, directives.get("range"), ["minimum", "maximum"]);
    let format = directives
        .get("format")
        .and_then(|format| format.specified_argument_by_name("is"));
    if let Some(pattern) = format.and_then(|format| pattern(format.as_enum()?.as_str())) {
        value["pattern"] = json!(pattern);
    }
    value
}

fn of_definition(schema: &Schema, definition: &ExtendedType, definitions: &mut Map<String, Value>) -> Value {
    let mut value = match definition {
        ExtendedType::InputObject(input) => of_input(schema, input, definitions),
        ExtendedType::Enum(definition) => {
            let names: Vec<&str> = definition.values.keys().map(|name| name.as_str()).collect();
            json!({ "enum": names })
        }
        _ => json!({}),
    };
    let mut description: Vec<String> = definition
        .description()
        .into_iter()
        .map(|text| text.to_string())
        .collect();
    if let ExtendedType::Enum(definition) = definition {
        // Editors show the description of a property, but not those of the values of an enum.
        let values = definition.values.iter();
        description
            .extend(values.filter_map(|(name, value)| Some(format!("`{name}`: {}", value.description.as_ref()?))));
    }
    if !description.is_empty() {
        value["description"] = json!(description.join("\n\n"));
    }
    value
}

fn of_input(schema: &Schema, input: &InputObjectType, definitions: &mut Map<String, Value>) -> Value {
    let output = input.name.trim_end_matches("Input");
    let is_one_of = input.directives.has("oneOf");
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for (name, field) in &input.fields {
        let ty = if is_one_of {
            (*field.ty).clone().non_null()
        } else {
            (*field.ty).clone()
        };
        if ty.is_non_null() && !is_one_of && field.default_value.is_none() {
            required.push(name.as_str());
        }
        properties.insert(name.to_string(), of_field(schema, field, &ty, output, definitions));
    }
    let mut value = json!({ "type": "object", "properties": properties, "additionalProperties": false });
    if is_one_of {
        value["minProperties"] = json!(1);
        value["maxProperties"] = json!(1);
    } else if !required.is_empty() {
        value["required"] = json!(required);
    }
    value
}

fn limit(value: &mut Value, directive: Option<&Node<Directive>>, [min, max]: [&str; 2]) {
    for (argument, keyword) in [("min", min), ("max", max)] {
        let limit = directive.and_then(|directive| directive.specified_argument_by_name(argument));
        if let Some(limit) = limit {
            value[keyword] = literal(limit);
        }
    }
}

/// Returns a regular expression that accepts the format's strings; `None` if a tour has no strings of the format.
fn pattern(format: &str) -> Option<String> {
    // `\s` differs between ECMAScript and Rust.
    const BLANK: &str = r"\u0020\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000";
    const CONTROL: &str = r"\u0000-\u001f\u007f-\u009f";
    const ORDER: &str = r"\u2028-\u202e\u2066-\u2069";
    match format {
        "KEY" => Some("^[a-z][a-z0-9_-]{0,39}$".to_owned()),
        "LOCALE" => Some("^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$".to_owned()),
        "PATH_PATTERN" => Some(format!("^/[^{CONTROL}{BLANK}]*$")),
        "SELECTOR" => Some(format!("^[^{CONTROL}]*[^{CONTROL}{BLANK}][^{CONTROL}]*$")),
        "LINE" => Some(format!("^[^{CONTROL}{ORDER}]*$")),
        "TEXT" => Some(format!(
            r"^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f{ORDER}]*$"
        )),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use boon::{Compiler, Schemas};
    use traitql_constraints::{Examples, Format};

    use super::{
        super::{
            file::{Content, normalize, parse},
            normalize::Source,
        },
        *,
    };

    fn is_valid(schema: &Value, value: &Value) -> bool {
        let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
        compiler
            .add_resource("schema.json", schema.clone())
            .expect("a valid URL");
        let index = compiler.compile("schema.json", &mut schemas).expect("a valid schema");
        schemas.validate(value, index).is_ok()
    }

    /// True if the schema and `push` accept the file.
    fn accepted_by(inputs: &InputTypes, yaml: &str) -> (bool, bool) {
        let value = serde_saphyr::from_str(yaml).expect("YAML");
        (
            is_valid(&json_schema(inputs), &value),
            parse("hello", yaml, inputs).is_ok(),
        )
    }

    fn tour(step: &str) -> String {
        format!("title: Hello\nsteps:\n- key: hello\n  title: Hello\n  {step}\n")
    }

    #[test]
    fn files_of_sample_tours_match_the_schema() {
        let samples = [
            include_str!("../../../../domain/content/sample.json"),
            include_str!("../../../../domain/content/welcome.json"),
        ];
        let (inputs, mut count) = (InputTypes::new(), 0);
        for sample in samples {
            let tours: Vec<Value> = serde_json::from_str(sample).expect("tours");
            for tour in tours {
                let content = Content {
                    title: tour["title"].as_str().expect("a title").to_owned(),
                    theme: None,
                    locales: vec!["en".to_owned(), "de".to_owned()],
                    start: tour["start"].clone(),
                    steps: tour["steps"].as_array().expect("steps").clone(),
                };
                let content = normalize(content, &inputs, Source::Response);
                let yaml = content.yaml();
                let read = parse("sample", &yaml, &inputs);
                assert_eq!(read.map(|file| file.content), Ok(content));
                assert_eq!(
                    accepted_by(&inputs, &format!("{yaml}pulled: 3-abc\n")),
                    (true, true),
                    "{yaml}"
                );
                count += 1;
            }
        }
        assert!(count > 2);
    }

    #[test]
    fn the_schema_accepts_and_rejects_the_same_files_as_push() {
        let valid = [
            "title: Hello".to_owned(),
            "title: Hello\ntheme: null\nlocales: [en, de-CH]\nstart: { trigger: EVENT, event: hi, when: { trait: { key: plan, value: pro } } }".to_owned(),
            tour("kind: TOOLTIP"),
            tour("page: null"),
            tour("body: ''"),
            tour("branches: [{ when: { none: [{ page: /a }, { verified: true }] } }]"),
        ];
        let inputs = InputTypes::new();
        for text in valid {
            assert_eq!(accepted_by(&inputs, &text), (true, true), "{text}");
        }
        let invalid = [
            "steps: []".to_owned(),
            format!("title: {}", "x".repeat(81)),
            "title: Hello\nsteps: null".to_owned(),
            "title: Hello\nlocales: []".to_owned(),
            "title: Hello\nlocales: [d]".to_owned(),
            "title: Hello\nstart: { priority: 101 }".to_owned(),
            "title: Hello\nstart: { when: { page: /a, locale: de } }".to_owned(),
            "title: Hello\nstart: { when: {} }".to_owned(),
            "title: Hello\nsteps: [{ key: a }]".to_owned(),
            tour("kind: POINTER"),
            tour("kind: null"),
            tour("titel: Hello"),
            tour("nextLabel: ''"),
            tour("waitMs: 8 s"),
            tour("page: shop"),
            tour("target: { value: ' ' }"),
            tour(&format!("branches: [{}]", "{},".repeat(6))),
            tour("branches: [{ when: { trait: { key: A B } } }]"),
        ];
        for text in invalid {
            assert_eq!(accepted_by(&inputs, &text), (false, false), "{text}");
        }
    }

    #[test]
    fn the_schema_has_the_properties_of_a_file() {
        let Err(problems) = parse("hello", "unknown: 1", &InputTypes::new()) else {
            panic!("an unknown property is accepted")
        };
        let schema = json_schema(&InputTypes::new());
        let properties: Vec<_> = schema["properties"].as_object().expect("properties").keys().collect();
        assert_eq!(properties.len(), problems[0].matches(", ").count(), "{problems:?}");
        for property in properties {
            assert!(problems[0].contains(property.as_str()), "{property}: {problems:?}");
        }
    }

    #[test]
    fn patterns_agree_with_the_examples_of_formats() {
        for format in Format::ALL {
            let Some(pattern) = pattern(format.name()) else {
                continue;
            };
            let schema = json!({ "pattern": pattern });
            let Examples { valid, invalid } = format.examples();
            for text in valid {
                assert!(is_valid(&schema, &json!(text)), "{format:?} {text:?}");
            }
            for text in invalid {
                assert!(!is_valid(&schema, &json!(text)), "{format:?} {text:?}");
            }
        }
    }

    #[test]
    fn limits_values_and_descriptions_are_those_of_the_api() {
        let schema = json_schema(&InputTypes::new());
        let step = &schema["definitions"]["StepInput"];
        insta::assert_json_snapshot!(json!([
            step["required"],
            step["properties"]["title"],
            step["properties"]["waitMs"],
            schema["definitions"]["StepKind"]
        ]));
    }
}
