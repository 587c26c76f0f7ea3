//! What may be in a token request, and nothing else.

use url::form_urlencoded;

/// An error code of RFC 6749, section 5.2, and a sentence.
type Refusal = (&'static str, &'static str);

/// Parameters of the two exchanges (RFC 6749, sections 4.1.3 and 6; RFC 7636; RFC 8707).
const WITH_CODE: [&str; 4] = ["code", "redirect_uri", "code_verifier", "resource"];
const WITH_REFRESH_TOKEN: [&str; 3] = ["refresh_token", "scope", "resource"];

/// Pages to which the provider sends its answers.
const REDIRECTS: [&str; 3] = ["/auth/callback", "/auth/popup.html", "/auth/silent.html"];

/// Reads a form, and gives what goes on to the provider: without the client, which the relay names itself.
pub(super) fn read(body: &[u8], client_id: &str, origin: &str) -> Result<Vec<(String, String)>, Refusal> {
    let mut form: Vec<(String, String)> = Vec::new();
    for (name, value) in form_urlencoded::parse(body) {
        if form.iter().any(|(known, _)| *known == name) {
            return Err(("invalid_request", "A parameter stands there twice."));
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
            "The token relay is for the client of this installation.",
        ));
    }
    let allowed: &[&str] = match get("grant_type") {
        Some("authorization_code") => &WITH_CODE,
        Some("refresh_token") => &WITH_REFRESH_TOKEN,
        _ => {
            return Err((
                "unsupported_grant_type",
                "The token relay exchanges codes and refresh tokens only.",
            ));
        }
    };
    let known = |name: &str| name == "grant_type" || name == "client_id" || allowed.contains(&name);
    if form.iter().any(|(name, _)| !known(name)) {
        return Err((
            "invalid_request",
            "A parameter is there that this exchange does not have.",
        ));
    }
    if allowed.contains(&"code") {
        // Without a verifier, a stolen code would be enough: the secret that RFC 6749 asks for is ours, not the thief's.
        if get("code").is_none() || get("code_verifier").is_none() {
            return Err(("invalid_request", "A code is exchanged with its PKCE verifier."));
        }
        let redirect = get("redirect_uri").and_then(|redirect| redirect.strip_prefix(origin));
        if !redirect.is_some_and(|path| REDIRECTS.contains(&path)) {
            return Err(("invalid_grant", "The redirect address is none of this installation."));
        }
    } else if get("refresh_token").is_none() {
        return Err(("invalid_request", "There is no refresh token."));
    }
    form.retain(|(name, _)| name != "client_id");
    Ok(form)
}

#[cfg(test)]
mod tests {
    const GOOD: &str = "grant_type=authorization_code&client_id=spa&code=c&code_verifier=v&redirect_uri=https%3A%2F%2Ft.example%2Fauth%2Fcallback";

    fn read(body: &str) -> Result<Vec<(String, String)>, &'static str> {
        super::read(body.as_bytes(), "spa", "https://t.example").map_err(|(code, _)| code)
    }

    #[test]
    fn a_code_and_a_refresh_token_go_on_without_the_client() {
        let form = read(GOOD).expect("a good request");
        assert!(form.iter().all(|(name, _)| name != "client_id"));
        assert_eq!(form.len(), 4);
        assert_eq!(
            read("grant_type=refresh_token&refresh_token=r&scope=openid").map(|form| form.len()),
            Ok(3)
        );
    }

    #[test]
    fn everything_else_is_refused() {
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
            assert_eq!(read(&GOOD.replacen(from, to, 1)), Err(code), "{change}");
        }
        assert_eq!(read(""), Err("unsupported_grant_type"));
        assert_eq!(read("grant_type=refresh_token"), Err("invalid_request"));
    }
}
