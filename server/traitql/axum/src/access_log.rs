//! One entry for each request and each operation on a socket. The operation name is logged only for accepted
//! documents, so that no untrusted text is logged. Variables and tokens are never logged. The caller is the token's
//! subject.

use std::{net::IpAddr, sync::Arc, time::Instant};

use axum::http::Method;
use tracing::info;

use super::id::RequestId;
use traitql::{Document, OperationKind, Principal};

/// Writes the entry when it is dropped, so that a request whose client disconnects is logged as well.
#[derive(Debug)]
pub(super) struct AccessLogEntry {
    request_id: RequestId,
    started: Instant,
    document: Option<Arc<Document>>,
    transport: &'static str,
    method: Method,
    path: Arc<str>,
    address: Option<IpAddr>,
    subject: Option<String>,
    status: u16,
    outcome: &'static str,
    reason: Option<String>,
    bytes: u64,
}

impl AccessLogEntry {
    pub(super) fn new(
        request_id: RequestId,
        transport: &'static str,
        method: Method,
        path: &Arc<str>,
        address: Option<IpAddr>,
    ) -> Self {
        Self {
            request_id,
            started: Instant::now(),
            document: None,
            transport,
            method,
            path: Arc::clone(path),
            address,
            subject: None,
            status: 499,
            outcome: "CLIENT_GONE",
            reason: None,
            bytes: 0,
        }
    }

    pub(super) fn document(&mut self, document: &Arc<Document>) {
        self.document = Some(Arc::clone(document));
    }

    pub(super) fn principal(&mut self, principal: Option<&Principal>) {
        self.subject = principal.map(|principal| principal.subject.clone());
    }

    pub(super) fn outcome(&mut self, status: u16, outcome: &'static str) {
        self.status = status;
        self.outcome = outcome;
    }

    pub(super) fn reason(&mut self, reason: Option<&str>) {
        self.reason = reason.map(str::to_owned);
    }

    pub(super) fn sent(&mut self, bytes: usize) {
        self.bytes = self.bytes.saturating_add(bytes as u64);
    }
}

impl Drop for AccessLogEntry {
    fn drop(&mut self) {
        let document = self.document.as_deref();
        info!(
            target: "traitql::request",
            request_id = &*self.request_id,
            transport = self.transport,
            method = self.method.as_str(),
            path = &*self.path,
            address = self.address.map(display),
            subject = self.subject,
            operation = document.and_then(|document| document.name.as_deref()).unwrap_or("-"),
            kind = document.map_or("none", |document| kind(document.kind)),
            status = self.status,
            outcome = self.outcome,
            reason = self.reason,
            duration_us = self.started.elapsed().as_micros() as u64,
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
