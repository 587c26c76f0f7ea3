use std::collections::{BTreeSet, HashMap, HashSet};

use traitql::{Code, DateTime, FieldError, Id, Internal};
use waypost_api::{Ack, ErrorCode, EventInput, EventKind, Rejection, RunEvent, Site, errors};

use super::{RunProgress, StepProgress, ValidatedEvent, ingest::Report, kept_events::KeptEvents, store};
use crate::{
    change::Changed,
    site,
    store::Conn,
    visitor::{
        identity::Identity,
        visitors::{Visitors, browser_id, new_visitor_id},
    },
};

/// 7 days.
pub const MAX_EVENT_AGE_MS: i64 = 7 * 24 * 60 * 60 * 1000;

/// The time for which events of deleted runs are rejected, in milliseconds: 90 days, because a page can be open for long.
pub(crate) const ERASED_RUN_AGE_MS: i64 = 90 * 24 * 60 * 60 * 1000;

/// The limit per visitor and tour in the last seven days: as far back as events are accepted, so that their times cannot
/// evade it.
pub const MAX_RUNS_PER_WEEK: u32 = 7;
/// Bounds what a request stores. Pages rarely report several new runs at once, and send the others again.
pub const MAX_NEW_RUNS_PER_REPORT: usize = 1;

#[derive(Debug, Clone)]
pub(crate) struct ReleaseForRun {
    pub(crate) serial: i64,
    pub(crate) id: Id,
    pub(crate) tour_serial: i64,
    pub(crate) tour_id: Id,
    pub(crate) revision_id: Id,
    pub(crate) site_id: Id,
    pub(crate) at: DateTime,
    pub(crate) keys: Vec<String>,
    pub(crate) runs_ended_at: Option<DateTime>,
}

impl ReleaseForRun {
    fn later<'r>(&'r self, other: &'r Self) -> &'r Self {
        if (self.at, &self.id) < (other.at, &other.id) {
            other
        } else {
            self
        }
    }

    fn step_index(&self, key: &str) -> Option<u32> {
        let index = self.keys.iter().position(|known| known == key)?;
        u32::try_from(index).ok()
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RunRow {
    pub(crate) id: Id,
    pub(crate) release_id: Id,
    pub(crate) visitor_id: Id,
    pub(crate) site_id: Id,
    pub(crate) progress: RunProgress,
}

struct Reporter<'a> {
    site_id: &'a Id,
    id: Id,
    /// Merged into this one when an event is accepted. Their runs can be reported too.
    merged_from: Vec<Id>,
    /// Members who test as a visitor start tours more often than visitors.
    is_tester: bool,
}

impl Reporter<'_> {
    fn owns(&self, visitor: &Id) -> bool {
        self.id == *visitor || self.merged_from.contains(visitor)
    }
}

/// Returns the event's progress, and the release to which the run belongs after the event.
///
/// A run belongs to the latest release under which it was reported, because a page that receives a new release
/// continues its run. Steps are therefore validated against the reported release, but counted in the revision of the
/// later one.
fn check_event<'r>(
    event: &EventInput,
    releases: &'r HashMap<Id, ReleaseForRun>,
    run: Option<&RunRow>,
    reporter: &Reporter<'_>,
    now: DateTime,
) -> Result<(&'r ReleaseForRun, RunProgress), FieldError> {
    check_run_id(&event.run_id)?;
    let unknown = || errors::UnknownRelease {}.into_field_error();
    let release_of = |id: &Id| releases.get(id).filter(|release| release.site_id == *reporter.site_id);
    let reported = release_of(&event.release_id).ok_or_else(unknown)?;
    let mut release = reported;
    if let Some(run) = run {
        if run.site_id != *reporter.site_id || !reporter.owns(&run.visitor_id) {
            return Err(errors::RunNotYours {}.into_field_error());
        }
        let before = release_of(&run.release_id).ok_or_else(unknown)?;
        if before.tour_id != reported.tour_id {
            return Err(unknown());
        }
        release = before.later(reported);
    }
    check_step(event, reported)?;
    if now.as_millis() - event.at.as_millis() > MAX_EVENT_AGE_MS {
        return Err(errors::EventTooOld {}.into_field_error());
    }
    let progress = RunProgress::from(ValidatedEvent {
        kind: event.kind,
        seq: event.seq,
        step: event.step_key.as_ref().value().and_then(|key| release.step_index(key)),
        // Times in the future come from browsers whose clocks are ahead.
        at: event.at.min(now),
        active_ms: event.active_ms,
        reason: event.reason.value(),
    });
    Ok((release, progress))
}

