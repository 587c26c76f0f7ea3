//! SQL of insights: all of it over the rows of runs.

use std::collections::BTreeMap;

use sqlx::{SqliteConnection, sqlite::SqliteRow};
use traitql::{DateTime, Id, Internal};
use waypost_api::{DayInsight, Step};

use super::{Bits, DAY_MS, Days, date};
use crate::{
    run::IDLE_MS,
    store::{Columns, json},
    tour::revisions,
};

/// Which runs count.
#[derive(Clone, Copy)]
pub(super) struct Scope<'a> {
    pub(super) tour_id: &'a Id,
    pub(super) site_id: Option<&'a Id>,
    pub(super) days: Days,
}

/// How the runs ended.
pub(super) struct Totals {
    pub(super) started: i32,
    pub(super) completed: i32,
    pub(super) dismissed: i32,
    pub(super) abandoned: i32,
    pub(super) failed: i32,
    pub(super) participants: i32,
}

pub(super) async fn totals(conn: &mut SqliteConnection, scope: Scope<'_>, now: DateTime) -> Result<Totals, Internal> {
    let (from, to) = scope.days.millis();
    Ok(sqlx::query(
        "select count(*) filter (where started) as started,
           count(*) filter (where state = 'COMPLETED') as completed,
           count(*) filter (where state = 'DISMISSED') as dismissed,
           count(*) filter (where started and state = 'ACTIVE' and last_at <= ?5) as abandoned,
           count(*) filter (where state = 'FAILED') as failed,
           count(distinct participant_id) filter (where started) as participants
         from runs
         where tour_id = ?1 and (?2 is null or site_id = ?2) and started_at >= ?3 and started_at < ?4",
    )
    .bind(scope.tour_id.as_str())
    .bind(scope.site_id.map(Id::as_str))
    .bind(from)
    .bind(to)
    .bind(now.as_millis() - IDLE_MS)
    .try_map(|row: SqliteRow| {
        Ok(Totals {
            started: row.int("started")?,
            completed: row.int("completed")?,
            dismissed: row.int("dismissed")?,
            abandoned: row.int("abandoned")?,
            failed: row.int("failed")?,
            participants: row.int("participants")?,
        })
    })
    .fetch_one(conn)
    .await?)
}

/// The middle of the active times of completed runs; of an even number the mean of the two in the middle.
pub(super) async fn median_active_ms(
    conn: &mut SqliteConnection,
    scope: Scope<'_>,
    completed: i32,
) -> Result<Option<i32>, Internal> {
    let (from, to) = scope.days.millis();
    Ok(sqlx::query_scalar(
        "select cast(avg(active_ms) as integer) from (
           select active_ms from runs
           where tour_id = ?1 and (?2 is null or site_id = ?2) and started_at >= ?3 and started_at < ?4
             and state = 'COMPLETED'
           order by active_ms limit ?5 offset ?6)",
    )
    .bind(scope.tour_id.as_str())
    .bind(scope.site_id.map(Id::as_str))
    .bind(from)
    .bind(to)
    .bind(2 - completed % 2)
    .bind((completed - 1).max(0) / 2)
    .fetch_one(conn)
    .await?)
}

/// The days on which runs began.
pub(super) async fn by_day(
    conn: &mut SqliteConnection,
    scope: Scope<'_>,
) -> Result<BTreeMap<i64, DayInsight>, Internal> {
    let (from, to) = scope.days.millis();
    let days = sqlx::query(
        "select (started_at - ?3) / ?5 as day, count(*) filter (where started) as started,
           count(*) filter (where state = 'COMPLETED') as completed,
           count(*) filter (where state = 'DISMISSED') as dismissed
         from runs
         where tour_id = ?1 and (?2 is null or site_id = ?2) and started_at >= ?3 and started_at < ?4
         group by 1",
    )
    .bind(scope.tour_id.as_str())
    .bind(scope.site_id.map(Id::as_str))
    .bind(from)
    .bind(to)
    .bind(DAY_MS)
    .try_map(|row: SqliteRow| {
        let number = scope.days.from + row.long("day")?;
        let insight = DayInsight {
            day: date(number),
            started: row.int("started")?,
            completed: row.int("completed")?,
            dismissed: row.int("dismissed")?,
        };
        Ok((number, insight))
    })
    .fetch_all(conn)
    .await?;
    Ok(days.into_iter().collect())
}

/// The steps of the revisions that were played, the newest revision first, and how many runs have which bits.
pub(super) async fn bits(
    conn: &mut SqliteConnection,
    scope: Scope<'_>,
) -> Result<(Vec<Vec<Step>>, Vec<Bits>), Internal> {
    let (from, to) = scope.days.millis();
    let counts: Vec<(Id, Bits)> = sqlx::query(
        "select revision_id, seen, done, missing, count(*) as runs from runs
         where tour_id = ?1 and (?2 is null or site_id = ?2) and started_at >= ?3 and started_at < ?4
         group by revision_id, seen, done, missing",
    )
    .bind(scope.tour_id.as_str())
    .bind(scope.site_id.map(Id::as_str))
    .bind(from)
    .bind(to)
    .try_map(|row: SqliteRow| {
        let bits = Bits {
            revision: 0,
            seen: row.long("seen")?,
            done: row.long("done")?,
            missing: row.long("missing")?,
            runs: row.int("runs")?,
        };
        Ok((row.id("revision_id")?, bits))
    })
    .fetch_all(&mut *conn)
    .await?;
    let ids: Vec<&Id> = counts.iter().map(|(revision, _)| revision).collect();
    let revisions: Vec<(Id, Vec<Step>)> = sqlx::query(
        "select id, steps from revisions where id in (select value from json_each(?)) order by number desc",
    )
    .bind(json(&ids))
    .try_map(|row: SqliteRow| Ok((row.id("id")?, revisions::steps(&row)?)))
    .fetch_all(conn)
    .await?;
    let place: BTreeMap<&Id, usize> = revisions.iter().enumerate().map(|(at, (id, _))| (id, at)).collect();
    let counts = counts.iter().map(|(id, bits)| Bits {
        revision: place[id],
        ..*bits
    });
    let counts = counts.collect();
    Ok((revisions.into_iter().map(|(_, steps)| steps).collect(), counts))
}
