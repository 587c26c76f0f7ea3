pub mod origin;
pub mod store;

use std::time::Duration;

use traitql::{DateTime, Format, Patch};
use waypost_api::{Site, SiteCreateInput, SiteUpdateInput, errors};

use self::origin::OriginPattern;
use crate::audit::Entry;

pub const MAX_SITES: i32 = 20;
/// The least time between updates of a site's last visit.
pub const VISIT_INTERVAL: Duration = Duration::from_secs(1);

pub struct NewSite<'a> {
    pub name: &'a str,
    /// Unique and public.
    pub key: String,
    pub origins: Vec<String>,
    pub allow_http: bool,
    /// True for the site of Waypost's own pages; at most one per installation.
    pub own: bool,
    pub cooldown_hours: i32,
}

pub(crate) fn default_cooldown_hours() -> i32 {
    SiteCreateInput::new("".into(), String::new(), Vec::new()).cooldown_hours
}

pub fn new_key() -> String {
    format!("wp_pub_{}", uuid::Uuid::new_v4().simple())
}

/// Serializes origins like browsers (RFC 6454, section 6.1) and removes duplicates: `HTTPS://Example.com:443/` becomes
/// `https://example.com`.
pub fn normalize_origins(origins: &[String]) -> Vec<String> {
    let mut out: Vec<String> = Vec::with_capacity(origins.len());
    for origin in origins {
        let text = match origin.parse::<traitql::Url>() {
            Ok(url) => url.parsed().origin().ascii_serialization(),
            Err(_) => origin.clone(),
        };
        if !out.contains(&text) {
            out.push(text);
        }
    }
    out
}

/// Exempts loopback hosts, and sites that allow http.
pub fn ensure_secure(origins: &[String], allow_http: bool) -> Result<(), errors::InsecureOrigin> {
    let is_secure = |origin: &&String| Format::Origin.matches(&origin.replacen("://*.", "://", 1));
    match origins.iter().find(|origin| !is_secure(origin)) {
        Some(origin) if !allow_http => Err(errors::InsecureOrigin { origin: origin.clone() }),
        _ => Ok(()),
    }
}

/// A wildcard below a public suffix, such as `https://*.github.io`, would match the sites of other owners.
pub fn ensure_own_domains(origins: &[String]) -> Result<(), errors::PublicSuffix> {
    let is_public = |origin: &&String| {
        let parent = origin.split_once("://*.").map(|(_, parent)| parent);
        let parent = parent.map(|parent| parent.split(':').next().unwrap_or(parent));
        parent.is_some_and(|parent| {
            psl::suffix(parent.as_bytes()).is_some_and(|suffix| suffix.is_known() && suffix == parent)
        })
    };
    match origins.iter().find(is_public) {
        Some(origin) => Err(errors::PublicSuffix { origin: origin.clone() }),
        None => Ok(()),
    }
}

/// True if a page of `origin` may use the site's key. A request without an origin is not allowed, because browsers send
/// it with every POST request of a page (Fetch, section 3.2).
pub fn admits(site: &Site, own_origin: &str, origin: Option<&str>) -> bool {
    let Some(origin) = origin else {
        return false;
    };
    (site.own && origin == own_origin)
        || site
            .origins
            .iter()
            .any(|listed| OriginPattern::new(listed).matches(origin))
}

/// True if the site's script is installed. Waypost's demo page uses the keys of other sites without an installation.
pub fn is_installation(site: &Site, own_origin: &str, origin: &str) -> bool {
    site.own || origin != own_origin
}

pub fn origin_not_allowed(origin: Option<&str>) -> errors::OriginNotAllowed {
    errors::OriginNotAllowed {
        origin: origin.unwrap_or("A page without an origin").to_owned(),
    }
}

/// True after [`VISIT_INTERVAL`].
pub fn should_record_visit(site: &Site, now: DateTime) -> bool {
    match site.last_seen_at {
        None => true,
        Some(last) => {
            now.as_millis() - last.as_millis() >= i64::try_from(VISIT_INTERVAL.as_millis()).unwrap_or(i64::MAX)
        }
    }
}

