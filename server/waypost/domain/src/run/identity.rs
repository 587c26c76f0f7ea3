//! Identification of visitors by the id that a browser keeps, and by the external id that a page may provide.

use traitql::{DateTime, Id, Patch};
use waypost_api::{Visitor, VisitorInput};

/// The result of identifying a visitor, and the change that it requires.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Identity {
    /// The visitor is known, and nothing changes.
    Known(Id),
    /// The visitor is unknown and has to be inserted.
    New,
    /// The anonymous visitor of this browser is assigned the external id.
    AddExternalId(Id),
    /// The browser is assigned to a known visitor.
    ReassignBrowser(Id),
    /// The anonymous visitor of this browser is merged into a known visitor, including its runs.
    Merge { from: Id, into: Id },
}

impl Identity {
    /// Returns the visitor that is merged into another one, if any.
    pub(crate) fn merged(&self) -> Option<&Id> {
        match self {
            Self::Merge { from, .. } => Some(from),
            _ => None,
        }
    }

    /// Returns the visitor's id after the change, or `None` for a new visitor.
    pub(crate) fn into_id(self) -> Option<Id> {
        match self {
            Self::New => None,
            Self::Known(id) | Self::AddExternalId(id) | Self::ReassignBrowser(id) | Self::Merge { into: id, .. } => {
                Some(id)
            }
        }
    }
}

/// Identifies a visitor. `browser` is the visitor last seen in the browser, `named` the one with the external id.
///
/// The external id takes precedence over the browser, because browsers are shared and a visitor can use several.
/// Without an external id, the visitor last seen in the browser is assumed, so that a page can provide the external id
/// later.
pub(crate) fn identify(external_id: Option<&str>, browser: Option<&Visitor>, named: Option<&Visitor>) -> Identity {
    match (external_id, browser, named) {
        (None, Some(browser), _) => Identity::Known(browser.id.clone()),
        (None, None, _) | (Some(_), None, None) => Identity::New,
        (Some(_), Some(browser), Some(named)) if browser.id == named.id => Identity::Known(named.id.clone()),
        (Some(_), Some(browser), Some(named)) if browser.external_id.is_none() => Identity::Merge {
            from: browser.id.clone(),
            into: named.id.clone(),
        },
        (Some(_), _, Some(named)) => Identity::ReassignBrowser(named.id.clone()),
        (Some(_), Some(browser), None) if browser.external_id.is_none() => Identity::AddExternalId(browser.id.clone()),
        (Some(_), Some(_), None) => Identity::New,
    }
}

/// Interval in milliseconds at which the time of a visitor's last visit is updated, to avoid a write for each page
/// view.
const LAST_SEEN_INTERVAL_MS: i64 = 60 * 1000;
/// True if a known visitor's row does not need an update.
pub(crate) fn is_fresh(visitor: &Visitor, input: &VisitorInput, now: DateTime) -> bool {
    let same_locale = match &input.locale {
        Patch::Set(locale) => visitor.locale.as_ref() == Some(locale),
        Patch::Keep | Patch::Clear => true,
    };
    same_locale && now.as_millis() - visitor.last_seen_at.as_millis() < LAST_SEEN_INTERVAL_MS
}

#[cfg(test)]
mod tests {
    use super::*;

    fn visitor(id: &str, external_id: Option<&str>) -> Visitor {
        let at = DateTime::from_millis(0).expect("the epoch");
        Visitor {
            id: id.into(),
            external_id: external_id.map(str::to_owned),
            locale: Some("de".into()),
            first_seen_at: at,
            last_seen_at: at,
            last_page: None,
            site_id: "s".into(),
            tester_id: None,
        }
    }

    #[test]
    fn without_an_external_id_the_last_visitor_of_the_browser_is_assumed() {
        assert_eq!(identify(None, None, None), Identity::New);
        let anonymous = visitor("a", None);
        assert_eq!(identify(None, Some(&anonymous), None), Identity::Known("a".into()));
        let ada = visitor("a", Some("ada"));
        assert_eq!(identify(None, Some(&ada), None), Identity::Known("a".into()));
    }

    #[test]
    fn an_external_id_takes_precedence_over_the_browser() {
        let (anonymous, ada, bob) = (visitor("x", None), visitor("a", Some("ada")), visitor("b", Some("bob")));
        assert_eq!(identify(Some("ada"), None, None), Identity::New);
        assert_eq!(
            identify(Some("ada"), None, Some(&ada)),
            Identity::ReassignBrowser("a".into())
        );
        assert_eq!(
            identify(Some("ada"), Some(&ada), Some(&ada)),
            Identity::Known("a".into())
        );
        assert_eq!(
            identify(Some("ada"), Some(&anonymous), None),
            Identity::AddExternalId("x".into())
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
            Identity::ReassignBrowser("a".into())
        );
        assert_eq!(
            identify(Some("ada"), Some(&bob), None),
            Identity::New,
            "a shared browser"
        );
    }

    #[test]
    fn a_visit_is_written_once_a_minute_or_when_the_locale_changes() {
        let input = |locale: Patch<String>| VisitorInput {
            locale,
            ..VisitorInput::new("browser-1".into())
        };
        let known = visitor("a", None);
        let fresh = |locale, millis| {
            let at = DateTime::from_millis(millis).expect("a valid time");
            is_fresh(&known, &input(locale), at)
        };
        assert!(fresh(Patch::Keep, LAST_SEEN_INTERVAL_MS - 1));
        assert!(!fresh(Patch::Keep, LAST_SEEN_INTERVAL_MS));
        assert!(fresh(Patch::Set("de".into()), 1));
        assert!(!fresh(Patch::Set("fr".into()), 1));
    }
}
