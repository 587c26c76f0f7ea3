#![allow(clippy::unwrap_used)]

use waypost_auth::{Audience, TokenKind, preset::Logout};

use super::*;
use crate::settings::OidcSettings;

fn text(value: &str) -> Option<String> {
    Some(value.to_owned())
}

fn valid() -> Settings {
    let oidc = OidcSettings {
        issuer: text("http://localhost:9000"),
        client_id: text("spa"),
        resource: text("urn:waypost:api"),
        ..OidcSettings::default()
    };
    Settings {
        oidc,
        ..Settings::default()
    }
}

fn read(settings: Settings) -> Result<Config, Problems> {
    Config::read(settings, &|_| None)
}

#[test]
fn three_settings_are_sufficient() {
    let config = read(valid()).unwrap();
    assert_eq!(config.listen.to_string(), "127.0.0.1:4000");
    assert_eq!(config.public_url.as_str(), "http://localhost:4000/");
    assert_eq!(config.providers[0].name, "localhost");
    assert_eq!(
        config.providers[0].tokens.audience,
        Audience::Aud(vec!["urn:waypost:api".into()])
    );
    assert!(!config.ad_hoc && config.sample == SampleWorkspace::Off && !config.trust_proxy);
}

#[test]
fn the_default_public_url_uses_the_port() {
    let config = read(Settings {
        port: text("8080"),
        bind: text("::"),
        ..valid()
    })
    .unwrap();
    assert_eq!(config.public_url.as_str(), "http://localhost:8080/");
    assert_eq!(config.listen.to_string(), "[::]:8080");
}

#[test]
fn an_https_url_requires_a_decision_about_the_proxy() {
    let with = |trust_proxy: Option<&str>| {
        read(Settings {
            public_url: text("https://tours.example.com"),
            trust_proxy: trust_proxy.and_then(text),
            ..valid()
        })
        .map(|config| config.trust_proxy)
    };
    assert_eq!(with(Some("1")), Ok(true));
    assert_eq!(with(Some("0")), Ok(false));
    for missing in [None, Some(" ")] {
        let problems = with(missing).unwrap_err().0;
        assert_eq!(problems.len(), 1);
        assert!(
            problems[0].contains("WAYPOST_TRUST_PROXY is not set")
                && problems[0].contains("Set it to 1")
                && problems[0].contains("or to 0"),
            "{problems:?}"
        );
    }
}

#[test]
fn blank_settings_count_as_not_set() {
    let config = read(Settings {
        port: text(" "),
        sample: text(""),
        ..valid()
    })
    .unwrap();
    assert_eq!(config.listen.port(), 4000);
}

#[test]
fn the_audience_defaults_to_the_client_id_if_tokens_are_for_the_client() {
    let audience = |settings: Settings| read(settings).map(|config| config.providers[0].tokens.audience.clone());
    let mut settings = valid();
    settings.oidc.resource = None;
    assert_eq!(audience(settings.clone()).unwrap_err().0.len(), 1);
    settings.oidc.token = text("id_token");
    assert_eq!(audience(settings.clone()), Ok(Audience::Aud(vec!["spa".into()])));
    settings.oidc.token = None;
    settings.oidc.audience_claim = text("client_id");
    assert_eq!(audience(settings), Ok(Audience::ClientId(vec!["spa".into()])));
}

#[test]
fn userinfo_completes_introspection_unless_it_is_switched_off() {
    for (token, userinfo, expected) in [
        ("introspection", None, true),
        ("introspection", text("0"), false),
        ("jwt", None, false),
    ] {
        let mut settings = valid();
        settings.oidc = OidcSettings {
            token: text(token),
            userinfo,
            introspection_client_id: text("api"),
            introspection_secret: text("s"),
            ..settings.oidc
        };
        assert_eq!(
            read(settings).unwrap().providers[0].tokens.userinfo,
            expected,
            "{token}"
        );
    }
}

