//! An installation in a temporary folder, with a site, a released tour and an identity key.

use std::{
    net::Ipv4Addr,
    sync::{
        Arc, LazyLock,
        atomic::{AtomicU32, Ordering},
    },
};

use axum::{
    Router,
    body::{Body, to_bytes},
    http::{Request, StatusCode},
};
use futures_util::{FutureExt, future::BoxFuture};
use jiff::Timestamp;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};
use tower::ServiceExt;
use traitql::{AcrLevels, AdHoc, Authenticated, Documents, Limits, Principal, Url};
use traitql_axum::{AuthFailure, Authenticate, Credentials, Endpoint};
use waypost_api::TokenStore;
use waypost_resolvers::{App, AppConfig, StorageLimits};

pub(crate) const ORIGIN: &str = "https://shop.example";

const ADMINISTRATOR: &str = "Bearer administrator";

pub(crate) struct Installation {
    runtime: Runtime,
    router: Router,
    pub(crate) site_key: String,
    pub(crate) secret: String,
    pub(crate) release: String,
    /// Each request has its own address, so that no limit per address hides code.
    requests: AtomicU32,
    _folder: TempDir,
}

pub(crate) static INSTALLATION: LazyLock<Installation> = LazyLock::new(Installation::new);

pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) body: Value,
}

struct Anyone;

impl Authenticate for Anyone {
    fn authenticate<'a>(&'a self, credentials: Credentials<'a>) -> BoxFuture<'a, Result<Principal, AuthFailure>> {
        let subject = credentials.token.to_owned();
        async {
            Ok(Principal {
                issuer: "https://login.example.com".to_owned(),
                subject,
                expires_at: Timestamp::now() + jiff::Span::new().hours(1),
                authenticated: Authenticated::Unchecked,
                acr_levels: AcrLevels::Unchecked,
                ..Principal::default()
            })
        }
        .boxed()
    }
}

impl Installation {
    fn new() -> Self {
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
        let folder = tempfile::tempdir().expect("a folder");
        let url = |text: &str| text.parse::<Url>().unwrap_or_else(|_| panic!("{text} is a URL"));
        let config = AppConfig {
            data_dir: folder.path().to_owned(),
            postgres: None,
            public_url: url("https://tours.example.com"),
            providers: Vec::new(),
            token_store: TokenStore::Session,
            source_url: url("https://tours.example.com/source"),
            version: "0.0.0".to_owned(),
            demo: false,
            embed: None,
            sample: None,
            restricts_workspace_creation: false,
            claims_workspace: None,
            grants: Vec::new(),
            storage_limits: StorageLimits::default(),
        };
        let app = runtime.block_on(App::open(config)).expect("an empty database");
        let documents = Documents::from_manifest(waypost_api::MANIFEST).expect("the manifest is generated");
        let routes = [
            ("/e/attempts", "AttemptRecord"),
            ("/e/boot", "EmbedBoot"),
            ("/e/goals", "GoalRecord"),
            ("/e/record", "Record"),
        ];
        let endpoint = Endpoint::new(Arc::new(waypost_api::engine(&app.resolvers(), app.rates())), documents)
            .authenticate(Arc::new(Anyone))
            .routes(routes, |_origin| async { true }.boxed())
            .expect("the manifest has these operations")
            .trust_proxy(true)
            .ad_hoc(AdHoc::new(waypost_api::SDL, Limits::default()).expect("the schema is valid"));
        let mut installation = Self {
            runtime,
            router: traitql_axum::router(endpoint),
            site_key: String::new(),
            secret: String::new(),
            release: String::new(),
            requests: AtomicU32::new(0),
            _folder: folder,
        };
        installation.fill();
        installation
    }

