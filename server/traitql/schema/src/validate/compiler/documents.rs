use std::collections::HashSet;

use apollo_compiler::ast::InputValueDefinition;
use apollo_compiler::diagnostic::ToCliReport;
use apollo_compiler::executable::{Selection, SelectionSet};
use apollo_compiler::parser::SourceSpan;
use apollo_compiler::schema::ExtendedType;
use apollo_compiler::validation::DiagnosticData;
use apollo_compiler::{ExecutableDocument, Node, Schema};

use super::conflicts::{self, Conflict};
use super::shared::{split_argument, unknown_argument, unknown_type};
use super::{Finding, FindingMessage, leading_name, type_in};
use crate::diagnostics::code;
use crate::diagnostics::suggest::{did_you_mean, listed};

/// Returns `None` if traitql's own checks report it better.
pub(super) fn finding(
    schema: &Schema,
    document: &ExecutableDocument,
    error: &DiagnosticData,
    text: &str,
) -> Option<Finding> {
    let message = FindingMessage::of(error);
    let (first, second) = (message.name(0), message.name(1));
    let Some(kind) = error.unstable_error_name() else {
        return Some(Finding::new(code::DOCUMENT_OTHER, message.text.clone()));
    };
    let finding = match kind {
        "TypeSystemDefinition" => {
            let message = if first.is_empty() {
                "schema definition in an operation file".to_owned()
            } else {
                format!("definition of `{first}` in an operation file")
            };
            Finding::new(code::DOCUMENT_HOLDS_TYPE, message)
                .mark(first)
                .help("move it to a file below `schema/`")
        }
        // Reported by our rules for operation files.
        "AmbiguousAnonymousOperation" => return None,
        "OperationNameCollision" => {
            let other = document
                .operations
                .named
                .get(first)
                .and_then(|operation| operation.name.as_ref());
            Finding::new(
                code::DUPLICATE_OPERATION,
                format!("operation `{first}` is defined more than once"),
            )
            .mark(first)
            .note(other.and_then(|name| name.location()), "first defined here")
            .help("rename one of them, and its file")
        }
        "FragmentNameCollision"
        | "UndefinedFragment"
        | "UnusedFragment"
        | "RecursiveFragmentDefinition"
        | "UndefinedVariable"
        | "UnusedVariable" => return None,
        "UndefinedRootOperation" => Finding::new(code::NO_SUCH_ROOT, format!("the schema has no {first} root"))
            .mark(first)
            .help(format!("define `type {} {{ … }}`", capitalised(first))),
        // A selection on a leaf type has its own finding.
        "UndefinedField"
            if schema
                .types
                .get(first)
                .is_some_and(|ty| ty.is_leaf() || ty.is_input_object()) =>
        {
            return None;
        }
        "UndefinedField" => unknown_field(schema, first, second),
        "UndefinedArgument" => unknown_argument(schema, first, second),
        "RequiredArgument" if !first.starts_with('@') => {
            let (field, argument) = split_argument(first);
            Finding::new(
                code::MISSING_ARGUMENT,
                format!("`{field}` requires the argument `{argument}`"),
            )
            .mark(field.rsplit('.').next().unwrap_or_default())
            .note(
                argument_span(schema, field, argument),
                "required because it is non-null and has no default",
            )
            .help(match argument_type(schema, field, argument) {
                Some(ty) => format!("add `{argument}: …`; to pass a variable, declare `${argument}: {ty}`"),
                None => format!("add `{argument}: …`"),
            })
        }
        "InvalidFragmentSpread" => {
            let is_inline = message.starts_with("inline") || message.contains("inline fragment");
            let (what, condition, ty) = if is_inline {
                ("the inline fragment".to_owned(), first, second)
            } else {
                (format!("fragment `{first}`"), second, message.name(2))
            };
            if schema
                .types
                .get(condition)
                .is_some_and(|ty| !ty.is_output_type() || ty.is_leaf())
            {
                return None;
            }
            Finding::new(
                code::FRAGMENT_IMPOSSIBLE,
                format!("{what} on `{condition}` never matches here"),
            )
            .mark(condition)
            .note(None, format!("the selection is on `{ty}`"))
            .help(format!("select fields of `{ty}`, or use a fragment on it"))
        }
        "InvalidFragmentTarget" => {
            let ty = text.split_once(" on ").map_or(text, |(_, rest)| rest);
            let ty = leading_name(ty.trim_start());
            Finding::new(
                code::FRAGMENT_ON_LEAF,
                format!("a fragment cannot be on `{ty}`, which has no fields"),
            )
            .mark(ty)
            .help("use an object type, an interface or a union")
        }
        "VariableInputType" => {
            let ty = type_in(text);
            Finding::new(
                code::VARIABLE_NOT_INPUT,
                format!("variable `{first}` has type `{ty}`, which is not an input type"),
            )
            .mark(ty)
            .help("variables must be scalars, enums or input types")
        }
        "DisallowedVariableUsage" => {
            let (variable, has, argument, wants) = (first, second, message.name(2), message.name(3));
            let is_input_type = |ty: &str| {
                let ty = schema.types.get(ty.trim_matches(['[', ']', '!']));
                ty.is_some_and(|ty| ty.is_input_type())
            };
            if !is_input_type(has) || !is_input_type(wants) {
                // The invalid type is reported at the declaration of the variable, or in the schema.
                return None;
            }
            Finding::new(
                code::VARIABLE_MISMATCH,
                format!("variable `{variable}` has type `{has}`, but `{argument}` expects `{wants}`"),
            )
            .mark(variable)
            .help(format!("declare `{variable}: {wants}`"))
        }
        "UniqueVariable" => Finding::new(
            code::DUPLICATE_VARIABLE,
            format!("variable `{first}` is declared more than once"),
        )
        .mark(first)
        .help("remove one of them"),
        "MissingSubselection" => {
            let field = field_name(text);
            Finding::new(
                code::SELECTION_MISSING,
                format!("`{field}` is an object, but none of its fields are selected"),
            )
            .mark(field)
            .help(format!("select the fields you need: `{field} {{ … }}`"))
        }
        "SubselectionOnScalarType" | "SubselectionOnEnumType" => {
            let field = field_name(text);
            Finding::new(
                code::SELECTION_ON_LEAF,
                format!("`{field}` has type `{first}`, which has no fields"),
            )
            .mark(field)
            .help(format!("remove the selection after `{field}`"))
        }
        "UndefinedTypeInNamedFragmentTypeCondition" | "UndefinedTypeInInlineFragmentTypeCondition" => {
            unknown_type(schema, first)
        }
        "ConflictingFieldName" | "ConflictingFieldType" | "ConflictingFieldArgument" => {
            let conflict = conflicts::find(document, first, error.location());
            let help = if field_name(text) == first {
                format!("rename one of them with an alias: `other: {first}`")
            } else {
                format!("use another alias than `{first}` for one of them")
            };
            let finding = match (&conflict, kind) {
                (Some(Conflict { here, other, .. }), "ConflictingFieldName") => Finding::new(
                    code::FIELD_CONFLICT,
                    format!(
                        "`{first}` is `{}` here, but `{}` in the same response object",
                        here.field(),
                        other.field()
                    ),
                ),
                (Some(Conflict { here, other, .. }), "ConflictingFieldType") => Finding::new(
                    code::FIELD_CONFLICT,
                    format!(
                        "`{first}` is `{}: {}` here, but `{}: {}` in the same response object",
                        here.field(),
                        here.ty,
                        other.field(),
                        other.ty
                    ),
                ),
                _ => {
                    let why = match kind {
                        "ConflictingFieldName" => "two different fields",
                        "ConflictingFieldType" => "two fields of different types",
                        _ => "one field with different arguments",
                    };
                    Finding::new(
                        code::FIELD_CONFLICT,
                        format!("`{first}` refers to {why} in the same response object"),
                    )
                }
            };
            let finding = match &conflict {
                Some(conflict) => finding.note(conflict.other.at, conflict.note()),
                None => finding,
            };
            finding.mark(first).help(help)
        }
        // The specification counts response keys instead of selections.
        "SubscriptionUsesMultipleFields" if has_one_root_field(document, error.location()) => return None,
        "SubscriptionUsesMultipleFields" => Finding::new(
            code::SUBSCRIPTION_SHAPE,
            "a subscription must have exactly one root field",
        )
        .help("split it into one operation per root field"),
        "SubscriptionUsesIntrospection" => Finding::new(
            code::SUBSCRIPTION_SHAPE,
            "a subscription cannot select `__typename` at its root",
        )
        .help("remove it"),
        "SubscriptionUsesConditionalSelection" => Finding::new(
            code::SUBSCRIPTION_SHAPE,
            "the root field of a subscription cannot have `@skip` or `@include`",
        )
        .help("decide in the client whether to subscribe"),
        "DeeplyNestedType" | "RecursionError" | "RecursionLimitError" => {
            Finding::new(code::TOO_DEEP, "the operation is nested too deeply to validate")
                .help("select less in one operation")
        }
        other => return super::shared::finding(schema, other, &message, text),
    };
    Some(finding)
}

