use crate::config::{Config, Provider};
use traitql::Id;
use waypost_auth::{
    TokenKind,
    preset::{Logout, Renewal},
};

use crate::relay;

/// Returns all providers for the field `instance`.
///
/// # Errors
/// Fails if one of their URLs is invalid.
pub fn api_providers(config: &Config) -> anyhow::Result<Vec<waypost_api::Provider>> {
    let remote = config
        .providers
        .iter()
        .filter(|provider| is_verified_remotely(&provider.tokens.token));
    let is_ambiguous = remote.count() > 1;
    config
        .providers
        .iter()
        .map(|provider| api_provider(provider, &config.public_url, is_ambiguous))
        .collect()
}

fn api_provider(
    provider: &Provider,
    public_url: &url::Url,
    is_ambiguous: bool,
) -> anyhow::Result<waypost_api::Provider> {
    let metadata = provider
        .relay
        .as_ref()
        .map(|_| relay::metadata_url(public_url, &provider.id));
    let needs_prefix = is_ambiguous && is_verified_remotely(&provider.tokens.token);
    Ok(waypost_api::Provider {
        id: Id::from(provider.id.as_str()),
        name: provider.name.clone(),
        issuer: parse_url(&provider.tokens.issuer)?,
        issuer_aliases: provider.tokens.aliases.clone(),
        client_id: provider.client_id.clone(),
        scope: provider.scope.clone(),
        resource: provider.resource.clone(),
        parameters: provider
            .parameters
            .iter()
            .map(|(name, value)| waypost_api::ProviderParameter {
                name: name.clone(),
                value: value.clone(),
            })
            .collect(),
        metadata_url: metadata.map(|url| parse_url(&url)).transpose()?,
        token: match provider.tokens.token {
            TokenKind::IdToken => waypost_api::ProviderToken::IdToken,
            _ => waypost_api::ProviderToken::AccessToken,
        },
        token_prefix: needs_prefix.then(|| format!("{}~", provider.id)),
        renewals: provider
            .renewals
            .iter()
            .map(|renewal| match renewal {
                Renewal::RefreshToken => waypost_api::Renewal::RefreshToken,
                Renewal::Frame => waypost_api::Renewal::Frame,
            })
            .collect(),
        logout: match provider.logout {
            Logout::Provider => waypost_api::Logout::Provider,
            Logout::Popup => waypost_api::Logout::Popup,
            Logout::Frame => waypost_api::Logout::Frame,
            Logout::Cognito => waypost_api::Logout::Cognito,
            Logout::Local => waypost_api::Logout::Local,
        },
        revocation: provider.preset.revocation,
        monitored: provider.monitored,
        dpop: provider.tokens.dpop,
    })
}

/// Returns true for providers whose tokens do not name them. With several of them, clients prefix tokens with an id.
fn is_verified_remotely(token: &TokenKind) -> bool {
    matches!(token, TokenKind::Introspection(_) | TokenKind::Userinfo)
}

pub fn parse_url(text: &str) -> anyhow::Result<traitql::Url> {
    text.parse().map_err(|problem| anyhow::anyhow!("`{text}` {problem}"))
}
