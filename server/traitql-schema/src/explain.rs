//! What each kind of problem means, at length: `traitql explain T012`, and the page that every message leads to.
//!
//! The texts are `explanations/*.md`, one for each code, with a wrong example and its mended form. A test runs both, so a
//! text cannot promise what the checks do not do, and writes the pages of `server/traitql/docs/diagnostics` from them.

use std::fmt;

use crate::code::{ALL, CONVENTIONS, Code, EXPLANATIONS};
use crate::suggest::nearest;

/// What the examples ask that show operations alone.
const SCHEMA: &str = include_str!("../explanations/schema.graphql");

/// The explanation of a kind of problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Explanation {
    /// What is explained.
    pub code: Code,
    /// What happened and why it is refused, in Markdown, with the rule behind it as its last paragraph.
    pub text: &'static str,
    /// An example that is wrong in this way alone, and what mends it. A line `# operations/Tour.graphql` begins a file.
    pub examples: Option<Examples>,
}

/// A wrong example and its mended form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Examples {
    /// GraphQL with the mistake.
    pub wrong: &'static str,
    /// The same without it.
    pub mended: &'static str,
    /// The schema that both ask, where they show operations alone.
    pub schema: Option<&'static str>,
}

impl Code {
    /// All kinds of problems, in the order of their areas and numbers.
    pub fn all() -> &'static [Code] {
        ALL
    }

    /// The kind of problem that people name by its code or its slug, or both as messages print them; case does not matter.
    ///
    /// # Errors
    /// A sentence for the person who asked, with the nearest name.
    pub fn named(name: &str) -> Result<Code, String> {
        let bare = name
            .trim()
            .trim_start_matches("error")
            .trim_matches(['[', ']', '`', '"']);
        let wanted = bare.to_ascii_lowercase();
        let fits = |code: &&Code| {
            let whole = code.to_string().to_ascii_lowercase();
            whole == wanted || code.id.eq_ignore_ascii_case(&wanted) || code.slug == wanted
        };
        ALL.iter().find(fits).copied().ok_or_else(|| {
            let names = ALL.iter().flat_map(|code| [code.id, code.slug]);
            match nearest(&wanted, names) {
                Some(near) => format!("`{name}` is no kind of problem; did you mean `{near}`?"),
                None => format!("`{name}` is no kind of problem; they look like `T012` or `access_missing`"),
            }
        })
    }

    /// What this kind of problem means.
    pub fn explanation(self) -> Explanation {
        let index = ALL.iter().position(|code| *code == self);
        let source = index.map_or("", |index| EXPLANATIONS[index]);
        let body = source.split_once("\n\n").map_or("", |(_, body)| body);
        let (text, rest) = body.split_once("\n## Wrong\n").unwrap_or((body, ""));
        let (wrong, mended) = rest.split_once("\n## Mended\n").unwrap_or_default();
        let examples = !wrong.is_empty();
        Explanation {
            code: self,
            text: text.trim(),
            examples: examples.then(|| Examples {
                wrong: fenced(wrong),
                mended: fenced(mended),
                schema: fenced(wrong).starts_with("# operations/").then_some(SCHEMA),
            }),
        }
    }
}

/// The text of the first code block.
fn fenced(markdown: &'static str) -> &'static str {
    let begun = markdown.split_once("```graphql\n").map_or("", |(_, begun)| begun);
    begun.split_once("```").map_or(begun, |(text, _)| text)
}

impl Explanation {
    /// How a project gives up the rule, if it can.
    pub fn permission(&self) -> Option<String> {
        CONVENTIONS.contains(&self.code).then(|| {
            format!(
                "This is a convention: `allow: [{}]` under `traitql:` in codegen.yml gives it up.",
                self.code.slug
            )
        })
    }
}

/// The explanation as a terminal shows it.
impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}\n\n{}", self.code, self.text)?;
        if let Some(permission) = self.permission() {
            writeln!(f, "\n{permission}")?;
        }
        if let Some(examples) = &self.examples {
            write!(f, "\nWrong:\n\n{}", indented(examples.wrong))?;
            write!(f, "\nMended:\n\n{}", indented(examples.mended))?;
            if let Some(schema) = examples.schema {
                write!(f, "\nThe examples ask this schema:\n\n{}", indented(schema))?;
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
    use crate::code;

    #[test]
    fn a_kind_of_problem_goes_by_its_code_or_its_slug() {
        for name in ["T012", "t012", "access_missing", "[T012 access_missing]"] {
            assert_eq!(Code::named(name), Ok(code::ACCESS_MISSING), "{name}");
        }
        let near = "`acces_mising` is no kind of problem; did you mean `access_missing`?";
        assert_eq!(Code::named("acces_mising"), Err(near.to_owned()));
        let far = "`horse` is no kind of problem; they look like `T012` or `access_missing`";
        assert_eq!(Code::named("horse"), Err(far.to_owned()));
    }

    #[test]
    fn an_explanation_has_a_text_a_mistake_and_what_mends_it() {
        let explanation = code::UNKNOWN_FIELD.explanation();
        assert!(
            explanation.text.starts_with("An operation asks"),
            "{}",
            explanation.text
        );
        let examples = explanation.examples.expect("it has examples");
        assert!(examples.wrong.contains("titel") && examples.mended.contains("title"));
        assert_eq!(examples.schema, Some(SCHEMA));
        assert_eq!(code::TOO_DEEP.explanation().examples, None);
    }
}
