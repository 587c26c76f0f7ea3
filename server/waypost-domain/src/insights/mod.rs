//! Insights: how a tour does.
//!
//! A run counts on the day it began, with the bits that say which steps were seen and finished. The database keeps the sums
//! by day while runs change, so a funnel reads some rows for each day, however many runs there were. What is here adds the
//! days up, by step and by revision.

pub mod store;

use std::collections::{BTreeMap, HashMap};

use traitql::{Date, Declares, Id, Throws};
use waypost_api::{DayInsight, DayRangeInput, RevisionInsight, Step, StepInsight, errors};

use self::store::{DayCount, Played};
use crate::run::times::middle;

/// How many days a range may have.
const DAYS_MAX: i64 = 366;
const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// Whole days: numbers since 1970-01-01, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Days {
    from: i64,
    to: i64,
}

/// Why a range is none.
#[derive(Debug, PartialEq)]
pub enum RangeProblem {
    /// The first day is after the last.
    Backwards(errors::InvalidInput),
    /// It has more than 366 days.
    TooLong(errors::RangeTooLong),
}

impl<F: Declares<errors::InvalidInput> + Declares<errors::RangeTooLong>> From<RangeProblem> for Throws<F> {
    fn from(problem: RangeProblem) -> Self {
        match problem {
            RangeProblem::Backwards(error) => error.into(),
            RangeProblem::TooLong(error) => error.into(),
        }
    }
}

impl Days {
    /// Reads a range of one to 366 days in UTC.
    pub fn of(range: &DayRangeInput) -> Result<Self, RangeProblem> {
        let (from, to) = (number(range.from), number(range.to));
        if to < from {
            return Err(RangeProblem::Backwards(errors::InvalidInput {
                field: "range".to_owned(),
                problem: "the first day must not be after the last".to_owned(),
            }));
        }
        if to - from >= DAYS_MAX {
            let days = DAYS_MAX.to_string();
            return Err(RangeProblem::TooLong(errors::RangeTooLong { days }));
        }
        Ok(Self { from, to })
    }

    /// The first instant of the range and the first one after it, in milliseconds.
    fn millis(self) -> (i64, i64) {
        (self.from * DAY_MS, (self.to + 1) * DAY_MS)
    }
}

/// Days since 1970-01-01.
fn number(day: Date) -> i64 {
    let epoch = jiff::civil::date(1970, 1, 1);
    i64::from((day.civil() - epoch).get_days())
}

fn date(number: i64) -> Date {
    let epoch = jiff::civil::date(1970, 1, 1);
    epoch.saturating_add(jiff::Span::new().days(number)).into()
}

/// What happened at one step of one revision, in numbers of runs.
#[derive(Debug, Clone)]
pub struct StepCount {
    /// The revision that the step is of.
    pub revision_id: Id,
    /// Its place in the revision, from 0.
    place: i32,
    /// Runs in which the step was seen.
    pub seen: i32,
    /// Runs in which it was finished.
    pub done: i32,
    /// Runs in which its element was not there.
    pub missing: i32,
}

/// Runs of one revision that are under way, in which the same steps were seen and are not finished.
#[derive(Debug, Clone)]
pub struct UnderWay {
    /// The revision that the runs are of.
    pub revision_id: Id,
    /// A bit for each of those steps, by its place in the revision.
    steps: i64,
    /// How many there are.
    pub runs: i32,
}

/// A histogram: how many runs are in which bucket of `run::times`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bars(BTreeMap<i32, i32>);

impl Bars {
    fn add(&mut self, bucket: i32, runs: i32) {
        *self.0.entry(bucket).or_default() += runs;
    }

    /// Adds the runs of another histogram.
    pub fn join(&mut self, other: &Self) {
        for (bucket, runs) in &other.0 {
            self.add(*bucket, *runs);
        }
    }

