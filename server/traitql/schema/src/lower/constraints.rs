//! Constraints of input values: `@length`, `@count`, `@range`, `@depth` and `@format` must suit their types, and
//! defaults must satisfy them.

use std::borrow::Cow;
use std::collections::BTreeSet;

use apollo_compiler::ast::{Directive, InputValueDefinition, Value};
use apollo_compiler::schema::ObjectType;
use apollo_compiler::{Node, Schema};

use traitql_constraints::{Format, Problem};

use super::argument;
use crate::diagnostics::code;
use crate::diagnostics::diagnostic::Collector;
use crate::diagnostics::suggest::did_you_mean;
use crate::model::Constraint;

pub(super) fn lower(schema: &Schema, input: &InputValueDefinition, out: &mut Collector) -> Vec<Constraint> {
    let mut rules = Vec::new();
    for directive in input.directives.iter() {
        let Some(rule) = rule(schema, directive) else { continue };
        let ty = schema.types.get(input.ty.inner_named_type());
        let is_text = matches!(input.ty.inner_named_type().as_str(), "String" | "ID")
            || ty.is_some_and(|ty| ty.is_scalar() && !ty.is_built_in());
        let is_number = matches!(input.ty.inner_named_type().as_str(), "Int" | "Float");
        let (fits, wanted) = match rule {
            Constraint::Length { .. } | Constraint::Format { .. } => {
                (is_text, "strings (String, ID or a custom scalar)")
            }
            Constraint::Range { .. } => (is_number, "numbers (Int or Float)"),
            Constraint::Count { .. } => (input.ty.is_list(), "lists"),
            Constraint::Depth { .. } => (
                is_recursive(schema, input.ty.inner_named_type()),
                "recursive input types",
            ),
        };
        if !fits && ty.is_some() {
            let message = format!(
                "`@{}` applies to {wanted}, but `{}` has type `{}`",
                directive.name, input.name, input.ty
            );
            let help = match rule {
                Constraint::Length { .. } if input.ty.is_list() || is_number => {
                    if is_number {
                        "use `@range` for numbers"
                    } else {
                        "use `@count` for the number of entries"
                    }
                }
                Constraint::Count { .. } if is_text => "use `@length` for the number of characters",
                Constraint::Range { .. } if is_text => "use `@length` for the number of characters",
                Constraint::Depth { .. } => "remove it; the schema already limits the depth of this type",
                _ => "remove it, or change the type",
            };
            out.report(code::LIMIT_TYPE, directive.location(), message).help(help);
        }
        check_bounds(schema, directive, &rule, out);
        rules.push(rule);
    }
    rules
}

/// The server validates arguments against the object type, so it needs all constraints of its interfaces.
pub(super) fn check_interfaces(schema: &Schema, object: &ObjectType, out: &mut Collector) {
    let interfaces = object.implements_interfaces.iter();
    for interface in interfaces.filter_map(|name| schema.get_interface(name)) {
        for (name, promised) in &interface.fields {
            let Some(field) = object.fields.get(name) else { continue };
            for promised in &promised.arguments {
                let Some(argument) = field.argument_by_name(&promised.name) else {
                    continue;
                };
                let kept = lower_unchecked(schema, argument);
                let missing = promised
                    .directives
                    .iter()
                    .filter(|directive| rule(schema, directive).is_some_and(|rule| !kept.contains(&rule)));
                for directive in missing {
                    let message = format!(
                        "`{}.{name}({}:)` lacks the constraint `{directive}` of interface `{}`",
                        object.name, argument.name, interface.name
                    );
                    out.report(code::INTERFACE_LIMIT, argument.name.location(), message)
                        .help("repeat the constraint here; the server validates arguments against the object type");
                }
            }
        }
    }
}

pub(crate) fn lower_unchecked(schema: &Schema, input: &InputValueDefinition) -> Vec<Constraint> {
    input
        .directives
        .iter()
        .filter_map(|directive| rule(schema, directive))
        .collect()
}

