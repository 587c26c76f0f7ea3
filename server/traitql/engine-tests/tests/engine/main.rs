#![allow(clippy::unwrap_used)]

mod app;
mod batches;
mod data;
mod errors;
mod introspection;
mod log;
mod requests;

use std::{collections::HashMap, sync::Arc};

use app::{App, Generated, Role, cx};
use serde_json::{Map, Value, json};
use traitql::{
    Ctx, Document, Engine, OperationKind, RateLimits, Response,
    engine::{GeneratedSchema, GraphqlEngine, PlanEngine},
};

/// Responses of both must be equal.
struct Engines {
    app: Arc<App>,
    engine: GraphqlEngine<Generated>,
    planned: Arc<App>,
    rates: Arc<RateLimits>,
}

fn engines() -> Engines {
    let app = || {
        let roles = HashMap::from([("ada", Role::Admin), ("vic", Role::Viewer)]);
        Arc::new(App {
            roles,
            ..App::default()
        })
    };
    let (app, planned) = (app(), app());
    let engine = GraphqlEngine::new(Arc::clone(&app), Arc::new(RateLimits::default()));
    Engines {
        app,
        engine,
        planned,
        rates: Arc::new(RateLimits::default()),
    }
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

fn trusted(text: &str) -> Document {
    Document {
        trusted: true,
        ..document(text)
    }
}

fn variables(value: Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap_or_default()
}

impl Engines {
    async fn execute_as(&self, cx: &Ctx, text: &str, values: Value) -> Response {
        let response = self
            .engine
            .execute(cx, &document(text), variables(values.clone()))
            .await;
        let trusted = trusted(text);
        let planned = self.plans(&trusted).execute(cx, &trusted, variables(values)).await;
        assert_eq!(
            str::from_utf8(&planned.body).unwrap(),
            str::from_utf8(&response.body).unwrap(),
            "{text}"
        );
        assert_eq!(
            (planned.http, &planned.codes),
            (response.http, &response.codes),
            "{text}"
        );
        response
    }

    fn plans(&self, document: &Document) -> PlanEngine<Generated> {
        PlanEngine::with_sdl(
            Generated::SDL,
            Arc::clone(&self.planned),
            Arc::clone(&self.rates),
            [document],
        )
    }

    async fn execute(&self, text: &str) -> Value {
        let response = self.execute_as(&cx(None), text, json!({})).await;
        serde_json::from_slice(&response.body).unwrap()
    }

    async fn data(&self, text: &str) -> Value {
        let mut answer = self.execute(text).await;
        assert_eq!(answer.get("errors"), None, "{answer:#}");
        answer["data"].take()
    }

    fn calls(&self) -> Vec<String> {
        let [calls, planned] = [&self.app, &self.planned].map(|app| {
            let mut calls = std::mem::take(&mut *app.calls.lock().unwrap());
            calls.sort();
            calls
        });
        assert_eq!(planned, calls);
        calls
    }
}

fn json_of(response: &Response) -> Value {
    serde_json::from_slice(&response.body).unwrap()
}

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
