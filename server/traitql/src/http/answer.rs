//! The path of one request, from its head to its answer.

use std::{net::IpAddr, panic::AssertUnwindSafe, pin::pin, sync::Arc};

use axum::{
    body::Body,
    extract::State,
    http::{HeaderMap, HeaderValue, Method, Request, StatusCode, header, request::Parts},
    response::Response,
};
use bytes::Bytes;
use futures_util::FutureExt;
use tracing::{Instrument, error, info_span};

use super::{
    Endpoint,
    accept::{Accept, Media},
    address::client_address,
    auth, body,
    id::{REQUEST_ID, RequestId},
    multipart,
    origin::{self, Source},
    problem::Problem,
    record::Record,
    request,
    revalidate::Revalidation,
    trusted,
    within::within,
    ws,
};
use crate::{
    ctx::{Ctx, CtxParts},
    engine::{self, Document, OperationKind, Variables},
};

/// Answers every request to the endpoint's path.
///
/// The head of the request lies here and is lent to what follows, and what is rare is boxed: a future holds what it is given
/// twice, and one of a few hundred bytes costs less of the allocator than one of some thousand.
pub(super) fn answer(
    State(endpoint): State<Arc<Endpoint>>,
    request: Request<Body>,
) -> impl Future<Output = Response> + Send {
    let (mut parts, body) = request.into_parts();
    let id = RequestId::of(&parts.headers);
    let span = info_span!("request", request_id = &*id);
    let mut call = Call {
        endpoint,
        accept: Accept::of(&parts.headers),
        id,
        source: Source::Own,
        revalidation: None,
        record: Some(Record::new(id, "http")),
    };
    Box::pin(async move { call.answer(&mut parts, body).await }.instrument(span))
}

/// One request on its way.
struct Call {
    endpoint: Arc<Endpoint>,
    accept: Accept,
    id: RequestId,
    source: Source,
    /// There for requests whose answer a cache may keep.
    revalidation: Option<Revalidation>,
    /// A stream takes it along and writes it when it ends.
    record: Option<Record>,
}

/// An accepted operation with what it needs.
struct Operation {
    document: Arc<Document>,
    variables: Variables,
    cx: Ctx,
}

impl Call {
    async fn answer(&mut self, parts: &mut Parts, body: Body) -> Response {
        let result = match origin::source(&parts.headers, self.endpoint.embeds.as_ref()) {
            Err(problem) => Err(problem),
            Ok(source) => {
                self.source = source;
                self.dispatch(parts, body).await
            }
        };
        let mut response = match result {
            Ok(Answer::Single(response)) => self.single(response),
            Ok(Answer::Plain(response)) => {
                self.recorded(response.status(), "OK", 0);
                response
            }
            Err(problem) => self.refuse(&problem),
        };
        self.write_headers(response.headers_mut());
        response
    }

    async fn dispatch(&mut self, parts: &mut Parts, body: Body) -> Result<Answer, Problem> {
        match parts.method {
            Method::GET if ws::is_upgrade(&parts.headers) => {
                let cx = CtxParts {
                    origin: origin_of(&parts.headers),
                    address: self.address(parts),
                    ..CtxParts::default()
                };
                let upgraded = Box::pin(ws::upgrade(&self.endpoint, &self.source, cx, parts)).await;
                upgraded.map(Answer::Plain)
            }
            Method::GET | Method::POST => {
                let operation = self.operation(parts, body).await?;
                match operation.document.kind {
                    OperationKind::Subscription => Box::pin(self.subscribe(operation)).await,
                    _ => self.execute(operation).await,
                }
            }
            Method::OPTIONS => origin::options(&parts.headers, self.endpoint.embeds.as_ref()).map(Answer::Plain),
            _ => Err(not_allowed(
                "its method must be POST, or GET for a query",
                "GET, POST, OPTIONS",
            )),
        }
    }

    /// Reads the request and finds out whether it may be executed.
    async fn operation(&mut self, parts: &Parts, body: Body) -> Result<Operation, Problem> {
        let endpoint = Arc::clone(&self.endpoint);
        let is_get = parts.method == Method::GET;
        let (document, variables) = match is_get {
            true => {
                let request = request::from_query_string(parts.uri.query().unwrap_or_default())?;
                (trusted::find(&endpoint, &request)?, request.variables)
            }
            false => {
                let body = body::read(&parts.headers, body, endpoint.body_limit, endpoint.body_deadline).await?;
                let request = request::from_json(&body)?;
                (trusted::find(&endpoint, &request)?, request.variables)
            }
        };
        if let Some(record) = &mut self.record {
            record.document(&document);
        }
        if is_get && document.kind != OperationKind::Query {
            return Err(not_allowed("only a query may come by GET", "POST"));
        }
        self.check_accept(document.kind)?;
        if is_get && endpoint.documents.is_public(&document) {
            self.revalidation = Some(Revalidation::of(&parts.headers));
        }
        self.source.check(&document, endpoint.embeds.as_ref())?;
        let principal = auth::principal(&endpoint, &parts.headers).await?;
        let origin = origin_of(&parts.headers);
        let cx = CtxParts {
            request_id: self.id.to_string(),
            principal,
            origin,
            address: self.address(parts),
        }
        .into();
        Ok(Operation {
            document,
            variables,
            cx,
        })
    }

