//! `waypost doctor` with a correct environment, and with one fault at a time.

mod gateway;
mod parts;
mod provider;
mod sign_in;

use std::process::Output;

use serde_json::Value;

use self::provider::FaultyProvider;
use crate::support::waypost;

const APP: &str = "http://localhost:4000";

async fn doctor(issuer: &str, settings: &[(&'static str, &'static str)], arguments: &[&'static str]) -> Output {
    let mut command = waypost(&["doctor", "oidc"]);
    command
        .args(arguments)
        .env("WAYPOST_PUBLIC_URL", APP)
        .env("WAYPOST_OIDC_ISSUER", issuer)
        .env("WAYPOST_OIDC_CLIENT_ID", "spa")
        .env("WAYPOST_OIDC_AUDIENCE", "api")
        .envs(settings.iter().copied());
    tokio::task::spawn_blocking(move || command.output().unwrap())
        .await
        .unwrap()
}

fn findings(output: &Output) -> Vec<String> {
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    report["reports"][0]["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| {
            let text = |name: &str| finding[name].as_str().unwrap_or_default().to_owned();
            format!(
                "{} {}: {} -> {}",
                text("level"),
                text("check"),
                text("message"),
                text("fix")
            )
        })
        .collect()
}

#[tokio::test]
async fn a_correct_provider_has_no_problems() {
    let provider = FaultyProvider::with("").await;
    let output = doctor(&provider.url, &[], &[]).await;
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = String::from_utf8(output.stdout)
        .unwrap()
        .replace(&provider.url, "PROVIDER");
    insta::assert_snapshot!(text);
}

#[tokio::test]
async fn a_sign_out_redirect_is_requested_only_for_sign_out_at_the_provider() {
    let provider = FaultyProvider::with("").await;
    for (logout, path) in [
        ("provider", Some("/signed-out")),
        ("popup", Some("/auth/popup.html")),
        ("local", None),
    ] {
        let output = doctor(&provider.url, &[("WAYPOST_OIDC_LOGOUT", logout)], &["--json"]).await;
        let findings = findings(&output);
        let note = findings.iter().find(|finding| finding.contains("After signing out"));
        match path {
            Some(path) => assert!(note.is_some_and(|note| note.contains(path)), "{logout}: {findings:?}"),
            None => assert_eq!(note, None, "{logout}"),
        }
    }
}

