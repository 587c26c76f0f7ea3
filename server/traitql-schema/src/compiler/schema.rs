//! Findings about schemas.

use apollo_compiler::Schema;
use apollo_compiler::parser::SourceSpan;
use apollo_compiler::validation::DiagnosticData;

use super::circles::{self, Circle};
use super::{Finding, Sentence, type_in};
use crate::code;
use crate::lower::{definition_of, is_ours};
use crate::suggest::{did_you_mean_or, listed, nearest};

/// Puts a finding into our words; nothing when our own rules say it better.
pub(super) fn finding(schema: &Schema, error: &DiagnosticData, text: &str) -> Option<Finding> {
    let sentence = Sentence::of(error);
    match error.unstable_error_name() {
        Some(kind) => validation(schema, kind, &sentence, text),
        None => Some(build(schema, &sentence)),
    }
}

/// Findings while definitions are put together.
fn build(schema: &Schema, sentence: &Sentence) -> Finding {
    let name = sentence.name(0);
    match () {
        () if sentence.starts_with("a schema document must not contain") => Finding::new(
            code::SCHEMA_HOLDS_OPERATION,
            "an operation or a fragment among the definitions of the schema",
        )
        .help("move it to a file of its own below `operations/`"),
        () if sentence.starts_with("must not have multiple `schema`") => {
            Finding::new(code::DUPLICATE_ROOT, "`schema` is defined twice")
                .mark("schema")
                .note(schema.schema_definition.location(), "the first one")
                .help("merge the two, or write `extend schema`")
        }
        () if sentence.starts_with("the directive `@") => {
            let bare = name.trim_start_matches('@');
            let first = schema
                .directive_definitions
                .get(bare)
                .and_then(|directive| directive.name.location());
            Finding::new(
                code::DUPLICATE_DIRECTIVE,
                format!("the directive `{name}` is defined twice"),
            )
            .note(first, "the first one")
            .help("remove or rename one of them")
        }
        () if sentence.starts_with("the type `") => {
            Finding::new(code::DUPLICATE_TYPE, format!("the type `{name}` is defined twice"))
                .note(type_place(schema, name), "the first one")
                .help(format!(
                    "rename one of them, or write `extend {}` to add to the other",
                    keyword(schema, name)
                ))
        }
        () if sentence.starts_with("built-in scalar definitions") => {
            Finding::new(code::BUILTIN_REDEFINED, "a built-in scalar cannot be defined again")
                .help("remove the definition")
        }
        () if sentence.starts_with("schema extension without") => {
            Finding::new(code::EXTENSION_OF_NOTHING, "`extend schema` without a `schema`").help("write `schema { … }`")
        }
        () if sentence.starts_with("type extension for undefined") || sentence.starts_with("directive extension") => {
            let finding = Finding::new(
                code::EXTENSION_OF_NOTHING,
                format!("`{name}` is extended but never defined"),
            );
            let names = schema
                .types
                .iter()
                .filter(|(_, ty)| !ty.is_built_in())
                .map(|(name, _)| name.as_str());
            finding.mark(name).help(did_you_mean_or(
                name,
                names,
                "define it, in any file, or write the definition without `extend`",
            ))
        }
        () if sentence.starts_with("adding ") => {
            let kind = sentence.text.rsplit("` is ").next().unwrap_or_default().to_owned();
            Finding::new(
                code::EXTENSION_KIND,
                format!("`{name}` is {kind} and is extended as something else"),
            )
            .note(type_place(schema, name), "its definition")
            .help(format!("write `extend {}`", keyword(schema, name)))
        }
        () if sentence.starts_with("duplicate definitions for the") && sentence.contains("root operation") => {
            Finding::new(code::DUPLICATE_ROOT, format!("the {name} root is named twice")).help("remove one of them")
        }
        () if sentence.contains("implements interface") => {
            let (ty, interface) = (sentence.name(0), sentence.name(1));
            Finding::new(
                code::DUPLICATE_INTERFACE,
                format!("`{ty}` implements `{interface}` twice"),
            )
            .mark(interface)
            .help("name it once, in the definition or in an extension")
        }
        () if sentence.starts_with("duplicate definitions for the") => duplicate_member(schema, sentence),
        () => Finding::new(code::SCHEMA_OTHER, sentence.text.clone()),
    }
}

