//! Paths of trusted operations for pages of other sites.
//!
//! A route has the engine and limits of `/graphql`, with a simpler envelope: the variables, and the root field or
//! `{"error": {"code", "message"}}` with its status. The engine marks the root field in the bytes of its response, so
//! that it is neither parsed nor copied. `text/plain` needs no preflight (Fetch, section 2.2.2) and suits
//! `navigator.sendBeacon`.
//!
//! Routes ignore cookies and tokens. The operation decides by [`Ctx::origin`] which pages it serves.

use std::{fmt, net::IpAddr, sync::Arc};

use axum::{
    body::Body,
    extract::State,
    http::{HeaderMap, HeaderName, HeaderValue, Request, StatusCode, header, request::Parts},
    response::Response,
};
use bytes::Bytes;
use futures_util::future::BoxFuture;
use serde::Deserialize;
use serde_json::json;
use tracing::{Instrument, info_span};

use super::{
    Endpoint,
    access_log::AccessLogEntry,
    address::client_address,
    body::{self, MediaTypes},
    execute::execute,
    handler::origin_of,
    id::{REQUEST_ID, RequestId},
    problem::Problem,
    request,
};
use traitql::{Ctx, CtxParts, Document, Documents, OperationKind, engine};

#[derive(Clone)]
pub(super) struct Routes {
    pub(super) documents: Vec<(String, Arc<Document>)>,
    pub(super) may_read: Arc<dyn Fn(String) -> BoxFuture<'static, bool> + Send + Sync>,
}

impl fmt::Debug for Routes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Routes")
            .field("documents", &self.documents.len())
            .finish_non_exhaustive()
    }
}

/// A route that refers to no query or mutation of the manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownOperation {
    /// The name of the operation.
    pub operation: String,
}

impl fmt::Display for UnknownOperation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not a query or mutation of the manifest", self.operation)
    }
}

impl std::error::Error for UnknownOperation {}

pub(super) fn find(documents: &Documents, operation: &str) -> Result<Arc<Document>, UnknownOperation> {
    let found = documents
        .iter()
        .find(|document| document.name.as_deref() == Some(operation) && document.kind != OperationKind::Subscription);
    found.cloned().ok_or_else(|| UnknownOperation {
        operation: operation.to_owned(),
    })
}

#[derive(Clone)]
pub(super) struct Route {
    pub(super) path: Arc<str>,
    pub(super) endpoint: Arc<Endpoint>,
    pub(super) document: Arc<Document>,
}

pub(super) fn handle(State(route): State<Route>, request: Request<Body>) -> impl Future<Output = Response> + Send {
    let (parts, body) = request.into_parts();
    let id = RequestId::of(&parts.headers);
    let span = info_span!("request", request_id = &*id);
    Box::pin(async move { route.respond(id, &parts, body).await }.instrument(span))
}

impl Route {
    async fn respond(&self, id: RequestId, parts: &Parts, body: Body) -> Response {
        let address = client_address(&parts.headers, &parts.extensions, self.endpoint.trust_proxy);
        let mut log_entry = AccessLogEntry::new(id, "route", parts.method.clone(), &self.path, address);
        log_entry.document(&self.document);
        let reader = self.reader(&parts.headers).await;
        let answer = match self.run(id, address, parts, body).await {
            Ok(response) => Answer::of(&response),
            Err(problem) => Answer::problem(problem),
        };
        log_entry.outcome(answer.status.as_u16(), answer.outcome);
        log_entry.sent(answer.body.len());
        answer.into_response(id, reader)
    }

    async fn reader(&self, headers: &HeaderMap) -> Option<HeaderValue> {
        let routes = self.endpoint.routes.as_ref()?;
        let origin = origin_of(headers)?;
        let readable = (routes.may_read)(origin).await;
        readable.then(|| headers.get(header::ORIGIN).cloned()).flatten()
    }

    async fn run(
        &self,
        id: RequestId,
        address: Option<IpAddr>,
        parts: &Parts,
        body: Body,
    ) -> Result<engine::Response, Problem> {
        let endpoint = &self.endpoint;
        let body = body::read(parts, body, MediaTypes::JsonOrText, endpoint.body).await?;
        let variables = request::variables(&body)?;
        let cx: Ctx = CtxParts {
            request_id: id.to_string(),
            origin: origin_of(&parts.headers),
            address,
            ..CtxParts::default()
        }
        .into();
        execute(endpoint, &cx, &self.document, variables).await
    }
}

struct Answer {
    status: StatusCode,
    body: Bytes,
    /// `OK`, or the error's code.
    outcome: &'static str,
    headers: Vec<(HeaderName, HeaderValue)>,
}

#[derive(Deserialize)]
struct Failed {
    #[serde(default)]
    errors: Vec<ExecutionError>,
}

#[derive(Deserialize)]
struct ExecutionError {
    message: String,
}

const SEVERAL_ROOT_FIELDS: &str = "The operation of this path must have exactly one root field.";

impl Answer {
    fn of(response: &engine::Response) -> Self {
        if let Some(root_field) = response.root_field.clone() {
            return Self {
                status: StatusCode::OK,
                body: response.body.slice(root_field),
                outcome: "OK",
                headers: Vec::new(),
            };
        }
        let failed: Failed = serde_json::from_slice(&response.body).expect("the engine returns a GraphQL response");
        let message = failed
            .errors
            .first()
            .map_or(SEVERAL_ROOT_FIELDS, |error| &error.message);
        let code = response.codes.first().copied().unwrap_or("INTERNAL");
        // The status is 200 if the root field is nullable.
        let status = StatusCode::from_u16(response.http)
            .ok()
            .filter(|status| *status != StatusCode::OK);
        let mut answer = Self::error(status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR), code, message);
        if code == "UNAVAILABLE" {
            let retry_after = HeaderValue::from(traitql::OUTAGE_RETRY_SECONDS);
            answer.headers.push((header::RETRY_AFTER, retry_after));
        }
        answer
    }

    fn problem(problem: Problem) -> Self {
        let message = problem.errors.first().map_or("", |error| error.message.as_str());
        Self {
            headers: problem.headers.clone(),
            ..Self::error(problem.status, problem.code(), message)
        }
    }

    fn error(status: StatusCode, code: &'static str, message: &str) -> Self {
        let body = json!({ "error": { "code": code, "message": message } });
        Self {
            status,
            body: body.to_string().into(),
            outcome: code,
            headers: Vec::new(),
        }
    }

    fn into_response(self, id: RequestId, reader: Option<HeaderValue>) -> Response {
        let mut response = Response::new(Body::from(self.body));
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        for (name, value) in self.headers {
            headers.insert(name, value);
        }
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        headers.insert(header::VARY, HeaderValue::from_static("origin"));
        headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        headers.insert(REQUEST_ID, id.header());
        if let Some(origin) = reader {
            headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
            let exposed = HeaderValue::from_static("x-request-id, retry-after");
            headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, exposed);
        }
        response
    }
}
