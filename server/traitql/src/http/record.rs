//! One line in the log for each request and each operation on a socket.
//!
//! Names of operations are written only after the document was accepted: a stranger's text never becomes a field of the log.
//! Variables and tokens are never written.

use std::{sync::Arc, time::Instant};

use tracing::info;

use super::id::RequestId;
use crate::engine::{Document, OperationKind};

/// What will be logged. Written when it is dropped, so that a client that goes away leaves a line too.
#[derive(Debug)]
pub(super) struct Record {
    request_id: RequestId,
    began: Instant,
    document: Option<Arc<Document>>,
    transport: &'static str,
    status: u16,
    outcome: &'static str,
    bytes: u64,
}

impl Record {
    pub(super) fn new(request_id: RequestId, transport: &'static str) -> Self {
        Self {
            request_id,
            began: Instant::now(),
            document: None,
            transport,
            status: 499,
            outcome: "CLIENT_GONE",
            bytes: 0,
        }
    }

    /// The document was accepted.
    pub(super) fn document(&mut self, document: &Arc<Document>) {
        self.document = Some(Arc::clone(document));
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
        let document = self.document.as_deref();
        info!(
            target: "traitql::request",
            request_id = &*self.request_id,
            transport = self.transport,
            operation = document.and_then(|document| document.name.as_deref()).unwrap_or("-"),
            kind = document.map_or("none", |document| kind(document.kind)),
            status = self.status,
            outcome = self.outcome,
            duration_ms = self.began.elapsed().as_millis() as u64,
            bytes = self.bytes,
            "request"
        );
    }
}

fn kind(kind: OperationKind) -> &'static str {
    match kind {
        OperationKind::Query => "query",
        OperationKind::Mutation => "mutation",
        OperationKind::Subscription => "subscription",
    }
}
