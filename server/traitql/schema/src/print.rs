//! Prints executable documents exactly as graphql-js 16.15 (`language/printer.js`), whose output Apollo Client sends.
//!
//! Lengths are in UTF-16 code units. Arguments that would exceed 80 of them are printed one per line.

use apollo_compiler::Node;
use apollo_compiler::ast::{
    Argument, DirectiveList, Field, FragmentDefinition, OperationDefinition, Selection, Value, VariableDefinition,
};
use apollo_compiler::parser::{SourceMap, SourceSpan};

const MAX_LINE_LENGTH: usize = 80;

/// The sources distinguish block strings from quoted strings, unlike the syntax tree.
pub(crate) struct Printer<'a> {
    pub(crate) sources: &'a SourceMap,
}

impl Printer<'_> {
    pub(crate) fn operation(&self, operation: &OperationDefinition) -> String {
        let variables: Vec<String> = operation
            .variables
            .iter()
            .map(|variable| self.variable(variable))
            .collect();
        let variables = match () {
            () if variables.is_empty() => String::new(),
            () if variables.iter().any(|variable| variable.contains('\n')) => format!("(\n{}\n)", variables.join("\n")),
            () => format!("({})", variables.join(", ")),
        };
        let name = operation.name.as_ref().map_or("", |name| name.as_str());
        let head = [
            operation.operation_type.name().to_owned(),
            format!("{name}{variables}"),
            self.directives(&operation.directives),
        ];
        let head = join(&head, " ");
        let head = self.description(operation.description.as_ref()) + &head;
        let head = if head == "query" { String::new() } else { head + " " };
        head + &self.selection_set(&operation.selection_set, false)
    }

    pub(crate) fn fragment(&self, fragment: &FragmentDefinition) -> String {
        let directives = self.directives(&fragment.directives);
        let directives = if directives.is_empty() {
            directives
        } else {
            directives + " "
        };
        format!(
            "{}fragment {} on {} {directives}{}",
            self.description(fragment.description.as_ref()),
            fragment.name,
            fragment.type_condition,
            self.selection_set(&fragment.selection_set, true)
        )
    }

    fn variable(&self, variable: &VariableDefinition) -> String {
        let default = variable
            .default_value
            .as_ref()
            .map_or_else(String::new, |value| format!(" = {}", self.value(value)));
        let directives = self.directives(&variable.directives);
        let directives = if directives.is_empty() {
            directives
        } else {
            format!(" {directives}")
        };
        let description = self.description(variable.description.as_ref());
        format!("{description}${}: {}{default}{directives}", variable.name, variable.ty)
    }

    fn selection_set(&self, selections: &[Selection], add_typename: bool) -> String {
        let mut lines: Vec<String> = selections.iter().map(|selection| self.selection(selection)).collect();
        let is_meta = |selection: &Selection| selection.as_field().is_some_and(|field| field.name.starts_with("__"));
        if add_typename && !selections.iter().any(is_meta) {
            lines.push("__typename".to_owned());
        }
        format!("{{\n{}\n}}", indent(&lines.join("\n")))
    }

    fn selection(&self, selection: &Selection) -> String {
        match selection {
            Selection::Field(field) => self.field(field),
            Selection::FragmentSpread(spread) => join(
                &[
                    format!("...{}", spread.fragment_name),
                    self.directives(&spread.directives),
                ],
                " ",
            ),
            Selection::InlineFragment(inline) => {
                let condition = inline
                    .type_condition
                    .as_ref()
                    .map_or_else(String::new, |name| format!("on {name}"));
                let selections = self.selection_set(&inline.selection_set, true);
                join(
                    &[
                        "...".to_owned(),
                        condition,
                        self.directives(&inline.directives),
                        selections,
                    ],
                    " ",
                )
            }
        }
    }

    fn field(&self, field: &Field) -> String {
        let alias = field
            .alias
            .as_ref()
            .map_or_else(String::new, |alias| format!("{alias}: "));
        let prefix = format!("{alias}{}", field.name);
        let line = self.line_with_arguments(prefix, &field.arguments);
        let selections = match &field.selection_set {
            Some(selections) if !selections.is_empty() => self.selection_set(selections, true),
            _ => String::new(),
        };
        join(&[line, self.directives(&field.directives), selections], " ")
    }

    fn line_with_arguments(&self, prefix: String, arguments: &[Node<Argument>]) -> String {
        let arguments: Vec<String> = arguments.iter().map(|argument| self.argument(argument)).collect();
        if arguments.is_empty() {
            return prefix;
        }
        let line = arguments.join(", ");
        if utf16(&prefix) + utf16(&line) + 2 > MAX_LINE_LENGTH {
            format!("{prefix}(\n{}\n)", indent(&arguments.join("\n")))
        } else {
            format!("{prefix}({line})")
        }
    }

    fn argument(&self, argument: &Argument) -> String {
        format!("{}: {}", argument.name, self.value(&argument.value))
    }

    fn directives(&self, directives: &DirectiveList) -> String {
        let printed = directives.iter().map(|directive| {
            let arguments: Vec<String> = directive
                .arguments
                .iter()
                .map(|argument| self.argument(argument))
                .collect();
            if arguments.is_empty() {
                format!("@{}", directive.name)
            } else {
                format!("@{}({})", directive.name, arguments.join(", "))
            }
        });
        printed.collect::<Vec<_>>().join(" ")
    }

    fn value(&self, node: &Node<Value>) -> String {
        match &**node {
            Value::String(text) if self.is_block(node.location()) => block_string(text),
            Value::List(items) => {
                let items = items.iter().map(|item| self.value(item)).collect::<Vec<_>>();
                format!("[{}]", items.join(", "))
            }
            Value::Object(fields) => {
                let fields = fields
                    .iter()
                    .map(|(name, item)| format!("{name}: {}", self.value(item)))
                    .collect::<Vec<_>>();
                format!("{{{}}}", fields.join(", "))
            }
            other => value(other),
        }
    }

    fn description(&self, text: Option<&Node<str>>) -> String {
        match text {
            None => String::new(),
            Some(text) if self.is_block(text.location()) => block_string(text) + "\n",
            Some(text) => string(text) + "\n",
        }
    }

    fn is_block(&self, span: Option<SourceSpan>) -> bool {
        let text = span.and_then(|span| self.sources.get(&span.file_id())?.source_text().get(span.offset()..));
        text.is_some_and(|text| text.trim_start().starts_with("\"\"\""))
    }
}