#[tokio::test]
async fn each_fault_is_reported_with_its_fix() {
    const WARNING: i32 = 0;
    const PROBLEM: i32 = 1;
    for (fault, settings, code, expected) in [
        (
            "moved",
            &[][..],
            PROBLEM,
            "problem discovery: PROVIDER/.well-known/openid-configuration redirects to https://new.example",
        ),
        (
            "no document",
            &[],
            PROBLEM,
            "-> Set WAYPOST_OIDC_ISSUER to the provider's issuer: its discovery URL without",
        ),
        ("other issuer", &[], PROBLEM, "-> Set WAYPOST_OIDC_ISSUER=PROVIDER/."),
        (
            "no code flow",
            &[],
            PROBLEM,
            "problem flows: The provider does not support the authorization code flow",
        ),
        (
            "no pkce",
            &[],
            PROBLEM,
            "problem pkce: The provider does not support PKCE with S256",
        ),
        (
            "own error page",
            &[],
            PROBLEM,
            "problem redirects: The provider does not redirect to http://localhost:4000/auth/callback, \
             http://localhost:4000/auth/popup.html, http://localhost:4000/auth/silent.html (invalid_client: unknown).",
        ),
        (
            "error page with status 200",
            &[],
            PROBLEM,
            "(its page contains \"mismatching redirect\"). -> Check WAYPOST_OIDC_CLIENT_ID=spa, and register these redirect URIs",
        ),
        (
            "own error page for unknown URIs",
            &[],
            WARNING,
            "ok redirects: The provider accepts http://localhost:4000/auth/callback, http://localhost:4000/auth/popup.html, \
             http://localhost:4000/auth/silent.html, and rejects http://localhost:4000/auth/not-registered.",
        ),
        (
            "only sign-in pages",
            &[],
            WARNING,
            "warning prompt=none: The provider shows a sign-in page in spite of `prompt=none`, so renewal in hidden frames times \
             out, and the doctor cannot check",
        ),
        (
            "only pages",
            &[],
            WARNING,
            "warning prompt=none: The provider shows a page in spite of `prompt=none`",
        ),
        (
            "no public revocation",
            &[],
            WARNING,
            "warning revocation: PROVIDER/revoke returned 401 Unauthorized (invalid_client) for a client without a secret, so \
             refresh tokens stay valid after signing out until they expire.",
        ),
        (
            "",
            &[],
            WARNING,
            "note access tokens: Only a sign-in shows the form of access tokens. Waypost is configured for JWTs, and rejects \
             opaque tokens, which many providers issue by default. -> If they are opaque, set WAYPOST_OIDC_RESOURCE to the \
             identifier of an API at the provider, so that it issues JWTs; or WAYPOST_OIDC_TOKEN=introspection with \
             WAYPOST_OIDC_INTROSPECTION_CLIENT_ID and WAYPOST_OIDC_INTROSPECTION_SECRET; or WAYPOST_OIDC_TOKEN=id_token; or \
             WAYPOST_OIDC_TOKEN=userinfo, which",
        ),
        (
            "no introspection",
            &[],
            WARNING,
            "so that it issues JWTs; or WAYPOST_OIDC_TOKEN=id_token; or",
        ),
        (
            "",
            &[
                ("WAYPOST_OIDC_TOKEN", "introspection"),
                ("WAYPOST_OIDC_INTROSPECTION_CLIENT_ID", "api"),
                ("WAYPOST_OIDC_INTROSPECTION_SECRET", "right"),
            ],
            WARNING,
            "ok names: Names that tokens lack are requested from the userinfo endpoint.",
        ),
        (
            "no userinfo",
            &[
                ("WAYPOST_OIDC_TOKEN", "introspection"),
                ("WAYPOST_OIDC_INTROSPECTION_CLIENT_ID", "api"),
                ("WAYPOST_OIDC_INTROSPECTION_SECRET", "right"),
            ],
            WARNING,
            "note names: Introspection responses rarely contain names, and the discovery document has no `userinfo_endpoint`",
        ),
        (
            "no refresh",
            &[],
            WARNING,
            "warning refresh: Refresh tokens are not supported",
        ),
        (
            "no sign-out",
            &[],
            WARNING,
            "Set WAYPOST_OIDC_LOGOUT=local, so that the page after signing out",
        ),
        (
            "no monitor",
            &[("WAYPOST_OIDC_MONITOR", "1")],
            WARNING,
            "warning monitor: The discovery document has no `check_session_iframe`",
        ),
        (
            "watch missing",
            &[("WAYPOST_OIDC_MONITOR", "1")],
            WARNING,
            "warning monitor: PROVIDER/watch returned 404 Not Found, so the provider's sessions cannot be monitored. -> Set \
             WAYPOST_OIDC_MONITOR=0.",
        ),
        (
            "watch refuses",
            &[("WAYPOST_OIDC_MONITOR", "1")],
            WARNING,
            "warning monitor: Pages of http://localhost:4000 may not embed PROVIDER/watch: it sends `X-Frame-Options: deny`. -> \
             Configure the provider or its reverse proxy to send `Content-Security-Policy: frame-ancestors http://localhost:4000` \
             instead",
        ),
        (
            "watch allows",
            &[("WAYPOST_OIDC_MONITOR", "1")],
            WARNING,
            "ok monitor: The provider's sessions can be monitored",
        ),
        (
            "watch allows",
            &[
                ("WAYPOST_OIDC_MONITOR", "1"),
                ("WAYPOST_PUBLIC_URL", "http://127.0.0.1:4000"),
            ],
            PROBLEM,
            "warning monitor: Pages of http://127.0.0.1:4000 may not embed PROVIDER/watch: it sends `Content-Security-Policy: \
             frame-ancestors http://localhost:4000`.",
        ),
        (
            "sign-out in a frame",
            &[("WAYPOST_OIDC_LOGOUT", "frame")],
            WARNING,
            "/auth/silent.html",
        ),
        (
            "symmetric algorithms",
            &[],
            PROBLEM,
            "problem algorithms: The provider signs tokens only with shared secrets",
        ),
        (
            "symmetric key",
            &[],
            PROBLEM,
            "problem keys: PROVIDER/jwks: the provider's key set has no usable signing key",
        ),
        (
            "plain http",
            &[],
            PROBLEM,
            "problem endpoints: `token_endpoint` is http://login.example.com/token, but must use https.",
        ),
        (
            "offline",
            &[],
            WARNING,
            "-> Set WAYPOST_OIDC_SCOPE='openid profile email offline_access'.",
        ),
        ("clock", &[], PROBLEM, "problem clock: This machine's clock is"),
        (
            "silent page missing",
            &[],
            PROBLEM,
            "problem redirects: The provider does not redirect to http://localhost:4000/auth/silent.html (redirect_uri is not registered).",
        ),
        (
            "any redirect",
            &[],
            WARNING,
            "warning redirects: The provider also redirects to http://localhost:4000/auth/not-registered",
        ),
        (
            "prompt ignored",
            &[],
            WARNING,
            "warning prompt=none: The provider shows a sign-in page",
        ),
        (
            "wrong scope",
            &[],
            PROBLEM,
            "-> Set WAYPOST_OIDC_SCOPE to scopes that this client may request; it requests `openid profile email`.",
        ),
        (
            "isolated",
            &[],
            WARNING,
            "note windows: The sign-in page isolates its window (Cross-Origin-Opener-Policy)",
        ),
        (
            "framed",
            &[],
            WARNING,
            "warning frames: Any site may embed the sign-in page in a frame",
        ),
        (
            "no cors",
            &[],
            WARNING,
            "warning cors: Pages of http://localhost:4000 may not read error responses of PROVIDER/token, because they have no \
             Access-Control-Allow-Origin header. If successful responses lack it too, sign-in fails in the tab, in a window and in \
             a frame. -> If the sign-in page reports that it may not read the provider's response: Allow the origin \
             http://localhost:4000 (",
        ),
        (
            "unreadable",
            &[],
            PROBLEM,
            "problem cors: Pages of http://localhost:4000 may not read PROVIDER/.well-known/openid-configuration: the response has \
             no Access-Control-Allow-Origin header. Sign-in fails in the tab, in a window and in a frame. -> Allow the origin",
        ),
        (
            "unreadable, tokens too",
            &[],
            PROBLEM,
            "Or use the token relay: set WAYPOST_OIDC_RELAY=1, and WAYPOST_OIDC_CLIENT_SECRET if the client has a secret.",
        ),
        (
            "another origin",
            &[],
            PROBLEM,
            "may not read PROVIDER/.well-known/openid-configuration: the response allows only https://other.example.",
        ),
        (
            "unreadable, tokens too",
            &[("WAYPOST_OIDC_RELAY", "1")],
            WARNING,
            "ok token endpoint: The token endpoint accepts the client",
        ),
        (
            "secret required",
            &[],
            PROBLEM,
            "set WAYPOST_OIDC_RELAY=1 and WAYPOST_OIDC_CLIENT_SECRET.",
        ),
        (
            "secret required",
            &[("WAYPOST_OIDC_RELAY", "1"), ("WAYPOST_OIDC_CLIENT_SECRET", "right")],
            WARNING,
            "ok token endpoint: The token endpoint accepts the client",
        ),
        (
            "secret required",
            &[("WAYPOST_OIDC_RELAY", "1"), ("WAYPOST_OIDC_CLIENT_SECRET", "wrong")],
            PROBLEM,
            "-> Check WAYPOST_OIDC_CLIENT_ID and WAYPOST_OIDC_CLIENT_SECRET",
        ),
        (
            "no cors",
            &[("WAYPOST_OIDC_RELAY", "1")],
            WARNING,
            "ok token endpoint: The token endpoint accepts the client",
        ),
        (
            "",
            &[("WAYPOST_OIDC_TOKEN", "userinfo")],
            WARNING,
            "warning audience: Tokens are verified by the userinfo endpoint",
        ),
        (
            "",
            &[
                ("WAYPOST_OIDC_TOKEN", "introspection"),
                ("WAYPOST_OIDC_INTROSPECTION_CLIENT_ID", "api"),
                ("WAYPOST_OIDC_INTROSPECTION_SECRET", "right"),
            ],
            WARNING,
            "ok introspection: The introspection endpoint accepts this server's credentials.",
        ),
        (
            "",
            &[
                ("WAYPOST_OIDC_TOKEN", "introspection"),
                ("WAYPOST_OIDC_INTROSPECTION_CLIENT_ID", "api"),
                ("WAYPOST_OIDC_INTROSPECTION_SECRET", "wrong"),
            ],
            PROBLEM,
            "-> Check WAYPOST_OIDC_INTROSPECTION_CLIENT_ID and WAYPOST_OIDC_INTROSPECTION_SECRET",
        ),
        (
            "no introspection",
            &[
                ("WAYPOST_OIDC_TOKEN", "introspection"),
                ("WAYPOST_OIDC_INTROSPECTION_CLIENT_ID", "api"),
                ("WAYPOST_OIDC_INTROSPECTION_SECRET", "right"),
            ],
            PROBLEM,
            "-> Set WAYPOST_OIDC_INTROSPECTION_URL to its URL.",
        ),
        (
            "dpop",
            &[],
            WARNING,
            "note dpop: The provider supports access tokens that are bound to a browser (DPoP), so that stolen tokens are \
             useless. -> Set WAYPOST_OIDC_DPOP=1 to require them.",
        ),
        (
            "dpop",
            &[("WAYPOST_OIDC_DPOP", "1")],
            WARNING,
            "ok dpop: The provider supports access tokens that are bound to a browser (DPoP).",
        ),
        (
            "dpop with RS256",
            &[("WAYPOST_OIDC_DPOP", "1")],
            PROBLEM,
            "problem dpop: The provider does not accept DPoP proofs of browsers, which are signed with ES256. -> Remove \
             WAYPOST_OIDC_DPOP.",
        ),
        (
            "dpop without preflight",
            &[("WAYPOST_OIDC_DPOP", "1")],
            PROBLEM,
            "problem cors: Pages of http://localhost:4000 may not send DPoP proofs to PROVIDER/token",
        ),
        (
            "no refresh",
            &[
                ("WAYPOST_PUBLIC_URL", "http://tours.example.com"),
                ("WAYPOST_OIDC_RENEWAL", "frame"),
            ],
            PROBLEM,
            "problem secure: http://tours.example.com/ is not a secure context",
        ),
        (
            "",
            &[
                ("WAYPOST_PUBLIC_URL", "https://tours.example.com"),
                ("WAYPOST_TRUST_PROXY", "1"),
                ("WAYPOST_OIDC_RENEWAL", "frame"),
            ],
            PROBLEM,
            "warning same site: Waypost (https://tours.example.com) and the provider (http://localhost) are different sites",
        ),
    ] {
        let provider = FaultyProvider::with(fault).await;
        let output = doctor(&provider.url, settings, &["--json"]).await;
        let found = findings(&output);
        assert!(
            found
                .iter()
                .any(|line| line.replace(&provider.url, "PROVIDER").contains(expected)),
            "{fault} {settings:?}: {found:#?}"
        );
        assert_eq!(output.status.code(), Some(code), "{fault} {settings:?}: {found:#?}");
    }
}