fn has_one_root_field(document: &ExecutableDocument, at: Option<SourceSpan>) -> bool {
    let mut keys = HashSet::new();
    let mut seen = HashSet::new();
    let operation = document.operations.iter().find(|operation| operation.location() == at);
    let mut open: Vec<&SelectionSet> = operation
        .map(|operation| &operation.selection_set)
        .into_iter()
        .collect();
    while let Some(set) = open.pop() {
        for selection in &set.selections {
            match selection {
                Selection::Field(field) => {
                    keys.insert(field.response_name());
                }
                Selection::InlineFragment(inline) => open.push(&inline.selection_set),
                Selection::FragmentSpread(spread) => {
                    if seen.insert(&spread.fragment_name) {
                        let fragment = document.fragments.get(&spread.fragment_name);
                        open.extend(fragment.map(|fragment| &fragment.selection_set));
                    }
                }
            }
        }
    }
    keys.len() == 1
}

fn unknown_field(schema: &Schema, ty: &str, field: &str) -> Finding {
    let names: Vec<&str> = match schema.types.get(ty) {
        Some(ExtendedType::Object(object)) => object.fields.keys().map(|name| name.as_str()).collect(),
        Some(ExtendedType::Interface(interface)) => interface.fields.keys().map(|name| name.as_str()).collect(),
        _ => Vec::new(),
    };
    let finding = Finding::new(code::UNKNOWN_FIELD, format!("`{ty}` has no field `{field}`")).mark(field);
    if let Some(help) = unknown_field_hint(schema, ty, field) {
        return finding.help(help);
    }
    let near = did_you_mean(field, names.iter().copied());
    if !near.is_empty() {
        return finding.help(near);
    }
    match schema.types.get(ty) {
        Some(ExtendedType::Union(union)) => {
            let member = union.members.first().map_or("Member", |member| member.as_str());
            finding.help(format!("unions have no fields; use `... on {member} {{ {field} }}`"))
        }
        Some(ExtendedType::Interface(_)) => {
            let implementers = schema.implementers_map();
            let has = implementers.get(ty).and_then(|found| {
                let mut objects = found.objects.iter();
                objects.find(|name| {
                    schema
                        .get_object(name)
                        .is_some_and(|object| object.fields.contains_key(field))
                })
            });
            match has {
                Some(member) => finding.help(format!(
                    "`{member}` has this field: use `... on {member} {{ {field} }}`"
                )),
                None => finding,
            }
        }
        _ if names.len() <= 16 => finding.help(format!("available fields: {}", listed(&names))),
        _ => finding.help(format!("add it to `{ty}` in the schema, or remove it here")),
    }
}