/// Checks that step events have a step key, and that the reported release contains the step.
fn check_step(event: &EventInput, release: &ReleaseForRun) -> Result<(), FieldError> {
    use EventKind::*;
    match (event.step_key.as_ref().value(), event.kind) {
        (Some(key), _) if release.step_index(key).is_none() => {
            Err(errors::UnknownStep { key: key.clone() }.into_field_error())
        }
        (None, StepSeen | StepDone | TargetMissing) => Err(invalid("stepKey", "is required for events about a step")),
        _ => Ok(()),
    }
}

/// Browsers create run ids. Only one spelling is accepted, so that each run has one id.
fn check_run_id(id: &Id) -> Result<(), FieldError> {
    let uuid = uuid::Uuid::try_parse(id.as_str()).ok();
    match uuid.filter(|uuid| uuid.get_version_num() == 7 && uuid.to_string() == id.as_str()) {
        Some(_) => Ok(()),
        None => Err(invalid("runId", "must be a lower-case UUID version 7")),
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
        code: ErrorCode::from_graphql(error.code).expect("generated errors only have codes of the schema"),
        message: error.message,
    }
}

/// Events about a step that the run's revision lacks have left no bit, so the bits cannot be mapped to another
/// revision.
fn recount_steps(events: &KeptEvents, release: &ReleaseForRun) -> StepProgress {
    events
        .iter()
        .map(|event| {
            let step = event.step_key.as_ref().and_then(|key| release.step_index(key));
            StepProgress::of(event.kind, step, event.seq, event.active_ms)
        })
        .fold(StepProgress::default(), StepProgress::join)
}

/// `at` is the corrected time.
fn run_event(event: &EventInput, at: DateTime) -> RunEvent {
    RunEvent {
        seq: event.seq,
        kind: event.kind,
        step_key: event.step_key.as_ref().value().cloned(),
        at,
        active_ms: event.active_ms,
        reason: event.reason.value(),
    }
}

pub(super) struct Batch {
    releases: HashMap<Id, ReleaseForRun>,
    runs: HashMap<Id, RunRow>,
    /// The events by run, including those of the batch.
    events: HashMap<Id, KeptEvents>,
    erased: HashSet<Id>,
    /// The numbers of runs by visitor and tour.
    run_counts: HashMap<(Id, Id), u32>,
    changed: BTreeSet<Id>,
}

impl Batch {
    async fn read(
        conn: &mut Conn,
        events: &[&EventInput],
        visitors: &Visitors,
        now: DateTime,
    ) -> Result<Self, Internal> {
        let (mut runs, mut packed) = (HashMap::new(), Vec::new());
        for (id, (run, events)) in store::rows(conn, events).await? {
            packed.push((id.clone(), run.release_id.clone(), events));
            runs.insert(id, run);
        }
        let has_new_runs = events.iter().any(|event| !runs.contains_key(&event.run_id));
        let run_counts = if has_new_runs {
            store::run_counts(conn, &visitors.ids(), now).await?
        } else {
            HashMap::new()
        };
        let releases = store::releases_for_runs(conn, events, &runs).await?;
        let unpacked = packed.into_iter().map(|(id, release, events)| {
            let events = KeptEvents::unpack(&events, &releases[&release].keys)?;
            Ok((id, events))
        });
        let kept = unpacked.collect::<Result<_, Internal>>()?;
        Ok(Self {
            erased: store::erased(conn, events).await?,
            releases,
            runs,
            events: kept,
            run_counts,
            changed: BTreeSet::new(),
        })
    }

