//! Storing what pages report.

use std::collections::{BTreeSet, HashMap, HashSet};

use traitql::{Code, DateTime, FieldError, Id, Internal};
use waypost_api::{Ack, ErrorCode, EventInput, EventKind, Rejection, Site, errors};

use super::{Bits, Facts, Happening, ingest::Report, store, visitors::Visitors};
use crate::{
    change::Changed,
    site,
    store::{Conn, new_id},
};

/// How old an event may be: 7 days, in milliseconds.
pub const AGE_MS: i64 = 7 * 24 * 60 * 60 * 1000;

/// A release that runs of a site may belong to.
#[derive(Debug, Clone)]
pub(crate) struct Playable {
    pub(crate) id: Id,
    pub(crate) tour_id: Id,
    pub(crate) revision_id: Id,
    pub(crate) site_id: Id,
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
    pub(crate) site_id: Id,
    pub(crate) facts: Facts,
}

/// Who tells, and where.
struct Teller<'a> {
    site_id: &'a Id,
    id: Id,
    /// Who turns out to be the same person, once something they tell is taken.
    before: Option<Id>,
}

impl Teller<'_> {
    fn is(&self, participant: &Id) -> bool {
        self.id == *participant || self.before.as_ref() == Some(participant)
    }
}

/// Takes an event, or says why not. A run belongs to the latest release that it was played under: a page that learns of
/// a new release goes on with the run that it has.
fn admit<'r>(
    event: &EventInput,
    releases: &'r HashMap<Id, Playable>,
    run: Option<&Row>,
    teller: &Teller<'_>,
    now: DateTime,
) -> Result<(&'r Playable, Facts), FieldError> {
    check_run_id(&event.run_id)?;
    let unknown = || errors::UnknownRelease {}.into_field_error();
    let release_of = |id: &Id| releases.get(id).filter(|release| release.site_id == *teller.site_id);
    let said_of = release_of(&event.release_id).ok_or_else(unknown)?;
    let mut release = said_of;
    if let Some(run) = run {
        if run.site_id != *teller.site_id || !teller.is(&run.participant_id) {
            return Err(errors::RunNotYours {}.into_field_error());
        }
        let before = release_of(&run.release_id).ok_or_else(unknown)?;
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

/// The runs that events of another revision than theirs are about: what was told of them must be known.
fn moving(events: &[&EventInput], releases: &HashMap<Id, Playable>, runs: &HashMap<Id, Row>) -> Vec<Id> {
    let revision = |release: &Id| releases.get(release).map(|release| &release.revision_id);
    let moves = events.iter().filter_map(|event| {
        let run = runs.get(&event.run_id)?;
        (revision(&run.release_id) != revision(&event.release_id)).then(|| run.id.clone())
    });
    moves.collect()
}

/// The bits of a run in the steps of a release, counted anew from all that was told of it: a step that an earlier revision
/// lacked may be there again.
fn counted<'t>(told: impl Iterator<Item = (EventKind, Option<&'t String>, i32, i32)>, release: &Playable) -> Bits {
    told.map(|(kind, key, seq, active_ms)| Bits::of(kind, key.and_then(|key| release.place(key)), seq, active_ms))
        .fold(Bits::default(), Bits::join)
}

/// What events are about: first as the database has it, then as one report after the other leaves it.
pub(super) struct Subject<'e> {
    releases: HashMap<Id, Playable>,
    runs: HashMap<Id, Row>,
    /// What is stored of the runs that move to another revision.
    told: HashMap<Id, Vec<Told>>,
    erased: HashSet<Id>,
    /// The runs with a row that is new or other than before.
    changed: BTreeSet<Id>,
    /// Events to store, each with its time.
    admitted: Vec<(&'e EventInput, DateTime)>,
}

impl<'e> Subject<'e> {
    /// Reads what the database knows of the subject of some events.
    async fn read(conn: &mut Conn, events: &[&EventInput]) -> Result<Self, Internal> {
        let runs = store::rows(conn, events).await?;
        let releases = store::playable(conn, events, &runs).await?;
        let moving = moving(events, &releases, &runs);
        let told = match moving.is_empty() {
            true => HashMap::new(),
            false => store::told(conn, &moving).await?,
        };
        Ok(Self {
            erased: store::erased(conn, events).await?,
            releases,
            runs,
            told,
            changed: BTreeSet::new(),
            admitted: Vec::new(),
        })
    }

    /// Decides over the events of a report: answers with those that cannot be taken.
    fn settle(&mut self, events: &'e [EventInput], teller: &Teller<'_>, now: DateTime) -> Vec<Rejection> {
        let mut rejected = Vec::new();
        for event in events {
            match self.row(event, teller, now) {
                Ok(row) => {
                    self.changed.insert(row.id.clone());
                    self.runs.insert(row.id.clone(), row);
                    self.admitted.push((event, event.at.min(now)));
                }
                Err(error) => rejected.push(rejection(event, error)),
            }
        }
        rejected
    }

