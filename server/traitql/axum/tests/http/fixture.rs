//! The variables control a fake engine, which records requests.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use axum::{
    Router,
    body::Body,
    http::{HeaderMap, Request, StatusCode},
};
use futures_util::{FutureExt, StreamExt, future::BoxFuture, stream::BoxStream};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::sync::mpsc;
use tower::ServiceExt;
use traitql::{AdHoc, Ctx, Document, Documents, Engine, Limits, Principal, Response, StepUp, Variables};
use traitql_axum::{AuthFailure, Authenticate, Credentials, Dpop, Endpoint, router};

pub(crate) const HELLO: &str = "query Hello {\n  hello\n}";
pub(crate) const FORMER_HELLO: &str = "query Hello {\n  boot\n}";
pub(crate) const RENAME: &str = "mutation Rename($id: ID!) {\n  rename(id: $id) {\n    id\n  }\n}";
pub(crate) const CHANGED: &str = "subscription Changed {\n  changed {\n    id\n  }\n}";
pub(crate) const BOOT: &str = "query Boot {\n  boot\n}";
pub(crate) const PAIR: [&str; 3] = [
    "query Pair {\n  ...Zed\n  ...Abc\n}",
    "fragment Abc on Query {\n  hello\n}",
    "fragment Zed on Query {\n  boot\n}",
];

const SDL: &str = "type Query { hello: String boot: String secret: Int }
    type Mutation { rename(id: ID!): Tour }
    type Subscription { changed: Tour }
    type Tour { id: ID! }";

pub(crate) fn hash(text: &str) -> String {
    hex::encode(Sha256::digest(text))
}

pub(crate) fn documents() -> Documents {
    let operation =
        |name: &str, kind: &str, body: &str| json!({ "id": hash(body), "name": name, "type": kind, "body": body });
    let public = |mut operation: Value| {
        operation["public"] = json!(true);
        operation
    };
    let manifest = json!({
        "format": "apollo-persisted-query-manifest",
        "version": 1,
        "operations": [
            operation("Hello", "query", HELLO),
            operation("Rename", "mutation", RENAME),
            operation("Changed", "subscription", CHANGED),
            public(operation("Boot", "query", BOOT)),
            operation("Pair", "query", &PAIR.join("\n\n")),
        ],
        "released": [operation("Hello", "query", FORMER_HELLO)],
    });
    Documents::from_manifest(&manifest.to_string()).unwrap()
}

#[derive(Debug, Clone)]
pub(crate) struct ReceivedRequest {
    pub(crate) name: Option<String>,
    pub(crate) subject: Option<String>,
    pub(crate) request_id: String,
    pub(crate) trusted: bool,
    pub(crate) address: Option<std::net::IpAddr>,
}

#[derive(Default)]
pub(crate) struct Fake {
    pub(crate) requests: Mutex<Vec<ReceivedRequest>>,
    pub(crate) events: Mutex<Option<mpsc::UnboundedReceiver<Response>>>,
    /// The stream of a subscription was dropped.
    pub(crate) dropped: Arc<AtomicBool>,
}

