//! Statistics of a tour's runs.
//!
//! A run counts on the day on which it started. Triggers update sums per day whenever runs change, so that a funnel
//! costs a number of days and not of runs.

pub mod store;

use std::collections::{BTreeMap, HashMap};

use traitql::{Date, Declares, Id, Throws};
use waypost_api::{DayInsight, DayRangeInput, RevisionInsight, Step, StepInsight, errors};

use self::store::{DayCount, RevisionRow};
use crate::clock::DAY_MS;
use crate::run::times::bucket_midpoint;

const MAX_DAYS: i64 = 366;

/// An inclusive range of days, counted from 1970-01-01 in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Days {
    from: i64,
    to: i64,
}

#[derive(Debug, PartialEq)]
pub enum InvalidRange {
    Backwards(errors::InvalidInput),
    TooLong(errors::RangeTooLong),
}

impl<F: Declares<errors::InvalidInput> + Declares<errors::RangeTooLong>> From<InvalidRange> for Throws<F> {
    fn from(problem: InvalidRange) -> Self {
        match problem {
            InvalidRange::Backwards(error) => error.into(),
            InvalidRange::TooLong(error) => error.into(),
        }
    }
}

impl Days {
    /// The range must have 1 to 366 days.
    pub fn of(range: &DayRangeInput) -> Result<Self, InvalidRange> {
        let (from, to) = (number(range.from), number(range.to));
        if to < from {
            return Err(InvalidRange::Backwards(errors::InvalidInput {
                field: "range".to_owned(),
                problem: "the first day must not be after the last".to_owned(),
            }));
        }
        if to - from >= MAX_DAYS {
            let days = MAX_DAYS.to_string();
            return Err(InvalidRange::TooLong(errors::RangeTooLong { days }));
        }
        Ok(Self { from, to })
    }

    /// Returns the start (inclusive) and the end (exclusive).
    pub(crate) fn millis(self) -> (i64, i64) {
        (self.from * DAY_MS, (self.to + 1) * DAY_MS)
    }
}

fn number(day: Date) -> i64 {
    let epoch = jiff::civil::date(1970, 1, 1);
    i64::from((day.civil() - epoch).get_days())
}

fn date(number: i64) -> Date {
    let epoch = jiff::civil::date(1970, 1, 1);
    epoch.saturating_add(jiff::Span::new().days(number)).into()
}

#[derive(Debug, Clone)]
pub struct StepCount {
    pub revision_id: Id,
    index: i32,
    pub seen: i32,
    pub done: i32,
    pub missing: i32,
    pub attempts: i32,
}

impl StepCount {
    /// True if its runs and attempts have moved to another day or revision.
    pub fn is_empty(&self) -> bool {
        self.seen + self.done + self.missing + self.attempts == 0
    }
}

/// Active runs of one revision with the same shown but uncompleted steps.
#[derive(Debug, Clone)]
pub struct ActiveRuns {
    pub revision_id: Id,
    /// The steps, as bits by index in the revision.
    steps: i64,
    pub runs: i32,
}

/// The number of runs per bucket, with the buckets of `run::times`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Histogram(BTreeMap<i32, i32>);

impl Histogram {
    fn add(&mut self, bucket: i32, runs: i32) {
        *self.0.entry(bucket).or_default() += runs;
    }

    pub fn join(&mut self, other: &Self) {
        for (bucket, runs) in &other.0 {
            self.add(*bucket, *runs);
        }
    }

    /// Returns milliseconds; for an even number of runs, the mean of the two middle ones.
    pub fn median(&self) -> Option<i32> {
        let all: i32 = self.0.values().sum();
        let at = |rank: i32| {
            let mut below = 0;
            let histogram = self.0.iter();
            let mut histogram = histogram.skip_while(|(_, runs)| {
                below += **runs;
                below <= rank
            });
            histogram.next().map(|(bucket, _)| bucket_midpoint(*bucket))
        };
        if all <= 0 {
            return None;
        }
        Some((at((all - 1) / 2)? + at(all / 2)?) / 2)
    }
}

