use std::collections::HashSet;

use apollo_compiler::parser::SourceSpan;
use apollo_compiler::schema::ExtendedType;
use apollo_compiler::validation::DiagnosticData;
use apollo_compiler::{Name, Schema};

use super::input_cycles::{self, InputCycle};
use super::{Finding, FindingMessage, type_in};
use crate::definitions::{definitions_for, is_traitql_directive};
use crate::diagnostics::code;
use crate::diagnostics::suggest::{did_you_mean_or, listed, nearest};
use crate::lower::{FOREIGN_ACCESS_HELP, is_foreign_access};

/// Returns `None` if traitql's own checks report it better.
pub(super) fn finding(schema: &Schema, error: &DiagnosticData, text: &str) -> Option<Finding> {
    let message = FindingMessage::of(error);
    match error.unstable_error_name() {
        Some(kind) => validation(schema, kind, &message, text),
        None => Some(build(schema, &message)),
    }
}

fn build(schema: &Schema, message: &FindingMessage) -> Finding {
    let name = message.name(0);
    match () {
        () if message.starts_with("a schema document must not contain") => {
            Finding::new(code::SCHEMA_HOLDS_OPERATION, "operation or fragment in a schema file")
                .help("move it to a separate file below `operations/`")
        }
        () if message.starts_with("must not have multiple `schema`") => {
            Finding::new(code::DUPLICATE_ROOT, "`schema` is defined more than once")
                .mark("schema")
                .note(schema.schema_definition.location(), "first defined here")
                .help("merge the definitions, or use `extend schema`")
        }
        () if message.starts_with("the directive `@") => {
            let bare = name.trim_start_matches('@');
            let first = schema
                .directive_definitions
                .get(bare)
                .and_then(|directive| directive.name.location());
            Finding::new(
                code::DUPLICATE_DIRECTIVE,
                format!("directive `{name}` is defined more than once"),
            )
            .note(first, "first defined here")
            .help("remove or rename one of them")
        }
        () if message.starts_with("the type `") => {
            Finding::new(code::DUPLICATE_TYPE, format!("type `{name}` is defined more than once"))
                .note(type_span(schema, name), "first defined here")
                .help(format!(
                    "rename one of them, or use `extend {}` to add to the other",
                    keyword(schema, name)
                ))
        }
        () if message.starts_with("built-in scalar definitions") => {
            Finding::new(code::BUILTIN_REDEFINED, "built-in scalars cannot be redefined").help("remove the definition")
        }
        () if message.starts_with("schema extension without") => {
            Finding::new(code::EXTENSION_OF_NOTHING, "`extend schema` without a `schema`").help("add `schema { … }`")
        }
        () if message.starts_with("type extension for undefined") || message.starts_with("directive extension") => {
            let finding = Finding::new(
                code::EXTENSION_OF_NOTHING,
                format!("`{name}` is extended but not defined"),
            );
            let names = schema
                .types
                .iter()
                .filter(|(_, ty)| !ty.is_built_in())
                .map(|(name, _)| name.as_str());
            finding.mark(name).help(did_you_mean_or(
                name,
                names,
                "define it in any schema file, or remove `extend`",
            ))
        }
        () if message.starts_with("adding ") => {
            let kind = message.text.rsplit("` is ").next().unwrap_or_default().to_owned();
            Finding::new(
                code::EXTENSION_KIND,
                format!("`{name}` is {kind} but is extended as another kind"),
            )
            .note(type_span(schema, name), "defined here")
            .help(format!("write `extend {}`", keyword(schema, name)))
        }
        () if message.starts_with("duplicate definitions for the") && message.contains("root operation") => {
            Finding::new(
                code::DUPLICATE_ROOT,
                format!("the {name} root is declared more than once"),
            )
            .help("remove one of them")
        }
        () if message.contains("implements interface") => {
            let (ty, interface) = (message.name(0), message.name(1));
            Finding::new(
                code::DUPLICATE_INTERFACE,
                format!("`{ty}` implements `{interface}` more than once"),
            )
            .mark(interface)
            .help("list it once, in the definition or in an extension")
        }
        () if message.starts_with("duplicate definitions for the") => duplicate_member(schema, message),
        () => Finding::new(code::SCHEMA_OTHER, message.text.clone()),
    }
}

fn duplicate_member(schema: &Schema, message: &FindingMessage) -> Finding {
    let (member, ty) = (message.name(0), message.name(1));
    let (code, what) = match () {
        () if message.contains("value of enum") => (code::DUPLICATE_ENUM_VALUE, "value"),
        () if message.contains("member of union") => (code::DUPLICATE_MEMBER, "member"),
        () => (code::DUPLICATE_FIELD, "field"),
    };
    let first = schema.types.get(ty).and_then(|ty| member_span(ty, member));
    Finding::new(code, format!("{what} `{member}` of `{ty}` is defined more than once"))
        .mark(member)
        .note(first, "first defined here")
        .help("remove or rename one of them; extensions of the type count too")
}

