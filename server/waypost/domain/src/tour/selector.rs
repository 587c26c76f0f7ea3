//! Checks the syntax of a CSS selector (Selectors Level 4), but not the names and arguments of pseudo-classes and
//! pseudo-elements: browsers add some each year, and the editor checks each selector in the author's browser. The
//! browser tests verify the examples in `content/selectors.json`.

/// Extensions of jQuery, which authors know and no browser accepts.
const JQUERY: &[&str] = &[
    "contains", "eq", "first", "gt", "hidden", "last", "lt", "selected", "text", "visible",
];

pub(super) fn is_selector(text: &str) -> bool {
    let mut parser = Parser { rest: text };
    parser.list().is_some() && parser.rest.is_empty()
}

/// Methods return `None` if the input does not match.
struct Parser<'t> {
    rest: &'t str,
}

impl Parser<'_> {
    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn eat(&mut self, text: &str) -> bool {
        let rest = self.rest.strip_prefix(text);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Expects a closing bracket. The end of the input closes all brackets.
    fn close(&mut self, bracket: &str) -> Option<()> {
        (self.rest.is_empty() || self.eat(bracket)).then_some(())
    }

    fn space(&mut self) -> bool {
        let mut found = false;
        loop {
            let trimmed = self.rest.trim_start_matches(is_space);
            found |= trimmed.len() < self.rest.len();
            self.rest = trimmed;
            if !self.comments() {
                return found;
            }
        }
    }

    fn comments(&mut self) -> bool {
        let before = self.rest.len();
        while self.eat("/*") {
            self.rest = self.rest.split_once("*/").map_or("", |(_, rest)| rest);
        }
        self.rest.len() < before
    }

    fn list(&mut self) -> Option<()> {
        loop {
            self.complex()?;
            if !self.eat(",") {
                return Some(());
            }
        }
    }

    /// Compound selectors with combinators between them.
    fn complex(&mut self) -> Option<()> {
        self.space();
        loop {
            self.compound()?;
            let space = self.space();
            if matches!(self.peek(), None | Some(',')) {
                return Some(());
            }
            if !(self.combinator() || space) {
                return None;
            }
            self.space();
        }
    }

    fn combinator(&mut self) -> bool {
        [">", "+", "~"].into_iter().any(|combinator| self.eat(combinator))
    }

    fn compound(&mut self) -> Option<()> {
        let length = self.rest.len();
        self.type_selector()?;
        loop {
            // Comments can separate the parts of a compound selector, white space cannot.
            self.comments();
            if self.eat(":") {
                self.pseudo()?;
            } else if self.eat("#") || self.eat(".") {
                self.name()?;
            } else if self.eat("[") {
                self.attribute()?;
            } else {
                break;
            }
        }
        (self.rest.len() < length).then_some(())
    }

    /// No namespace is declared, so that only `*|` and `|` can precede the name.
    fn type_selector(&mut self) -> Option<()> {
        let any = self.eat("*");
        if !any && self.name().is_some() {
            return (!self.rest.starts_with('|')).then_some(());
        }
        if self.eat("|") && !self.eat("*") {
            self.name()?;
        }
        Some(())
    }

    fn attribute(&mut self) -> Option<()> {
        self.space();
        let _ = self.eat("*|") || self.eat("|");
        self.name()?;
        self.space();
        if ["=", "~=", "|=", "^=", "$=", "*="]
            .into_iter()
            .any(|operator| self.eat(operator))
        {
            self.space();
            self.name_or_string()?;
            self.space();
            if !(self.rest.is_empty() || self.rest.starts_with(']')) {
                self.keyword("i").then_some(())?;
                self.space();
            }
        }
        self.close("]")
    }

    /// A pseudo-class or pseudo-element, after its first colon.
    fn pseudo(&mut self) -> Option<()> {
        self.eat(":");
        let name = self.name()?;
        if JQUERY.contains(&name.as_str()) {
            return None;
        }
        if self.eat("(") {
            // Each argument has its own syntax, and browsers ignore invalid selectors in `:is()` and `:where()`.
            self.balanced()?;
            self.close(")")?;
        }
        Some(())
    }

    fn keyword(&mut self, keyword: &str) -> bool {
        let before = self.rest;
        let found = self.name().is_some_and(|name| name == keyword);
        if !found {
            self.rest = before;
        }
        found
    }

    fn name_or_string(&mut self) -> Option<()> {
        match self.peek()? {
            quote @ ('"' | '\'') => self.string(quote),
            _ => self.name().map(drop),
        }
    }

    /// A string. The end of the input ends it, a line break does not.
    fn string(&mut self, quote: char) -> Option<()> {
        let mut chars = self.rest[1..].chars();
        loop {
            match chars.next() {
                Some('\n' | '\r' | '\u{c}') => return None,
                Some('\\') => {
                    chars.next();
                }
                Some(c) if c != quote => {}
                _ => {
                    self.rest = chars.as_str();
                    return Some(());
                }
            }
        }
    }

    fn name(&mut self) -> Option<String> {
        let mut name = String::new();
        let begin = self.rest.strip_prefix('-').unwrap_or(self.rest);
        let starts = |c: char| c.is_ascii_alphabetic() || c == '_' || c == '\\' || !c.is_ascii();
        if !(self.rest.starts_with("--") || begin.starts_with(starts)) {
            return None;
        }
        while let Some(c) = self.peek() {
            let after = &self.rest[c.len_utf8()..];
            if c == '\\' {
                let escaped = after.chars().next().filter(|c| !matches!(c, '\n' | '\r' | '\u{c}'))?;
                if escaped.is_ascii_hexdigit() {
                    let digits = after.bytes().take(6).take_while(u8::is_ascii_hexdigit).count();
                    let (code, rest) = after.split_at(digits);
                    let code = u32::from_str_radix(code, 16).ok().and_then(char::from_u32);
                    name.push(code.unwrap_or(char::REPLACEMENT_CHARACTER));
                    self.rest = rest.strip_prefix(is_space).unwrap_or(rest);
                } else {
                    name.push(escaped);
                    self.rest = &after[escaped.len_utf8()..];
                }
            } else if c.is_ascii_alphanumeric() || c == '-' || c == '_' || !c.is_ascii() {
                name.push(c);
                self.rest = after;
            } else {
                break;
            }
        }
        Some(name.to_ascii_lowercase())
    }

    /// Anything up to the closing bracket of the current argument.
    fn balanced(&mut self) -> Option<()> {
        let mut open = Vec::new();
        while let Some(c) = self.peek() {
            match c {
                '"' | '\'' => {
                    self.string(c)?;
                    continue;
                }
                '(' => open.push(')'),
                '[' => open.push(']'),
                ')' if open.is_empty() => break,
                ')' | ']' if open.pop() != Some(c) => return None,
                '\\' => self.rest = &self.rest[1..],
                _ => {}
            }
            let skipped = self.peek().map_or(0, char::len_utf8);
            self.rest = &self.rest[skipped..];
        }
        Some(())
    }
}

const fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{c}')
}

#[cfg(test)]
mod tests {
    use super::is_selector;

    #[derive(serde::Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Examples {
        valid: Vec<String>,
        invalid: Vec<String>,
        invalid_only_in_browsers: Vec<String>,
    }

    #[test]
    fn the_check_agrees_with_browsers_except_on_names() {
        let examples: Examples =
            serde_json::from_str(include_str!("../../content/selectors.json")).expect("two lists of selectors");
        let wrong = |selectors: Vec<String>, expected| {
            selectors
                .into_iter()
                .filter(move |selector| is_selector(selector) != expected)
                .collect::<Vec<_>>()
        };
        assert_eq!(
            wrong(examples.valid, true),
            Vec::<String>::new(),
            "browsers accept these"
        );
        assert_eq!(
            wrong(examples.invalid, false),
            Vec::<String>::new(),
            "browsers reject these"
        );
        assert_eq!(
            wrong(examples.invalid_only_in_browsers, true),
            Vec::<String>::new(),
            "only browsers know whether these names and arguments are valid"
        );
    }
}