/// Increments the version. Null changes nothing, because no field is optional.
pub fn edit(site: &Site, input: SiteUpdateInput) -> Site {
    let mut after = Site {
        version: site.version + 1,
        ..site.clone()
    };
    if let Patch::Set(name) = input.name {
        after.name = name;
    }
    if let Patch::Set(origins) = input.origins {
        after.origins = normalize_origins(&origins);
    }
    if let Patch::Set(allow_http) = input.allow_http {
        after.allow_http = allow_http;
    }
    if let Patch::Set(mode) = input.identity_mode {
        after.identity_mode = mode;
    }
    if let Patch::Set(hours) = input.cooldown_hours {
        after.cooldown_hours = hours;
    }
    after
}

pub fn difference(entry: Entry, before: &Site, after: &Site) -> Entry {
    entry
        .changed("name", &before.name, &after.name)
        .changed("origins", &before.origins.join(" "), &after.origins.join(" "))
        .changed(
            "allowHttp",
            &before.allow_http.to_string(),
            &after.allow_http.to_string(),
        )
        .changed(
            "identityMode",
            before.identity_mode.as_graphql(),
            after.identity_mode.as_graphql(),
        )
        .changed(
            "cooldownHours",
            &before.cooldown_hours.to_string(),
            &after.cooldown_hours.to_string(),
        )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::site;

    #[test]
    fn only_listed_origins_are_allowed() {
        let shop = site(false, &["https://shop.example"]);
        let own_origin = "https://tours.example";
        assert!(admits(&shop, own_origin, Some("https://shop.example")));
        for stranger in [
            None,
            Some("null"),
            Some("https://evil.example"),
            Some("http://shop.example"),
            Some(own_origin),
        ] {
            assert!(!admits(&shop, own_origin, stranger), "{stranger:?}");
        }
        assert!(admits(
            &site(true, &["https://old.example"]),
            own_origin,
            Some(own_origin)
        ));
        assert!(!admits(&site(true, &[]), own_origin, None));
    }

    #[test]
    fn a_wildcard_below_a_public_suffix_is_rejected() {
        let is_own = |origin: &str| ensure_own_domains(&[origin.to_owned()]).is_ok();
        for own in [
            "https://*.example.com",
            "https://*.example.co.uk",
            "https://*.team.github.io",
            "https://*.shop.example",
            "https://*.intranet.corp:8443",
            "http://*.localhost",
            "https://team.github.io",
        ] {
            assert!(is_own(own), "{own}");
        }
        for shared in [
            "https://*.co.uk",
            "https://*.github.io",
            "https://*.vercel.app:8443",
            "https://*.s3.amazonaws.com",
        ] {
            assert!(!is_own(shared), "{shared}");
        }
    }

    #[test]
    fn origins_are_serialized_like_browsers_do() {
        let typed = [
            "https://Example.com:443",
            "https://example.com/",
            "http://localhost:4000",
            "https://*.example.com",
        ]
        .map(str::to_owned);
        assert_eq!(
            normalize_origins(&typed),
            ["https://example.com", "http://localhost:4000", "https://*.example.com"]
        );
    }

    #[test]
    fn http_is_accepted_on_loopback_hosts_or_if_the_site_allows_it() {
        let refused = |origin: &str, allow_http| ensure_secure(&[origin.to_owned()], allow_http).is_err();
        for secure in [
            "https://shop.example",
            "https://*.shop.example",
            "http://localhost:3000",
            "http://*.localhost",
        ] {
            assert!(!refused(secure, false), "{secure}");
        }
        for insecure in [
            "http://intranet",
            "http://shop.example:8080",
            "http://*.shop.example",
            "http://10.0.0.7",
        ] {
            assert!(refused(insecure, false), "{insecure}");
            assert!(!refused(insecure, true), "{insecure}");
        }
    }

    #[test]
    fn a_visit_is_recorded_once_a_second() {
        let mut shop = site(false, &[]);
        let at = |millis| DateTime::from_millis(millis).expect("a valid time");
        assert!(should_record_visit(&shop, at(0)));
        shop.last_seen_at = Some(at(5000));
        assert!(!should_record_visit(&shop, at(5999)));
        assert!(should_record_visit(&shop, at(6000)));
        assert!(!should_record_visit(&shop, at(100)), "the clock was set back");
    }
}