pub(crate) fn response(body: Value, http: u16, codes: &[&'static str]) -> Response {
    Response {
        body: body.to_string().into(),
        http,
        codes: codes.to_vec(),
        step_up: None,
        root_field: None,
    }
}

impl Fake {
    pub(crate) fn names(&self) -> Vec<String> {
        self.requests
            .lock()
            .unwrap()
            .iter()
            .map(|requests| requests.name.clone().unwrap_or_default())
            .collect()
    }

    pub(crate) fn feed(&self) -> mpsc::UnboundedSender<Response> {
        let (sender, receiver) = mpsc::unbounded_channel();
        *self.events.lock().unwrap() = Some(receiver);
        sender
    }

    fn record_request(&self, cx: &Ctx, document: &Document) {
        self.requests.lock().unwrap().push(ReceivedRequest {
            name: document.name.clone(),
            subject: cx.principal().map(|principal| principal.subject.clone()),
            request_id: cx.request_id().to_owned(),
            trusted: document.trusted,
            address: cx.address(),
        });
    }
}

impl Engine for Fake {
    fn execute<'a>(&'a self, cx: &'a Ctx, document: &'a Document, variables: Variables) -> BoxFuture<'a, Response> {
        async move {
            self.record_request(cx, document);
            match variables.get("do").and_then(Value::as_str) {
                Some("panic") => panic!("the test makes the engine panic"),
                Some("hang") => std::future::pending().await,
                Some("refuse") => {
                    let error = json!({ "message": "No.", "extensions": { "code": "NOT_FOUND" } });
                    response(json!({ "errors": [error] }), 404, &["NOT_FOUND"])
                }
                Some("fail") => {
                    let error = json!({ "message": "Later.", "extensions": { "code": "UNAVAILABLE" } });
                    response(json!({ "errors": [error] }), 503, &["UNAVAILABLE"])
                }
                Some("step up") => {
                    let error = json!({ "message": "Sign in again.", "extensions": { "code": "STEP_UP_REQUIRED" } });
                    Response {
                        step_up: Some(StepUp {
                            max_age: Some(300),
                            acr_values: Some("phrh phr".to_owned()),
                        }),
                        ..response(json!({ "data": null, "errors": [error] }), 401, &["STEP_UP_REQUIRED"])
                    }
                }
                Some("two fields") => response(json!({ "data": { "a": 1, "b": 2 } }), 200, &[]),
                _ => {
                    let answer = response(json!({ "data": { "variables": variables } }), 200, &[]);
                    let root_field = Some(r#"{"data":{"variables":"#.len()..answer.body.len() - 2);
                    Response { root_field, ..answer }
                }
            }
        }
        .boxed()
    }

    fn subscribe(
        &self,
        cx: Ctx,
        document: Arc<Document>,
        variables: Variables,
    ) -> BoxFuture<'_, Result<BoxStream<'static, Response>, Response>> {
        async move {
            self.record_request(&cx, &document);
            if variables.contains_key("do") {
                let error = json!({ "message": "No.", "extensions": { "code": "NOT_FOUND" } });
                return Err(response(json!({ "errors": [error] }), 404, &["NOT_FOUND"]));
            }
            struct Dropped(Arc<AtomicBool>);
            impl Drop for Dropped {
                fn drop(&mut self) {
                    self.0.store(true, Ordering::SeqCst);
                }
            }
            let mut events = self
                .events
                .lock()
                .unwrap()
                .take()
                .unwrap_or_else(|| mpsc::unbounded_channel().1);
            let dropped = Dropped(Arc::clone(&self.dropped));
            let events = futures_util::stream::poll_fn(move |cx| {
                let _held = &dropped;
                events.poll_recv(cx)
            });
            Ok(events
                .map(|event| {
                    if event.http == 599 {
                        panic!("the test makes the stream panic")
                    } else {
                        event
                    }
                })
                .boxed())
        }
        .boxed()
    }
}

/// Accepts `good-<subject>`; `opaque` is another kind of token, and `away` an unreachable issuer. `good-leaver` ends
/// after [`SIGN_OUT`].
pub(crate) struct Tokens;

/// Accepts `good-<subject>` with the proof `<method> n1`; the nonce is `n1`.
pub(crate) struct BoundTokens;

impl Authenticate for BoundTokens {
    fn authenticate<'a>(&'a self, credentials: Credentials<'a>) -> BoxFuture<'a, Result<Principal, AuthFailure>> {
        let failure = match credentials.proof.map(|proof| (proof.method, proof.jwt.split_once(' '))) {
            Some((method, Some((proven, nonce)))) if method == proven && nonce == "n1" => None,
            Some((method, Some((proven, _)))) if method == proven => Some(AuthFailure::NonceRequired),
            Some(_) => Some(AuthFailure::InvalidProof {
                reason: "the method is wrong".into(),
            }),
            None => Some(AuthFailure::Invalid {
                reason: "the token is not bound".into(),
            }),
        };
        match failure {
            Some(failure) => std::future::ready(Err(failure)).boxed(),
            None => Tokens.authenticate(credentials),
        }
    }

    fn dpop(&self) -> Option<Dpop> {
        Some(Dpop {
            algorithms: "ES256 EdDSA",
            nonce: "n1".into(),
        })
    }
}

