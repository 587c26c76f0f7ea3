//! Errors that the runtime itself returns.

use serde_json::Value;

use crate::{FieldError, Violation};

/// An entry of the schema's error catalog.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ErrorDefinition {
    /// `NOT_FOUND`
    pub code: &'static str,
    /// HTTP status.
    pub http: u16,
    /// Message with `{slots}`.
    pub message: &'static str,
}

/// Definitions of codes that the schema's catalog lacks.
const DEFAULTS: &[ErrorDefinition] = &[
    ErrorDefinition {
        code: "UNAUTHENTICATED",
        http: 401,
        message: "Sign in to continue.",
    },
    ErrorDefinition {
        code: "FORBIDDEN",
        http: 403,
        message: "This needs the {role} role.",
    },
    ErrorDefinition {
        code: "STEP_UP_REQUIRED",
        http: 401,
        message: "Sign in again to continue.",
    },
    ErrorDefinition {
        code: "NOT_FOUND",
        http: 404,
        message: "This {thing} does not exist, or you cannot see it.",
    },
    ErrorDefinition {
        code: "INVALID_INPUT",
        http: 400,
        message: "{field}: {problem}.",
    },
    ErrorDefinition {
        code: "INVALID_DOCUMENT",
        http: 400,
        message: "The document does not fit the schema: {problem}",
    },
    ErrorDefinition {
        code: "RATE_LIMITED",
        http: 429,
        message: "Too many requests. Try again in {seconds} seconds.",
    },
    ErrorDefinition {
        code: "UNAVAILABLE",
        http: 503,
        message: "The service is temporarily unavailable: {problem}.",
    },
    ErrorDefinition {
        code: "INTERNAL",
        http: 500,
        message: "Something failed on our side. Reference {id}.",
    },
];

#[derive(Debug, Clone, Copy)]
pub(crate) struct ErrorCatalog(pub(crate) &'static [ErrorDefinition]);

impl ErrorCatalog {
    pub(crate) fn error(self, code: &'static str, slots: &[(&str, &str)]) -> FieldError {
        let definition = self.0.iter().chain(DEFAULTS).find(|definition| definition.code == code);
        let definition = definition.expect("the runtime only uses codes that have a default message");
        let mut message = definition.message.to_owned();
        for (slot, value) in slots {
            message = message.replace(&format!("{{{slot}}}"), value);
        }
        let error = FieldError::new(code, definition.http, message);
        let used = slots
            .iter()
            .filter(|(slot, _)| definition.message.contains(&format!("{{{slot}}}")));
        used.fold(error, |error, (slot, value)| error.slot(slot, *value))
    }

    /// Describes the first violation in the message.
    pub(crate) fn invalid(self, violations: &[Violation]) -> FieldError {
        let (field, problem) = match violations.first() {
            Some(first) => (first.path.as_str(), first.problem.to_string()),
            None => ("input", "is not valid".to_owned()),
        };
        let error = self.error("INVALID_INPUT", &[("field", field), ("problem", &problem)]);
        error.detail(
            "violations",
            violations.iter().map(Violation::to_json).collect::<Vec<Value>>(),
        )
    }

    /// The only field of a subscription is excluded by `@skip` or `@include` (GraphQL September 2025,
    /// CreateSourceEventStream: a request error).
    pub(crate) fn no_event(self) -> FieldError {
        self.error("INVALID_DOCUMENT", &[("problem", "its only field is skipped.")])
    }

    /// The request id in the message leads to the log entry.
    pub(crate) fn redact(self, error: FieldError, request_id: &str) -> FieldError {
        let redacted = match (error.code, error.slots.get("problem")) {
            ("INTERNAL", _) => self.error("INTERNAL", &[("id", request_id)]),
            ("UNAVAILABLE", Some(Value::String(problem))) => self.error("UNAVAILABLE", &[("problem", problem)]),
            _ => return error,
        };
        FieldError {
            details: error.details,
            cause: error.cause,
            ..redacted
        }
    }
}