    /// The middle of the times in milliseconds; of an even number the mean of the two in the middle.
    pub fn median(&self) -> Option<i32> {
        let all: i32 = self.0.values().sum();
        let at = |rank: i32| {
            let mut below = 0;
            let bars = self.0.iter();
            let mut bars = bars.skip_while(|(_, runs)| {
                below += **runs;
                below <= rank
            });
            bars.next().map(|(bucket, _)| middle(*bucket))
        };
        if all <= 0 {
            return None;
        }
        Some((at((all - 1) / 2)? + at(all / 2)?) / 2)
    }
}

/// The funnel: steps of the newest revision in their order, then those that only older ones had. A step is known by its key
/// in all revisions, which come the newest first.
pub fn funnel(
    revisions: &[Played],
    counts: &[StepCount],
    under_way: &[UnderWay],
    times: &[(Id, i32, Bars)],
) -> Vec<StepInsight> {
    let mut steps: Vec<(StepInsight, Bars)> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut by_place: HashMap<(&Id, i32), usize> = HashMap::new();
    for revision in revisions {
        for (step, place) in revision.steps.iter().zip(0..) {
            let at = *places.entry(&step.key).or_insert_with(|| {
                steps.push((empty(step), Bars::default()));
                steps.len() - 1
            });
            by_place.insert((&revision.id, place), at);
        }
    }
    for count in counts {
        if let Some(at) = by_place.get(&(&count.revision_id, count.place)) {
            let insight = &mut steps[*at].0;
            insight.seen += count.seen;
            insight.done += count.done;
            insight.missing += count.missing;
        }
    }
    for UnderWay {
        revision_id,
        steps: open,
        runs,
    } in under_way
    {
        for place in (0..i64::BITS.cast_signed()).filter(|place| open >> place & 1 == 1) {
            if let Some(at) = by_place.get(&(revision_id, place)) {
                steps[*at].0.under_way += runs;
            }
        }
    }
    for (revision, place, bars) in times {
        if let Some(at) = by_place.get(&(revision, *place)) {
            steps[*at].1.join(bars);
        }
    }
    let steps = steps.into_iter().map(|(step, bars)| StepInsight {
        drop_off: share(step.seen - step.done - step.under_way, step.seen),
        median_ms: bars.median(),
        ..step
    });
    steps.collect()
}

fn empty(step: &Step) -> StepInsight {
    StepInsight {
        step_key: step.key.clone(),
        title: step.title.clone(),
        seen: 0,
        done: 0,
        missing: 0,
        under_way: 0,
        drop_off: None,
        median_ms: None,
    }
}

/// The runs by revision, the newest first.
pub fn by_revision(revisions: &[Played], days: &[DayCount]) -> Vec<RevisionInsight> {
    let insight = |revision: &Played| {
        let days = || days.iter().filter(|day| day.revision_id == revision.id);
        let (started, completed) = (
            days().map(|day| day.started).sum(),
            days().map(|day| day.completed).sum(),
        );
        RevisionInsight {
            revision_id: revision.id.clone(),
            number: revision.number,
            started,
            completed,
            dismissed: days().map(|day| day.dismissed).sum(),
            failed: days().map(|day| day.failed).sum(),
            completion_rate: share(completed, started),
        }
    };
    revisions.iter().map(insight).collect()
}

/// The part of a whole, if there is a whole.
pub fn share(part: i32, whole: i32) -> Option<f64> {
    (whole > 0).then(|| f64::from(part) / f64::from(whole))
}

