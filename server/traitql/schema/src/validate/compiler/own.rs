//! The diagnostics whose fix depends on the schema: names that do not exist, values of another type, and conflicts.

use std::collections::HashSet;

use apollo_compiler::ast::InputValueDefinition;
use apollo_compiler::diagnostic::ToCliReport;
use apollo_compiler::executable::{Selection, SelectionSet};
use apollo_compiler::parser::SourceSpan;
use apollo_compiler::schema::ExtendedType;
use apollo_compiler::{ExecutableDocument, Name, Node, Schema};

use super::input_cycles::{self, InputCycle};
use super::rules::Problem;
use super::{Finding, conflicts, field_name};
use crate::definitions::{definitions_for, enum_definition_of, enum_for, is_traitql_directive};
use crate::diagnostics::code;
use crate::diagnostics::suggest::{did_you_mean, did_you_mean_or, listed, nearest};
use crate::lower::{FOREIGN_ACCESS_HELP, is_foreign_access};

/// Returns the place of `Type`, `Type.field`, `Enum.VALUE`, `Union.Member` or `@directive`.
pub(super) fn definition(schema: &Schema, coordinate: &str) -> Option<SourceSpan> {
    if let Some(name) = coordinate.strip_prefix('@') {
        return schema.directive_definitions.get(name)?.name.location();
    }
    let Some((ty, member)) = coordinate.split_once('.') else {
        return schema.types.get(coordinate)?.name().location();
    };
    match schema.types.get(ty)? {
        ExtendedType::Object(object) => object.fields.get(member)?.name.location(),
        ExtendedType::Interface(interface) => interface.fields.get(member)?.name.location(),
        ExtendedType::InputObject(input) => input.fields.get(member)?.name.location(),
        ExtendedType::Enum(ty) => ty.values.get(member)?.value.location(),
        ExtendedType::Union(union) => union.members.iter().find(|name| name.as_str() == member)?.location(),
        ExtendedType::Scalar(_) => None,
    }
}

pub(super) fn undefined_extension(problem: &Problem<'_>) -> Option<Finding> {
    let name = problem.part(0);
    let types = problem.schema.types.iter().filter(|(_, ty)| !ty.is_built_in());
    let help = did_you_mean_or(
        name,
        types.map(|(name, _)| name.as_str()),
        "define it in any schema file, or remove `extend`",
    );
    let finding = Finding::new(code::EXTENSION_OF_NOTHING, problem.sentence);
    Some(finding.mark(name).help(help))
}

pub(super) fn no_query(problem: &Problem<'_>) -> Option<Finding> {
    let finding = Finding::new(code::NO_QUERY, "the schema has no `Query` type");
    Some(match unreferenced(problem.schema).as_slice() {
        [name] => finding
            .note(name.location(), "no definition refers to this type")
            .help(format!(
                "if it is the query root, rename it to `Query`, or add `schema {{ query: {name} }}`"
            )),
        _ => finding.help("define `type Query { … }` with at least one field"),
    })
}

fn unreferenced(schema: &Schema) -> Vec<&Name> {
    let mut referenced: HashSet<&str> = schema
        .schema_definition
        .iter_root_operations()
        .map(|(_, root)| root.as_str())
        .collect();
    for ty in schema.types.values() {
        let fields = match ty {
            ExtendedType::Object(object) => &object.fields,
            ExtendedType::Interface(interface) => &interface.fields,
            ExtendedType::Union(union) => {
                referenced.extend(union.members.iter().map(|member| member.as_str()));
                continue;
            }
            _ => continue,
        };
        let other = |name: &&Name| *name != ty.name();
        let types = fields.values().map(|field| field.ty.inner_named_type());
        referenced.extend(types.filter(other).map(|name| name.as_str()));
    }
    let objects = schema.types.values().filter(|ty| ty.is_object() && !ty.is_built_in());
    objects
        .map(|object| object.name())
        .filter(|name| !referenced.contains(name.as_str()))
        .collect()
}