fn duplicate_member(schema: &Schema, sentence: &Sentence) -> Finding {
    let (member, ty) = (sentence.name(0), sentence.name(1));
    let (code, what) = match () {
        () if sentence.contains("value of enum") => (code::DUPLICATE_ENUM_VALUE, "the value"),
        () if sentence.contains("member of union") => (code::DUPLICATE_MEMBER, "the member"),
        () => (code::DUPLICATE_FIELD, "the field"),
    };
    let first = schema.types.get(ty).and_then(|ty| member_place(ty, member));
    Finding::new(code, format!("{what} `{member}` of `{ty}` is there twice"))
        .mark(member)
        .note(first, "the first one")
        .help("remove or rename one of them; extensions of the same type count together")
}

/// Findings of validation; those that documents can have too are shared with the documents.
fn validation(schema: &Schema, kind: &str, sentence: &Sentence, text: &str) -> Option<Finding> {
    let (first, second) = (sentence.name(0), sentence.name(1));
    let finding = match kind {
        // Our own check in `lower` finds all of these, also those that the library overlooks.
        "RootOperationObjectType" => return None,
        "QueryRootOperationType" => Finding::new(code::NO_QUERY, "the schema has no `Query` type")
            .help("define `type Query { … }` with at least one field"),
        "DuplicateRootOperationType" => Finding::new(
            code::ROOT_SHARED,
            format!("`{first}` is the root of two kinds of operation"),
        )
        .help("give each kind a type of its own"),
        "MissingInterfaceField" => {
            let (ty, interface, field) = (first, second, sentence.name(2));
            let line = field_line(schema, interface, field);
            Finding::new(
                code::INTERFACE_FIELD_MISSING,
                format!("`{ty}` lacks `{field}` of the interface `{interface}`"),
            )
            .mark(ty)
            .note(
                schema.types.get(interface).and_then(|ty| member_place(ty, field)),
                "the field of the interface",
            )
            .help(format!("add `{line}` to `{ty}`"))
        }
        "InvalidImplementationFieldType" => {
            let (wanted, actual) = (second, sentence.name(3));
            let implementing = sentence.name(2);
            let field = implementing.rsplit('.').next().unwrap_or_default();
            let place = coordinate_place(schema, first);
            Finding::new(
                code::INTERFACE_FIELD_TYPE,
                format!("`{implementing}` is `{actual}`, where `{first}` is `{wanted}`"),
            )
            .mark(field)
            .note(place, "the field of the interface")
            .help(format!("use `{wanted}` or a type that is always one"))
        }
        "MissingInterfaceFieldArgument" => {
            let (argument, implementing) = (second, sentence.name(2));
            Finding::new(
                code::INTERFACE_ARGUMENT,
                format!("`{implementing}` lacks the argument `{argument}` of `{first}`"),
            )
            .mark(implementing.rsplit('.').next().unwrap_or_default())
            .note(coordinate_place(schema, first), "the field of the interface")
            .help(format!("add `{argument}`"))
        }
        "InvalidImplementationFieldArgumentType" => {
            let (argument, wanted, implementing, actual) =
                (second, sentence.name(2), sentence.name(3), sentence.name(4));
            let message =
                format!("the argument `{argument}` of `{implementing}` is `{actual}`, where `{first}` says `{wanted}`");
            Finding::new(code::INTERFACE_ARGUMENT, message)
                .mark(argument)
                .help(format!("use `{wanted}`"))
        }
        "ExtraRequiredImplementationFieldArgument" => {
            let (argument, interface) = (second, sentence.name(2));
            Finding::new(
                code::INTERFACE_ARGUMENT,
                format!("`{first}` demands `{argument}`, which `{interface}` does not know"),
            )
            .mark(argument)
            .help("make it nullable or give it a default value")
        }
        "DeprecatedImplementationField" => {
            let interface = second;
            Finding::new(
                code::INTERFACE_NOT_DEPRECATED,
                format!("`{first}` is deprecated, but `{interface}` is not"),
            )
            .mark(first.rsplit('.').next().unwrap_or_default())
            .help("deprecate the field of the interface too")
        }
        "TransitiveImplementedInterfaces" if first == sentence.name(2) => Finding::new(
            code::INTERFACE_CYCLE,
            format!("the interface `{first}` implements itself, by way of `{second}`"),
        )
        .mark(first)
        .help(format!(
            "remove `{second}` from its list, or `{first}` from that of `{second}`"
        )),
        "TransitiveImplementedInterfaces" => {
            let (ty, via, missing) = (first, second, sentence.name(2));
            Finding::new(
                code::INTERFACE_TRANSITIVE,
                format!("`{ty}` implements `{via}` and must implement `{missing}` too"),
            )
            .mark(ty)
            .help(format!("write `implements {via} & {missing}`"))
        }
        "RecursiveInterfaceDefinition" => {
            let name = sentence.text.split_whitespace().nth(1).unwrap_or_default();
            Finding::new(
                code::INTERFACE_CYCLE,
                format!("the interface `{name}` implements itself"),
            )
            .mark(name)
            .help("remove it from its own list")
        }
        "UniqueInputValue" => Finding::new(
            code::DUPLICATE_ARGUMENT,
            format!("the argument `{first}` is defined twice"),
        )
        .mark(first)
        .help("remove or rename one of them"),
        // A type that exists and is no interface is unknown only where an interface is wanted.
        "UndefinedDefinition" if schema.types.contains_key(first) => Finding::new(
            code::NOT_AN_INTERFACE,
            format!("`{first}` cannot be implemented: it is no interface"),
        )
        .mark(first)
        .note(type_place(schema, first), "its definition")
        .help(format!("write `interface {first}`, or remove it from the list")),
        "OutputType" => Finding::new(
            code::OUTPUT_TYPE_EXPECTED,
            format!("the field `{first}` answers with an input type"),
        )
        .mark(type_in(text))
        .help("fields answer with object types, interfaces, unions, enums and scalars"),
        "UnionMemberObjectType" => Finding::new(
            code::MEMBER_NOT_OBJECT,
            format!("`{first}` cannot be a member of a union: it is no object type"),
        )
        .mark(first)
        .help("name object types"),
        "RecursiveInputObjectDefinition" => {
            let help = match circles::of_inputs(schema, first) {
                Circle::Own(way) => {
                    let way: Vec<&str> = way.iter().map(String::as_str).collect();
                    format!("make one of the fields on the way nullable or a list: {}", listed(&way))
                }
                // The same circle is told at its first type, and a type that only leads there has no mistake of its own.
                Circle::Told => return None,
                Circle::None => "make one of the fields on the way nullable or a list".to_owned(),
            };
            Finding::new(
                code::INPUT_CYCLE,
                format!("no value of `{first}` can ever be written: it contains itself"),
            )
            .mark(first)
            .help(help)
        }
        "RecursiveDirectiveDefinition" => Finding::new(
            code::DIRECTIVE_CYCLE,
            format!("the directive `@{first}` refers to itself"),
        )
        .mark(first)
        .help("remove the directive from its own arguments"),
        "EmptyFieldSet" | "EmptyValueSet" | "EmptyMemberSet" | "EmptyInputValueSet" => {
            let what = match kind {
                "EmptyValueSet" => "values",
                "EmptyMemberSet" => "members",
                _ => "fields",
            };
            Finding::new(code::EMPTY_TYPE, format!("`{first}` has no {what}"))
                .mark(first)
                .help(format!(
                    "add one, in the definition or in `extend {}`",
                    keyword(schema, first)
                ))
        }
        "ReservedName" => Finding::new(code::RESERVED_NAME, format!("`{first}` begins with two underscores"))
            .mark(first)
            .help("such names belong to introspection; take another"),
        "OneOfInputObjectFieldNonNull" => Finding::new(
            code::ONE_OF_FIELD,
            format!("`{first}` belongs to a `@oneOf` input and must be nullable"),
        )
        .mark(first.rsplit('.').next().unwrap_or_default())
        .help("remove the `!`: exactly one field is given, the others are absent"),
        "UnsupportedDefault" => Finding::new(
            code::ONE_OF_FIELD,
            format!("`{first}` belongs to a `@oneOf` input and cannot have a default"),
        )
        .mark(first.rsplit('.').next().unwrap_or_default())
        .help("remove the default: exactly one field is given, the others are absent"),
        "OneOfDirectiveOnExtension" => Finding::new(
            code::ONE_OF_FIELD,
            format!("`@oneOf` stands at an extension of `{first}`"),
        )
        .mark("oneOf")
        .help("write it at the definition"),
        "DeprecatedRequiredInputValue" => Finding::new(
            code::DEPRECATED_REQUIRED,
            format!("`{first}` is required and deprecated: nobody could leave it out"),
        )
        .mark(first)
        .help("make it nullable or give it a default value first"),
        "DeeplyNestedType" | "RecursionError" | "RecursionLimitError" => {
            Finding::new(code::TOO_DEEP, "the schema is nested too deeply to be checked")
        }
        other => return super::shared::finding(schema, other, sentence, text),
    };
    Some(finding)
}

