//! Triggers maintain the counts per day (`migrations/0002_attempts.sql`).

use std::{
    collections::{BTreeMap, HashSet},
    sync::Arc,
};

use traitql::{DateTime, Id, Internal};
use waypost_api::Step;

use super::{ActiveRuns, Days, Histogram, StepCount};
use crate::{
    run::ABANDONED_AFTER_MS,
    store::{Conn, Db, LateRead, Query, Row, json, serial, sql},
    tour::revisions,
};

#[derive(Clone, Copy)]
pub struct Scope<'a> {
    pub tour_id: &'a Id,
    pub site_id: Option<&'a Id>,
    pub revision_id: Option<&'a Id>,
    pub days: Days,
}

/// Condition for the rows of `tour_days` in scope, with parameters 1 to 5.
macro_rules! in_scope {
    () => {
        "d.tour_id = ?1 and (?2 is null or d.site_id = ?2) and (?3 is null or d.revision_id = ?3)
           and d.day between ?4 and ?5"
    };
}

impl Scope<'_> {
    fn bind(self, statement: &'static str) -> Query {
        sql(statement)
            .bind(self.tour_id.as_str())
            .bind(self.site_id.map(Id::as_str))
            .bind(self.revision_id.map(Id::as_str))
            .bind(self.days.from)
            .bind(self.days.to)
    }
}

#[derive(Debug, Clone)]
pub struct DayCount {
    pub revision_id: Id,
    pub(super) day: i64,
    /// Runs that showed a step.
    pub started: i32,
    pub completed: i32,
    /// Completed, although a step was missing its element and was not shown.
    pub with_gaps: i32,
    /// Ended by the visitor.
    pub dismissed: i32,
    /// Ended by the page's code.
    pub stopped: i32,
    pub failed: i32,
    /// Ended with their release.
    pub superseded: i32,
    /// Active or abandoned.
    pub open: i32,
    /// Attempts without an element.
    pub not_found: i32,
    /// Attempts without a player.
    pub not_loaded: i32,
}

impl DayCount {
    /// True if its runs have moved to an earlier day or another revision.
    pub fn is_empty(&self) -> bool {
        self.started + self.not_found + self.not_loaded == 0
    }
}

/// All counts of a scope, from one snapshot.
pub struct Counts {
    pub days: Vec<DayCount>,
    pub active_runs: Vec<ActiveRuns>,
    pub steps: Vec<StepCount>,
    pub times: Vec<(Id, i32, Histogram)>,
    /// Those with counts.
    pub revisions: Vec<RevisionRow>,
}

/// The read of [`Counts`].
pub struct Counting<'a> {
    pub scope: Scope<'a>,
    pub now: DateTime,
}

impl LateRead for Counting<'_> {
    type Output = Counts;

    async fn read(&self, tx: &mut Conn) -> Result<Counts, Internal> {
        let days = days(tx, self.scope).await?;
        let active_runs = active_runs(tx, self.scope, self.now).await?;
        let steps = steps(tx, self.scope).await?;
        let times = times(tx, self.scope).await?;
        let with_days = days.iter().filter(|day| !day.is_empty()).map(|day| &day.revision_id);
        let with_steps = steps.iter().filter(|step| !step.is_empty());
        let counted: HashSet<&Id> = with_days.chain(with_steps.map(|step| &step.revision_id)).collect();
        let revisions = revisions(tx, &counted.into_iter().collect::<Vec<_>>()).await?;
        Ok(Counts {
            days,
            active_runs,
            steps,
            times,
            revisions,
        })
    }
}

/// Unordered. Some can be empty, see [`DayCount::is_empty`].
async fn days(conn: &mut Conn, scope: Scope<'_>) -> Result<Vec<DayCount>, Internal> {
    let statement = concat!(
        "select d.revision_id, d.day, sum(d.started) as started, sum(d.completed) as completed,
           sum(d.with_gaps) as with_gaps, sum(d.dismissed) as dismissed, sum(d.stopped) as stopped, sum(d.failed) as failed,
           sum(d.superseded) as superseded, sum(d.open) as open, sum(d.not_found) as not_found,
           sum(d.not_loaded) as not_loaded
         from tour_days d where ",
        in_scope!(),
        " group by d.revision_id, d.day"
    );
    Ok(scope
        .bind(statement)
        .try_map(|row: Row| {
            Ok(DayCount {
                revision_id: row.id("revision_id")?,
                day: row.long("day")?,
                started: row.int("started")?,
                completed: row.int("completed")?,
                with_gaps: row.int("with_gaps")?,
                dismissed: row.int("dismissed")?,
                stopped: row.int("stopped")?,
                failed: row.int("failed")?,
                superseded: row.int("superseded")?,
                open: row.int("open")?,
                not_found: row.int("not_found")?,
                not_loaded: row.int("not_loaded")?,
            })
        })
        .fetch_all(conn)
        .await?)
}

