//! Names in Rust that the configuration gives: what they are given to exists, and they are spelled as Rust spells such names.

use traitql_schema::model::{Field, InputValue, Model, Type};
use traitql_schema::names::Form;

use super::names::did_you_mean;
use crate::config::{Problems, Settings};
use crate::output::Failure;

pub(super) fn check(settings: &Settings, model: &Model, problems: &mut Problems) {
    for (coordinate, name) in settings.options.names() {
        if let Err(problem) = fits(coordinate, name, model) {
            let problem = format!("`traitql.rename.{coordinate}`: {problem}");
            problems.push(settings.place(&["rename", coordinate]), problem);
        }
    }
}

/// The same, where nothing else could be checked yet.
pub(crate) fn only(settings: &Settings, model: &Model) -> Result<(), Failure> {
    let mut problems = Problems::default();
    check(settings, model, &mut problems);
    match problems.is_empty() {
        true => Ok(()),
        false => Err(problems.failure(&settings.file)),
    }
}

fn fits(coordinate: &str, name: &str, model: &Model) -> Result<(), String> {
    let (what, form) = found(coordinate, model)?;
    match form.rust(name) {
        spelled if spelled == name => Ok(()),
        spelled => Err(format!("{what} is spelled `{spelled}` in Rust, not `{name}`")),
    }
}

/// What a coordinate stands for, and how such things are spelled.
fn found(coordinate: &str, model: &Model) -> Result<(&'static str, Form), String> {
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
                "a scalar has no name in Rust; `traitql.scalars.{type_name}` says which type it is"
            )),
            _ => Ok(("the name of a type", Form::Type)),
        };
    };
    let missing = |what: &str, of: &str, name: &str, others: Vec<&str>| {
        let near = did_you_mean(name, others);
        format!("`{of}` has no {what} `{name}`{near}")
    };
    match ty {
        Type::Enum(ty) => match ty.values.iter().any(|value| value.name == member) {
            true => Ok(("the name of a value", Form::Value)),
            false => {
                let others = ty.values.iter().map(|value| value.name.as_str());
                Err(missing("value", type_name, member, others.collect()))
            }
        },
        Type::Input(ty) => match has(&ty.fields, member) {
            true if ty.one_of => Ok(("the name of a variant", Form::Variant)),
            true => Ok(("the name of a field", Form::Field)),
            false => Err(missing("field", type_name, member, names(&ty.fields))),
        },
        Type::Object(ty) => field(type_name, member, &ty.fields),
        Type::Interface(ty) => field(type_name, member, &ty.fields),
        Type::Scalar(_) | Type::Union(_) => Err(missing("field", type_name, member, Vec::new())),
    }
}

/// A field of an object type or interface, or one of its arguments: `tour(id:)`.
fn field(type_name: &str, member: &str, fields: &[Field]) -> Result<(&'static str, Form), String> {
    let (name, argument) = match member.split_once('(') {
        Some((name, argument)) => (name, Some(argument.trim_end_matches(')').trim_end_matches(':'))),
        None => (member, None),
    };
    let Some(field) = fields.iter().find(|field| field.name == name) else {
        let near = did_you_mean(name, fields.iter().map(|field| field.name.as_str()));
        return Err(format!("`{type_name}` has no field `{name}`{near}"));
    };
    match argument {
        None => Ok(("the name of a field", Form::Field)),
        // Only as it is spelled does it have an effect.
        Some(argument) if has(&field.args, argument) && member.ends_with(":)") => {
            Ok(("the name of an argument", Form::Parameter))
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
