//! The application behind the engine, as clients meet it: trusted documents in, JSON out.

#![allow(dead_code, reason = "each test binary uses a part of it")]

use std::{collections::BTreeSet, sync::Mutex};

use futures_util::{StreamExt, stream::BoxStream};
use serde_json::{Map, Value};
use tempfile::TempDir;
use traitql::{Ctx, CtxParts, Document, Documents, Engine, OperationKind, Principal, Response};
use waypost_api::Resolvers;
use waypost_app::{App, AppConfig};

/// Origin of the pages that tours play on in these tests.
pub(crate) const SHOP: &str = "https://shop.example";

/// An application over a temporary folder, and the documents that were asked of it.
pub(crate) struct Server {
    engine: Box<dyn Engine>,
    documents: Documents,
    asked: Mutex<BTreeSet<String>>,
    _folder: TempDir,
}

impl Server {
    pub(crate) async fn start() -> Self {
        Self::over(waypost_testbed::usual()).await
    }

    /// Over a database of PostgreSQL, if there is an address.
    pub(crate) async fn over(postgres: Option<String>) -> Self {
        Self::with(waypost_api::MANIFEST, postgres).await
    }

    /// With another manifest than that of this build.
    pub(crate) async fn serving(manifest: &str) -> Self {
        Self::with(manifest, waypost_testbed::usual()).await
    }

    async fn with(manifest: &str, postgres: Option<String>) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let config = AppConfig {
            data_dir: folder.path().into(),
            postgres: postgres.map(|url| url.parse().expect("an address")),
            public_url: "https://tours.example/".parse().expect("a URL"),
            providers: Vec::new(),
            token_store: waypost_api::TokenStore::Session,
            source_url: "https://source.example/".parse().expect("a URL"),
            version: "0.0.0".into(),
            sample: false,
            claims_workspace: None,
            grants: Vec::new(),
        };
        let app = App::open(config).await.expect("a fresh database opens");
        let resolvers = Resolvers::new(app.into());
        Self {
            engine: Box::new(waypost_api::engine(&resolvers, Default::default())),
            documents: Documents::from_manifest(manifest).expect("a manifest"),
            asked: Mutex::default(),
            _folder: folder,
        }
    }

    /// Names of the documents that were not asked yet.
    pub(crate) fn unasked(&self) -> Vec<String> {
        let asked = self.asked.lock().expect("no test panics while it asks");
        let names = self.documents.iter().filter_map(|document| document.name.clone());
        names.filter(|name| !asked.contains(name)).collect()
    }

    pub(crate) async fn answer(&self, cx: &Ctx, operation: &str, variables: Value) -> Response {
        let document = self.document(operation);
        let response = self.engine.execute(cx, &document, object(variables.clone())).await;
        if document.kind == OperationKind::Query {
            // A plan answers with the same bytes as the engine that executes any document.
            let unplanned = Document {
                text: document.text.clone(),
                name: document.name.clone(),
                hash: document.hash.clone(),
                trusted: false,
                ..*document
            };
            let other = self.engine.execute(cx, &unplanned, object(variables)).await;
            let told = |response: &Response| (json(response).to_string(), response.body.clone(), response.http);
            assert_eq!(told(&other), told(&response), "{operation}, without its plan and by it");
        }
        response
    }

    /// The bytes of the answer to exactly this text, as a client of any age sends it; nothing when it is not trusted.
    pub(crate) async fn answer_to(&self, cx: &Ctx, text: &str, variables: Value) -> Option<Vec<u8>> {
        let document = self.documents.by_text(text)?;
        let response = self.engine.execute(cx, document, object(variables)).await;
        Some(response.body.to_vec())
    }

    /// The data of an answer without errors.
    pub(crate) async fn ask(&self, cx: &Ctx, operation: &str, variables: Value) -> Value {
        data(operation, self.answer(cx, operation, variables).await)
    }

    /// The data of an answer without errors to a document that is not trusted.
    pub(crate) async fn ask_anything(&self, cx: &Ctx, text: &str, variables: Value) -> Value {
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

    /// The code of the first error.
    pub(crate) async fn refused(&self, cx: &Ctx, operation: &str, variables: Value) -> Value {
        let body = json(&self.answer(cx, operation, variables).await);
        body["errors"][0]["extensions"]["code"].clone()
    }

    pub(crate) async fn subscribe(&self, cx: &Ctx, operation: &str, variables: Value) -> BoxStream<'static, Value> {
        let document = self.document(operation);
        let name = operation.to_owned();
        match self.engine.subscribe(cx.clone(), document, object(variables)).await {
            Ok(events) => events.map(move |event| data(&name, event)).boxed(),
            Err(refused) => panic!("{operation} was refused: {}", json(&refused)),
        }
    }

    fn document(&self, operation: &str) -> std::sync::Arc<traitql::Document> {
        let mut documents = self.documents.iter();
        let document = documents.find(|document| document.name.as_deref() == Some(operation));
        let document = document.unwrap_or_else(|| panic!("operations/ has no `{operation}`"));
        self.asked
            .lock()
            .expect("no test panics while it asks")
            .insert(operation.to_owned());
        document.clone()
    }
}

fn object(variables: Value) -> Map<String, Value> {
    match variables {
        Value::Object(map) => map,
        other => panic!("variables are an object, not {other}"),
    }
}

fn json(response: &Response) -> Value {
    serde_json::from_slice(&response.body).expect("answers are JSON")
}

fn data(operation: &str, response: Response) -> Value {
    let mut body = json(&response);
    assert!(body.get("errors").is_none(), "{operation} failed: {body}");
    body["data"].take()
}

/// A request of a person.
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
        }),
        ..CtxParts::default()
    })
}

/// A request of a page of the shop.
pub(crate) fn page() -> Ctx {
    Ctx::from(CtxParts {
        request_id: "test".into(),
        origin: Some(SHOP.into()),
        ..CtxParts::default()
    })
}
