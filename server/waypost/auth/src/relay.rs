//! Access for the token relay to the discovery document, the token endpoint and the userinfo endpoint, and to no other
//! URL.

use reqwest::StatusCode;
use serde_json::{Map, Value};
use url::form_urlencoded;

use crate::{config::Secret, fetch, opaque, provider::Provider, reject::Reject, verifier::Verifier};

/// RFC 6749, section 2.3.
#[derive(Debug)]
pub enum Credentials {
    /// The client id is in the form.
    Public,
    /// The secret is in the form.
    Post(Secret),
    /// HTTP Basic; the form contains neither client id nor secret.
    Basic(Secret),
}

impl Verifier {
    pub async fn discovery(&self, id: &str) -> Option<Result<Value, Reject>> {
        let provider = self.provider(id)?;
        Some(
            provider
                .snapshot()
                .await
                .map(|snapshot| snapshot.metadata.document.clone()),
        )
    }

    /// Returns `None` if no provider has this id.
    pub async fn request_tokens(
        &self,
        id: &str,
        client_id: &str,
        credentials: &Credentials,
        form: Vec<(String, String)>,
    ) -> Option<Result<(u16, Value), Reject>> {
        let provider = self.provider(id)?;
        Some(post(provider, client_id, credentials, form).await)
    }

    /// Returns the claims of the account that the access token belongs to, or `None` if no provider has this id.
    pub async fn userinfo(&self, id: &str, access_token: &str) -> Option<Result<Map<String, Value>, Reject>> {
        let provider = self.provider(id)?;
        Some(opaque::userinfo(provider, access_token).await)
    }
}

async fn post(
    provider: &std::sync::Arc<Provider>,
    client_id: &str,
    credentials: &Credentials,
    mut form: Vec<(String, String)>,
) -> Result<(u16, Value), Reject> {
    let snapshot = provider.snapshot().await?;
    let endpoint = snapshot
        .metadata
        .token
        .as_deref()
        .ok_or_else(|| Reject::Unavailable("the discovery document has no `token_endpoint`".into()))?;
    let mut request = provider.http.post(endpoint);
    match credentials {
        Credentials::Public => form.push(("client_id".into(), client_id.into())),
        Credentials::Post(secret) => {
            form.push(("client_id".into(), client_id.into()));
            form.push(("client_secret".into(), secret.expose().into()));
        }
        Credentials::Basic(secret) => {
            // Form-encoded first (RFC 6749, section 2.3.1).
            let encode = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
            request = request.basic_auth(encode(client_id), Some(encode(secret.expose())));
        }
    }
    let (status, body) = fetch::json(request.form(&form)).await?;
    match (status, &body) {
        (StatusCode::OK | StatusCode::BAD_REQUEST | StatusCode::UNAUTHORIZED, Value::Object(_)) => {
            Ok((status.as_u16(), body))
        }
        // RFC 6749, sections 5.1 and 5.2, defines no other responses.
        _ => Err(Reject::Unavailable(format!("the token endpoint returned {status}"))),
    }
}
