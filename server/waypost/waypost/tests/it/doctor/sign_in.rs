//! `waypost doctor oidc --sign-in`, which finds the settings that work.

use std::{
    io::{BufRead, BufReader},
    process::Stdio,
};

use serde_json::Value;

use super::{findings, provider::FaultyProvider};
use crate::support::waypost;

/// Signs in like a browser, with issuer and client id as the only settings. Returns the findings and the settings.
async fn sign_in(fault: &'static str, settings: &[(&str, &str)]) -> (Vec<String>, Vec<String>) {
    let port = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let app = format!("http://localhost:{port}");
    let provider = FaultyProvider::of(app.clone(), fault).await;
    let mut child = waypost(&["doctor", "oidc", "--sign-in", "--json"])
        .env("PORT", port.to_string())
        .env("WAYPOST_OIDC_ISSUER", &provider.url)
        .env("WAYPOST_OIDC_CLIENT_ID", "spa")
        .envs(settings.iter().copied())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut messages = BufReader::new(child.stderr.take().unwrap());
    let messages = tokio::task::spawn_blocking(move || {
        let mut first = String::new();
        messages.read_line(&mut first).unwrap();
        assert!(first.starts_with("Open http://localhost:"), "{first}");
        messages
    });
    let messages = messages.await.unwrap();

    let browser = reqwest::Client::new();
    let open = async |url: String| {
        let response = browser.get(url).send().await.unwrap();
        let url = response.url().clone();
        (url, response.text().await.unwrap())
    };
    let (mut url, mut page) = open(app.clone()).await;
    while page.contains("<form>") {
        (url, page) = open(format!("{}/login/done?{}", provider.url, url.query().unwrap())).await;
    }
    if let Some((_, frame)) = page.split_once("<iframe hidden src=\"") {
        // The frame, whose script continues.
        let (_, script) = open(format!("{app}{}", frame.split_once('"').unwrap().0)).await;
        // A frame without a response has no script, so the page continues after a time.
        let refresh = page.split_once("url=").unwrap().1;
        let next = refresh.split_once('"').unwrap().0;
        assert!(script.contains(next) || script.contains("<form>"), "{script}");
        (url, page) = open(format!("{app}{next}")).await;
        assert!(
            page.contains("<h1>Done</h1>") && url.path() == "/signed-out",
            "{url} {page}"
        );
    }
    let output = tokio::task::spawn_blocking(move || (child.wait_with_output().unwrap(), messages));
    let (output, _messages) = output.await.unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let settings = report["reports"][0]["settings"].as_array().cloned().unwrap_or_default();
    assert_eq!(output.status.code(), Some(i32::from(settings.is_empty())), "{report:#}");
    let clean = |text: &str| text.replace(&provider.url, "PROVIDER").replace(&app, "APP");
    (
        findings(&output).iter().map(|finding| clean(finding)).collect(),
        settings.iter().map(|line| clean(line.as_str().unwrap())).collect(),
    )
}

