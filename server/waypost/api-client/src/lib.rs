//! A server accepts only trusted documents, but cynic prints its own. An operation is therefore sent by the hash of the
//! manifest's document with the same name, from which its types are generated.

// Independent of the installed rustfmt.
#[rustfmt::skip]
pub mod generated;

use std::{collections::HashMap, fmt, time::Duration};

use cynic::{GraphQlResponse, Operation};
use reqwest::{StatusCode, header};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Map, Value, json};
use url::Url;

const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);

/// The first has responses with meaningful status codes.
const ACCEPT: &str = "application/graphql-response+json, application/json;q=0.9";

#[derive(Debug)]
pub enum Failure {
    /// The server or the network is down, or the request timed out.
    Network(String),
    /// Another program, a proxy, or another version responded.
    Protocol {
        /// 0 if the request could not be created.
        status: u16,
        problem: String,
    },
    Graphql {
        status: u16,
        errors: Vec<ApiError>,
    },
}

#[derive(Debug, Clone, PartialEq)]
pub struct ApiError {
    pub code: String,
    pub message: String,
    /// The id of the request in the server's log.
    pub request_id: Option<String>,
    pub extensions: Map<String, Value>,
}

#[derive(Debug)]
pub struct Response<T> {
    pub status: u16,
    pub data: Option<T>,
    pub errors: Vec<ApiError>,
}

#[derive(Clone)]
pub struct Client {
    http: reqwest::Client,
    endpoint: Url,
    token: Option<String>,
    origin: Option<String>,
    hashes: HashMap<String, String>,
}

impl Client {
    /// The endpoint is `graphql` relative to `url`. `manifest` must be the one that the server was built with.
    pub fn new(url: &str, token: Option<String>, manifest: &str) -> Result<Self, String> {
        let endpoint = Url::parse(url)
            .and_then(|url| url.join("graphql"))
            .map_err(|error| format!("`{url}` is not the URL of a server: {error}."))?;
        let http = reqwest::Client::builder()
            .timeout(REQUEST_TIMEOUT)
            .redirect(reqwest::redirect::Policy::none())
            .user_agent(concat!("waypost-cli/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(|error| format!("The HTTP client could not be created: {error}."))?;
        Ok(Self {
            http,
            endpoint,
            token,
            origin: None,
            hashes: hashes(manifest)?,
        })
    }

    pub fn with_token(&self, token: Option<String>) -> Self {
        Self { token, ..self.clone() }
    }

    /// Sends requests like a page of this origin (RFC 6454).
    pub fn from_page(&self, origin: &str) -> Self {
        Self {
            origin: Some(origin.to_owned()),
            ..self.clone()
        }
    }

    /// Fails if the response has errors, even with data.
    pub async fn run<T, V>(&self, operation: Operation<T, V>) -> Result<T, Failure>
    where
        T: DeserializeOwned,
        V: Serialize,
    {
        let name = operation.operation_name.as_deref().unwrap_or_default();
        let variables = serde_json::to_value(&operation.variables).map_err(|error| Failure::Protocol {
            status: 0,
            problem: format!("the variables of {name} cannot be serialized: {error}"),
        })?;
        let Response { status, data, errors } = self.run_by_name(name, variables).await?;
        match data {
            Some(data) if errors.is_empty() => Ok(data),
            _ => Err(Failure::Graphql { status, errors }),
        }
    }

    pub async fn run_by_name<T: DeserializeOwned>(&self, name: &str, variables: Value) -> Result<Response<T>, Failure> {
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

    pub async fn send<T: DeserializeOwned>(&self, body: &Value) -> Result<Response<T>, Failure> {
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
                "it is not JSON; check that the URL belongs to a Waypost server",
            ));
        }
        let response: GraphQlResponse<T, Map<String, Value>> = serde_json::from_slice(&body).map_err(|error| {
            protocol(
                status,
                format!("it does not match the operation ({error}); the server may have another version"),
            )
        })?;
        let errors = response
            .errors
            .unwrap_or_default()
            .into_iter()
            .map(ApiError::from)
            .collect();
        Ok(Response {
            status: status.as_u16(),
            data: response.data,
            errors,
        })
    }
}

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
        .map_err(|error| format!("The manifest of trusted documents is invalid: {error}."))?;
    Ok(manifest
        .operations
        .into_iter()
        .map(|Entry { id, name }| (name, id))
        .collect())
}

fn unreachable(error: reqwest::Error) -> Failure {
    // The alternate format appends the causes.
    Failure::Network(format!("{:#}", anyhow::Error::new(error)))
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
                write!(f, "The response (status {status}) is invalid: {problem}.")
            }
            Self::Graphql { errors, .. } => {
                for (index, error) in errors.iter().enumerate() {
                    let separator = if index == 0 { "" } else { "\n" };
                    write!(f, "{separator}{} ({}", error.message, error.code)?;
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