#[tokio::test]
async fn an_outage_and_invalid_settings_have_different_exit_codes() {
    let output = doctor("http://localhost:9", &[], &["--json"]).await;
    assert_eq!(output.status.code(), Some(1));
    let found = findings(&output);
    assert!(
        found
            .iter()
            .any(|line| line.contains("cannot be reached from this machine")),
        "{found:#?}"
    );
    let output = doctor("http://localhost:9", &[("WAYPOST_OIDC_PRESET", "entry")], &["--json"]).await;
    assert_eq!(output.status.code(), Some(2));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(
        report["problems"][0]
            .as_str()
            .unwrap()
            .starts_with("WAYPOST_OIDC_PRESET is `entry`")
    );
}

#[tokio::test]
async fn a_preset_is_suggested_for_a_known_issuer_pattern() {
    // `localhost` never resolves to another machine (RFC 6761), and the hint needs no response.
    let output = doctor("https://localhost:9/realms/staff", &[], &["--json"]).await;
    let found = findings(&output);
    assert!(
        found.iter().any(|line| line.contains("WAYPOST_OIDC_PRESET=keycloak")),
        "{found:#?}"
    );
}

#[tokio::test]
async fn the_verdict_names_the_facts_that_could_not_be_checked() {
    for (fault, expected) in [
        (
            "",
            "No problems found, but the doctor could not check the form and audience of access tokens.",
        ),
        (
            "only pages",
            "No problems found, but the doctor could not check the redirect URIs and the form and audience of access tokens.",
        ),
    ] {
        let provider = FaultyProvider::with(fault).await;
        let output = doctor(&provider.url, &[], &[]).await;
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains(expected), "{fault}: {text}");
    }
}
