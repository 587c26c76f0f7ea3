//! Who a visitor is: the browser's id names a browser, the site's own name for a person names a person.

use traitql::{DateTime, Id, Patch, Url};
use waypost_api::{Participant, ParticipantInput};

/// What to do about a visitor before they are known.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Identity {
    /// They are known.
    Known(Id),
    /// Nobody has seen the browser, nor heard the name.
    New,
    /// The anonymous visitor of this browser now has a name.
    Name(Id),
    /// The browser now belongs to somebody who is known.
    Move(Id),
    /// The browser's visitor was anonymous and turns out to be somebody who is known: their runs become one history.
    Merge { from: Id, into: Id },
}

impl Identity {
    /// Who is nobody of their own any more.
    pub(crate) fn merged(&self) -> Option<&Id> {
        match self {
            Self::Merge { from, .. } => Some(from),
            _ => None,
        }
    }

    /// Who the visitor is from now on; nothing for somebody new.
    pub(crate) fn into_id(self) -> Option<Id> {
        match self {
            Self::New => None,
            Self::Known(id) | Self::Name(id) | Self::Move(id) | Self::Merge { into: id, .. } => Some(id),
        }
    }
}

/// Decides who a visitor is. `browser` is the participant last seen in the browser, `named` the one with the site's name.
///
/// The name wins over the browser: people share browsers, and one person has several. Without a name the browser's
/// last visitor goes on, so that a page which says the name a moment later loses nothing.
pub(crate) fn identify(
    external_id: Option<&str>,
    browser: Option<&Participant>,
    named: Option<&Participant>,
) -> Identity {
    match (external_id, browser, named) {
        (None, Some(browser), _) => Identity::Known(browser.id.clone()),
        (None, None, _) | (Some(_), None, None) => Identity::New,
        (Some(_), Some(browser), Some(named)) if browser.id == named.id => Identity::Known(named.id.clone()),
        (Some(_), Some(browser), Some(named)) if browser.external_id.is_none() => Identity::Merge {
            from: browser.id.clone(),
            into: named.id.clone(),
        },
        (Some(_), _, Some(named)) => Identity::Move(named.id.clone()),
        (Some(_), Some(browser), None) if browser.external_id.is_none() => Identity::Name(browser.id.clone()),
        (Some(_), Some(_), None) => Identity::New,
    }
}

/// How long a participant's last visit may be out of date, in milliseconds: not every page view is worth a write.
const STALE_MS: i64 = 60 * 1000;
/// How long the page may be that they were on last, in milliseconds.
const PAGE_STALE_MS: i64 = 10 * 1000;

/// Whether there is nothing to write about a known participant, who is on `page` if somebody says so.
pub(crate) fn is_fresh(participant: &Participant, input: &ParticipantInput, page: Option<&Url>, now: DateTime) -> bool {
    let same_locale = match &input.locale {
        Patch::Set(locale) => participant.locale.as_ref() == Some(locale),
        Patch::Keep | Patch::Clear => true,
    };
    let elsewhere = page.is_some() && page != participant.last_page.as_ref();
    let stale = if elsewhere { PAGE_STALE_MS } else { STALE_MS };
    same_locale && now.as_millis() - participant.last_seen_at.as_millis() < stale
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(text: &str) -> Url {
        text.parse().expect("a URL")
    }

    fn visitor(id: &str, external_id: Option<&str>) -> Participant {
        let at = DateTime::from_millis(0).expect("the epoch");
        Participant {
            id: id.into(),
            external_id: external_id.map(str::to_owned),
            locale: Some("de".into()),
            first_seen_at: at,
            last_seen_at: at,
            last_page: Some(page("https://shop.example/cart")),
            site_id: "s".into(),
            tester_id: None,
        }
    }

    #[test]
    fn a_browser_alone_names_its_last_visitor() {
        assert_eq!(identify(None, None, None), Identity::New);
        let anonymous = visitor("a", None);
        assert_eq!(identify(None, Some(&anonymous), None), Identity::Known("a".into()));
        let ada = visitor("a", Some("ada"));
        assert_eq!(identify(None, Some(&ada), None), Identity::Known("a".into()));
    }

    #[test]
    fn a_name_wins_over_the_browser() {
        let (anonymous, ada, bob) = (visitor("x", None), visitor("a", Some("ada")), visitor("b", Some("bob")));
        assert_eq!(identify(Some("ada"), None, None), Identity::New);
        assert_eq!(identify(Some("ada"), None, Some(&ada)), Identity::Move("a".into()));
        assert_eq!(
            identify(Some("ada"), Some(&ada), Some(&ada)),
            Identity::Known("a".into())
        );
        assert_eq!(
            identify(Some("ada"), Some(&anonymous), None),
            Identity::Name("x".into())
        );
        assert_eq!(
            identify(Some("ada"), Some(&anonymous), Some(&ada)),
            Identity::Merge {
                from: "x".into(),
                into: "a".into()
            }
        );
        assert_eq!(
            identify(Some("ada"), Some(&bob), Some(&ada)),
            Identity::Move("a".into())
        );
        assert_eq!(
            identify(Some("ada"), Some(&bob), None),
            Identity::New,
            "a shared browser"
        );
    }

    #[test]
    fn a_visit_is_written_once_a_minute_or_when_the_language_changes() {
        let input = |locale: Patch<String>| ParticipantInput {
            locale,
            ..ParticipantInput::new("browser-1".into())
        };
        let known = visitor("a", None);
        let fresh = |locale, millis| {
            let at = DateTime::from_millis(millis).expect("an instant");
            is_fresh(&known, &input(locale), None, at)
        };
        assert!(fresh(Patch::Keep, STALE_MS - 1));
        assert!(!fresh(Patch::Keep, STALE_MS));
        assert!(fresh(Patch::Set("de".into()), 1));
        assert!(!fresh(Patch::Set("fr".into()), 1));
    }

    #[test]
    fn another_page_is_written_after_ten_seconds() {
        let (known, input) = (visitor("a", None), ParticipantInput::new("browser-1".into()));
        let fresh = |text: &str, millis| {
            let at = DateTime::from_millis(millis).expect("an instant");
            is_fresh(&known, &input, Some(&page(text)), at)
        };
        assert!(fresh("https://shop.example/cart", STALE_MS - 1));
        assert!(fresh("https://shop.example/", PAGE_STALE_MS - 1));
        assert!(!fresh("https://shop.example/", PAGE_STALE_MS));
    }
}