pub(super) fn transitive_interface(problem: &Problem<'_>) -> Option<Finding> {
    let (ty, via, missing) = (problem.part(0), problem.part(1), problem.part(2));
    let finding = if ty == missing {
        Finding::new(
            code::INTERFACE_CYCLE,
            format!("interface `{ty}` implements itself through `{via}`"),
        )
        .help(format!(
            "remove `{via}` from its interfaces, or `{ty}` from the interfaces of `{via}`"
        ))
    } else {
        Finding::new(
            code::INTERFACE_TRANSITIVE,
            format!("`{ty}` implements `{via}`, so it must also implement `{missing}`"),
        )
        .help(format!("write `implements {via} & {missing}`"))
    };
    Some(finding.mark(ty))
}

pub(super) fn input_cycle(problem: &Problem<'_>) -> Option<Finding> {
    let name = problem.part(0);
    let help = match input_cycles::find(problem.schema, name) {
        InputCycle::First(path) => {
            let path: Vec<&str> = path.iter().map(String::as_str).collect();
            format!("make one of these fields nullable or a list: {}", listed(&path))
        }
        // Reported at the first type of the cycle.
        InputCycle::Elsewhere => return None,
        InputCycle::None => "make one of the fields in the cycle nullable or a list".to_owned(),
    };
    let message = format!("`{name}` contains itself, so it has no finite value");
    Some(Finding::new(code::INPUT_CYCLE, message).mark(name).help(help))
}

/// Type names of other languages with their GraphQL equivalents.
const FOREIGN: [(&str, &str); 13] = [
    ("number", "`Int` or `Float`"),
    ("integer", "`Int`"),
    ("long", "`Int`, which has 32 bits, or a custom scalar"),
    ("i32", "`Int`"),
    ("double", "`Float`"),
    ("decimal", "`Float`, or an exact custom scalar"),
    ("f64", "`Float`"),
    ("text", "`String`"),
    ("str", "`String`"),
    ("varchar", "`String`"),
    ("bool", "`Boolean`"),
    ("uuid", "`ID`"),
    ("guid", "`ID`"),
];

/// Enums that traitql's directives use.
const APPLICATION_ENUMS: [&str; 3] = ["Role", "ErrorCode", "Format"];

pub(super) fn unknown_type(problem: &Problem<'_>) -> Option<Finding> {
    let (schema, name) = (problem.schema, problem.part(0));
    // apollo-compiler reports every other type as undefined where an interface is expected.
    if schema.types.contains_key(name) {
        let message = format!("`{name}` cannot be implemented because it is not an interface");
        return Some(
            Finding::new(code::NOT_AN_INTERFACE, message)
                .mark(name)
                .note(definition(schema, name), "defined here")
                .help(format!("change it to `interface {name}`, or remove it from the list")),
        );
    }
    let help = match name {
        "extend" => "the definition before it is incomplete: a union needs a member after `=`, and `implements` an \
                     interface"
            .to_owned(),
        name if APPLICATION_ENUMS.contains(&name) => format!(
            "a traitql directive uses it; remove the definition of the directive, or add to the schema:\n{}",
            quoted_lines(&enum_for(schema, name))
        ),
        name => match enum_definition_of(name) {
            Some(definition) => format!("it is an enum of traitql; add its definition to the schema:\n`{definition}`"),
            None => similar_type(schema, name),
        },
    };
    let finding = Finding::new(code::UNKNOWN_TYPE, format!("unknown type `{name}`"));
    Some(finding.mark(name).help(help))
}

fn similar_type(schema: &Schema, name: &str) -> String {
    let input = format!("{name}Input");
    if schema.types.contains_key(&*input) {
        return format!("did you mean `{input}`?");
    }
    // The edit distance would prefer an unrelated type with a similar name, such as `Test` for `text`.
    if let Some((_, ours)) = FOREIGN.iter().find(|(theirs, _)| name.eq_ignore_ascii_case(theirs)) {
        return format!("did you mean {ours}?");
    }
    let names = schema.types.keys().map(|name| name.as_str());
    let names = names.filter(|name| !name.starts_with("__"));
    did_you_mean_or(
        name,
        names.chain(["Int", "Float", "String", "Boolean", "ID"]),
        &format!("define `scalar {name}` or `type {name} {{ … }}`, or use an existing type"),
    )
}

/// Imported by subgraph schemas. Those about access are in `foreign_access`.
const FEDERATION: [&str; 14] = [
    "link",
    "key",
    "requires",
    "provides",
    "external",
    "shareable",
    "inaccessible",
    "override",
    "interfaceObject",
    "composeDirective",
    "context",
    "fromContext",
    "listSize",
    "tag",
];

