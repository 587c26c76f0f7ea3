//! Releases are immutable, except that they can be paused, resumed and ended.

pub mod allocation;
pub mod impact;
pub mod store;

use std::fmt::Display;

use traitql::{DateTime, Id, IllegalTransition};
use waypost_api::{Release, errors};

use allocation::TrafficSplit;

#[derive(Debug, Clone, PartialEq)]
pub struct Terms {
    pub split: TrafficSplit,
    pub goal: Option<String>,
    pub starts_at: Option<DateTime>,
    /// `None` means until the release is ended.
    pub ends_at: Option<DateTime>,
}

impl Terms {
    pub const ALL: Self = Self {
        split: TrafficSplit {
            rollout_percent: 100,
            holdout_percent: 0,
        },
        goal: None,
        starts_at: None,
        ends_at: None,
    };

    pub fn of(release: &Release) -> Self {
        Self {
            split: TrafficSplit {
                rollout_percent: release.rollout_percent,
                holdout_percent: release.holdout_percent,
            },
            goal: release.goal.clone(),
            starts_at: release.starts_at,
            ends_at: release.ends_at,
        }
    }

    pub fn validated(self, now: DateTime) -> Result<Self, errors::ScheduleEmpty> {
        let begin = self.starts_at.map_or(now, |start| start.max(now));
        match self.ends_at {
            Some(end) if end <= begin => Err(errors::ScheduleEmpty {}),
            _ => Ok(self),
        }
    }

    /// Starts immediately, and keeps its end if that is in the future.
    pub fn for_rollback(self, now: DateTime) -> Self {
        Self {
            starts_at: None,
            ends_at: self.ends_at.filter(|end| *end > now),
            ..self
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub struct Ending<'a> {
    pub by: &'a Id,
    pub note: Option<&'a str>,
    /// True if active runs end, too.
    pub runs: bool,
}

#[derive(Clone, Copy)]
pub struct NewRelease<'a> {
    pub tour_id: &'a Id,
    /// The tour's current release on it is ended.
    pub site_id: &'a Id,
    pub revision_id: &'a Id,
    pub by: &'a Id,
    pub note: Option<&'a str>,
    pub terms: &'a Terms,
    pub paused: bool,
    /// Ends the active runs of the release that this one replaces.
    pub end_runs: bool,
    pub rollback_of: Option<&'a Id>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct PastRelease {
    pub id: Id,
    pub revision_id: Id,
    pub(crate) rollback_of: Option<Id>,
}

/// Returns the release to roll back to from `live`: the chosen one, or else the one before `live`. `None` if it does
/// not exist or has the same revision. `past` has all releases of the tour on the site, newest first.
///
/// A rollback counts as its target, so that a second rollback goes further back.
pub fn rollback_target<'p>(past: &'p [PastRelease], live: &Id, chosen: Option<&Id>) -> Option<&'p PastRelease> {
    let index_of = |id: &Id| past.iter().position(|release| release.id == *id);
    let mut index = index_of(live)?;
    let live_revision = &past[index].revision_id;
    if let Some(chosen) = chosen {
        let release = &past[index_of(chosen)?];
        return (release.revision_id != *live_revision).then_some(release);
    }
    while let Some(origin) = past[index].rollback_of.as_ref().and_then(index_of) {
        // The target of a rollback is always older. Stop at inconsistent data, because following it might not
        // terminate.
        if origin <= index {
            break;
        }
        index = origin;
    }
    past[index + 1..]
        .iter()
        .find(|release| release.revision_id != *live_revision)
}

pub fn illegal_transition<S: Display>(thing: &str) -> impl Fn(IllegalTransition<S>) -> errors::IllegalTransition {
    let words = |state: S| state.to_string().to_lowercase().replace('_', " ");
    move |edge| errors::IllegalTransition {
        from: words(edge.from),
        thing: thing.to_owned(),
        to: words(edge.to),
    }
}

pub fn dedup(ids: Vec<Id>) -> Vec<Id> {
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

    /// Returns the releases in descending order. The arguments are in ascending order: id, revision and rollback
    /// target.
    fn history(releases: &[(&str, &str, Option<&str>)]) -> Vec<PastRelease> {
        let past = releases.iter().map(|(id, revision, of)| PastRelease {
            id: (*id).into(),
            revision_id: (*revision).into(),
            rollback_of: of.map(Id::from),
        });
        past.rev().collect()
    }

    fn target(past: &[PastRelease], live: &str) -> Option<String> {
        rollback_target(past, &live.into(), None).map(|release| release.id.to_string())
    }

    #[test]
    fn empty_schedules_are_rejected() {
        let at = |millis| DateTime::from_millis(millis);
        let is_valid = |starts_at, ends_at, now| {
            let terms = Terms {
                starts_at,
                ends_at,
                ..Terms::ALL
            };
            terms.validated(at(now).expect("a valid time")).is_ok()
        };
        assert!(is_valid(None, None, 5) && is_valid(at(9), None, 5));
        assert!(is_valid(None, at(6), 5) && is_valid(at(6), at(7), 5));
        assert!(!is_valid(at(7), at(7), 5), "it ends when it starts");
        assert!(!is_valid(at(8), at(7), 5));
        assert!(!is_valid(None, at(5), 5), "it has already ended");
        assert!(!is_valid(at(1), at(4), 5));
    }

    #[test]
    fn a_rollback_targets_the_previous_release() {
        let past = history(&[("a", "1", None), ("b", "2", None)]);
        assert_eq!(target(&past, "b").as_deref(), Some("a"));
        assert_eq!(target(&past, "a"), None, "there is no release before the first one");
    }

    #[test]
    fn a_second_rollback_goes_further_back() {
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
    fn a_chosen_release_can_be_older_or_newer() {
        let past = history(&[
            ("a", "1", None),
            ("b", "2", None),
            ("c", "3", None),
            ("d", "1", Some("a")),
        ]);
        let chosen =
            |to: &str| rollback_target(&past, &"d".into(), Some(&to.into())).map(|release| release.id.to_string());
        assert_eq!(chosen("c").as_deref(), Some("c"), "forward again");
        assert_eq!(chosen("b").as_deref(), Some("b"));
        assert_eq!(chosen("a"), None, "its revision is live");
        assert_eq!(chosen("other"), None, "it belongs to another tour or site");
    }

    #[test]
    fn a_release_after_a_rollback_rolls_back_to_it() {
        let past = history(&[
            ("a", "1", None),
            ("b", "2", None),
            ("c", "1", Some("a")),
            ("d", "3", None),
        ]);
        assert_eq!(target(&past, "d").as_deref(), Some("c"));
    }

    #[test]
    fn releases_of_the_same_revision_are_skipped() {
        let past = history(&[("a", "1", None), ("b", "2", None), ("c", "2", None)]);
        assert_eq!(target(&past, "c").as_deref(), Some("a"));
    }

    #[test]
    fn an_inconsistent_chain_of_rollbacks_terminates() {
        let past = history(&[("a", "1", None), ("b", "2", Some("c")), ("c", "3", Some("c"))]);
        assert_eq!(target(&past, "c").as_deref(), Some("b"));
        assert_eq!(target(&past, "b").as_deref(), Some("a"));
    }
}
