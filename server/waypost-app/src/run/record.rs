//! Storing what pages report.

use std::collections::{BTreeMap, HashMap};

use traitql::{Code, Ctx, DateTime, FieldError, Id, Throws};
use waypost_api::{Ack, ErrorCode, EventInput, ParticipantInput, Rejection, errors, field, resolve};

use super::{Facts, Happening, store, visitors};
use crate::{App, change::Changed, site};

/// How old an event may be: 7 days, in milliseconds.
const AGE_MS: i64 = 7 * 24 * 60 * 60 * 1000;

/// A release that runs of a site may belong to.
#[derive(Debug, Clone)]
pub(crate) struct Playable {
    pub(crate) id: Id,
    pub(crate) tour_id: Id,
    pub(crate) revision_id: Id,
    /// Keys of the steps, in their order.
    pub(crate) keys: Vec<String>,
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

/// Takes an event, or says why not.
fn admit<'r>(
    event: &EventInput,
    release: Option<&'r Playable>,
    run: Option<&Row>,
    participant: &Id,
    now: DateTime,
) -> Result<(&'r Playable, Facts), FieldError> {
    check_run_id(&event.run_id)?;
    let release = release.ok_or_else(|| errors::UnknownRelease {}.into_field_error())?;
    if let Some(run) = run {
        if !run.here || run.participant_id != *participant {
            return Err(errors::RunNotYours {}.into_field_error());
        }
        if run.release_id != release.id {
            return Err(errors::UnknownRelease {}.into_field_error());
        }
    }
    if now.as_millis() - event.at.as_millis() > AGE_MS {
        return Err(errors::EventTooOld {}.into_field_error());
    }
    let facts = Facts::from(Happening {
        kind: event.kind,
        seq: event.seq,
        step: step(event, release)?,
        // A browser whose clock is ahead cannot report from the future.
        at: event.at.min(now),
        active_ms: event.active_ms,
        reason: event.reason.value(),
    });
    Ok((release, facts))
}

/// Position of the event's step. Events about a step must name it.
fn step(event: &EventInput, release: &Playable) -> Result<Option<u32>, FieldError> {
    use waypost_api::EventKind::*;
    let Some(key) = event.step_key.as_ref().value() else {
        return match event.kind {
            StepSeen | StepDone | TargetMissing => Err(invalid("stepKey", "an event about a step must name it")),
            RunStarted | RunCompleted | RunDismissed | RunFailed => Ok(None),
        };
    };
    let place = release.keys.iter().position(|known| known == key);
    match place.and_then(|place| u32::try_from(place).ok()) {
        Some(place) => Ok(Some(place)),
        None => Err(errors::UnknownStep { key: key.clone() }.into_field_error()),
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

/// Decides over all events of a batch.
pub(crate) fn settle<'e>(
    events: &'e [EventInput],
    releases: &'e HashMap<Id, Playable>,
    runs: &HashMap<Id, Row>,
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
        match admit(event, releases.get(&event.release_id), run, participant, now) {
            Ok((release, facts)) => {
                let joined = run.map_or(facts, |run| run.facts.join(facts));
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
        let mut tx = self.store.save().await?;
        let now = tx.now;
        let visitor = visitors::visitor(tx.conn(), &site.id, &participant, now).await?;
        let releases = store::playable(tx.conn(), &site.id, &events).await?;
        let runs = store::rows(tx.conn(), &site.id, &events).await?;
        let outcome = settle(&events, &releases, &runs, &visitor, now);
        if outcome.admitted.is_empty() {
            // Nothing is kept, not even the visitor: whoever sends only nonsense leaves no trace.
            return Ok(Ack {
                accepted: 0,
                rejected: outcome.rejected,
            });
        }
        store::save(tx.conn(), &site.id, &outcome, now).await?;
        if site::is_news(&site, now) {
            site::store::seen(tx.conn(), &site.id, now).await?;
            tx.touch(Changed::Site(site.id));
        }
        tx.commit().await?;
        Ok(Ack {
            accepted: i32::try_from(outcome.admitted.len()).unwrap_or(i32::MAX),
            rejected: outcome.rejected,
        })
    }
}
