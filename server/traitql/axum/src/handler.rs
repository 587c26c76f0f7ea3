use std::{net::IpAddr, sync::Arc};

use axum::{
    body::Body,
    extract::State,
    http::{HeaderMap, HeaderValue, Method, Request, StatusCode, header, request::Parts},
    response::Response,
};
use bytes::Bytes;
use tracing::{Instrument, info_span};

use super::{
    Endpoint,
    accept::{Accept, Media},
    access_log::AccessLogEntry,
    address::client_address,
    auth,
    body::{self, MediaTypes},
    conditional_get::ConditionalGet,
    execute::{execute, subscribe},
    id::{REQUEST_ID, RequestId},
    multipart, origin,
    problem::Problem,
    request, trusted, ws,
};
use traitql::{Ctx, CtxParts, Document, OperationKind, Variables, engine};

/// The request head stays in this frame, and rare branches are boxed, because a future stores its arguments twice, and
/// allocating a small future is cheaper than a large one.
pub(super) fn handle(
    State(endpoint): State<Arc<Endpoint>>,
    request: Request<Body>,
) -> impl Future<Output = Response> + Send {
    let (mut parts, body) = request.into_parts();
    let id = RequestId::of(&parts.headers);
    let span = info_span!("request", request_id = &*id);
    let address = client_address(&parts.headers, &parts.extensions, endpoint.trust_proxy);
    let log_entry = AccessLogEntry::new(id, "http", parts.method.clone(), &endpoint.path, address);
    let mut call = Call {
        endpoint,
        accept: Accept::of(&parts.headers),
        id,
        conditional_get: None,
        log_entry: Some(log_entry),
        address,
    };
    Box::pin(async move { call.handle(&mut parts, body).await }.instrument(span))
}

struct Call {
    endpoint: Arc<Endpoint>,
    accept: Accept,
    id: RequestId,
    address: Option<IpAddr>,
    /// Set for responses that a cache may store.
    conditional_get: Option<ConditionalGet>,
    /// `None` after a stream has taken the entry over.
    log_entry: Option<AccessLogEntry>,
}

struct Operation {
    document: Arc<Document>,
    variables: Variables,
    cx: Ctx,
}

impl Call {
    async fn handle(&mut self, parts: &mut Parts, body: Body) -> Response {
        let result = match origin::check(&parts.headers) {
            Err(problem) => Err(problem),
            Ok(()) => self.dispatch(parts, body).await,
        };
        let mut response = match result {
            Ok(Answer::Single(response)) => self.single(response, &parts.headers),
            Ok(Answer::Complete(response)) => {
                self.log_result(response.status(), "OK", 0);
                response
            }
            Err(problem) => self.reject(&problem),
        };
        self.write_headers(response.headers_mut());
        // A cache must not store a response with a nonce.
        if self.conditional_get.is_none()
            && let Some(nonce) = auth::next_nonce(&self.endpoint, &parts.headers)
        {
            response.headers_mut().insert(auth::DPOP_NONCE, nonce);
        }
        response
    }

    async fn dispatch(&mut self, parts: &mut Parts, body: Body) -> Result<Answer, Problem> {
        match parts.method {
            Method::GET if ws::is_upgrade(&parts.headers) => {
                let cx = CtxParts {
                    origin: origin_of(&parts.headers),
                    address: self.address,
                    ..CtxParts::default()
                };
                let upgraded = Box::pin(ws::upgrade(&self.endpoint, cx, parts)).await;
                upgraded.map(Answer::Complete)
            }
            Method::GET | Method::POST => {
                let operation = self.operation(parts, body).await?;
                match operation.document.kind {
                    OperationKind::Subscription => Box::pin(self.subscribe(operation)).await,
                    _ => self.execute(operation).await,
                }
            }
            Method::OPTIONS => Ok(Answer::Complete(origin::options())),
            _ => Err(not_allowed(
                "the method must be POST, or GET for a query",
                "GET, POST, OPTIONS",
            )),
        }
    }

    async fn operation(&mut self, parts: &Parts, body: Body) -> Result<Operation, Problem> {
        let endpoint = Arc::clone(&self.endpoint);
        let is_get = parts.method == Method::GET;
        let (document, variables) = if is_get {
            let request = request::from_query_string(parts.uri.query().unwrap_or_default())?;
            (trusted::find(&endpoint, &request)?, request.variables)
        } else {
            let body = body::read(parts, body, MediaTypes::Json, endpoint.body).await?;
            let request = request::from_json(&body)?;
            (trusted::find(&endpoint, &request)?, request.variables)
        };
        if let Some(log_entry) = &mut self.log_entry {
            log_entry.document(&document);
        }
        if is_get && document.kind != OperationKind::Query {
            return Err(not_allowed("GET is allowed for queries only", "POST"));
        }
        self.check_accept(document.kind)?;
        if is_get && endpoint.documents.is_public(&document) {
            self.conditional_get = Some(ConditionalGet::of(&parts.headers));
        }
        let principal = auth::principal(&endpoint, &parts.method, &parts.headers).await?;
        if let Some(log_entry) = &mut self.log_entry {
            log_entry.principal(principal.as_ref());
        }
        let origin = origin_of(&parts.headers);
        let cx = CtxParts {
            request_id: self.id.to_string(),
            principal,
            origin,
            address: self.address,
        }
        .into();
        Ok(Operation {
            document,
            variables,
            cx,
        })
    }

