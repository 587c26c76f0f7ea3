//! The first provider has `WAYPOST_OIDC_…`, others `WAYPOST_OIDC_2_…` to `WAYPOST_OIDC_9_…`. The operator's settings
//! override the preset.

use waypost_auth::{
    Audience, Introspection, ProviderConfig, TokenKind,
    preset::{self, AudienceRequest, Logout, Preset, PresetAudience, PresetToken, RelayNeed, Renewal},
};

use super::{
    grants::{self, Grant},
    reader::{Reader, list, present},
    relay::{self, RelaySecret},
};
use crate::settings::OidcSettings;

#[derive(Debug)]
pub struct Provider {
    pub id: String,
    pub preset: &'static Preset,
    pub name: String,
    pub client_id: String,
    pub scope: String,
    pub resource: Option<String>,
    /// Parameters of the authorization request.
    pub parameters: Vec<(String, String)>,
    pub renewals: Vec<Renewal>,
    pub logout: Logout,
    pub monitored: bool,
    pub grants: Vec<Grant>,
    pub relay: Option<RelaySecret>,
    pub tokens: ProviderConfig,
}

const ADDITIONAL: std::ops::RangeInclusive<u8> = 2..=9;

/// The client sets these itself (OpenID Connect Core 1.0, section 3.1.2.1; RFC 7636; RFC 9101).
const RESERVED: [&str; 12] = [
    "client_id",
    "redirect_uri",
    "response_type",
    "response_mode",
    "scope",
    "state",
    "nonce",
    "prompt",
    "code_challenge",
    "code_challenge_method",
    "request",
    "request_uri",
];

pub(super) fn read(
    reader: &mut Reader,
    first: OidcSettings,
    environment: &dyn Fn(&str) -> Option<String>,
) -> Vec<Provider> {
    let mut providers: Vec<_> = ProviderReader::new(reader, "oidc").read(first).into_iter().collect();
    for number in ADDITIONAL {
        if let Some(settings) = numbered(number, environment) {
            let mut reader = ProviderReader::new(reader, &format!("oidc-{number}"));
            providers.extend(reader.read(settings));
        }
    }
    for (index, provider) in providers.iter().enumerate() {
        let same =
            |other: &Provider| other.tokens.issuer == provider.tokens.issuer && other.client_id == provider.client_id;
        if providers[..index].iter().any(same) {
            reader.problems.push(format!(
                "Two providers have the issuer {} and the client id {}; remove one of them.",
                provider.tokens.issuer, provider.client_id
            ));
        }
    }
    providers
}

/// Returns the issuers of the providers, and ignores their other settings.
pub fn issuers(first: &OidcSettings, environment: &dyn Fn(&str) -> Option<String>) -> Vec<String> {
    let mut reader = Reader::default();
    let mut issuer = |id: &str, settings: OidcSettings| {
        let mut provider = ProviderReader::new(&mut reader, id);
        provider.read_preset(settings.preset);
        provider.issuer(settings.issuer)
    };
    let mut issuers = vec![issuer("oidc", first.clone())];
    for number in ADDITIONAL {
        if let Some(settings) = numbered(number, environment) {
            issuers.push(issuer(&format!("oidc-{number}"), settings));
        }
    }
    issuers.retain(|issuer| !issuer.is_empty());
    issuers
}

pub(super) fn is_numbered(name: &str, known: &[String]) -> bool {
    ADDITIONAL.into_iter().any(|number| {
        name.strip_prefix(&format!("WAYPOST_OIDC_{number}_"))
            .is_some_and(|setting| known.contains(&format!("WAYPOST_OIDC_{setting}")))
    })
}

