//! An in-process client for tests. Validation and engine are those of HTTP.

use std::{fmt, sync::Arc};

use futures_util::{Stream, StreamExt};
use serde_json::{Map, Value, json};

use crate::{AdHoc, Ctx, CtxParts, Document, Engine, Limits, Principal, Rejection};

/// Sends operations to an engine.
///
/// ```no_run
/// # async fn example(engine: impl traitql::Engine, sdl: &str) {
/// use traitql::testing::Client;
///
/// let client = Client::new(engine, sdl).signed_in("ada");
/// let response = client.execute("{ tours { title } }", serde_json::json!({})).await;
/// assert_eq!(response["data"]["tours"][0]["title"], "First steps");
/// # }
/// ```
pub struct Client {
    engine: Arc<dyn Engine>,
    documents: AdHoc,
    principal: Option<Principal>,
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("principal", &self.principal)
            .finish_non_exhaustive()
    }
}

impl Client {
    /// Creates a client that is not signed in.
    ///
    /// # Panics
    /// Panics if the schema is invalid. The `SDL` of a generated crate is valid.
    pub fn new(engine: impl Engine, sdl: &str) -> Self {
        Self {
            engine: Arc::new(engine),
            documents: AdHoc::new(sdl, Limits::default()).unwrap_or_else(|report| panic!("{report}")),
            principal: None,
        }
    }

    /// Returns the client, signed in with this subject.
    pub fn signed_in(mut self, subject: &str) -> Self {
        self.principal = Some(Principal::development(subject));
        self
    }

    /// Executes a query or mutation and returns the response: an object with `data`, `errors` or both. `variables` is
    /// an object or null.
    pub async fn execute(&self, text: &str, variables: Value) -> Value {
        match self.document(text) {
            Ok(document) => {
                let response = self.engine.execute(&self.context(), &document, object(variables)).await;
                parsed(&response.body)
            }
            Err(response) => response,
        }
    }

    /// Starts a subscription; a single response with `errors` if it cannot be started.
    pub async fn subscribe(&self, text: &str, variables: Value) -> impl Stream<Item = Value> + Unpin + use<> {
        let started = match self.document(text) {
            Ok(document) => self.engine.subscribe(self.context(), document, object(variables)).await,
            Err(response) => return futures_util::stream::iter([response]).boxed(),
        };
        match started {
            Ok(events) => events.map(|response| parsed(&response.body)).boxed(),
            Err(response) => futures_util::stream::iter([parsed(&response.body)]).boxed(),
        }
    }

    fn document(&self, text: &str) -> Result<Arc<Document>, Value> {
        let error = |message: &str| json!({ "errors": [{ "message": message }] });
        self.documents.check(text, None).map_err(|rejection| match rejection {
            Rejection::Invalid(findings) => {
                let errors = findings.iter().map(|finding| json!({ "message": finding.problem }));
                json!({ "errors": errors.collect::<Vec<_>>() })
            }
            Rejection::TooLarge(problem) => error(&problem),
            Rejection::TooCostly { cost, limit } => error(&format!("The cost is {cost}, the limit is {limit}.")),
        })
    }

    fn context(&self) -> Ctx {
        CtxParts {
            request_id: "test".to_owned(),
            principal: self.principal.clone(),
            ..CtxParts::default()
        }
        .into()
    }
}

fn object(variables: Value) -> Map<String, Value> {
    match variables {
        Value::Object(variables) => variables,
        _ => Map::new(),
    }
}

fn parsed(body: &[u8]) -> Value {
    serde_json::from_slice(body).expect("an engine returns valid JSON")
}
