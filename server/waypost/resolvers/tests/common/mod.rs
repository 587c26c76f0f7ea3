#![allow(dead_code, reason = "each test binary uses a part of it")]

use std::{collections::BTreeSet, path::Path, sync::Mutex};

use futures_util::{StreamExt, stream::BoxStream};
use serde_json::{Map, Value};
use tempfile::TempDir;
use traitql::{Ctx, CtxParts, Document, Documents, Engine, OperationKind, Principal, Response};
use waypost_api::Resolvers;
use waypost_resolvers::{App, AppConfig, OpenError};

pub(crate) const SHOP: &str = "https://shop.example";

/// Records the executed documents.
pub(crate) struct Server {
    app: App,
    engine: Box<dyn Engine>,
    documents: Documents,
    executed: Mutex<BTreeSet<String>>,
    folder: TempDir,
}

impl Server {
    pub(crate) async fn start() -> Self {
        Self::over(waypost_testkit::default_database()).await
    }

    pub(crate) async fn over(postgres: Option<String>) -> Self {
        Self::with(waypost_api::MANIFEST, postgres).await
    }

    pub(crate) async fn serving(manifest: &str) -> Self {
        Self::with(manifest, waypost_testkit::default_database()).await
    }

    async fn with(manifest: &str, postgres: Option<String>) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        Self::open(manifest, folder, postgres)
            .await
            .expect("a fresh database opens")
    }

    /// Opens the database in `folder` unless an address is given, and migrates it.
    pub(crate) async fn open(manifest: &str, folder: TempDir, postgres: Option<String>) -> Result<Self, OpenError> {
        let config = AppConfig {
            data_dir: folder.path().into(),
            postgres: postgres.map(|url| url.parse().expect("an address")),
            public_url: "https://tours.example/".parse().expect("a URL"),
            providers: Vec::new(),
            token_store: waypost_api::TokenStore::Session,
            source_url: "https://source.example/".parse().expect("a URL"),
            version: "0.0.0".into(),
            demo: false,
            embed: None,
            sample: None,
            restricts_workspace_creation: false,
            claims_workspace: None,
            grants: Vec::new(),
            storage_limits: waypost_resolvers::StorageLimits::default(),
        };
        let app = App::open(config).await?;
        let resolvers = Resolvers::new(app.clone().into());
        Ok(Self {
            app,
            engine: Box::new(waypost_api::engine(&resolvers, Default::default())),
            documents: Documents::from_manifest(manifest).expect("a manifest"),
            executed: Mutex::default(),
            folder,
        })
    }

    /// Writes everything to the database and returns the data folder.
    pub(crate) async fn close(self) -> TempDir {
        self.app.close().await;
        self.folder
    }

    /// The data folder.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The text of the document of `operations/` with this name.
    pub(crate) fn text(&self, operation: &str) -> String {
        self.document(operation).text.to_string()
    }

    pub(crate) fn unused_documents(&self) -> Vec<String> {
        let executed = self.executed.lock().expect("no test panics while holding the lock");
        let names = self.documents.iter().filter_map(|document| document.name.clone());
        names.filter(|name| !executed.contains(name)).collect()
    }

    pub(crate) async fn execute(&self, cx: &Ctx, operation: &str, variables: Value) -> Response {
        let document = self.document(operation);
        let response = self.engine.execute(cx, &document, object(variables.clone())).await;
        if document.kind == OperationKind::Query {
            // Both executions must return the same bytes.
            let unplanned = Document {
                text: document.text.clone(),
                name: document.name.clone(),
                hash: document.hash.clone(),
                trusted: false,
                ..*document
            };
            let other = self.engine.execute(cx, &unplanned, object(variables.clone())).await;
            let parts = |response: &Response| (json(response).to_string(), response.body.clone(), response.http);
            if parts(&other) != parts(&response) {
                // The presence of visitors is written in the background, perhaps between the two executions.
                let again = self.engine.execute(cx, &document, object(variables)).await;
                assert_eq!(
                    parts(&other),
                    parts(&again),
                    "{operation}: the ad-hoc and the planned execution differ"
                );
            }
        }
        response
    }

    pub(crate) async fn execute_text(&self, cx: &Ctx, text: &str, variables: Value) -> Option<Vec<u8>> {
        let document = self.documents.by_text(text)?;
        let response = self.engine.execute(cx, document, object(variables)).await;
        Some(response.body.to_vec())
    }

    pub(crate) async fn query(&self, cx: &Ctx, operation: &str, variables: Value) -> Value {
        data(operation, self.execute(cx, operation, variables).await)
    }

    pub(crate) async fn join(&self, admin: &Ctx, workspace: &Value, name: &str, role: &str) -> Value {
        let email = format!("{name}@example.com");
        let input = serde_json::json!({ "input": { "workspaceId": workspace, "email": email, "role": role } });
        let created = self.query(admin, "InvitationCreate", input).await;
        let token = serde_json::json!({ "token": created["invitationCreate"]["token"] });
        self.query(&person(name), "InvitationAccept", token).await["invitationAccept"].clone()
    }

    pub(crate) async fn query_ad_hoc(&self, cx: &Ctx, text: &str, variables: Value) -> Value {
        let document = Document {
            text: text.to_owned(),
            name: None,
            kind: OperationKind::Query,
            hash: text.to_owned(),
            cost: 0,
            trusted: false,
        };
        data(text, self.engine.execute(cx, &document, object(variables)).await)
    }

    pub(crate) async fn error_code(&self, cx: &Ctx, operation: &str, variables: Value) -> Value {
        let body = json(&self.execute(cx, operation, variables).await);
        body["errors"][0]["extensions"]["code"].clone()
    }

    pub(crate) async fn subscribe(&self, cx: &Ctx, operation: &str, variables: Value) -> BoxStream<'static, Value> {
        let document = self.document(operation);
        let name = operation.to_owned();
        match self.engine.subscribe(cx.clone(), document, object(variables)).await {
            Ok(events) => events.map(move |event| data(&name, event)).boxed(),
            Err(rejected) => panic!("{operation} was rejected: {}", json(&rejected)),
        }
    }

    fn document(&self, operation: &str) -> std::sync::Arc<traitql::Document> {
        let mut documents = self.documents.iter();
        let document = documents.find(|document| document.name.as_deref() == Some(operation));
        let document = document.unwrap_or_else(|| panic!("operations/ has no `{operation}`"));
        self.executed
            .lock()
            .expect("no test panics while holding the lock")
            .insert(operation.to_owned());
        document.clone()
    }
}

