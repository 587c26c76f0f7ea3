//! Values of enums and constraints of inputs. The suffixes `Values` and `Rules` differ from graphql-codegen's types.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use traitql_schema::model::{Constraint, Enum, Field, InputObject, InputValue, Model, Type};

use super::literal::{constant, doc, object, text, texts};

pub(super) fn contents(model: &Model) -> String {
    let used = used_enums(model);
    let mut out = String::new();
    let inputs: Vec<&InputObject> = model
        .types
        .values()
        .filter_map(|ty| match ty {
            Type::Input(input) => Some(input),
            _ => None,
        })
        .collect();
    if !inputs.is_empty() {
        out.push_str("import type { InputRules } from './traitql';\n");
    }
    // The rules of inputs refer to enums. References between inputs are functions.
    for ty in model.types.values() {
        if let Type::Enum(ty) = ty
            && used.contains(ty.name.as_str())
        {
            let _ = write!(out, "\n{}", enumeration(model, ty));
        }
    }
    for input in inputs {
        let _ = write!(out, "\n{}", input_object(model, input));
    }
    if out.is_empty() {
        out.push_str("\nexport {};\n");
    }
    out
}

fn enumeration(model: &Model, ty: &Enum) -> String {
    let values = texts(ty.values.iter().map(|value| &value.name));
    let about = [
        ty.description.as_deref().map(str::trim).map(str::to_owned),
        diagram(model, ty),
    ];
    let about: Vec<String> = about.into_iter().flatten().collect();
    format!(
        "{}export const {}Values = {values} as const;\n",
        doc(&about.join("\n\n")),
        ty.name
    )
}

/// Returns `None` without transitions.
fn diagram(model: &Model, ty: &Enum) -> Option<String> {
    let mut edges = String::new();
    for (_, field) in super::fields::fields(model) {
        let Some(edge) = field.transition.as_ref().filter(|edge| edge.of == ty.name) else {
            continue;
        };
        for from in &edge.from {
            let _ = writeln!(edges, "  {from} --> {}: {}", edge.to, field.name);
        }
    }
    (!edges.is_empty()).then(|| format!("```mermaid\nstateDiagram-v2\n{edges}```"))
}

fn input_object(model: &Model, input: &InputObject) -> String {
    let one_of = if input.one_of { "  oneOf: true,\n" } else { "" };
    let fields: String = input
        .fields
        .iter()
        .map(|field| format!("    {}: {},\n", field.name, value(model, field, "")))
        .collect();
    format!(
        "{}export const {}Rules = {{\n{one_of}  fields: {{\n{fields}  }},\n}} as const satisfies InputRules;\n",
        doc(input.description.as_deref().unwrap_or_default()),
        input.name
    )
}

pub(super) fn value(model: &Model, value: &InputValue, module: &str) -> String {
    let mut entries = vec![("type", text(&value.ty.to_string()))];
    entries.extend(value.default.as_ref().map(|default| ("default", constant(default))));
    match model.types.get(value.ty.name()) {
        Some(Type::Enum(ty)) => entries.push(("values", format!("{module}{}Values", ty.name))),
        // TypeScript cannot infer recursive types.
        Some(Type::Input(ty)) if module.is_empty() => {
            entries.push(("input", format!("(): InputRules => {}Rules", ty.name)));
        }
        Some(Type::Input(ty)) => entries.push(("input", format!("() => {module}{}Rules", ty.name))),
        _ => {}
    }
    entries.extend(value.constraints.iter().map(rule));
    object(&entries)
}

fn rule(rule: &Constraint) -> (&'static str, String) {
    let number = |number: &u32| number.to_string();
    match rule {
        Constraint::Length { min, max } => ("length", object(&[("min", number(min)), ("max", number(max))])),
        Constraint::Count { min, max } => ("count", object(&[("min", number(min)), ("max", number(max))])),
        Constraint::Range { min, max } => {
            let bounds = [("min", min), ("max", max)];
            let bounds: Vec<(&str, String)> = bounds
                .into_iter()
                .filter_map(|(name, bound)| Some((name, traitql_constraints::number((*bound)?))))
                .collect();
            ("range", object(&bounds))
        }
        Constraint::Depth { max, leaves } => {
            let leaves = leaves.as_ref().map(|leaves| ("leaves", number(leaves)));
            let bounds: Vec<(&str, String)> = [("max", number(max))].into_iter().chain(leaves).collect();
            ("depth", object(&bounds))
        }
        Constraint::Format { is } => ("format", text(is)),
    }
}

/// Excludes enums that only arguments of directives use.
fn used_enums(model: &Model) -> BTreeSet<&str> {
    let of_field = |field: &'_ Field| -> Vec<String> {
        let states = field.transition.iter().map(|edge| edge.of.clone());
        let types = field.args.iter().map(|arg| &arg.ty).chain([&field.ty]);
        types.map(|ty| ty.name().to_owned()).chain(states).collect()
    };
    let mut used: BTreeSet<String> = model.role_enum.iter().cloned().collect();
    for ty in model.types.values() {
        match ty {
            Type::Object(ty) => used.extend(ty.fields.iter().flat_map(of_field)),
            Type::Interface(ty) => used.extend(ty.fields.iter().flat_map(of_field)),
            Type::Input(ty) => used.extend(ty.fields.iter().map(|field| field.ty.name().to_owned())),
            Type::Scalar(_) | Type::Enum(_) | Type::Union(_) => {}
        }
    }
    model
        .types
        .keys()
        .map(String::as_str)
        .filter(|name| used.contains(*name))
        .collect()
}
