//! Cost of a request between router and engine: `cargo bench -p traitql-axum --bench http`.
//!
//! The engine's response is constant. The first rows are hand-written axum handlers; each later row adds one feature
//! to a trusted query as Apollo Client sends it. Only creating and dropping requests is not measured.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::{
    hint::black_box,
    io,
    sync::Arc,
    time::{Duration, Instant},
};

use axum::{
    Router,
    body::{Body, Bytes, to_bytes},
    http::{HeaderValue, Request, header},
    response::{IntoResponse, Response as HttpResponse},
    routing::any,
};
use futures_util::{
    future::{BoxFuture, FutureExt},
    stream::BoxStream,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::runtime::Runtime;
use tower::ServiceExt;
use traitql::{Ctx, Document, Documents, Engine, Principal, Response, Variables};
use traitql_axum::{AuthFailure, Authenticate, Credentials, Endpoint, router};

/// Shorter than the operating system's time slice.
const ROUND: usize = 50;

/// The fastest round counts, because other activity only makes a round slower.
const ROUNDS: usize = 4_000;

const ANSWER: &str = r#"{"data":{"viewer":{"id":"u1","name":"Ada"}}}"#;

fn document() -> String {
    let fields: String = (0..18).map(|n| format!("      someFieldWithAName{n}\n")).collect();
    format!(
        "query Viewer($id: ID!, $first: Int) {{\n  viewer(id: $id) {{\n    id\n    name\n    things(first: $first) {{\n{fields}    }}\n    __typename\n  }}\n}}"
    )
}

fn hash(text: &str) -> String {
    hex::encode(Sha256::digest(text))
}

/// Its response.
struct Ready(Response);

impl Default for Ready {
    fn default() -> Self {
        Self::new(r#"{"id":"u1","name":"Ada"}"#)
    }
}

impl Ready {
    fn new(viewer: &str) -> Self {
        let prefix = r#"{"data":{"viewer":"#;
        Self(Response {
            body: format!("{prefix}{viewer}}}}}").into(),
            http: 200,
            codes: Vec::new(),
            step_up: None,
            root_field: Some(prefix.len()..prefix.len() + viewer.len()),
        })
    }
}

impl Engine for Ready {
    fn execute<'a>(&'a self, _: &'a Ctx, _: &'a Document, variables: Variables) -> BoxFuture<'a, Response> {
        black_box(variables);
        std::future::ready(self.0.clone()).boxed()
    }

    fn subscribe(
        &self,
        _: Ctx,
        _: Arc<Document>,
        _: Variables,
    ) -> BoxFuture<'_, Result<BoxStream<'static, Response>, Response>> {
        unreachable!("no row uses subscriptions")
    }
}

struct Known;

impl Authenticate for Known {
    fn authenticate<'a>(&'a self, credentials: Credentials<'a>) -> BoxFuture<'a, Result<Principal, AuthFailure>> {
        let principal = Principal {
            issuer: "https://issuer.example".into(),
            subject: credentials.token.into(),
            ..Principal::default()
        };
        std::future::ready(Ok(principal)).boxed()
    }
}

fn by_hand() -> Router {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Asked {
        query: String,
        operation_name: Option<String>,
        #[serde(default)]
        variables: Given,
    }
    #[derive(Deserialize, Default)]
    struct Given {
        id: String,
        first: Option<i32>,
    }
    #[derive(Serialize)]
    struct Viewer {
        id: String,
        name: String,
    }
    async fn answer(body: Bytes) -> HttpResponse {
        let Asked {
            query,
            operation_name,
            variables,
        } = serde_json::from_slice(&body).unwrap();
        black_box((query, operation_name, variables.id, variables.first));
        let (id, name) = ("u1".to_owned(), "Ada".to_owned());
        let answer = json_of(&Viewer { id, name });
        let mut response = answer.into_response();
        response
            .headers_mut()
            .insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        response
    }
    fn json_of(viewer: &Viewer) -> Vec<u8> {
        #[derive(Serialize)]
        struct Data<'a> {
            viewer: &'a Viewer,
        }
        #[derive(Serialize)]
        struct Answer<'a> {
            data: Data<'a>,
        }
        serde_json::to_vec(&Answer { data: Data { viewer } }).unwrap()
    }
    Router::new().route("/graphql", any(answer))
}

fn endpoint(public: bool) -> Router {
    router(Endpoint::new(Arc::new(Ready::default()), documents(public)).authenticate(Arc::new(Known)))
}

