pub mod store;
pub mod token;

use base64::{Engine, prelude::BASE64_STANDARD, prelude::BASE64_URL_SAFE_NO_PAD};
use serde::Deserialize;
use waypost_api::errors;

/// Maximum number of keys of a site: one in use and its successor.
pub const MAX_KEYS: usize = 2;

/// Returns a new secret with 244 random bits. Its characters, including the prefix, are the key of the HMAC.
pub fn new_secret() -> String {
    let random = || uuid::Uuid::new_v4().simple();
    format!("wp_sec_{}{}", random(), random())
}

/// The encoding of an Ed25519 public key before its 32 bytes (RFC 8410, section 4).
const SPKI_PREFIX: [u8; 12] = [0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00];

#[derive(Deserialize)]
struct Jwk {
    kty: String,
    crv: String,
    x: String,
    d: Option<serde::de::IgnoredAny>,
}

/// Parses an Ed25519 public key, as PEM or as JWK, and returns the parameter `x` of its JWK.
pub fn parse_public_key(text: &str) -> Result<String, errors::PublicKeyInvalid> {
    let text = text.trim();
    let key = if text.starts_with('{') {
        let jwk = serde_json::from_str(text).ok();
        let jwk = jwk.filter(|jwk: &Jwk| jwk.kty == "OKP" && jwk.crv == "Ed25519" && jwk.d.is_none());
        jwk.and_then(|jwk| BASE64_URL_SAFE_NO_PAD.decode(jwk.x).ok())
    } else {
        let body = text.strip_prefix("-----BEGIN PUBLIC KEY-----");
        let body = body.and_then(|text| text.strip_suffix("-----END PUBLIC KEY-----"));
        let der = body.and_then(|body| BASE64_STANDARD.decode(body.split_whitespace().collect::<String>()).ok());
        der.and_then(|der| Some(der.strip_prefix(&SPKI_PREFIX)?.to_vec()))
    };
    match key {
        Some(key) if key.len() == 32 && !has_small_order(&key) => Ok(BASE64_URL_SAFE_NO_PAD.encode(key)),
        _ => Err(errors::PublicKeyInvalid {}),
    }
}

/// True for the points of order 1, 2, 4 and 8, with which anyone can make signatures that are valid for some messages or
/// all. Includes their encodings that are not canonical, and ignores the sign.
pub(crate) fn has_small_order(key: &[u8]) -> bool {
    const Y: [&str; 7] = [
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    ];
    let Some((sign, rest)) = key.split_last() else {
        return false;
    };
    let y = hex::encode([rest, &[sign & 0x7f]].concat());
    Y.contains(&y.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_small_order_are_rejected() {
        let rejected = |bytes: [u8; 32]| {
            let x = BASE64_URL_SAFE_NO_PAD.encode(bytes);
            parse_public_key(&format!(r#"{{"kty":"OKP","crv":"Ed25519","x":"{x}"}}"#)).is_err()
        };
        let mut identity = [0; 32];
        identity[0] = 1;
        let mut negative = identity;
        negative[31] = 0x80;
        let mut order_2 = [0xff; 32];
        (order_2[0], order_2[31]) = (0xec, 0x7f);
        for bytes in [[0; 32], identity, negative, order_2] {
            assert!(rejected(bytes), "{bytes:?}");
        }
        assert!(!rejected([2; 32]));
    }

    #[test]
    fn ed25519_public_keys_are_read_from_pem_and_jwk() {
        // The key of RFC 8037, appendix A.2.
        let x = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo";
        let jwk = |kty: &str, crv: &str, x: &str, more: &str| {
            parse_public_key(&format!(r#"{{"kty":"{kty}","crv":"{crv}","x":"{x}"{more}}}"#))
        };
        assert_eq!(
            jwk("OKP", "Ed25519", x, r#","use":"sig","kid":"1""#).ok().as_deref(),
            Some(x)
        );
        let pem = "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n\
                   -----END PUBLIC KEY-----";
        for text in [pem.to_owned(), pem.replace('\n', "\r\n"), format!("  {pem}\n")] {
            assert_eq!(parse_public_key(&text).ok().as_deref(), Some(x), "{text}");
        }
        assert!(
            jwk(
                "OKP",
                "Ed25519",
                x,
                r#","d":"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A""#
            )
            .is_err()
        );
        assert!(jwk("OKP", "X25519", x, "").is_err());
        assert!(jwk("RSA", "Ed25519", x, "").is_err());
        assert!(jwk("OKP", "Ed25519", &x[..40], "").is_err());
        for text in [
            "",
            "{}",
            "wp_sec_1",
            x,
            &pem.replace("PUBLIC", "PRIVATE"),
            &pem.replace("MCowBQYDK2Vw", "MCowBQYDK2Vu"),
        ] {
            assert!(parse_public_key(text).is_err(), "{text}");
        }
    }

    #[test]
    fn secrets_are_long_and_unique() {
        let (first, second) = (new_secret(), new_secret());
        assert_ne!(first, second);
        assert_eq!(first.len(), 71);
    }
}
