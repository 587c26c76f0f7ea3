use std::fmt::Write as _;

use super::{ALL, AudienceRequest, Logout, Preset, PresetAudience, PresetToken, RelayNeed};

pub fn page() -> String {
    let mut page = String::from(HEAD);
    page.push_str(&table());
    for preset in ALL {
        section(&mut page, preset);
    }
    page.push_str(DECISIONS);
    page
}

const DECISIONS: &str = "
If you know only the issuer and the client id, stop Waypost and run `waypost doctor oidc --sign-in` with these two settings and
the public URL. It opens your browser or prints an address, follows a sign-in, a second one as on another device, renewal and sign-out,
and prints the settings that work; `--write waypost.env` writes them to a new file. The doctor listens at the address of Waypost in the meantime, because the provider redirects to it.

To decide yourself, find the symptom. The messages of the page are also the `reason` in the server's log. The third column contains the
line of `waypost doctor oidc`; with *(sign-in)*, it requires `--sign-in`. The settings begin with `WAYPOST_OIDC_`.

| | symptom | the doctor's line | setting |
|---|---|---|---|
| form of tokens | \"The access token is opaque\"; the provider issues JWTs for an API that the client requests | `access tokens: Only a sign-in shows the form of access tokens`; `tokens: Access tokens are opaque` *(sign-in)* | `RESOURCE=<identifier of the API>` |
| | The same; the discovery document has an `introspection_endpoint` | the same | `TOKEN=introspection`, `INTROSPECTION_CLIENT_ID`, `INTROSPECTION_SECRET` |
| | The same; neither is possible | the same | `TOKEN=id_token`, if ID tokens contain names |
| | The same; ID tokens are not acceptable either | `audience: Tokens are verified by the userinfo endpoint` | `TOKEN=userinfo`. Waypost then also accepts tokens that the provider issued for other applications |
| audience | \"The access token was issued for another service\" | `tokens: … they are rejected: …` with the right value *(sign-in)* | `AUDIENCE=<claim aud of access tokens>` |
| | \"The access token has no claim `aud`\" | the same *(sign-in)* | `AUDIENCE_CLAIM=client_id`, `AUDIENCE=<client id>` |
| | Sign-in fails with `invalid_target` | `sign-in: The provider rejects the authorization request: invalid_target` | Set `RESOURCE` to an API that is registered at the provider, or remove it |
| names | Members appear by their id | `names: If access tokens contain no names`; `names: Access tokens contain no name` *(sign-in)* | `USERINFO=1`; the default with `TOKEN=introspection` |
| | The same with `USERINFO=1`; only ID tokens contain names | `names: The server receives no name` *(sign-in)* | Add `name` to access tokens at the provider, or `TOKEN=id_token` |
| | Members appear by their id, except in their own menu, with `TOKEN=id_token`; only userinfo contains names | `names: ID tokens contain no name` *(sign-in)* | Add `name` to ID tokens at the provider, or `TOKEN=introspection` or `TOKEN=userinfo`; `USERINFO=1` is refused with `TOKEN=id_token` |
| | The sign-in page shows the host name of the provider | | `NAME=<name of the provider>` |
| renewal | Users sign in again when their token expires | `refresh: The provider supports the scope offline_access` | `SCOPE='openid profile email offline_access'` |
| | New tabs wait for seconds before they show the sign-in page | `prompt=none: The provider shows a sign-in page` | `RENEWAL=refresh`. New tabs then get the session from another tab, or require a click |
| | The browser blocks the hidden frame | `same site: … are different sites` | Host names under one domain for both, or `RENEWAL=refresh` |
| | Neither method works | `renewal: No method of renewal worked` *(sign-in)* | `RENEWAL=click` |
| | A sign-in on a second device ends the session of the first | `two devices: A sign-in on a second device ends the session` *(sign-in)* | Allow several sessions of an account at the provider. A later `auth_time` alone is accepted |
| sign-out | Users stay on a page of the provider | `sign-out: … does not redirect` *(sign-in)* | Register `/signed-out`, or `LOGOUT=local` |
| | The session at the provider does not end | `signing out: The discovery document has no end_session_endpoint` | `LOGOUT=local`. The page after signing out offers another account |
| | Refresh tokens work after signing out | `revocation: … for a client without a secret` | Allow public clients to revoke tokens at the provider, or limit the lifetime of refresh tokens |
| clock | \"The access token is not valid yet\", \"The clocks … differ too much\" | `clock: This machine's clock is … the provider's` | Synchronize the clocks of the provider, the server and the computers with NTP |
| state | \"This sign-in was already completed or was started in another tab\" after entering a password | | The provider must return `state` unchanged, in the same browser |
| nonce | \"nonce in id_token does not match\" | `sign-in: No tokens were issued: the ID token does not contain the nonce` *(sign-in)* | Custom sign-in and consent pages at the provider must pass on all parameters of the request |
| CORS | The sign-in page may not read the provider's response | `cors: Pages of … may not read …` | Allow the origin of Waypost at the provider, or `RELAY=1` |
| client | Sign-in fails with `invalid_client` | `token endpoint: The token endpoint rejects the client … without a secret` | Make it a public client, or `RELAY=1` and `CLIENT_SECRET`; some providers require `CLIENT_AUTH=basic` |
| | The provider shows an error page | `redirects: The provider does not redirect to …` | Correct `CLIENT_ID`, and register the three redirect URIs |
";