    /// Nothing is executed whose answer could not be sent.
    fn check_accept(&self, kind: OperationKind) -> Result<(), Problem> {
        let problem = match kind {
            OperationKind::Subscription if self.accept.multipart => return Ok(()),
            OperationKind::Subscription => {
                "a subscription is answered as `multipart/mixed; subscriptionSpec=1.0`, which its `Accept` header must \
                 allow, or over a WebSocket"
            }
            _ if self.accept.single.is_some() => return Ok(()),
            _ => "its `Accept` header allows neither `application/graphql-response+json` nor `application/json`",
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
        let expires = cx.principal().map(|principal| principal.expires_at);
        match subscribe(&self.endpoint, cx, &document, variables).await? {
            Err(refusal) => Ok(Answer::Single(refusal)),
            Ok(events) => {
                let record = self.record.take();
                let stream = multipart::Stream::new(&self.endpoint, self.id, events, expires, permit, record);
                Ok(Answer::Plain(stream.into_response()))
            }
        }
    }

    fn address(&self, parts: &Parts) -> Option<IpAddr> {
        client_address(&parts.headers, &parts.extensions, self.endpoint.trust_proxy)
    }

    fn single(&mut self, answer: engine::Response) -> Response {
        let media = self.accept.single_or_json();
        let status = match media {
            Media::Json => StatusCode::OK,
            Media::GraphqlResponse => StatusCode::from_u16(answer.http).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
        };
        let outcome = answer.codes.first().copied().unwrap_or("OK");
        let mut bytes = answer.body.len();
        let mut response = build(status, media, answer.body.clone());
        if let Some(revalidation) = &self.revalidation
            && answer.codes.is_empty()
            && answer.http == StatusCode::OK
        {
            response = revalidation.validate(media, &answer.body, response);
            if response.status() == StatusCode::NOT_MODIFIED {
                bytes = 0;
            }
        }
        self.recorded(response.status(), outcome, bytes);
        response
    }

    fn refuse(&mut self, problem: &Problem) -> Response {
        let media = self.accept.single_or_json();
        let status = match (media, problem.well_formed) {
            (Media::Json, true) => StatusCode::OK,
            _ => problem.status,
        };
        let body = problem.body(&self.id);
        self.recorded(status, problem.code(), body.len());
        let mut response = build(status, media, body);
        for (name, value) in &problem.headers {
            response.headers_mut().insert(name.clone(), value.clone());
        }
        response
    }

    fn recorded(&mut self, status: StatusCode, outcome: &'static str, bytes: usize) {
        if let Some(mut record) = self.record.take() {
            record.outcome(status.as_u16(), outcome);
            record.sent(bytes);
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
        self.source.write_headers(headers);
    }
}

enum Answer {
    /// The engine's.
    Single(engine::Response),
    /// A response that is ready to be sent: a stream, a preflight, an upgrade.
    Plain(Response),
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

fn origin_of(headers: &HeaderMap) -> Option<String> {
    headers
        .get(header::ORIGIN)
        .and_then(|origin| origin.to_str().ok())
        .map(str::to_owned)
}

/// Lets the engine answer, but neither for ever nor with a panic.
pub(super) async fn execute(
    endpoint: &Endpoint,
    cx: &Ctx,
    document: &Document,
    variables: Variables,
) -> Result<engine::Response, Problem> {
    let answer = async { endpoint.engine.execute(cx, document, variables).await };
    match within(endpoint.deadline, pin!(AssertUnwindSafe(answer).catch_unwind())).await {
        Ok(Ok(response)) => Ok(response),
        Ok(Err(_)) => Err(panicked(cx.request_id())),
        Err(_late) => Err(Problem::timeout()),
    }
}

/// What a subscription begins with: its events, or an answer instead of them.
pub(super) type Begun = Result<futures_util::stream::BoxStream<'static, engine::Response>, engine::Response>;

/// Lets the engine begin a stream, under the same conditions.
pub(super) async fn subscribe(
    endpoint: &Endpoint,
    cx: Ctx,
    document: &Arc<Document>,
    variables: Variables,
) -> Result<Begun, Problem> {
    let id = cx.request_id().to_owned();
    let begun = async { endpoint.engine.subscribe(cx, Arc::clone(document), variables).await };
    match within(endpoint.deadline, pin!(AssertUnwindSafe(begun).catch_unwind())).await {
        Ok(Ok(begun)) => Ok(begun),
        Ok(Err(_)) => Err(panicked(&id)),
        Err(_late) => Err(Problem::timeout()),
    }
}

/// The panic's own text went to the panic hook; this line gives it a request.
pub(super) fn panicked(request_id: &str) -> Problem {
    error!(request_id, "the engine panicked");
    Problem::internal(request_id)
}