/// One entry for each day of a range, also for those on which nothing happened.
pub fn every_day(days: Days, counts: &[DayCount]) -> Vec<DayInsight> {
    let mut all: Vec<DayInsight> = (days.from..=days.to)
        .map(|day| DayInsight {
            day: date(day),
            started: 0,
            completed: 0,
            dismissed: 0,
        })
        .collect();
    for count in counts {
        let place = usize::try_from(count.day - days.from).ok();
        if let Some(day) = place.and_then(|place| all.get_mut(place)) {
            day.started += count.started;
            day.completed += count.completed;
            day.dismissed += count.dismissed;
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
            Err(RangeProblem::TooLong(_))
        ));
        assert!(matches!(
            Days::of(&range("2026-11-05", "2026-11-04")),
            Err(RangeProblem::Backwards(_))
        ));
    }

    #[test]
    fn days_are_numbered_in_utc() {
        assert_eq!(number(day("1970-01-02")), 1);
        assert_eq!(date(number(day("2026-11-05"))), day("2026-11-05"));
        assert_eq!(date(-1), day("1969-12-31"));
    }

    #[test]
    fn every_day_of_the_range_is_there() {
        let days = Days::of(&range("2026-02-27", "2026-03-01")).expect("a range");
        let count = |day, started| DayCount {
            revision_id: "r".into(),
            day,
            started,
            completed: 2,
            dismissed: 1,
            failed: 0,
            superseded: 0,
            open: 0,
        };
        let all = every_day(days, &[count(days.from + 1, 2), count(days.from + 1, 1)]);
        let started: Vec<(String, i32)> = all.iter().map(|d| (d.day.to_string(), d.started)).collect();
        let expected = [("2026-02-27", 0), ("2026-02-28", 3), ("2026-03-01", 0)];
        assert_eq!(started, expected.map(|(day, n)| (day.to_owned(), n)));
    }

    fn revision(number: i32, keys: &[&str]) -> Played {
        Played {
            id: format!("r{number}").into(),
            number,
            steps: keys.iter().map(|key| content::step(step(key)).into()).collect(),
        }
    }

    #[test]
    fn steps_are_counted_by_key_over_revisions() {
        let revisions = [revision(2, &["b", "a"]), revision(1, &["a", "old"])];
        let count = |revision: &str, place, seen, done| StepCount {
            revision_id: revision.into(),
            place,
            seen,
            done,
            missing: 0,
        };
        let counts = [
            count("r2", 0, 4, 4),
            count("r2", 1, 4, 0),
            count("r1", 0, 3, 2),
            count("r1", 1, 1, 0),
        ];
        let bars = |bucket, runs| Bars(BTreeMap::from([(bucket, runs)]));
        let times = [
            ("r2".into(), 1, bars(9, 1)),
            ("r1".into(), 0, bars(3, 2)),
            ("r1".into(), -1, bars(1, 1)),
        ];
        let under_way = |revision: &str, steps, runs| UnderWay {
            revision_id: revision.into(),
            steps,
            runs,
        };
        let under_way = [under_way("r2", 0b10, 2), under_way("r1", 0b1, 1), under_way("r1", 0, 3)];
        let steps = funnel(&revisions, &counts, &under_way, &times);
        let rows: Vec<_> = steps
            .iter()
            .map(|s| (s.step_key.as_str(), s.seen, s.done, s.under_way))
            .collect();
        assert_eq!(rows, [("b", 4, 4, 0), ("a", 7, 2, 3), ("old", 1, 0, 0)]);
        let lost = [Some(0.0), Some(2.0 / 7.0), Some(1.0)];
        assert_eq!(steps.iter().map(|s| s.drop_off).collect::<Vec<_>>(), lost);
        assert_eq!((steps[0].median_ms, steps[1].median_ms), (None, Some(3)));
        assert_eq!(funnel(&revisions, &[], &[], &[])[0].drop_off, None);
    }

    #[test]
    fn the_median_is_in_the_middle() {
        let bars = |entries: &[(i32, i32)]| Bars(entries.iter().copied().collect()).median();
        assert_eq!(bars(&[]), None);
        assert_eq!(bars(&[(4, 0)]), None);
        assert_eq!(bars(&[(4, 1)]), Some(4));
        assert_eq!(bars(&[(4, 1), (8, 1)]), Some(6));
        assert_eq!(bars(&[(4, 2), (8, 1)]), Some(4));
        assert_eq!(bars(&[(2, 1), (4, 0), (8, 3)]), Some(8));
    }
}
