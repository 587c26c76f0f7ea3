use super::brackets::{KEYWORDS, begins_definition};
use super::{top_level, unexpected_characters};

pub(super) struct ErrorContext<'s> {
    pub(super) message: &'s str,
    pub(super) text: &'s str,
    pub(super) at: usize,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Hint {
    pub(super) message: String,
    pub(super) help: String,
    /// The position in bytes, if the parser's position is not the best.
    pub(super) mark: Option<(usize, usize)>,
}

pub(super) fn hint(message: impl Into<String>, help: impl Into<String>) -> Option<Hint> {
    Some(Hint {
        message: message.into(),
        help: help.into(),
        mark: None,
    })
}

pub(super) fn is_name(ch: char) -> bool {
    ch.is_ascii_alphanumeric() || ch == '_'
}

impl<'s> ErrorContext<'s> {
    pub(super) fn line_start(&self) -> usize {
        self.text[..self.at].rfind('\n').map_or(0, |at| at + 1)
    }

    pub(super) fn before(&self) -> &'s str {
        &self.text[self.line_start()..self.at]
    }

    pub(super) fn after(&self) -> &'s str {
        self.text[self.at..].lines().next().unwrap_or_default()
    }

    pub(super) fn line(&self) -> &'s str {
        self.text[self.line_start()..].lines().next().unwrap_or_default()
    }

    pub(super) fn found(&self) -> Option<char> {
        self.after().chars().next()
    }

    /// Starts at the error.
    pub(super) fn name(&self) -> &'s str {
        let after = self.after();
        &after[..after.find(|ch| !is_name(ch)).unwrap_or(after.len())]
    }

    /// Ends before the error; ignores whitespace.
    pub(super) fn name_before(&self) -> &'s str {
        let before = self.before().trim_end();
        before.rsplit(|ch| !is_name(ch)).next().unwrap_or_default()
    }

    fn definition(&self) -> &'s str {
        let lines = self.text[..self.at].lines().rev();
        let mut lines = std::iter::once(self.line()).chain(lines);
        lines.find(|line| begins_definition(line)).unwrap_or_default()
    }

    /// Operations instead of a schema, judged by the first definition.
    pub(super) fn among_operations(&self) -> Option<bool> {
        let first = |line: &str| line.split([' ', '{', '(']).next().unwrap_or_default().to_owned();
        let word = self.text.lines().map(first).find(|word| KEYWORDS.contains(&&**word))?;
        Some(["query", "mutation", "subscription", "fragment"].contains(&&*word))
    }

    pub(super) fn message_contains(&self, text: &str) -> bool {
        self.message.contains(text)
    }
}

pub(super) fn find_hint(context: &ErrorContext) -> Option<Hint> {
    conflict(context)
        .or_else(|| unexpected_characters::find_hint(context))
        .or_else(|| bracket(context))
        .or_else(|| part(context))
        .or_else(|| top_level::find_hint(context))
}

/// True if all further errors are consequences.
pub(super) fn ends_the_file(context: &ErrorContext) -> bool {
    conflict(context).is_some()
        || context.message_contains("unterminated string")
        || top_level::script(context).is_some()
        || context.text.trim_start().starts_with('<')
}

fn conflict(context: &ErrorContext) -> Option<Hint> {
    if !["<<<<<<<", "=======", ">>>>>>>"]
        .iter()
        .any(|mark| context.line().starts_with(mark))
    {
        return None;
    }
    hint(
        "unresolved merge conflict",
        "choose one of the versions, and remove the lines with `<<<<<<<`, `=======` and `>>>>>>>`",
    )
}

fn bracket(context: &ErrorContext) -> Option<Hint> {
    let quoted = |text: &str| {
        let inner = text.trim_matches('"').to_owned();
        hint("names are not quoted", format!("write `{inner}`"))
    };
    if context.message.to_ascii_lowercase().contains("expected a name")
        && context.found() == Some(':')
        && context.before().trim_end().ends_with('"')
    {
        let before = context.before().trim_end();
        let begin = before[..before.len() - 1].rfind('"')?;
        let start = context.line_start();
        let mut hint = quoted(&before[begin..])?;
        hint.mark = Some((start + begin, start + before.len()));
        return Some(hint);
    }
    if !["R_CURLY", "R_PAREN", "R_BRACK"]
        .iter()
        .any(|token| context.message_contains(token))
    {
        return None;
    }
    let (before, after) = (context.before().trim_end(), context.after());
    match context.found()? {
        '!' if before.ends_with('!') && !context.message_contains("R_BRACK") => {
            hint("duplicate `!`", "remove one of them")
        }
        '[' if after.starts_with("[]") => hint(
            "the brackets of a list enclose its type",
            format!("write `[{}]`", context.name_before()),
        ),
        '=' | ':' if context.definition().contains("enum ") => hint(
            "enum values have no explicit values",
            "keep the name and remove the rest; its meaning is up to the server and its clients",
        ),
        '!' if context.message_contains("R_PAREN") && context.among_operations() == Some(true) => hint(
            "expected a value, found a type",
            "declare a variable of this type after the operation name, and write `$id` here",
        ),
        '[' if is_directive(before) => hint(
            "directive arguments are enclosed in `(` and `)`",
            format!(
                "write `@{}(…: {})`",
                context.name_before(),
                after.split(']').next().unwrap_or_default().to_owned() + "]"
            ),
        ),
        '=' if context.message_contains("R_PAREN") => hint(
            "expected `:` between an argument and its value",
            format!("write `{}: …`", context.name_before()),
        ),
        ':' if context.message_contains("R_PAREN") => {
            hint("expected `=` before a default value", "write `= …` instead of `: …`")
        }
        ':' if after[1..].trim_start().starts_with('{') => {
            hint("unexpected `:` before a selection set", "remove the `:`")
        }
        '"' => quoted(after[..after[1..].find('"')? + 2].trim()),
        '|' if context.definition().starts_with("union") => {
            let name = context
                .definition()
                .split([' ', '{'])
                .nth(1)
                .unwrap_or("Found")
                .to_owned();
            hint(
                "union members follow a `=`, without braces",
                format!("write `union {name} = A | B`"),
            )
        }
        _ => None,
    }
}

