//! The coordinates must exist, and the names follow Rust's conventions.

use traitql_schema::model::{Field, InputValue, Model, Type};
use traitql_schema::names::NameKind;

use super::names::did_you_mean;
use crate::config::{Problems, Settings};
use crate::output::Failure;

pub(super) fn check(settings: &Settings, model: &Model, problems: &mut Problems) {
    for (coordinate, name) in settings.options.names() {
        if let Err(problem) = check_name(coordinate, name, model) {
            let problem = format!("`traitql.rename.{coordinate}`: {problem}");
            problems.push(settings.position(&["rename", coordinate]), problem);
        }
    }
}

/// Works for models whose other settings cannot be checked yet.
pub(crate) fn check_only(settings: &Settings, model: &Model) -> Result<(), Failure> {
    let mut problems = Problems::default();
    check(settings, model, &mut problems);
    if problems.is_empty() {
        Ok(())
    } else {
        Err(problems.failure(&settings.file))
    }
}

fn check_name(coordinate: &str, name: &str, model: &Model) -> Result<(), String> {
    let (what, form) = resolve(coordinate, model)?;
    match form.rust(name) {
        expected if expected == name => Ok(()),
        expected => Err(format!("{what} must be written as `{expected}` in Rust, not `{name}`")),
    }
}

/// Returns the kind of the name, for messages, and the naming convention.
fn resolve(coordinate: &str, model: &Model) -> Result<(&'static str, NameKind), String> {
    let (type_name, member) = match coordinate.split_once('.') {
        Some((type_name, member)) => (type_name, Some(member)),
        None => (coordinate, None),
    };
    let Some(ty) = model.types.get(type_name) else {
        let near = did_you_mean(type_name, model.types.keys().map(String::as_str));
        return Err(format!("the schema has no type `{type_name}`{near}"));
    };
    let Some(member) = member else {
        return match ty {
            Type::Scalar(_) => Err(format!(
                "a scalar has no Rust name; set its Rust type with `traitql.scalars.{type_name}`"
            )),
            _ => Ok(("the name of a type", NameKind::Type)),
        };
    };
    let missing = |what: &str, of: &str, name: &str, others: Vec<&str>| {
        let near = did_you_mean(name, others);
        format!("`{of}` has no {what} `{name}`{near}")
    };
    match ty {
        Type::Enum(ty) if ty.values.iter().any(|value| value.name == member) => {
            Ok(("the name of a value", NameKind::Value))
        }
        Type::Enum(ty) => {
            let others = ty.values.iter().map(|value| value.name.as_str());
            Err(missing("value", type_name, member, others.collect()))
        }
        Type::Input(ty) if !has(&ty.fields, member) => Err(missing("field", type_name, member, names(&ty.fields))),
        Type::Input(ty) if ty.one_of => Ok(("the name of a variant", NameKind::Variant)),
        Type::Input(_) => Ok(("the name of a field", NameKind::Field)),
        Type::Object(ty) => field(type_name, member, &ty.fields),
        Type::Interface(ty) => field(type_name, member, &ty.fields),
        Type::Scalar(_) | Type::Union(_) => Err(missing("field", type_name, member, Vec::new())),
    }
}

/// Accepts an argument, too: `tour(id:)`.
fn field(type_name: &str, member: &str, fields: &[Field]) -> Result<(&'static str, NameKind), String> {
    let (name, argument) = match member.split_once('(') {
        Some((name, argument)) => (name, Some(argument.trim_end_matches(')').trim_end_matches(':'))),
        None => (member, None),
    };
    let Some(field) = fields.iter().find(|field| field.name == name) else {
        let near = did_you_mean(name, fields.iter().map(|field| field.name.as_str()));
        return Err(format!("`{type_name}` has no field `{name}`{near}"));
    };
    match argument {
        None => Ok(("the name of a field", NameKind::Field)),
        // Others would have no effect.
        Some(argument) if has(&field.args, argument) && member.ends_with(":)") => {
            Ok(("the name of an argument", NameKind::Parameter))
        }
        Some(argument) if has(&field.args, argument) => Err(format!("write `{type_name}.{name}({argument}:)`")),
        Some(argument) => {
            let near = did_you_mean(argument, names(&field.args));
            Err(format!("`{type_name}.{name}` has no argument `{argument}`{near}"))
        }
    }
}

fn has(values: &[InputValue], name: &str) -> bool {
    values.iter().any(|value| value.name == name)
}

fn names(values: &[InputValue]) -> Vec<&str> {
    values.iter().map(|value| value.name.as_str()).collect()
}
