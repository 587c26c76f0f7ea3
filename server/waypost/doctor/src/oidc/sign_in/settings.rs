use waypost_auth::{
    Audience, ProviderConfig, TokenKind,
    preset::{Logout, Renewal},
};
use waypost_server::config::{Provider, RelaySecret};

use super::super::{Case, authorization::Requested};

pub(super) struct Found {
    pub(super) tokens: ProviderConfig,
    pub(super) requested: Requested,
    pub(super) renewals: Vec<Renewal>,
    pub(super) logout: Logout,
    pub(super) needs_relay: bool,
    pub(super) uses_basic: bool,
}

impl Found {
    pub(super) fn new(provider: &Provider) -> Self {
        Self {
            tokens: provider.tokens.clone(),
            requested: provider.into(),
            renewals: provider.renewals.clone(),
            logout: provider.logout,
            needs_relay: false,
            uses_basic: matches!(provider.relay, Some(RelaySecret::Basic(_))),
        }
    }

    pub(super) fn lines(&self, case: &Case<'_>) -> Vec<String> {
        let provider = case.provider;
        let preset = provider.preset;
        let mut lines = vec![format!("WAYPOST_PUBLIC_URL={}", case.origin)];
        let mut set = |name: &str, value: &str| lines.push(assignment(case, name, value));
        if preset.slug != "generic" {
            set("PRESET", preset.slug);
        }
        set("ISSUER", &provider.tokens.issuer);
        set("CLIENT_ID", &provider.client_id);
        if let Some(resource) = &self.requested.resource {
            set("RESOURCE", resource);
        }
        if self.requested.scope != preset.scope_for(&provider.client_id) {
            set("SCOPE", &self.requested.scope);
        }
        if self.renewals != preset.renewals {
            set("RENEWAL", &renewals(&self.renewals));
        }
        if self.logout != preset.logout {
            set("LOGOUT", logout(self.logout));
        }
        if provider.tokens.dpop {
            set("DPOP", "1");
        }
        if provider.relay.is_some() || self.needs_relay {
            set("RELAY", "1");
        }
        if self.uses_basic {
            set("CLIENT_AUTH", "basic");
        }
        if self.tokens.backchannel_logout {
            set("BACKCHANNEL_LOGOUT", "1");
        }
        if self.tokens.step_up {
            set("STEP_UP", "on");
        }
        if !self.tokens.acr_values.is_empty() {
            set("ACR_VALUES", &self.tokens.acr_values.join(" "));
        }
        lines.extend(token_lines(case, &self.tokens));
        if !matches!(provider.relay, None | Some(RelaySecret::Public)) {
            lines.push("# and the settings of the client secret, unchanged".to_owned());
        }
        lines
    }
}

/// Omits the defaults.
pub(super) fn token_lines(case: &Case<'_>, tokens: &ProviderConfig) -> Vec<String> {
    let mut lines = Vec::new();
    let mut set = |name: &str, value: &str| lines.push(assignment(case, name, value));
    let introspects = match &tokens.token {
        TokenKind::Jwt => false,
        TokenKind::IdToken => {
            set("TOKEN", "id_token");
            false
        }
        TokenKind::Userinfo => {
            set("TOKEN", "userinfo");
            false
        }
        TokenKind::Introspection(introspection) => {
            set("TOKEN", "introspection");
            set("INTROSPECTION_CLIENT_ID", &introspection.client_id);
            if let Some(endpoint) = &introspection.endpoint {
                set("INTROSPECTION_URL", endpoint);
            }
            true
        }
    };
    let client = std::slice::from_ref(&case.provider.client_id);
    match &tokens.audience {
        // Of other methods, the client id.
        Audience::Aud(names) if tokens.token != TokenKind::Jwt && names == client => {}
        Audience::Aud(names) => set("AUDIENCE", &names.join(",")),
        Audience::ClientId(names) => {
            set("AUDIENCE_CLAIM", "client_id");
            set("AUDIENCE", &names.join(","));
        }
    }
    let reads_userinfo = !tokens.dpop && tokens.token != TokenKind::IdToken;
    if tokens.userinfo != (reads_userinfo && (introspects || case.provider.preset.userinfo)) {
        set("USERINFO", if tokens.userinfo { "1" } else { "0" });
    }
    if introspects {
        lines.push(format!("# and {}", case.setting("INTROSPECTION_SECRET")));
    }
    lines
}

fn assignment(case: &Case<'_>, name: &str, value: &str) -> String {
    format!("{}={}", case.setting(name), quoted(value))
}

fn quoted(value: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:@,+%".contains(c);
    if !value.is_empty() && value.chars().all(is_plain) {
        value.to_owned()
    } else {
        format!("'{}'", value.replace('\'', r"'\''"))
    }
}

fn renewals(renewals: &[Renewal]) -> String {
    let names = renewals.iter().map(|renewal| match renewal {
        Renewal::RefreshToken => "refresh",
        Renewal::Frame => "frame",
    });
    match renewals {
        [] => "click".to_owned(),
        _ => names.collect::<Vec<_>>().join(","),
    }
}

fn logout(logout: Logout) -> &'static str {
    match logout {
        Logout::Provider => "provider",
        Logout::Popup => "popup",
        Logout::Frame => "frame",
        Logout::Cognito => "cognito",
        Logout::Local => "local",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_quoted_for_a_shell() {
        for (value, expected) in [
            ("https://login.example.com/a", "https://login.example.com/a"),
            ("openid email", "'openid email'"),
            ("it's", r"'it'\''s'"),
            ("$(rm)", "'$(rm)'"),
            ("", "''"),
        ] {
            assert_eq!(quoted(value), expected);
        }
    }
}