/// Returns the steps of the newest revision, followed by those that only older revisions contain.
///
/// Steps of different revisions are matched by key. `revisions` must be sorted in descending order.
pub fn funnel(
    revisions: &[RevisionRow],
    counts: &[StepCount],
    active: &[ActiveRuns],
    times: &[(Id, i32, Histogram)],
) -> Vec<StepInsight> {
    let mut steps: Vec<(StepInsight, Histogram)> = Vec::new();
    let mut positions: HashMap<&str, usize> = HashMap::new();
    let mut by_index: HashMap<(&Id, i32), usize> = HashMap::new();
    for revision in revisions {
        for (step, index) in revision.steps.iter().zip(0..) {
            let at = *positions.entry(&step.key).or_insert_with(|| {
                steps.push((empty_insight(step), Histogram::default()));
                steps.len() - 1
            });
            by_index.insert((&revision.id, index), at);
        }
    }
    for count in counts {
        if let Some(at) = by_index.get(&(&count.revision_id, count.index)) {
            let insight = &mut steps[*at].0;
            insight.seen += count.seen;
            insight.done += count.done;
            insight.missing += count.missing;
            insight.attempts += count.attempts;
        }
    }
    for ActiveRuns {
        revision_id,
        steps: open,
        runs,
    } in active
    {
        for place in (0..i64::BITS.cast_signed()).filter(|place| open >> place & 1 == 1) {
            if let Some(at) = by_index.get(&(revision_id, place)) {
                steps[*at].0.active += runs;
            }
        }
    }
    for (revision, place, histogram) in times {
        if let Some(at) = by_index.get(&(revision, *place)) {
            steps[*at].1.join(histogram);
        }
    }
    let steps = steps.into_iter().map(|(step, histogram)| StepInsight {
        drop_off: share(step.seen - step.done - step.active, step.seen),
        median_ms: histogram.median(),
        ..step
    });
    steps.collect()
}

fn empty_insight(step: &Step) -> StepInsight {
    StepInsight {
        step_key: step.key.clone(),
        title: step.title.clone(),
        seen: 0,
        done: 0,
        missing: 0,
        attempts: 0,
        active: 0,
        drop_off: None,
        median_ms: None,
    }
}

/// `active` must be the active runs of the same days.
pub fn by_revision(revisions: &[RevisionRow], days: &[DayCount], active: &[ActiveRuns]) -> Vec<RevisionInsight> {
    let insight = |revision: &RevisionRow| {
        let days = days.iter().filter(|day| day.revision_id == revision.id);
        let sum = |count: fn(&DayCount) -> i32| days.clone().map(count).sum::<i32>();
        let active = active.iter().filter(|runs| runs.revision_id == revision.id);
        let active = active.map(|runs| runs.runs).sum();
        let (started, completed) = (sum(|day| day.started), sum(|day| day.completed));
        RevisionInsight {
            revision_id: revision.id.clone(),
            number: revision.number,
            started,
            completed,
            completed_with_gaps: sum(|day| day.with_gaps),
            dismissed: sum(|day| day.dismissed),
            stopped: sum(|day| day.stopped),
            abandoned: sum(|day| day.open) - active,
            failed: sum(|day| day.failed),
            superseded: sum(|day| day.superseded),
            active,
            completion_rate: share(completed, started),
        }
    };
    revisions.iter().map(insight).collect()
}

/// Returns `None` if `whole` is not positive.
pub fn share(part: i32, whole: i32) -> Option<f64> {
    (whole > 0).then(|| f64::from(part) / f64::from(whole))
}