const HEAD: &str = "<!-- Generated from server/waypost/auth/src/preset by \
`WAYPOST_BLESS=1 cargo test -p waypost-auth --test providers_page`. Do not edit. -->

# Identity providers

Waypost supports sign-in with any OpenID Connect provider. For the providers below, `WAYPOST_OIDC_PRESET` supplies defaults;
any other `WAYPOST_OIDC_…` setting overrides them. `waypost doctor oidc` checks the settings against your provider and reports
what to change and where.

The descriptions of hosted services come from their documentation and may be outdated; run `waypost doctor oidc` to check yours.

**Redirect URIs.** Register these three URIs at every provider, relative to the public URL of Waypost: `/auth/callback` (sign-in
in the current tab), `/auth/popup.html` (sign-in in a window) and `/auth/silent.html` (renewal in a hidden frame). After signing
out, the provider redirects to `/signed-out`. With `https://tours.example.com`:

```
https://tours.example.com/auth/callback
https://tours.example.com/auth/popup.html
https://tours.example.com/auth/silent.html
https://tours.example.com/signed-out
```

**Several providers** are configured with numbered settings: `WAYPOST_OIDC_2_PRESET`, `WAYPOST_OIDC_2_ISSUER` and so on, up to 9.
Two of them may share an issuer if their client ids differ.

**Roles** are named `admin`, `publisher`, `author` and `viewer`, in any case, and are read from the claims below.
`WAYPOST_OIDC_ROLES_WORKSPACE=acme` grants them in the workspace `acme`. To map groups with other names, or to grant roles in
several workspaces, use `WAYPOST_OIDC_GRANTS`, separated by semicolons:
`staff=acme:viewer; tour writers=acme:author; ops=shop:admin`.

**Back-channel logout.** With `WAYPOST_OIDC_BACKCHANNEL_LOGOUT=1`, the provider reports ended sessions to the server (OpenID Connect
Back-Channel Logout), for example after signing out in another application. The server then rejects the session's tokens, and its
open streams end within a second. Register this back-channel logout URI at the provider, which must be able to reach it:

```text
https://tours.example.com/auth/backchannel-logout
```

Access tokens should contain the claim `sid`, so that one session of an account ends and not all. A report that contains only a
`sid` has no effect on tokens without it. Access tokens of this provider are then accepted for at most a day after they were issued.

**Recent sign-in.** With `WAYPOST_OIDC_STEP_UP=on`, critical changes require a sign-in within the last five minutes (RFC 9470): erasing
visitors, removing the sample workspace, site keys, identity keys, members and invitations. Access tokens must contain the claim `auth_time`;
without it, these changes are rejected. `waypost doctor oidc --sign-in` reports whether they contain it. In Keycloak, the client scope `basic`
adds it. If a provider's ID tokens are verified (`WAYPOST_OIDC_TOKEN=id_token`), they contain it if `max_age` was requested.

**Strong sign-in.** With `WAYPOST_OIDC_ACR_VALUES`, the same changes require a sign-in of one of these classes, such as one with a second
factor. The values are those of the claim `acr` in access tokens, in order of preference and separated by spaces. They differ between providers:
the discovery document lists them as `acr_values_supported`, `waypost doctor oidc --sign-in` reports them, and `phr` and `phrh`
(phishing-resistant, with protected hardware) are standard names. In Keycloak, they are the levels that the realm maps to authentication flows.
Entra ID requires another parameter than `acr_values`, so this setting is not possible there; require the second factor by a policy instead.

**Bound tokens (DPoP).** With `WAYPOST_OIDC_DPOP=1`, access and refresh tokens are bound to a key of the browser, which scripts cannot
copy, and Waypost rejects all others (RFC 9449). A stolen token is then useless. This requires:

- a provider that supports DPoP with ES256 and lists it in `dpop_signing_alg_values_supported`. `waypost doctor oidc` suggests the
  setting if yours does. Some providers require DPoP to be enabled for the client, as Okta does;
- access tokens that are JWTs or verified by introspection: neither `TOKEN=id_token`, `TOKEN=userinfo` nor `USERINFO=1`, because
  only the browser can sign proofs. Add names to access tokens or to introspection responses;
- CORS for the request header `DPoP` and the response header `DPoP-Nonce` at the token endpoint, without the token relay.

**Session monitoring.** With `WAYPOST_OIDC_MONITOR=1`, signing out at the provider also ends the session in Waypost. This
requires:

- a `check_session_iframe` in the discovery document (OpenID Connect Session Management);
- Waypost and the provider on the same site (tours.example.com, login.example.com), because a browser that blocks third-party
  cookies would otherwise report every session as signed out;
- a provider that allows Waypost to embed the `check_session_iframe` page. If it forbids all embedding, allow this one page in the
  reverse proxy in front of the provider.

Debian's glewlwyd forbids embedding, and also requires Waypost on a subdomain of its own host (login.example.com,
tours.login.example.com). With nginx:

```nginx
location = /api/oidc/check_session_iframe {
    proxy_pass http://127.0.0.1:4593;
    proxy_hide_header X-Frame-Options;
    add_header Content-Security-Policy \"frame-ancestors https://tours.login.example.com\";
}
```

";

fn table() -> String {
    let mut table = String::from(
        "| preset | token | audience | refresh tokens | hidden frame | sign-out | revocation | session monitoring | role claims | relay |\n\
         |---|---|---|---|---|---|---|---|---|---|\n",
    );
    for preset in ALL {
        let roles = match preset.roles {
            [] => "none".to_owned(),
            roles => {
                let code = |role: &&str| format!("`{}`", role.replace("{client}", "<client id>"));
                roles.iter().map(code).collect::<Vec<_>>().join(", ")
            }
        };
        let cells = [
            format!("[`{}`](#{})", preset.slug, anchor(preset.name)),
            token(preset).to_owned(),
            audience(preset),
            preset.refresh.to_owned(),
            preset.frame.to_owned(),
            logout(preset.logout).to_owned(),
            if preset.revocation { "yes" } else { "no" }.to_owned(),
            session_monitoring(preset).to_owned(),
            roles,
            relay(preset.relay).to_owned(),
        ];
        let _ = writeln!(table, "| {} |", cells.join(" | "));
    }
    table
}

fn section(page: &mut String, preset: &Preset) {
    let _ = writeln!(page, "\n## {}\n\n```sh", preset.name);
    let mut settings = vec![("PRESET", preset.slug), ("CLIENT_ID", "<client id>")];
    settings.extend(preset.settings);
    for (name, value) in settings {
        let quoted = if value.contains(['<', ' ']) {
            format!("'{value}'")
        } else {
            value.to_owned()
        };
        let _ = writeln!(page, "WAYPOST_OIDC_{name}={quoted}");
    }
    page.push_str("```\n\nSetup at the provider:\n\n");
    for (number, step) in preset.steps.iter().enumerate() {
        let _ = writeln!(page, "{}. {step}", number + 1);
    }
    let _ = writeln!(
        page,
        "\nDefaults: scopes `{}`{}.",
        preset.scope.replace("{client}", "<client id>"),
        match preset.parameters {
            [] => String::new(),
            parameters => format!(
                ", parameters {}",
                parameters
                    .iter()
                    .map(|(name, value)| format!("`{name}={value}`"))
                    .collect::<Vec<_>>()
                    .join(", ")
            ),
        }
    );
    if preset.userinfo {
        page.push_str("Claims that tokens lack are requested from the userinfo endpoint.\n");
    }
    page.push_str("\nNotes:\n\n");
    for limit in preset.limits {
        let _ = writeln!(page, "- {limit}");
    }
}

fn token(preset: &Preset) -> &'static str {
    match preset.token {
        PresetToken::Jwt => "access token (JWT)",
        PresetToken::IdToken => "ID token",
        PresetToken::Introspection => "access token (introspection)",
    }
}

fn audience(preset: &Preset) -> String {
    match preset.audience {
        PresetAudience::Named(AudienceRequest::Resource) => {
            "`AUDIENCE`, requested with `RESOURCE` if the provider requires it".to_owned()
        }
        PresetAudience::Named(AudienceRequest::AudienceParameter) => {
            "`AUDIENCE`, requested with the parameter `audience`".to_owned()
        }
        PresetAudience::Fixed(name) => format!("`{name}`"),
        PresetAudience::Client => "the client id".to_owned(),
        PresetAudience::ClientClaim => "the client id, in `client_id`".to_owned(),
    }
}

fn logout(logout: Logout) -> &'static str {
    match logout {
        Logout::Provider | Logout::Popup | Logout::Frame => "in Waypost and at the provider",
        Logout::Cognito => "in Waypost and at the provider, with its own parameters",
        Logout::Local => "in Waypost only",
    }
}

fn session_monitoring(preset: &Preset) -> &'static str {
    match (preset.session_monitoring, preset.slug) {
        (false, _) => "not supported",
        (true, "generic") => "`MONITOR=1`, if the discovery document has a `check_session_iframe`",
        (true, _) => "`MONITOR=1`",
    }
}

fn relay(need: RelayNeed) -> &'static str {
    match need {
        RelayNeed::None => "not needed",
        RelayNeed::Secret => "required, for the client secret",
        RelayNeed::AppleKey => "required, for the signed client secret",
    }
}

fn anchor(heading: &str) -> String {
    heading.to_lowercase().replace(' ', "-")
}