    /// The row of an event's run after the event.
    fn row(&self, event: &EventInput, teller: &Teller<'_>, now: DateTime) -> Result<Row, FieldError> {
        if self.erased.contains(&event.run_id) {
            return Err(errors::RunNotYours {}.into_field_error());
        }
        let run = self.runs.get(&event.run_id);
        let (release, facts) = admit(event, &self.releases, run, teller, now)?;
        let joined = run.map_or(facts, |run| self.before(run, release).join(facts));
        Ok(Row {
            id: event.run_id.clone(),
            release_id: release.id.clone(),
            participant_id: teller.id.clone(),
            site_id: teller.site_id.clone(),
            facts: release.runs_ended_at.map_or(joined, |end| joined.superseded(end)),
        })
    }

    /// The facts of a run, as the revision of `release` counts them.
    fn before(&self, run: &Row, release: &Playable) -> Facts {
        if self.releases[&run.release_id].revision_id == release.revision_id {
            return run.facts;
        }
        let stored = self.told.get(&run.id).into_iter().flatten();
        let stored = stored.map(|told| (told.kind, told.step_key.as_ref(), told.seq, told.active_ms));
        let fresh = self.admitted.iter().filter(|(event, _)| event.run_id == run.id);
        let fresh = fresh.map(|(event, _)| (event.kind, event.step_key.as_ref().value(), event.seq, event.active_ms));
        run.facts.with_bits(counted(stored.chain(fresh), release))
    }

    /// Makes the runs of one person those of another, as the database has done.
    fn merge(&mut self, from: &Id, into: &Id) {
        for run in self.runs.values_mut().filter(|run| run.participant_id == *from) {
            run.participant_id.clone_from(into);
        }
    }

    /// Writes what has changed.
    async fn save(self, conn: &mut Conn, now: DateTime) -> Result<(), Internal> {
        if self.admitted.is_empty() {
            return Ok(());
        }
        let changed = self.changed.iter().map(|id| {
            let row = &self.runs[id];
            (row, &self.releases[&row.release_id])
        });
        store::save(conn, changed, &self.admitted, now).await
    }
}

/// What came of a report.
pub enum Answer {
    /// Its events are stored, those that were there before included; without those that are rejected.
    Taken(Ack),
    /// No site has its key.
    UnknownSite,
    /// Its origin is none of the site's.
    Refused,
}

/// Writes reports, and notes in `changes` what to announce once that is committed. What they are about is read at once and
/// written at once, so that a hundred take hardly more statements than one. Nothing is written about the visitor of a
/// report of which nothing can be accepted.
pub(super) async fn store_reports(
    conn: &mut Conn,
    reports: &[&Report],
    own_origin: &str,
    now: DateTime,
    changes: &mut Vec<Changed>,
) -> Result<Vec<Answer>, Internal> {
    let keys: Vec<&str> = reports.iter().map(|report| report.site_key.as_str()).collect();
    let mut sites = site::store::by_keys(conn.db(), &keys).await?;
    let admits = |site: &Site, report: &Report| site::admits(site, own_origin, report.origin.as_deref());
    let admitted: Vec<(&Id, &Report)> = reports
        .iter()
        .filter_map(|report| Some((sites.get(&report.site_key)?, *report)))
        .filter(|(site, report)| admits(site, report))
        .map(|(site, report)| (&site.id, report))
        .collect();
    let inputs: Vec<_> = admitted
        .iter()
        .map(|(site, report)| (*site, &report.participant))
        .collect();
    let events: Vec<&EventInput> = admitted.iter().flat_map(|(_, report)| &report.events).collect();
    let mut visitors = Visitors::read(conn, &inputs).await?;
    let mut subject = Subject::read(conn, &events).await?;
    let mut answers = Vec::with_capacity(reports.len());
    for report in reports {
        let Some(site) = sites.get_mut(&report.site_key) else {
            answers.push(Answer::UnknownSite);
            continue;
        };
        if !admits(site, report) {
            answers.push(Answer::Refused);
            continue;
        }
        let identity = visitors.identity(&site.id, &report.participant);
        let teller = Teller {
            site_id: &site.id,
            before: identity.merged().cloned(),
            id: identity.into_id().unwrap_or_else(new_id),
        };
        let rejected = subject.settle(&report.events, &teller, now);
        let accepted = report.events.len() - rejected.len();
        answers.push(Answer::Taken(Ack {
            accepted: i32::try_from(accepted).unwrap_or(i32::MAX),
            rejected,
        }));
        if accepted == 0 {
            continue;
        }
        visitors
            .welcome(conn, &site.id, &report.participant, None, &teller.id, now)
            .await?;
        if let Some(from) = &teller.before {
            subject.merge(from, &teller.id);
        }
        changes.push(Changed::Participant(teller.id));
        if site::is_news(site, now) {
            site::store::seen(conn, &site.id, now).await?;
            site.last_seen_at = Some(now);
            changes.push(Changed::Site(site.id.clone()));
        }
    }
    subject.save(conn, now).await?;
    Ok(answers)
}