/// Returns `None` if none of the settings is set.
fn numbered(number: u8, environment: &dyn Fn(&str) -> Option<String>) -> Option<OidcSettings> {
    let mut found = false;
    let mut get = |setting: &str| {
        let text = present(environment(&format!("WAYPOST_OIDC_{number}_{setting}")));
        found |= text.is_some();
        text
    };
    let settings = OidcSettings {
        preset: get("PRESET"),
        issuer: get("ISSUER"),
        client_id: get("CLIENT_ID"),
        audience: get("AUDIENCE"),
        audience_claim: get("AUDIENCE_CLAIM"),
        scope: get("SCOPE"),
        resource: get("RESOURCE"),
        name: get("NAME"),
        token: get("TOKEN"),
        required_scope: get("REQUIRED_SCOPE"),
        roles: get("ROLES"),
        // The workspace applies to the roles of all providers.
        roles_workspace: None,
        userinfo: get("USERINFO"),
        introspection_client_id: get("INTROSPECTION_CLIENT_ID"),
        introspection_secret: get("INTROSPECTION_SECRET"),
        introspection_url: get("INTROSPECTION_URL"),
        parameters: get("PARAMETERS"),
        renewal: get("RENEWAL"),
        logout: get("LOGOUT"),
        monitor: get("MONITOR"),
        backchannel_logout: get("BACKCHANNEL_LOGOUT"),
        step_up: get("STEP_UP"),
        acr_values: get("ACR_VALUES"),
        dpop: get("DPOP"),
        grants: get("GRANTS"),
        relay: get("RELAY"),
        client_secret: get("CLIENT_SECRET"),
        client_auth: get("CLIENT_AUTH"),
        apple_team_id: get("APPLE_TEAM_ID"),
        apple_key_id: get("APPLE_KEY_ID"),
        apple_key_file: get("APPLE_KEY_FILE"),
    };
    found.then_some(settings)
}

pub(super) struct ProviderReader<'r> {
    pub(super) reader: &'r mut Reader,
    id: String,
    preset: &'static Preset,
}

impl<'r> ProviderReader<'r> {
    fn new(reader: &'r mut Reader, id: &str) -> Self {
        Self {
            reader,
            id: id.to_owned(),
            preset: Preset::generic(),
        }
    }

    pub(super) fn variable(&self, setting: &str) -> String {
        format!("WAYPOST_{}_{setting}", self.id.to_uppercase().replace('-', "_"))
    }

    pub(super) fn required(&mut self, setting: &str, text: Option<String>, what: &str) -> String {
        let name = self.variable(setting);
        self.reader.required(&name, text, what)
    }

