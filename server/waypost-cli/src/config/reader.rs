//! Reading single settings, and collecting what is wrong with them.

/// Collects problems while reading.
#[derive(Default)]
pub(super) struct Reader {
    pub(super) problems: Vec<String>,
}

impl Reader {
    /// The meaning of a text; `expected` completes the sentence "… must be".
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

    /// A setting that is on or off; off when it is not set.
    pub(super) fn switch(&mut self, name: &str, text: Option<String>) -> bool {
        self.switch_or(name, text, false)
    }

    /// A setting that is on or off, with what it is when it is not set.
    pub(super) fn switch_or(&mut self, name: &str, text: Option<String>, usual: bool) -> bool {
        self.parsed(name, text, "1 or 0", |text| match text {
            "1" | "true" | "yes" | "on" => Some(true),
            "0" | "false" | "no" | "off" => Some(false),
            _ => None,
        })
        .unwrap_or(usual)
    }

    /// A setting without which nothing works; empty, and a problem, when it is not set.
    pub(super) fn required(&mut self, name: &str, text: Option<String>, what: &str) -> String {
        present(text).unwrap_or_else(|| {
            self.problems.push(format!("{name} is not set: it must be {what}."));
            String::new()
        })
    }
}

/// A variable that is set to nothing counts as not set: that is how compose files and shells pass "no value".
pub(super) fn present(text: Option<String>) -> Option<String> {
    text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// Texts separated by commas.
pub(super) fn list(text: &str) -> Vec<String> {
    text.split(',')
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .map(str::to_owned)
        .collect()
}
