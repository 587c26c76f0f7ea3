//! What is special about each well-known provider, as data: the defaults of the settings, what its sessions can do, and where
//! in its own administration each thing is set.
//!
//! A preset fills in what the operator leaves out and decides nothing afterwards. The same data makes `PROVIDERS.md`
//! ([`matrix`]) and the advice of `waypost doctor oidc`, so that the three cannot disagree.

mod cloud;
mod matrix;
mod own_server;

pub use matrix::page;

/// A well-known provider.
#[derive(Debug)]
pub struct Preset {
    /// How the setting `PRESET` calls it.
    pub slug: &'static str,
    /// How its makers call it.
    pub name: &'static str,
    /// The form of its issuer; what differs between installations stands in angle brackets.
    pub issuer: &'static str,
    /// Whether people run it themselves, so that the issuer may have another form.
    pub anywhere: bool,
    /// Other spellings of `iss` that it writes into tokens.
    pub aliases: &'static [&'static str],
    /// How its tokens are checked.
    pub token: PresetToken,
    /// For whom its tokens are made.
    pub audience: PresetAudience,
    /// Scopes to ask for. `{client}` stands for the client id.
    pub scope: &'static str,
    /// Parameters of the authorization request beside the standard ones.
    pub parameters: &'static [(&'static str, &'static str)],
    /// Where roles stand. `{client}` stands for the client id.
    pub roles: &'static [&'static str],
    /// Whether the userinfo endpoint has to be asked for what tokens do not tell.
    pub userinfo: bool,
    /// How a browser renews its session without a click, best first.
    pub renewals: &'static [Renewal],
    /// Its refresh tokens, for a client in a browser.
    pub refresh: &'static str,
    /// Its renewal in a hidden frame.
    pub frame: &'static str,
    /// How its own session is ended.
    pub logout: Logout,
    /// Whether a browser can revoke refresh tokens.
    pub revocation: bool,
    /// Whether it offers a frame by which a page watches its session.
    pub watched: bool,
    /// What the token relay is needed for.
    pub relay: RelayNeed,
    /// Where to set things at the provider.
    pub places: Places,
    /// What it cannot do, a sentence each.
    pub limits: &'static [&'static str],
    /// What to do at the provider, in order.
    pub steps: &'static [&'static str],
    /// The settings of Waypost afterwards, beside `PRESET` and `CLIENT_ID`.
    pub settings: &'static [(&'static str, &'static str)],
}

/// How tokens are checked; [`crate::TokenKind`] without an operator's secrets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PresetToken {
    /// JWT access tokens.
    Jwt,
    /// ID tokens, because the access tokens are for the provider only.
    IdToken,
    /// By introspection.
    Introspection,
}

/// For whom tokens are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PresetAudience {
    /// The operator names the API, which the client asks for in this way.
    Named(AskFor),
    /// `aud` is this.
    Fixed(&'static str),
    /// `aud` is the client.
    Client,
    /// There is no `aud`; `client_id` is the client (Amazon Cognito).
    ClientClaim,
}

/// How a client says which API its access token is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AskFor {
    /// By the resource indicator of RFC 8707.
    Resource,
    /// By a parameter `audience`.
    AudienceParameter,
}

/// How a session is renewed without a click.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Renewal {
    /// By a refresh token.
    RefreshToken,
    /// In a hidden frame, with `prompt=none`.
    Frame,
}

/// How the provider's own session is ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Logout {
    /// OpenID Connect RP-Initiated Logout 1.0.
    Provider,
    /// The same in a window, while the page stays.
    Popup,
    /// The same in a hidden frame.
    Frame,
    /// Amazon Cognito's own parameters, `client_id` and `logout_uri`.
    Cognito,
    /// Not at all: only this browser forgets its tokens.
    Local,
}

/// What the token relay is needed for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RelayNeed {
    /// Nothing.
    None,
    /// The token endpoint wants a secret, which a browser cannot keep.
    Secret,
    /// The token endpoint wants a secret that is signed anew with a key of Apple's.
    AppleKey,
}

/// Where an administrator of the provider sets things; each completes the sentence "change it at …".
#[derive(Debug)]
pub struct Places {
    /// Redirect addresses.
    pub redirects: &'static str,
    /// Origins that may call the token endpoint.
    pub origins: &'static str,
    /// Refresh tokens and their rotation.
    pub refresh: &'static str,
    /// For whom tokens are made, and of which kind they are.
    pub audience: &'static str,
    /// Addresses after signing out.
    pub logout: &'static str,
}

