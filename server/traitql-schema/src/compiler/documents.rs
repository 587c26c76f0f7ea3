//! Findings about documents, and those about values, types and directives that documents share with schemas.

use apollo_compiler::parser::SourceSpan;
use apollo_compiler::schema::ExtendedType;
use apollo_compiler::validation::DiagnosticData;
use apollo_compiler::{ExecutableDocument, Schema};

use super::schema::{coordinate_place, type_place, unknown_directive};
use super::{Finding, Sentence};
use crate::code;
use crate::suggest::did_you_mean;

/// Puts a finding into our words; nothing when our own rules say it better.
pub(super) fn finding(schema: &Schema, document: &ExecutableDocument, error: &DiagnosticData) -> Option<Finding> {
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
        "FragmentNameCollision" => {
            let other = document.fragments.get(first);
            Finding::new(code::DUPLICATE_FRAGMENT, format!("two fragments are called `{first}`"))
                .mark(first)
                .note(other.and_then(|fragment| fragment.name.location()), "the first one")
                .help("rename one of them: fragments of all files share one list of names")
        }
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
            .help(format!("add `{argument}: …`, or a variable of the same type"))
        }
        "UndefinedFragment" => {
            let names = document.fragments.keys().map(|name| name.as_str());
            Finding::new(code::UNKNOWN_FRAGMENT, format!("there is no fragment `{first}`"))
                .mark(first)
                .help(did_you_mean(first, names))
        }
        "UnusedFragment" => Finding::new(
            code::UNUSED_FRAGMENT,
            format!("no operation uses the fragment `{first}`"),
        )
        .mark(first)
        .help(format!("spread it with `...{first}`, or remove it")),
        "RecursiveFragmentDefinition" => {
            Finding::new(code::FRAGMENT_CYCLE, format!("the fragment `{first}` contains itself"))
                .mark(first)
                .help("ask for the fields you need, to a fixed depth")
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
            let ty = quoted_last(&sentence);
            let ty = if schema.types.contains_key(ty) { ty } else { first };
            Finding::new(
                code::FRAGMENT_ON_LEAF,
                "a fragment needs an object type, an interface or a union".to_owned(),
            )
            .mark(ty)
            .help("name the type whose fields are selected")
        }
        "UndefinedVariable" => {
            let names = document.operations.iter().flat_map(|operation| &operation.variables);
            let names: Vec<&str> = names.map(|variable| variable.name.as_str()).collect();
            let bare = first.trim_start_matches('$');
            Finding::new(
                code::UNKNOWN_VARIABLE,
                format!("the operation has no variable `{first}`"),
            )
            .mark(bare)
            .help(did_you_mean(bare, names.iter().copied()))
            .help(format!("declare it after the operation's name: `({first}: …)`"))
        }
        "UnusedVariable" => Finding::new(code::UNUSED_VARIABLE, format!("the variable `{first}` is never used"))
            .mark(first)
            .help("use it or remove it"),
        "VariableInputType" => {
            let ty = sentence.name(1);
            Finding::new(
                code::VARIABLE_NOT_INPUT,
                format!("the variable `{first}` has a type that cannot be sent"),
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
        "MissingSubselection" => Finding::new(code::SELECTION_MISSING, "a field with an object type needs a selection")
            .help("add `{ … }` with the fields you need"),
        "SubselectionOnScalarType" | "SubselectionOnEnumType" => {
            Finding::new(code::SELECTION_ON_LEAF, format!("`{first}` has no fields to select"))
                .help("remove the braces")
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
            .help(format!("give one of them an alias: `other: {first}`"))
        }
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
        other => return shared(schema, other, &sentence),
    };
    Some(finding)
}