#[test]
fn additional_providers_use_numbered_variables() {
    let environment = |name: &str| match name {
        "WAYPOST_OIDC_2_ISSUER" => text("https://login.example.com"),
        "WAYPOST_OIDC_2_CLIENT_ID" => text("waypost"),
        "WAYPOST_OIDC_2_TOKEN" => text("id_token"),
        "WAYPOST_OIDC_3_ISSUER" => text("localhost"),
        _ => None,
    };
    let problems = Config::read(valid(), &environment).unwrap_err().0;
    let expected = [
        "WAYPOST_OIDC_3_ISSUER: The issuer `localhost` is not a URL",
        "WAYPOST_OIDC_3_CLIENT_ID is not set",
        "WAYPOST_OIDC_3_AUDIENCE is not set",
    ];
    assert_eq!(problems.len(), expected.len(), "{problems:?}");
    for problem in expected {
        assert!(problems.iter().any(|each| each.starts_with(problem)), "{problems:?}");
    }

    let two = |name: &str| environment(name).filter(|_| name.starts_with("WAYPOST_OIDC_2_"));
    let config = Config::read(valid(), &two).unwrap();
    let ids: Vec<_> = config.providers.iter().map(|provider| provider.id.as_str()).collect();
    assert_eq!(ids, ["oidc", "oidc-2"]);
    assert_eq!(
        (&config.providers[1].tokens.token, config.providers[1].name.as_str()),
        (&TokenKind::IdToken, "login.example.com")
    );
}

#[test]
fn two_providers_may_share_an_issuer_but_not_a_client() {
    let with_client = |client: &'static str| {
        move |name: &str| match name {
            "WAYPOST_OIDC_2_ISSUER" => text("http://localhost:9000"),
            "WAYPOST_OIDC_2_CLIENT_ID" => text(client),
            "WAYPOST_OIDC_2_AUDIENCE" => text("other"),
            _ => None,
        }
    };
    let problems = Config::read(valid(), &with_client("spa")).unwrap_err().0;
    assert_eq!(
        problems,
        ["Two providers have the issuer http://localhost:9000 and the client id spa; remove one of them."]
    );
    assert_eq!(
        Config::read(valid(), &with_client("mobile")).unwrap().providers.len(),
        2
    );
}

fn preset(slug: &str, change: impl FnOnce(&mut OidcSettings)) -> Result<Provider, Vec<String>> {
    let mut oidc = OidcSettings {
        preset: text(slug),
        client_id: text("spa"),
        ..OidcSettings::default()
    };
    change(&mut oidc);
    let settings = Settings {
        oidc,
        ..Settings::default()
    };
    match read(settings) {
        Ok(mut config) => Ok(config.providers.remove(0)),
        Err(problems) => Err(problems.0),
    }
}

#[test]
fn presets_provide_defaults() {
    let cognito = preset("cognito", |oidc| {
        oidc.issuer = text("https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_a");
    })
    .unwrap();
    assert_eq!(cognito.tokens.audience, Audience::ClientId(vec!["spa".into()]));
    assert_eq!((cognito.logout, cognito.renewals.len()), (Logout::Cognito, 1));
    assert!(cognito.tokens.userinfo);
    assert_eq!(cognito.tokens.roles, ["/cognito:groups"]);

    let auth0 = preset("auth0", |oidc| {
        oidc.issuer = text("https://acme.auth0.com/");
        oidc.audience = text("https://tours.example.com");
        oidc.parameters = text("organization=o&audience=other");
    })
    .unwrap();
    let parameter = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    assert_eq!(
        auth0.parameters,
        [parameter("organization", "o"), parameter("audience", "other")]
    );

    let gitlab = preset("gitlab", |oidc| oidc.introspection_secret = text("s")).unwrap();
    assert_eq!(gitlab.tokens.issuer, "https://gitlab.com");
    assert!(matches!(gitlab.tokens.token, TokenKind::Introspection(own) if own.client_id == "spa"));
    assert_eq!(gitlab.name, "GitLab");
}

