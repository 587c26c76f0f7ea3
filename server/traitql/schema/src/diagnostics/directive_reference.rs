//! `directives.graphql` has the definitions of traitql's directives, this module their effects. The reference
//! pages are generated from both.

use std::fmt;

use apollo_compiler::ast::{Definition, Document};

use crate::definitions::DEFINITIONS;
use crate::diagnostics::code::{self, Code};
use crate::diagnostics::suggest::nearest;
use crate::sdl;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DirectiveReference {
    pub name: String,
    pub arguments: Vec<String>,
    pub definition: String,
    pub description: String,
    /// Positions at which it has an effect.
    pub on: &'static str,
    pub server: &'static str,
    /// Result for clients.
    pub client: &'static str,
    /// Diagnostics in addition to those of any directive.
    pub problems: &'static [Code],
}

/// Facts about a directive that the GraphQL definition cannot express.
struct Fact {
    name: &'static str,
    on: &'static str,
    server: &'static str,
    client: &'static str,
    problems: &'static [Code],
}

const FORM_RULES: &str = "validation rules for forms";
const VIOLATIONS: &str = "`INVALID_INPUT` with all violations at once, before any resolver runs";

const FACTS: [Fact; 15] = [
    Fact {
        name: "auth",
        on: "root fields",
        server: "`UNAUTHENTICATED`; `NOT_FOUND` to accounts that cannot see the subject; `FORBIDDEN` to accounts whose role is too low; `STEP_UP_REQUIRED` to accounts whose authentication is not recent or strong enough; the resolver receives a proof of the check",
        client: "`can`, with the reason to show on a disabled button",
        problems: &[
            code::AUTH_INCOMPLETE,
            code::ACCESS_TWICE,
            code::ACCESS_MISSING,
            code::ACCESS_MISPLACED,
            code::SUBJECT_UNKNOWN,
            code::AUTH_PATH_UNKNOWN,
            code::AUTH_PATH_TYPE,
            code::AUTH_MAX_AGE,
            code::AUTH_ACR,
        ],
    },
    Fact {
        name: "public",
        on: "root fields",
        server: "no check; a response to `GET` that contains only public fields has an `ETag`",
        client: "`can`",
        problems: &[code::ACCESS_TWICE, code::ACCESS_MISSING, code::ACCESS_MISPLACED],
    },
    Fact {
        name: "resolve",
        on: "fields of a leaf type",
        server: "a separate resolver trait",
        client: "–",
        problems: &[code::RESOLVE_MISPLACED],
    },
    Fact {
        name: "embedded",
        on: "object types, interfaces, unions",
        server: "plain data in the struct of the parent",
        client: "no identity in the cache",
        problems: &[code::EMBEDDED_MISPLACED, code::EMBEDDED_MEMBER, code::EMBEDDED_CYCLE],
    },
    Fact {
        name: "length",
        on: "strings, lists of strings",
        server: VIOLATIONS,
        client: FORM_RULES,
        problems: &[code::LIMIT_TYPE, code::LIMIT_ORDER, code::DEFAULT_LIMIT],
    },
    Fact {
        name: "count",
        on: "lists",
        server: VIOLATIONS,
        client: FORM_RULES,
        problems: &[code::LIMIT_TYPE, code::LIMIT_ORDER, code::DEFAULT_LIMIT],
    },
    Fact {
        name: "range",
        on: "numbers, lists of numbers",
        server: VIOLATIONS,
        client: FORM_RULES,
        problems: &[code::LIMIT_TYPE, code::LIMIT_ORDER, code::DEFAULT_LIMIT],
    },
    Fact {
        name: "depth",
        on: "recursive input types",
        server: VIOLATIONS,
        client: FORM_RULES,
        problems: &[code::LIMIT_TYPE, code::LIMIT_ORDER, code::DEFAULT_LIMIT],
    },
    Fact {
        name: "format",
        on: "strings, lists of strings",
        server: VIOLATIONS,
        client: FORM_RULES,
        problems: &[code::LIMIT_TYPE, code::FORMAT_UNKNOWN, code::DEFAULT_LIMIT],
    },
    Fact {
        name: "throws",
        on: "fields with a resolver",
        server: "any other code is a compile error",
        client: "a closed union of codes, error texts",
        problems: &[code::THROWS_TWICE, code::DATA_FIELD_DIRECTIVE],
    },
    Fact {
        name: "error",
        on: "values of the error enum",
        server: "a missing slot is a compile error",
        client: "error texts, retry advice",
        problems: &[
            code::ERROR_MISSING,
            code::ERROR_MISPLACED,
            code::ERROR_STATUS,
            code::ERROR_SLOTS,
        ],
    },
    Fact {
        name: "transition",
        on: "mutations",
        server: "`transition::…` rejects other states",
        client: "the states in which a button is enabled",
        problems: &[code::TRANSITION_ENUM, code::TRANSITION_STATE, code::ONLY_MUTATIONS],
    },
    Fact {
        name: "audited",
        on: "mutations",
        server: "the generated constant names the audit entry, which is written in the transaction of the change",
        client: "–",
        problems: &[code::AUDIT_ACTION, code::ONLY_MUTATIONS],
    },
    Fact {
        name: "cost",
        on: "fields with a resolver",
        server: "`TOO_COSTLY`, for documents that are not in the manifest",
        client: "–",
        problems: &[
            code::COST_TIMES,
            code::COST_UNBOUNDED,
            code::COST_NEGATIVE,
            code::DATA_FIELD_DIRECTIVE,
        ],
    },
    Fact {
        name: "rate",
        on: "root fields",
        server: "`RATE_LIMITED` with the seconds to wait",
        client: "retry advice",
        problems: &[
            code::RATE_ARGUMENT,
            code::RATE_LIMIT,
            code::RATE_MISPLACED,
            code::RATE_ACCOUNT,
        ],
    },
];

