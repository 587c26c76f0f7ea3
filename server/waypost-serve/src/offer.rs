//! What the sign-in page is told about the providers.

use traitql::Id;
use waypost_auth::{
    TokenKind,
    preset::{Logout, Renewal},
};
use waypost_cli::config::{Config, Provider};

use crate::relay;

/// All providers, as `instance` tells of them.
///
/// # Errors
/// One of their addresses is none.
pub fn offered(config: &Config) -> anyhow::Result<Vec<waypost_api::Provider>> {
    let asked = config
        .providers
        .iter()
        .filter(|provider| is_asked(&provider.tokens.token));
    let ambiguous = asked.count() > 1;
    config
        .providers
        .iter()
        .map(|provider| offer(provider, &config.public_url, ambiguous))
        .collect()
}

fn offer(provider: &Provider, public_url: &url::Url, ambiguous: bool) -> anyhow::Result<waypost_api::Provider> {
    let metadata = provider
        .relay
        .as_ref()
        .map(|_| relay::metadata_url(public_url, &provider.id));
    let asked = is_asked(&provider.tokens.token);
    Ok(waypost_api::Provider {
        id: Id::from(provider.id.as_str()),
        name: provider.name.clone(),
        issuer: web_address(&provider.tokens.issuer)?,
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
        metadata_url: metadata.map(|url| web_address(&url)).transpose()?,
        token: match provider.tokens.token {
            TokenKind::IdToken => waypost_api::ProviderToken::IdToken,
            _ => waypost_api::ProviderToken::AccessToken,
        },
        token_prefix: (ambiguous && asked).then(|| format!("{}~", provider.id)),
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
    })
}

/// Whether only the provider can tell what its tokens are worth, so that a token must say whose it is when there are several.
fn is_asked(token: &TokenKind) -> bool {
    matches!(token, TokenKind::Introspection(_) | TokenKind::Userinfo)
}

/// An address, for the API.
///
/// # Errors
/// It is none.
pub fn web_address(text: &str) -> anyhow::Result<traitql::Url> {
    text.parse().map_err(|problem| anyhow::anyhow!("`{text}` {problem}"))
}