/// Its responses have 14 kB.
fn route() -> Router {
    let thing = r#"{"id":"3f0c2a52","name":"A \"quoted\" name","someFieldWithAName":12345}"#;
    let things = vec![thing; 200].join(",");
    let engine = Ready::new(&format!(r#"{{"id":"u1","things":[{things}]}}"#));
    let endpoint = Endpoint::new(Arc::new(engine), documents(true));
    let readers = |_| std::future::ready(true).boxed();
    router(endpoint.routes([("/viewer", "Viewer")], readers).unwrap())
}

fn documents(public: bool) -> Documents {
    let body = document();
    let operation = json!({ "id": hash(&body), "name": "Viewer", "type": "query", "body": body, "public": public });
    let manifest = json!({ "format": "apollo-persisted-query-manifest", "version": 1, "operations": [operation] });
    Documents::from_manifest(&manifest.to_string()).unwrap()
}

struct Row {
    name: &'static str,
    router: Router,
    make: Box<dyn Fn() -> Request<Body>>,
    status: u16,
    best: Duration,
}

fn row(name: &'static str, router: &Router, status: u16, make: impl Fn() -> Request<Body> + 'static) -> Row {
    Row {
        name,
        router: router.clone(),
        make: Box::new(make),
        status,
        best: Duration::MAX,
    }
}

const APOLLO: &str = "application/graphql-response+json,application/json;q=0.9";

fn post(body: &Value, headers: &[(&'static str, &'static str)]) -> impl Fn() -> Request<Body> + use<> {
    let body = Bytes::from(body.to_string());
    let headers = headers.to_vec();
    move || {
        let mut request = Request::post("/graphql").header("content-type", "application/json");
        for (name, value) in &headers {
            request = request.header(*name, *value);
        }
        request.body(Body::from(body.clone())).unwrap()
    }
}

fn get(query: &[(&str, &str)], headers: &[(&'static str, String)]) -> impl Fn() -> Request<Body> + use<> {
    let query = url::form_urlencoded::Serializer::new(String::new())
        .extend_pairs(query)
        .finish();
    let headers = headers.to_vec();
    move || {
        let mut request = Request::get(format!("/graphql?{query}"));
        for (name, value) in &headers {
            request = request.header(*name, value);
        }
        request.body(Body::empty()).unwrap()
    }
}

async fn drive(router: &Router, request: Request<Body>) -> (u16, Bytes) {
    let response = router.clone().oneshot(request).await.unwrap();
    let status = response.status().as_u16();
    (status, to_bytes(response.into_body(), usize::MAX).await.unwrap())
}

impl Row {
    fn round(&mut self, runtime: &Runtime) {
        let requests: Vec<_> = (0..ROUND).map(|_| (self.make)()).collect();
        let took = runtime.block_on(async {
            let began = Instant::now();
            for request in requests {
                black_box(drive(&self.router, request).await);
            }
            began.elapsed()
        });
        self.best = self.best.min(took);
    }

    fn allocations(&self, runtime: &Runtime) -> f64 {
        let requests: Vec<_> = (0..ROUND).map(|_| (self.make)()).collect();
        let counted = allocation_counter::measure(|| {
            runtime.block_on(async {
                for request in requests {
                    black_box(drive(&self.router, request).await);
                }
            });
        });
        counted.count_total as f64 / ROUND as f64
    }

    fn print(&self, runtime: &Runtime) {
        let (status, body) = runtime.block_on(drive(&self.router, (self.make)()));
        assert_eq!(status, self.status, "{}: {}", self.name, String::from_utf8_lossy(&body));
        let each = self.best.as_nanos() as f64 / ROUND as f64 / 1000.0;
        println!("| {} | {each:.2} | {:.0} |", self.name, self.allocations(runtime));
    }
}

fn rows() -> Vec<Row> {
    let text = document();
    let id = hash(&text);
    let variables = json!({ "id": "u1", "first": 20 });
    let apollo = json!({ "operationName": "Viewer", "variables": variables, "query": text });
    let by_hash = json!({
        "operationName": "Viewer", "variables": variables,
        "extensions": { "persistedQuery": { "version": 1, "sha256Hash": id } },
    });
    let many: serde_json::Map<String, Value> = (0..20).map(|n| (format!("variable{n}"), json!(n))).collect();
    let accept = ("accept", APOLLO);
    let (hand, ours, public) = (by_hand(), endpoint(false), endpoint(true));
    let constant = Router::new().route("/graphql", any(async || ANSWER));
    let extensions = by_hash["extensions"].to_string();
    let asked = [("operationName", "Viewer"), ("extensions", extensions.as_str())];
    let plain = || vec![("accept", "*/*".to_owned())];
    let tag = Runtime::new().unwrap().block_on(async {
        let response = public.clone().oneshot(get(&asked, &plain())()).await.unwrap();
        response.headers()[header::ETAG].to_str().unwrap().to_owned()
    });
    let with_tag = [plain(), vec![("if-none-match", tag)]].concat();
    vec![
        row("hand-written: a constant", &constant, 200, post(&apollo, &[accept])),
        row(
            "hand-written: parsed and serialized by serde_json",
            &hand,
            200,
            post(&apollo, &[accept]),
        ),
        row("**a trusted query by text**", &ours, 200, post(&apollo, &[accept])),
        row("… by hash", &ours, 200, post(&by_hash, &[accept])),
        row("… accepting `*/*`", &ours, 200, post(&apollo, &[("accept", "*/*")])),
        row(
            "… with an unusual `Accept` header",
            &ours,
            200,
            post(
                &apollo,
                &[("accept", "application/json;q=0.9, application/graphql-response+json")],
            ),
        ),
        row(
            "… with a request id",
            &ours,
            200,
            post(&apollo, &[accept, ("x-request-id", "0123456789abcdef")]),
        ),
        row(
            "… from a page",
            &ours,
            200,
            post(
                &apollo,
                &[
                    accept,
                    ("origin", "https://a.example"),
                    ("sec-fetch-site", "same-origin"),
                ],
            ),
        ),
        row(
            "… with a token",
            &ours,
            200,
            post(&apollo, &[accept, ("authorization", "Bearer u1")]),
        ),
        row(
            "… with 20 variables",
            &ours,
            200,
            post(
                &json!({ "operationName": "Viewer", "variables": many, "query": text }),
                &[accept],
            ),
        ),
        row("by GET and hash", &ours, 200, get(&asked, &plain())),
        row("… a public query, with `ETag`", &public, 200, get(&asked, &plain())),
        row("… revalidated: 304", &public, 304, get(&asked, &with_tag)),
        row("a route, with 14 kB", &route(), 200, || {
            let body = Body::from(r#"{"id":"u1","first":20}"#);
            Request::post("/viewer")
                .header("content-type", "text/plain")
                .body(body)
                .unwrap()
        }),
        row(
            "rejected: an untrusted text",
            &ours,
            403,
            post(&json!({ "query": format!("{text} ") }), &[accept]),
        ),
    ]
}

fn lookup(name: &str, mut find: impl FnMut()) {
    let mut best = Duration::MAX;
    for _ in 0..ROUNDS {
        let began = Instant::now();
        for _ in 0..ROUND {
            find();
        }
        best = best.min(began.elapsed());
    }
    println!("| {name} | {:.3} |", best.as_nanos() as f64 / ROUND as f64 / 1000.0);
}

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let mut rows = rows();
    for _ in 0..ROUNDS {
        for row in &mut rows {
            row.round(&runtime);
        }
    }
    println!("| request | µs | allocations |\n|---|--:|--:|");
    for row in &rows {
        row.print(&runtime);
    }

    // Last, because the log subscriber is active from here on.
    let log = tracing_subscriber::fmt()
        .json()
        .flatten_event(true)
        .with_writer(io::sink);
    tracing::subscriber::with_default(log.finish(), || {
        let mut logged = self::rows().swap_remove(2);
        logged.name = "… with an access log entry, as JSON to a null writer";
        for _ in 0..ROUNDS {
            logged.round(&runtime);
        }
        logged.print(&runtime);
    });

    let text = document();
    let quoted = json!(text).to_string();
    let by_hash = std::collections::HashMap::from([(hash(&text), ())]);
    println!(
        "\n| finding a document by its {} bytes of text | µs |\n|---|--:|",
        text.len()
    );
    lookup("by SHA-256", || {
        let text: String = serde_json::from_str(black_box(&quoted)).unwrap();
        black_box(by_hash.get(&hash(&text)));
    });
    let table = std::collections::HashMap::from([(text.clone(), ())]);
    lookup("text as the key, by SipHash", || {
        let text: String = serde_json::from_str(black_box(&quoted)).unwrap();
        black_box(table.get(&text));
    });
    let table = std::collections::HashMap::<_, _, foldhash::fast::RandomState>::from_iter([(quoted.clone(), ())]);
    lookup("as implemented: the quoted text as the key, by foldhash", || {
        black_box(table.get(black_box(&quoted)));
    });
}
