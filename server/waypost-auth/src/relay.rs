//! What the token relay needs of a provider: its discovery document, and a way to its token endpoint and to nowhere else.

use reqwest::StatusCode;
use serde_json::Value;
use url::form_urlencoded;

use crate::{
    config::Secret,
    fetch,
    provider::{Provider, Want},
    reject::Reject,
    verifier::Verifier,
};

/// How the relay proves to the token endpoint that it is the client (RFC 6749, section 2.3).
#[derive(Debug)]
pub enum Credentials {
    /// Not at all; the id stands in the form.
    Public,
    /// By a secret in the form.
    Post(Secret),
    /// By HTTP basic authentication; then the id does not stand in the form.
    Basic(Secret),
}

impl Verifier {
    /// The discovery document of a provider. `None` when no provider has this name.
    pub async fn discovery(&self, id: &str) -> Option<Result<Value, Reject>> {
        let provider = self.provider(id)?;
        Some(
            provider
                .snapshot(Want::Known)
                .await
                .map(|snapshot| snapshot.metadata.document.clone()),
        )
    }

    /// Sends a form to the token endpoint of a provider, and answers with its status and JSON. `None` when no provider has
    /// this name.
    pub async fn ask_for_tokens(
        &self,
        id: &str,
        client_id: &str,
        credentials: &Credentials,
        form: Vec<(String, String)>,
    ) -> Option<Result<(u16, Value), Reject>> {
        let provider = self.provider(id)?;
        Some(post(provider, client_id, credentials, form).await)
    }
}

async fn post(
    provider: &std::sync::Arc<Provider>,
    client_id: &str,
    credentials: &Credentials,
    mut form: Vec<(String, String)>,
) -> Result<(u16, Value), Reject> {
    let snapshot = provider.snapshot(Want::Known).await?;
    let endpoint = snapshot
        .metadata
        .token
        .as_deref()
        .ok_or_else(|| Reject::Unavailable("discovery names no `token_endpoint`".into()))?;
    let mut request = provider.http.post(endpoint);
    match credentials {
        Credentials::Public => form.push(("client_id".into(), client_id.into())),
        Credentials::Post(secret) => {
            form.push(("client_id".into(), client_id.into()));
            form.push(("client_secret".into(), secret.expose().into()));
        }
        Credentials::Basic(secret) => {
            // RFC 6749, section 2.3.1: both are form-encoded before they become Basic credentials.
            let encode = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
            request = request.basic_auth(encode(client_id), Some(encode(secret.expose())));
        }
    }
    let (status, answer) = fetch::json(request.form(&form)).await?;
    match (status, &answer) {
        // Whatever it is, it is no answer of a token endpoint (RFC 6749, sections 5.1 and 5.2).
        (StatusCode::OK | StatusCode::BAD_REQUEST | StatusCode::UNAUTHORIZED, Value::Object(_)) => {
            Ok((status.as_u16(), answer))
        }
        _ => Err(Reject::Unavailable(format!("the token endpoint answered {status}"))),
    }
}