    fn read(&mut self, settings: OidcSettings) -> Option<Provider> {
        let before = self.reader.problems.len();
        self.read_preset(settings.preset.clone());
        let preset = self.preset;
        let issuer = self.issuer(settings.issuer.clone());
        let client_id = self.required(
            "CLIENT_ID",
            settings.client_id.clone(),
            "the client id of Waypost's web client at the provider",
        );
        let resource = present(settings.resource.clone());
        let token = self.token_kind(&settings, &client_id);
        let audience = self.audience(&settings, resource.as_deref(), &client_id, &token);
        let dpop = self.dpop(&settings, &token);
        let userinfo = self.variable("USERINFO");
        let userinfo = self
            .reader
            // Introspection responses rarely contain names.
            .switch_or(
                &userinfo,
                settings.userinfo.clone(),
                !dpop
                    && token != TokenKind::IdToken
                    && (preset.userinfo || matches!(token, TokenKind::Introspection(_))),
            );
        let (backchannel_logout, step_up) = (self.variable("BACKCHANNEL_LOGOUT"), self.variable("STEP_UP"));
        let acr_values = self.variable("ACR_VALUES");
        let tokens = ProviderConfig {
            id: self.id.clone(),
            issuer,
            aliases: preset.aliases.iter().map(|alias| (*alias).to_owned()).collect(),
            client_id: present(Some(client_id.clone())),
            audience,
            token,
            roles: present(settings.roles.clone()).map_or_else(|| preset.roles_for(&client_id), |text| list(&text)),
            required_scope: present(settings.required_scope.clone()),
            userinfo,
            backchannel_logout: self
                .reader
                .switch(&backchannel_logout, settings.backchannel_logout.clone()),
            step_up: self
                .reader
                .parsed(&step_up, settings.step_up.clone(), "on or off", |text| match text {
                    "on" => Some(true),
                    "off" => Some(false),
                    _ => None,
                })
                .unwrap_or(false),
            acr_values: self
                .reader
                .parsed(
                    &acr_values,
                    settings.acr_values.clone(),
                    "values of the claim `acr`, separated by spaces, without quotes and backslashes",
                    |text| {
                        let is_valid = |c: char| matches!(c, ' '..='~') && !matches!(c, '"' | '\\');
                        let values = text.split(' ').filter(|value| !value.is_empty()).map(str::to_owned);
                        text.chars().all(is_valid).then(|| values.collect())
                    },
                )
                .unwrap_or_default(),
            dpop,
        };
        if dpop && userinfo {
            let (userinfo, dpop) = (self.variable("USERINFO"), self.variable("DPOP"));
            self.reader.problems.push(format!(
                "{userinfo} cannot be combined with {dpop}, because the userinfo endpoint accepts bound tokens from browsers \
                 only. Remove one of them."
            ));
        }
        if tokens.token == TokenKind::IdToken && userinfo {
            let (userinfo, token) = (self.variable("USERINFO"), self.variable("TOKEN"));
            self.reader.problems.push(format!(
                "{userinfo} cannot be combined with {token}=id_token, because the userinfo endpoint requires an access token, \
                 and the server receives the ID token. Remove {userinfo}, and add the claim `name` to ID tokens at the provider; \
                 or set {token}=introspection or {token}=userinfo."
            ));
        }
        // Missing values and an invalid issuer were reported above.
        if !tokens.issuer.is_empty() && !tokens.audience.is_empty() {
            let config = waypost_auth::Config {
                providers: vec![tokens.clone()],
                ..Default::default()
            };
            let problems = config.check().err().map(|error| error.problems);
            self.reader.problems.extend(problems.into_iter().flatten());
        }
        let parameters = self.parameters(&settings, &tokens.audience);
        let scope = self.scope(settings.scope.clone(), &client_id);
        let renewals = self.renewals(settings.renewal.clone());
        let logout = self.logout(settings.logout.clone());
        let monitor = self.variable("MONITOR");
        let monitored = self.reader.switch(&monitor, settings.monitor.clone());
        let grants = grants::read(self, settings.grants.clone());
        let relay = relay::read(self, &settings, preset, &client_id);
        let url = url::Url::parse(&tokens.issuer).ok();
        let host = url.and_then(|url| url.host_str().map(str::to_owned));
        let preset_name = (preset.fixed_issuer().is_some()).then(|| preset.name.to_owned());
        (self.reader.problems.len() == before).then(|| Provider {
            id: self.id.clone(),
            preset,
            name: present(settings.name)
                .or(preset_name)
                .or(host)
                .unwrap_or_else(|| tokens.issuer.clone()),
            client_id,
            scope,
            resource,
            parameters,
            renewals,
            logout,
            monitored,
            grants,
            relay,
            tokens,
        })
    }

    fn read_preset(&mut self, name: Option<String>) {
        let variable = self.variable("PRESET");
        let names: Vec<_> = preset::ALL.iter().map(|preset| preset.slug).collect();
        let expected = format!("one of {}", names.join(", "));
        if let Some(preset) = self.reader.parsed(&variable, name, &expected, Preset::find) {
            self.preset = preset;
        }
    }

