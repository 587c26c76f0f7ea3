//! The settings of the token relay: the secret that it adds to what browsers send.

use std::fs;

use base64::{Engine, engine::general_purpose::STANDARD};
use waypost_auth::{
    Credentials, Secret,
    preset::{Preset, RelayNeed},
};

use super::{apple, provider::ProviderReader, reader::present};
use crate::arguments::OidcSettings;

/// How the relay proves that it is the client.
#[derive(Clone)]
pub enum RelaySecret {
    /// By nothing: the provider only lets no browser call it.
    Public,
    /// By a secret in the form that is posted (`client_secret_post`).
    Post(Secret),
    /// By HTTP basic authentication (`client_secret_basic`).
    Basic(Secret),
    /// By a token that is signed with a key of Apple's.
    Apple(AppleKey),
}

/// What Apple gives to a team.
#[derive(Clone)]
pub struct AppleKey {
    /// Id of the team.
    pub team_id: String,
    /// Id of the key.
    pub key_id: String,
    /// The key: PKCS#8, DER.
    pub key: Vec<u8>,
}

impl std::fmt::Debug for RelaySecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("RelaySecret(…)")
    }
}

impl RelaySecret {
    /// What to show to the token endpoint now; an error says why there is nothing to show.
    pub fn credentials(&self, client_id: &str) -> Result<Credentials, String> {
        Ok(match self {
            Self::Public => Credentials::Public,
            Self::Post(secret) => Credentials::Post(secret.clone()),
            Self::Basic(secret) => Credentials::Basic(secret.clone()),
            Self::Apple(key) => {
                Credentials::Post(apple::secret(key, client_id, jiff::Timestamp::now().as_second())?.into())
            }
        })
    }
}

pub(super) fn read(
    reader: &mut ProviderReader<'_>,
    settings: &OidcSettings,
    preset: &Preset,
    client_id: &str,
) -> Option<RelaySecret> {
    let name = reader.variable("RELAY");
    let wanted = reader.reader.switch(&name, settings.relay.clone());
    let secret = present(settings.client_secret.clone());
    if !wanted {
        if reader.relay_need() != RelayNeed::None {
            reader.reader.problems.push(format!(
                "{name} is not set, but browsers get no tokens from {} without it: set it to 1.",
                preset.name
            ));
        } else if secret.is_some() {
            let variable = reader.variable("CLIENT_SECRET");
            reader.reader.problems.push(format!(
                "{variable} is set, but only the relay uses it: set {name} to 1, or leave the secret out."
            ));
        }
        return None;
    }
    if reader.relay_need() == RelayNeed::AppleKey {
        return apple(reader, settings).map(RelaySecret::Apple);
    }
    if secret.is_none() && reader.relay_need() == RelayNeed::Secret {
        let what = format!("the secret of the client {client_id}");
        reader.required("CLIENT_SECRET", None, &what);
        return None;
    }
    let how = reader.variable("CLIENT_AUTH");
    let by_basic = reader
        .reader
        .parsed(&how, settings.client_auth.clone(), "post or basic", |text| match text {
            "post" => Some(false),
            "basic" => Some(true),
            _ => None,
        });
    Some(match (secret, by_basic) {
        (None, _) => RelaySecret::Public,
        (Some(secret), Some(true)) => RelaySecret::Basic(secret.into()),
        (Some(secret), _) => RelaySecret::Post(secret.into()),
    })
}

fn apple(reader: &mut ProviderReader<'_>, settings: &OidcSettings) -> Option<AppleKey> {
    let team_id = reader.required(
        "APPLE_TEAM_ID",
        settings.apple_team_id.clone(),
        "Apple's id of your team",
    );
    let key_id = reader.required("APPLE_KEY_ID", settings.apple_key_id.clone(), "Apple's id of the key");
    let file = reader.required(
        "APPLE_KEY_FILE",
        settings.apple_key_file.clone(),
        "the file with the key that Apple gave you (AuthKey_….p8)",
    );
    if file.is_empty() {
        return None;
    }
    let key = fs::read_to_string(&file).ok().and_then(|text| pem(&text));
    if key.is_none() {
        let name = reader.variable("APPLE_KEY_FILE");
        reader.reader.problems.push(format!(
            "{name} is `{file}`, but must be a readable file that begins with -----BEGIN PRIVATE KEY-----."
        ));
    }
    Some(AppleKey {
        team_id,
        key_id,
        key: key?,
    })
}

/// The bytes in a PEM file (RFC 7468) with one private key.
fn pem(text: &str) -> Option<Vec<u8>> {
    let (_, rest) = text.split_once("-----BEGIN PRIVATE KEY-----")?;
    let (body, _) = rest.split_once("-----END PRIVATE KEY-----")?;
    let body: String = body.chars().filter(|c| !c.is_whitespace()).collect();
    STANDARD.decode(body).ok()
}