/// Findings that schemas and documents have in common.
pub(super) fn shared(schema: &Schema, kind: &str, sentence: &Sentence) -> Option<Finding> {
    let (first, second) = (sentence.name(0), sentence.name(1));
    let finding = match kind {
        "UndefinedDefinition" => unknown_type(schema, first),
        "UndefinedDirective" => unknown_directive(schema, sentence),
        "UndefinedArgument" => unknown_argument(schema, first, second),
        "RequiredArgument" => {
            let (directive, argument) = split_argument(first);
            Finding::new(
                code::MISSING_DIRECTIVE_ARGUMENT,
                format!("`{directive}` needs the argument `{argument}`"),
            )
            .help(format!("add `{argument}: …`"))
        }
        "UniqueArgument" => Finding::new(
            code::DUPLICATE_ARGUMENT,
            format!("the argument `{first}` is given twice"),
        )
        .mark(first)
        .help("remove one of them"),
        "UniqueInputValue" => Finding::new(code::DUPLICATE_INPUT_FIELD, format!("`{first}` is there twice"))
            .mark(first)
            .help("remove one of them"),
        "UnsupportedLocation" => {
            let name = sentence.text.split_whitespace().next().unwrap_or_default();
            let places = schema.directive_definitions.get(name).map(|directive| {
                directive
                    .locations
                    .iter()
                    .map(|place| in_words(place.name()))
                    .collect::<Vec<_>>()
                    .join(", ")
            });
            Finding::new(code::DIRECTIVE_LOCATION, format!("`@{name}` has no meaning here"))
                .mark(name)
                .help(places.map_or_else(String::new, |places| format!("it belongs to {places}")))
        }
        "UniqueDirective" => {
            let name = sentence.text.split_whitespace().nth(2).unwrap_or_default();
            Finding::new(code::DIRECTIVE_REPEATED, format!("`@{name}` stands here twice"))
                .mark(name)
                .help("remove one of them")
        }
        "InputType" => Finding::new(
            code::INPUT_TYPE_EXPECTED,
            format!("`{first}` has a type that cannot be sent"),
        )
        .help("arguments and input fields are scalars, enums and input types"),
        "UnsupportedValueType" => {
            let (expected, found) = sentence.text.split_once(", found ").unwrap_or((&sentence.text, ""));
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
            .help(example(schema, &ty))
        }
        "IntCoercionError" => Finding::new(code::WRONG_VALUE, "the number does not fit into an `Int`")
            .help("an `Int` is a whole number of 32 bits: −2147483648 to 2147483647"),
        "FloatCoercionError" => Finding::new(code::WRONG_VALUE, "the number does not fit into a `Float`")
            .help("a `Float` is a finite number of 64 bits"),
        "UndefinedEnumValue" => {
            let values: Vec<&str> = match schema.get_enum(second) {
                Some(ty) => ty.values.keys().map(|name| name.as_str()).collect(),
                None => Vec::new(),
            };
            let near = did_you_mean(first, values.iter().copied());
            let finding = Finding::new(
                code::UNKNOWN_ENUM_VALUE,
                format!("the enum `{second}` has no value `{first}`"),
            );
            let finding = finding.mark(first).note(type_place(schema, second), "the enum");
            if near.is_empty() && values.len() <= 12 {
                finding.help(format!("it has {}", values.join(", ")))
            } else {
                finding.help(near)
            }
        }
        "UndefinedInputValue" => {
            let fields = schema.get_input_object(second).map(|input| &input.fields);
            let names = fields
                .into_iter()
                .flat_map(|fields| fields.keys())
                .map(|name| name.as_str());
            Finding::new(
                code::UNKNOWN_INPUT_FIELD,
                format!("the input `{second}` has no field `{first}`"),
            )
            .mark(first)
            .help(did_you_mean(first, names))
        }
        "RequiredField" => {
            let (ty, field) = first.split_once('.').unwrap_or((first, ""));
            Finding::new(
                code::MISSING_INPUT_FIELD,
                format!("the field `{field}` of `{ty}` is missing"),
            )
            .note(
                coordinate_place(schema, first),
                "it has no default value and cannot be null",
            )
            .help(format!("add `{field}: …`"))
        }
        "OneOfInputObjectFieldCount" => {
            Finding::new(code::ONE_OF_COUNT, format!("a `{first}` has exactly one of its fields"))
                .help("give one field and leave the others out")
        }
        _ => Finding::new(code::DOCUMENT_OTHER, sentence.text.clone()),
    };
    Some(finding)
}

