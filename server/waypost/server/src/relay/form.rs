use url::form_urlencoded;

use crate::pages::REDIRECT_PATHS;

/// A code of RFC 6749, section 5.2, and a description.
type FormError = (&'static str, &'static str);

/// RFC 6749, section 4.1.3; RFC 7636; RFC 8707.
const CODE_PARAMETERS: [&str; 4] = ["code", "redirect_uri", "code_verifier", "resource"];

/// RFC 6749, section 6; RFC 8707.
const REFRESH_PARAMETERS: [&str; 3] = ["refresh_token", "scope", "resource"];

pub(super) fn read(body: &[u8], client_id: &str, origin: &str) -> Result<Vec<(String, String)>, FormError> {
    let mut form: Vec<(String, String)> = Vec::new();
    for (name, value) in form_urlencoded::parse(body) {
        if form.iter().any(|(known, _)| *known == name) {
            return Err(("invalid_request", "A parameter occurs twice."));
        }
        form.push((name.into_owned(), value.into_owned()));
    }
    let get = |name: &str| {
        let found = form.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str()).filter(|value| !value.is_empty())
    };
    if get("client_id").is_some_and(|id| id != client_id) {
        return Err((
            "invalid_client",
            "The token relay accepts only the client id of this installation.",
        ));
    }
    let allowed: &[&str] = match get("grant_type") {
        Some("authorization_code") => &CODE_PARAMETERS,
        Some("refresh_token") => &REFRESH_PARAMETERS,
        _ => {
            return Err((
                "unsupported_grant_type",
                "The token relay exchanges only authorization codes and refresh tokens.",
            ));
        }
    };
    let known = |name: &str| name == "grant_type" || name == "client_id" || allowed.contains(&name);
    if form.iter().any(|(name, _)| !known(name)) {
        return Err((
            "invalid_request",
            "The request contains an unknown parameter for this grant type.",
        ));
    }
    if allowed.contains(&"code") {
        // A stolen code would suffice, because the relay adds the client secret.
        if get("code").is_none() || get("code_verifier").is_none() {
            return Err(("invalid_request", "`code` and `code_verifier` are required."));
        }
        let redirect = get("redirect_uri").and_then(|redirect| redirect.strip_prefix(origin));
        if !redirect.is_some_and(|path| REDIRECT_PATHS.contains(&path)) {
            return Err((
                "invalid_grant",
                "`redirect_uri` is not a redirect URI of this installation.",
            ));
        }
    } else if get("refresh_token").is_none() {
        return Err(("invalid_request", "`refresh_token` is required."));
    }
    form.retain(|(name, _)| name != "client_id");
    Ok(form)
}

#[cfg(test)]
mod tests {
    const VALID: &str = "grant_type=authorization_code&client_id=spa&code=c&code_verifier=v&redirect_uri=https%3A%2F%2Ft.example%2Fauth%2Fcallback";

    fn read(body: &str) -> Result<Vec<(String, String)>, &'static str> {
        super::read(body.as_bytes(), "spa", "https://t.example").map_err(|(code, _)| code)
    }

    #[test]
    fn the_client_id_is_removed_from_valid_forms() {
        let form = read(VALID).expect("a valid request");
        assert!(form.iter().all(|(name, _)| name != "client_id"));
        assert_eq!(form.len(), 4);
        assert_eq!(
            read("grant_type=refresh_token&refresh_token=r&scope=openid").map(|form| form.len()),
            Ok(3)
        );
    }

    #[test]
    fn other_forms_are_rejected() {
        for (change, code) in [
            ("client_id=spa->client_id=other", "invalid_client"),
            ("code_verifier=v->code_verifier=", "invalid_request"),
            ("&code=c->", "invalid_request"),
            ("t.example->evil.example", "invalid_grant"),
            ("%2Fauth%2Fcallback->%2Fauth%2Fcallback%2F..%2Fx", "invalid_grant"),
            (
                "https%3A%2F%2Ft.example->https%3A%2F%2Ft.example.evil.test",
                "invalid_grant",
            ),
            ("authorization_code->password", "unsupported_grant_type"),
            ("authorization_code->client_credentials", "unsupported_grant_type"),
            (
                "authorization_code->urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Atoken-exchange",
                "unsupported_grant_type",
            ),
            ("code=c->code=c&code=d", "invalid_request"),
            ("code=c->code=c&client_secret=x", "invalid_request"),
            ("code=c->code=c&client_assertion=x", "invalid_request"),
            ("code=c->code=c&refresh_token=x", "invalid_request"),
            ("code=c->code=c&anything=x", "invalid_request"),
        ] {
            let (from, to) = change.split_once("->").expect("a change");
            assert_eq!(read(&VALID.replacen(from, to, 1)), Err(code), "{change}");
        }
        assert_eq!(read(""), Err("unsupported_grant_type"));
        assert_eq!(read("grant_type=refresh_token"), Err("invalid_request"));
    }
}