/// Incremental delivery.
const INCREMENTAL: [&str; 2] = ["defer", "stream"];

pub(super) fn unknown_directive(problem: &Problem<'_>) -> Option<Finding> {
    let (schema, name) = (problem.schema, problem.part(0));
    let names = schema.directive_definitions.keys().map(|name| name.as_str());
    let known = names
        .chain(["auth", "public", "embedded", "resolve"])
        .filter(|name| schema.directive_definitions.contains_key(*name) || is_traitql_directive(name));
    let help = match definitions_for(schema, name) {
        Some(definitions) => format!(
            "it is a traitql directive; add to the schema:\n{}",
            quoted_lines(&definitions)
        ),
        None if INCREMENTAL.contains(&name) => {
            format!("traitql does not support `@{name}`, and a definition would have no effect; remove it")
        }
        None if is_foreign_access(name) => format!(
            "traitql does not enforce `@{name}`, and a definition would have no effect: the access check would be \
             absent;\n{FOREIGN_ACCESS_HELP}"
        ),
        None if FEDERATION.contains(&name) => {
            "it is a directive of Apollo Federation, which traitql does not support; remove it".to_owned()
        }
        None => match nearest(name, known) {
            Some(near) => format!("did you mean `@{near}`?"),
            None => format!("remove it, or define it with `directive @{name} on …`; traitql then ignores it"),
        },
    };
    let finding = Finding::new(code::UNKNOWN_DIRECTIVE, format!("unknown directive `@{name}`"));
    Some(finding.mark(name).help(help))
}

/// Quotes definitions, one per line.
fn quoted_lines(definitions: &[String]) -> String {
    let lines: Vec<String> = definitions.iter().map(|line| format!("`{line}`")).collect();
    lines.join("\n")
}

/// Splits `Type.field(argument:)`.
fn split_argument(coordinate: &str) -> (&str, &str) {
    match coordinate.split_once('(') {
        Some((owner, argument)) => (owner, argument.trim_end_matches([':', ')'])),
        None => (coordinate, ""),
    }
}

/// `owner` is a field or a directive.
fn arguments<'s>(schema: &'s Schema, owner: &str) -> &'s [Node<InputValueDefinition>] {
    let found = match owner.strip_prefix('@') {
        Some(directive) => schema
            .directive_definitions
            .get(directive)
            .map(|directive| &directive.arguments),
        None => owner
            .split_once('.')
            .and_then(|(ty, field)| schema.type_field(ty, field).ok())
            .map(|field| &field.arguments),
    };
    found.map_or(&[], |arguments| arguments)
}

pub(super) fn unknown_argument(problem: &Problem<'_>) -> Option<Finding> {
    let (name, owner) = (problem.part(0), split_argument(problem.part(1)).0);
    let code = if owner.starts_with('@') {
        code::UNKNOWN_DIRECTIVE_ARGUMENT
    } else {
        code::UNKNOWN_ARGUMENT
    };
    let arguments = arguments(problem.schema, owner);
    let names: Vec<&str> = arguments.iter().map(|argument| argument.name.as_str()).collect();
    let input = arguments.iter().find(|argument| {
        let input = problem.schema.get_input_object(argument.ty.inner_named_type());
        input.is_some_and(|input| input.fields.contains_key(name))
    });
    let help = match input {
        Some(input) => format!(
            "it is a field of the input object `{input}`: write `{input}: {{ … }}`",
            input = input.name
        ),
        None if names.is_empty() => "it has no arguments".to_owned(),
        None => did_you_mean_or(
            name,
            names.iter().copied(),
            &format!("available arguments: {}", listed(&names)),
        ),
    };
    let finding = Finding::new(code, format!("`{owner}` has no argument `{name}`"));
    Some(finding.mark(name).help(help))
}