fn unknown_field_hint(schema: &Schema, ty: &str, field: &str) -> Option<String> {
    if field == "on" {
        return Some("a fragment starts with three dots: `... on Type { … }`".to_owned());
    }
    if ["true", "false", "null"].contains(&field) {
        return Some("a field is selected by its name only; `alias: name` renames it in the response".to_owned());
    }
    if schema.directive_definitions.contains_key(field) {
        return Some(format!("directives start with `@`: `@{field}`"));
    }
    let roots = schema.schema_definition.iter_root_operations();
    let mut roots = roots.filter(|(_, root)| ***root != *ty && schema.type_field(root, field).is_ok());
    let (kind, root) = roots.next()?;
    let is_root = schema
        .schema_definition
        .iter_root_operations()
        .any(|(_, root)| **root == *ty);
    Some(if is_root {
        format!("`{}` has this field: start the operation with `{kind}`", &**root)
    } else {
        format!("`{}` has this field: select it at the root of the operation", &**root)
    })
}

fn field_name(selection: &str) -> &str {
    let first = leading_name(selection);
    match selection[first.len()..].trim_start().strip_prefix(':') {
        Some(rest) => leading_name(rest.trim_start()),
        None => first,
    }
}

fn argument_span(schema: &Schema, field: &str, argument: &str) -> Option<SourceSpan> {
    argument_definition(schema, field, argument)?.name.location()
}

fn argument_type(schema: &Schema, field: &str, argument: &str) -> Option<String> {
    argument_definition(schema, field, argument).map(|argument| argument.ty.to_string())
}

fn argument_definition<'s>(schema: &'s Schema, field: &str, argument: &str) -> Option<&'s Node<InputValueDefinition>> {
    let (ty, field) = field.split_once('.')?;
    schema.type_field(ty, field).ok()?.argument_by_name(argument)
}

fn capitalised(name: &str) -> String {
    name.chars()
        .take(1)
        .map(|first| first.to_ascii_uppercase())
        .chain(name.chars().skip(1))
        .collect()
}
