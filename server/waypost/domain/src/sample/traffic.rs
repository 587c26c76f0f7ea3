//! Deterministic visitors and their behavior.
//!
//! The random numbers depend only on the day, so that all installations of a day have the same sample. Ids have a
//! separate generator, because the ids of the site and the tour decide how many are drawn.

use std::{collections::BTreeMap, ops::Range};

use fastrand::Rng;
use serde::Deserialize;
use traitql::{DateTime, Id};
use waypost_api::{EndReason, EventInput, EventKind};

use super::history::{DAYS, SampleSite};
use crate::{
    clock::DAY_MS,
    release::allocation::{Allocation, TrafficSplit, bucket},
    visitor::identity::ReportedVisitor,
};

const SEED: u64 = 2026;
const MINUTE_MS: i64 = 60 * 1000;
const VISITORS: [(SampleSite, usize); 2] = [(SampleSite::Shop, 1450), (SampleSite::Help, 550)];
/// The visits by hour of the day in UTC.
const HOURS: [u32; 24] = [
    3, 2, 1, 1, 1, 2, 4, 9, 16, 22, 26, 27, 24, 25, 28, 29, 27, 24, 22, 21, 19, 15, 10, 6,
];
const WEEKDAYS: [u32; 7] = [100, 108, 112, 105, 92, 48, 40];
const LOCALES: [(&str, u32); 8] = [
    ("en-US", 36),
    ("de-DE", 20),
    ("en-GB", 12),
    ("fr-FR", 10),
    ("es-ES", 8),
    ("nl-NL", 6),
    ("sv-SE", 4),
    ("pl-PL", 4),
];

pub(super) struct SampleVisitor {
    pub(super) site: SampleSite,
    pub(super) in_holdout: bool,
    pub(super) input: ReportedVisitor,
    /// Has the external id, reported from this visit on.
    account: Option<(String, usize)>,
    /// Drawn at the first visit.
    pub(super) id: Option<Id>,
    /// Slugs of tours that are not offered again.
    pub(super) finished: Vec<String>,
    pub(super) exposed_to: Vec<Id>,
    pub(super) has_ordered: bool,
}

pub(super) struct Visit {
    pub(super) at: DateTime,
    pub(super) visitor: usize,
    pub(super) earlier: usize,
}