    fn fill(&mut self) {
        let input = json!({"name": "Acme", "slug": "acme-shop"});
        let workspace = self.operation("WorkspaceCreate", json!({ "input": input }))["workspaceCreate"]["id"].take();
        let input = json!({"workspaceId": workspace, "name": "Shop", "origins": [ORIGIN]});
        let site = self.operation("SiteCreate", json!({ "input": input }))["siteCreate"].take();
        let key = self.operation("IdentityKeyCreate", json!({"siteId": site["id"]}))["identityKeyCreate"].take();
        let input = json!({"id": site["id"], "expectedVersion": site["version"], "identityMode": "OPTIONAL"});
        self.operation("SiteUpdate", json!({ "input": input }));
        let input = json!({"workspaceId": workspace, "title": "Tour", "slug": "tour"});
        let tour = self.operation("TourCreate", json!({ "input": input }))["tourCreate"]["id"].take();
        let steps = ["one", "two"].map(|key| json!({"key": key, "kind": "MODAL", "title": key}));
        let when = json!({"trait": {"key": "plan", "value": "pro"}});
        let start = json!({"when": {"none": [when]}});
        let input = json!({"id": tour, "expectedVersion": 1, "steps": steps, "start": start});
        let version = self.operation("TourSave", json!({ "input": input }))["tourSave"]["version"].take();
        let input = json!({"tourId": tour, "expectedVersion": version, "siteIds": [site["id"]]});
        self.operation("TourRelease", json!({ "input": input }));
        self.site_key = site["key"].as_str().expect("a key").to_owned();
        self.secret = key["secret"].as_str().expect("a secret").to_owned();
        let visitor = json!({"anonymousId": "00000000-0000-4000-8000-000000000000"});
        let boot = json!({"siteKey": self.site_key, "visitor": visitor, "url": ORIGIN}).to_string();
        let offer = self.page("/e/boot", boot.into_bytes());
        self.release = offer.body["tours"][0]["releaseId"]
            .as_str()
            .expect("an offer")
            .to_owned();
    }

    fn operation(&self, name: &str, variables: Value) -> Value {
        let manifest: Value = serde_json::from_str(waypost_api::MANIFEST).expect("the manifest is JSON");
        let operations = manifest["operations"].as_array().expect("a list");
        let found = operations.iter().find(|operation| operation["name"] == name);
        let id = &found.unwrap_or_else(|| panic!("{name} is in the manifest"))["id"];
        let body = json!({"documentId": id, "variables": variables}).to_string();
        let mut reply = self.graphql(body.into_bytes());
        assert!(reply.body["errors"].is_null(), "{name}: {}", reply.body);
        reply.body["data"].take()
    }

    /// Sends a request as an administrator.
    pub(crate) fn graphql(&self, body: Vec<u8>) -> Reply {
        self.send("/graphql", "application/json", "", body)
    }

    /// Sends a request as a page of the site.
    pub(crate) fn page(&self, path: &str, body: Vec<u8>) -> Reply {
        self.send(path, "text/plain", ORIGIN, body)
    }

    /// # Panics
    /// Panics if the response is an internal error. A panic of a resolver ends the process in its hook.
    fn send(&self, path: &str, content_type: &str, origin: &str, body: Vec<u8>) -> Reply {
        let number = self.requests.fetch_add(1, Ordering::Relaxed);
        let mut request = Request::post(path)
            .header("content-type", content_type)
            .header("accept", "application/json")
            .header("x-forwarded-for", Ipv4Addr::from(number | 0x0a00_0000).to_string());
        if origin.is_empty() {
            request = request.header("authorization", ADMINISTRATOR);
        } else {
            request = request.header("origin", origin);
        }
        let request = request.body(Body::from(body)).expect("a request");
        let (status, bytes) = self.runtime.block_on(async {
            let response = self
                .router
                .clone()
                .oneshot(request)
                .await
                .expect("the router does not fail");
            let status = response.status();
            let bytes = to_bytes(response.into_body(), usize::MAX).await.expect("a body");
            (status, bytes)
        });
        let body: Value = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
        let text = String::from_utf8_lossy(&bytes);
        assert!(
            !text.contains(r#""code":"INTERNAL""#),
            "{path} returned an internal error: {text}"
        );
        assert!(status.as_u16() < 500, "{path} returned {status}: {text}");
        Reply { status, body }
    }
}