#[test]
fn settings_override_the_preset() {
    let entra = preset("entra", |oidc| {
        oidc.issuer = text("https://login.microsoftonline.com/0b1c/v2.0");
        oidc.audience = text("api-guid");
        oidc.scope = text("openid api://tours/use");
        oidc.renewal = text("click");
        oidc.logout = text("local");
        oidc.roles = text("/extra");
    })
    .unwrap();
    assert_eq!(entra.tokens.audience, Audience::Aud(vec!["api-guid".into()]));
    assert_eq!(
        (entra.scope.as_str(), entra.logout),
        ("openid api://tours/use", Logout::Local)
    );
    assert!(entra.renewals.is_empty());
    assert_eq!(entra.tokens.roles, ["/extra"]);
}

#[test]
fn sign_out_method_and_token_store_are_configurable() {
    let generic = |logout, monitor| {
        preset("generic", |oidc| {
            oidc.issuer = text("https://login.example.com");
            oidc.audience = text("tours");
            oidc.logout = text(logout);
            oidc.monitor = text(monitor);
        })
    };
    let frame = generic("frame", "1").unwrap();
    assert_eq!((frame.logout, frame.monitored), (Logout::Frame, true));
    let popup = generic("popup", "").unwrap();
    assert_eq!((popup.logout, popup.monitored), (Logout::Popup, false));
    assert_eq!(
        generic("elsewhere", "").unwrap_err(),
        ["WAYPOST_OIDC_LOGOUT is `elsewhere`, but must be provider, popup, frame, cognito or local."]
    );
    let store = |name| {
        read(Settings {
            token_store: text(name),
            ..valid()
        })
        .map(|config| config.token_store)
    };
    assert_eq!(store("").unwrap(), TokenStore::Session);
    assert_eq!(store("memory").unwrap(), TokenStore::Memory);
    assert_eq!(
        store("localStorage").unwrap_err().0,
        ["WAYPOST_TOKEN_STORE is `localStorage`, but must be session or memory."]
    );
}

#[test]
fn missing_and_invalid_settings_of_presets_are_reported() {
    for (slug, setting, expected) in [
        (
            "google",
            None,
            "WAYPOST_OIDC_RELAY is not set, but Google requires the token relay. Set it to 1.",
        ),
        ("google", Some(("relay", "1")), "WAYPOST_OIDC_CLIENT_SECRET is not set"),
        ("apple", Some(("relay", "1")), "WAYPOST_OIDC_APPLE_TEAM_ID is not set"),
        (
            "entra",
            None,
            "WAYPOST_OIDC_ISSUER is not set. Set it to the issuer of your identity provider, such as https://login.microsoftonline.com/<tenant>/v2.0.",
        ),
        (
            "entra",
            Some(("issuer", "https://login.microsoftonline.com/common/v2.0")),
            "WAYPOST_OIDC_ISSUER: https://login.microsoftonline.com/common/v2.0 is the endpoint shared by all Microsoft tenants",
        ),
        (
            "entry",
            None,
            "WAYPOST_OIDC_PRESET is `entry`, but must be one of entra, google",
        ),
        (
            "gitlab",
            Some(("secret", "x")),
            "WAYPOST_OIDC_CLIENT_SECRET is set, but only the token relay uses it",
        ),
        (
            "gitlab",
            Some(("scope", "profile")),
            "WAYPOST_OIDC_SCOPE is `profile`, but must include `openid`",
        ),
        (
            "gitlab",
            Some(("parameters", "state=x")),
            "WAYPOST_OIDC_PARAMETERS sets `state`",
        ),
        (
            "gitlab",
            Some(("grants", "staff")),
            "WAYPOST_OIDC_GRANTS contains the invalid rule `staff`",
        ),
    ] {
        let problems = preset(slug, |oidc| {
            let field = match setting.map(|(name, _)| name) {
                Some("relay") => &mut oidc.relay,
                Some("issuer") => &mut oidc.issuer,
                Some("secret") => &mut oidc.client_secret,
                Some("scope") => &mut oidc.scope,
                Some("parameters") => &mut oidc.parameters,
                Some("grants") => &mut oidc.grants,
                _ => return,
            };
            *field = setting.map(|(_, value)| value.to_owned());
        })
        .unwrap_err();
        assert!(
            problems.iter().any(|problem| problem.starts_with(expected)),
            "{problems:?}"
        );
    }
}

