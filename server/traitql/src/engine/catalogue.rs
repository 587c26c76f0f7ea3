//! The errors that the runtime itself answers with, in the words of the schema's error catalogue.

use serde_json::Value;

use crate::{FieldError, Violation};

/// One entry of the schema's error catalogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sentence {
    /// `NOT_FOUND`
    pub code: &'static str,
    /// HTTP status.
    pub http: u16,
    /// What it says, with `{slots}`.
    pub say: &'static str,
}

/// What is said where a schema's catalogue is silent.
const DEFAULTS: &[Sentence] = &[
    Sentence {
        code: "UNAUTHENTICATED",
        http: 401,
        say: "Sign in to continue.",
    },
    Sentence {
        code: "FORBIDDEN",
        http: 403,
        say: "This needs the {role} role.",
    },
    Sentence {
        code: "NOT_FOUND",
        http: 404,
        say: "This {thing} does not exist, or you cannot see it.",
    },
    Sentence {
        code: "INVALID_INPUT",
        http: 400,
        say: "{field}: {problem}.",
    },
    Sentence {
        code: "INVALID_DOCUMENT",
        http: 400,
        say: "The document does not fit the schema: {problem}",
    },
    Sentence {
        code: "RATE_LIMITED",
        http: 429,
        say: "Too many requests. Try again in {seconds} seconds.",
    },
    Sentence {
        code: "INTERNAL",
        http: 500,
        say: "Something failed on our side. Reference {id}.",
    },
];

/// The sentences of a schema.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Catalogue(pub(crate) &'static [Sentence]);

impl Catalogue {
    /// The error with this code, one of [`DEFAULTS`], and its slots filled.
    pub(crate) fn error(self, code: &'static str, slots: &[(&str, &str)]) -> FieldError {
        let sentence = self.0.iter().chain(DEFAULTS).find(|sentence| sentence.code == code);
        let sentence = sentence.expect("the runtime answers only with codes that have a default sentence");
        let mut say = sentence.say.to_owned();
        for (slot, value) in slots {
            say = say.replace(&format!("{{{slot}}}"), value);
        }
        let error = FieldError::new(code, sentence.http, say);
        let said = slots
            .iter()
            .filter(|(slot, _)| sentence.say.contains(&format!("{{{slot}}}")));
        said.fold(error, |error, (slot, value)| error.slot(slot, *value))
    }

    /// `INVALID_INPUT` with everything that is wrong; the sentence is about the first.
    pub(crate) fn invalid(self, violations: &[Violation]) -> FieldError {
        let (field, problem) = match violations.first() {
            Some(first) => (first.path.as_str(), first.problem.as_str()),
            None => ("input", "is not valid"),
        };
        let error = self.error("INVALID_INPUT", &[("field", field), ("problem", problem)]);
        error.detail(
            "violations",
            violations.iter().map(Violation::to_json).collect::<Vec<Value>>(),
        )
    }

    /// The refusal of a subscription whose only field `@skip` or `@include` leaves out (GraphQL September 2025,
    /// CreateSourceEventStream: a request error).
    pub(crate) fn no_event(self) -> FieldError {
        self.error("INVALID_DOCUMENT", &[("problem", "its only field is skipped.")])
    }

    /// How an error is told to the caller of a request: the sentence of an internal failure leads to the log.
    pub(crate) fn told(self, error: FieldError, request_id: &str) -> FieldError {
        if error.code != "INTERNAL" {
            return error;
        }
        let told = self.error("INTERNAL", &[("id", request_id)]);
        FieldError {
            cause: error.cause,
            ..told
        }
    }
}
