//! Prints SDL in a canonical form. The SDL is committed, so its format must not change with apollo-compiler.

use apollo_compiler::ast::{DirectiveDefinition, DirectiveList, FieldDefinition, InputValueDefinition};
use apollo_compiler::schema::ExtendedType;
use apollo_compiler::{Node, Schema};

use crate::print::{block_string, string, value};

pub(crate) fn field_line(field: &FieldDefinition) -> String {
    let args = in_parentheses(&field.arguments);
    format!("{}{args}: {}{}", field.name, field.ty, directives(&field.directives))
}

fn in_parentheses(arguments: &[Node<InputValueDefinition>]) -> String {
    let lines: Vec<String> = arguments.iter().map(|argument| input_value_line(argument)).collect();
    match lines.as_slice() {
        [] => String::new(),
        lines => format!("({})", lines.join(", ")),
    }
}

pub(crate) fn input_value_line(input: &InputValueDefinition) -> String {
    let default = input
        .default_value
        .as_ref()
        .map_or_else(String::new, |default| format!(" = {}", value(default)));
    format!("{}: {}{default}{}", input.name, input.ty, directives(&input.directives))
}

pub(crate) fn directive_line(directive: &DirectiveDefinition) -> String {
    let args = in_parentheses(&directive.arguments);
    let repeatable = if directive.repeatable { " repeatable" } else { "" };
    let locations = directive
        .locations
        .iter()
        .map(|location| location.name())
        .collect::<Vec<_>>()
        .join(" | ");
    format!("directive @{}{args}{repeatable} on {locations}", directive.name)
}

fn directives(list: &DirectiveList) -> String {
    list.iter()
        .map(|directive| {
            let args = directive
                .arguments
                .iter()
                .map(|argument| format!("{}: {}", argument.name, value(&argument.value)));
            let args = args.collect::<Vec<_>>().join(", ");
            if args.is_empty() {
                format!(" @{}", directive.name)
            } else {
                format!(" @{}({args})", directive.name)
            }
        })
        .collect()
}

pub(crate) fn schema(schema: &Schema) -> String {
    let mut parts: Vec<String> = Vec::new();
    let definition = &schema.schema_definition;
    let roots = [
        ("query", "Query", &definition.query),
        ("mutation", "Mutation", &definition.mutation),
        ("subscription", "Subscription", &definition.subscription),
    ];
    // Without it, a type named `Mutation` that is not the root would become the root.
    let has_default_names = roots.iter().all(|(_, default_name, name)| match name {
        Some(name) => **name == *default_name,
        None => !schema.types.contains_key(*default_name),
    });
    if !has_default_names || definition.description.is_some() || !definition.directives.is_empty() {
        let fields = roots
            .iter()
            .filter_map(|(kind, _, name)| name.as_ref().map(|name| format!("  {kind}: {}\n", **name)));
        let fields = fields.collect::<String>();
        let head = format!("schema{}", directives(&definition.directives));
        parts.push(format!(
            "{}{head} {{\n{fields}}}",
            description(definition.description.as_ref(), "")
        ));
    }
    for directive in schema
        .directive_definitions
        .values()
        .filter(|directive| !directive.is_built_in())
    {
        parts.push(described_directive(directive));
    }
    // Separates the files, so that git can merge additions to two of them.
    let mut file = None;
    for ty in schema.types.values().filter(|ty| !ty.is_built_in()) {
        let of = ty.name().location().map(|location| location.file_id());
        if let Some(source) = of.filter(|_| of != file).and_then(|id| schema.sources.get(&id)) {
            parts.push(format!("# {}", source.path().display()));
        }
        file = of;
        parts.push(type_definition(ty));
    }
    parts.join("\n\n") + "\n"
}

fn described_directive(directive: &DirectiveDefinition) -> String {
    let head = description(directive.description.as_ref(), "");
    if directive
        .arguments
        .iter()
        .all(|argument| argument.description.is_none())
    {
        return head + &directive_line(directive);
    }
    let line = directive_line(directive);
    let tail = line.rsplit_once(')').map_or("", |(_, tail)| tail);
    format!(
        "{head}directive @{}{}{tail}",
        directive.name,
        arguments(&directive.arguments, "")
    )
}

