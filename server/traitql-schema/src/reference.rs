//! The reference of traitql's directives: what each of them is in GraphQL comes from `lower/directives.graphql`, with the
//! descriptions there; what it means for the server, for clients and for whoever writes the schema stands here. The table
//! in `schema/README.md` and `server/traitql/docs/directives.md` are made of both.

use std::fmt;

use apollo_compiler::ast::{Definition, Document};

use crate::code::{self, Code};
use crate::lower::DEFINITIONS;
use crate::sdl;
use crate::suggest::nearest;

/// A directive of traitql.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Directive {
    /// Its name, without the `@`.
    pub name: String,
    /// The names of its arguments.
    pub arguments: Vec<String>,
    /// Its definition on one line.
    pub definition: String,
    /// What it means.
    pub description: String,
    /// Where it makes a difference, in words narrower than the definition's.
    pub on: &'static str,
    /// How the server keeps it.
    pub server: &'static str,
    /// What clients get of it.
    pub client: &'static str,
    /// What can be wrong about it in a schema, beside what can be wrong about any directive.
    pub problems: &'static [Code],
}

/// What GraphQL has no words for.
struct Fact {
    name: &'static str,
    on: &'static str,
    server: &'static str,
    client: &'static str,
    problems: &'static [Code],
}

const FORM_RULES: &str = "form rules";
const VIOLATIONS: &str = "`INVALID_INPUT` before any resolver, all violations at once";

const FACTS: [Fact; 15] = [
    Fact {
        name: "auth",
        on: "root fields",
        server: "`UNAUTHENTICATED`, `NOT_FOUND` to those who may not see the subject, `FORBIDDEN` to those with too low a role; the resolver receives a proof",
        client: "`can`, with the reason to show on a disabled button",
        problems: &[
            code::AUTH_INCOMPLETE,
            code::ACCESS_TWICE,
            code::ACCESS_MISSING,
            code::ACCESS_MISPLACED,
            code::SUBJECT_UNKNOWN,
            code::AUTH_PATH_UNKNOWN,
            code::AUTH_PATH_TYPE,
        ],
    },
    Fact {
        name: "public",
        on: "root fields",
        server: "nobody is asked; by `GET`, an answer of nothing but public fields has an `ETag`",
        client: "`can`",
        problems: &[code::ACCESS_TWICE, code::ACCESS_MISSING, code::ACCESS_MISPLACED],
    },
    Fact {
        name: "resolve",
        on: "fields of a leaf type",
        server: "a trait of its own",
        client: "–",
        problems: &[code::RESOLVE_MISPLACED],
    },
    Fact {
        name: "embedded",
        on: "object types, interfaces, unions",
        server: "plain data in the parent's struct",
        client: "no identity in the cache",
        problems: &[code::EMBEDDED_MISPLACED, code::EMBEDDED_MEMBER, code::EMBEDDED_CYCLE],
    },
    Fact {
        name: "length",
        on: "texts, lists of texts",
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
        on: "inputs that hold themselves",
        server: VIOLATIONS,
        client: FORM_RULES,
        problems: &[code::LIMIT_TYPE, code::LIMIT_ORDER, code::DEFAULT_LIMIT],
    },
    Fact {
        name: "format",
        on: "texts, lists of texts",
        server: VIOLATIONS,
        client: FORM_RULES,
        problems: &[code::LIMIT_TYPE, code::FORMAT_UNKNOWN, code::DEFAULT_LIMIT],
    },
    Fact {
        name: "throws",
        on: "fields with a resolver",
        server: "another code does not compile",
        client: "a closed union of codes, error texts",
        problems: &[code::THROWS_TWICE, code::DATA_FIELD_DIRECTIVE],
    },
    Fact {
        name: "error",
        on: "values of the error enum",
        server: "a missing slot does not compile",
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
        server: "`transition::…` refuses other states",
        client: "which buttons are live",
        problems: &[code::TRANSITION_ENUM, code::TRANSITION_STATE, code::ONLY_MUTATIONS],
    },
    Fact {
        name: "audited",
        on: "mutations",
        server: "the generated constant names the entry, written in the transaction of the change",
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

/// All directives of traitql, in the order of their definitions.
pub fn directives() -> Vec<Directive> {
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
            Some(Directive {
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

impl Directive {
    /// The directive that people name, with or without its `@`.
    ///
    /// # Errors
    /// A sentence for the person who asked, with the nearest name.
    pub fn named(name: &str) -> Result<Directive, String> {
        let wanted = name.trim_start_matches('@');
        let all = directives();
        let near = nearest(wanted, all.iter().map(|directive| directive.name.as_str()));
        let unknown = match near {
            Some(near) => format!("traitql has no directive `@{wanted}`; did you mean `@{near}`?"),
            None => {
                let names: Vec<String> = all.iter().map(|directive| format!("@{}", directive.name)).collect();
                format!("traitql has no directive `@{wanted}`; it has {}", names.join(", "))
            }
        };
        all.into_iter()
            .find(|directive| directive.name == wanted)
            .ok_or(unknown)
    }

    /// `@auth(role:, of:, by:)`
    pub fn usage(&self) -> String {
        let arguments: Vec<String> = self.arguments.iter().map(|name| format!("{name}:")).collect();
        match arguments.is_empty() {
            true => format!("@{}", self.name),
            false => format!("@{}({})", self.name, arguments.join(", ")),
        }
    }

    /// The first sentence of the description, and the second where the first says little.
    pub fn summary(&self) -> String {
        let text = self.description.split_whitespace().collect::<Vec<_>>().join(" ");
        let ends: Vec<usize> = text.match_indices(". ").map(|(at, _)| at + 1).collect();
        let end = ends.into_iter().find(|end| *end > 40).unwrap_or(text.len());
        text[..end].to_owned()
    }
}

/// The directive as a terminal shows it.
impl fmt::Display for Directive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "@{}\n\n    {}\n\n{}\n", self.name, self.definition, self.description)?;
        writeln!(f, "On: {}", self.on)?;
        writeln!(f, "Server: {}", self.server)?;
        writeln!(f, "Clients: {}", self.client)?;
        let problems: Vec<String> = self.problems.iter().map(Code::to_string).collect();
        writeln!(f, "What can be wrong: {}", problems.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_directive_has_its_facts() {
        let document = Document::parse(DEFINITIONS, "directives.graphql").expect("it parses");
        let defined = document.definitions.iter().filter(|definition| {
            let Definition::DirectiveDefinition(directive) = definition else {
                return false;
            };
            let known = FACTS.iter().any(|fact| fact.name == directive.name.as_str());
            assert!(known, "say in FACTS how `@{}` is enforced", directive.name);
            true
        });
        assert_eq!(defined.count(), FACTS.len(), "a fact is about no directive");
    }

    #[test]
    fn a_directive_is_summed_up_by_its_first_sentences() {
        let auth = Directive::named("@auth").expect("it is one");
        assert_eq!(auth.usage(), "@auth(role:, of:, by:)");
        assert_eq!(
            auth.summary(),
            "Who may call a root field. Without arguments: any signed-in person; others are answered with `UNAUTHENTICATED`."
        );
        let problem = "traitql has no directive `@lenght`; did you mean `@length`?";
        assert_eq!(Directive::named("@lenght"), Err(problem.to_owned()));
    }
}