fn object(variables: Value) -> Map<String, Value> {
    match variables {
        Value::Object(map) => map,
        other => panic!("variables must be an object: {other}"),
    }
}

fn json(response: &Response) -> Value {
    serde_json::from_slice(&response.body).expect("responses are JSON")
}

fn data(operation: &str, response: Response) -> Value {
    let mut body = json(&response);
    assert!(body.get("errors").is_none(), "{operation} failed: {body}");
    body["data"].take()
}

pub(crate) fn person(name: &str) -> Ctx {
    Ctx::from(CtxParts {
        request_id: "test".into(),
        principal: Some(Principal {
            issuer: "https://id.example".into(),
            subject: name.into(),
            name: Some(name.into()),
            email: Some(format!("{name}@example.com")),
            email_verified: true,
            picture: None,
            roles: Vec::new(),
            roles_known: true,
            issued_at: None,
            expires_at: jiff::Timestamp::MAX,
            authenticated: traitql::Authenticated::Unchecked,
            acr_levels: traitql::AcrLevels::Unchecked,
            ..Principal::default()
        }),
        ..CtxParts::default()
    })
}

pub(crate) fn page() -> Ctx {
    Ctx::from(CtxParts {
        request_id: "test".into(),
        origin: Some(SHOP.into()),
        ..CtxParts::default()
    })
}
