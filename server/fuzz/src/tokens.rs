//! The input of both targets is a header and claims, separated by a line break. A fuzzer cannot find signatures, so the
//! target also signs the input, which leads to the code behind the verification.

use std::sync::{Arc, LazyLock};

use axum::{Router, routing::get};
use base64::{
    Engine,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};
use jsonwebtoken::{Algorithm, EncodingKey, crypto};
use serde_json::{Value, json};
use tokio::{
    net::TcpListener,
    runtime::{Builder, Runtime},
};
use waypost_auth::{Config, ProviderConfig, Verifier};

use crate::installation::{INSTALLATION, ORIGIN};

const AUDIENCE: &str = "api";

/// Ed25519 in PKCS #8 (RFC 8037, appendix A), for this target only.
const PRIVATE_KEY: &str = "MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g";

/// The public part of [`PRIVATE_KEY`].
const PUBLIC_KEY: &str = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo";

/// Passes the token to `boot` as that of a visitor.
pub(crate) fn identity(data: &[u8]) {
    let key = EncodingKey::from_secret(INSTALLATION.secret.as_bytes());
    for token in tokens(data, Algorithm::HS256, &key) {
        let token = token.replace("$SITE", &INSTALLATION.site_key);
        let visitor = json!({
            "anonymousId": "00000000-0000-4000-8000-000000000001", "externalId": "ada", "token": token,
        });
        let body = json!({"siteKey": INSTALLATION.site_key, "visitor": visitor, "url": ORIGIN});
        INSTALLATION.page("/e/boot", body.to_string().into_bytes());
    }
}

/// Verifies the token as an access token, and as the report of a sign-out.
pub(crate) fn access(data: &[u8]) {
    let Provider {
        runtime,
        verifier,
        issuer,
    } = &*PROVIDER;
    let text = String::from_utf8_lossy(data).replace("$ISSUER", issuer);
    let key = EncodingKey::from_ed_der(&STANDARD.decode(PRIVATE_KEY).expect("base64"));
    for token in tokens(text.as_bytes(), Algorithm::EdDSA, &key) {
        runtime.block_on(async {
            let accepted = verifier.verify(&token).await;
            assert!(
                accepted.is_err() || token.matches('.').count() == 2,
                "a text that is not a JWT was accepted: {token}"
            );
            let _ = verifier.verify_logout(&token).await;
        });
    }
}

/// Returns the input as it is, as the two encoded parts of a token with a wrong signature, and as a signed token.
fn tokens(data: &[u8], algorithm: Algorithm, key: &EncodingKey) -> Vec<String> {
    let Ok(text) = std::str::from_utf8(data) else {
        return Vec::new();
    };
    let (header, claims) = text.split_once('\n').unwrap_or(("", text));
    let signed = format!("{}.{}", URL_SAFE_NO_PAD.encode(header), URL_SAFE_NO_PAD.encode(claims));
    let signature = crypto::sign(signed.as_bytes(), key, algorithm).expect("a signature");
    vec![
        text.to_owned(),
        format!("{signed}.AAAA"),
        format!("{signed}.{signature}"),
    ]
}

struct Provider {
    runtime: Runtime,
    verifier: Arc<Verifier>,
    issuer: String,
}

static PROVIDER: LazyLock<Provider> = LazyLock::new(|| {
    let runtime = Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .expect("a runtime");
    let (verifier, issuer) = runtime.block_on(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let issuer = format!("http://{}", listener.local_addr().expect("an address"));
        let document: Value = json!({
            "issuer": issuer, "jwks_uri": format!("{issuer}/jwks"), "authorization_endpoint": format!("{issuer}/authorize"),
            "token_endpoint": format!("{issuer}/token"), "response_types_supported": ["code"],
            "backchannel_logout_supported": true,
        });
        let keys: Value = json!({"keys": [{
            "kty": "OKP", "crv": "Ed25519", "x": PUBLIC_KEY, "kid": "k1", "alg": "EdDSA", "use": "sig",
        }]});
        let routes = Router::new()
            .route("/.well-known/openid-configuration", get(async move || document.to_string()))
            .route("/jwks", get(async move || keys.to_string()));
        tokio::spawn(async move { axum::serve(listener, routes).await });
        let mut provider = ProviderConfig::new(&issuer, AUDIENCE);
        provider.backchannel_logout = true;
        provider.client_id = Some(AUDIENCE.to_owned());
        let config = Config {
            providers: vec![provider],
            ..Config::default()
        };
        let verifier = Verifier::new(config).expect("a configuration");
        assert!(verifier.ready().await[0].is_ready(), "the keys are loaded");
        (Arc::new(verifier), issuer)
    });
    Provider {
        runtime,
        verifier,
        issuer,
    }
});