pub fn every_day(days: Days, counts: &[DayCount]) -> Vec<DayInsight> {
    let mut all: Vec<DayInsight> = (days.from..=days.to)
        .map(|day| DayInsight {
            day: date(day),
            started: 0,
            completed: 0,
            completed_with_gaps: 0,
            dismissed: 0,
            stopped: 0,
            attempts: 0,
        })
        .collect();
    for count in counts {
        let place = usize::try_from(count.day - days.from).ok();
        if let Some(day) = place.and_then(|place| all.get_mut(place)) {
            day.started += count.started;
            day.completed += count.completed;
            day.completed_with_gaps += count.with_gaps;
            day.dismissed += count.dismissed;
            day.stopped += count.stopped;
            day.attempts += count.not_found + count.not_loaded;
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{testing::step, tour::content};

    fn day(text: &str) -> Date {
        text.parse().expect("a day")
    }

    fn range(from: &str, to: &str) -> DayRangeInput {
        DayRangeInput {
            from: day(from),
            to: day(to),
        }
    }

    #[test]
    fn a_range_has_one_to_366_days() {
        let days = Days::of(&range("2026-11-05", "2026-11-05")).expect("one day");
        assert_eq!(days.millis().1 - days.millis().0, DAY_MS);
        assert!(Days::of(&range("2024-01-01", "2024-12-31")).is_ok(), "a leap year");
        assert!(matches!(
            Days::of(&range("2024-01-01", "2025-01-01")),
            Err(InvalidRange::TooLong(_))
        ));
        assert!(matches!(
            Days::of(&range("2026-11-05", "2026-11-04")),
            Err(InvalidRange::Backwards(_))
        ));
    }

    #[test]
    fn days_are_numbered_in_utc() {
        assert_eq!(number(day("1970-01-02")), 1);
        assert_eq!(date(number(day("2026-11-05"))), day("2026-11-05"));
        assert_eq!(date(-1), day("1969-12-31"));
    }

    #[test]
    fn every_day_of_the_range_has_an_entry() {
        let days = Days::of(&range("2026-02-27", "2026-03-01")).expect("a range");
        let count = |day, started| DayCount {
            revision_id: "r".into(),
            day,
            started,
            completed: 2,
            with_gaps: 1,
            dismissed: 1,
            stopped: 0,
            failed: 0,
            superseded: 0,
            open: 0,
            not_found: 1,
            not_loaded: 0,
        };
        let all = every_day(days, &[count(days.from + 1, 2), count(days.from + 1, 1)]);
        let started: Vec<(String, i32)> = all.iter().map(|d| (d.day.to_string(), d.started)).collect();
        let expected = [("2026-02-27", 0), ("2026-02-28", 3), ("2026-03-01", 0)];
        assert_eq!(started, expected.map(|(day, n)| (day.to_owned(), n)));
    }

    fn revision(number: i32, keys: &[&str]) -> RevisionRow {
        RevisionRow {
            id: format!("r{number}").into(),
            number,
            steps: keys.iter().map(|key| content::step(step(key)).into()).collect(),
        }
    }

    #[test]
    fn steps_of_different_revisions_are_matched_by_key() {
        let revisions = [revision(2, &["b", "a"]), revision(1, &["a", "old"])];
        let count = |revision: &str, place, seen, done| StepCount {
            revision_id: revision.into(),
            index: place,
            seen,
            done,
            missing: 0,
            attempts: 0,
        };
        let counts = [
            count("r2", 0, 4, 4),
            count("r2", 1, 4, 0),
            count("r1", 0, 3, 2),
            count("r1", 1, 1, 0),
        ];
        let histogram = |bucket, runs| Histogram(BTreeMap::from([(bucket, runs)]));
        let times = [
            ("r2".into(), 1, histogram(9, 1)),
            ("r1".into(), 0, histogram(3, 2)),
            ("r1".into(), -1, histogram(1, 1)),
        ];
        let active = |revision: &str, steps, runs| ActiveRuns {
            revision_id: revision.into(),
            steps,
            runs,
        };
        let active = [active("r2", 0b10, 2), active("r1", 0b1, 1), active("r1", 0, 3)];
        let steps = funnel(&revisions, &counts, &active, &times);
        let rows: Vec<_> = steps
            .iter()
            .map(|s| (s.step_key.as_str(), s.seen, s.done, s.active))
            .collect();
        assert_eq!(rows, [("b", 4, 4, 0), ("a", 7, 2, 3), ("old", 1, 0, 0)]);
        let drop_off = [Some(0.0), Some(2.0 / 7.0), Some(1.0)];
        assert_eq!(steps.iter().map(|s| s.drop_off).collect::<Vec<_>>(), drop_off);
        assert_eq!((steps[0].median_ms, steps[1].median_ms), (None, Some(3)));
        assert_eq!(funnel(&revisions, &[], &[], &[])[0].drop_off, None);
    }

    #[test]
    fn the_median_is_computed_from_buckets() {
        let histogram = |entries: &[(i32, i32)]| Histogram(entries.iter().copied().collect()).median();
        assert_eq!(histogram(&[]), None);
        assert_eq!(histogram(&[(4, 0)]), None);
        assert_eq!(histogram(&[(4, 1)]), Some(4));
        assert_eq!(histogram(&[(4, 1), (8, 1)]), Some(6));
        assert_eq!(histogram(&[(4, 2), (8, 1)]), Some(4));
        assert_eq!(histogram(&[(2, 1), (4, 0), (8, 3)]), Some(8));
    }
}
