//! Storing what pages report.

use std::collections::{BTreeMap, HashMap, HashSet};

use traitql::{Code, Ctx, DateTime, FieldError, Id, Internal, Throws};
use waypost_api::{Ack, ErrorCode, EventInput, EventKind, ParticipantInput, Rejection, errors, field, resolve};

use super::{Bits, Facts, Happening, ingest::Report, store, visitors};
use crate::{App, change::Changed, site, store::Conn};

/// How old an event may be: 7 days, in milliseconds.
pub(crate) const AGE_MS: i64 = 7 * 24 * 60 * 60 * 1000;

/// A release that runs of a site may belong to.
#[derive(Debug, Clone)]
pub(crate) struct Playable {
    pub(crate) id: Id,
    pub(crate) tour_id: Id,
    pub(crate) revision_id: Id,
    pub(crate) at: DateTime,
    /// Keys of the steps, in their order.
    pub(crate) keys: Vec<String>,
    /// When its active runs were ended.
    pub(crate) runs_ended_at: Option<DateTime>,
}

impl Playable {
    /// Whichever of two releases of a tour came later.
    fn later<'r>(&'r self, other: &'r Self) -> &'r Self {
        if (self.at, &self.id) < (other.at, &other.id) {
            other
        } else {
            self
        }
    }

    fn place(&self, key: &str) -> Option<u32> {
        let place = self.keys.iter().position(|known| known == key)?;
        u32::try_from(place).ok()
    }
}

/// What an event says about a step, whatever revision it was said of.
pub(crate) struct Told {
    pub(crate) kind: EventKind,
    pub(crate) step_key: Option<String>,
    pub(crate) seq: i32,
    pub(crate) active_ms: i32,
}

/// A run as it is stored.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Row {
    pub(crate) id: Id,
    pub(crate) release_id: Id,
    pub(crate) participant_id: Id,
    /// False for a run that exists on another site.
    pub(crate) here: bool,
    pub(crate) facts: Facts,
}

/// Takes an event, or says why not. A run belongs to the latest release that it was played under: a page that learns of
/// a new release goes on with the run that it has.
fn admit<'r>(
    event: &EventInput,
    releases: &'r HashMap<Id, Playable>,
    run: Option<&Row>,
    participant: &Id,
    now: DateTime,
) -> Result<(&'r Playable, Facts), FieldError> {
    check_run_id(&event.run_id)?;
    let unknown = || errors::UnknownRelease {}.into_field_error();
    let said_of = releases.get(&event.release_id).ok_or_else(unknown)?;
    let mut release = said_of;
    if let Some(run) = run {
        if !run.here || run.participant_id != *participant {
            return Err(errors::RunNotYours {}.into_field_error());
        }
        let before = releases.get(&run.release_id).ok_or_else(unknown)?;
        if before.tour_id != said_of.tour_id {
            return Err(unknown());
        }
        release = before.later(said_of);
    }
    check_step(event, said_of)?;
    if now.as_millis() - event.at.as_millis() > AGE_MS {
        return Err(errors::EventTooOld {}.into_field_error());
    }
    let facts = Facts::from(Happening {
        kind: event.kind,
        seq: event.seq,
        step: event.step_key.as_ref().value().and_then(|key| release.place(key)),
        // A browser whose clock is ahead cannot report from the future.
        at: event.at.min(now),
        active_ms: event.active_ms,
        reason: event.reason.value(),
    });
    Ok((release, facts))
}

/// Events about a step must name it, and it must be one of the release that the page played.
fn check_step(event: &EventInput, release: &Playable) -> Result<(), FieldError> {
    use EventKind::*;
    match (event.step_key.as_ref().value(), event.kind) {
        (Some(key), _) if release.place(key).is_none() => {
            Err(errors::UnknownStep { key: key.clone() }.into_field_error())
        }
        (None, StepSeen | StepDone | TargetMissing) => Err(invalid("stepKey", "an event about a step must name it")),
        _ => Ok(()),
    }
}

/// Ids of runs are made by browsers; one form only, so that a run has one id.
fn check_run_id(id: &Id) -> Result<(), FieldError> {
    let uuid = uuid::Uuid::try_parse(id.as_str()).ok();
    match uuid.filter(|uuid| uuid.get_version_num() == 7 && uuid.to_string() == id.as_str()) {
        Some(_) => Ok(()),
        None => Err(invalid("runId", "this must be a UUID of version 7 in lower case")),
    }
}

fn invalid(field: &str, problem: &str) -> FieldError {
    errors::InvalidInput {
        field: field.to_owned(),
        problem: problem.to_owned(),
    }
    .into_field_error()
}

fn rejection(event: &EventInput, error: FieldError) -> Rejection {
    Rejection {
        run_id: event.run_id.clone(),
        seq: event.seq,
        code: ErrorCode::from_graphql(error.code).expect("the codes of generated errors are those of the catalogue"),
        message: error.message,
    }
}