/// All presets, the general one last.
pub const ALL: [&Preset; 11] = [
    &cloud::ENTRA,
    &cloud::GOOGLE,
    &cloud::AUTH0,
    &cloud::OKTA,
    &cloud::COGNITO,
    &cloud::APPLE,
    &own_server::KEYCLOAK,
    &own_server::ZITADEL,
    &own_server::AUTHENTIK,
    &own_server::GITLAB,
    &own_server::GENERIC,
];

impl Preset {
    /// The preset of this name.
    pub fn find(slug: &str) -> Option<&'static Self> {
        ALL.into_iter().find(|preset| preset.slug == slug)
    }

    /// For providers that nobody knows anything about.
    pub const fn generic() -> &'static Self {
        &own_server::GENERIC
    }

    /// The preset whose issuers have the form of this one, for operators who did not name it.
    pub fn guess(issuer: &str) -> Option<&'static Self> {
        ALL.into_iter()
            .filter(|preset| preset.slug != "generic")
            .find(|preset| fits(preset.issuer, issuer) || fits(preset.issuer, &format!("{issuer}/")))
    }

    /// The issuer, where all installations share one.
    pub fn fixed_issuer(&self) -> Option<&'static str> {
        (!self.issuer.contains('<')).then_some(self.issuer)
    }

    /// What is wrong with an issuer for this provider, with the cure; `None` when it has the right form.
    pub fn problem_of_issuer(&self, issuer: &str) -> Option<String> {
        if self.slug == "entra" {
            for everybody in ["common", "organizations", "consumers"] {
                if issuer.contains(&format!("/{everybody}/")) {
                    return Some(format!(
                        "{issuer} is the address for all tenants of Microsoft and no issuer; replace `{everybody}` by the id \
                         of your tenant."
                    ));
                }
            }
        }
        if self.anywhere || fits(self.issuer, issuer) {
            return None;
        }
        let slash = match (self.issuer.ends_with('/'), issuer.ends_with('/')) {
            (true, false) => " The closing slash belongs to it.",
            (false, true) => " There is no closing slash.",
            _ => "",
        };
        Some(format!(
            "{issuer} is no issuer of {}, which has the form {}.{slash}",
            self.name, self.issuer
        ))
    }

    /// Where roles stand, for this client.
    pub fn roles_for(&self, client_id: &str) -> Vec<String> {
        let pointer = client_id.replace('~', "~0").replace('/', "~1");
        self.roles
            .iter()
            .map(|role| role.replace("{client}", &pointer))
            .collect()
    }

    /// Scopes to ask for, for this client.
    pub fn scope_for(&self, client_id: &str) -> String {
        self.scope.replace("{client}", client_id)
    }
}

/// Whether a text has a form: what stands in angle brackets is anything without a slash.
fn fits(form: &str, text: &str) -> bool {
    let Some((fixed, rest)) = form.split_once('<') else {
        return form == text;
    };
    let Some(text) = text.strip_prefix(fixed) else {
        return false;
    };
    let Some((_, rest)) = rest.split_once('>') else {
        return false;
    };
    // The shortest text that lets the rest fit.
    let end = text.find('/').unwrap_or(text.len());
    (1..=end)
        .filter(|end| text.is_char_boundary(*end))
        .any(|end| fits(rest, &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_issuer_is_recognised_by_its_form() {
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
        let problem = |slug: &str, issuer: &str| Preset::find(slug).expect("a preset").problem_of_issuer(issuer);
        assert_eq!(problem("entra", "https://login.microsoftonline.com/0b1c/v2.0"), None);
        let everybody = problem("entra", "https://login.microsoftonline.com/common/v2.0").expect("a problem");
        assert!(
            everybody.contains("replace `common` by the id of your tenant"),
            "{everybody}"
        );
        let slash = problem("auth0", "https://acme.auth0.com").expect("a problem");
        assert!(slash.ends_with("The closing slash belongs to it."), "{slash}");
        let org = problem("okta", "https://acme.okta.com").expect("a problem");
        assert!(org.contains("/oauth2/<server>"), "{org}");
        assert_eq!(problem("generic", "https://anything.example.com/at/all/"), None);
    }

    #[test]
    fn a_client_stands_where_the_preset_says() {
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
            assert!(!preset.steps.is_empty(), "{} says what to do", preset.slug);
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
