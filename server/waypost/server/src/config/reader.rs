#[derive(Default)]
pub(super) struct Reader {
    pub(super) problems: Vec<String>,
}

impl Reader {
    pub(super) fn parsed<T>(
        &mut self,
        name: &str,
        text: Option<String>,
        expected: &str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        let text = present(text)?;
        let value = parse(&text);
        if value.is_none() {
            self.problems
                .push(format!("{name} is `{text}`, but must be {expected}."));
        }
        value
    }

    pub(super) fn switch(&mut self, name: &str, text: Option<String>) -> bool {
        self.switch_or(name, text, false)
    }

    pub(super) fn switch_or(&mut self, name: &str, text: Option<String>, default: bool) -> bool {
        self.parsed(name, text, "1 or 0", |text| match text {
            "1" | "true" | "yes" | "on" => Some(true),
            "0" | "false" | "no" | "off" => Some(false),
            _ => None,
        })
        .unwrap_or(default)
    }

    pub(super) fn required(&mut self, name: &str, text: Option<String>, what: &str) -> String {
        present(text).unwrap_or_else(|| {
            self.problems.push(format!("{name} is not set. Set it to {what}."));
            String::new()
        })
    }
}

/// A blank value counts as not set, because compose files pass missing values as empty variables.
pub(super) fn present(text: Option<String>) -> Option<String> {
    text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}

pub(super) fn list(text: &str) -> Vec<String> {
    text.split(',')
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .map(str::to_owned)
        .collect()
}