    /// Rejects before execution.
    fn check_accept(&self, kind: OperationKind) -> Result<(), Problem> {
        let problem = match kind {
            OperationKind::Subscription if self.accept.multipart => return Ok(()),
            OperationKind::Subscription => {
                "a subscription needs an `Accept` header that allows `multipart/mixed; subscriptionSpec=1.0`, or a \
                 WebSocket"
            }
            _ if self.accept.single.is_some() => return Ok(()),
            _ => "the `Accept` header allows neither `application/graphql-response+json` nor `application/json`",
        };
        Err(Problem::malformed(problem).status(StatusCode::NOT_ACCEPTABLE))
    }

    async fn execute(
        &self,
        Operation {
            document,
            variables,
            cx,
        }: Operation,
    ) -> Result<Answer, Problem> {
        execute(&self.endpoint, &cx, &document, variables)
            .await
            .map(Answer::Single)
    }

    async fn subscribe(&mut self, operation: Operation) -> Result<Answer, Problem> {
        let Operation {
            document,
            variables,
            cx,
        } = operation;
        let permit = self
            .endpoint
            .streams
            .acquire(&cx)
            .ok_or_else(|| Problem::rate_limited(5))?;
        let ended = auth::ended(&self.endpoint, cx.principal());
        match subscribe(&self.endpoint, cx, &document, variables).await? {
            Err(response) => Ok(Answer::Single(response)),
            Ok(events) => {
                let log_entry = self.log_entry.take();
                let stream = multipart::Stream::new(&self.endpoint, self.id, events, ended, permit, log_entry);
                Ok(Answer::Complete(stream.into_response()))
            }
        }
    }

    fn single(&mut self, result: engine::Response, headers: &HeaderMap) -> Response {
        let media = self.accept.single_or_json();
        let status = match media {
            Media::Json => StatusCode::OK,
            Media::GraphqlResponse => StatusCode::from_u16(result.http).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
        };
        let outcome = result.codes.first().copied().unwrap_or("OK");
        let mut bytes = result.body.len();
        let mut response = build(status, media, result.body.clone());
        if let Some(conditional_get) = &self.conditional_get
            && result.codes.is_empty()
            && result.http == StatusCode::OK
        {
            response = conditional_get.validate(media, &result.body, response);
            if response.status() == StatusCode::NOT_MODIFIED {
                bytes = 0;
            }
        }
        if let Some(step_up) = &result.step_up {
            let challenge = auth::step_up_challenge(&self.endpoint, headers, step_up);
            response.headers_mut().insert(header::WWW_AUTHENTICATE, challenge);
        }
        if outcome == "UNAVAILABLE" {
            let retry_after = HeaderValue::from(traitql::OUTAGE_RETRY_SECONDS);
            response.headers_mut().insert(header::RETRY_AFTER, retry_after);
        }
        self.log_result(response.status(), outcome, bytes);
        response
    }

    fn reject(&mut self, problem: &Problem) -> Response {
        let media = self.accept.single_or_json();
        let status = match (media, problem.well_formed) {
            (Media::Json, true) => StatusCode::OK,
            _ => problem.status,
        };
        let body = problem.body(&self.id);
        if let Some(log_entry) = &mut self.log_entry {
            log_entry.reason(problem.reason());
        }
        self.log_result(status, problem.code(), body.len());
        let mut response = build(status, media, body);
        for (name, value) in &problem.headers {
            response.headers_mut().insert(name.clone(), value.clone());
        }
        response
    }

    fn log_result(&mut self, status: StatusCode, outcome: &'static str, bytes: usize) {
        if let Some(mut log_entry) = self.log_entry.take() {
            log_entry.outcome(status.as_u16(), outcome);
            log_entry.sent(bytes);
        }
    }

    fn write_headers(&self, headers: &mut HeaderMap) {
        const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");
        const VARY: HeaderValue = HeaderValue::from_static("accept, authorization, origin, sec-fetch-site");
        const NOSNIFF: HeaderValue = HeaderValue::from_static("nosniff");
        headers.entry(header::CACHE_CONTROL).or_insert(NO_STORE);
        headers.insert(header::VARY, VARY);
        headers.insert(header::X_CONTENT_TYPE_OPTIONS, NOSNIFF);
        headers.insert(REQUEST_ID, self.id.header());
    }
}

enum Answer {
    Single(engine::Response),
    Complete(Response),
}

fn build(status: StatusCode, media: Media, body: Bytes) -> Response {
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, HeaderValue::from_static(media.content_type()));
    response
}

fn not_allowed(problem: &str, allow: &'static str) -> Problem {
    Problem::malformed(problem)
        .status(StatusCode::METHOD_NOT_ALLOWED)
        .header(header::ALLOW, HeaderValue::from_static(allow))
}

pub(super) fn origin_of(headers: &HeaderMap) -> Option<String> {
    headers
        .get(header::ORIGIN)
        .and_then(|origin| origin.to_str().ok())
        .map(str::to_owned)
}