/// What a batch of events comes to.
pub(crate) struct Outcome<'e> {
    /// Runs with a row that is new or other than before, with their release.
    pub(crate) rows: BTreeMap<Id, (Row, &'e Playable)>,
    /// Events to store.
    pub(crate) admitted: Vec<(&'e EventInput, DateTime)>,
    pub(crate) rejected: Vec<Rejection>,
}

/// The runs that events of another revision than theirs are about: what was told of them must be known.
fn moving<'e>(
    events: &'e [EventInput],
    releases: &'e HashMap<Id, Playable>,
    runs: &'e HashMap<Id, Row>,
) -> Vec<&'e Id> {
    let revision = |release: &Id| releases.get(release).map(|release| &release.revision_id);
    let moves = events.iter().filter_map(|event| {
        let run = runs.get(&event.run_id)?;
        (revision(&run.release_id) != revision(&event.release_id)).then_some(&run.id)
    });
    moves.collect()
}

/// The bits of a run in the steps of a release, counted anew from all that was told of it: a step that an earlier revision
/// lacked may be there again.
fn counted<'t>(told: impl Iterator<Item = (EventKind, Option<&'t String>, i32, i32)>, release: &Playable) -> Bits {
    told.map(|(kind, key, seq, active_ms)| Bits::of(kind, key.and_then(|key| release.place(key)), seq, active_ms))
        .fold(Bits::default(), Bits::join)
}

/// Decides over all events of a batch. `told` holds what is stored of the runs that move to another revision.
pub(crate) fn settle<'e>(
    events: &'e [EventInput],
    releases: &'e HashMap<Id, Playable>,
    runs: &HashMap<Id, Row>,
    told: &HashMap<Id, Vec<Told>>,
    erased: &HashSet<Id>,
    participant: &Id,
    now: DateTime,
) -> Outcome<'e> {
    let mut outcome = Outcome {
        rows: BTreeMap::new(),
        admitted: Vec::new(),
        rejected: Vec::new(),
    };
    for event in events {
        let run = outcome.rows.get(&event.run_id).map(|(row, _)| row);
        let run = run.or_else(|| runs.get(&event.run_id));
        let admitted = if erased.contains(&event.run_id) {
            Err(errors::RunNotYours {}.into_field_error())
        } else {
            admit(event, releases, run, participant, now)
        };
        match admitted {
            Ok((release, facts)) => {
                let before = run.map(|run| {
                    if releases[&run.release_id].revision_id == release.revision_id {
                        return run.facts;
                    }
                    let stored = told.get(&run.id).into_iter().flatten();
                    let stored = stored.map(|told| (told.kind, told.step_key.as_ref(), told.seq, told.active_ms));
                    let fresh = outcome.admitted.iter().filter(|(event, _)| event.run_id == run.id);
                    let fresh = fresh
                        .map(|(event, _)| (event.kind, event.step_key.as_ref().value(), event.seq, event.active_ms));
                    run.facts.with_bits(counted(stored.chain(fresh), release))
                });
                let joined = before.map_or(facts, |before| before.join(facts));
                let joined = release.runs_ended_at.map_or(joined, |end| joined.superseded(end));
                let row = Row {
                    id: event.run_id.clone(),
                    release_id: release.id.clone(),
                    participant_id: participant.clone(),
                    here: true,
                    facts: joined,
                };
                outcome.rows.insert(row.id.clone(), (row, release));
                outcome.admitted.push((event, event.at.min(now)));
            }
            Err(error) => outcome.rejected.push(rejection(event, error)),
        }
    }
    outcome
}

impl resolve::MutationRecord for App {
    async fn resolve(
        &self,
        cx: &Ctx,
        site_key: String,
        participant: ParticipantInput,
        events: Vec<EventInput>,
    ) -> Result<Ack, Throws<field::MutationRecord>> {
        let site = site::store::by_key(self.store.reader(), &site_key).await?;
        let site = site.ok_or(errors::UnknownSite {})?;
        if !site::admits(&site, &self.own_origin(), cx.origin()) {
            return Err(site::refused(cx.origin()).into());
        }
        let report = Report {
            site,
            participant,
            events,
        };
        Ok(self.ingest.take(report).await?)
    }
}

/// What came of a report.
pub(super) struct Stored {
    pub(super) ack: Ack,
    /// What to announce once it is committed.
    pub(super) changes: Vec<Changed>,
}

/// Writes a report, unless nothing of it can be accepted: then what was written about its visitor is to be undone.
pub(super) async fn store_report(conn: &mut Conn, report: &Report, now: DateTime) -> Result<Stored, Internal> {
    let Report {
        site,
        participant,
        events,
    } = report;
    let visitor = visitors::visitor(conn, &site.id, participant, now).await?;
    let runs = store::rows(conn, &site.id, events).await?;
    let releases = store::playable(conn, &site.id, events, &runs).await?;
    let moving = moving(events, &releases, &runs);
    let told = match moving.is_empty() {
        true => HashMap::new(),
        false => store::told(conn, &moving).await?,
    };
    let erased = store::erased(conn, events).await?;
    let outcome = settle(events, &releases, &runs, &told, &erased, &visitor, now);
    let mut changes = vec![Changed::Participant(visitor)];
    if !outcome.admitted.is_empty() {
        store::save(conn, &site.id, &outcome, now).await?;
        if site::is_news(site, now) {
            site::store::seen(conn, &site.id, now).await?;
            changes.push(Changed::Site(site.id.clone()));
        }
    }
    let ack = Ack {
        accepted: i32::try_from(outcome.admitted.len()).unwrap_or(i32::MAX),
        rejected: outcome.rejected,
    };
    Ok(Stored { ack, changes })
}