#[test]
fn the_relay_uses_the_configured_client_authentication() {
    let relayed = |auth: Option<String>, secret: Option<String>| {
        let settings = Settings {
            oidc: OidcSettings {
                relay: text("1"),
                client_auth: auth,
                client_secret: secret,
                ..valid().oidc
            },
            ..Settings::default()
        };
        read(settings).unwrap().providers.remove(0).relay
    };
    assert!(matches!(relayed(None, None), Some(RelaySecret::Public)));
    assert!(matches!(relayed(None, text("s")), Some(RelaySecret::Post(_))));
    assert!(matches!(relayed(text("basic"), text("s")), Some(RelaySecret::Basic(_))));
    assert_eq!(format!("{:?}", relayed(None, text("hunter2"))), "Some(RelaySecret(…))");
}

#[test]
fn misspelled_settings_are_reported() {
    let names = [
        "PATH",
        "WAYPOST_OIDC_ISUER",
        "WAYPOST_TOKEN",
        "WAYPOST_DATA",
        "WAYPOST_OIDC_2_ISSUER",
        "WAYPOST_OIDC_2_ISUER",
    ];
    let unknown = unknown_among(names.map(String::from).into_iter());
    assert_eq!(unknown, ["WAYPOST_OIDC_2_ISUER", "WAYPOST_OIDC_ISUER"]);
}

#[test]
fn variables_of_a_kubernetes_service_are_not_misspelled_settings() {
    let unknown = |names: &[&str]| unknown_among(names.iter().map(|name| (*name).to_owned()));
    let of_service = ["WAYPOST_PORT", "WAYPOST_PORT_80_TCP_ADDR", "WAYPOST_SERVICE_HOST"];
    assert_eq!(unknown(&of_service), [""; 0]);
    assert_eq!(unknown(&["WAYPOST_PORT"]), ["WAYPOST_PORT"]);
}

#[test]
fn id_tokens_exclude_userinfo_which_requires_an_access_token() {
    let mut settings = valid();
    settings.oidc.token = text("id_token");
    assert!(!read(settings).unwrap().providers[0].tokens.userinfo);
    let mut settings = valid();
    settings.oidc.token = text("id_token");
    settings.oidc.userinfo = text("1");
    let problems = read(settings).unwrap_err().0;
    assert_eq!(problems.len(), 1, "{problems:?}");
    for named in ["WAYPOST_OIDC_USERINFO", "WAYPOST_OIDC_TOKEN", "`name` to ID tokens"] {
        assert!(problems[0].contains(named), "{named}: {problems:?}");
    }
}

#[test]
fn bound_tokens_exclude_settings_that_cannot_work_with_them() {
    let with = |change: fn(&mut OidcSettings)| {
        let mut settings = valid();
        settings.oidc.dpop = text("1");
        change(&mut settings.oidc);
        read(settings).map(|config| (config.providers[0].tokens.dpop, config.providers[0].tokens.userinfo))
    };
    assert_eq!(with(|_| {}), Ok((true, false)));
    // Bound tokens exclude userinfo.
    let introspection = with(|oidc| {
        oidc.token = text("introspection");
        oidc.introspection_client_id = text("api");
        oidc.introspection_secret = text("secret");
    });
    assert_eq!(introspection, Ok((true, false)));
    let excluded = [
        (with(|oidc| oidc.token = text("id_token")), "WAYPOST_OIDC_TOKEN"),
        (with(|oidc| oidc.userinfo = text("1")), "WAYPOST_OIDC_USERINFO"),
        (with(|oidc| oidc.relay = text("1")), "WAYPOST_OIDC_RELAY"),
    ];
    for (result, named) in excluded {
        let problems = result.unwrap_err().0;
        assert!(
            problems.iter().any(|problem| problem.contains(named)),
            "{named}: {problems:?}"
        );
        assert!(
            problems.iter().all(|problem| problem.contains("WAYPOST_OIDC_DPOP")),
            "{problems:?}"
        );
    }
}
