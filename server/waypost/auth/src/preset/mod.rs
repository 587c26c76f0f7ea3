//! Defaults for well-known providers. `PROVIDERS.md` ([`markdown`]) and the advice of `waypost doctor oidc` are
//! generated from them.

mod cloud;
mod markdown;
mod self_hosted;

pub use markdown::page;

#[derive(Debug)]
pub struct Preset {
    pub slug: &'static str,
    pub name: &'static str,
    /// Pattern; the parts in angle brackets differ between installations.
    pub issuer: &'static str,
    /// True if the issuer may not match the pattern.
    pub self_hosted: bool,
    pub aliases: &'static [&'static str],
    pub token: PresetToken,
    pub audience: PresetAudience,
    /// `{client}` is the client id.
    pub scope: &'static str,
    pub parameters: &'static [(&'static str, &'static str)],
    /// Paths in claims; `{client}` is the client id.
    pub roles: &'static [&'static str],
    pub userinfo: bool,
    /// Methods without a click, best first.
    pub renewals: &'static [Renewal],
    /// The support of refresh tokens in browsers.
    pub refresh: &'static str,
    pub frame: &'static str,
    pub logout: Logout,
    pub revocation: bool,
    /// True if pages can monitor the session in a frame (OpenID Connect Session Management).
    pub session_monitoring: bool,
    pub relay: RelayNeed,
    pub locations: Locations,
    pub limits: &'static [&'static str],
    pub steps: &'static [&'static str],
    /// The settings that are required in addition to `PRESET` and `CLIENT_ID`.
    pub settings: &'static [(&'static str, &'static str)],
}