fn rule(schema: &Schema, directive: &Directive) -> Option<Constraint> {
    let number = |name| argument(schema, directive, name).and_then(|value| value.to_i32());
    let float = |name| argument(schema, directive, name).and_then(|value| value.to_f64());
    let count = |number: i32| u32::try_from(number).unwrap_or(0);
    match directive.name.as_str() {
        "length" => Some(Constraint::Length {
            min: count(number("min")?),
            max: count(number("max")?),
        }),
        "count" => Some(Constraint::Count {
            min: count(number("min")?),
            max: count(number("max")?),
        }),
        "depth" => Some(Constraint::Depth {
            max: count(number("max")?),
            leaves: number("leaves").map(count),
        }),
        "range" => Some(Constraint::Range {
            min: float("min"),
            max: float("max"),
        }),
        "format" => Some(Constraint::Format {
            is: argument(schema, directive, "is")?.as_enum()?.to_string(),
        }),
        _ => None,
    }
}

fn check_bounds(schema: &Schema, directive: &Node<Directive>, rule: &Constraint, out: &mut Collector) {
    match rule {
        Constraint::Length { .. } | Constraint::Count { .. } | Constraint::Range { .. } => {
            let bound = |name| argument(schema, directive, name);
            let (min, max) = (
                bound("min").and_then(|v| v.to_f64()),
                bound("max").and_then(|v| v.to_f64()),
            );
            let at = directive.location();
            if let (Some(min), Some(max)) = (min, max)
                && min > max
            {
                let message = format!("`@{}` accepts no value: {min} is greater than {max}", directive.name);
                out.report(code::LIMIT_ORDER, at, message).help("swap the bounds");
            }
            if !matches!(rule, Constraint::Range { .. })
                && (min.is_some_and(|min| min < 0.0) || max.is_some_and(|max| max < 0.0))
            {
                let message = format!("`@{}` has a negative bound", directive.name);
                out.report(code::LIMIT_ORDER, at, message).help("use 0 or more");
            }
            // Invalid bounds are reported as wrong values.
            if directive.arguments.is_empty() {
                let message = "`@range` has no bounds";
                out.report(code::LIMIT_ORDER, at, message)
                    .help("add `min`, `max` or both");
            }
        }
        Constraint::Depth { .. } => {
            let max = argument(schema, directive, "max").and_then(|max| max.to_i32());
            if max.is_some_and(|max| max < 1) {
                let message = "`@depth` accepts no value: `max` must be at least 1";
                out.report(code::LIMIT_ORDER, directive.location(), message)
                    .help("use 1 or more; the object itself is the first level");
            }
            let leaves = argument(schema, directive, "leaves").and_then(|leaves| leaves.to_i32());
            if leaves.is_some_and(|leaves| leaves < 1) {
                let message = "`@depth` accepts no value: `leaves` must be at least 1";
                out.report(code::LIMIT_ORDER, directive.location(), message)
                    .help("use 1 or more, or remove `leaves`; every object is or contains a leaf");
            }
        }
        Constraint::Format { is } => {
            if Format::from_name(is).is_none() {
                let names = Format::ALL.map(Format::name);
                let at = argument(schema, directive, "is").and_then(|value| value.location());
                let message = format!("unknown format `{is}`");
                let known = names.join(", ");
                let suggestion = did_you_mean(is, names);
                out.report(code::FORMAT_UNKNOWN, at, message)
                    .help(suggestion)
                    .help(format!("available formats: {known}"));
            }
        }
    }
}

/// Checks a default value, including the fields inside it.
pub(super) fn check_default(
    schema: &Schema,
    input: &InputValueDefinition,
    value: &Node<Value>,
    constraints: &[Constraint],
    out: &mut Collector,
) {
    for rule in constraints {
        if let Some(problem) = violation(schema, input.ty.inner_named_type(), rule, value) {
            out.report(
                code::DEFAULT_LIMIT,
                value.location(),
                format!("the default of `{}` {problem}", input.name),
            )
            .help(
                "change the default or the constraint: a default must satisfy the same constraints as a value that is sent",
            );
        }
    }
    check_inside(schema, input.ty.inner_named_type(), value, out);
}