async fn active_runs(conn: &mut Conn, scope: Scope<'_>, now: DateTime) -> Result<Vec<ActiveRuns>, Internal> {
    let (from, to) = scope.days.millis();
    // The unary plus prevents SQLite from using the index on `started_at`, because filtering by `last_at` leaves far
    // fewer runs.
    Ok(sql(concat!(
        "select revision_id, seen & ~done as steps, count(*) as runs from runs_of_releases where tour_serial = ",
        serial!(tours, "?1"),
        " and state = 'ACTIVE' and started = 1 and last_at > ?2
           and +started_at >= ?3 and +started_at < ?4
           and (?5 is null or site_id = ?5) and (?6 is null or revision_id = ?6)
         group by revision_id, seen & ~done"
    ))
    .bind(scope.tour_id.as_str())
    .bind(now.as_millis() - ABANDONED_AFTER_MS)
    .bind(from)
    .bind(to)
    .bind(scope.site_id.map(Id::as_str))
    .bind(scope.revision_id.map(Id::as_str))
    .try_map(|row: Row| {
        Ok(ActiveRuns {
            revision_id: row.id("revision_id")?,
            steps: row.long("steps")?,
            runs: row.int("runs")?,
        })
    })
    .fetch_all(conn)
    .await?)
}

/// Excludes erased visitors. Adds those without stored runs in the range, see `migrations/0006_retention.sql`.
pub async fn visitors(db: Db<'_>, scope: Scope<'_>) -> Result<i32, Internal> {
    let statement = concat!(
        "select (
           select count(distinct visitor_serial) from runs where tour_serial = ",
        serial!(tours, "?1"),
        " and started = 1 and started_at >= 86400000 * ?4 and started_at < 86400000 * (?5 + 1)
             and (?2 is null and ?3 is null or release_serial in (
               select serial from releases
               where tour_id = ?1 and (?2 is null or site_id = ?2) and (?3 is null or revision_id = ?3)))
         ) + (
           select cast(coalesce(sum(v.runs), 0) as bigint)
           from tour_days d join visitor_days v on v.tour_day_id = d.id where ",
        in_scope!(),
        " and case when ?3 is null then v.day_before < ?4 and v.day_after > ?5
               else v.revision_day_before < ?4 and v.revision_day_after > ?5 end
         ) as visitors"
    );
    Ok(scope
        .bind(statement)
        .try_map(|row: Row| row.int("visitors"))
        .fetch_one(db)
        .await?)
}

async fn steps(conn: &mut Conn, scope: Scope<'_>) -> Result<Vec<StepCount>, Internal> {
    let statement = concat!(
        "select d.revision_id, s.step, sum(s.seen) as seen, sum(s.done) as done, sum(s.missing) as missing,
           sum(s.not_found) as not_found
         from tour_days d join step_days s on s.tour_day_id = d.id where ",
        in_scope!(),
        " group by d.revision_id, s.step"
    );
    Ok(scope
        .bind(statement)
        .try_map(|row: Row| {
            Ok(StepCount {
                revision_id: row.id("revision_id")?,
                index: row.int("step")?,
                seen: row.int("seen")?,
                done: row.int("done")?,
                missing: row.int("missing")?,
                attempts: row.int("not_found")?,
            })
        })
        .fetch_all(conn)
        .await?)
}

/// Returns the histograms by revision and step index. Index -1 is the duration of whole completed runs.
async fn times(conn: &mut Conn, scope: Scope<'_>) -> Result<Vec<(Id, i32, Histogram)>, Internal> {
    let statement = concat!(
        "select d.revision_id, t.step, t.bucket, sum(t.runs) as runs
         from tour_days d join time_days t on t.tour_day_id = d.id where ",
        in_scope!(),
        " group by d.revision_id, t.step, t.bucket"
    );
    let rows: Vec<(Id, i32, i32, i32)> = scope
        .bind(statement)
        .try_map(|row: Row| {
            Ok((
                row.id("revision_id")?,
                row.int("step")?,
                row.int("bucket")?,
                row.int("runs")?,
            ))
        })
        .fetch_all(conn)
        .await?;
    let mut histogram: BTreeMap<(Id, i32), Histogram> = BTreeMap::new();
    for (revision, step, bucket, runs) in rows {
        histogram.entry((revision, step)).or_default().add(bucket, runs);
    }
    let histogram = histogram.into_iter();
    Ok(histogram
        .map(|((revision, step), histogram)| (revision, step, histogram))
        .collect())
}

pub struct RevisionRow {
    pub(super) id: Id,
    pub(super) number: i32,
    pub(super) steps: Vec<Arc<Step>>,
}

async fn revisions(conn: &mut Conn, ids: &[&Id]) -> Result<Vec<RevisionRow>, Internal> {
    Ok(
        sql(
            "select id, number, steps from revisions where id in (select value from json_each(?)) order by number desc",
        )
        .bind(json(&ids))
        .try_map(|row: Row| {
            Ok(RevisionRow {
                id: row.id("id")?,
                number: row.int("number")?,
                steps: revisions::steps(&row)?,
            })
        })
        .fetch_all(conn)
        .await?,
    )
}
