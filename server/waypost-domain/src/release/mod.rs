//! Releases: which revision plays on which site, for whom, since when and until when. What a row says never changes; it can
//! only be paused, resumed and ended.

pub mod exposure;
pub mod impact;
pub mod store;

use std::fmt::Display;

use traitql::{DateTime, Id, IllegalEdge};
use waypost_api::{Release, errors};

use exposure::Shares;

/// For whom a release plays, what for, and when.
#[derive(Debug, Clone, PartialEq)]
pub struct Terms {
    /// For how many of the site's people it plays.
    pub shares: Shares,
    /// The event that people are to be led to.
    pub goal: Option<String>,
    /// None: from the moment of the release.
    pub starts_at: Option<DateTime>,
    /// None: until somebody ends it.
    pub ends_at: Option<DateTime>,
}

impl Terms {
    /// For everybody, from now on.
    pub const ALL: Self = Self {
        shares: Shares {
            rollout_percent: 100,
            holdout_percent: 0,
        },
        goal: None,
        starts_at: None,
        ends_at: None,
    };

    /// The terms of a release.
    pub fn of(release: &Release) -> Self {
        Self {
            shares: Shares {
                rollout_percent: release.rollout_percent,
                holdout_percent: release.holdout_percent,
            },
            goal: release.goal.clone(),
            starts_at: release.starts_at,
            ends_at: release.ends_at,
        }
    }

    /// Refuses terms under which nothing would ever play.
    pub fn checked(self, now: DateTime) -> Result<Self, errors::ScheduleEmpty> {
        let begin = self.starts_at.map_or(now, |start| start.max(now));
        match self.ends_at {
            Some(end) if end <= begin => Err(errors::ScheduleEmpty {}),
            _ => Ok(self),
        }
    }

    /// The terms of an earlier release, to play again now: what of its schedule is over does not count.
    pub fn again(self, now: DateTime) -> Self {
        Self {
            starts_at: None,
            ends_at: self.ends_at.filter(|end| *end > now),
            ..self
        }
    }
}

/// What happens to a release that ends.
#[derive(Debug, Clone, Copy)]
pub struct Ending<'a> {
    /// Who ends it.
    pub by: &'a Id,
    /// Why, if they say so.
    pub note: Option<&'a str>,
    /// Whether the runs of those who are inside end with it.
    pub runs: bool,
}

/// What a new release is made of.
#[derive(Clone, Copy)]
pub struct NewRelease<'a> {
    /// The tour that plays.
    pub tour_id: &'a Id,
    /// Where it plays: what plays of the tour there ends.
    pub site_id: &'a Id,
    /// The frozen revision of the tour that plays.
    pub revision_id: &'a Id,
    /// Who releases it.
    pub by: &'a Id,
    /// Why, if they say so.
    pub note: Option<&'a str>,
    /// For whom it plays, what for, and when.
    pub terms: &'a Terms,
    /// Whether it begins paused.
    pub paused: bool,
    /// Whether the runs of those who are inside end with the release that it takes the place of.
    pub end_runs: bool,
    /// The release that this one goes back to.
    pub rollback_of: Option<&'a Id>,
}

/// What a rollback must know of a release in the past of a tour on a site.
#[derive(Debug, Clone, PartialEq)]
pub struct Past {
    /// The release.
    pub id: Id,
    /// The revision that it plays.
    pub revision_id: Id,
    pub(crate) rollback_of: Option<Id>,
}

/// The release to go back to from `live`; `past` holds all releases of the tour on the site, the newest first.
///
/// A rollback stands for the release that it went back to, so a second rollback goes one further back instead of returning
/// to what was just taken away. A release of the same revision is no change and is passed over.
pub fn rollback_target<'p>(past: &'p [Past], live: &Id) -> Option<&'p Past> {
    let at = |id: &Id| past.iter().position(|release| release.id == *id);
    let mut place = at(live)?;
    let playing = &past[place].revision_id;
    while let Some(origin) = past[place].rollback_of.as_ref().and_then(at) {
        // What a rollback went back to is older; anything else would be a broken chain, and following it might not end.
        if origin <= place {
            break;
        }
        place = origin;
    }
    past[place + 1..].iter().find(|release| release.revision_id != *playing)
}

