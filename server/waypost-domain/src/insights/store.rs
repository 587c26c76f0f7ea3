//! SQL of insights: numbers by day, which the database keeps as runs change (migrations/0005_rollups.sql).

use std::{collections::BTreeMap, sync::Arc};

use traitql::{DateTime, Id, Internal};
use waypost_api::Step;

use super::{Bars, Days, StepCount, UnderWay};
use crate::{
    run::IDLE_MS,
    store::{Conn, Db, Query, Row, json, scalar, sql},
    tour::revisions,
};

/// Which runs count.
#[derive(Clone, Copy)]
pub struct Scope<'a> {
    /// The tour whose runs count.
    pub tour_id: &'a Id,
    /// Only runs on this site; none: on any.
    pub site_id: Option<&'a Id>,
    /// Only runs of this revision; none: of any.
    pub revision_id: Option<&'a Id>,
    /// The days on which the runs began.
    pub days: Days,
}

/// The part of each statement that says which days count: parameters 1 to 5.
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

/// How the runs of one revision that began on one day ended.
#[derive(Debug, Clone)]
pub struct DayCount {
    /// The revision that the runs were of.
    pub revision_id: Id,
    pub(super) day: i64,
    /// Runs in which something of the tour was painted, however they ended.
    pub started: i32,
    /// Runs that came to the end.
    pub completed: i32,
    /// Runs that were closed before the end.
    pub dismissed: i32,
    /// Runs that could not go on, also those in which nothing was painted.
    pub failed: i32,
    /// Runs that ended with their release.
    pub superseded: i32,
    /// Started and without an end: under way, or left.
    pub open: i32,
}

impl DayCount {
    /// Whether what was counted here has moved elsewhere: to an earlier day, or to another revision.
    pub fn is_nothing(&self) -> bool {
        self.started + self.completed + self.dismissed + self.failed == 0
    }
}

/// How the runs in the scope ended, by revision and day in no order; see [`DayCount::is_nothing`].
pub async fn days(conn: &mut Conn, scope: Scope<'_>) -> Result<Vec<DayCount>, Internal> {
    let statement = concat!(
        "select d.revision_id, d.day, sum(d.started) as started, sum(d.completed) as completed,
           sum(d.dismissed) as dismissed, sum(d.failed) as failed, sum(d.superseded) as superseded,
           sum(d.open) as open
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
                dismissed: row.int("dismissed")?,
                failed: row.int("failed")?,
                superseded: row.int("superseded")?,
                open: row.int("open")?,
            })
        })
        .fetch_all(conn)
        .await?)
}

/// Which of the open runs are still under way, by revision and by what is open in them.
pub async fn under_way(conn: &mut Conn, scope: Scope<'_>, now: DateTime) -> Result<Vec<UnderWay>, Internal> {
    let (from, to) = scope.days.millis();
    // The plus signs keep SQLite from looking by when runs began: those that were heard of lately are far fewer.
    Ok(
        sql("select revision_id, seen & ~done as steps, count(*) as runs from runs
         where tour_id = ?1 and state = 'ACTIVE' and started = 1 and last_at > ?2
           and +started_at >= ?3 and +started_at < ?4
           and (?5 is null or site_id = ?5) and (?6 is null or revision_id = ?6)
         group by revision_id, seen & ~done")
        .bind(scope.tour_id.as_str())
        .bind(now.as_millis() - IDLE_MS)
        .bind(from)
        .bind(to)
        .bind(scope.site_id.map(Id::as_str))
        .bind(scope.revision_id.map(Id::as_str))
        .try_map(|row: Row| {
            Ok(UnderWay {
                revision_id: row.id("revision_id")?,
                steps: row.long("steps")?,
                runs: row.int("runs")?,
            })
        })
        .fetch_all(conn)
        .await?,
    )
}

/// How many people began a run in the scope, each counted once; those who were erased do not count.
pub async fn participants(db: Db<'_>, scope: Scope<'_>) -> Result<i32, Internal> {
    let (from, to) = scope.days.millis();
    Ok(scalar(
        "select count(distinct participant_id) from runs
         where tour_id = ?1 and started = 1 and started_at >= ?2 and started_at < ?3
           and (?4 is null or site_id = ?4) and (?5 is null or revision_id = ?5)",
    )
    .bind(scope.tour_id.as_str())
    .bind(from)
    .bind(to)
    .bind(scope.site_id.map(Id::as_str))
    .bind(scope.revision_id.map(Id::as_str))
    .fetch_one(db)
    .await?)
}

/// How many runs saw, finished and missed the steps, by revision and place.
pub async fn steps(conn: &mut Conn, scope: Scope<'_>) -> Result<Vec<StepCount>, Internal> {
    let statement = concat!(
        "select d.revision_id, s.step, sum(s.seen) as seen, sum(s.done) as done, sum(s.missing) as missing
         from tour_days d join step_days s on s.tour_day_id = d.id where ",
        in_scope!(),
        " group by d.revision_id, s.step"
    );
    Ok(scope
        .bind(statement)
        .try_map(|row: Row| {
            Ok(StepCount {
                revision_id: row.id("revision_id")?,
                place: row.int("step")?,
                seen: row.int("seen")?,
                done: row.int("done")?,
                missing: row.int("missing")?,
            })
        })
        .fetch_all(conn)
        .await?)
}

/// The histograms of the times, by revision and place; the whole of completed runs at place -1.
pub async fn times(conn: &mut Conn, scope: Scope<'_>) -> Result<Vec<(Id, i32, Bars)>, Internal> {
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
    let mut bars: BTreeMap<(Id, i32), Bars> = BTreeMap::new();
    for (revision, place, bucket, runs) in rows {
        bars.entry((revision, place)).or_default().add(bucket, runs);
    }
    let bars = bars.into_iter();
    Ok(bars.map(|((revision, place), bars)| (revision, place, bars)).collect())
}

/// A revision that was played.
pub struct Played {
    pub(super) id: Id,
    pub(super) number: i32,
    pub(super) steps: Vec<Arc<Step>>,
}

/// Revisions by id, the newest first.
pub async fn played(conn: &mut Conn, ids: &[&Id]) -> Result<Vec<Played>, Internal> {
    Ok(
        sql(
            "select id, number, steps from revisions where id in (select value from json_each(?)) order by number desc",
        )
        .bind(json(&ids))
        .try_map(|row: Row| {
            Ok(Played {
                id: row.id("id")?,
                number: row.int("number")?,
                steps: revisions::steps(&row)?,
            })
        })
        .fetch_all(conn)
        .await?,
    )
}