/// Directives that schemas of subgraphs import.
const FEDERATION: [&str; 10] = [
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
];

/// An unknown directive; ours come with their definition.
pub(super) fn unknown_directive(schema: &Schema, sentence: &Sentence) -> Finding {
    let name = sentence.name(0);
    let bare = name.trim_start_matches('@');
    let finding = Finding::new(code::UNKNOWN_DIRECTIVE, format!("there is no directive `{name}`")).mark(bare);
    match definition_of(bare) {
        Some(definition) => finding.help(format!(
            "it is one of traitql's: add its definition to the schema,\n`{definition}`"
        )),
        None => {
            let names = schema.directive_definitions.keys().map(|name| name.as_str());
            let known = names
                .chain(["auth", "public", "embedded", "resolve"])
                .filter(|name| schema.directive_definitions.contains_key(*name) || is_ours(name));
            let near = match nearest(bare, known) {
                _ if FEDERATION.contains(&bare) => {
                    "it is one of Apollo Federation, which traitql takes no part in: remove it".to_owned()
                }
                Some(near) => format!("did you mean `@{near}`?"),
                None => format!("define it, `directive {name} on …`, or remove it"),
            };
            finding.help(near)
        }
    }
}

/// Where a type is defined.
pub(super) fn type_place(schema: &Schema, name: &str) -> Option<SourceSpan> {
    schema.types.get(name).and_then(|ty| ty.name().location())
}

