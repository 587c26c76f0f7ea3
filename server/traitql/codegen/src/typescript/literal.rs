use traitql_schema::model::Value;

pub(super) fn text(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('\'');
    for c in text.chars() {
        match c {
            '\'' => out.push_str("\\'"),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') => {
                out.push_str(&format!("\\u{{{:x}}}", u32::from(c)));
            }
            c => out.push(c),
        }
    }
    out.push('\'');
    out
}

pub(super) fn list(entries: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", entries.into_iter().collect::<Vec<_>>().join(", "))
}

pub(super) fn texts<'t>(entries: impl IntoIterator<Item = &'t String>) -> String {
    list(entries.into_iter().map(|entry| text(entry)))
}

pub(super) fn object(entries: &[(&str, String)]) -> String {
    let entries: Vec<String> = entries.iter().map(|(name, value)| format!("{name}: {value}")).collect();
    match entries.as_slice() {
        [] => "{}".to_owned(),
        entries => format!("{{ {} }}", entries.join(", ")),
    }
}

pub(super) fn constant(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Boolean(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        // JavaScript would round a number.
        Value::BigInt(digits) => text(digits),
        Value::Float(value) => traitql_constraints::number(*value),
        Value::String(value) | Value::Enum(value) => text(value),
        Value::List(values) => list(values.iter().map(constant)),
        Value::Object(fields) => {
            let fields: Vec<(&str, String)> = fields
                .iter()
                .map(|(name, value)| (name.as_str(), constant(value)))
                .collect();
            object(&fields)
        }
    }
}

/// Returns nothing for a blank text.
pub(super) fn doc(text: &str) -> String {
    let text = text.trim().replace("*/", "*\u{200b}/");
    if text.is_empty() {
        String::new()
    } else if text.contains('\n') {
        let lines: String = text
            .lines()
            .map(|line| format!(" * {line}").trim_end().to_owned() + "\n")
            .collect();
        format!("/**\n{lines} */\n")
    } else {
        format!("/** {text} */\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_escaped() {
        assert_eq!(text("it's\n\\ \u{7}\u{2028}🧭"), "'it\\'s\\n\\\\ \\u{7}\\u{2028}🧭'");
    }

    #[test]
    fn descriptions_cannot_end_their_comment() {
        assert_eq!(doc("One."), "/** One. */\n");
        assert_eq!(doc("One.\n\nTwo."), "/**\n * One.\n *\n * Two.\n */\n");
        assert!(!doc("a */ b").trim_end().trim_end_matches("*/").contains("*/"));
        assert_eq!(doc(" "), "");
    }

    #[test]
    fn constants_are_formatted_by_type() {
        let value = Value::Object(vec![
            ("by".to_owned(), Value::Enum("ID".to_owned())),
            (
                "list".to_owned(),
                Value::List(vec![Value::Float(0.5), Value::Float(1e21), Value::Null]),
            ),
        ]);
        assert_eq!(constant(&value), "{ by: 'ID', list: [0.5, 1e+21, null] }");
    }
}