fn type_definition(ty: &ExtendedType) -> String {
    let head = description(ty.description(), "");
    let marks = directives(ty.directives());
    let name = ty.name();
    match ty {
        ExtendedType::Scalar(_) => format!("{head}scalar {name}{marks}"),
        ExtendedType::Union(union) => {
            let members = union
                .members
                .iter()
                .map(|member| member.as_str())
                .collect::<Vec<_>>()
                .join(" | ");
            format!("{head}union {name}{marks} = {members}")
        }
        ExtendedType::Enum(ty) => {
            let values = ty.values.values().map(|value| {
                format!(
                    "{}  {}{}",
                    description(value.description.as_ref(), "  "),
                    value.value,
                    directives(&value.directives)
                )
            });
            format!(
                "{head}enum {name}{marks} {{\n{}\n}}",
                values.collect::<Vec<_>>().join("\n")
            )
        }
        ExtendedType::InputObject(input) => {
            let fields = input.fields.values().map(|field| {
                format!(
                    "{}  {}",
                    description(field.description.as_ref(), "  "),
                    input_value_line(field)
                )
            });
            format!(
                "{head}input {name}{marks} {{\n{}\n}}",
                fields.collect::<Vec<_>>().join("\n")
            )
        }
        ExtendedType::Object(object) => {
            let implements = implements(object.implements_interfaces.iter().map(|name| name.as_str()));
            format!(
                "{head}type {name}{implements}{marks} {{\n{}\n}}",
                fields(object.fields.values())
            )
        }
        ExtendedType::Interface(interface) => {
            let implements = implements(interface.implements_interfaces.iter().map(|name| name.as_str()));
            format!(
                "{head}interface {name}{implements}{marks} {{\n{}\n}}",
                fields(interface.fields.values())
            )
        }
    }
}

fn implements<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let names = names.collect::<Vec<_>>().join(" & ");
    if names.is_empty() {
        names
    } else {
        format!(" implements {names}")
    }
}

fn fields<'f>(fields: impl Iterator<Item = &'f Node<FieldDefinition>>) -> String {
    let lines = fields.map(|field| {
        let head = description(field.description.as_ref(), "  ");
        if field.arguments.iter().all(|argument| argument.description.is_none()) {
            return format!("{head}  {}", field_line(field));
        }
        let marks = directives(&field.directives);
        format!(
            "{head}  {}{}: {}{marks}",
            field.name,
            arguments(&field.arguments, "  "),
            field.ty
        )
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn arguments(arguments: &[Node<InputValueDefinition>], indent: &str) -> String {
    let inner = format!("{indent}  ");
    let lines = arguments.iter().map(|argument| {
        format!(
            "{}{inner}{}\n",
            description(argument.description.as_ref(), &inner),
            input_value_line(argument)
        )
    });
    format!("(\n{}{indent})", lines.collect::<String>())
}

fn description(text: Option<&Node<str>>, indent: &str) -> String {
    match text {
        None => String::new(),
        Some(text) if !fits_block_string(text) => format!("{indent}{}\n", string(text)),
        Some(text) => {
            let printed = block_string(text);
            let lines = printed.lines().map(|line| {
                if line.is_empty() {
                    "\n".to_owned()
                } else {
                    format!("{indent}{line}\n")
                }
            });
            lines.collect()
        }
    }
}

/// Clients remove blank lines at its ends and common indentation (GraphQL October 2021, `BlockStringValue`).
fn fits_block_string(text: &str) -> bool {
    let lines: Vec<&str> = text.split('\n').collect();
    let is_blank = |line: &str| line.trim_start_matches([' ', '\t']).is_empty();
    let is_indented = |line: &str| line.starts_with([' ', '\t']);
    let has_blank_end = is_blank(lines[0]) || is_blank(lines[lines.len() - 1]);
    let has_indentation = lines.len() > 1 && lines.iter().all(|line| is_blank(line) || is_indented(line));
    let is_printable = !text.contains(|ch: char| ch.is_control() && !matches!(ch, '\t' | '\n'));
    text.is_empty() || (!has_blank_end && !has_indentation && is_printable)
}

#[cfg(test)]
mod tests {
    use crate::{Options, SourceText, load};

    #[test]
    fn descriptions_keep_their_text() {
        let options = Options::lenient();
        let texts = [
            "",
            " ",
            "one line",
            "  one indented line",
            "ends with a \"quote\"",
            "three \"\"\" quotes",
            "first\n\n    indented\n  \nlast",
            "\n   Accepts lists.\n  ",
            "  common\n    indentation",
            "carriage\rreturn",
            "bell \u{7}",
        ];
        let mut schema = "type Query {\n".to_owned();
        for (index, text) in texts.iter().enumerate() {
            schema += &format!("  {}\n  field{index}: Int\n", crate::print::string(text));
        }
        let read = |text: String| {
            let model = load(&[SourceText::new("a.graphql", text)], &[], &options).expect("the schema is valid");
            let Some(crate::model::Type::Object(query)) = model.types.get("Query") else {
                panic!("there is no Query type");
            };
            let descriptions: Vec<Option<String>> =
                query.fields.iter().map(|field| field.description.clone()).collect();
            (descriptions, model.sdl)
        };
        let (original, sdl) = read(schema + "}\n");
        let (printed, _) = read(sdl);
        assert_eq!(printed, original);
    }

    #[test]
    fn a_type_named_mutation_does_not_become_the_root() {
        let options = Options::lenient();
        let text = "schema { query: Query }\ntype Query { change: Mutation }\ntype Mutation { id: ID! }\n";
        let first = load(&[SourceText::new("a.graphql", text)], &[], &options).expect("the schema is valid");
        assert_eq!(first.mutation, None);
        let again =
            load(&[SourceText::new("b.graphql", first.sdl)], &[], &options).expect("the printed schema is valid");
        assert_eq!(again.mutation, None, "{}", again.sdl);
    }
}
