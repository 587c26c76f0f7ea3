//! Errors that the runtime itself returns, with the messages of the schema's error catalog.

use serde_json::Value;

use crate::{FieldError, Violation};

/// One entry of the schema's error catalog.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sentence {
    /// `NOT_FOUND`
    pub code: &'static str,
    /// HTTP status.
    pub http: u16,
    /// Message with `{slots}`.
    pub say: &'static str,
}

/// Messages for codes that the schema's catalog does not define.
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

/// The error catalog of a schema, with [`DEFAULTS`] as a fallback.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ErrorCatalog(pub(crate) &'static [Sentence]);

impl ErrorCatalog {
    /// Returns the error with this code, which must be in [`DEFAULTS`], and fills in its slots.
    pub(crate) fn error(self, code: &'static str, slots: &[(&str, &str)]) -> FieldError {
        let sentence = self.0.iter().chain(DEFAULTS).find(|sentence| sentence.code == code);
        let sentence = sentence.expect("the runtime only uses codes that have a default message");
        let mut message = sentence.say.to_owned();
        for (slot, value) in slots {
            message = message.replace(&format!("{{{slot}}}"), value);
        }
        let error = FieldError::new(code, sentence.http, message);
        let used = slots
            .iter()
            .filter(|(slot, _)| sentence.say.contains(&format!("{{{slot}}}")));
        used.fold(error, |error, (slot, value)| error.slot(slot, *value))
    }

    /// Returns `INVALID_INPUT` with all violations; the message describes the first one.
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

    /// Returns the error for a subscription whose only field is excluded by `@skip` or `@include` (GraphQL September
    /// 2025, CreateSourceEventStream: a request error).
    pub(crate) fn no_event(self) -> FieldError {
        self.error("INVALID_DOCUMENT", &[("problem", "its only field is skipped.")])
    }

    /// Replaces an internal error by the generic message with the request id, which leads to the log entry. Other
    /// errors are returned unchanged.
    pub(crate) fn redact(self, error: FieldError, request_id: &str) -> FieldError {
        if error.code != "INTERNAL" {
            return error;
        }
        let redacted = self.error("INTERNAL", &[("id", request_id)]);
        FieldError {
            cause: error.cause,
            ..redacted
        }
    }
}