    fn apply_report(&mut self, report: &Report, reporter: &Reporter<'_>, now: DateTime) -> Applied {
        let mut applied = Applied::default();
        let mut new_runs = 0;
        for event in &report.events {
            let is_new = !self.runs.contains_key(&event.run_id);
            let row = self.row(event, reporter, now).and_then(|row| {
                if is_new {
                    self.check_runs(&row, reporter)?;
                }
                Ok(row)
            });
            match row {
                Ok(_)
                    if is_new
                        && !(report.accepts_runs && new_runs < MAX_NEW_RUNS_PER_REPORT && (report.admit_run)()) =>
                {
                    applied.postponed += 1;
                }
                Ok(row) => {
                    if is_new {
                        self.count_run(&row, reporter);
                        new_runs += 1;
                    }
                    self.changed.insert(row.id.clone());
                    let kept = self.events.entry(row.id.clone()).or_default();
                    kept.insert(run_event(event, event.at.min(now)));
                    self.runs.insert(row.id.clone(), row);
                }
                Err(error) => applied.rejected.push(rejection(event, error)),
            }
        }
        applied
    }

    fn row(&self, event: &EventInput, reporter: &Reporter<'_>, now: DateTime) -> Result<RunRow, FieldError> {
        if self.erased.contains(&event.run_id) {
            return Err(errors::RunNotYours {}.into_field_error());
        }
        let run = self.runs.get(&event.run_id);
        if run.is_some() && self.events.get(&event.run_id).is_none_or(KeptEvents::is_empty) {
            return Err(errors::RunNotYours {}.into_field_error());
        }
        let (release, progress) = check_event(event, &self.releases, run, reporter, now)?;
        let joined = run.map_or(progress, |run| self.progress_in(run, release).join(progress));
        Ok(RunRow {
            id: event.run_id.clone(),
            release_id: release.id.clone(),
            visitor_id: reporter.id.clone(),
            site_id: reporter.site_id.clone(),
            progress: release.runs_ended_at.map_or(joined, |end| joined.superseded(end)),
        })
    }

    /// Fails if the visitor has started the tour too often.
    fn check_runs(&self, row: &RunRow, reporter: &Reporter<'_>) -> Result<(), FieldError> {
        let counted = |visitor: &Id| self.run_counts.get(&self.count_key(row, visitor)).copied().unwrap_or(0);
        let merged: u32 = reporter.merged_from.iter().map(counted).sum();
        if reporter.is_tester || counted(&reporter.id) + merged < MAX_RUNS_PER_WEEK {
            return Ok(());
        }
        let limit = MAX_RUNS_PER_WEEK.to_string();
        Err(errors::TooManyRuns { limit }.into_field_error())
    }

    fn count_run(&mut self, row: &RunRow, reporter: &Reporter<'_>) {
        let key = self.count_key(row, &reporter.id);
        *self.run_counts.entry(key).or_default() += 1;
    }

    fn count_key(&self, row: &RunRow, visitor: &Id) -> (Id, Id) {
        (visitor.clone(), self.releases[&row.release_id].tour_id.clone())
    }

    fn progress_in(&self, run: &RunRow, release: &ReleaseForRun) -> RunProgress {
        if self.releases[&run.release_id].revision_id == release.revision_id {
            return run.progress;
        }
        run.progress.with_steps(recount_steps(&self.events[&run.id], release))
    }

    /// Repeats in memory what [`Visitors::upsert`] has done in the database.
    fn merge(&mut self, from: &Id, into: &Id) {
        for run in self.runs.values_mut().filter(|run| run.visitor_id == *from) {
            run.visitor_id.clone_from(into);
        }
        let moved = self.run_counts.extract_if(|(visitor, ..), _| visitor == from);
        for ((_, tour), count) in moved.collect::<Vec<_>>() {
            *self.run_counts.entry((into.clone(), tour)).or_default() += count;
        }
    }

    async fn save(self, conn: &mut Conn) -> Result<(), Internal> {
        if self.changed.is_empty() {
            return Ok(());
        }
        let changed = self.changed.iter().map(|id| {
            let row = &self.runs[id];
            (row, &self.releases[&row.release_id], &self.events[id])
        });
        store::save(conn, changed).await
    }
}

