//! Identification of visitors by browser and external id.

use sha2::{Digest, Sha256};
use traitql::{DateTime, Id};
use waypost_api::Visitor;

use super::traits::Traits;

/// The token has been checked.
#[derive(Debug, Clone)]
pub struct ReportedVisitor {
    pub(crate) anonymous_id: Id,
    pub(crate) external_id: Option<String>,
    /// True if a token proved the external id.
    pub(crate) verified: bool,
    pub(crate) locale: Option<String>,
    /// `None` keeps the traits of the visitor.
    pub(crate) traits: Option<Traits>,
}

/// Total of the external id, the stored traits without a signature, and the last page, which any caller can send.
pub const MAX_DECLARED_BYTES: usize = 545;
/// Part of [`MAX_DECLARED_BYTES`] that is left for the page.
pub const MIN_PAGE_BYTES: usize = 45;
pub const MAX_PAGE_BYTES: usize = 200;

/// The maximum in bytes. The schema limits the number of characters, which have up to four bytes.
const MAX_EXTERNAL_ID_BYTES: usize = 200;

/// Replaces the end of a longer id by a hash of the whole id.
pub(crate) fn stored_external_id(id: String) -> String {
    if id.len() <= MAX_EXTERNAL_ID_BYTES {
        return id;
    }
    let hash = hex::encode(&Sha256::digest(&id)[..16]);
    let start = id.floor_char_boundary(MAX_EXTERNAL_ID_BYTES - hash.len());
    format!("{}{hash}", &id[..start])
}

/// Returns the number of bytes that are left for the traits without a signature.
pub(crate) fn max_declared_traits(external_id: Option<&str>) -> usize {
    (MAX_DECLARED_BYTES - MIN_PAGE_BYTES).saturating_sub(external_id.map_or(0, str::len))
}

/// Returns the number of bytes that are left for the page.
pub fn max_page(external_id: Option<&str>, traits: &Traits) -> usize {
    let used = external_id.map_or(0, str::len) + traits.declared_bytes();
    MAX_DECLARED_BYTES
        .saturating_sub(used)
        .clamp(MIN_PAGE_BYTES, MAX_PAGE_BYTES)
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Identity {
    Known(Id),
    New,
    /// The anonymous visitor of this browser gets the external id.
    AddExternalId(Id),
    ReassignBrowser(Id),
    /// Several visitors become one, which gets their runs.
    Merge {
        from: Vec<Id>,
        /// `None` if the visitor has to be inserted.
        into: Option<Id>,
    },
}

impl Identity {
    pub(crate) fn merged(&self) -> &[Id] {
        match self {
            Self::Merge { from, .. } => from,
            _ => &[],
        }
    }

    pub(crate) fn into_id(self) -> Option<Id> {
        match self {
            Self::New => None,
            Self::Known(id) | Self::AddExternalId(id) | Self::ReassignBrowser(id) => Some(id),
            Self::Merge { into, .. } => into,
        }
    }
}

#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Known<'a> {
    pub(crate) browser: Option<&'a Visitor>,
    pub(crate) declared: Option<&'a Visitor>,
    pub(crate) verified: Option<&'a Visitor>,
}

/// Identifies a visitor.
///
/// The external id takes precedence, because browsers are shared and a visitor can use several. Without one, the
/// visitor last seen in the browser is assumed, so that a page can provide the external id later.
///
/// A caller without a valid token is never identified as a verified visitor: declared and verified visitors with the
/// same external id are different.
pub(crate) fn identify(visitor: &ReportedVisitor, known: Known<'_>) -> Identity {
    let named = visitor.external_id.as_deref();
    if let (true, Some(name)) = (visitor.verified, named) {
        return identify_verified(name, known);
    }
    let browser = known.browser.filter(|browser| !browser.verified);
    match (named, browser, known.declared) {
        (None, Some(browser), _) => Identity::Known(browser.id.clone()),
        (None, None, _) | (Some(_), None, None) => Identity::New,
        (Some(_), Some(browser), Some(named)) if browser.id == named.id => Identity::Known(named.id.clone()),
        (Some(_), Some(browser), Some(named)) if browser.external_id.is_none() => Identity::Merge {
            from: vec![browser.id.clone()],
            into: Some(named.id.clone()),
        },
        (Some(_), _, Some(named)) => Identity::ReassignBrowser(named.id.clone()),
        (Some(_), Some(browser), None) if browser.external_id.is_none() => Identity::AddExternalId(browser.id.clone()),
        (Some(_), Some(_), None) => Identity::New,
    }
}