fn is_directive(line: &str) -> bool {
    let name = line.rsplit(|ch| !is_name(ch)).next().unwrap_or_default();
    !name.is_empty() && line[..line.len() - name.len()].ends_with('@')
}

fn part(context: &ErrorContext) -> Option<Hint> {
    let found = context.found();
    let empty = found == Some(')') && context.before().trim_end().ends_with('(');
    match () {
        () if empty => hint("empty parentheses", "remove them"),
        () if context.message_contains("Variable Definition") && !context.name().is_empty() => hint(
            "variable names start with `$`",
            format!("write `${}: …`", context.name()),
        ),
        () if context.message_contains("expected an Argument") && found == Some('$') => {
            let name: String = context.after().chars().skip(1).take_while(|c| is_name(*c)).collect();
            hint(
                "missing argument name",
                format!("write `{name}: ${name}`, with the name of the argument first"),
            )
        }
        () if context.message_contains("expected an Argument")
            && found.is_some_and(|c| is_name(c) || c == '"' || c == '[') =>
        {
            let value = context
                .after()
                .split([')', ','])
                .next()
                .unwrap_or_default()
                .trim()
                .to_owned();
            hint(
                "missing argument name",
                format!("write its name and a `:` before `{value}`"),
            )
        }
        () if context.message_contains("expected a Type") && found == Some('@') => hint(
            "the type of an argument comes before its directives",
            "write the type after the `:`, then the default value, then the directives",
        ),
        () if context.message_contains("invalid Enum Value") => hint(
            format!("`{}` cannot be an enum value", context.name()),
            "`true`, `false` and `null` are reserved; choose another name",
        ),
        () if context.message_contains("Union Member Type") => top_level::member(&context.text[..context.at]),
        () if context.message_contains("Type System Extension") => {
            let rest = context.after().trim_start_matches("extend").trim_start();
            let name: String = rest.chars().take_while(|c| is_name(*c)).collect();
            hint(
                "missing kind of definition after `extend`",
                format!("write `extend type {name}`"),
            )
        }
        () if context.message_contains("Field Definition") && context.after().starts_with("...") => hint(
            "type definitions cannot contain fragment spreads",
            "repeat the fields here; use `implements` to declare the interfaces of the type",
        ),
        () if context.message.to_ascii_lowercase().contains("expected a name") && found == Some('=') => hint(
            "missing type before the default value",
            format!("add the type, as in `{}: Int = 20`", context.name_before()),
        ),
        () if context.message.to_ascii_lowercase().contains("expected a name")
            && found == Some('$')
            && context.before().trim_end().ends_with(':') =>
        {
            hint(
                "field arguments are enclosed in parentheses",
                "write `(` before the first argument and `)` after the last one",
            )
        }
        () if context.message_contains("Selection Set") && found == Some('$') => hint(
            "variable declarations are enclosed in parentheses",
            format!(
                "write `({})`",
                context.after().split('{').next().unwrap_or_default().trim()
            ),
        ),
        () if context.message_contains("expected 'on'") => hint(
            "missing type condition of the fragment",
            format!("write `fragment {} on {}`", context.name_before(), context.name()),
        ),
        () if context.message_contains("expected a Selection Set") => hint(
            "the operation selects nothing",
            "list the fields to select in `{` and `}`",
        ),
        () if context.message_contains("in a Const context") => hint(
            "variables are not allowed here",
            "write a constant; only operations have variables, and default values are constants",
        ),
        () if found == Some('}') && context.text[..context.at].trim_end().ends_with('{') => {
            hint("empty braces", "add at least one entry, or remove the braces")
        }
        () if found == Some('}') && context.text[..context.at].trim_end().ends_with('"') => hint(
            "description without a definition",
            "add the definition that it describes, or remove it",
        ),
        () if context.message_contains("Fragment Name cannot be") => {
            hint("missing fragment name", "write `fragment Row_tour on Tour`")
        }
        () if found == Some('{')
            && context.before().trim_end().ends_with(':')
            && context.among_operations() != Some(true) =>
        {
            hint(
                "expected the name of a type, found its fields",
                "define the type separately, `type Author { … }`, and write its name here",
            )
        }
        () if found == Some('{') && context.before().trim_end().ends_with(':') => {
            hint("unexpected `:` before a selection set", "remove the `:`")
        }
        () if found == Some('{') && context.before().ends_with('$') => {
            hint("variables are written without braces", "write `$id`")
        }
        () if context.message_contains("expected a type") && found == Some('{') => hint(
            "arguments are enclosed in `(` and `)`, not in braces",
            format!("write `{}(…)`", context.name_before()),
        ),
        () if !context.name().is_empty()
            && context.before().ends_with(' ')
            && context.before().trim_end().ends_with(is_name)
            && !context.message_contains("definition")
            && (!begins_definition(context.line()) || context.before().contains(['(', '{'])) =>
        {
            let (name, ty) = (
                context.name_before(),
                context.after().split([',', ')', ' ', '@']).next().unwrap_or_default(),
            );
            let is_variable = context.before().trim_end().ends_with(&format!("${name}"));
            let dollar = if is_variable { "$" } else { "" };
            hint(
                "expected `:` between a name and its type",
                format!("write `{dollar}{name}: {ty}`"),
            )
        }
        () => None,
    }
}