impl SampleVisitor {
    pub(super) fn input_at(&self, visit: &Visit) -> ReportedVisitor {
        let mut input = self.input.clone();
        if let Some((name, from)) = &self.account
            && *from <= visit.earlier
        {
            input.external_id = Some(name.clone());
        }
        input
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct StepBehavior {
    next: f64,
    seconds: f64,
    /// The next step and its share of the visitors; `END` ends the tour.
    #[serde(default)]
    to: BTreeMap<String, f64>,
    /// The page then lacks the element.
    missing_from: Option<i64>,
}

pub(super) struct SampleRun {
    pub(super) events: Vec<EventInput>,
    pub(super) completed: bool,
    /// The visitor completed, dismissed or left the tour.
    pub(super) end: DateTime,
}

pub(super) struct Traffic {
    behavior: Rng,
    ids: Rng,
    now: DateTime,
    midnight: i64,
}

fn time(millis: i64) -> DateTime {
    DateTime::from_millis(millis).expect("the sample covers the last days")
}

impl Traffic {
    pub(super) fn new(now: DateTime) -> Self {
        let midnight = now.as_millis() - now.as_millis().rem_euclid(DAY_MS);
        let day = u64::try_from(midnight / DAY_MS).unwrap_or_default();
        Self {
            behavior: Rng::with_seed(SEED.wrapping_add(day)),
            ids: Rng::new(),
            now,
            midnight,
        }
    }

    /// `day` is 0 to [`DAYS`]. The hours of today are compressed into the time until now.
    pub(super) fn time_on(&self, day: i64, millis: i64) -> DateTime {
        let start = self.midnight - (DAYS - day) * DAY_MS;
        if day < DAYS {
            return time(start + millis);
        }
        let elapsed = self.now.as_millis() - self.midnight;
        time(start + i64::try_from(i128::from(millis) * i128::from(elapsed) / i128::from(DAY_MS)).unwrap_or(elapsed))
    }

    /// Visits are in the order of time.
    pub(super) fn visitors(&mut self) -> (Vec<SampleVisitor>, Vec<Visit>) {
        let mut visitors = Vec::new();
        let mut visits = Vec::new();
        let weekday = |day: i64| {
            let days = (self.midnight / DAY_MS - (DAYS - day) + 3).rem_euclid(7);
            WEEKDAYS[usize::try_from(days).unwrap_or_default()]
        };
        // The number of visitors grows by half within the month.
        let weights: Vec<u32> = (1..=DAYS)
            .map(|day| weekday(day) * u32::try_from(2 * DAYS + day).unwrap_or(1))
            .collect();
        for (site, count) in VISITORS {
            for _ in 0..count {
                let first = 1 + i64::try_from(self.weighted(&weights)).unwrap_or_default();
                let index = visitors.len();
                visitors.push(self.visitor(site, index));
                let mut day = first;
                let mut earlier = 0;
                while day <= DAYS {
                    let at = self.hour_of_day();
                    visits.push(Visit {
                        at: self.time_on(day, at),
                        visitor: index,
                        earlier,
                    });
                    if !self.chance(0.38) {
                        break;
                    }
                    // At least two days, so that the cooldown of the site has passed.
                    day += self.behavior.i64(2..9);
                    earlier += 1;
                }
            }
        }
        visits.sort_by_key(|visit| (visit.at, visit.visitor));
        (visitors, visits)
    }

    fn visitor(&mut self, site: SampleSite, index: usize) -> SampleVisitor {
        let anonymous_id = self.uuid(self.now);
        let locale = self.weighted(&LOCALES.map(|(_, share)| share));
        let input = ReportedVisitor {
            anonymous_id,
            external_id: None,
            verified: false,
            locale: Some(LOCALES[locale].0.to_owned()),
            traits: None,
        };
        let account = self.chance(0.45).then(|| {
            let from = usize::from(self.chance(0.3));
            (format!("customer-{}", 10_000 + index * 7), from)
        });
        SampleVisitor {
            site,
            in_holdout: self.chance(0.2),
            input,
            account,
            id: None,
            finished: Vec::new(),
            exposed_to: Vec::new(),
            has_ordered: false,
        }
    }

    fn hour_of_day(&mut self) -> i64 {
        let hour = i64::try_from(self.weighted(&HOURS)).unwrap_or_default();
        hour * 60 * MINUTE_MS + self.behavior.i64(0..60 * MINUTE_MS)
    }

    fn weighted(&mut self, weights: &[u32]) -> usize {
        let mut left = self.behavior.u32(0..weights.iter().sum());
        weights
            .iter()
            .position(|weight| match left.checked_sub(*weight) {
                Some(rest) => {
                    left = rest;
                    false
                }
                None => true,
            })
            .unwrap_or_default()
    }

    pub(super) fn chance(&mut self, probability: f64) -> bool {
        self.behavior.f64() < probability
    }

    pub(super) fn later(&mut self, at: DateTime, seconds: Range<i64>) -> DateTime {
        time(at.as_millis() + self.behavior.i64(seconds) * 1000)
    }

    pub(super) fn now(&self) -> DateTime {
        self.now
    }

    fn uuid(&mut self, at: DateTime) -> Id {
        let mut random = [0; 10];
        self.ids.fill(&mut random);
        let millis = u64::try_from(at.as_millis()).unwrap_or_default();
        uuid::Builder::from_unix_timestamp_millis(millis, &random)
            .into_uuid()
            .into()
    }

    /// Draws until the id is allocated to the visitor's group. The ids of the site and the tour differ in each
    /// installation.
    pub(super) fn visitor_id(
        &mut self,
        visitor: &SampleVisitor,
        at: DateTime,
        compared: Option<(&Id, &Id, TrafficSplit)>,
    ) -> Id {
        loop {
            let id = self.uuid(at);
            let Some((site, tour, split)) = compared else {
                return id;
            };
            let in_holdout = split.allocate(bucket(site, tour, &id)) == Allocation::Holdout;
            if in_holdout == visitor.in_holdout {
                return id;
            }
        }
    }

    pub(super) fn run(
        &mut self,
        release: &Id,
        keys: &[String],
        behaviors: &BTreeMap<String, StepBehavior>,
        at: DateTime,
    ) -> SampleRun {
        let day = (at.as_millis() - self.midnight).div_euclid(DAY_MS) + DAYS;
        let mut events = RunEvents::new(self.uuid(at), release, at);
        let mut index = 0;
        let mut completed = true;
        while let Some(key) = keys.get(index) {
            let behavior = &behaviors[key];
            if behavior.missing_from.is_some_and(|from| from <= day) {
                // The player waits for the element before it skips the step.
                events.wait(4000);
                events.add(EventKind::TargetMissing, Some(key), None);
                index += 1;
                continue;
            }
            if events.list.is_empty() {
                events.add(EventKind::RunStarted, None, None);
            }
            events.add(EventKind::StepSeen, Some(key), None);
            // Most visitors are fast, and some are slow: the square has a long tail.
            let pace = self.behavior.f64();
            let typical = behavior.seconds * (0.4 + 1.8 * pace * pace);
            #[expect(clippy::cast_possible_truncation, reason = "a few seconds")]
            events.wait((typical * 1000.0) as i64);
            if !self.chance(behavior.next) {
                completed = false;
                // A third leaves the page without closing the tour.
                if self.chance(0.67) {
                    let reasons = [
                        EndReason::CloseButton,
                        EndReason::CloseButton,
                        EndReason::Escape,
                        EndReason::OverlayClick,
                    ];
                    let reason = reasons[self.behavior.usize(0..reasons.len())];
                    events.add(EventKind::RunDismissed, Some(key), Some(reason));
                }
                break;
            }
            events.add(EventKind::StepDone, Some(key), None);
            index = self.next_step(index, behavior, keys);
        }
        if completed {
            events.add(EventKind::RunCompleted, None, None);
        }
        SampleRun {
            completed,
            end: events.at,
            events: events.list,
        }
    }

    fn next_step(&mut self, index: usize, behavior: &StepBehavior, keys: &[String]) -> usize {
        let mut left = self.behavior.f64();
        for (key, share) in &behavior.to {
            left -= share;
            if left < 0.0 {
                return keys.iter().position(|known| known == key).unwrap_or(keys.len());
            }
        }
        index + 1
    }
}

struct RunEvents<'a> {
    run: Id,
    release: &'a Id,
    start: DateTime,
    at: DateTime,
    list: Vec<EventInput>,
}

impl<'a> RunEvents<'a> {
    fn new(run: Id, release: &'a Id, start: DateTime) -> Self {
        Self {
            run,
            release,
            start,
            at: start,
            list: Vec::new(),
        }
    }

    fn wait(&mut self, millis: i64) {
        self.at = time(self.at.as_millis() + millis);
    }

    fn add(&mut self, kind: EventKind, step: Option<&String>, reason: Option<EndReason>) {
        let seq = i32::try_from(self.list.len()).unwrap_or(i32::MAX);
        let mut event = EventInput::new(self.run.clone(), self.release.clone(), seq, kind, self.at);
        event.active_ms = i32::try_from(self.at.as_millis() - self.start.as_millis()).unwrap_or(i32::MAX);
        if let Some(step) = step {
            event.step_key = step.clone().into();
        }
        if let Some(reason) = reason {
            event.reason = reason.into();
        }
        self.list.push(event);
    }
}
