//! The client authentication that the token relay adds.

use std::fs;

use base64::{Engine, engine::general_purpose::STANDARD};
use waypost_auth::{
    Credentials, Secret,
    preset::{Preset, RelayNeed},
};

use super::{apple, provider::ProviderReader, reader::present};
use crate::settings::OidcSettings;

#[derive(Clone)]
pub enum RelaySecret {
    Public,
    /// `client_secret_post`.
    Post(Secret),
    /// `client_secret_basic`.
    Basic(Secret),
    /// Signed with a key from Apple.
    Apple(AppleKey),
}

#[derive(Clone)]
pub struct AppleKey {
    pub team_id: String,
    pub key_id: String,
    /// PKCS#8 DER.
    pub key: Vec<u8>,
}

impl std::fmt::Debug for RelaySecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("RelaySecret(…)")
    }
}

impl RelaySecret {
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
    let enabled = reader.reader.switch(&name, settings.relay.clone());
    let secret = present(settings.client_secret.clone());
    if !enabled {
        if reader.relay_need() != RelayNeed::None {
            reader.reader.problems.push(format!(
                "{name} is not set, but {} requires the token relay. Set it to 1.",
                preset.name
            ));
        } else if secret.is_some() {
            let variable = reader.variable("CLIENT_SECRET");
            reader.reader.problems.push(format!(
                "{variable} is set, but only the token relay uses it. Set {name} to 1, or remove the secret."
            ));
        }
        return None;
    }
    if reader.relay_need() == RelayNeed::AppleKey {
        return apple(reader, settings).map(RelaySecret::Apple);
    }
    if secret.is_none() && reader.relay_need() == RelayNeed::Secret {
        let what = format!("the client secret of {client_id}");
        reader.required("CLIENT_SECRET", None, &what);
        return None;
    }
    let auth = reader.variable("CLIENT_AUTH");
    let uses_basic = reader.reader.parsed(
        &auth,
        settings.client_auth.clone(),
        "post or basic",
        |text| match text {
            "post" => Some(false),
            "basic" => Some(true),
            _ => None,
        },
    );
    Some(match (secret, uses_basic) {
        (None, _) => RelaySecret::Public,
        (Some(secret), Some(true)) => RelaySecret::Basic(secret.into()),
        (Some(secret), _) => RelaySecret::Post(secret.into()),
    })
}

fn apple(reader: &mut ProviderReader<'_>, settings: &OidcSettings) -> Option<AppleKey> {
    let team_id = reader.required("APPLE_TEAM_ID", settings.apple_team_id.clone(), "your Apple team id");
    let key_id = reader.required(
        "APPLE_KEY_ID",
        settings.apple_key_id.clone(),
        "the id of your Apple key",
    );
    let file = reader.required(
        "APPLE_KEY_FILE",
        settings.apple_key_file.clone(),
        "the path of the key file from Apple (AuthKey_….p8)",
    );
    if file.is_empty() {
        return None;
    }
    let key = fs::read_to_string(&file).ok().and_then(|text| pem(&text));
    if key.is_none() {
        let name = reader.variable("APPLE_KEY_FILE");
        reader.reader.problems.push(format!(
            "{name} is `{file}`, but must be a readable PEM file that starts with -----BEGIN PRIVATE KEY-----."
        ));
    }
    Some(AppleKey {
        team_id,
        key_id,
        key: key?,
    })
}

/// Decodes a PEM file (RFC 7468) with one private key.
fn pem(text: &str) -> Option<Vec<u8>> {
    let (_, rest) = text.split_once("-----BEGIN PRIVATE KEY-----")?;
    let (body, _) = rest.split_once("-----END PRIVATE KEY-----")?;
    let body: String = body.chars().filter(|c| !c.is_whitespace()).collect();
    STANDARD.decode(body).ok()
}