    fn issuer(&mut self, text: Option<String>) -> String {
        let example = match self.preset.slug {
            "generic" => "https://login.example.com",
            _ => self.preset.issuer,
        };
        let text = present(text).or_else(|| self.preset.fixed_issuer().map(str::to_owned));
        let what = format!("the issuer of your identity provider, such as {example}");
        let issuer = self.required("ISSUER", text, &what);
        if issuer.is_empty() {
            return issuer;
        }
        let problem = waypost_auth::check_issuer(&issuer).err();
        if let Some(problem) = problem.or_else(|| self.preset.issuer_problem(&issuer)) {
            let name = self.variable("ISSUER");
            self.reader.problems.push(format!("{name}: {problem}"));
            return String::new();
        }
        issuer
    }

    fn token_kind(&mut self, settings: &OidcSettings, client_id: &str) -> TokenKind {
        match (present(settings.token.clone()).as_deref(), self.preset.token) {
            (Some("jwt"), _) | (None, PresetToken::Jwt) => TokenKind::Jwt,
            (Some("id_token"), _) | (None, PresetToken::IdToken) => TokenKind::IdToken,
            (Some("userinfo"), _) => TokenKind::Userinfo,
            (Some("introspection"), kind) | (None, kind @ PresetToken::Introspection) => {
                let default_id = (kind == PresetToken::Introspection).then(|| client_id.to_owned());
                TokenKind::Introspection(Introspection {
                    client_id: self.required(
                        "INTROSPECTION_CLIENT_ID",
                        present(settings.introspection_client_id.clone()).or(default_id),
                        "the client id of this server, because tokens are verified by introspection",
                    ),
                    client_secret: self
                        .required(
                            "INTROSPECTION_SECRET",
                            settings.introspection_secret.clone(),
                            "the client secret for introspection",
                        )
                        .into(),
                    endpoint: present(settings.introspection_url.clone()),
                })
            }
            (Some(other), _) => {
                let name = self.variable("TOKEN");
                self.reader.problems.push(format!(
                    "{name} is `{other}`, but must be jwt, id_token, introspection or userinfo."
                ));
                TokenKind::Jwt
            }
        }
    }

    /// Only access tokens that this server verifies itself or by introspection can be bound, and only without the
    /// relay, because a proof names the URL of the token endpoint.
    fn dpop(&mut self, settings: &OidcSettings, token: &TokenKind) -> bool {
        let name = self.variable("DPOP");
        let dpop = self.reader.switch(&name, settings.dpop.clone());
        if dpop && matches!(token, TokenKind::IdToken | TokenKind::Userinfo) {
            let token = self.variable("TOKEN");
            self.reader.problems.push(format!(
                "{name} requires access tokens that Waypost verifies. Set {token} to jwt or introspection, or remove {name}."
            ));
        }
        let relay = self.variable("RELAY");
        if dpop && present(settings.relay.clone()).is_some_and(|relay| relay != "0") {
            self.reader.problems.push(format!(
                "{name} cannot be combined with {relay}, because a proof is valid for the provider's own URL only. Remove one \
                 of them."
            ));
        }
        dpop
    }

    /// The default is the client id if tokens are issued for the client, otherwise the resource that the client
    /// requests, otherwise the preset's value.
    fn audience(
        &mut self,
        settings: &OidcSettings,
        resource: Option<&str>,
        client_id: &str,
        token: &TokenKind,
    ) -> Audience {
        let preset = self.preset.audience;
        let by_client = self.by_client(settings.audience_claim.clone(), preset == PresetAudience::ClientClaim);
        let for_client = by_client
            || *token != TokenKind::Jwt
            || matches!(preset, PresetAudience::Client | PresetAudience::ClientClaim);
        let names = match (present(settings.audience.clone()), resource, preset) {
            (Some(names), _, _) => list(&names),
            (None, _, _) if for_client => vec![client_id.to_owned()],
            (None, Some(resource), _) => vec![resource.to_owned()],
            (None, None, PresetAudience::Fixed(name)) => vec![name.to_owned()],
            (None, None, _) => {
                let (audience, resource) = (self.variable("AUDIENCE"), self.variable("RESOURCE"));
                let token = self.variable("TOKEN");
                let alternative = match preset {
                    PresetAudience::Named(AudienceRequest::AudienceParameter) => String::new(),
                    _ => format!(
                        " Alternatively, set {resource} if the provider issues JWTs for a resource, {token}=introspection if \
                         access tokens are opaque, or {token}=id_token if the provider issues no access tokens for Waypost. \
                         `waypost doctor oidc --sign-in` finds the right one."
                    ),
                };
                self.reader.problems.push(format!(
                    "{audience} is not set. Set it to the audience of the provider's access tokens for \
                     Waypost.{alternative}"
                ));
                Vec::new()
            }
        };
        if by_client {
            Audience::ClientId(names)
        } else {
            Audience::Aud(names)
        }
    }

