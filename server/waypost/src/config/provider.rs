//! The settings of identity providers: one from `WAYPOST_OIDC_…`, further ones from `WAYPOST_OIDC_2_…` to `WAYPOST_OIDC_9_…`.

use waypost_auth::{Audience, Introspection, ProviderConfig, TokenKind};

use super::reader::{Reader, list, present};
use crate::cli::OidcSettings;

/// An identity provider, for the sign-in page and for the check of tokens.
#[derive(Debug)]
pub struct Provider {
    /// Names the provider for clients, and stays the same when the rest changes.
    pub id: String,
    /// Name to show.
    pub name: String,
    /// Client id of the web client.
    pub client_id: String,
    /// Scopes to ask for.
    pub scope: String,
    /// Resource indicator to ask for.
    pub resource: Option<String>,
    /// Issuer, audience and the rest of what the check of tokens needs.
    pub tokens: ProviderConfig,
}

/// Numbers of further providers.
const FURTHER: std::ops::RangeInclusive<u8> = 2..=9;

/// Reads all providers. `environment` looks a variable up.
pub(super) fn read(
    reader: &mut Reader,
    first: OidcSettings,
    environment: &dyn Fn(&str) -> Option<String>,
) -> Vec<Provider> {
    let mut providers: Vec<_> = ProviderReader::new(reader, "oidc").read(first).into_iter().collect();
    for number in FURTHER {
        if let Some(settings) = numbered(number, environment) {
            let mut reader = ProviderReader::new(reader, &format!("oidc-{number}"));
            providers.extend(reader.read(settings));
        }
    }
    for (index, provider) in providers.iter().enumerate() {
        let issuer = &provider.tokens.issuer;
        if providers[..index].iter().any(|other| other.tokens.issuer == *issuer) {
            reader.problems.push(format!("Two providers have the issuer {issuer}."));
        }
    }
    providers
}

/// Whether a variable belongs to a further provider.
pub(super) fn is_numbered(name: &str, known: &[String]) -> bool {
    FURTHER.into_iter().any(|number| {
        name.strip_prefix(&format!("WAYPOST_OIDC_{number}_"))
            .is_some_and(|setting| known.contains(&format!("WAYPOST_OIDC_{setting}")))
    })
}

/// The settings of a further provider; `None` when none of them is set.
fn numbered(number: u8, environment: &dyn Fn(&str) -> Option<String>) -> Option<OidcSettings> {
    let mut found = false;
    let mut get = |setting: &str| {
        let text = present(environment(&format!("WAYPOST_OIDC_{number}_{setting}")));
        found |= text.is_some();
        text
    };
    let settings = OidcSettings {
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
        // One workspace takes the roles of all providers.
        roles_workspace: None,
        userinfo: get("USERINFO"),
        introspection_client_id: get("INTROSPECTION_CLIENT_ID"),
        introspection_secret: get("INTROSPECTION_SECRET"),
        introspection_url: get("INTROSPECTION_URL"),
    };
    found.then_some(settings)
}

/// Reads the settings of one provider.
struct ProviderReader<'r> {
    reader: &'r mut Reader,
    id: String,
}

impl<'r> ProviderReader<'r> {
    fn new(reader: &'r mut Reader, id: &str) -> Self {
        Self {
            reader,
            id: id.to_owned(),
        }
    }

    /// The name of a variable of this provider.
    fn variable(&self, setting: &str) -> String {
        format!("WAYPOST_{}_{setting}", self.id.to_uppercase().replace('-', "_"))
    }

    fn required(&mut self, setting: &str, text: Option<String>, what: &str) -> String {
        let name = self.variable(setting);
        self.reader.required(&name, text, what)
    }