/// The token proves the external id.
///
/// The visitor gets the history of the browser, if it is anonymous or has the same external id. On the first visit,
/// the declared visitor with this external id becomes the verified one. Both are merged into the verified visitor:
/// callers can derive the ids of unverified visitors, but never that of a verified one.
fn identify_verified(name: &str, known: Known<'_>) -> Identity {
    let is_own = |visitor: &&Visitor| !visitor.verified && visitor.external_id.as_deref().is_none_or(|id| id == name);
    let history = known.browser.filter(is_own);
    let Some(verified) = known.verified else {
        let mut from: Vec<Id> = history
            .into_iter()
            .chain(known.declared)
            .map(|each| each.id.clone())
            .collect();
        from.dedup();
        return if from.is_empty() {
            Identity::New
        } else {
            Identity::Merge { from, into: None }
        };
    };
    match (known.browser, history) {
        (Some(browser), _) if browser.id == verified.id => Identity::Known(verified.id.clone()),
        (_, Some(history)) => Identity::Merge {
            from: vec![history.id.clone()],
            into: Some(verified.id.clone()),
        },
        (_, None) => Identity::ReassignBrowser(verified.id.clone()),
    }
}

/// The time in which a visitor is written once at most, to avoid a write for each page view.
const LAST_SEEN_INTERVAL_MS: i64 = 60 * 1000;
/// True if a known visitor's row needs no update.
pub(crate) fn is_fresh(visitor: &Visitor, reported: &ReportedVisitor, now: DateTime) -> bool {
    let same_locale = reported.locale.is_none() || reported.locale == visitor.locale;
    let same_traits = reported
        .traits
        .as_ref()
        .is_none_or(|traits| *traits == Traits::of(&visitor.traits));
    same_locale && same_traits && now.as_millis() - visitor.last_seen_at.as_millis() < LAST_SEEN_INTERVAL_MS
}

#[cfg(test)]
mod tests {
    use super::*;

    fn visitor(id: &str, external_id: Option<&str>) -> Visitor {
        let at = DateTime::from_millis(0).expect("the epoch");
        Visitor {
            id: id.into(),
            external_id: external_id.map(str::to_owned),
            verified: false,
            traits: Vec::new(),
            locale: Some("de".into()),
            first_seen_at: at,
            last_seen_at: at,
            last_page: None,
            site_id: "s".into(),
            tester_id: None,
        }
    }

    fn reported(external_id: Option<&str>, verified: bool) -> ReportedVisitor {
        ReportedVisitor {
            anonymous_id: "browser-1".into(),
            external_id: external_id.map(str::to_owned),
            verified,
            locale: None,
            traits: None,
        }
    }

    fn declared(external_id: Option<&str>, browser: Option<&Visitor>, named: Option<&Visitor>) -> Identity {
        let known = Known {
            browser,
            declared: named,
            verified: None,
        };
        identify(&reported(external_id, false), known)
    }

    #[test]
    fn without_an_external_id_the_last_visitor_of_the_browser_is_assumed() {
        assert_eq!(declared(None, None, None), Identity::New);
        let anonymous = visitor("a", None);
        assert_eq!(declared(None, Some(&anonymous), None), Identity::Known("a".into()));
        let ada = visitor("a", Some("ada"));
        assert_eq!(declared(None, Some(&ada), None), Identity::Known("a".into()));
    }

    #[test]
    fn an_external_id_takes_precedence_over_the_browser() {
        let (anonymous, ada, bob) = (visitor("x", None), visitor("a", Some("ada")), visitor("b", Some("bob")));
        assert_eq!(declared(Some("ada"), None, None), Identity::New);
        assert_eq!(
            declared(Some("ada"), None, Some(&ada)),
            Identity::ReassignBrowser("a".into())
        );
        assert_eq!(
            declared(Some("ada"), Some(&ada), Some(&ada)),
            Identity::Known("a".into())
        );
        assert_eq!(
            declared(Some("ada"), Some(&anonymous), None),
            Identity::AddExternalId("x".into())
        );
        assert_eq!(
            declared(Some("ada"), Some(&anonymous), Some(&ada)),
            Identity::Merge {
                from: vec!["x".into()],
                into: Some("a".into())
            }
        );
        assert_eq!(
            declared(Some("ada"), Some(&bob), Some(&ada)),
            Identity::ReassignBrowser("a".into())
        );
        assert_eq!(
            declared(Some("ada"), Some(&bob), None),
            Identity::New,
            "a shared browser"
        );
    }

    fn verified(id: &str, external_id: &str) -> Visitor {
        Visitor {
            verified: true,
            ..visitor(id, Some(external_id))
        }
    }

