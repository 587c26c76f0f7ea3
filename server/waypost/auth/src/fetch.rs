//! Requests to a provider, limited in time and size and without redirects.

use std::time::Duration;

use reqwest::{Client, RequestBuilder, Response, StatusCode, redirect};
use serde_json::Value;

use crate::{loopback::LoopbackResolver, reject::Reject};

/// The maximum in bytes. Discovery documents and key sets are a few kilobytes.
const BODY_LIMIT: usize = 512 * 1024;

/// Calls loopback addresses directly, even if a proxy is configured.
pub(crate) fn client(timeout: Duration, loopback: bool) -> Result<Client, String> {
    let mut builder = Client::builder()
        .timeout(timeout)
        // A redirect could lead into the operator's network.
        .redirect(redirect::Policy::none())
        .dns_resolver(LoopbackResolver)
        .user_agent(concat!("waypost/", env!("CARGO_PKG_VERSION")));
    if loopback {
        builder = builder.no_proxy();
    }
    builder.build().map_err(|error| {
        format!(
            "The HTTP client for the identity provider could not be created: {}.",
            chain(error)
        )
    })
}

/// The body of an error that is not JSON becomes `null`.
pub(crate) async fn json(request: RequestBuilder) -> Result<(StatusCode, Value), Reject> {
    read(send(request).await.map_err(unavailable)?).await
}

async fn send(request: RequestBuilder) -> reqwest::Result<Response> {
    request.header("accept", "application/json").send().await
}

async fn read(response: Response) -> Result<(StatusCode, Value), Reject> {
    let status = response.status();
    let body = bounded_body(response).await?;
    match serde_json::from_slice(&body) {
        Ok(value) => Ok((status, value)),
        Err(_) if !status.is_success() => Ok((status, Value::Null)),
        Err(error) => Err(Reject::Unavailable(format!(
            "the provider's response is not JSON: {error}"
        ))),
    }
}

/// Fails unless the status is 200.
pub(crate) async fn document(client: &Client, url: &str) -> Result<Value, Reject> {
    let fetched = match fetch(client, url).await.map_err(unavailable) {
        Ok(response) => read(response).await,
        Err(reject) => Err(reject),
    };
    let (status, value) = fetched.map_err(|reject| match reject {
        Reject::Unavailable(cause) => Reject::Unavailable(format!("{url}: {cause}")),
        other => other,
    })?;
    if status != StatusCode::OK {
        return Err(Reject::Unavailable(format!("{url} returned {status}")));
    }
    Ok(value)
}

async fn fetch(client: &Client, url: &str) -> reqwest::Result<Response> {
    match send(client.get(url)).await {
        // A provider that restarts resets the connections that were kept alive. A second request opens a new one; without
        // it, tokens with a new key would be rejected until the cool-down ends.
        Err(error) if error.is_request() && !error.is_connect() && !error.is_timeout() => send(client.get(url)).await,
        result => result,
    }
}

async fn bounded_body(mut response: Response) -> Result<Vec<u8>, Reject> {
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(unavailable)? {
        if body.len() + chunk.len() > BODY_LIMIT {
            return Err(Reject::Unavailable(
                "the provider's response is larger than 512 kB".into(),
            ));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

fn unavailable(error: reqwest::Error) -> Reject {
    Reject::Unavailable(chain(error.without_url()))
}

/// Returns the error with its causes, because reqwest's own text is only "error sending request".
fn chain(error: reqwest::Error) -> String {
    format!("{:#}", anyhow::Error::new(error))
}

#[cfg(test)]
mod tests {
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::TcpListener,
    };

    use super::*;

    #[tokio::test]
    async fn a_connection_that_the_provider_has_closed_is_replaced() {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        tokio::spawn(async move {
            loop {
                let (mut connection, _) = listener.accept().await.expect("a connection");
                let mut request = [0; 1024];
                assert_ne!(connection.read(&mut request).await.expect("a request"), 0);
                let response = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}";
                connection.write_all(response).await.expect("a response");
                // The next request on this connection gets no response.
                let _ = connection.read(&mut request).await;
            }
        });
        let client = client(Duration::from_secs(5), true).expect("a client");
        for _ in 0..3 {
            let document = document(&client, &url).await;
            assert!(matches!(document, Ok(Value::Object(_))), "a document");
        }
    }
}
