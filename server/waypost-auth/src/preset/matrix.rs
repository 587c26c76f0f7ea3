//! `PROVIDERS.md`, written from the presets.

use std::fmt::Write as _;

use super::{ALL, AskFor, Logout, Preset, PresetAudience, PresetToken, RelayNeed};

/// The text of `PROVIDERS.md`.
pub fn page() -> String {
    let mut page = String::from(HEAD);
    page.push_str(&table());
    for preset in ALL {
        section(&mut page, preset);
    }
    page
}

const HEAD: &str = "<!-- Written from server/waypost-auth/src/preset by \
`WAYPOST_BLESS=1 cargo test -p waypost-auth --test providers_page`. Do not edit. -->

# Identity providers

Waypost signs people in with any OpenID Connect provider. For the ones below, `WAYPOST_OIDC_PRESET` fills in what they have in
common; every other `WAYPOST_OIDC_…` setting still overrides it. `waypost doctor oidc` checks the settings against the provider
and says what to change where.

What is written here about services is from their documentation; `doctor` is what looks at yours.

**The three redirect addresses** of every provider, below the public address of Waypost: `/auth/callback` (sign-in in this tab),
`/auth/popup.html` (in a window) and `/auth/silent.html` (renewal in a hidden frame). After signing out, people come back to
`/signed-out`. With `https://tours.example.com`:

```
https://tours.example.com/auth/callback
https://tours.example.com/auth/popup.html
https://tours.example.com/auth/silent.html
https://tours.example.com/signed-out
```

**Several providers** have numbers: `WAYPOST_OIDC_2_PRESET`, `WAYPOST_OIDC_2_ISSUER` and so on, up to 9. Two of them may share an
issuer and differ in the client.

**Roles** are the names `admin`, `publisher`, `author` and `viewer`, in any case, at the places below. With
`WAYPOST_OIDC_ROLES_WORKSPACE=acme` they are granted in that workspace. Groups with other names, and several workspaces, are
mapped by `WAYPOST_OIDC_GRANTS`, separated by semicolons: `staff=acme:viewer; tour writers=acme:author; ops=shop:admin`.

**Signing out at the provider ends the session here too** with `WAYPOST_OIDC_MONITOR=1`, where discovery names a
`check_session_iframe` (OpenID Connect Session Management). It wants Waypost and the provider on one site (tours.example.com,
login.example.com): where the browser keeps cookies from frames of another site, everybody would be taken for signed out. And pages
of Waypost must be allowed to frame that one page. Where the provider lets nobody frame anything, the proxy in front of it makes the
exception, there only. Debian's glewlwyd is such a provider, and also wants its own name in Waypost's (login.example.com,
tours.login.example.com); with nginx:

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
        "| preset | token that is checked | audience | refresh tokens | hidden frame | signing out | revocation | session watched | roles at | relay |\n\
         |---|---|---|---|---|---|---|---|---|---|\n",
    );
    for preset in ALL {
        let roles = match preset.roles {
            [] => "none".to_owned(),
            roles => {
                let spelt = |role: &&str| format!("`{}`", role.replace("{client}", "<client id>"));
                roles.iter().map(spelt).collect::<Vec<_>>().join(", ")
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
            watched(preset).to_owned(),
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
    page.push_str("```\n\nAt the provider:\n\n");
    for (number, step) in preset.steps.iter().enumerate() {
        let _ = writeln!(page, "{}. {step}", number + 1);
    }
    let _ = writeln!(
        page,
        "\nFilled in: scopes `{}`{}.",
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
        page.push_str("The userinfo endpoint is asked for what tokens do not tell.\n");
    }
    page.push_str("\nTo know:\n\n");
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
        PresetAudience::Named(AskFor::Resource) => {
            "`AUDIENCE`, asked for as `RESOURCE` where the provider wants it".to_owned()
        }
        PresetAudience::Named(AskFor::AudienceParameter) => {
            "`AUDIENCE`, asked for by the parameter `audience`".to_owned()
        }
        PresetAudience::Fixed(name) => format!("`{name}`"),
        PresetAudience::Client => "the client id".to_owned(),
        PresetAudience::ClientClaim => "the client id, in `client_id`".to_owned(),
    }
}

fn logout(logout: Logout) -> &'static str {
    match logout {
        Logout::Provider | Logout::Popup | Logout::Frame => "at the provider too",
        Logout::Cognito => "at the provider too, by its own parameters",
        Logout::Local => "in Waypost only",
    }
}

fn watched(preset: &Preset) -> &'static str {
    match (preset.watched, preset.slug) {
        (false, _) => "not offered",
        (true, "generic") => "`MONITOR=1`, where discovery names `check_session_iframe`",
        (true, _) => "`MONITOR=1`",
    }
}

fn relay(need: RelayNeed) -> &'static str {
    match need {
        RelayNeed::None => "not needed",
        RelayNeed::Secret => "needed, for the secret",
        RelayNeed::AppleKey => "needed, for the signed secret",
    }
}

/// The fragment that a heading has on the usual pages.
fn anchor(heading: &str) -> String {
    heading.to_lowercase().replace(' ', "-")
}
