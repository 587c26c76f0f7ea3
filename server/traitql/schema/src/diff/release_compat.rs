//! Release compatibility: the types that a release depends on, beyond the text of its documents.
//!
//! Validation does not find, for example, that a field became nullable, or that it requires a higher role. A release
//! therefore records one line per coordinate. The [schema diff](crate::diff) decides which changes are breaking.

use apollo_compiler::Schema;
use apollo_compiler::ast::{Definition, InputValueDefinition};
use apollo_compiler::parser::Parser;
use indexmap::IndexMap;

use crate::diff::{self, Fact, Guard, Severity, format, is_compatible_input, is_compatible_output};
use crate::lower::{Lowered, constraints_of, lower_type};
use crate::model::{Authentication, Field, InputValue, Model, Operation, Subject, Type};

#[derive(Debug, Clone, Copy)]
pub(crate) struct CurrentSchema<'m> {
    pub(crate) types: &'m IndexMap<String, Type>,
    subjects: &'m [Subject],
    role_enum: Option<&'m str>,
}

impl<'m> CurrentSchema<'m> {
    pub(crate) fn of_lowered(lowered: &'m Lowered) -> Self {
        Self {
            types: &lowered.types,
            subjects: &lowered.subjects,
            role_enum: lowered.role_enum.as_deref(),
        }
    }

    fn field(&self, coordinate: &str) -> Option<&'m Field> {
        let (ty, name) = coordinate.split_once('.')?;
        let fields = match self.types.get(ty)? {
            Type::Object(object) => &object.fields,
            Type::Interface(interface) => &interface.fields,
            _ => return None,
        };
        fields.iter().find(|field| field.name == name)
    }

    /// Returns the argument or input field at a coordinate: `Query.tours(first:)` or `TourSaveInput.title`.
    fn input(&self, coordinate: &str) -> Option<&'m InputValue> {
        let (values, name) = match coordinate.split_once('(') {
            Some((field, argument)) => (&self.field(field)?.args, argument.trim_end_matches(":)")),
            None => {
                let (ty, name) = coordinate.split_once('.')?;
                match self.types.get(ty)? {
                    Type::Input(input) => (&input.fields, name),
                    _ => return None,
                }
            }
        };
        values.iter().find(|value| value.name == name)
    }

    fn guard(&self, field: &Field) -> Guard {
        Guard::new(field.access.as_ref(), self.subjects)
    }
}

/// Returns the lines to record for a model's operations, sorted by coordinate. A line is the part of the definition
/// that matters to clients: `Tour.title` is `String!`, `Query.tour` is `Tour @auth(role: VIEWER, of: "Tour", by:
/// "id")`, `TourSaveInput.size` is `Int! = 3 @range(min: 1)`. An enum is `DRAFT | LIVE`, the enum of roles `VIEWER <
/// ADMIN`, and an input type `input` or `input @oneOf`.
pub fn schema_dependencies(model: &Model) -> IndexMap<String, String> {
    let now = CurrentSchema {
        types: &model.types,
        subjects: &model.subjects,
        role_enum: model.role_enum.as_deref(),
    };
    let mut lines = IndexMap::new();
    for operation in &model.operations {
        for coordinate in &operation.coordinates {
            let Some(field) = now.field(coordinate) else { continue };
            let guard = field.access.as_ref().map(|_| now.guard(field));
            if let (Some(Guard::Role { .. }), Some(roles)) = (&guard, now.role_enum) {
                let names = diff::roles(now.types, Some(roles)).join(" < ");
                lines.entry(roles.to_owned()).or_insert(names);
            }
            let guard = guard.map_or_else(String::new, |guard| format!(" {guard}"));
            lines.insert(coordinate.clone(), format!("{}{guard}", field.ty));
        }
        for coordinate in &operation.variable_inputs {
            if let Some(input) = now.input(coordinate) {
                lines.insert(coordinate.clone(), input_line(input));
            }
        }
    }
    for variable in model.operations.iter().flat_map(|operation| &operation.variables) {
        add_input_lines(now, variable.ty.name(), &mut lines);
    }
    lines.sort_keys();
    lines
}

fn input_line(input: &InputValue) -> String {
    // Only a non-null input with a default can be omitted.
    let default = if input.ty.is_non_null() {
        format::default(input)
    } else {
        String::new()
    };
    let constraints: String = input
        .constraints
        .iter()
        .map(|rule| format!(" {}", format::directive(rule)))
        .collect();
    format!("{}{default}{constraints}", input.ty)
}