pub(super) fn missing_argument(problem: &Problem<'_>) -> Option<Finding> {
    let (owner, name) = split_argument(problem.part(0));
    let message = format!("`{owner}` requires the argument `{name}`");
    if owner.starts_with('@') {
        let finding = Finding::new(code::MISSING_DIRECTIVE_ARGUMENT, message);
        return Some(finding.help(format!("add `{name}: …`")));
    }
    let mut arguments = arguments(problem.schema, owner).iter();
    let argument = arguments.find(|argument| argument.name == name);
    let help = match argument {
        Some(argument) => format!(
            "add `{name}: …`; to pass a variable, declare `${name}: {}`",
            argument.ty
        ),
        None => format!("add `{name}: …`"),
    };
    Some(
        Finding::new(code::MISSING_ARGUMENT, message)
            .mark(owner.rsplit('.').next().unwrap_or_default())
            .about(name)
            .note(
                argument.and_then(|argument| argument.name.location()),
                "required because it is non-null and has no default",
            )
            .help(help),
    )
}

pub(super) fn missing_input_field(problem: &Problem<'_>) -> Option<Finding> {
    let (ty, field) = problem.part(0).split_once('.').unwrap_or_default();
    Some(
        Finding::new(
            code::MISSING_INPUT_FIELD,
            format!("missing field `{field}` of input `{ty}`"),
        )
        .about(field)
        .note(
            definition(problem.schema, problem.part(0)),
            "required because it is non-null and has no default",
        )
        .help(format!("add `{field}: …`")),
    )
}

pub(super) fn unknown_input_field(problem: &Problem<'_>) -> Option<Finding> {
    let (name, ty) = (problem.part(0), problem.part(1));
    let fields = problem.schema.get_input_object(ty).map(|input| &input.fields);
    let names: Vec<&str> = fields
        .into_iter()
        .flat_map(|fields| fields.keys())
        .map(|name| name.as_str())
        .collect();
    let finding = Finding::new(code::UNKNOWN_INPUT_FIELD, format!("input `{ty}` has no field `{name}`"));
    Some(finding.mark(name).help(did_you_mean_or(
        name,
        names.iter().copied(),
        &format!("available fields: {}", listed(&names)),
    )))
}

pub(super) fn unknown_enum_value(problem: &Problem<'_>) -> Option<Finding> {
    let (name, ty) = (problem.part(0), problem.part(1));
    let values: Vec<&str> = match problem.schema.get_enum(ty) {
        Some(ty) => ty.values.keys().map(|name| name.as_str()).collect(),
        None => Vec::new(),
    };
    let finding = Finding::new(code::UNKNOWN_ENUM_VALUE, format!("enum `{ty}` has no value `{name}`"));
    Some(
        finding
            .mark(name)
            .note(definition(problem.schema, ty), "defined here")
            .help(did_you_mean_or(
                name,
                values.iter().copied(),
                &format!("available values: {}", listed(&values)),
            )),
    )
}

pub(super) fn wrong_value(problem: &Problem<'_>) -> Option<Finding> {
    let (ty, found) = (problem.part(0).trim_matches('`'), problem.part(1));
    let found = match found {
        "an enum" | "enum" => "a name without quotes",
        found => found,
    };
    let name = ty.trim_matches(['[', ']', '!']);
    let example = match (problem.schema.types.get(name), name) {
        (Some(ExtendedType::Enum(ty)), _) if found.contains("string") => {
            let values: Vec<&str> = ty.values.keys().map(|name| name.as_str()).collect();
            format!("enum values are not quoted: {}", listed(&values))
        }
        (_, "String" | "ID") if found.contains("name") => {
            format!(
                "strings are quoted, also if they are names: write `\"{}\"`",
                problem.marked
            )
        }
        (Some(ExtendedType::Enum(ty)), _) => {
            let values: Vec<&str> = ty.values.keys().map(|name| name.as_str()).collect();
            format!("available values: {}", listed(&values))
        }
        (Some(ExtendedType::InputObject(_)), _) => "write an object: `{ … }`".to_owned(),
        _ => String::new(),
    };
    let finding = Finding::new(
        code::WRONG_VALUE,
        format!("expected a value of type `{ty}`, found {found}"),
    );
    let finding = if found == "null" {
        finding.about("null")
    } else {
        finding
    };
    Some(finding.help(example))
}