fn check_inside(schema: &Schema, ty: &str, value: &Node<Value>, out: &mut Collector) {
    match &**value {
        Value::List(items) => items.iter().for_each(|item| check_inside(schema, ty, item, out)),
        Value::Object(fields) => {
            let Some(input) = schema.get_input_object(ty) else {
                return;
            };
            for (name, value) in fields {
                let Some(field) = input.fields.get(name) else { continue };
                check_default(schema, field, value, &lower_unchecked(schema, field), out);
            }
        }
        _ => {}
    }
}

fn is_recursive(schema: &Schema, ty: &str) -> bool {
    nested_inputs(schema, ty)
        .iter()
        .any(|inner| nested_inputs(schema, inner).contains(inner))
        || nested_inputs(schema, ty).contains(ty)
}

fn nested_inputs<'s>(schema: &'s Schema, ty: &str) -> BTreeSet<&'s str> {
    let mut found = BTreeSet::new();
    let mut open = vec![ty];
    while let Some(name) = open.pop() {
        let Some(input) = schema.get_input_object(name) else {
            continue;
        };
        for field in input.fields.values() {
            let inner = field.ty.inner_named_type();
            if schema.get_input_object(inner).is_some() && found.insert(inner.as_str()) {
                open.push(inner);
            }
        }
    }
    found
}

/// Excludes violations inside the value.
pub(super) fn problems(schema: &Schema, input: &InputValueDefinition, value: &Value) -> Vec<String> {
    let ty = input.ty.inner_named_type();
    let rules = lower_unchecked(schema, input);
    rules
        .iter()
        .filter_map(|rule| violation(schema, ty, rule, value))
        .map(|problem| problem.to_string())
        .collect()
}

/// Returns the problem that the server would report for the value.
fn violation(schema: &Schema, ty: &str, rule: &Constraint, value: &Value) -> Option<Problem> {
    match (rule, value) {
        // The value of a variable is not known yet.
        (_, Value::Null | Value::Variable(_)) => None,
        (Constraint::Count { min, max }, value) => {
            // A single value is a list of one (GraphQL October 2021, section 3.11).
            let entries = value.as_list().map_or(1, <[_]>::len);
            traitql_constraints::count(entries, *min as usize, *max as usize)
        }
        (_, Value::List(items)) => items.iter().find_map(|item| violation(schema, ty, rule, item)),
        (Constraint::Length { min, max }, value) => {
            traitql_constraints::length(&text(value)?, *min as usize, *max as usize)
        }
        (Constraint::Format { is }, value) => Format::from_name(is)?.check(&text(value)?),
        (Constraint::Range { min, max }, value) => traitql_constraints::range(value.to_f64()?, *min, *max),
        (Constraint::Depth { max, leaves }, value) => {
            let (levels, leaf_count) = nesting(schema, ty, value);
            traitql_constraints::depth(levels, *max as usize)
                .or_else(|| leaves.and_then(|leaves| traitql_constraints::leaves(leaf_count, leaves as usize)))
        }
    }
}

fn text(value: &Value) -> Option<Cow<'_, str>> {
    match value {
        Value::String(text) => Some(text.into()),
        Value::Int(number) => Some(number.as_str().into()),
        _ => None,
    }
}

/// Returns the depth of input objects, and the number of leaf objects. An object as the value of a custom scalar does
/// not count.
fn nesting(schema: &Schema, ty: &str, value: &Value) -> (usize, usize) {
    let combine = |all: &mut dyn Iterator<Item = (usize, usize)>| {
        all.fold((0, 0), |(levels, leaves), (deeper, more)| {
            (levels.max(deeper), leaves + more)
        })
    };
    match (value, schema.get_input_object(ty)) {
        (Value::List(items), _) => combine(&mut items.iter().map(|item| nesting(schema, ty, item))),
        (Value::Object(fields), Some(input)) => {
            let (levels, leaves) = combine(&mut fields.iter().filter_map(|(name, value)| {
                let field = input.fields.get(name)?;
                Some(nesting(schema, field.ty.inner_named_type(), value))
            }));
            (1 + levels, leaves.max(1))
        }
        _ => (0, 0),
    }
}