    fn by_client(&mut self, claim: Option<String>, default: bool) -> bool {
        let name = self.variable("AUDIENCE_CLAIM");
        let by_client = self.reader.parsed(&name, claim, "aud or client_id", |text| match text {
            "aud" => Some(false),
            "client_id" => Some(true),
            _ => None,
        });
        by_client.unwrap_or(default)
    }

    fn scope(&mut self, text: Option<String>, client_id: &str) -> String {
        let scope = present(text).unwrap_or_else(|| self.preset.scope_for(client_id));
        if !scope.split_whitespace().any(|scope| scope == "openid") {
            let name = self.variable("SCOPE");
            self.reader.problems.push(format!(
                "{name} is `{scope}`, but must include `openid`, which sign-in requires."
            ));
        }
        scope
    }

    /// Merges the preset's, the audience's and the operator's parameters; later ones override earlier ones.
    fn parameters(&mut self, settings: &OidcSettings, audience: &Audience) -> Vec<(String, String)> {
        let mut parameters: Vec<(String, String)> = Vec::new();
        let mut set = |name: String, value: String| {
            parameters.retain(|(known, _)| *known != name);
            parameters.push((name, value));
        };
        for (name, value) in self.preset.parameters {
            set((*name).to_owned(), (*value).to_owned());
        }
        if let (PresetAudience::Named(AudienceRequest::AudienceParameter), Audience::Aud(names)) =
            (self.preset.audience, audience)
            && let Some(first) = names.first()
        {
            set("audience".to_owned(), first.clone());
        }
        let own = present(settings.parameters.clone()).unwrap_or_default();
        for (name, value) in url::form_urlencoded::parse(own.as_bytes()) {
            if RESERVED.contains(&name.as_ref()) {
                let variable = self.variable("PARAMETERS");
                self.reader.problems.push(format!(
                    "{variable} sets `{name}`, which is reserved for Waypost; remove it."
                ));
            }
            set(name.into_owned(), value.into_owned());
        }
        parameters
    }

    fn renewals(&mut self, text: Option<String>) -> Vec<Renewal> {
        let name = self.variable("RENEWAL");
        let expected = "refresh, frame, both separated by a comma, or click";
        let read = self.reader.parsed(&name, text, expected, |text| {
            if text == "click" {
                return Some(Vec::new());
            }
            list(text)
                .iter()
                .map(|method| match method.as_str() {
                    "refresh" => Some(Renewal::RefreshToken),
                    "frame" => Some(Renewal::Frame),
                    _ => None,
                })
                .collect()
        });
        read.unwrap_or_else(|| self.preset.renewals.to_vec())
    }

    fn logout(&mut self, text: Option<String>) -> Logout {
        let name = self.variable("LOGOUT");
        let read = self.reader.parsed(
            &name,
            text,
            "provider, popup, frame, cognito or local",
            |text| match text {
                "provider" => Some(Logout::Provider),
                "popup" => Some(Logout::Popup),
                "frame" => Some(Logout::Frame),
                "cognito" => Some(Logout::Cognito),
                "local" => Some(Logout::Local),
                _ => None,
            },
        );
        read.unwrap_or(self.preset.logout)
    }

    pub(super) fn relay_need(&self) -> RelayNeed {
        self.preset.relay
    }
}
