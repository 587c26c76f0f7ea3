//! The retention of runs.
//!
//! An old run loses its events and the times of its steps, and no longer accepts events. Of the runs of a visitor and a
//! revision with the same outcome, the last one stays, because it decides whether the visitor is offered the tour again; the
//! others are deleted. The counts of the insights do not change.

use traitql::{DateTime, Id, Internal};

use crate::store::{Conn, Db, Row, json, scalar, sql};

/// True for a run `n` of a release `l` if another run has replaced it: a later run of the same visitor and revision ended
/// alike, and also was last active before `?1`. Waits until the visitor's earlier runs of the tour can no longer change.
macro_rules! is_replaced {
    () => {
        "(n.started = 0 or exists (
            select 1 from runs o join releases m on m.serial = o.release_serial
            where o.visitor_serial = n.visitor_serial and m.revision_id = l.revision_id and o.started = 1
              and o.state = n.state and o.last_at < ?1 and o.last_at >= n.last_at
              and (o.started_at, o.id) > (n.started_at, n.id)
          ) and not exists (
            select 1 from runs o where o.visitor_serial = n.visitor_serial and o.tour_serial = n.tour_serial
              and o.started_at < ?1 and o.last_at >= ?1
          ))"
    };
}

/// A run with its visitor.
#[derive(Debug)]
pub(crate) struct Expired {
    id: Id,
    visitor_serial: i64,
}

fn expired(row: Row) -> Result<Expired, sqlx::Error> {
    Ok(Expired {
        id: row.id("id")?,
        visitor_serial: row.long("visitor_serial")?,
    })
}

/// Returns the runs of a tour that were not active for longest, of those with events that were last active before a time.
/// Reads only these, in the order of an index.
pub(crate) async fn expired_runs(
    conn: &mut Conn,
    tour_serial: i64,
    before: i64,
    limit: i32,
) -> Result<Vec<Expired>, Internal> {
    Ok(sql("select id, visitor_serial from runs
         where tour_serial = ? and last_at < ? and length(events) > 0 order by last_at limit ?")
    .bind(tour_serial)
    .bind(before)
    .bind(limit)
    .try_map(expired)
    .fetch_all(conn)
    .await?)
}

/// Returns the number of runs of a workspace whose data would be deleted, at most `limit`.
pub(crate) async fn count_old(db: Db<'_>, workspace_id: &Id, before: i64, limit: i32) -> Result<i32, Internal> {
    let count: i64 = scalar(
        "select count(*) from (
           select 1 from tours t join runs n on n.tour_serial = t.serial
           where t.workspace_id = ? and n.last_at < ? and length(n.events) > 0 limit ?) n",
    )
    .bind(workspace_id.as_str())
    .bind(before)
    .bind(limit)
    .fetch_one(db)
    .await?;
    Ok(i32::try_from(count).unwrap_or(i32::MAX))
}

/// Deletes the events of expired runs of a tour, and those runs of their visitors that later ones have replaced: also runs
/// without events, because the last run of an outcome stays until a later one has expired. Returns the numbers of runs
/// without their events, and of deleted runs.
pub(crate) async fn delete_data(
    conn: &mut Conn,
    tour_serial: i64,
    runs: &[Expired],
    before: i64,
    now: DateTime,
) -> Result<[u64; 2], Internal> {
    let ids: Vec<&Id> = runs.iter().map(|run| &run.id).collect();
    let visitors: Vec<i64> = runs.iter().map(|run| run.visitor_serial).collect();
    let replaced = sql(concat!(
        "select n.id, n.visitor_serial from runs n join releases l on l.serial = n.release_serial
         where n.visitor_serial in (select cast(value as bigint) from json_each(?2)) and n.tour_serial = ?3
           and n.last_at < ?1 and ",
        is_replaced!()
    ))
    .bind(before)
    .bind(json(&visitors))
    .bind(tour_serial)
    .try_map(expired)
    .fetch_all(&mut *conn)
    .await?;
    let (replaced, visitors): (Vec<Id>, Vec<i64>) =
        replaced.into_iter().map(|run| (run.id, run.visitor_serial)).unzip();
    if !replaced.is_empty() {
        count_visitors(conn, &visitors, Some(&replaced)).await?;
    }
    let deleted = json(&replaced);
    sql(
        "insert into erased_runs (run_id, at) select unhex(value, '-'), ? from json_each(?) where true
         on conflict (run_id) do nothing",
    )
    .bind(now.as_millis())
    .bind(&deleted)
    .execute(&mut *conn)
    .await?;
    let deleted = sql("delete from runs where id in (select unhex(value, '-') from json_each(?))")
        .bind(deleted)
        .execute(&mut *conn)
        .await?;
    let emptied = sql("update runs set events = unhex('', ''), times = unhex('', '')
         where id in (select unhex(value, '-') from json_each(?))")
    .bind(json(&ids))
    .execute(conn)
    .await?;
    Ok([emptied, deleted])
}

/// Counts the visitors of runs that are deleted next: all runs of some visitors, or some runs of visitors who stay. The
/// migration explains the days. The runs are deleted from the earliest to the latest, as it were.
pub(crate) async fn count_visitors(conn: &mut Conn, visitors: &[i64], runs: Option<&[Id]>) -> Result<(), Internal> {
    macro_rules! neighbors {
        ($of:literal, $before:literal, $after:literal) => {
            concat!(
                "coalesce(max(case when is_deleted = 0 then day end) over (partition by visitor_serial, ",
                $of,
                " order by started_at, id rows between unbounded preceding and 1 preceding), ?2) as ",
                $before,
                ", coalesce(lead(day) over (partition by visitor_serial, ",
                $of,
                " order by started_at, id), ?3) as ",
                $after
            )
        };
    }
    sql(concat!(
        "insert into visitor_days (tour_day_id, day_before, day_after, revision_day_before, revision_day_after, runs)
         select d.id, day_before, day_after, revision_day_before, revision_day_after, count(*) from (
           select n.*, ",
        neighbors!("tour_id", "day_before", "day_after"),
        ", ",
        neighbors!("revision_id", "revision_day_before", "revision_day_after"),
        " from (
             select n.id, n.visitor_serial, l.tour_id, l.site_id, l.revision_id, n.started_at,
               n.started_at / 86400000 as day,
               case when ?4 is null or n.id in (select unhex(value, '-') from json_each(?4)) then 1 else 0 end as is_deleted
             from runs n join releases l on l.serial = n.release_serial
             where n.started = 1 and n.visitor_serial in (select cast(value as bigint) from json_each(?1))
           ) n
         ) n join tour_days d on d.tour_id = n.tour_id and d.day = n.day and d.site_id = n.site_id
           and d.revision_id = n.revision_id
         where is_deleted = 1 and (day_before < n.day and day_after > n.day
           or revision_day_before < n.day and revision_day_after > n.day)
         group by d.id, day_before, day_after, revision_day_before, revision_day_after
         on conflict (tour_day_id, day_before, day_after, revision_day_before, revision_day_after)
           do update set runs = visitor_days.runs + excluded.runs"
    ))
    .bind(json(&visitors))
    .bind(NO_DAY_BEFORE)
    .bind(NO_DAY_AFTER)
    .bind(runs.map(|ids| json(&ids)))
    .execute(conn)
    .await?;
    Ok(())
}

/// The days of runs that do not exist.
const NO_DAY_BEFORE: i64 = -1;
const NO_DAY_AFTER: i64 = 1_000_000;