/// Where a field of `Type.field` is defined.
pub(super) fn coordinate_place(schema: &Schema, coordinate: &str) -> Option<SourceSpan> {
    let (ty, field) = coordinate.split_once('.')?;
    member_place(schema.types.get(ty)?, field)
}

fn member_place(ty: &apollo_compiler::schema::ExtendedType, member: &str) -> Option<SourceSpan> {
    use apollo_compiler::schema::ExtendedType as Ty;
    match ty {
        Ty::Object(object) => object.fields.get(member)?.name.location(),
        Ty::Interface(interface) => interface.fields.get(member)?.name.location(),
        Ty::InputObject(input) => input.fields.get(member)?.name.location(),
        Ty::Enum(ty) => ty.values.get(member)?.value.location(),
        Ty::Union(union) => union.members.iter().find(|name| name.as_str() == member)?.location(),
        Ty::Scalar(_) => None,
    }
}

fn field_line(schema: &Schema, interface: &str, field: &str) -> String {
    let found = schema
        .get_interface(interface)
        .and_then(|interface| interface.fields.get(field));
    found.map_or_else(|| field.to_owned(), |field| crate::sdl::field_line(field))
}

/// `type Tour`, `input TourInput`, ...
fn keyword(schema: &Schema, name: &str) -> String {
    use apollo_compiler::schema::ExtendedType as Ty;
    let keyword = match schema.types.get(name) {
        Some(Ty::Scalar(_)) => "scalar",
        Some(Ty::Enum(_)) => "enum",
        Some(Ty::InputObject(_)) => "input",
        Some(Ty::Interface(_)) => "interface",
        Some(Ty::Union(_)) => "union",
        Some(Ty::Object(_)) | None => "type",
    };
    format!("{keyword} {name}")
}