    #[test]
    fn the_result_of_a_caller_without_a_token_does_not_depend_on_verified_visitors() {
        let ada = verified("a", "ada");
        let (anonymous, declared_ada) = (visitor("x", None), visitor("d", Some("ada")));
        for external_id in [None, Some("ada"), Some("bob")] {
            for declared in [None, Some(&declared_ada)] {
                let without = |browser| Known {
                    browser,
                    declared,
                    verified: None,
                };
                let visitor = reported(external_id, false);
                for browser in [None, Some(&anonymous), Some(&declared_ada)] {
                    let with = Known {
                        verified: Some(&ada),
                        ..without(browser)
                    };
                    assert_eq!(identify(&visitor, with), identify(&visitor, without(browser)));
                }
                let same_browser = Known {
                    verified: Some(&ada),
                    ..without(Some(&ada))
                };
                assert_eq!(identify(&visitor, same_browser), identify(&visitor, without(None)));
            }
        }
    }

    #[test]
    fn a_verified_visitor_keeps_their_own_history_only() {
        let (anonymous, other) = (visitor("x", None), visitor("b", Some("bob")));
        let (declared, ada) = (visitor("d", Some("ada")), verified("a", "ada"));
        let identity = |browser: Option<&Visitor>, declared: Option<&Visitor>, verified: Option<&Visitor>| {
            let known = Known {
                browser,
                declared,
                verified,
            };
            identify(&reported(Some("ada"), true), known)
        };
        let merge = |from: &[&str], into: Option<&str>| Identity::Merge {
            from: from.iter().map(|id| (*id).into()).collect(),
            into: into.map(Id::from),
        };
        assert_eq!(identity(None, None, None), Identity::New);
        assert_eq!(identity(Some(&anonymous), None, None), merge(&["x"], None));
        assert_eq!(identity(None, Some(&declared), None), merge(&["d"], None));
        assert_eq!(identity(Some(&declared), Some(&declared), None), merge(&["d"], None));
        assert_eq!(
            identity(Some(&anonymous), Some(&declared), None),
            merge(&["x", "d"], None)
        );
        assert_eq!(identity(Some(&other), None, None), Identity::New);
        let bob = verified("v", "bob");
        assert_eq!(identity(Some(&bob), None, None), Identity::New);
        assert_eq!(identity(Some(&ada), None, Some(&ada)), Identity::Known("a".into()));
        assert_eq!(identity(Some(&anonymous), None, Some(&ada)), merge(&["x"], Some("a")));
        assert_eq!(
            identity(Some(&declared), Some(&declared), Some(&ada)),
            merge(&["d"], Some("a"))
        );
        for stranger in [None, Some(&other), Some(&bob)] {
            let reassigned = Identity::ReassignBrowser("a".into());
            assert_eq!(
                identity(stranger, Some(&declared), Some(&ada)),
                reassigned,
                "a declared id of another browser"
            );
        }
    }

    #[test]
    fn a_long_external_id_is_stored_in_few_bytes_and_stays_unique() {
        let stored = |text: &str| stored_external_id(text.to_owned());
        let (short, long) = ("x".repeat(200), "€".repeat(200));
        assert_eq!(stored(&short), short);
        assert!(stored(&long).starts_with('€') && (190..=200).contains(&stored(&long).len()));
        assert_ne!(stored(&long), stored(&format!("{}a", "€".repeat(199))));
        assert_eq!(stored(&stored(&long)), stored(&long));
    }

    #[test]
    fn a_visit_is_written_once_a_minute_or_when_the_locale_or_a_trait_changes() {
        let known = visitor("a", None);
        let fresh = |locale: Option<&str>, millis| {
            let at = DateTime::from_millis(millis).expect("a valid time");
            let reported = ReportedVisitor {
                locale: locale.map(str::to_owned),
                ..reported(None, false)
            };
            is_fresh(&known, &reported, at)
        };
        assert!(fresh(None, LAST_SEEN_INTERVAL_MS - 1));
        assert!(!fresh(None, LAST_SEEN_INTERVAL_MS));
        assert!(fresh(Some("de"), 1));
        assert!(!fresh(Some("fr"), 1));
        let traits = |traits| ReportedVisitor {
            traits,
            ..reported(None, false)
        };
        let at = DateTime::from_millis(1).expect("a valid time");
        assert!(is_fresh(&known, &traits(Some(Traits::default())), at));
        let changed = Traits::new([("plan".to_owned(), "pro".to_owned())], Vec::new(), 0);
        assert!(!is_fresh(&known, &traits(Some(changed)), at));
    }
}
