//! The sentences of apollo-compiler with their codes and help. A test fails if a sentence changes.
//!
//! The sentence is the message of a diagnostic. Only the diagnostics of [`own`](super::own) replace it, because their fix
//! depends on the schema.

use apollo_compiler::validation::DiagnosticData;
use apollo_compiler::{ExecutableDocument, Schema};

use super::{Finding, field_name, leading_name, own};
use crate::diagnostics::code::{self, Code};

/// One problem of apollo-compiler, with the text that it marks.
pub(super) struct Problem<'p> {
    pub(super) schema: &'p Schema,
    /// `None` for a problem of the schema.
    pub(super) document: Option<&'p ExecutableDocument>,
    pub(super) error: &'p DiagnosticData,
    pub(super) sentence: &'p str,
    /// The parts of the sentence that vary.
    pub(super) parts: Vec<&'p str>,
    pub(super) marked: &'p str,
}

impl<'p> Problem<'p> {
    pub(super) fn part(&self, index: usize) -> &'p str {
        self.parts.get(index).copied().unwrap_or_default()
    }

    /// Replaces `{0}` with a part of the sentence, `{field}`, `{type}` and `{on}` with a part of the marked text.
    fn fill(&self, template: &str) -> String {
        let mut out = template.to_owned();
        for (index, part) in self.parts.iter().enumerate() {
            out = out.replace(&format!("{{{index}}}"), part);
        }
        let condition = self.marked.split_once(" on ").map_or("", |(_, rest)| rest.trim_start());
        out.replace("{field}", field_name(self.marked))
            .replace("{type}", type_in(self.marked))
            .replace("{on}", leading_name(condition))
    }
}

/// Returns the type in `name(argument: Int): Type`.
fn type_in(definition: &str) -> &str {
    let rest = match (definition.find('('), definition.find(':'), definition.rfind("):")) {
        (Some(open), Some(colon), Some(close)) if open < colon => &definition[close + 2..],
        (_, Some(colon), _) => &definition[colon + 1..],
        _ => "",
    };
    leading_name(rest.trim_start_matches([' ', '[', '\n']))
}

pub(super) struct Rule {
    /// The sentence, with `{}` for each part that varies.
    sentence: &'static str,
    report: Report,
}

