use apollo_compiler::Schema;
use apollo_compiler::schema::ExtendedType;

use super::schema::{coordinate_span, quoted_lines, type_span, unknown_directive};
use super::{Finding, FindingMessage, type_in};
use crate::definitions::{enum_definition_of, enum_for};
use crate::diagnostics::code;
use crate::diagnostics::suggest::{did_you_mean, did_you_mean_or, listed};

pub(super) fn finding(schema: &Schema, kind: &str, message: &FindingMessage, text: &str) -> Option<Finding> {
    let (first, second) = (message.name(0), message.name(1));
    let finding = match kind {
        "UndefinedDefinition" => unknown_type(schema, first),
        "UndefinedDirective" => unknown_directive(schema, message),
        "UndefinedArgument" => unknown_argument(schema, first, second),
        "RequiredArgument" => {
            let (directive, argument) = split_argument(first);
            Finding::new(
                code::MISSING_DIRECTIVE_ARGUMENT,
                format!("`{directive}` requires the argument `{argument}`"),
            )
            .help(format!("add `{argument}: …`"))
        }
        // Reported by `extra_validation`, which also checks unknown fields.
        "UniqueArgument" => return None,
        "UnsupportedLocation" => {
            let name = message.text.split_whitespace().next().unwrap_or_default();
            let locations = schema.directive_definitions.get(name).map(|directive| {
                directive
                    .locations
                    .iter()
                    .map(|location| describe_location(location.name()))
                    .collect::<Vec<_>>()
                    .join(" and ")
            });
            Finding::new(code::DIRECTIVE_LOCATION, format!("`@{name}` is not allowed here"))
                .mark(name)
                .help(locations.map_or_else(String::new, |locations| format!("it is allowed on {locations}")))
        }
        "UniqueDirective" => {
            let name = message.text.split_whitespace().nth(2).unwrap_or_default();
            Finding::new(code::DIRECTIVE_REPEATED, format!("`@{name}` is applied more than once"))
                .mark(name)
                .help("remove one of them")
        }
        "InputType" => Finding::new(
            code::INPUT_TYPE_EXPECTED,
            format!("`{first}` does not have an input type"),
        )
        .mark(type_in(text))
        .help("arguments and input fields must be scalars, enums or input types"),
        "UnsupportedValueType" => {
            let (expected, found) = message.text.split_once(", found ").unwrap_or((&message.text, ""));
            let ty = expected
                .rsplit(' ')
                .next()
                .unwrap_or_default()
                .trim_matches('`')
                .to_owned();
            Finding::new(
                code::WRONG_VALUE,
                format!("expected a value of type `{ty}`, found {}", article(found)),
            )
            .help(example(schema, &ty, found, text))
        }
        "IntCoercionError" => Finding::new(code::WRONG_VALUE, "the number is out of range for `Int`")
            .help("an `Int` is a 32-bit integer: −2147483648 to 2147483647"),
        "FloatCoercionError" => Finding::new(code::WRONG_VALUE, "the number is out of range for `Float`")
            .help("a `Float` is a finite 64-bit number"),
        "UndefinedEnumValue" => {
            let values: Vec<&str> = match schema.get_enum(second) {
                Some(ty) => ty.values.keys().map(|name| name.as_str()).collect(),
                None => Vec::new(),
            };
            let near = did_you_mean(first, values.iter().copied());
            let finding = Finding::new(
                code::UNKNOWN_ENUM_VALUE,
                format!("enum `{second}` has no value `{first}`"),
            );
            let finding = finding.mark(first).note(type_span(schema, second), "defined here");
            if near.is_empty() && values.len() <= 12 {
                finding.help(format!("available values: {}", listed(&values)))
            } else {
                finding.help(near)
            }
        }
        "UndefinedInputValue" => {
            let fields = schema.get_input_object(second).map(|input| &input.fields);
            let names: Vec<&str> = fields
                .into_iter()
                .flat_map(|fields| fields.keys())
                .map(|name| name.as_str())
                .collect();
            Finding::new(
                code::UNKNOWN_INPUT_FIELD,
                format!("input `{second}` has no field `{first}`"),
            )
            .mark(first)
            .help(did_you_mean_or(
                first,
                names.iter().copied(),
                &format!("available fields: {}", listed(&names)),
            ))
        }
        "RequiredField" => {
            let (ty, field) = first.split_once('.').unwrap_or((first, ""));
            Finding::new(
                code::MISSING_INPUT_FIELD,
                format!("missing field `{field}` of input `{ty}`"),
            )
            .note(
                coordinate_span(schema, first),
                "required because it is non-null and has no default",
            )
            .help(format!("add `{field}: …`"))
        }
        "OneOfInputObjectFieldCount" => Finding::new(
            code::ONE_OF_COUNT,
            format!("exactly one field of `{first}` must be given"),
        )
        .help("give one field and omit the others"),
        _ => Finding::new(code::DOCUMENT_OTHER, message.text.clone()),
    };
    Some(finding)
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

pub(super) fn unknown_type(schema: &Schema, name: &str) -> Finding {
    let names = schema
        .types
        .keys()
        .filter(|name| !name.starts_with("__"))
        .map(|name| name.as_str());
    let near = did_you_mean(name, names.chain(["Int", "Float", "String", "Boolean", "ID"]));
    let foreign = FOREIGN.iter().find(|(theirs, _)| name.eq_ignore_ascii_case(theirs));
    let near = foreign.map_or(near, |(_, ours)| format!("did you mean {ours}?"));
    let input = format!("{name}Input");
    let near = if schema.types.contains_key(&*input) {
        format!("did you mean `{input}`?")
    } else {
        near
    };
    let near = if APPLICATION_ENUMS.contains(&name) {
        format!(
            "a traitql directive uses it; remove the definition of the directive, or add to the schema:\n{}",
            quoted_lines(&enum_for(schema, name))
        )
    } else if let Some(definition) = enum_definition_of(name) {
        format!("it is an enum of traitql; add its definition to the schema:\n`{definition}`")
    } else if name == "extend" {
        "the definition before it is incomplete: a union needs a member after `=`, and `implements` an interface"
            .to_owned()
    } else if near.is_empty() {
        format!("define `scalar {name}` or `type {name} {{ … }}`, or use an existing type")
    } else {
        near
    };
    Finding::new(code::UNKNOWN_TYPE, format!("unknown type `{name}`"))
        .mark(name)
        .help(near)
}

pub(super) fn unknown_argument(schema: &Schema, name: &str, owner: &str) -> Finding {
    let (code, arguments) = match owner.strip_prefix('@') {
        Some(directive) => {
            let directive = directive.split('(').next().unwrap_or_default();
            let found = schema.directive_definitions.get(directive);
            (
                code::UNKNOWN_DIRECTIVE_ARGUMENT,
                found.map(|directive| &directive.arguments),
            )
        }
        None => {
            let (ty, field) = split_argument(owner).0.split_once('.').unwrap_or_default();
            (
                code::UNKNOWN_ARGUMENT,
                schema.type_field(ty, field).ok().map(|field| &field.arguments),
            )
        }
    };
    let names: Vec<&str> = arguments
        .into_iter()
        .flatten()
        .map(|argument| argument.name.as_str())
        .collect();
    let owner = split_argument(owner).0;
    let finding = Finding::new(code, format!("`{owner}` has no argument `{name}`")).mark(name);
    let near = did_you_mean(name, names.iter().copied());
    let input = arguments.into_iter().flatten().find(|argument| {
        let input = schema.get_input_object(argument.ty.inner_named_type());
        input.is_some_and(|input| input.fields.contains_key(name))
    });
    match () {
        () if input.is_some() => {
            let input = input.map_or("", |argument| argument.name.as_str());
            finding.help(format!(
                "it is a field of the input object `{input}`: write `{input}: {{ … }}`"
            ))
        }
        () if !near.is_empty() => finding.help(near),
        () if names.is_empty() => finding.help("it has no arguments"),
        () => finding.help(format!("available arguments: {}", listed(&names))),
    }
}

pub(super) fn split_argument(coordinate: &str) -> (&str, &str) {
    match coordinate.split_once('(') {
        Some((owner, argument)) => (owner, argument.trim_end_matches([':', ')'])),
        None => (coordinate, ""),
    }
}

fn article(noun: &str) -> String {
    match noun {
        "null" => "null".to_owned(),
        "an enum" | "enum" => "a name without quotes".to_owned(),
        noun if noun.starts_with("a ") || noun.starts_with("an ") => noun.to_owned(),
        noun if noun.starts_with(['a', 'e', 'i', 'o', 'u']) => format!("an {noun}"),
        noun => format!("a {noun}"),
    }
}

fn example(schema: &Schema, ty: &str, found: &str, text: &str) -> String {
    let name = ty.trim_matches(['[', ']', '!']);
    let example = match schema.types.get(name) {
        Some(ExtendedType::Enum(ty)) if found.contains("string") => {
            let values: Vec<String> = ty.values.keys().take(3).map(|name| format!("`{name}`")).collect();
            return format!(
                "enum values are not quoted; expected a value such as {}",
                values.join(", ")
            );
        }
        _ if found.contains("enum") && matches!(name, "String" | "ID") => {
            return format!("strings are quoted, also if they are names: write `\"{text}\"`");
        }
        Some(ExtendedType::Enum(ty)) => ty.values.keys().next().map(|name| name.to_string()).unwrap_or_default(),
        Some(ExtendedType::InputObject(_)) => "{ … }".to_owned(),
        _ => match name {
            "Int" => "42".to_owned(),
            "Float" => "0.5".to_owned(),
            "Boolean" => "true".to_owned(),
            "String" | "ID" => "\"text\"".to_owned(),
            _ => return String::new(),
        },
    };
    let example = if ty.starts_with('[') {
        format!("[{example}]")
    } else {
        example
    };
    format!("expected a value such as `{example}`")
}

fn describe_location(location: &str) -> String {
    match location {
        "FIELD_DEFINITION" => "fields".to_owned(),
        "ARGUMENT_DEFINITION" => "arguments".to_owned(),
        "INPUT_FIELD_DEFINITION" => "input fields".to_owned(),
        "ENUM_VALUE" => "enum values".to_owned(),
        "OBJECT" => "object types".to_owned(),
        "UNION" => "unions".to_owned(),
        "INTERFACE" => "interfaces".to_owned(),
        "INPUT_OBJECT" => "input types".to_owned(),
        "SCALAR" => "scalars".to_owned(),
        "FIELD" => "selected fields".to_owned(),
        "FRAGMENT_SPREAD" => "fragment spreads".to_owned(),
        "INLINE_FRAGMENT" => "inline fragments".to_owned(),
        other => other.to_lowercase().replace('_', " "),
    }
}