pub(super) fn unknown_field(problem: &Problem<'_>) -> Option<Finding> {
    let (schema, ty, field) = (problem.schema, problem.part(0), problem.part(1));
    let definition = schema.types.get(ty);
    // A selection on a leaf type has its own finding.
    if definition.is_some_and(|ty| ty.is_leaf() || ty.is_input_object()) {
        return None;
    }
    let names: Vec<&str> = match definition {
        Some(ExtendedType::Object(object)) => object.fields.keys().map(|name| name.as_str()).collect(),
        Some(ExtendedType::Interface(interface)) => interface.fields.keys().map(|name| name.as_str()).collect(),
        _ => Vec::new(),
    };
    let finding = Finding::new(code::UNKNOWN_FIELD, format!("`{ty}` has no field `{field}`")).mark(field);
    let near = did_you_mean(field, names.iter().copied());
    let help = match definition {
        _ if field == "on" => "a fragment starts with three dots: `... on Type { … }`".to_owned(),
        _ if schema.directive_definitions.contains_key(field) => format!("directives start with `@`: `@{field}`"),
        // A misspelt field of the type is likelier than a field that only another type has.
        _ if !near.is_empty() => near,
        Some(ExtendedType::Union(union)) => {
            let member = union.members.first().map_or("Member", |member| member.as_str());
            format!("unions have no fields; use `... on {member} {{ {field} }}`")
        }
        _ => at_another_type(schema, ty, field).unwrap_or_else(|| format!("available fields: {}", listed(&names))),
    };
    Some(finding.help(help))
}

/// Returns the root or the member of the interface that has the field.
fn at_another_type(schema: &Schema, ty: &str, field: &str) -> Option<String> {
    let has_field = |ty: &&Name| schema.type_field(ty, field).is_ok();
    let implementers = schema.implementers_map();
    if let Some(member) = implementers
        .get(ty)
        .and_then(|found| found.objects.iter().find(has_field))
    {
        return Some(format!(
            "`{member}` has this field: use `... on {member} {{ {field} }}`"
        ));
    }
    let mut roots = schema.schema_definition.iter_root_operations();
    let (kind, root) = roots.find(|(_, root)| has_field(&&***root))?;
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

pub(super) fn conflict(problem: &Problem<'_>) -> Option<Finding> {
    let (key, at) = (problem.part(0), problem.error.location());
    let finding = Finding::new(code::FIELD_CONFLICT, problem.sentence).mark(key);
    let finding = match problem.document.and_then(|document| conflicts::find(document, key, at)) {
        Some(conflict) => finding.note(conflict.other.at, conflict.note()),
        None => finding,
    };
    Some(finding.help(if field_name(problem.marked) == key {
        format!("rename one of them with an alias: `other: {key}`")
    } else {
        format!("use another alias than `{key}` for one of them")
    }))
}

pub(super) fn impossible_fragment(problem: &Problem<'_>) -> Option<Finding> {
    let (condition, ty) = (problem.part(1), problem.part(2));
    // A fragment on a leaf has its own finding.
    if is_type(problem.schema, condition, |ty| !ty.is_output_type() || ty.is_leaf()) {
        return None;
    }
    let finding = Finding::new(code::FRAGMENT_IMPOSSIBLE, problem.sentence);
    Some(
        finding
            .mark(condition)
            .help(format!("select fields of `{ty}`, or use a fragment on it")),
    )
}

pub(super) fn variable_mismatch(problem: &Problem<'_>) -> Option<Finding> {
    let (variable, has, wants) = (problem.part(0), problem.part(1), problem.part(3));
    // An unknown type, or one that is not an input type, is the cause and has its own finding.
    let is_input = |ty: &str| is_type(problem.schema, ty, ExtendedType::is_input_type);
    if !is_input(has) || !is_input(wants) {
        return None;
    }
    let finding = Finding::new(code::VARIABLE_MISMATCH, problem.sentence);
    let help = format!("declare `${variable}: {wants}`");
    Some(finding.mark(&format!("${variable}")).help(help))
}

fn is_type(schema: &Schema, ty: &str, is: impl Fn(&ExtendedType) -> bool) -> bool {
    schema.types.get(ty.trim_matches(['[', ']', '!'])).is_some_and(is)
}

/// The specification counts response keys instead of selections.
pub(super) fn several_root_fields(problem: &Problem<'_>) -> Option<Finding> {
    if problem
        .document
        .is_some_and(|document| has_one_root_field(document, problem.error.location()))
    {
        return None;
    }
    let finding = Finding::new(code::SUBSCRIPTION_SHAPE, problem.sentence);
    Some(finding.help("split it into one operation per root field"))
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