fn validation(schema: &Schema, kind: &str, message: &FindingMessage, text: &str) -> Option<Finding> {
    let (first, second) = (message.name(0), message.name(1));
    let finding = match kind {
        // Reported by `lower`, which also finds those that apollo-compiler misses.
        "RootOperationObjectType" => return None,
        "QueryRootOperationType" => no_query(schema),
        "DuplicateRootOperationType" => Finding::new(
            code::ROOT_SHARED,
            format!("`{first}` is the root of more than one operation type"),
        )
        .help("use a separate type for each operation type"),
        "MissingInterfaceField" => {
            let (ty, interface, field) = (first, second, message.name(2));
            let line = field_line(schema, interface, field);
            Finding::new(
                code::INTERFACE_FIELD_MISSING,
                format!("`{ty}` is missing `{field}` of interface `{interface}`"),
            )
            .mark(ty)
            .note(
                schema.types.get(interface).and_then(|ty| member_span(ty, field)),
                "declared here",
            )
            .help(format!("add `{line}` to `{ty}`"))
        }
        "InvalidImplementationFieldType" => {
            let (wanted, actual) = (second, message.name(3));
            let implementing = message.name(2);
            let field = implementing.rsplit('.').next().unwrap_or_default();
            let interface_field = coordinate_span(schema, first);
            Finding::new(
                code::INTERFACE_FIELD_TYPE,
                format!("`{implementing}` has type `{actual}`, but `{first}` has type `{wanted}`"),
            )
            .mark(field)
            .note(interface_field, "declared here")
            .help(format!("use `{wanted}` or a subtype of it"))
        }
        "MissingInterfaceFieldArgument" => {
            let (argument, implementing) = (second, message.name(2));
            Finding::new(
                code::INTERFACE_ARGUMENT,
                format!("`{implementing}` is missing the argument `{argument}` of `{first}`"),
            )
            .mark(implementing.rsplit('.').next().unwrap_or_default())
            .note(coordinate_span(schema, first), "declared here")
            .help(format!("add `{argument}`"))
        }
        "InvalidImplementationFieldArgumentType" => {
            let (argument, wanted, implementing, actual) = (second, message.name(2), message.name(3), message.name(4));
            let message = format!(
                "argument `{argument}` of `{implementing}` has type `{actual}`, but `{first}` declares `{wanted}`"
            );
            Finding::new(code::INTERFACE_ARGUMENT, message)
                .mark(argument)
                .help(format!("use `{wanted}`"))
        }
        "ExtraRequiredImplementationFieldArgument" => {
            let (argument, interface) = (second, message.name(2));
            Finding::new(
                code::INTERFACE_ARGUMENT,
                format!("`{first}` requires `{argument}`, which `{interface}` does not declare"),
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
            .help("deprecate the interface field too")
        }
        "TransitiveImplementedInterfaces" if first == message.name(2) => Finding::new(
            code::INTERFACE_CYCLE,
            format!("interface `{first}` implements itself through `{second}`"),
        )
        .mark(first)
        .help(format!(
            "remove `{second}` from its interfaces, or `{first}` from the interfaces of `{second}`"
        )),
        "TransitiveImplementedInterfaces" => {
            let (ty, via, missing) = (first, second, message.name(2));
            Finding::new(
                code::INTERFACE_TRANSITIVE,
                format!("`{ty}` implements `{via}`, so it must also implement `{missing}`"),
            )
            .mark(ty)
            .help(format!("write `implements {via} & {missing}`"))
        }
        "RecursiveInterfaceDefinition" => {
            let name = message.text.split_whitespace().nth(1).unwrap_or_default();
            Finding::new(code::INTERFACE_CYCLE, format!("interface `{name}` implements itself"))
                .mark(name)
                .help("remove it from its own interfaces")
        }
        "UniqueInputValue" => Finding::new(
            code::DUPLICATE_ARGUMENT,
            format!("argument `{first}` is defined more than once"),
        )
        .mark(first)
        .help("remove or rename one of them"),
        // Other types are undefined only where an interface is expected.
        "UndefinedDefinition" if schema.types.contains_key(first) => Finding::new(
            code::NOT_AN_INTERFACE,
            format!("`{first}` cannot be implemented because it is not an interface"),
        )
        .mark(first)
        .note(type_span(schema, first), "defined here")
        .help(format!("change it to `interface {first}`, or remove it from the list")),
        "OutputType" => Finding::new(
            code::OUTPUT_TYPE_EXPECTED,
            format!("field `{first}` returns an input type"),
        )
        .mark(type_in(text))
        .help("fields must return object types, interfaces, unions, enums or scalars"),
        "UnionMemberObjectType" => Finding::new(
            code::MEMBER_NOT_OBJECT,
            format!("`{first}` cannot be a union member because it is not an object type"),
        )
        .mark(first)
        .help("list only object types"),
        "RecursiveInputObjectDefinition" => {
            let help = match input_cycles::find(schema, first) {
                InputCycle::First(path) => {
                    let path: Vec<&str> = path.iter().map(String::as_str).collect();
                    format!("make one of these fields nullable or a list: {}", listed(&path))
                }
                // Reported at the first type of the cycle.
                InputCycle::Elsewhere => return None,
                InputCycle::None => "make one of the fields in the cycle nullable or a list".to_owned(),
            };
            Finding::new(
                code::INPUT_CYCLE,
                format!("`{first}` contains itself, so it has no finite value"),
            )
            .mark(first)
            .help(help)
        }
        "RecursiveDirectiveDefinition" => {
            Finding::new(code::DIRECTIVE_CYCLE, format!("directive `@{first}` refers to itself"))
                .mark(first)
                .help("remove it from its own arguments")
        }
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
        "ReservedName" => Finding::new(
            code::RESERVED_NAME,
            format!("the name `{first}` starts with two underscores"),
        )
        .mark(first)
        .help("such names are reserved for introspection; choose another name"),
        "OneOfInputObjectFieldNonNull" => Finding::new(
            code::ONE_OF_FIELD,
            format!("`{first}` must be nullable because it is a field of a `@oneOf` input"),
        )
        .mark(first.rsplit('.').next().unwrap_or_default())
        .help("remove the `!`: exactly one field is given, the others are absent"),
        "UnsupportedDefault" => Finding::new(
            code::ONE_OF_FIELD,
            format!("`{first}` cannot have a default because it is a field of a `@oneOf` input"),
        )
        .mark(first.rsplit('.').next().unwrap_or_default())
        .help("remove the default: exactly one field is given, the others are absent"),
        "OneOfDirectiveOnExtension" => Finding::new(
            code::ONE_OF_FIELD,
            format!("`@oneOf` is not allowed on an extension of `{first}`"),
        )
        .mark("oneOf")
        .help("move it to the definition"),
        "DeprecatedRequiredInputValue" => Finding::new(
            code::DEPRECATED_REQUIRED,
            format!("`{first}` is deprecated but required, so clients cannot stop using it"),
        )
        .mark(first)
        .help("make it nullable or give it a default value"),
        "DeeplyNestedType" | "RecursionError" | "RecursionLimitError" => {
            Finding::new(code::TOO_DEEP, "the schema is nested too deeply to validate")
        }
        other => return super::shared::finding(schema, other, message, text),
    };
    Some(finding)
}

fn no_query(schema: &Schema) -> Finding {
    let finding = Finding::new(code::NO_QUERY, "the schema has no `Query` type");
    match unreferenced(schema).as_slice() {
        [name] => finding
            .note(name.location(), "no definition refers to this type")
            .help(format!(
                "if it is the query root, rename it to `Query`, or add `schema {{ query: {name} }}`"
            )),
        _ => {
            let first = schema.types.values().find(|ty| !ty.is_built_in());
            let finding = match first {
                Some(first) => finding.note(first.name().location(), "the first type of the schema"),
                None => finding,
            };
            finding.help("define `type Query { … }` with at least one field")
        }
    }
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

pub(super) fn unknown_directive(schema: &Schema, message: &FindingMessage) -> Finding {
    let name = message.name(0);
    let bare = name.trim_start_matches('@');
    let finding = Finding::new(code::UNKNOWN_DIRECTIVE, format!("unknown directive `{name}`")).mark(bare);
    match definitions_for(schema, bare) {
        Some(definitions) => finding.help(format!(
            "it is a traitql directive; add to the schema:\n{}",
            quoted_lines(&definitions)
        )),
        None => {
            let names = schema.directive_definitions.keys().map(|name| name.as_str());
            let known = names
                .chain(["auth", "public", "embedded", "resolve"])
                .filter(|name| schema.directive_definitions.contains_key(*name) || is_traitql_directive(name));
            let near = match nearest(bare, known) {
                _ if INCREMENTAL.contains(&bare) => {
                    format!("traitql does not support `{name}`, and a definition would have no effect; remove it")
                }
                _ if is_foreign_access(bare) => format!(
                    "traitql does not enforce `{name}`, and a definition would have no effect: the access check would be absent;\n{FOREIGN_ACCESS_HELP}"
                ),
                _ if FEDERATION.contains(&bare) => {
                    "it is a directive of Apollo Federation, which traitql does not support; remove it".to_owned()
                }
                Some(near) => format!("did you mean `@{near}`?"),
                None => format!("remove it, or define it with `directive {name} on …`; traitql then ignores it"),
            };
            finding.help(near)
        }
    }
}

/// Quotes definitions, one per line.
pub(super) fn quoted_lines(definitions: &[String]) -> String {
    let lines: Vec<String> = definitions.iter().map(|line| format!("`{line}`")).collect();
    lines.join("\n")
}

pub(super) fn type_span(schema: &Schema, name: &str) -> Option<SourceSpan> {
    schema.types.get(name).and_then(|ty| ty.name().location())
}

/// Coordinates are `Type.field`.
pub(super) fn coordinate_span(schema: &Schema, coordinate: &str) -> Option<SourceSpan> {
    let (ty, field) = coordinate.split_once('.')?;
    member_span(schema.types.get(ty)?, field)
}

fn member_span(ty: &apollo_compiler::schema::ExtendedType, member: &str) -> Option<SourceSpan> {
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