pub fn directive_references() -> Vec<DirectiveReference> {
    let Ok(document) = Document::parse(DEFINITIONS, "directives.graphql") else {
        return Vec::new();
    };
    let definitions = document.definitions.iter().filter_map(|definition| match definition {
        Definition::DirectiveDefinition(directive) => Some(directive),
        _ => None,
    });
    let facts = |name: &str| FACTS.iter().find(|fact| fact.name == name);
    definitions
        .filter_map(|directive| {
            let fact = facts(&directive.name)?;
            Some(DirectiveReference {
                name: directive.name.to_string(),
                arguments: directive
                    .arguments
                    .iter()
                    .map(|argument| argument.name.to_string())
                    .collect(),
                definition: sdl::directive_line(directive),
                description: directive
                    .description
                    .as_ref()
                    .map(|text| text.to_string())
                    .unwrap_or_default(),
                on: fact.on,
                server: fact.server,
                client: fact.client,
                problems: fact.problems,
            })
        })
        .collect()
}

impl DirectiveReference {
    /// Finds a directive by its name, with or without `@`.
    ///
    /// # Errors
    /// An error message that suggests the nearest name.
    pub fn from_name(name: &str) -> Result<DirectiveReference, String> {
        let wanted = name.trim_start_matches('@');
        let all = directive_references();
        let near = nearest(wanted, all.iter().map(|directive| directive.name.as_str()));
        let unknown = match near {
            Some(near) => format!("unknown directive `@{wanted}`; did you mean `@{near}`?"),
            None => {
                let names: Vec<String> = all.iter().map(|directive| format!("@{}", directive.name)).collect();
                format!(
                    "unknown directive `@{wanted}`; traitql's directives are {}",
                    names.join(", ")
                )
            }
        };
        all.into_iter()
            .find(|directive| directive.name == wanted)
            .ok_or(unknown)
    }

    /// Returns the directive with its argument names: `@auth(role:, of:, by:)`.
    pub fn usage(&self) -> String {
        let arguments: Vec<String> = self.arguments.iter().map(|name| format!("{name}:")).collect();
        if arguments.is_empty() {
            format!("@{}", self.name)
        } else {
            format!("@{}({})", self.name, arguments.join(", "))
        }
    }

    /// Returns the first sentence of the description, with the second one if the first is very short.
    pub fn summary(&self) -> String {
        let text = self.description.split_whitespace().collect::<Vec<_>>().join(" ");
        let ends: Vec<usize> = text.match_indices(". ").map(|(at, _)| at + 1).collect();
        let end = ends.into_iter().find(|end| *end > 40).unwrap_or(text.len());
        text[..end].to_owned()
    }
}

impl fmt::Display for DirectiveReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "@{}\n\n    {}\n\n{}\n", self.name, self.definition, self.description)?;
        writeln!(f, "On: {}", self.on)?;
        writeln!(f, "Server: {}", self.server)?;
        writeln!(f, "Clients: {}", self.client)?;
        let problems: Vec<String> = self.problems.iter().map(Code::to_string).collect();
        writeln!(f, "Diagnostics: {}", problems.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_directive_has_facts() {
        let document = Document::parse(DEFINITIONS, "directives.graphql").expect("it parses");
        let defined = document.definitions.iter().filter(|definition| {
            let Definition::DirectiveDefinition(directive) = definition else {
                return false;
            };
            let known = FACTS.iter().any(|fact| fact.name == directive.name.as_str());
            assert!(known, "add an entry for `@{}` to FACTS", directive.name);
            true
        });
        assert_eq!(
            defined.count(),
            FACTS.len(),
            "FACTS has an entry for an unknown directive"
        );
    }

    #[test]
    fn the_summary_is_the_beginning_of_the_description() {
        let auth = DirectiveReference::from_name("@auth").expect("`@auth` is a directive");
        assert_eq!(auth.usage(), "@auth(role:, of:, by:, maxAge:, acr:)");
        assert_eq!(
            auth.summary(),
            "Access check of a root field. Without arguments, any signed-in account may call it; others receive `UNAUTHENTICATED`."
        );
        let problem = "unknown directive `@lenght`; did you mean `@length`?";
        assert_eq!(DirectiveReference::from_name("@lenght"), Err(problem.to_owned()));
    }
}
