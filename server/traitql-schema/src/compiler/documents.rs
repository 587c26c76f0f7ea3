//! Findings about documents.

use std::collections::HashSet;

use apollo_compiler::ast::InputValueDefinition;
use apollo_compiler::diagnostic::ToCliReport;
use apollo_compiler::executable::{Selection, SelectionSet};
use apollo_compiler::parser::SourceSpan;
use apollo_compiler::schema::ExtendedType;
use apollo_compiler::validation::DiagnosticData;
use apollo_compiler::{ExecutableDocument, Node, Schema};

use super::shared::{split_argument, unknown_argument, unknown_type};
use super::{Finding, Sentence, leading_name, type_in};
use crate::code;
use crate::suggest::{did_you_mean, listed};

/// Puts a finding into our words; nothing when our own rules say it better.
pub(super) fn finding(
    schema: &Schema,
    document: &ExecutableDocument,
    error: &DiagnosticData,
    text: &str,
) -> Option<Finding> {
    let sentence = Sentence::of(error);
    let (first, second) = (sentence.name(0), sentence.name(1));
    let Some(kind) = error.unstable_error_name() else {
        return Some(Finding::new(code::DOCUMENT_OTHER, sentence.text.clone()));
    };
    let finding = match kind {
        "TypeSystemDefinition" => {
            let what = if first.is_empty() {
                "a definition of the schema".to_owned()
            } else {
                format!("the definition of `{first}`")
            };
            Finding::new(code::DOCUMENT_HOLDS_TYPE, format!("{what} among the operations"))
                .mark(first)
                .help("move it to a file below `schema/`")
        }
        // Our own rule about files names anonymous operations.
        "AmbiguousAnonymousOperation" => return None,
        "OperationNameCollision" => {
            let other = document
                .operations
                .named
                .get(first)
                .and_then(|operation| operation.name.as_ref());
            Finding::new(
                code::DUPLICATE_OPERATION,
                format!("two operations are called `{first}`"),
            )
            .mark(first)
            .note(other.and_then(|name| name.location()), "the first one")
            .help("rename one of them, and its file")
        }
        // Our own check of uses finds all of these, also where the library does not look.
        // Our own check of uses finds all of these, also where the library does not look.
        "FragmentNameCollision"
        | "UndefinedFragment"
        | "UnusedFragment"
        | "RecursiveFragmentDefinition"
        | "UndefinedVariable"
        | "UnusedVariable" => return None,
        "UndefinedRootOperation" => Finding::new(code::NO_SUCH_ROOT, format!("the schema has no {first} root"))
            .mark(first)
            .help(format!("define `type {} {{ … }}`", capitalised(first))),
        // A selection on a leaf type is reported as such.
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
                format!("`{field}` needs the argument `{argument}`"),
            )
            .mark(field.rsplit('.').next().unwrap_or_default())
            .note(
                argument_place(schema, field, argument),
                "it has no default value and cannot be null",
            )
            .help(match argument_type(schema, field, argument) {
                Some(ty) => format!("add `{argument}: …`; as a variable it is declared `${argument}: {ty}`"),
                None => format!("add `{argument}: …`"),
            })
        }
        "InvalidFragmentSpread" => {
            let (what, condition, ty) = match sentence.starts_with("inline") || sentence.contains("inline fragment") {
                true => ("the inline fragment".to_owned(), first, second),
                false => (format!("the fragment `{first}`"), second, sentence.name(2)),
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
                format!("{what} is about `{condition}`, and nothing here is ever one"),
            )
            .mark(condition)
            .note(None, format!("the selection is about `{ty}`"))
            .help(format!("select fields of `{ty}`, or use a fragment on it"))
        }
        "InvalidFragmentTarget" => {
            let ty = text.split_once(" on ").map_or(text, |(_, rest)| rest);
            let ty = leading_name(ty.trim_start());
            Finding::new(
                code::FRAGMENT_ON_LEAF,
                format!("`{ty}` has no fields, so there is nothing to select in a fragment on it"),
            )
            .mark(ty)
            .help("name the type whose fields are selected: an object type, an interface or a union")
        }
        "VariableInputType" => {
            let ty = type_in(text);
            Finding::new(
                code::VARIABLE_NOT_INPUT,
                format!("the variable `{first}` has the type `{ty}`, which cannot be sent"),
            )
            .mark(ty)
            .help("variables are scalars, enums and input types")
        }
        "DisallowedVariableUsage" => {
            let (variable, has, argument, wants) = (first, second, sentence.name(2), sentence.name(3));
            if !schema
                .types
                .get(has.trim_matches(['[', ']', '!']))
                .is_some_and(|ty| ty.is_input_type())
            {
                // The type of the variable is wrong in itself, which is reported where it is declared.
                return None;
            }
            Finding::new(
                code::VARIABLE_MISMATCH,
                format!("`{variable}` is `{has}`, but `{argument}` wants `{wants}`"),
            )
            .mark(variable)
            .help(format!("declare `{variable}: {wants}`"))
        }
        "UniqueVariable" => Finding::new(
            code::DUPLICATE_VARIABLE,
            format!("the variable `{first}` is declared twice"),
        )
        .mark(first)
        .help("remove one of them"),
        "MissingSubselection" => {
            let field = field_name(text);
            Finding::new(
                code::SELECTION_MISSING,
                format!("`{field}` is an object, and none of its fields is asked for"),
            )
            .mark(field)
            .help(format!("write `{field} {{ … }}` with the fields you need"))
        }
        "SubselectionOnScalarType" | "SubselectionOnEnumType" => {
            let field = field_name(text);
            Finding::new(
                code::SELECTION_ON_LEAF,
                format!("`{field}` is a `{first}`, which has no fields"),
            )
            .mark(field)
            .help(format!("remove the braces after `{field}`"))
        }
        "UndefinedTypeInNamedFragmentTypeCondition" | "UndefinedTypeInInlineFragmentTypeCondition" => {
            unknown_type(schema, first)
        }
        "ConflictingFieldName" | "ConflictingFieldType" | "ConflictingFieldArgument" => {
            let why = match kind {
                "ConflictingFieldName" => "two different fields",
                "ConflictingFieldType" => "two fields of different types",
                _ => "one field with different arguments",
            };
            Finding::new(
                code::FIELD_CONFLICT,
                format!("`{first}` would stand for {why} in the answer"),
            )
            .mark(first)
            .help(match field_name(text) == first {
                true => format!("give one of them another name with an alias: `other: {first}`"),
                false => format!("take another alias than `{first}` for one of them"),
            })
        }
        // The library counts selections; the specification counts what they are in the answer.
        "SubscriptionUsesMultipleFields" if has_one_root_field(document, error.location()) => return None,
        "SubscriptionUsesMultipleFields" => Finding::new(
            code::SUBSCRIPTION_SHAPE,
            "a subscription asks for exactly one root field",
        )
        .help("make an operation for each of them"),
        "SubscriptionUsesIntrospection" => Finding::new(
            code::SUBSCRIPTION_SHAPE,
            "a subscription cannot ask for `__typename` at its root",
        )
        .help("remove it"),
        "SubscriptionUsesConditionalSelection" => Finding::new(
            code::SUBSCRIPTION_SHAPE,
            "the root field of a subscription cannot be skipped or included",
        )
        .help("decide in the client whether to subscribe"),
        "DeeplyNestedType" | "RecursionError" | "RecursionLimitError" => {
            Finding::new(code::TOO_DEEP, "the operation is nested too deeply to be checked")
                .help("ask for less in one operation")
        }
        other => return super::shared::finding(schema, other, &sentence, text),
    };
    Some(finding)
}

