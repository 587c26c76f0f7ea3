//! Codes and messages are those of every traitql schema's catalog.

use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use bytes::Bytes;
use serde_json::{Map, Value, json};

use traitql::{FieldError, Finding, Rejection};

#[derive(Debug)]
pub(super) struct Problem {
    pub(super) errors: Vec<FieldError>,
    locations: Vec<Vec<Location>>,
    pub(super) status: StatusCode,
    /// `application/json` carries these GraphQL errors with status 200 (GraphQL over HTTP, section 6.4.1).
    pub(super) well_formed: bool,
    pub(super) headers: Vec<(HeaderName, HeaderValue)>,
}

/// Line and column in a document, both starting at 1.
pub(crate) type Location = (usize, usize);

impl Problem {
    fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        let error = FieldError::new(code, status.as_u16(), message);
        Self {
            errors: vec![error],
            locations: Vec::new(),
            status,
            well_formed: false,
            headers: Vec::new(),
        }
    }

    /// `problem` is the end of a sentence.
    pub(super) fn malformed(problem: impl Into<String>) -> Self {
        let problem = problem.into();
        Self::new(
            StatusCode::BAD_REQUEST,
            "MALFORMED_REQUEST",
            format!("The request is not a GraphQL request: {problem}."),
        )
        .slot("problem", problem)
    }

    pub(super) fn too_large(limit: usize) -> Self {
        let message = format!("The request is larger than {limit} bytes.");
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "PAYLOAD_TOO_LARGE", message)
            .slot("limit", limit)
            .header(header::CONNECTION, HeaderValue::from_static("close"))
    }

    pub(super) fn unauthenticated() -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "UNAUTHENTICATED", "Sign in to continue.")
    }

    pub(super) fn unavailable(problem: &str, retry_after_seconds: u64) -> Self {
        let message = format!("The service is not available at the moment: {problem}.");
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "UNAVAILABLE", message)
            .slot("problem", problem)
            .header(header::RETRY_AFTER, HeaderValue::from(retry_after_seconds))
    }

    /// The response is the same for all causes, so that it does not help guessing.
    pub(super) fn unknown_operation() -> Self {
        let message = "This server answers only the operations that it was built with.";
        Self::new(StatusCode::FORBIDDEN, "UNKNOWN_OPERATION", message).well_formed()
    }

    /// Apollo clients then repeat the request with the text of the document.
    pub(super) fn persisted_query_not_found() -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            "PERSISTED_QUERY_NOT_FOUND",
            "PersistedQueryNotFound",
        )
        .well_formed()
    }

    pub(super) fn rate_limited(seconds: u64) -> Self {
        let message = format!("Too many requests. Try again in {seconds} seconds.");
        Self::new(StatusCode::TOO_MANY_REQUESTS, "RATE_LIMITED", message)
            .slot("seconds", seconds)
            .header(header::RETRY_AFTER, HeaderValue::from(seconds))
    }

    pub(super) fn timeout() -> Self {
        Self::new(
            StatusCode::GATEWAY_TIMEOUT,
            "TIMEOUT",
            "The server took too long to respond.",
        )
    }

    /// The request id leads to the log entry of a bug.
    pub(super) fn internal(request_id: &str) -> Self {
        let message = format!("Something failed on our side. Reference {request_id}.");
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "INTERNAL", message).slot("id", request_id)
    }

    pub(super) fn status(mut self, status: StatusCode) -> Self {
        self.status = status;
        for error in &mut self.errors {
            error.http = status.as_u16();
        }
        self
    }

    pub(super) fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.push((name, value));
        self
    }

    pub(super) fn detail(mut self, name: &str, value: impl Into<Value>) -> Self {
        let value = value.into();
        for error in &mut self.errors {
            error.details.insert(name.to_owned(), value.clone());
        }
        self
    }

    fn slot(mut self, name: &str, value: impl Into<Value>) -> Self {
        let value = value.into();
        for error in &mut self.errors {
            error.slots.insert(name.to_owned(), value.clone());
        }
        self
    }

    fn well_formed(mut self) -> Self {
        self.well_formed = true;
        self
    }

    pub(super) fn code(&self) -> &'static str {
        self.errors.first().map_or("INTERNAL", |error| error.code)
    }

    pub(super) fn reason(&self) -> Option<&str> {
        self.errors.first()?.details.get("reason")?.as_str()
    }

    pub(super) fn to_errors(&self, request_id: &str) -> Value {
        let errors = self.errors.iter().enumerate().map(|(index, error)| {
            let mut out = Map::new();
            out.insert("message".into(), error.message.as_str().into());
            if let Some(locations) = self.locations.get(index).filter(|locations| !locations.is_empty()) {
                let locations = locations
                    .iter()
                    .map(|(line, column)| json!({ "line": line, "column": column }));
                out.insert("locations".into(), locations.collect());
            }
            out.insert("extensions".into(), error.extensions(request_id).into());
            Value::Object(out)
        });
        errors.collect()
    }

    pub(super) fn body(&self, request_id: &str) -> Bytes {
        json!({ "errors": self.to_errors(request_id) }).to_string().into()
    }
}

impl From<Rejection> for Problem {
    fn from(rejection: Rejection) -> Self {
        match rejection {
            Rejection::Invalid(findings) => {
                let mut problem = Self::new(StatusCode::BAD_REQUEST, "INVALID_DOCUMENT", "").well_formed();
                problem.errors.clear();
                for Finding {
                    problem: text,
                    locations,
                } in findings
                {
                    let message = format!("The document does not fit the schema: {text}");
                    problem
                        .errors
                        .push(FieldError::new("INVALID_DOCUMENT", 400, message).slot("problem", text));
                    problem.locations.push(locations);
                }
                problem
            }
            Rejection::TooLarge(text) => {
                let message = format!("The document exceeds a limit of the server: {text}");
                Self::new(StatusCode::BAD_REQUEST, "INVALID_DOCUMENT", message)
                    .slot("problem", text)
                    .well_formed()
            }
            Rejection::TooCostly { cost, limit } => {
                let message = format!("This request costs {cost}, more than the limit of {limit}.");
                Self::new(StatusCode::BAD_REQUEST, "TOO_COSTLY", message)
                    .slot("cost", cost)
                    .slot("limit", limit)
                    .well_formed()
            }
        }
    }
}