fn unknown_type(schema: &Schema, name: &str) -> Finding {
    let names = schema
        .types
        .keys()
        .filter(|name| !name.starts_with("__"))
        .map(|name| name.as_str());
    let near = did_you_mean(name, names.chain(["Int", "Float", "String", "Boolean", "ID"]));
    let near = if near.is_empty() {
        format!("define `scalar {name}` or `type {name} {{ … }}`, or use a type that exists")
    } else {
        near
    };
    Finding::new(code::UNKNOWN_TYPE, format!("there is no type `{name}`"))
        .mark(name)
        .help(near)
}

fn unknown_field(schema: &Schema, ty: &str, field: &str) -> Finding {
    let names: Vec<&str> = match schema.types.get(ty) {
        Some(ExtendedType::Object(object)) => object.fields.keys().map(|name| name.as_str()).collect(),
        Some(ExtendedType::Interface(interface)) => interface.fields.keys().map(|name| name.as_str()).collect(),
        _ => Vec::new(),
    };
    let finding = Finding::new(code::UNKNOWN_FIELD, format!("`{ty}` has no field `{field}`")).mark(field);
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
        _ if names.len() <= 16 => finding.help(format!("it has {}", names.join(", "))),
        _ => finding.help(format!("add it to `{ty}` in the schema, or remove it here")),
    }
}

fn unknown_argument(schema: &Schema, name: &str, owner: &str) -> Finding {
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
    match () {
        () if !near.is_empty() => finding.help(near),
        () if names.is_empty() => finding.help("it has none"),
        () => finding.help(format!("it has {}", names.join(", "))),
    }
}

/// `Query.tour(id:)` as `Query.tour` and `id`.
fn split_argument(coordinate: &str) -> (&str, &str) {
    match coordinate.split_once('(') {
        Some((owner, argument)) => (owner, argument.trim_end_matches([':', ')'])),
        None => (coordinate, ""),
    }
}

fn argument_place(schema: &Schema, field: &str, argument: &str) -> Option<SourceSpan> {
    let (ty, field) = field.split_once('.')?;
    schema
        .type_field(ty, field)
        .ok()?
        .argument_by_name(argument)?
        .name
        .location()
}

fn quoted_last(sentence: &Sentence) -> &str {
    super::quoted(&sentence.text).last().copied().unwrap_or_default()
}

fn capitalised(name: &str) -> String {
    name.chars()
        .take(1)
        .map(|first| first.to_ascii_uppercase())
        .chain(name.chars().skip(1))
        .collect()
}

fn article(noun: &str) -> String {
    match noun {
        noun if noun.starts_with("a ") || noun.starts_with("an ") => noun.to_owned(),
        noun if noun.starts_with(['a', 'e', 'i', 'o', 'u']) => format!("an {noun}"),
        noun => format!("a {noun}"),
    }
}

/// What a value of a type looks like.
fn example(schema: &Schema, ty: &str) -> String {
    let name = ty.trim_matches(['[', ']', '!']);
    let example = match schema.types.get(name) {
        Some(ExtendedType::Enum(ty)) => ty
            .values
            .keys()
            .take(3)
            .map(|name| name.to_string())
            .collect::<Vec<_>>()
            .join(", "),
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
    format!("such as `{example}`")
}

/// `FIELD_DEFINITION` as `fields`.
fn in_words(location: &str) -> String {
    match location {
        "FIELD_DEFINITION" => "fields".to_owned(),
        "ARGUMENT_DEFINITION" => "arguments".to_owned(),
        "INPUT_FIELD_DEFINITION" => "fields of inputs".to_owned(),
        "ENUM_VALUE" => "values of enums".to_owned(),
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
