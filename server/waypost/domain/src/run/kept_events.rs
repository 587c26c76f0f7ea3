//! The events of a run, in one column of the run.
//!
//! A row per event would cost about 100 bytes. Here an event costs about six, encoded as the difference to the event
//! before it: a byte with the kind, a flag for the reason and the gap between sequence numbers; the step; the reason; the
//! active time; and the difference between wall-clock time and active time.

use std::collections::BTreeMap;

use traitql::{DateTime, Internal};
use waypost_api::{EndReason, EventKind, RunEvent};

use super::varint::{push, read};

/// Space for each step to be shown and completed, with as much again for visitors who go back and forth.
const MAX_BYTES_PER_STEP: usize = 16;
/// Applies to tours with few steps.
const MIN_CAPACITY: usize = 128;

/// The encoding stores positions in this list.
const KINDS: [EventKind; 7] = [
    EventKind::RunStarted,
    EventKind::StepSeen,
    EventKind::StepDone,
    EventKind::TargetMissing,
    EventKind::RunCompleted,
    EventKind::RunDismissed,
    EventKind::RunFailed,
];
/// The reasons by the number with which they are stored, see [`KINDS`].
const REASONS: [EndReason; 7] = [
    EndReason::Finished,
    EndReason::CloseButton,
    EndReason::Escape,
    EndReason::OverlayClick,
    EndReason::TargetMissing,
    EndReason::Program,
    EndReason::ReleaseEnded,
];
const REASON_FLAG: u8 = 1 << 3;
/// Instead of an event, before the number of [`KeptEvents::full_from`]. No kind has this position.
const FULL: u8 = 7;
/// A gap that is at least this long follows as a number.
const LONG_GAP: i64 = 15;
const NO_STEP: i64 = 0;
/// The key of a step that the run's revision lacks follows as text.
const OTHER_STEP: i64 = 1;

#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct KeptEvents {
    by_seq: BTreeMap<i32, RunEvent>,
    /// The lowest sequence number that did not fit. Events from there on are not kept.
    full_from: Option<i32>,
}

impl KeptEvents {
    pub(super) fn insert(&mut self, event: RunEvent) {
        if self.full_from.is_none_or(|full_from| event.seq < full_from) {
            self.by_seq.entry(event.seq).or_insert(event);
        }
    }