impl Authenticate for Tokens {
    fn authenticate<'a>(&'a self, credentials: Credentials<'a>) -> BoxFuture<'a, Result<Principal, AuthFailure>> {
        async move {
            let token = credentials.token;
            match token.split_once('-') {
                Some(("good", subject)) => Ok(Principal {
                    issuer: "https://issuer.example".into(),
                    subject: subject.into(),
                    name: None,
                    email: None,
                    email_verified: false,
                    picture: None,
                    roles: Vec::new(),
                    roles_known: true,
                    issued_at: None,
                    expires_at: jiff::Timestamp::now() + jiff::SignedDuration::from_secs(60),
                    authenticated: traitql::Authenticated::Unchecked,
                    acr_levels: traitql::AcrLevels::Unchecked,
                    ..Principal::default()
                }),
                _ if token == "hang" => std::future::pending().await,
                _ if token == "away" => Err(AuthFailure::Unavailable {
                    retry_after: std::time::Duration::from_secs(7),
                }),
                _ if token == "opaque" => Err(AuthFailure::UnsupportedToken {
                    reason: "the token is opaque".into(),
                }),
                _ => Err(AuthFailure::Invalid {
                    reason: "the token \"has expired\"".into(),
                }),
            }
        }
        .boxed()
    }

    fn session_ended(&self, principal: &Principal) -> BoxFuture<'static, ()> {
        match principal.subject.as_str() {
            "leaver" => tokio::time::sleep(SIGN_OUT).boxed(),
            _ => std::future::pending().boxed(),
        }
    }
}

pub(crate) const SIGN_OUT: Duration = Duration::from_secs(8);

pub(crate) struct App {
    pub(crate) fake: Arc<Fake>,
    pub(crate) router: Router,
}

impl App {
    pub(crate) fn new(configure: impl FnOnce(Endpoint) -> Endpoint) -> Self {
        let fake = Arc::new(Fake::default());
        let endpoint = Endpoint::new(Arc::<Fake>::clone(&fake), documents()).authenticate(Arc::new(Tokens));
        Self {
            router: router(configure(endpoint)),
            fake,
        }
    }

    pub(crate) fn production() -> Self {
        Self::new(|endpoint| endpoint)
    }

    pub(crate) fn development() -> Self {
        Self::new(|endpoint| endpoint.ad_hoc(AdHoc::new(SDL, Limits::default()).unwrap()))
    }

    pub(crate) async fn send(&self, request: Request<Body>) -> Answer {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let body = axum::body::to_bytes(body, usize::MAX).await.unwrap();
        let json = serde_json::from_slice(&body).unwrap_or(Value::Null);
        Answer {
            status: parts.status,
            headers: parts.headers,
            bytes: body.len(),
            json,
        }
    }

    pub(crate) async fn post(&self, headers: &[(&str, &str)], body: impl ToString) -> Answer {
        self.send(post(headers, body)).await
    }

    pub(crate) async fn get(&self, headers: &[(&str, &str)], query: &[(&str, &str)]) -> Answer {
        let query = url::form_urlencoded::Serializer::new(String::new())
            .extend_pairs(query)
            .finish();
        let mut request = Request::get(format!("/graphql?{query}"));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.send(request.body(Body::empty()).unwrap()).await
    }
}

pub(crate) fn post(headers: &[(&str, &str)], body: impl ToString) -> Request<Body> {
    let mut request = Request::post("/graphql");
    if !headers.iter().any(|(name, _)| *name == "content-type") {
        request = request.header("content-type", "application/json");
    }
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.body(Body::from(body.to_string())).unwrap()
}

#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) bytes: usize,
    pub(crate) json: Value,
}

impl Answer {
    pub(crate) fn code(&self) -> &str {
        self.json["errors"][0]["extensions"]["code"]
            .as_str()
            .unwrap_or("no error")
    }

    pub(crate) fn problem(&self) -> &str {
        self.json["errors"][0]["extensions"]["slots"]["problem"]
            .as_str()
            .unwrap_or("no problem")
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    pub(crate) fn verdict(&self) -> (u16, &str) {
        (self.status.as_u16(), self.code())
    }
}

pub(crate) const GRAPHQL: (&str, &str) = ("accept", "application/graphql-response+json");
pub(crate) const MULTIPART: (&str, &str) = (
    "accept",
    "multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/graphql-response+json,application/json;q=0.9",
);
