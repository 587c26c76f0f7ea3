//! Insights: how a tour does, computed from the rows of its runs.
//!
//! A run counts on the day it began and says in bits which steps were seen and finished, so a funnel needs no events: runs
//! with the same bits are counted by the database, and the bits are spread over the steps here.

mod resolvers;
mod store;

use std::collections::BTreeMap;

use traitql::Date;
use waypost_api::{DayInsight, DayRangeInput, Step, StepInsight, errors};

/// How many days a range may have.
const DAYS_MAX: i64 = 366;
const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// Whole days: numbers since 1970-01-01, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Days {
    from: i64,
    to: i64,
}

/// Why a range is none.
#[derive(Debug, PartialEq)]
enum RangeProblem {
    Backwards(errors::InvalidInput),
    TooLong(errors::RangeTooLong),
}

impl Days {
    fn of(range: &DayRangeInput) -> Result<Self, RangeProblem> {
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

/// Runs of one revision that have the same bits.
#[derive(Debug, Clone, Copy)]
struct Bits {
    revision: usize,
    seen: i64,
    done: i64,
    missing: i64,
    runs: i32,
}

/// The funnel: steps of the newest revision in their order, then those that only older ones had. A step is known by its key
/// in all revisions. `revisions` are in the order of [`Bits::revision`], the newest first.
fn funnel(revisions: &[Vec<Step>], counts: &[Bits]) -> Vec<StepInsight> {
    let mut steps: Vec<StepInsight> = Vec::new();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for step in revisions.iter().flatten() {
        places.entry(&step.key).or_insert_with(|| {
            steps.push(StepInsight {
                step_key: step.key.clone(),
                title: step.title.clone(),
                seen: 0,
                done: 0,
                missing: 0,
                drop_off: None,
            });
            steps.len() - 1
        });
    }
    for count in counts {
        for (bit, step) in revisions[count.revision].iter().enumerate() {
            let insight = &mut steps[places[step.key.as_str()]];
            let add = |bits: i64| if bits >> bit & 1 == 1 { count.runs } else { 0 };
            insight.seen += add(count.seen);
            insight.done += add(count.done);
            insight.missing += add(count.missing);
        }
    }
    for step in &mut steps {
        step.drop_off = share(step.done, step.seen).map(|done| 1.0 - done);
    }
    steps
}

/// The part of a whole, if there is a whole.
fn share(part: i32, whole: i32) -> Option<f64> {
    (whole > 0).then(|| f64::from(part) / f64::from(whole))
}

/// One entry for each day of a range, also for those on which nothing happened.
fn every_day(days: Days, known: &BTreeMap<i64, DayInsight>) -> Vec<DayInsight> {
    let day = |number| {
        known.get(&number).cloned().unwrap_or(DayInsight {
            day: date(number),
            started: 0,
            completed: 0,
            dismissed: 0,
        })
    };
    (days.from..=days.to).map(day).collect()
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
        let known = BTreeMap::from([(
            days.from + 1,
            DayInsight {
                day: day("2026-02-28"),
                started: 3,
                completed: 2,
                dismissed: 1,
            },
        )]);
        let all = every_day(days, &known);
        let started: Vec<(String, i32)> = all.iter().map(|d| (d.day.to_string(), d.started)).collect();
        let expected = [("2026-02-27", 0), ("2026-02-28", 3), ("2026-03-01", 0)];
        assert_eq!(started, expected.map(|(day, n)| (day.to_owned(), n)));
    }

    #[test]
    fn steps_are_counted_by_key_over_revisions() {
        let revision = |keys: &[&str]| -> Vec<Step> { keys.iter().map(|key| content::step(step(key))).collect() };
        let revisions = [revision(&["b", "a"]), revision(&["a", "old"])];
        let bits = |revision, seen, done, runs| Bits {
            revision,
            seen,
            done,
            missing: 0,
            runs,
        };
        let funnel = funnel(
            &revisions,
            &[bits(0, 0b11, 0b01, 4), bits(1, 0b01, 0b01, 2), bits(1, 0b11, 0b00, 1)],
        );
        let rows: Vec<_> = funnel.iter().map(|s| (s.step_key.as_str(), s.seen, s.done)).collect();
        assert_eq!(rows, [("b", 4, 4), ("a", 7, 2), ("old", 1, 0)]);
        assert_eq!(funnel[0].drop_off, Some(0.0));
        assert_eq!(funnel[2].drop_off, Some(1.0));
        assert_eq!(super::funnel(&revisions, &[])[0].drop_off, None);
    }
}
