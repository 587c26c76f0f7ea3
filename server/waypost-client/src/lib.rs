//! A typed client of a Waypost server: the command line's, and the API tests'.
//!
//! A server answers trusted documents only, and cynic writes documents of its own. So an operation is built with cynic for
//! its types (the derives check every field and variable against the schema when this crate is compiled), and sent by the
//! hash of the manifest's document of the same name. That document answers at least the fields that the cynic types read.
//!
//! What can go wrong has three kinds, which callers tell apart: [`Failure`].

pub mod operations;

use std::{collections::HashMap, fmt, time::Duration};

use cynic::{GraphQlResponse, Operation};
use reqwest::{StatusCode, header};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Map, Value, json};
use url::Url;

/// A request takes at most this long.
const PATIENCE: Duration = Duration::from_secs(30);

/// Media types of answers; the first one has statuses that mean something.
const ACCEPT: &str = "application/graphql-response+json, application/json;q=0.9";

/// Why there is no data.
#[derive(Debug)]
pub enum Failure {
    /// No answer came: the server is down, the network is, or it took too long.
    Network(String),
    /// An answer came that is none of GraphQL: from another program, a proxy, or a server of another version.
    Protocol {
        /// HTTP status of the answer.
        status: u16,
        /// What is wrong with it.
        problem: String,
    },
    /// The server answered with errors.
    Graphql {
        /// HTTP status of the answer.
        status: u16,
        /// The errors; at least one.
        errors: Vec<ApiError>,
    },
}

/// One error of an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct ApiError {
    /// A code of the schema's error catalogue.
    pub code: String,
    /// A sentence for people.
    pub message: String,
    /// Leads to the server's log.
    pub request_id: Option<String>,
    /// All of `extensions`.
    pub extensions: Map<String, Value>,
}

/// An answer that has data, and perhaps errors beside it.
#[derive(Debug)]
pub struct Answer<T> {
    /// HTTP status.
    pub status: u16,
    /// The data, if there is any.
    pub data: Option<T>,
    /// The errors.
    pub errors: Vec<ApiError>,
}

/// A client of one server, with or without a token.
#[derive(Clone)]
pub struct Client {
    http: reqwest::Client,
    endpoint: Url,
    token: Option<String>,
    origin: Option<String>,
    hashes: HashMap<String, String>,
}