#[tokio::test]
async fn a_sign_in_finds_the_settings_that_work() {
    const COMMON: [&str; 3] = [
        "WAYPOST_PUBLIC_URL=APP",
        "WAYPOST_OIDC_ISSUER=PROVIDER",
        "WAYPOST_OIDC_CLIENT_ID=spa",
    ];
    for (fault, given, settings, findings) in [
        (
            "",
            &[][..],
            &["WAYPOST_OIDC_AUDIENCE=api", "WAYPOST_OIDC_USERINFO=1"][..],
            &[
                "note tokens: Access tokens are JWTs. WAYPOST_OIDC_AUDIENCE is not set. -> WAYPOST_OIDC_AUDIENCE=api works.",
                "ok names: Waypost knows the account as Alice Author.",
                "ok renewal: The refresh token renews the session.",
                "ok two devices: After a sign-in on a second device, the first renews its session.",
                "ok frames: The provider continued the session in a hidden frame.",
                "ok revocation: The refresh token was revoked.",
                "ok sign-out: After signing out, the provider redirects to APP/signed-out.",
            ][..],
        ),
        (
            "",
            &[("WAYPOST_OIDC_RESOURCE", "urn:tours"), ("WAYPOST_OIDC_USERINFO", "1")],
            &[
                "WAYPOST_OIDC_RESOURCE=urn:tours",
                "WAYPOST_OIDC_AUDIENCE=urn:tours",
                "WAYPOST_OIDC_USERINFO=1",
            ],
            &["ok tokens: Access tokens are JWTs. Waypost accepts them."],
        ),
        (
            "",
            &[("WAYPOST_OIDC_AUDIENCE", "other"), ("WAYPOST_OIDC_USERINFO", "1")],
            &["WAYPOST_OIDC_AUDIENCE=api", "WAYPOST_OIDC_USERINFO=1"],
            &[
                "warning tokens: Access tokens are JWTs. With the present settings, they are rejected: The access token was issued \
                 for another service. -> WAYPOST_OIDC_AUDIENCE=api",
            ],
        ),
        (
            "dpop",
            &[("WAYPOST_OIDC_DPOP", "1")],
            &["WAYPOST_OIDC_DPOP=1", "WAYPOST_OIDC_AUDIENCE=api"],
            &[
                "note tokens: Access tokens are JWTs. WAYPOST_OIDC_AUDIENCE is not set. -> WAYPOST_OIDC_AUDIENCE=api works.",
                "ok renewal: The refresh token renews the session.",
            ],
        ),
        (
            "opaque",
            &[],
            &[
                "WAYPOST_OIDC_SCOPE='openid profile email offline_access'",
                "WAYPOST_OIDC_TOKEN=id_token",
            ],
            &[
                "warning tokens: Access tokens are opaque. With the present settings, they are rejected: The access token is opaque",
                "-> WAYPOST_OIDC_TOKEN=id_token works, but ID tokens contain no name, so members appear by their id. To verify \
                 access tokens instead, set WAYPOST_OIDC_RESOURCE to an API at the provider, or \
                 WAYPOST_OIDC_TOKEN=introspection with",
                "warning names: ID tokens contain no name, so members appear by their id. The userinfo endpoint returns the name, \
                 which the browser shows in the user's own menu, but the server receives only the ID token. -> Add the claim `name` to ID tokens",
            ],
        ),
        (
            "account time",
            &[],
            &["WAYPOST_OIDC_AUDIENCE=api", "WAYPOST_OIDC_USERINFO=1"],
            &[
                "note two devices: After a sign-in on a second device, the first renews its session. The provider takes the time \
                 of the sign-in (`auth_time`) from the account",
            ],
        ),
        (
            "one session",
            &[],
            &["WAYPOST_OIDC_AUDIENCE=api", "WAYPOST_OIDC_USERINFO=1"],
            &[
                "warning two devices: A sign-in on a second device ends the session of the first: its refresh token is rejected \
                 (the token endpoint returned 400 Bad Request invalid_grant).",
            ],
        ),
        (
            "no second form",
            &[],
            &["WAYPOST_OIDC_AUDIENCE=api", "WAYPOST_OIDC_USERINFO=1"],
            &["note two devices: Not tested: the provider answers `prompt=login` with invalid_request."],
        ),
        (
            "asks for consent",
            &[],
            &[
                "WAYPOST_OIDC_RENEWAL=refresh",
                "WAYPOST_OIDC_AUDIENCE=api",
                "WAYPOST_OIDC_USERINFO=1",
            ],
            &[
                "note frames: The provider did not continue the session in a hidden frame: consent_required. The provider asks \
                 for consent at each sign-in",
            ],
        ),
        (
            "no resources",
            &[("WAYPOST_OIDC_RESOURCE", "urn:tours")],
            &["WAYPOST_OIDC_AUDIENCE=api", "WAYPOST_OIDC_USERINFO=1"],
            &["warning sign-in: The provider rejects the authorization request: invalid_target."],
        ),
        (
            "unknown tokens rejected",
            &[],
            &["WAYPOST_OIDC_AUDIENCE=api", "WAYPOST_OIDC_USERINFO=1"],
            &[
                "note revocation: PROVIDER/revoke rejects an unknown token (invalid_request), so only a sign-in shows",
                "ok revocation: The refresh token was revoked.",
            ],
        ),
        (
            "reports sign-outs",
            &[],
            &["WAYPOST_OIDC_AUDIENCE=api", "WAYPOST_OIDC_USERINFO=1"],
            &[
                "note back-channel logout: The provider can report when a session ends elsewhere, but Waypost does not accept these \
                 reports. -> Set WAYPOST_OIDC_BACKCHANNEL_LOGOUT=1, and register APP/auth/backchannel-logout as back-channel logout URI.",
                "note step-up: Tokens contain the time of the sign-in (`auth_time`), but Waypost does not check it. -> \
                 WAYPOST_OIDC_STEP_UP=on requires a recent sign-in before critical changes.",
            ],
        ),
        (
            "",
            &[
                ("WAYPOST_OIDC_BACKCHANNEL_LOGOUT", "1"),
                ("WAYPOST_OIDC_STEP_UP", "on"),
                ("WAYPOST_OIDC_ACR_VALUES", "phrh phr"),
            ],
            &[
                "WAYPOST_OIDC_BACKCHANNEL_LOGOUT=1",
                "WAYPOST_OIDC_STEP_UP=on",
                "WAYPOST_OIDC_ACR_VALUES='phrh phr'",
                "WAYPOST_OIDC_AUDIENCE=api",
                "WAYPOST_OIDC_USERINFO=1",
            ],
            &[
                "warning back-channel logout: WAYPOST_OIDC_BACKCHANNEL_LOGOUT is on, but the discovery document does not announce \
                 back-channel logout. -> Check whether the provider supports it",
                "warning step-up: Tokens do not contain `auth_time`, so WAYPOST_OIDC_STEP_UP=on rejects all critical changes.",
                "warning step-up: The doctor requested the class `phrh phr`, but tokens do not contain `acr`, so critical changes \
                 are rejected.",
            ],
        ),
        (
            "reports sign-outs",
            &[("WAYPOST_OIDC_ACR_VALUES", "phrh phr")],
            &[
                "WAYPOST_OIDC_ACR_VALUES='phrh phr'",
                "WAYPOST_OIDC_AUDIENCE=api",
                "WAYPOST_OIDC_USERINFO=1",
            ],
            &["ok step-up: The class of the sign-in is `phr` (`acr`), which critical changes accept."],
        ),
        (
            "no offline scope",
            &[],
            &["WAYPOST_OIDC_AUDIENCE=api", "WAYPOST_OIDC_USERINFO=1"],
            &["ok sign-in: The sign-in with the scopes `openid profile email` succeeded."],
        ),
        (
            "unreadable, tokens too",
            &[],
            &[
                "WAYPOST_OIDC_RELAY=1",
                "WAYPOST_OIDC_AUDIENCE=api",
                "WAYPOST_OIDC_USERINFO=1",
            ],
            &["warning cors: Pages of APP may not read the discovery document or the tokens."],
        ),
        (
            "only sign-in pages",
            &[],
            &[
                "WAYPOST_OIDC_RENEWAL=refresh",
                "WAYPOST_OIDC_AUDIENCE=api",
                "WAYPOST_OIDC_USERINFO=1",
            ],
            &["note frames: The provider did not continue the session in a hidden frame"],
        ),
        (
            "no refresh",
            &[],
            &[
                "WAYPOST_OIDC_RENEWAL=frame",
                "WAYPOST_OIDC_AUDIENCE=api",
                "WAYPOST_OIDC_USERINFO=1",
            ],
            &["note renewal: The provider issued no refresh token."],
        ),
        (
            "no public revocation",
            &[],
            &["WAYPOST_OIDC_AUDIENCE=api", "WAYPOST_OIDC_USERINFO=1"],
            &["warning revocation: The refresh token still works after its revocation"],
        ),
        (
            "other subject",
            &[],
            &["WAYPOST_OIDC_AUDIENCE=api"],
            &[
                "warning userinfo: The userinfo endpoint returns another `sub`",
                "warning names: The server receives no name for the account",
            ],
        ),
    ] {
        let (found, lines) = sign_in(fault, given).await;
        let expected: Vec<_> = COMMON.iter().chain(settings).collect();
        assert_eq!(lines.iter().collect::<Vec<_>>(), expected, "{fault}: {found:#?}");
        for finding in findings {
            assert!(
                found.iter().any(|line| line.contains(finding)),
                "{fault}: {finding} {found:#?}"
            );
        }
    }
}