fn add_input_lines(now: CurrentSchema<'_>, name: &str, lines: &mut IndexMap<String, String>) {
    match now.types.get(name) {
        Some(Type::Input(input)) => {
            if lines.contains_key(name) {
                return;
            }
            let kind = if input.one_of { "input @oneOf" } else { "input" };
            lines.insert(name.to_owned(), kind.to_owned());
            for field in &input.fields {
                lines.insert(format!("{name}.{}", field.name), input_line(field));
                add_input_lines(now, field.ty.name(), lines);
            }
        }
        Some(Type::Enum(ty)) => {
            let values: Vec<&str> = ty.values.iter().map(|value| value.name.as_str()).collect();
            lines.insert(name.to_owned(), values.join(" | "));
        }
        _ => {}
    }
}

pub(crate) fn lines_of(lines: &IndexMap<String, String>, operation: &Operation) -> IndexMap<String, String> {
    let mut names: Vec<String> = operation
        .variables
        .iter()
        .map(|variable| variable.ty.name().to_owned())
        .collect();
    let mut at = 0;
    while let Some(name) = names.get(at).cloned() {
        let fields = lines.iter().filter(|(coordinate, _)| {
            let (ty, field) = coordinate.split_once('.').unwrap_or_default();
            ty == name && !field.is_empty()
        });
        for (_, line) in fields {
            let inner = parse_line(line)
                .map(|line| line.ty.inner_named_type().to_string())
                .unwrap_or_default();
            if !names.contains(&inner) {
                names.push(inner);
            }
        }
        at += 1;
    }
    let root_lines = || {
        operation
            .root_fields
            .iter()
            .filter_map(|coordinate| lines.get(coordinate))
    };
    let requires_role = root_lines().any(|line| line.contains(" @auth(role:"));
    let is_used = |coordinate: &String, line: &String| {
        let ty = coordinate.split('.').next().unwrap_or_default();
        operation.coordinates.contains(coordinate)
            || operation.variable_inputs.contains(coordinate)
            || names.iter().any(|name| name == ty)
            || (requires_role && line.contains(" < "))
    };
    lines
        .iter()
        .filter(|(coordinate, line)| is_used(coordinate, line))
        .map(|(coordinate, line)| (coordinate.clone(), line.clone()))
        .collect()
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Incompatibility {
    pub(crate) coordinate: String,
    pub(crate) message: String,
}

/// Does not check the documents.
pub(crate) fn incompatibilities(
    schema: &Schema,
    now: CurrentSchema<'_>,
    dependencies: &IndexMap<String, String>,
) -> Vec<Incompatibility> {
    let mut out = Vec::new();
    for (coordinate, line) in dependencies {
        let found = match (now.field(coordinate), now.input(coordinate), coordinate.split_once('.')) {
            (Some(field), ..) => of_field(now, coordinate, line, field),
            (_, Some(input), _) => of_input(schema, dependencies, coordinate, line, input),
            // Validation does not report a removed input field of a variable.
            (_, _, Some((ty, _))) => {
                let is_sent = !coordinate.contains('(') && dependencies.contains_key(ty);
                let removed = (ty.to_owned(), format!("the input field `{coordinate}` was removed"));
                let is_input = matches!(now.types.get(ty), Some(Type::Input(_)));
                (is_sent && is_input).then_some(removed).into_iter().collect()
            }
            (_, _, None) => of_type(now, dependencies, coordinate, line),
        };
        let incompatibility = |(coordinate, message)| Incompatibility { coordinate, message };
        out.extend(found.into_iter().map(incompatibility));
    }
    out
}

type Found = Vec<(String, String)>;

fn breaking(coordinate: &str, separator: &str, facts: Vec<Fact>) -> Found {
    let facts = facts
        .into_iter()
        .filter(|fact| fact.kind.severity() == Severity::Breaking);
    let found = facts.map(|fact| {
        (
            coordinate.to_owned(),
            format!("`{coordinate}`{separator} {}", fact.text),
        )
    });
    found.collect()
}

fn of_field(now: CurrentSchema<'_>, coordinate: &str, line: &str, field: &Field) -> Found {
    let Some(before) = parse_line(line) else {
        return Vec::new();
    };
    let mut found = Found::new();
    if !is_compatible_output(&lower_type(&before.ty), &field.ty) {
        let message = format!("`{coordinate}` is now `{}`, was `{}`", field.ty, before.ty);
        found.push((coordinate.to_owned(), message));
    }
    if let Some(was) = guard(&before) {
        let roles = diff::roles(now.types, now.role_enum);
        found.extend(breaking(coordinate, ":", diff::access(&was, &now.guard(field), &roles)));
    }
    found
}

fn of_input(
    schema: &Schema,
    dependencies: &IndexMap<String, String>,
    coordinate: &str,
    line: &str,
    input: &InputValue,
) -> Found {
    let Some(before) = parse_line(line) else {
        return Vec::new();
    };
    let mut found = Found::new();
    let mut report = |message: String| found.push((coordinate.to_owned(), message));
    // Validation has checked the rest of a value of which only a part is a variable.
    let ty = coordinate.split('.').next().unwrap_or_default();
    if !coordinate.contains('(') && dependencies.contains_key(ty) {
        if !is_compatible_input(&lower_type(&before.ty), &input.ty) {
            report(format!("`{coordinate}` is now `{}`, was `{}`", input.ty, before.ty));
        } else if before.default_value.is_some() && input.ty.is_non_null() && input.default.is_none() {
            report(format!("`{coordinate}` no longer has a default, and they may omit it"));
        }
    }
    found.extend(breaking(
        coordinate,
        "",
        diff::constraints(&constraints_of(schema, &before), &input.constraints),
    ));
    found
}

fn of_type(now: CurrentSchema<'_>, dependencies: &IndexMap<String, String>, name: &str, line: &str) -> Found {
    let mut found = Found::new();
    match now.types.get(name) {
        Some(Type::Input(input)) => {
            if input.one_of && line == "input" {
                let message = format!("`{name}` now accepts exactly one of its fields, and they may send several");
                found.push((name.to_owned(), message));
            }
            for field in &input.fields {
                let key = format!("{name}.{}", field.name);
                if field.ty.is_non_null() && field.default.is_none() && !dependencies.contains_key(&key) {
                    let message = format!("`{key}` is required, but they do not send it");
                    found.push((key, message));
                }
            }
        }
        Some(Type::Enum(ty)) => {
            let names = |separator: &str| line.split(separator).map(str::to_owned).collect::<Vec<_>>();
            let exists = |value: &String| ty.values.iter().any(|known| known.name == *value);
            let (is_sent, before) = if line.contains(" < ") {
                (false, names(" < "))
            } else {
                (true, names(" | "))
            };
            for value in before.iter().filter(|value| is_sent && !exists(value)) {
                found.push((name.to_owned(), format!("the value `{name}.{value}` was removed")));
            }
            let after: Vec<String> = ty.values.iter().map(|value| value.name.clone()).collect();
            if now.role_enum == Some(name)
                && let Some(order) = diff::reordered(&before, &after)
            {
                let message = format!("the roles of `{name}` were reordered: {order}");
                found.push((name.to_owned(), message));
            }
        }
        _ => {}
    }
    found
}

fn parse_line(line: &str) -> Option<InputValueDefinition> {
    let ast = Parser::new()
        .parse_ast(format!("input I {{ f: {line} }}"), "a release")
        .ok()?;
    match ast.definitions.first()? {
        Definition::InputObjectTypeDefinition(input) => Some((**input.fields.first()?).clone()),
        _ => None,
    }
}

fn guard(line: &InputValueDefinition) -> Option<Guard> {
    if line.directives.has("public") {
        return Some(Guard::Public);
    }
    let auth = line.directives.get("auth")?;
    let text = |name: &str| auth.specified_argument_by_name(name)?.as_str().map(str::to_owned);
    let max_age = auth
        .specified_argument_by_name("maxAge")
        .and_then(|value| value.to_i32())
        .and_then(|seconds| u32::try_from(seconds).ok());
    let authentication = Authentication {
        max_age,
        acr: text("acr"),
    };
    match auth.specified_argument_by_name("role") {
        None => Some(Guard::SignedIn { authentication }),
        Some(role) => Some(Guard::Role {
            role: role.as_enum()?.to_string(),
            of: text("of")?,
            by: text("by")?,
            authentication,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recorded_lines_can_be_parsed() {
        for text in [
            "ID",
            "[[Tour!]]!",
            "Int! = 3",
            "String! = \"a = b\" @length(min: 1, max: 80) @format(is: KEY)",
        ] {
            let ty = text.split(' ').next().unwrap_or_default();
            assert_eq!(parse_line(text).map(|line| line.ty.to_string()).as_deref(), Some(ty));
        }
        assert_eq!(parse_line("[ID"), None);
        assert_eq!(parse_line("input @oneOf }"), None);
    }

    #[test]
    fn recorded_guards_can_be_parsed() {
        let role = |authentication| Guard::Role {
            role: "ADMIN".to_owned(),
            of: "Tour".to_owned(),
            by: "input.id".to_owned(),
            authentication,
        };
        let signed_in = |authentication| Guard::SignedIn { authentication };
        let authentication = |max_age, acr: Option<&str>| Authentication {
            max_age,
            acr: acr.map(str::to_owned),
        };
        for wanted in [
            Guard::Public,
            signed_in(authentication(None, None)),
            signed_in(authentication(Some(60), None)),
            signed_in(authentication(None, Some("strong"))),
            role(authentication(None, None)),
            role(authentication(Some(300), Some("strong"))),
        ] {
            let line = parse_line(&format!("Tour! {wanted}"));
            assert_eq!(line.and_then(|line| guard(&line)), Some(wanted));
        }
        assert_eq!(parse_line("Tour!").and_then(|line| guard(&line)), None);
    }
}
