#![allow(clippy::unwrap_used)]

use waypost_auth::{Audience, TokenKind};

use super::*;
use crate::cli::OidcSettings;

fn text(value: &str) -> Option<String> {
    Some(value.to_owned())
}

fn good() -> Settings {
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
fn three_settings_are_enough() {
    let config = read(good()).unwrap();
    assert_eq!(config.listen.to_string(), "127.0.0.1:4000");
    assert_eq!(config.public_url.as_str(), "http://localhost:4000/");
    assert_eq!(config.providers[0].name, "localhost");
    assert_eq!(
        config.providers[0].tokens.audience,
        Audience::Aud(vec!["urn:waypost:api".into()])
    );
    assert!(!config.ad_hoc && !config.sample && !config.trust_proxy);
}

#[test]
fn the_public_address_follows_the_port() {
    let config = read(Settings {
        port: text("8080"),
        bind: text("::"),
        ..good()
    })
    .unwrap();
    assert_eq!(config.public_url.as_str(), "http://localhost:8080/");
    assert_eq!(config.listen.to_string(), "[::]:8080");
}

#[test]
fn nothing_but_blanks_counts_as_not_set() {
    let config = read(Settings {
        port: text(" "),
        sample: text(""),
        ..good()
    })
    .unwrap();
    assert_eq!(config.listen.port(), 4000);
}

#[test]
fn the_audience_has_a_default_where_there_is_one_right_answer() {
    let audience = |settings: Settings| read(settings).map(|config| config.providers[0].tokens.audience.clone());
    let mut settings = good();
    settings.oidc.resource = None;
    assert_eq!(audience(settings.clone()).unwrap_err().0.len(), 1);
    settings.oidc.token = text("id_token");
    assert_eq!(audience(settings.clone()), Ok(Audience::Aud(vec!["spa".into()])));
    settings.oidc.token = None;
    settings.oidc.audience_claim = text("client_id");
    assert_eq!(audience(settings), Ok(Audience::ClientId(vec!["spa".into()])));
}

#[test]
fn further_providers_have_numbers() {
    let environment = |name: &str| match name {
        "WAYPOST_OIDC_2_ISSUER" => text("https://login.example.com"),
        "WAYPOST_OIDC_2_CLIENT_ID" => text("waypost"),
        "WAYPOST_OIDC_2_TOKEN" => text("id_token"),
        "WAYPOST_OIDC_3_ISSUER" => text("http://localhost:9000"),
        _ => None,
    };
    let problems = Config::read(good(), &environment).unwrap_err().0;
    let expected = [
        "WAYPOST_OIDC_3_CLIENT_ID is not set",
        "WAYPOST_OIDC_3_AUDIENCE is not set",
    ];
    assert!(
        problems
            .iter()
            .zip(expected)
            .all(|(problem, expected)| problem.starts_with(expected)),
        "{problems:?}"
    );

    let two = |name: &str| environment(name).filter(|_| name.starts_with("WAYPOST_OIDC_2_"));
    let config = Config::read(good(), &two).unwrap();
    let ids: Vec<_> = config.providers.iter().map(|provider| provider.id.as_str()).collect();
    assert_eq!(ids, ["oidc", "oidc-2"]);
    assert_eq!(
        (&config.providers[1].tokens.token, config.providers[1].name.as_str()),
        (&TokenKind::IdToken, "login.example.com")
    );
}

#[test]
fn an_issuer_belongs_to_one_provider() {
    let environment = |name: &str| match name {
        "WAYPOST_OIDC_2_ISSUER" => text("http://localhost:9000"),
        "WAYPOST_OIDC_2_CLIENT_ID" | "WAYPOST_OIDC_2_AUDIENCE" => text("other"),
        _ => None,
    };
    let problems = Config::read(good(), &environment).unwrap_err().0;
    assert_eq!(problems, ["Two providers have the issuer http://localhost:9000."]);
}

#[test]
fn misspelt_settings_are_noticed() {
    let names = [
        "PATH",
        "WAYPOST_OIDC_ISUER",
        "WAYPOST_TOKEN",
        "WAYPOST_DATA",
        "WAYPOST_OIDC_2_ISSUER",
        "WAYPOST_OIDC_2_ISUER",
    ];
    let unknown = unknown_settings(names.map(String::from).into_iter());
    assert_eq!(unknown, ["WAYPOST_OIDC_2_ISUER", "WAYPOST_OIDC_ISUER"]);
}
