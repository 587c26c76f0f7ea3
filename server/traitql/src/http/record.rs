//! One line in the log for each request and each operation on a socket; and the id that leads from an answer to it.
//!
//! Names of operations are written only after the document was accepted: a stranger's text never becomes a field of the log.
//! Variables and tokens are never written.

use std::time::Instant;

use axum::http::{HeaderMap, HeaderName};
use tracing::info;
use uuid::Uuid;

use crate::engine::{Document, OperationKind};

/// Carries the id of a request, in both directions.
pub(super) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The client's id if it is harmless (`[\w-]{1,64}`), else a new one.
pub(super) fn request_id(headers: &HeaderMap) -> String {
    let given = headers.get(REQUEST_ID).and_then(|id| id.to_str().ok());
    let harmless = |id: &&str| {
        (1..=64).contains(&id.len())
            && id
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
    };
    given.filter(harmless).map_or_else(new_request_id, str::to_owned)
}

/// An id that sorts by time.
pub(super) fn new_request_id() -> String {
    Uuid::now_v7().simple().to_string()
}

/// What will be logged. Written when it is dropped, so that a client that goes away leaves a line too.
#[derive(Debug)]
pub(super) struct Record {
    request_id: String,
    began: Instant,
    operation: Option<String>,
    kind: &'static str,
    transport: &'static str,
    status: u16,
    outcome: &'static str,
    bytes: u64,
}

impl Record {
    pub(super) fn new(request_id: &str, transport: &'static str) -> Self {
        Self {
            request_id: request_id.to_owned(),
            began: Instant::now(),
            operation: None,
            kind: "none",
            transport,
            status: 499,
            outcome: "CLIENT_GONE",
            bytes: 0,
        }
    }

    /// The document was accepted.
    pub(super) fn document(&mut self, document: &Document) {
        self.operation.clone_from(&document.name);
        self.kind = match document.kind {
            OperationKind::Query => "query",
            OperationKind::Mutation => "mutation",
            OperationKind::Subscription => "subscription",
        };
    }

    /// How it ended: `OK`, or a code of the error catalogue.
    pub(super) fn outcome(&mut self, status: u16, outcome: &'static str) {
        self.status = status;
        self.outcome = outcome;
    }

    /// Something was sent.
    pub(super) fn sent(&mut self, bytes: usize) {
        self.bytes = self.bytes.saturating_add(bytes as u64);
    }
}

impl Drop for Record {
    fn drop(&mut self) {
        info!(
            target: "traitql::request",
            request_id = self.request_id,
            transport = self.transport,
            operation = self.operation.as_deref().unwrap_or("-"),
            kind = self.kind,
            status = self.status,
            outcome = self.outcome,
            duration_ms = self.began.elapsed().as_millis() as u64,
            bytes = self.bytes,
            "request"
        );
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn a_harmless_id_is_kept_and_any_other_is_replaced() {
        let id = |given: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(REQUEST_ID, given.parse().unwrap());
            request_id(&headers)
        };
        assert_eq!(id("Trace_1-a"), "Trace_1-a");
        let long = "a".repeat(65);
        for harmful in ["", "two words", "a\"b", "ä", long.as_str()] {
            assert_eq!(id(harmful).len(), 32, "{harmful}");
        }
    }
}