/// The words of a refused change of state.
pub fn illegal<S: Display>(thing: &str) -> impl Fn(IllegalEdge<S>) -> errors::IllegalTransition {
    let words = |state: S| state.to_string().to_lowercase().replace('_', " ");
    move |edge| errors::IllegalTransition {
        from: words(edge.from),
        thing: thing.to_owned(),
        to: words(edge.to),
    }
}

/// The distinct entries of a list, in their order.
pub fn distinct(ids: Vec<Id>) -> Vec<Id> {
    let mut out: Vec<Id> = Vec::with_capacity(ids.len());
    for id in ids {
        if !out.contains(&id) {
            out.push(id);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Releases from the oldest to the newest: name, revision, and what it went back to.
    fn history(releases: &[(&str, &str, Option<&str>)]) -> Vec<Past> {
        let past = releases.iter().map(|(id, revision, of)| Past {
            id: (*id).into(),
            revision_id: (*revision).into(),
            rollback_of: of.map(Id::from),
        });
        past.rev().collect()
    }

    fn target(past: &[Past], live: &str) -> Option<String> {
        rollback_target(past, &live.into()).map(|release| release.id.to_string())
    }

    #[test]
    fn what_would_never_play_is_refused() {
        let at = |millis| DateTime::from_millis(millis);
        let fits = |starts_at, ends_at, now| {
            let terms = Terms {
                starts_at,
                ends_at,
                ..Terms::ALL
            };
            terms.checked(at(now).expect("an instant")).is_ok()
        };
        assert!(fits(None, None, 5) && fits(at(9), None, 5) && fits(None, at(6), 5) && fits(at(6), at(7), 5));
        assert!(!fits(at(7), at(7), 5), "it ends when it begins");
        assert!(!fits(at(8), at(7), 5));
        assert!(!fits(None, at(5), 5), "it is over already");
        assert!(!fits(at(1), at(4), 5));
    }

    #[test]
    fn a_rollback_plays_what_played_before() {
        let past = history(&[("a", "1", None), ("b", "2", None)]);
        assert_eq!(target(&past, "b").as_deref(), Some("a"));
        assert_eq!(target(&past, "a"), None, "nothing played before the first");
    }

    #[test]
    fn a_second_rollback_goes_further_back_and_not_forth() {
        let past = history(&[
            ("a", "1", None),
            ("b", "2", None),
            ("c", "3", None),
            ("d", "2", Some("b")),
        ]);
        assert_eq!(target(&past, "d").as_deref(), Some("a"));
        let past = history(&[("a", "1", None), ("b", "2", None), ("c", "1", Some("a"))]);
        assert_eq!(target(&past, "c"), None);
    }

    #[test]
    fn a_release_after_a_rollback_goes_back_to_it() {
        let past = history(&[
            ("a", "1", None),
            ("b", "2", None),
            ("c", "1", Some("a")),
            ("d", "3", None),
        ]);
        assert_eq!(target(&past, "d").as_deref(), Some("c"));
    }

    #[test]
    fn a_release_of_the_same_revision_is_no_change_to_undo() {
        let past = history(&[("a", "1", None), ("b", "2", None), ("c", "2", None)]);
        assert_eq!(target(&past, "c").as_deref(), Some("a"));
    }

    #[test]
    fn a_broken_chain_of_rollbacks_ends() {
        let past = history(&[("a", "1", None), ("b", "2", Some("c")), ("c", "3", Some("c"))]);
        assert_eq!(target(&past, "c").as_deref(), Some("b"));
        assert_eq!(target(&past, "b").as_deref(), Some("a"));
    }
}