enum Report {
    /// The sentence itself, or a clearer message.
    Sentence {
        code: Code,
        message: Option<&'static str>,
        /// The name to underline.
        mark: &'static str,
        help: &'static str,
        /// A coordinate and the text of a note there.
        note: Option<(&'static str, &'static str)>,
    },
    Own(fn(&Problem<'_>) -> Option<Finding>),
    /// Another check of traitql reports it, with more context.
    Elsewhere,
}

impl Rule {
    const fn note(mut self, coordinate: &'static str, text: &'static str) -> Self {
        if let Report::Sentence { ref mut note, .. } = self.report {
            *note = Some((coordinate, text));
        }
        self
    }

    const fn message(mut self, text: &'static str) -> Self {
        if let Report::Sentence { ref mut message, .. } = self.report {
            *message = Some(text);
        }
        self
    }

    fn finding(&self, problem: &Problem<'_>) -> Option<Finding> {
        match &self.report {
            Report::Elsewhere => None,
            Report::Own(finding) => finding(problem),
            Report::Sentence {
                code,
                message,
                mark,
                help,
                note,
            } => {
                let message = message.map_or_else(|| problem.sentence.to_owned(), |text| problem.fill(text));
                let finding = Finding::new(*code, message)
                    .mark(&problem.fill(mark))
                    .help(problem.fill(help));
                let note = note.and_then(|(coordinate, text)| {
                    own::definition(problem.schema, &problem.fill(coordinate)).map(|at| (at, text))
                });
                Some(match note {
                    Some((at, text)) => finding.note(Some(at), text),
                    None => finding,
                })
            }
        }
    }
}

const fn rule(sentence: &'static str, code: Code, mark: &'static str, help: &'static str) -> Rule {
    Rule {
        sentence,
        report: Report::Sentence {
            code,
            message: None,
            mark,
            help,
            note: None,
        },
    }
}

const fn own(sentence: &'static str, finding: fn(&Problem<'_>) -> Option<Finding>) -> Rule {
    Rule {
        sentence,
        report: Report::Own(finding),
    }
}

const fn elsewhere(sentence: &'static str) -> Rule {
    Rule {
        sentence,
        report: Report::Elsewhere,
    }
}

const FIRST: &str = "first defined here";
const DEFINED: &str = "defined here";
const REMOVE_ONE: &str = "remove one of them";
const REMOVE_OR_RENAME: &str = "remove or rename one of them";
const WITH_EXTENSIONS: &str = "remove or rename one of them; extensions of the type count too";
const LIST_ONCE: &str = "list it once, in the definition or in an extension";
const OPTIONAL: &str = "make it nullable or give it a default value";
const ADD_ONE: &str = "add one, in the definition or in an extension";
const NO_SELECTION: &str = "remove the selection after `{field}`";
const ONE_FIELD_GIVEN: &str = "exactly one field is given, the others are absent";

#[rustfmt::skip]
const RULES: &[Rule] = &[
    rule("a schema document must not contain {}", code::SCHEMA_HOLDS_OPERATION, "", "move it to a separate file below `operations/`"),
    rule("an executable document must not contain {}", code::DOCUMENT_HOLDS_TYPE, "", "move it to a file below `schema/`"),

    rule("must not have multiple `schema` definitions", code::DUPLICATE_ROOT, "schema", "merge the definitions, or use `extend schema`"),
    rule("duplicate definitions for the `{}` root operation type", code::DUPLICATE_ROOT, "{0}", REMOVE_ONE),
    rule("the directive `@{}` is defined multiple times in the schema", code::DUPLICATE_DIRECTIVE, "{0}", REMOVE_OR_RENAME).note("@{0}", FIRST),
    rule("the type `{}` is defined multiple times in the schema", code::DUPLICATE_TYPE, "{0}", "rename one of them, or use `extend` to add to the other").note("{0}", FIRST),
    rule("duplicate definitions for the `{}` field of {} type `{}`", code::DUPLICATE_FIELD, "{0}", WITH_EXTENSIONS).note("{2}.{0}", FIRST),
    rule("duplicate definitions for the `{}` value of enum type `{}`", code::DUPLICATE_ENUM_VALUE, "{0}", WITH_EXTENSIONS).note("{1}.{0}", FIRST),
    rule("duplicate definitions for the `{}` member of union type `{}`", code::DUPLICATE_MEMBER, "{0}", WITH_EXTENSIONS).note("{1}.{0}", FIRST),
    rule("{} type `{}` implements interface `{}` more than once", code::DUPLICATE_INTERFACE, "{2}", LIST_ONCE),
    rule("the value `{}` is defined multiple times", code::DUPLICATE_ARGUMENT, "{0}", REMOVE_OR_RENAME).message("argument `{0}` is defined more than once"),
    rule("built-in scalar definitions must be omitted", code::BUILTIN_REDEFINED, "", "remove the definition"),
    rule("directive extension for undefined directive `@{}`", code::EXTENSION_OF_NOTHING, "{0}", "define it in any schema file, or remove `extend`"),
    rule("schema extension without a schema definition", code::EXTENSION_OF_NOTHING, "", "add `schema { … }`"),
    own("type extension for undefined type `{}`", own::undefined_extension),
    rule("adding {}, but `{}` is {}", code::EXTENSION_KIND, "{1}", "extend it with the keyword of its definition").note("{1}", DEFINED),

    own("missing query root operation type in schema definition", own::no_query),
    // Reported by `lower`, which also finds those that apollo-compiler misses.
    elsewhere("`{}` field must return an object type"),
    rule("the same type `{}` must not be used for multiple root operation types", code::ROOT_SHARED, "", "use a separate type for each operation type"),
    rule("`{}` has no fields", code::EMPTY_TYPE, "{0}", ADD_ONE),
    rule("`{}` has no enum values", code::EMPTY_TYPE, "{0}", ADD_ONE),
    rule("`{}` has no member types", code::EMPTY_TYPE, "{0}", ADD_ONE),
    rule("`{}` has no input values", code::EMPTY_TYPE, "{0}", ADD_ONE),
    rule("{} cannot be named `{}` as names starting with two underscores are reserved", code::RESERVED_NAME, "{1}", "choose another name"),
    rule("`{}` field must return an output type", code::OUTPUT_TYPE_EXPECTED, "{type}", "fields must return object types, interfaces, unions, enums or scalars"),
    rule("`{}` field must be of an input type", code::INPUT_TYPE_EXPECTED, "{type}", "arguments and input fields must be scalars, enums or input types"),
    rule("union member `{}` must be an object type", code::MEMBER_NOT_OBJECT, "{0}", "list only object types"),

    rule("type `{}` does not satisfy interface `{}`: missing field `{}`", code::INTERFACE_FIELD_MISSING, "{0}", "add `{2}` to `{0}`").note("{1}.{2}", DEFINED),
    rule("interface field `{}` expects type `{}` but `{}` of type `{}` is not a proper subtype", code::INTERFACE_FIELD_TYPE, "{2}", "use `{1}` or a subtype of it").note("{0}", DEFINED),
    rule("interface field `{}` expects argument `{}` but `{}` does not provide it", code::INTERFACE_ARGUMENT, "{2}", "add `{1}`").note("{0}", DEFINED),
    rule("interface field `{}` expects argument `{}` of type `{}` but `{}` provides type `{}`", code::INTERFACE_ARGUMENT, "{1}", "use `{2}`").note("{0}", DEFINED),
    rule("`{}` has extra required argument `{}` not present in interface `{}`", code::INTERFACE_ARGUMENT, "{1}", OPTIONAL).note("{2}", DEFINED),
    rule("field `{}` is deprecated but implements the non-deprecated interface field `{}`", code::INTERFACE_NOT_DEPRECATED, "{0}", "deprecate the interface field too").note("{1}", DEFINED),
    own("interface `{}` declares that it implements `{}`, but to do so it must also implement `{}`", own::transitive_interface),
    rule("interface {} cannot implement itself", code::INTERFACE_CYCLE, "{0}", "remove it from its own interfaces"),
    own("`{}` input object cannot be constructed because of an unbreakable cycle", own::input_cycle),
    rule("`{}` directive definition cannot reference itself", code::DIRECTIVE_CYCLE, "{0}", "remove it from its own arguments"),
    rule("`{}` field of a @oneOf input object must be nullable", code::ONE_OF_FIELD, "{0}", ONE_FIELD_GIVEN),
    rule("`{}` field must not have a default value", code::ONE_OF_FIELD, "{0}", ONE_FIELD_GIVEN),
    rule("@oneOf must not be provided by an input object type extension on `{}`", code::ONE_OF_FIELD, "oneOf", "move it to the definition"),
    rule("{} `{}` is required (non-null without a default value) and must not be deprecated", code::DEPRECATED_REQUIRED, "{1}", OPTIONAL),

    own("cannot find type `{}` in this document", own::unknown_type),
    own("type condition `{}` of fragment `{}` is not a type defined in the schema", own::unknown_type),
    own("type condition `{}` of inline fragment is not a type defined in the schema", own::unknown_type),
    own("cannot find directive `@{}` in this document", own::unknown_directive),
    rule("{} directive is not supported for {} location", code::DIRECTIVE_LOCATION, "{0}", "the definition of the directive lists its locations").note("@{0}", DEFINED),
    rule("non-repeatable directive {} can only be used once per location", code::DIRECTIVE_REPEATED, "{0}", REMOVE_ONE),
    own("the argument `{}` is not supported by `{}`", own::unknown_argument),
    own("the required argument `{}` is not provided", own::missing_argument),
    // Reported by `extra_validation`, which also checks unknown fields.
    elsewhere("the argument `{}` is provided multiple times"),

    own("expected value of type {}, found {}", own::wrong_value),
    rule("int cannot represent non 32-bit signed integer value", code::WRONG_VALUE, "", "an `Int` is between −2147483648 and 2147483647"),
    rule("float cannot represent non-finite 64-bit floating point value", code::WRONG_VALUE, "", "a `Float` is a finite 64-bit number"),
    own("value `{}` does not exist on `{}`", own::unknown_enum_value),
    own("field `{}` does not exist on `{}`", own::unknown_input_field),
    own("the required field `{}` is not provided", own::missing_input_field),
    rule("@oneOf input object `{}` must specify exactly one key, but {} {} given", code::ONE_OF_COUNT, "", "give one field and omit the others"),

    own("type `{}` does not have a field `{}`", own::unknown_field),
    rule("interface, union and object types must have a subselection set", code::SELECTION_MISSING, "{field}", "select the fields you need: `{field} { … }`")
        .message("`{field}` is an object, but none of its fields are selected"),
    rule("field selection of scalar type `{}` must not have subselections", code::SELECTION_ON_LEAF, "{field}", NO_SELECTION),
    rule("field selection of enum type `{}` must not have subselections", code::SELECTION_ON_LEAF, "{field}", NO_SELECTION),
    own("operation must not select different types using the same name `{}`", own::conflict),
    own("operation must not provide conflicting field arguments for the same name `{}`", own::conflict),
    own("cannot select different fields into the same alias `{}`", own::conflict),
    rule("{} must have a composite type in its type condition", code::FRAGMENT_ON_LEAF, "{on}", "use an object type, an interface or a union")
        .message("a fragment cannot be on `{on}`, which has no fields"),
    own("{} with type condition `{}` cannot be applied to `{}`", own::impossible_fragment),

    // Reported by the rules for operation files, and by `usage`, which sees all files.
    elsewhere("anonymous operation cannot be selected when the document contains other operations"),
    elsewhere("the fragment `{}` is defined multiple times in the document"),
    elsewhere("cannot find fragment `{}` in this document"),
    elsewhere("fragment `{}` must be used in an operation"),
    elsewhere("`{}` fragment cannot reference itself"),
    elsewhere("variable `${}` is not defined"),
    elsewhere("unused variable: `${}`"),
    rule("the operation `{}` is defined multiple times in the document", code::DUPLICATE_OPERATION, "{0}", "rename one of them, and its file"),
    rule("the variable `${}` is declared multiple times", code::DUPLICATE_VARIABLE, "${0}", REMOVE_ONE),
    rule("`${}` variable must be of an input type", code::VARIABLE_NOT_INPUT, "{type}", "variables must be scalars, enums or input types"),
    own("variable `${}` of type `{}` cannot be used for argument `{}` of type `{}`", own::variable_mismatch),
    rule("`{}` root operation type is not defined", code::NO_SUCH_ROOT, "{0}", "define it in the schema, or use another kind of operation"),
    own("{} can only have one root field", own::several_root_fields),
    rule("{} can not have an introspection field as a root field", code::SUBSCRIPTION_SHAPE, "", "remove it"),
    rule("{} can not specify @skip or @include on root fields", code::SUBSCRIPTION_SHAPE, "", "decide in the client whether to subscribe"),
];

/// Returns `None` if another check of traitql reports the problem. An unknown sentence is reported unchanged.
pub(super) fn finding(
    schema: &Schema,
    document: Option<&ExecutableDocument>,
    error: &DiagnosticData,
    marked: &str,
) -> Option<Finding> {
    let sentence = error.to_string();
    let Some((rule, parts)) = matching(&sentence) else {
        let code = document.map_or(code::SCHEMA_OTHER, |_| code::DOCUMENT_OTHER);
        return Some(Finding::new(code, sentence));
    };
    rule.finding(&Problem {
        schema,
        document,
        error,
        sentence: &sentence,
        parts,
        marked,
    })
}

fn matching(sentence: &str) -> Option<(&'static Rule, Vec<&str>)> {
    let found = RULES
        .iter()
        .find_map(|rule| Some((rule, parts(rule.sentence, sentence)?)));
    #[cfg(test)]
    super::record("rule ", found.as_ref().map_or(sentence, |(rule, _)| rule.sentence));
    found
}

/// Returns the texts in the places of `{}` of a template, each as short as possible, or `None` for another sentence.
fn parts<'s>(template: &str, sentence: &'s str) -> Option<Vec<&'s str>> {
    let mut literals = template.split("{}");
    let mut rest = sentence.strip_prefix(literals.next().unwrap_or_default())?;
    let mut parts = Vec::new();
    for literal in literals {
        let end = match literal {
            "" => rest.len(),
            literal => rest.find(literal)?,
        };
        parts.push(&rest[..end]);
        rest = &rest[end + literal.len()..];
    }
    rest.is_empty().then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn apollo_compiler_still_uses_each_sentence_of_the_table() {
        let sentences = RULES.iter().map(|rule| rule.sentence.to_owned());
        crate::validate::compiler::check_table("rule ", sentences);
    }

    #[test]
    fn the_parts_of_a_sentence_are_as_short_as_possible() {
        assert_eq!(parts("type `{}` has `{}`", "type `A` has `b`"), Some(vec!["A", "b"]));
        assert_eq!(
            parts("{} can only", "subscription `A` can only"),
            Some(vec!["subscription `A`"])
        );
        assert_eq!(parts("found {}", "found a string"), Some(vec!["a string"]));
        assert_eq!(parts("type `{}` has `{}`", "type `A`"), None);
    }
}
