//! Does not follow redirects.

use std::time::Duration;

use reqwest::{Client, Method, RequestBuilder, StatusCode, header::HeaderMap, redirect};
use serde_json::Value;
use url::Url;
use waypost_auth::{LoopbackResolver, is_loopback};

/// The maximum in bytes. The beginning of a sign-in page suffices.
const BODY_LIMIT: usize = 256 * 1024;

const TIMEOUT: Duration = Duration::from_secs(10);

/// Loopback addresses are called directly even if a proxy is configured.
pub(crate) struct HttpClient {
    loopback: Client,
    remote: Client,
}

pub(crate) struct Response {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

impl Response {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or(Value::Null)
    }

    pub(crate) fn location(&self, base: &Url) -> Option<Url> {
        if !self.status.is_redirection() {
            return None;
        }
        base.join(self.header("location")?).ok()
    }
}

impl HttpClient {
    pub(crate) fn new() -> Result<Self, String> {
        let builder = || {
            Client::builder()
                .timeout(TIMEOUT)
                .redirect(redirect::Policy::none())
                .dns_resolver(LoopbackResolver)
                .user_agent(concat!("waypost-doctor/", env!("CARGO_PKG_VERSION")))
        };
        let build = |builder: reqwest::ClientBuilder| {
            builder
                .build()
                .map_err(|error| format!("The HTTP client could not be created: {}.", chain(error)))
        };
        Ok(Self {
            loopback: build(builder().no_proxy())?,
            remote: build(builder())?,
        })
    }

    pub(crate) fn request(&self, method: Method, url: &Url) -> RequestBuilder {
        let client = if is_loopback(url) { &self.loopback } else { &self.remote };
        client.request(method, url.clone())
    }

    pub(crate) async fn get(&self, url: &Url) -> Result<Response, String> {
        self.send(self.request(Method::GET, url)).await
    }

    pub(crate) async fn send(&self, request: RequestBuilder) -> Result<Response, String> {
        let mut response = request.send().await.map_err(|error| chain(error.without_url()))?;
        let (status, headers) = (response.status(), response.headers().clone());
        let mut bytes = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| chain(error.without_url()))? {
            bytes.extend_from_slice(&chunk);
            if bytes.len() > BODY_LIMIT {
                break;
            }
        }
        Ok(Response {
            status,
            headers,
            body: String::from_utf8_lossy(&bytes).into_owned(),
        })
    }
}

/// Returns the error with its causes, because reqwest's own text is only "error sending request".
fn chain(error: reqwest::Error) -> String {
    format!("{:#}", anyhow::Error::new(error))
}