    /// True if the retention has deleted the events, of which each run has one at least.
    pub(super) fn is_empty(&self) -> bool {
        self.by_seq.is_empty() && self.full_from.is_none()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &RunEvent> {
        self.by_seq.values()
    }

    pub(super) fn into_iter(self) -> impl Iterator<Item = RunEvent> {
        self.by_seq.into_values()
    }

    /// `keys` are the steps of the run's revision.
    ///
    /// Events after one that does not fit are not kept either, so the order of reports does not matter.
    pub(super) fn pack(&self, keys: &[String]) -> Vec<u8> {
        let capacity = MIN_CAPACITY.max(MAX_BYTES_PER_STEP * keys.len());
        let mut bytes = Vec::new();
        let mut full_from = self.full_from;
        let (mut seq, mut active_ms, mut lag) = (-1, 0, 0);
        for event in self.iter() {
            let complete = bytes.len();
            let gap = i64::from(event.seq - seq - 1);
            let kind = position(&KINDS, event.kind);
            let reason = event.reason.map(|reason| position(&REASONS, reason));
            let flag = if reason.is_some() { REASON_FLAG } else { 0 };
            let short_gap = u8::try_from(gap.min(LONG_GAP)).unwrap_or_default();
            bytes.push(kind | flag | short_gap << 4);
            if gap >= LONG_GAP {
                push(&mut bytes, gap - LONG_GAP);
            }
            push_step(&mut bytes, event.step_key.as_deref(), keys);
            bytes.extend(reason);
            let event_lag = event.at.as_millis() - i64::from(event.active_ms);
            push(&mut bytes, i64::from(event.active_ms) - i64::from(active_ms));
            push(&mut bytes, event_lag - lag);
            if bytes.len() > capacity {
                bytes.truncate(complete);
                full_from = Some(event.seq);
                break;
            }
            (seq, active_ms, lag) = (event.seq, event.active_ms, event_lag);
        }
        if let Some(seq) = full_from {
            bytes.push(FULL);
            push(&mut bytes, seq.into());
        }
        bytes
    }

    /// `keys` are the steps of the run's revision.
    pub(super) fn unpack(packed: &[u8], keys: &[String]) -> Result<Self, Internal> {
        let mut rest = packed;
        let mut events = Self::default();
        let (mut seq, mut active_ms, mut lag) = (-1, 0, 0);
        let damaged = || Internal::new("the column `events` of a run is damaged");
        while !rest.is_empty() {
            if let Some((&FULL, mut end)) = rest.split_first() {
                let full_from = read(&mut end).and_then(|seq| i32::try_from(seq).ok());
                events.full_from = Some(full_from.ok_or_else(damaged)?);
                break;
            }
            let event = read_event(&mut rest, keys, (seq, active_ms, lag));
            let event = event.ok_or_else(damaged)?;
            (seq, active_ms) = (event.seq, event.active_ms);
            lag = event.at.as_millis() - i64::from(active_ms);
            events.insert(event);
        }
        Ok(events)
    }
}

fn position<T: PartialEq + Copy>(list: &[T], value: T) -> u8 {
    let position = list.iter().position(|known| *known == value);
    let position = position.and_then(|position| u8::try_from(position).ok());
    position.expect("the list contains all values")
}

fn push_step(bytes: &mut Vec<u8>, key: Option<&str>, keys: &[String]) {
    let Some(key) = key else {
        return push(bytes, NO_STEP);
    };
    match (0..).zip(keys).find(|(_, known)| *known == key) {
        Some((index, _)) => push(bytes, OTHER_STEP + 1 + index),
        None => {
            push(bytes, OTHER_STEP);
            push(bytes, i64::try_from(key.len()).unwrap_or(i64::MAX));
            bytes.extend(key.as_bytes());
        }
    }
}

/// Returns `None` if the bytes are no event.
fn read_event(rest: &mut &[u8], keys: &[String], (seq, active_ms, lag): (i32, i32, i64)) -> Option<RunEvent> {
    let head = *rest.split_off_first()?;
    let kind = *KINDS.get(usize::from(head & 7))?;
    let mut gap = i64::from(head >> 4);
    if gap >= LONG_GAP {
        gap += read(rest)?;
    }
    let step_key = match read(rest)? {
        NO_STEP => None,
        OTHER_STEP => {
            let length = usize::try_from(read(rest)?).ok()?;
            let key = rest.split_off(..length)?;
            Some(std::str::from_utf8(key).ok()?.to_owned())
        }
        index => Some(keys.get(usize::try_from(index - OTHER_STEP - 1).ok()?)?.clone()),
    };
    let reason = match head & REASON_FLAG {
        0 => None,
        _ => Some(*REASONS.get(usize::from(*rest.split_off_first()?))?),
    };
    let active_ms = i64::from(active_ms).checked_add(read(rest)?)?;
    Some(RunEvent {
        seq: i32::try_from(i64::from(seq).checked_add(gap)?.checked_add(1)?).ok()?,
        kind,
        step_key,
        at: DateTime::from_millis(lag.checked_add(read(rest)?)?.checked_add(active_ms)?)?,
        active_ms: i32::try_from(active_ms).ok()?,
        reason,
    })
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;

    use super::*;

    fn random_event(rng: &mut Rng, seq: i32) -> RunEvent {
        let keys = ["a", "b", "of-another-revision"];
        RunEvent {
            seq,
            kind: KINDS[rng.usize(..7)],
            step_key: rng.bool().then(|| keys[rng.usize(..3)].to_owned()),
            at: DateTime::from_millis(rng.i64(0..2_000_000_000_000)).expect("a time"),
            active_ms: rng.i32(0..=86_400_000),
            reason: rng.bool().then(|| REASONS[rng.usize(..7)]),
        }
    }

    fn keys() -> Vec<String> {
        vec!["a".into(), "b".into()]
    }

    #[test]
    fn packed_events_are_unpacked() {
        let mut rng = Rng::with_seed(5);
        for _ in 0..500 {
            let mut events = KeptEvents::default();
            for _ in 0..rng.usize(..4) {
                let seq = rng.i32(0..=2000);
                events.insert(random_event(&mut rng, seq));
            }
            let unpacked = KeptEvents::unpack(&events.pack(&keys()), &keys());
            assert_eq!(unpacked.expect("valid"), events);
        }
    }

    #[test]
    fn the_events_that_fit_do_not_depend_on_the_order_of_reports() {
        let mut rng = Rng::with_seed(6);
        for _ in 0..200 {
            let mut all: Vec<RunEvent> = (0..100).map(|seq| random_event(&mut rng, seq)).collect();
            let mut once = KeptEvents::default();
            all.iter().cloned().for_each(|event| once.insert(event));
            let once = once.pack(&keys());
            assert!(once.len() <= MIN_CAPACITY + 4);
            rng.shuffle(&mut all);
            let mut packed = Vec::new();
            for report in all.chunks(7) {
                let mut events = KeptEvents::unpack(&packed, &keys()).expect("valid");
                report.iter().cloned().for_each(|event| events.insert(event));
                packed = events.pack(&keys());
            }
            assert_eq!(packed, once);
        }
    }

    #[test]
    fn damaged_bytes_are_an_error() {
        for bytes in [[7].as_slice(), &[0x10, 200, 1], &[0, 2, 250, 255], &[0x80; 20]] {
            assert!(KeptEvents::unpack(bytes, &keys()).is_err(), "{bytes:?}");
        }
    }
}
