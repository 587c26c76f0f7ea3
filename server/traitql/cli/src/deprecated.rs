//! Not errors, because a field is deprecated before its clients stop using it.

use serde_json::{Value, json};
use traitql_schema::model::{Field, InputValue, Model, Operation, Type};

use crate::output::{Annotation, CommandOutput, Level};

struct Use<'m> {
    coordinate: String,
    reason: &'m str,
    operations: Vec<&'m Operation>,
}

pub(crate) fn add_warnings(model: &Model, output: &mut CommandOutput) {
    let uses = uses(model);
    for Use {
        coordinate,
        reason,
        operations,
    } in &uses
    {
        let names: Vec<String> = operations
            .iter()
            .map(|operation| format!("`{}`", operation.name))
            .collect();
        let names = names.join(", ");
        output.lines.push(format!(
            "warning: `{coordinate}` is deprecated, but used by {names}: {reason}"
        ));
        output.annotations.extend(operations.iter().map(|operation| Annotation {
            level: Level::Warning,
            file: operation.origin.file.clone(),
            line: operation.origin.line,
            title: "deprecated".to_owned(),
            text: format!("`{}` uses the deprecated `{coordinate}`: {reason}", operation.name),
        }));
    }
    let object = |used: &Use<'_>| -> Value {
        let operations: Vec<&str> = used
            .operations
            .iter()
            .map(|operation| operation.name.as_str())
            .collect();
        json!({ "coordinate": used.coordinate, "reason": used.reason, "operations": operations })
    };
    output
        .data
        .insert("deprecated".to_owned(), uses.iter().map(object).collect());
}

fn uses(model: &Model) -> Vec<Use<'_>> {
    let mut uses = Vec::new();
    for (coordinate, reason) in deprecated(model) {
        let is_used = |operation: &&Operation| {
            operation.coordinates.contains(&coordinate) || operation.given_inputs.contains(&coordinate)
        };
        let operations: Vec<&Operation> = model.operations.iter().filter(is_used).collect();
        if !operations.is_empty() {
            uses.push(Use {
                coordinate,
                reason,
                operations,
            });
        }
    }
    uses
}

fn deprecated(model: &Model) -> Vec<(String, &str)> {
    let mut found = Vec::new();
    for (name, ty) in &model.types {
        let fields: &[Field] = match ty {
            Type::Object(object) => &object.fields,
            Type::Interface(interface) => &interface.fields,
            Type::Input(input) => {
                let of = |field: &InputValue| format!("{name}.{}", field.name);
                found.extend(reasons(&input.fields, of));
                continue;
            }
            Type::Enum(ty) => {
                let values = ty.values.iter();
                found.extend(
                    values.filter_map(|value| Some((format!("{name}.{}", value.name), value.deprecated.as_deref()?))),
                );
                continue;
            }
            Type::Scalar(_) | Type::Union(_) => continue,
        };
        for field in fields {
            let coordinate = format!("{name}.{}", field.name);
            found.extend(field.deprecated.as_deref().map(|reason| (coordinate.clone(), reason)));
            let of = |argument: &InputValue| format!("{coordinate}({}:)", argument.name);
            found.extend(reasons(&field.args, of));
        }
    }
    found
}

fn reasons(values: &[InputValue], coordinate: impl Fn(&InputValue) -> String) -> impl Iterator<Item = (String, &str)> {
    values
        .iter()
        .filter_map(move |value| Some((coordinate(value), value.deprecated.as_deref()?)))
}
