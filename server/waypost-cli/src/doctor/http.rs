//! Asking a provider: never following a redirect by itself, and telling failures in words.

use std::{error::Error, time::Duration};

use reqwest::{Client, Method, RequestBuilder, StatusCode, header::HeaderMap, redirect};
use serde_json::Value;
use url::Url;
use waypost_auth::{LoopbackResolver, is_loopback};

/// Pages of sign-in are long, and nothing after this matters here.
const BODY_LIMIT: usize = 256 * 1024;

const TIMEOUT: Duration = Duration::from_secs(10);

/// Two clients: a provider on this machine is called directly, whatever proxy the environment names.
pub(super) struct Probe {
    near: Client,
    far: Client,
}

/// An answer of any status.
pub(super) struct Answer {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    pub(super) body: String,
}

impl Answer {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    pub(super) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or(Value::Null)
    }

    /// Where it redirects to.
    pub(super) fn location(&self, base: &Url) -> Option<Url> {
        if !self.status.is_redirection() {
            return None;
        }
        base.join(self.header("location")?).ok()
    }
}

impl Probe {
    pub(super) fn new() -> Result<Self, String> {
        let builder = || {
            Client::builder()
                .timeout(TIMEOUT)
                .redirect(redirect::Policy::none())
                .dns_resolver(LoopbackResolver)
                .user_agent(concat!("waypost-doctor/", env!("CARGO_PKG_VERSION")))
        };
        let made = |client: reqwest::Result<Client>| {
            client.map_err(|error| format!("No request can be made: {}.", chain(&error)))
        };
        Ok(Self {
            near: made(builder().no_proxy().build())?,
            far: made(builder().build())?,
        })
    }

    pub(super) fn request(&self, method: Method, url: &Url) -> RequestBuilder {
        let client = if is_loopback(url) { &self.near } else { &self.far };
        client.request(method, url.clone())
    }

    pub(super) async fn get(&self, url: &Url) -> Result<Answer, String> {
        self.send(self.request(Method::GET, url)).await
    }

    pub(super) async fn send(&self, request: RequestBuilder) -> Result<Answer, String> {
        let mut response = request.send().await.map_err(|error| chain(&error.without_url()))?;
        let (status, headers) = (response.status(), response.headers().clone());
        let mut bytes = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| chain(&error.without_url()))? {
            bytes.extend_from_slice(&chunk);
            if bytes.len() > BODY_LIMIT {
                break;
            }
        }
        Ok(Answer {
            status,
            headers,
            body: String::from_utf8_lossy(&bytes).into_owned(),
        })
    }
}

/// The error with its causes: reqwest's own text alone says only "error sending request".
fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(inner) = source {
        text.push_str(": ");
        text.push_str(&inner.to_string());
        source = inner.source();
    }
    text
}