#[tokio::test]
async fn a_missing_nonce_is_reported_with_the_next_step() {
    let (found, settings) = sign_in("no nonce", &[]).await;
    assert_eq!(settings, [""; 0]);
    let expected = "problem sign-in: No tokens were issued: the ID token does not contain the nonce of the request. -> Check whether";
    assert!(found.iter().any(|line| line.contains(expected)), "{found:#?}");
}

/// The doctor must end without waiting for a browser.
#[tokio::test]
async fn a_sign_in_that_cannot_work_is_not_started_and_the_reasons_are_printed() {
    let provider = FaultyProvider::of("http://localhost:4000".to_owned(), "plain http").await;
    let run = tokio::task::spawn_blocking(move || {
        waypost(&["doctor", "oidc", "--sign-in"])
            .env("WAYPOST_OIDC_ISSUER", &provider.url)
            .env("WAYPOST_OIDC_CLIENT_ID", "spa")
            .output()
            .unwrap()
    });
    let output = run.await.unwrap();
    assert_eq!(output.status.code(), Some(1));
    let progress = String::from_utf8(output.stderr).unwrap();
    assert!(
        progress.contains("`token_endpoint` is http://login.example.com/token, but must use https."),
        "{progress}"
    );
    let report = String::from_utf8(output.stdout).unwrap();
    assert!(
        report.contains("Not started, because no browser can sign in with the problems above."),
        "{report}"
    );
}

#[tokio::test]
async fn an_existing_settings_file_is_refused_before_the_sign_in() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("waypost.env");
    std::fs::write(&file, "A=1").unwrap();
    let path = file.to_str().unwrap().to_owned();
    let run = tokio::task::spawn_blocking(move || {
        waypost(&["doctor", "oidc", "--sign-in", "--write", &path])
            .env("WAYPOST_OIDC_ISSUER", "http://localhost:9")
            .env("WAYPOST_OIDC_CLIENT_ID", "spa")
            .output()
            .unwrap()
    });
    let output = run.await.unwrap();
    assert_eq!(output.status.code(), Some(2));
    let problem = String::from_utf8(output.stderr).unwrap();
    assert!(problem.contains("but this file exists"), "{problem}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "A=1");
}
