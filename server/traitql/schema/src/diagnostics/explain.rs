//! `explanations/*.md` has a page for each code, with a wrong example and its fix. A test runs both, and updates the
//! pages.

use std::fmt;

use crate::diagnostics::code::{ALL, CONVENTIONS, Code, EXPLANATIONS};
use crate::diagnostics::suggest::nearest;

/// The schema of examples that contain operations only.
const SCHEMA: &str = include_str!("../../explanations/schema.graphql");

/// The paragraph describes how to turn off a rule.
const CONVENTION: &str = "Convention: ";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Explanation {
    pub code: Code,
    /// Description and reason, in Markdown. The last paragraph names a violated rule of the specification.
    pub text: &'static str,
    /// Has only this problem. A line `# operations/Tour.graphql` starts a new file.
    pub examples: Option<Examples>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Examples {
    pub wrong: &'static str,
    pub fixed: &'static str,
    /// If they contain operations only.
    pub schema: Option<&'static str>,
}

impl Code {
    pub fn all() -> &'static [Code] {
        ALL
    }

    /// Finds a code by its id, its slug, or both, in any case.
    ///
    /// # Errors
    /// An error message that suggests the nearest name.
    pub fn from_name(name: &str) -> Result<Code, String> {
        let bare = name
            .trim()
            .trim_start_matches("error")
            .trim_matches(['[', ']', '`', '"']);
        let wanted = bare.to_ascii_lowercase();
        let fits = |code: &&Code| {
            let full_name = code.to_string().to_ascii_lowercase();
            full_name == wanted || code.id.eq_ignore_ascii_case(&wanted) || code.slug == wanted
        };
        ALL.iter().find(fits).copied().ok_or_else(|| {
            let names = ALL.iter().flat_map(|code| [code.id, code.slug]);
            match nearest(&wanted, names) {
                Some(near) => format!("unknown diagnostic `{name}`; did you mean `{near}`?"),
                None => format!("unknown diagnostic `{name}`; expected a code such as `T012` or `access_missing`"),
            }
        })
    }

    pub fn explanation(self) -> Explanation {
        let index = ALL.iter().position(|code| *code == self);
        let source = index.map_or("", |index| EXPLANATIONS[index]);
        let body = source.split_once("\n\n").map_or("", |(_, body)| body);
        let (text, rest) = body.split_once("\n## Wrong\n").unwrap_or((body, ""));
        let (wrong, fixed) = rest.split_once("\n## Fixed\n").unwrap_or_default();
        let examples = !wrong.is_empty();
        let text = text.split(CONVENTION).next().unwrap_or_default();
        Explanation {
            code: self,
            text: text.trim(),
            examples: examples.then(|| Examples {
                wrong: fenced(wrong),
                fixed: fenced(fixed),
                schema: fenced(wrong).starts_with("# operations/").then_some(SCHEMA),
            }),
        }
    }
}

fn fenced(markdown: &'static str) -> &'static str {
    let begun = markdown.split_once("```graphql\n").map_or("", |(_, begun)| begun);
    begun.split_once("```").map_or(begun, |(text, _)| text)
}

impl Explanation {
    /// Returns how a project can turn off the rule, if it is optional.
    pub fn permission(&self) -> Option<String> {
        CONVENTIONS.contains(&self.code).then(|| {
            format!(
                "{CONVENTION}`allow: [{}]` under `traitql:` in codegen.yml turns it off.",
                self.code.slug
            )
        })
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n\n{}", self.code, self.text)?;
        if let Some(permission) = self.permission() {
            writeln!(f, "\n{permission}")?;
        }
        if let Some(examples) = &self.examples {
            write!(f, "\nWrong:\n\n{}", indented(examples.wrong))?;
            write!(f, "\nFixed:\n\n{}", indented(examples.fixed))?;
            if let Some(schema) = examples.schema {
                write!(f, "\nThe examples use this schema:\n\n{}", indented(schema))?;
            }
        }
        writeln!(f, "\n{}", self.code.link())
    }
}

fn indented(text: &str) -> String {
    let lines = text.lines().map(|line| match line {
        "" => "\n".to_owned(),
        line => format!("    {line}\n"),
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::code;

    #[test]
    fn codes_are_found_by_id_or_slug() {
        for name in ["T012", "t012", "access_missing", "[T012 access_missing]"] {
            assert_eq!(Code::from_name(name), Ok(code::ACCESS_MISSING), "{name}");
        }
        let near = "unknown diagnostic `acces_mising`; did you mean `access_missing`?";
        assert_eq!(Code::from_name("acces_mising"), Err(near.to_owned()));
        let far = "unknown diagnostic `horse`; expected a code such as `T012` or `access_missing`";
        assert_eq!(Code::from_name("horse"), Err(far.to_owned()));
    }

    #[test]
    fn an_explanation_has_a_text_and_examples() {
        let explanation = code::UNKNOWN_FIELD.explanation();
        assert!(
            explanation.text.starts_with("The type does not have"),
            "{}",
            explanation.text
        );
        let examples = explanation.examples.expect("it has examples");
        assert!(examples.wrong.contains("titel") && examples.fixed.contains("title"));
        assert_eq!(examples.schema, Some(SCHEMA));
        assert_eq!(code::TOO_DEEP.explanation().examples, None);
    }
}
