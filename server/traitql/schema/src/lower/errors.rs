//! `@error` and `@throws`.
//!
//! The enum of `@throws(codes:)` defines all errors; each of its values has `@error`.

use apollo_compiler::ast::FieldDefinition;
use apollo_compiler::schema::ExtendedType;
use apollo_compiler::{Name, Node, Schema};

use super::{Lower, argument};
use crate::definitions::definitions_for;
use crate::diagnostics::code;
use crate::diagnostics::diagnostic::Collector;
use crate::model::{ErrorCode, FieldKind};

pub(super) struct Errors {
    pub(super) error_enum: Option<String>,
    pub(super) codes: Vec<ErrorCode>,
}

pub(super) fn lower(schema: &Schema, out: &mut Collector) -> Errors {
    let throws = schema
        .directive_definitions
        .get("throws")
        .and_then(|throws| throws.argument_by_name("codes"));
    // Without `@throws`, the first enum that uses `@error` defines the errors.
    let described = || {
        schema.types.values().filter_map(|ty| ty.as_enum()).find_map(|ty| {
            ty.values
                .values()
                .any(|value| value.directives.has("error"))
                .then(|| ty.name.clone())
        })
    };
    let name = throws
        .map(|codes| codes.ty.inner_named_type().clone())
        .or_else(described);
    let mut codes = Vec::new();
    for (type_name, ty) in &schema.types {
        let ExtendedType::Enum(ty) = ty else { continue };
        for value in ty.values.values() {
            let error = value.directives.get("error");
            if Some(type_name) != name.as_ref() {
                if let Some(error) = error {
                    let message = format!(
                        "`@error` on `{}` of `{type_name}`, which is not the error enum",
                        value.value
                    );
                    let help = name
                        .as_ref()
                        .map_or_else(String::new, |name| format!("move the value to `{name}`"));
                    out.report(code::ERROR_MISPLACED, error.location(), message).help(help);
                }
                continue;
            }
            let Some(error) = error else {
                let message = format!("the error code `{}` has no `@error`", value.value);
                out.report(code::ERROR_MISSING, value.value.location(), message)
                    .help("add `@error(http: 409, message: \"A message with {slots} for the user.\")`")
                    .help(missing_definitions(schema));
                continue;
            };
            let http = argument(schema, error, "http");
            let message = argument(schema, error, "message");
            let retry = argument(schema, error, "retry").and_then(|retry| retry.as_enum());
            let (Some(http), Some(message), Some(retry)) = (http, message, retry) else {
                continue;
            };
            let status = http.to_i32().unwrap_or_default();
            if !(400..=599).contains(&status) {
                out.report(
                    code::ERROR_STATUS,
                    http.location(),
                    format!("{status} is not an HTTP error status"),
                )
                .help("use 400 to 499 for errors that the caller can fix, 500 to 599 for errors of the server");
            }
            let text = message.as_str().unwrap_or_default();
            let slots = slots(text).unwrap_or_else(|problem| {
                out.report(code::ERROR_SLOTS, message.location(), problem)
                    .help("a slot is a name in braces, such as `{limit}`: lowercase letters, digits and `_`");
                Vec::new()
            });
            codes.push(ErrorCode {
                code: value.value.to_string(),
                http: u16::try_from(status).unwrap_or(500),
                message: text.to_owned(),
                slots,
                retry: retry.to_string(),
                origin: out.sources().origin(value.value.location()),
            });
        }
    }
    Errors {
        error_enum: name.filter(|_| !codes.is_empty()).map(|name| name.to_string()),
        codes,
    }
}

fn slots(text: &str) -> Result<Vec<String>, String> {
    let mut slots: Vec<String> = Vec::new();
    let mut rest = text;
    if text.trim().is_empty() {
        return Err("the message of the error is empty".to_owned());
    }
    while let Some(at) = rest.find(['{', '}']) {
        if rest[at..].starts_with('}') {
            return Err("unmatched `}` in the message".to_owned());
        }
        let inner = &rest[at + 1..];
        let end = inner.find(['{', '}']).filter(|end| inner[*end..].starts_with('}'));
        let Some(end) = end else {
            return Err("unmatched `{` in the message".to_owned());
        };
        let name = &inner[..end];
        let valid = name.starts_with(|c: char| c.is_ascii_lowercase())
            && name
                .chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
        if !valid {
            return Err(format!("invalid slot name `{{{name}}}`"));
        }
        if !slots.iter().any(|slot| slot == name) {
            slots.push(name.to_owned());
        }
        rest = &inner[end + 1..];
    }
    Ok(slots)
}

impl Lower<'_> {
    pub(super) fn throws(&mut self, parent: &Name, kind: FieldKind, field: &Node<FieldDefinition>) -> Vec<String> {
        let Some(throws) = field.directives.get("throws") else {
            return Vec::new();
        };
        if kind == FieldKind::Data {
            let message = format!(
                "`@throws` has no effect on `{parent}.{}`, which has no resolver",
                field.name
            );
            self.out
                .report(code::DATA_FIELD_DIRECTIVE, throws.location(), message)
                .help("remove it, or add `@resolve` to give the field a resolver");
        }
        let codes = argument(self.schema, throws, "codes")
            .and_then(|codes| codes.as_list())
            .unwrap_or_default();
        let mut names: Vec<String> = Vec::new();
        for value in codes {
            let Some(name) = value.as_enum() else { continue };
            if names.iter().any(|known| known == name.as_str()) {
                let message = format!(
                    "`{}` is listed more than once in `@throws` of `{parent}.{}`",
                    name, field.name
                );
                self.out
                    .report(code::THROWS_TWICE, value.location(), message)
                    .help("remove one of them");
                continue;
            }
            names.push(name.to_string());
        }
        names
    }
}

/// Empty if the schema can already use `@error`.
fn missing_definitions(schema: &Schema) -> String {
    let lines = definitions_for(schema, "error").unwrap_or_default();
    let lines: Vec<String> = lines.iter().map(|line| format!("`{line}`")).collect();
    match lines.as_slice() {
        [] => String::new(),
        lines => format!(
            "`@error` is a traitql directive; add to the schema:\n{}",
            lines.join("\n")
        ),
    }
}