/// Whether all selections at the root of the operation at this place stand for one field of the answer.
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
    if let Some(help) = misread(schema, ty, field) {
        return finding.help(help);
    }
    let near = did_you_mean(field, names.iter().copied());
    if !near.is_empty() {
        return finding.help(near);
    }
    match schema.types.get(ty) {
        Some(ExtendedType::Union(union)) => {
            let member = union.members.first().map_or("Member", |member| member.as_str());
            finding.help(format!(
                "a union has no fields of its own: use `... on {member} {{ {field} }}`"
            ))
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
                Some(member) => finding.help(format!("`{member}` has one: use `... on {member} {{ {field} }}`")),
                None => finding,
            }
        }
        _ if names.len() <= 16 => finding.help(format!("it has {}", listed(&names))),
        _ => finding.help(format!("add it to `{ty}` in the schema, or remove it here")),
    }
}

/// What an unknown field most likely is instead.
fn misread(schema: &Schema, ty: &str, field: &str) -> Option<String> {
    if field == "on" {
        return Some("a fragment begins with three dots: `... on Type { … }`".to_owned());
    }
    if ["true", "false", "null"].contains(&field) {
        return Some("a field is asked by its name alone; a name and a `:` before it give it another name".to_owned());
    }
    if schema.directive_definitions.contains_key(field) {
        return Some(format!("a directive begins with `@`: `@{field}`"));
    }
    let roots = schema.schema_definition.iter_root_operations();
    let mut roots = roots.filter(|(_, root)| ***root != *ty && schema.type_field(root, field).is_ok());
    let (kind, root) = roots.next()?;
    let is_root = schema
        .schema_definition
        .iter_root_operations()
        .any(|(_, root)| **root == *ty);
    Some(match is_root {
        true => format!("`{}` has one: begin the operation with `{kind}`", &**root),
        false => format!("`{}` has one: ask for it at the root, outside of these braces", &**root),
    })
}

/// The name of the field that is selected, behind its alias.
fn field_name(selection: &str) -> &str {
    let first = leading_name(selection);
    match selection[first.len()..].trim_start().strip_prefix(':') {
        Some(rest) => leading_name(rest.trim_start()),
        None => first,
    }
}

fn argument_place(schema: &Schema, field: &str, argument: &str) -> Option<SourceSpan> {
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