pub(crate) fn value(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Enum(name) => name.to_string(),
        Value::Variable(name) => format!("${name}"),
        Value::String(text) => string(text),
        Value::Float(float) => float.as_str().to_owned(),
        Value::Int(int) => int.as_str().to_owned(),
        Value::Boolean(value) => value.to_string(),
        Value::List(items) => {
            let items = items.iter().map(|item| self::value(item)).collect::<Vec<_>>();
            format!("[{}]", items.join(", "))
        }
        Value::Object(fields) => {
            let fields = fields
                .iter()
                .map(|(name, item)| format!("{name}: {}", self::value(item)))
                .collect::<Vec<_>>();
            format!("{{{}}}", fields.join(", "))
        }
    }
}

/// Port of `language/printString.js`.
pub(crate) fn string(text: &str) -> String {
    let mut out = String::from("\"");
    for ch in text.chars() {
        match ch {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\u{c}' => out.push_str("\\f"),
            '\r' => out.push_str("\\r"),
            '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' => out.push_str(&format!("\\u{:04X}", u32::from(ch))),
            _ => out.push(ch),
        }
    }
    out.push('"');
    out
}

/// Port of `printBlockString` in `language/blockString.js`.
pub(crate) fn block_string(text: &str) -> String {
    let escaped = text.replace("\"\"\"", "\\\"\"\"");
    let lines: Vec<&str> = escaped.split('\n').collect();
    let is_white = |line: &str| line.starts_with([' ', '\t']);
    let single = lines.len() == 1;
    let force_leading = !single && lines[1..].iter().all(|line| line.is_empty() || is_white(line));
    let trailing_triple = escaped.ends_with("\\\"\"\"");
    let force_trailing = (text.ends_with('"') && !trailing_triple) || text.ends_with('\\');
    let multiple = !single || utf16(text) > 70 || force_trailing || force_leading || trailing_triple;
    let skip_leading = single && is_white(text);
    let leading = if (multiple && !skip_leading) || force_leading {
        "\n"
    } else {
        ""
    };
    let trailing = if multiple || force_trailing { "\n" } else { "" };
    format!("\"\"\"{leading}{escaped}{trailing}\"\"\"")
}

fn indent(text: &str) -> String {
    format!("  {}", text.replace('\n', "\n  "))
}

fn join(parts: &[String], separator: &str) -> String {
    parts
        .iter()
        .filter(|part| !part.is_empty())
        .map(String::as_str)
        .collect::<Vec<_>>()
        .join(separator)
}

fn utf16(text: &str) -> usize {
    text.encode_utf16().count()
}