/// [`crate::TokenKind`] without the operator's secrets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PresetToken {
    Jwt,
    /// The access tokens are for the provider's own services.
    IdToken,
    Introspection,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PresetAudience {
    /// The operator names an API, which the client requests.
    Named(AudienceRequest),
    Fixed(&'static str),
    /// `aud` is the client id.
    Client,
    /// There is no `aud`; `client_id` is the client id (Amazon Cognito).
    ClientClaim,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AudienceRequest {
    /// `resource` (RFC 8707).
    Resource,
    AudienceParameter,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Renewal {
    RefreshToken,
    Frame,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Logout {
    Provider,
    Popup,
    Frame,
    /// Amazon Cognito's own parameters, `client_id` and `logout_uri`.
    Cognito,
    /// Only this browser discards its tokens.
    Local,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RelayNeed {
    None,
    /// The token endpoint requires a client secret, which a browser cannot keep.
    Secret,
    /// The client secret is signed for each request with a key from Apple.
    AppleKey,
}

#[derive(Debug)]
pub struct Locations {
    pub redirects: &'static str,
    pub origins: &'static str,
    pub refresh: &'static str,
    pub audience: &'static str,
    pub logout: &'static str,
}

/// The generic one is last.
pub const ALL: [&Preset; 11] = [
    &cloud::ENTRA,
    &cloud::GOOGLE,
    &cloud::AUTH0,
    &cloud::OKTA,
    &cloud::COGNITO,
    &cloud::APPLE,
    &self_hosted::KEYCLOAK,
    &self_hosted::ZITADEL,
    &self_hosted::AUTHENTIK,
    &self_hosted::GITLAB,
    &self_hosted::GENERIC,
];

impl Preset {
    pub fn find(slug: &str) -> Option<&'static Self> {
        ALL.into_iter().find(|preset| preset.slug == slug)
    }

    pub const fn generic() -> &'static Self {
        &self_hosted::GENERIC
    }

    /// Returns a preset that operators who did not select one may need.
    pub fn guess(issuer: &str) -> Option<&'static Self> {
        ALL.into_iter()
            .filter(|preset| preset.slug != "generic")
            .find(|preset| {
                matches_pattern(preset.issuer, issuer) || matches_pattern(preset.issuer, &format!("{issuer}/"))
            })
    }

    /// Returns the issuer if all installations share one.
    pub fn fixed_issuer(&self) -> Option<&'static str> {
        (!self.issuer.contains('<')).then_some(self.issuer)
    }

    /// Returns the problem with its fix, or `None` if the issuer matches the pattern.
    pub fn issuer_problem(&self, issuer: &str) -> Option<String> {
        if self.slug == "entra" {
            for shared in ["common", "organizations", "consumers"] {
                if issuer.contains(&format!("/{shared}/")) {
                    return Some(format!(
                        "{issuer} is the endpoint shared by all Microsoft tenants, not an issuer; replace `{shared}` with the \
                         id of your tenant."
                    ));
                }
            }
        }
        if self.self_hosted || matches_pattern(self.issuer, issuer) {
            return None;
        }
        let slash = match (self.issuer.ends_with('/'), issuer.ends_with('/')) {
            (true, false) => " Add the trailing slash.",
            (false, true) => " Remove the trailing slash.",
            _ => "",
        };
        Some(format!(
            "{issuer} is not an issuer of {}; the issuer has the form {}.{slash}",
            self.name, self.issuer
        ))
    }

    pub fn roles_for(&self, client_id: &str) -> Vec<String> {
        let pointer = client_id.replace('~', "~0").replace('/', "~1");
        self.roles
            .iter()
            .map(|role| role.replace("{client}", &pointer))
            .collect()
    }

    pub fn scope_for(&self, client_id: &str) -> String {
        self.scope.replace("{client}", client_id)
    }
}

/// A name in angle brackets is one or more characters other than a slash.
fn matches_pattern(pattern: &str, text: &str) -> bool {
    let Some((fixed, rest)) = pattern.split_once('<') else {
        return pattern == text;
    };
    let Some(text) = text.strip_prefix(fixed) else {
        return false;
    };
    let Some((_, rest)) = rest.split_once('>') else {
        return false;
    };
    // Shortest match first.
    let end = text.find('/').unwrap_or(text.len());
    (1..=end)
        .filter(|end| text.is_char_boundary(*end))
        .any(|end| matches_pattern(rest, &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_are_guessed_from_the_issuer() {
        for (issuer, slug) in [
            ("https://login.microsoftonline.com/0b1c/v2.0", Some("entra")),
            ("https://accounts.google.com", Some("google")),
            ("https://acme.eu.auth0.com/", Some("auth0")),
            ("https://acme.eu.auth0.com", Some("auth0")),
            ("https://acme.okta.com/oauth2/default", Some("okta")),
            (
                "https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Ab1",
                Some("cognito"),
            ),
            ("https://appleid.apple.com", Some("apple")),
            ("https://login.example.com/realms/staff", Some("keycloak")),
            (
                "https://login.example.com:8443/application/o/waypost/",
                Some("authentik"),
            ),
            ("https://gitlab.com", Some("gitlab")),
            ("https://acme-1a2b.zitadel.cloud", Some("zitadel")),
            ("https://login.example.com", None),
            ("http://localhost:9101", None),
        ] {
            assert_eq!(Preset::guess(issuer).map(|preset| preset.slug), slug, "{issuer}");
        }
    }

    #[test]
    fn a_wrong_issuer_is_explained() {
        let problem = |slug: &str, issuer: &str| Preset::find(slug).expect("a preset").issuer_problem(issuer);
        assert_eq!(problem("entra", "https://login.microsoftonline.com/0b1c/v2.0"), None);
        let shared = problem("entra", "https://login.microsoftonline.com/common/v2.0").expect("a problem");
        assert!(
            shared.contains("replace `common` with the id of your tenant"),
            "{shared}"
        );
        let slash = problem("auth0", "https://acme.auth0.com").expect("a problem");
        assert!(slash.ends_with("Add the trailing slash."), "{slash}");
        let org = problem("okta", "https://acme.okta.com").expect("a problem");
        assert!(org.contains("/oauth2/<server>"), "{org}");
        assert_eq!(problem("generic", "https://anything.example.com/at/all/"), None);
    }

    #[test]
    fn the_client_id_is_inserted_into_roles_and_scopes() {
        let keycloak = Preset::find("keycloak").expect("a preset");
        assert!(
            keycloak
                .roles_for("team/tours")
                .contains(&"/resource_access/team~1tours/roles".to_owned())
        );
        let entra = Preset::find("entra").expect("a preset");
        assert!(entra.scope_for("0b1c").ends_with("0b1c/.default"));
    }

    #[test]
    fn each_preset_is_complete() {
        for preset in ALL {
            assert_eq!(Preset::find(preset.slug).map(|found| found.name), Some(preset.name));
            assert!(
                preset.scope.split(' ').any(|scope| scope == "openid"),
                "{}",
                preset.slug
            );
            assert!(!preset.steps.is_empty(), "{} has no setup steps", preset.slug);
            for text in preset.steps.iter().chain(preset.limits) {
                assert!(text.ends_with('.'), "{}: {text}", preset.slug);
            }
            let refreshes = preset.renewals.contains(&Renewal::RefreshToken);
            assert_eq!(refreshes, preset.refresh.starts_with("Yes"), "{}", preset.slug);
            let frames = preset.renewals.contains(&Renewal::Frame);
            assert_eq!(frames, !preset.frame.starts_with("No"), "{}", preset.slug);
        }
    }
}