    fn read(&mut self, settings: OidcSettings) -> Option<Provider> {
        let before = self.reader.problems.len();
        let issuer = self.required(
            "ISSUER",
            settings.issuer,
            "the issuer of your identity provider, such as https://login.example.com",
        );
        let client_id = self.required(
            "CLIENT_ID",
            settings.client_id,
            "the client id that the provider gave to Waypost's web client",
        );
        let resource = present(settings.resource);
        let introspection = Introspecting {
            client_id: settings.introspection_client_id,
            secret: settings.introspection_secret,
            endpoint: settings.introspection_url,
        };
        let token = self.token_kind(settings.token, introspection);
        let by_client = self.audience_is_client(settings.audience_claim);
        let names = self.audience(
            settings.audience,
            resource.as_deref(),
            &client_id,
            by_client || token != TokenKind::Jwt,
        );
        let userinfo = self.variable("USERINFO");
        let tokens = ProviderConfig {
            issuer,
            audience: if by_client {
                Audience::ClientId(names)
            } else {
                Audience::Aud(names)
            },
            token,
            roles: present(settings.roles)
                .map_or_else(|| ProviderConfig::ROLES.map(String::from).to_vec(), |text| list(&text)),
            required_scope: present(settings.required_scope),
            userinfo: self.reader.switch(&userinfo, settings.userinfo),
        };
        // What is missing was told above; an empty text would only be complained about twice.
        if !tokens.issuer.is_empty() && !tokens.audience.is_empty() {
            let alone = waypost_auth::Config {
                providers: vec![tokens.clone()],
                ..Default::default()
            };
            let problems = alone.check().err().map(|error| error.problems);
            self.reader.problems.extend(problems.into_iter().flatten());
        }
        let url = url::Url::parse(&tokens.issuer).ok();
        let host = url.and_then(|url| url.host_str().map(str::to_owned));
        (self.reader.problems.len() == before).then(|| Provider {
            id: self.id.clone(),
            name: present(settings.name).or(host).unwrap_or_else(|| tokens.issuer.clone()),
            client_id,
            scope: present(settings.scope).unwrap_or_else(|| "openid profile email".to_owned()),
            resource,
            tokens,
        })
    }

    fn token_kind(&mut self, kind: Option<String>, introspecting: Introspecting) -> TokenKind {
        match present(kind).as_deref() {
            None | Some("jwt") => TokenKind::Jwt,
            Some("id_token") => TokenKind::IdToken,
            Some("userinfo") => TokenKind::Userinfo,
            Some("introspection") => TokenKind::Introspection(Introspection {
                client_id: self.required(
                    "INTROSPECTION_CLIENT_ID",
                    introspecting.client_id,
                    "the client id of this server, because tokens are checked by introspection",
                ),
                client_secret: self
                    .required("INTROSPECTION_SECRET", introspecting.secret, "that client's secret")
                    .into(),
                endpoint: present(introspecting.endpoint),
            }),
            Some(other) => {
                let name = self.variable("TOKEN");
                self.reader.problems.push(format!(
                    "{name} is `{other}`, but must be jwt, id_token, introspection or userinfo."
                ));
                TokenKind::Jwt
            }
        }
    }

    fn audience_is_client(&mut self, claim: Option<String>) -> bool {
        let name = self.variable("AUDIENCE_CLAIM");
        let by_client = self.reader.parsed(&name, claim, "aud or client_id", |text| match text {
            "aud" => Some(false),
            "client_id" => Some(true),
            _ => None,
        });
        by_client.unwrap_or(false)
    }

    /// The audiences. Without a setting there is one right answer: the client, where tokens are made for it, or else the
    /// resource that the client asks for.
    fn audience(
        &mut self,
        names: Option<String>,
        resource: Option<&str>,
        client_id: &str,
        for_client: bool,
    ) -> Vec<String> {
        match (present(names), resource) {
            (Some(names), _) => list(&names),
            (None, _) if for_client => vec![client_id.to_owned()],
            (None, Some(resource)) => vec![resource.to_owned()],
            (None, None) => {
                let (audience, resource) = (self.variable("AUDIENCE"), self.variable("RESOURCE"));
                self.reader.problems.push(format!(
                    "{audience} is not set: it must be the audience that the provider puts into access tokens for \
                     Waypost (or set {resource})."
                ));
                Vec::new()
            }
        }
    }
}

/// What introspection needs, unread.
struct Introspecting {
    client_id: Option<String>,
    secret: Option<String>,
    endpoint: Option<String>,
}
