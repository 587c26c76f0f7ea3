//! Sites: where tours play, and one environment of it.

pub mod store;

use std::time::Duration;

use traitql::{DateTime, Patch};
use waypost_api::{Site, SiteCreateInput, SiteUpdateInput, errors};

use crate::audit::Entry;

/// How many sites a workspace may have.
pub const SITES_MAX: i32 = 20;
/// How often a site's sign of life is written and announced at most.
pub const PULSE: Duration = Duration::from_secs(1);

/// What a new site is made of.
pub struct NewSite<'a> {
    /// What people call it.
    pub name: &'a str,
    /// Public key that its pages send; no other site has it.
    pub key: String,
    /// Origins whose pages may use the key, as browsers send them.
    pub origins: Vec<String>,
    /// Whether it stands for Waypost's own pages; one site of an installation does at most.
    pub own: bool,
    /// How many hours no other tour starts by itself after one did.
    pub quiet_hours: i32,
}

/// The quiet hours of a site that nobody set any for.
pub(crate) fn usual_quiet_hours() -> i32 {
    SiteCreateInput::new("".into(), String::new(), Vec::new()).quiet_hours
}

/// A key that nobody can guess by counting.
pub fn new_key() -> String {
    format!("wp_pub_{}", uuid::Uuid::new_v4().simple())
}

/// Origins as browsers send them (RFC 6454, section 6.1), each once: `HTTPS://Example.com:443/` is `https://example.com`.
pub fn serialized(origins: &[String]) -> Vec<String> {
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

/// Whether a page of `origin` may use the site's key. Browsers say the origin of every POST (Fetch, section 3.2), so a
/// request without one comes from no page.
pub fn admits(site: &Site, own_origin: &str, origin: Option<&str>) -> bool {
    let Some(origin) = origin else {
        return false;
    };
    (site.own && origin == own_origin) || site.origins.iter().any(|listed| listed == origin)
}

/// The answer to a page that may not use the site's key.
pub fn refused(origin: Option<&str>) -> errors::OriginNotAllowed {
    errors::OriginNotAllowed {
        origin: origin.unwrap_or("A page without an origin").to_owned(),
    }
}

/// Whether a sign of life at `now` is worth a write.
pub fn is_news(site: &Site, now: DateTime) -> bool {
    match site.last_seen_at {
        None => true,
        Some(last) => now.as_millis() - last.as_millis() >= i64::try_from(PULSE.as_millis()).unwrap_or(i64::MAX),
    }
}

/// A site with other values. A null changes nothing: none of the fields can be empty.
pub fn edit(site: &Site, input: SiteUpdateInput) -> Site {
    let mut after = Site {
        version: site.version + 1,
        ..site.clone()
    };
    if let Patch::Set(name) = input.name {
        after.name = name;
    }
    if let Patch::Set(origins) = input.origins {
        after.origins = serialized(&origins);
    }
    if let Patch::Set(hours) = input.quiet_hours {
        after.quiet_hours = hours;
    }
    after
}

/// What an edit changed.
pub fn difference(entry: Entry, before: &Site, after: &Site) -> Entry {
    entry
        .changed("name", &before.name, &after.name)
        .changed("origins", &before.origins.join(" "), &after.origins.join(" "))
        .changed(
            "quietHours",
            &before.quiet_hours.to_string(),
            &after.quiet_hours.to_string(),
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(own: bool, origins: &[&str]) -> Site {
        Site {
            id: "s".into(),
            name: "Shop".into(),
            key: new_key(),
            origins: origins.iter().map(|origin| (*origin).to_owned()).collect(),
            installed_at: None,
            last_seen_at: None,
            own,
            quiet_hours: usual_quiet_hours(),
            created_at: DateTime::from_millis(0).expect("the epoch"),
            version: 1,
            workspace_id: "w".into(),
        }
    }

    #[test]
    fn only_listed_origins_are_admitted() {
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
    fn origins_are_kept_as_browsers_send_them() {
        let typed = [
            "https://Example.com:443",
            "https://example.com/",
            "http://localhost:4000",
        ]
        .map(str::to_owned);
        assert_eq!(serialized(&typed), ["https://example.com", "http://localhost:4000"]);
    }

    #[test]
    fn a_site_is_seen_once_a_second() {
        let mut shop = site(false, &[]);
        let at = |millis| DateTime::from_millis(millis).expect("an instant");
        assert!(is_news(&shop, at(0)));
        shop.last_seen_at = Some(at(5000));
        assert!(!is_news(&shop, at(5999)));
        assert!(is_news(&shop, at(6000)));
        assert!(!is_news(&shop, at(100)), "a clock that went back is no news");
    }
}