#[derive(Default)]
struct Applied {
    rejected: Vec<Rejection>,
    postponed: usize,
}

pub enum IngestOutcome {
    /// The response counts also events that were stored before.
    Stored(Ack),
    /// The page has to send the report again, because further new runs could not be stored yet.
    Incomplete,
    UnknownSite,
    OriginNotAllowed,
}

/// Appends to `changes` what to announce after the commit.
///
/// Reports share reads and writes, so a hundred need hardly more statements than one. A report without accepted events
/// does not update its visitor.
pub(crate) async fn store_reports(
    conn: &mut Conn,
    reports: &[&Report],
    own_origin: &str,
    now: DateTime,
    changes: &mut Vec<Changed>,
) -> Result<Vec<IngestOutcome>, Internal> {
    let keys: Vec<&str> = reports.iter().map(|report| report.site_key.as_str()).collect();
    let mut sites = site::store::by_keys(conn.db(), &keys).await?;
    let admits = |site: &Site, report: &Report| site::admits(site, own_origin, report.origin.as_deref());
    let admitted: Vec<(&Id, &Report)> = reports
        .iter()
        .filter_map(|report| Some((sites.get(&report.site_key)?, *report)))
        .filter(|(site, report)| admits(site, report))
        .map(|(site, report)| (&site.id, report))
        .collect();
    let inputs: Vec<_> = admitted.iter().map(|(site, report)| (*site, &report.visitor)).collect();
    let events: Vec<&EventInput> = admitted.iter().flat_map(|(_, report)| &report.events).collect();
    let mut visitors = Visitors::read(conn, &inputs).await?;
    let mut batch = Batch::read(conn, &events, &visitors, now).await?;
    let mut outcomes = Vec::with_capacity(reports.len());
    for report in reports {
        let Some(site) = sites.get_mut(&report.site_key) else {
            outcomes.push(IngestOutcome::UnknownSite);
            continue;
        };
        if !admits(site, report) {
            outcomes.push(IngestOutcome::OriginNotAllowed);
            continue;
        }
        let identity = visitors.identity(&site.id, &report.visitor);
        if identity == Identity::New {
            // A boot request limits the number of new visitors, so a report does not create any.
            let reject = |event| rejection(event, errors::UnknownVisitor {}.into_field_error());
            outcomes.push(IngestOutcome::Stored(Ack {
                accepted: 0,
                rejected: report.events.iter().map(reject).collect(),
            }));
            continue;
        }
        let id = identity.clone().into_id();
        let reporter = Reporter {
            site_id: &site.id,
            merged_from: identity.merged().to_vec(),
            is_tester: id.as_ref().is_some_and(|id| visitors.is_tester(id)),
            id: id.unwrap_or_else(|| new_visitor_id(site, &report.visitor)),
        };
        let Applied { rejected, postponed } = batch.apply_report(report, &reporter, now);
        let accepted = report.events.len() - rejected.len() - postponed;
        outcomes.push(if postponed > 0 {
            IngestOutcome::Incomplete
        } else {
            IngestOutcome::Stored(Ack {
                accepted: i32::try_from(accepted).unwrap_or(i32::MAX),
                rejected,
            })
        });
        if accepted == 0 {
            continue;
        }
        visitors
            .upsert(conn, &site.id, &report.visitor, None, &reporter.id, now)
            .await?;
        for from in &reporter.merged_from {
            batch.merge(from, &reporter.id);
        }
        if !matches!(identity, Identity::Known(_)) {
            changes.push(Changed::Visitor(browser_id(site, &report.visitor)));
        }
        changes.extend(reporter.merged_from.into_iter().map(Changed::Visitor));
        changes.push(Changed::Visitor(reporter.id));
        let is_installation = report
            .origin
            .as_deref()
            .is_some_and(|origin| site::is_installation(site, own_origin, origin));
        if is_installation && site::should_record_visit(site, now) {
            site::store::set_last_seen(conn, &site.id, now).await?;
            site.last_seen_at = Some(now);
            changes.push(Changed::SiteActivity(site.id.clone()));
        }
    }
    batch.save(conn).await?;
    Ok(outcomes)
}