impl Client {
    /// A client of the server at `address`, which answers at `/graphql` below it. `manifest` is the one that the server was
    /// built with.
    pub fn new(address: &str, token: Option<String>, manifest: &str) -> Result<Self, String> {
        let endpoint = Url::parse(address)
            .and_then(|url| url.join("graphql"))
            .map_err(|error| format!("`{address}` is no address of a server: {error}."))?;
        let http = reqwest::Client::builder()
            .timeout(PATIENCE)
            .redirect(reqwest::redirect::Policy::none())
            .user_agent(concat!("waypost-cli/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(|error| format!("No HTTP client can be made: {error}."))?;
        Ok(Self {
            http,
            endpoint,
            token,
            origin: None,
            hashes: hashes(manifest)?,
        })
    }

    /// The same client for somebody else.
    pub fn with_token(&self, token: Option<String>) -> Self {
        Self { token, ..self.clone() }
    }

    /// The same client, asking as a page of this origin (RFC 6454) does.
    pub fn from_page(&self, origin: &str) -> Self {
        Self {
            origin: Some(origin.to_owned()),
            ..self.clone()
        }
    }

    /// Runs an operation that was built with cynic. Errors beside data count as a failure.
    pub async fn run<T, V>(&self, operation: Operation<T, V>) -> Result<T, Failure>
    where
        T: DeserializeOwned,
        V: Serialize,
    {
        let name = operation.operation_name.as_deref().unwrap_or_default();
        let variables = serde_json::to_value(&operation.variables).map_err(|error| Failure::Protocol {
            status: 0,
            problem: format!("the variables of {name} cannot be written: {error}"),
        })?;
        let Answer { status, data, errors } = self.ask(name, variables).await?;
        match data {
            Some(data) if errors.is_empty() => Ok(data),
            _ => Err(Failure::Graphql { status, errors }),
        }
    }

    /// Runs the manifest's operation of this name.
    pub async fn ask<T: DeserializeOwned>(&self, name: &str, variables: Value) -> Result<Answer<T>, Failure> {
        let Some(hash) = self.hashes.get(name) else {
            return Err(Failure::Protocol {
                status: 0,
                problem: format!("the manifest has no operation `{name}`"),
            });
        };
        self.send(&json!({
            "operationName": name,
            "variables": variables,
            "extensions": {"persistedQuery": {"version": 1, "sha256Hash": hash}},
        }))
        .await
    }

    /// Sends a request body as it is.
    pub async fn send<T: DeserializeOwned>(&self, body: &Value) -> Result<Answer<T>, Failure> {
        let mut request = self
            .http
            .post(self.endpoint.clone())
            .header(header::ACCEPT, ACCEPT)
            .json(body);
        if let Some(token) = &self.token {
            request = request.bearer_auth(token);
        }
        if let Some(origin) = &self.origin {
            request = request.header(header::ORIGIN, origin);
        }
        let response = request.send().await.map_err(unreachable)?;
        let status = response.status();
        let is_json = response
            .headers()
            .get(header::CONTENT_TYPE)
            .and_then(|kind| kind.to_str().ok())
            .is_some_and(|kind| {
                kind.starts_with("application/graphql-response+json") || kind.starts_with("application/json")
            });
        let body = response.bytes().await.map_err(unreachable)?;
        if !is_json {
            return Err(protocol(
                status,
                "the answer is not JSON; is this the address of a Waypost server?",
            ));
        }
        let answer: GraphQlResponse<T, Map<String, Value>> = serde_json::from_slice(&body)
            .map_err(|error| protocol(status, format!("the answer does not fit: {error}")))?;
        let errors = answer
            .errors
            .unwrap_or_default()
            .into_iter()
            .map(ApiError::from)
            .collect();
        Ok(Answer {
            status: status.as_u16(),
            data: answer.data,
            errors,
        })
    }
}

/// The hash of each operation of a manifest, by name.
fn hashes(manifest: &str) -> Result<HashMap<String, String>, String> {
    #[derive(Deserialize)]
    struct Manifest {
        operations: Vec<Entry>,
    }
    #[derive(Deserialize)]
    struct Entry {
        id: String,
        name: String,
    }
    let manifest: Manifest = serde_json::from_str(manifest)
        .map_err(|error| format!("The manifest of operations cannot be read: {error}."))?;
    Ok(manifest
        .operations
        .into_iter()
        .map(|Entry { id, name }| (name, id))
        .collect())
}

fn unreachable(error: reqwest::Error) -> Failure {
    let mut text = error.to_string();
    let mut source = std::error::Error::source(&error);
    while let Some(inner) = source {
        text = format!("{text}: {inner}");
        source = inner.source();
    }
    Failure::Network(text)
}

fn protocol(status: StatusCode, problem: impl Into<String>) -> Failure {
    Failure::Protocol {
        status: status.as_u16(),
        problem: problem.into(),
    }
}

impl From<cynic::GraphQlError<Map<String, Value>>> for ApiError {
    fn from(error: cynic::GraphQlError<Map<String, Value>>) -> Self {
        let extensions = error.extensions.unwrap_or_default();
        let text = |name: &str| extensions.get(name).and_then(Value::as_str).map(str::to_owned);
        Self {
            code: text("code").unwrap_or_default(),
            message: error.message,
            request_id: text("requestId"),
            extensions,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Network(cause) => write!(f, "The server cannot be reached: {cause}."),
            Self::Protocol { status, problem } => {
                write!(f, "The server's answer (status {status}) cannot be used: {problem}")
            }
            Self::Graphql { errors, .. } => {
                for (index, error) in errors.iter().enumerate() {
                    let gap = if index == 0 { "" } else { "\n" };
                    write!(f, "{gap}{} ({}", error.message, error.code)?;
                    if let Some(id) = &error.request_id {
                        write!(f, ", request {id}")?;
                    }
                    f.write_str(")")?;
                }
                Ok(())
            }
        }
    }
}

impl std::error::Error for Failure {}
