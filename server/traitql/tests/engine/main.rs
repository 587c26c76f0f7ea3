//! The engine over hand-written wiring: what is asked of resolvers, and what comes out.
#![allow(clippy::unwrap_used)]

mod app;
mod batches;
mod errors;
mod introspection;
mod log;
mod requests;

use std::{collections::HashMap, sync::Arc};

use app::{App, Role, Wired, cx};
use serde_json::{Map, Value, json};
use traitql::{Ctx, Document, Engine, OperationKind, Rates, Response, engine::GraphqlEngine};

struct Bench {
    app: Arc<App>,
    engine: GraphqlEngine<Wired>,
}

fn bench() -> Bench {
    let roles = HashMap::from([("ada", Role::Admin), ("vic", Role::Viewer)]);
    let app = Arc::new(App {
        roles,
        ..App::default()
    });
    let engine = GraphqlEngine::new(Arc::clone(&app), Arc::new(Rates::default()));
    Bench { app, engine }
}

fn document(text: &str) -> Document {
    Document {
        text: text.to_owned(),
        name: None,
        kind: OperationKind::Query,
        hash: text.to_owned(),
        cost: 0,
        trusted: false,
    }
}

fn variables(value: Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap_or_default()
}

impl Bench {
    async fn ask_as(&self, cx: &Ctx, text: &str, values: Value) -> Response {
        self.engine.execute(cx, &document(text), variables(values)).await
    }

    async fn ask(&self, text: &str) -> Value {
        let response = self.ask_as(&cx(None), text, json!({})).await;
        serde_json::from_slice(&response.body).unwrap()
    }

    /// Asks, and expects no errors.
    async fn data(&self, text: &str) -> Value {
        let mut answer = self.ask(text).await;
        assert_eq!(answer.get("errors"), None, "{answer:#}");
        answer["data"].take()
    }

    fn calls(&self) -> Vec<String> {
        let mut calls = std::mem::take(&mut *self.app.calls.lock().unwrap());
        calls.sort();
        calls
    }
}

fn json_of(response: &Response) -> Value {
    serde_json::from_slice(&response.body).unwrap()
}

/// The errors of an answer, each in one line: path, code, message.
fn errors(answer: &Value) -> Vec<String> {
    let line = |error: &Value| {
        let path = error.get("path").map(|path| {
            let parts = path
                .as_array()
                .unwrap()
                .iter()
                .map(|part| part.as_str().map_or(part.to_string(), str::to_owned));
            parts.collect::<Vec<_>>().join(".")
        });
        let code = error["extensions"]["code"].as_str().unwrap();
        assert_eq!(error["extensions"]["requestId"], "r1");
        format!(
            "{} {code} {}",
            path.unwrap_or_default(),
            error["message"].as_str().unwrap()
        )
    };
    answer["errors"]
        .as_array()
        .map(|errors| errors.iter().map(line).collect())
        .unwrap_or_default()
}
