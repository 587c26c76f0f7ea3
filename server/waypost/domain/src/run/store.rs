use std::collections::{BTreeSet, HashMap, HashSet};

use serde::Serialize;
use traitql::{DateTime, Id, Internal};
use waypost_api::{EndReason, EventInput, Run, RunEvent, RunFilterInput};

use super::{
    ABANDONED_AFTER_MS, Position, RunProgress,
    kept_events::KeptEvents,
    record::{self, ReleaseForRun},
    times::Times,
};
use crate::{
    insights::Days,
    store::{Conn, Db, Row, cursor::Cursor, json, serial, sql},
};

/// Returns the releases of runs, including ended ones.
pub(super) async fn releases_for_runs(
    conn: &mut Conn,
    events: &[&EventInput],
    runs: &HashMap<Id, record::RunRow>,
) -> Result<HashMap<Id, ReleaseForRun>, Internal> {
    let reported = events.iter().map(|event| &event.release_id);
    let ids: BTreeSet<&Id> = reported.chain(runs.values().map(|run| &run.release_id)).collect();
    let releases = sql(
        "select l.serial, l.id, t.serial as tour_serial, l.tour_id, l.revision_id, l.site_id, l.at, l.runs_ended_at,
           (select json_group_array(value ->> 'key') from json_each(r.steps)) as keys
         from releases l join tours t on t.id = l.tour_id join revisions r on r.id = l.revision_id
         where l.id in (select value from json_each(?))",
    )
    .bind(json(&ids))
    .try_map(|row: Row| {
        Ok(ReleaseForRun {
            serial: row.long("serial")?,
            id: row.id("id")?,
            tour_serial: row.long("tour_serial")?,
            tour_id: row.id("tour_id")?,
            revision_id: row.id("revision_id")?,
            site_id: row.id("site_id")?,
            at: row.time("at")?,
            keys: row.json("keys")?,
            runs_ended_at: row.time_opt("runs_ended_at")?,
        })
    })
    .fetch_all(conn)
    .await?;
    Ok(releases
        .into_iter()
        .map(|release| (release.id.clone(), release))
        .collect())
}

pub(super) async fn rows(
    conn: &mut Conn,
    events: &[&EventInput],
) -> Result<HashMap<Id, (record::RunRow, Vec<u8>)>, Internal> {
    let rows = sql(
        "select n.*, v.id as visitor_id from runs_of_releases n join visitors v on v.serial = n.visitor_serial
         where n.id in (select unhex(value, '-') from json_each(?))",
    )
    .bind(runs_of(events))
    .try_map(|row: Row| {
        let run = record::RunRow {
            id: row.id("id")?,
            release_id: row.id("release_id")?,
            visitor_id: row.id("visitor_id")?,
            site_id: row.id("site_id")?,
            progress: progress(&row)?,
        };
        Ok((run.id.clone(), (run, row.bytes("events")?)))
    })
    .fetch_all(conn)
    .await?;
    Ok(rows.into_iter().collect())
}

/// Counts the runs of some visitors by visitor and tour, as far back as events are accepted.
pub(super) async fn run_counts(
    conn: &mut Conn,
    visitors: &[&Id],
    now: DateTime,
) -> Result<HashMap<(Id, Id), u32>, Internal> {
    let counts = sql("select v.id as visitor_id, t.id as tour_id, count(*) as runs
         from visitors v join runs n on n.visitor_serial = v.serial join tours t on t.serial = n.tour_serial
         where v.id in (select unhex(value, '-') from json_each(?)) and n.started_at >= ?
         group by v.id, t.id")
    .bind(json(&visitors))
    .bind(now.as_millis() - record::MAX_EVENT_AGE_MS)
    .try_map(|row: Row| {
        let key = (row.id("visitor_id")?, row.id("tour_id")?);
        Ok((key, u32::try_from(row.long("runs")?).unwrap_or(u32::MAX)))
    })
    .fetch_all(conn)
    .await?;
    Ok(counts.into_iter().collect())
}

fn runs_of(events: &[&EventInput]) -> String {
    let ids: BTreeSet<&Id> = events.iter().map(|event| &event.run_id).collect();
    json(&ids)
}

/// A row of `runs` as JSON, so that one statement inserts many.
#[derive(Serialize)]
struct RunColumns<'a> {
    id: &'a Id,
    tour: i64,
    release: i64,
    visitor: &'a Id,
    state: &'static str,
    started: i32,
    seen: i64,
    done: i64,
    missing: i64,
    started_at: i64,
    last_at: i64,
    ended_at: Option<i64>,
    end_reason: Option<&'static str>,
    active_ms: i32,
    last_seq: i32,
    position: Option<i64>,
    /// The times in hexadecimal, like `events`.
    times: String,
    /// JSON text.
    buckets: String,
    events: String,
}

/// Writes runs with one statement, regardless of their number.
pub(super) async fn save<'a>(
    conn: &mut Conn,
    runs: impl Iterator<Item = (&'a record::RunRow, &'a ReleaseForRun, &'a KeptEvents)>,
) -> Result<(), Internal> {
    let rows: Vec<RunColumns<'_>> = runs
        .map(|(row, release, events)| run_columns(row, release, events))
        .collect();
    sql(
        "insert into runs (id, tour_serial, release_serial, visitor_serial, state, started, seen, done,
           missing, started_at, last_at, ended_at, end_reason, active_ms, last_seq, position, times,
           buckets, events)
         select unhex(value ->> 'id', '-'), cast(value ->> 'tour' as bigint), cast(value ->> 'release' as bigint),
           (select serial from visitors where id = unhex(value ->> 'visitor', '-')),
           value ->> 'state', cast(value ->> 'started' as bigint), cast(value ->> 'seen' as bigint),
           cast(value ->> 'done' as bigint), cast(value ->> 'missing' as bigint), cast(value ->> 'started_at' as bigint),
           cast(value ->> 'last_at' as bigint), cast(value ->> 'ended_at' as bigint), value ->> 'end_reason',
           cast(value ->> 'active_ms' as bigint), cast(value ->> 'last_seq' as bigint),
           cast(value ->> 'position' as bigint), unhex(value ->> 'times', ''), value ->> 'buckets',
           unhex(value ->> 'events', '')
         from json_each(?, '$') where true
         on conflict (id) do update set release_serial = excluded.release_serial,
           state = excluded.state, started = excluded.started, seen = excluded.seen, done = excluded.done, missing = excluded.missing, started_at = excluded.started_at,
           last_at = excluded.last_at, ended_at = excluded.ended_at, end_reason = excluded.end_reason,
           active_ms = excluded.active_ms, last_seq = excluded.last_seq, position = excluded.position,
           times = excluded.times, buckets = excluded.buckets, events = excluded.events",
    )
    .bind(json(&rows))
    .execute(conn)
    .await?;
    Ok(())
}

fn run_columns<'a>(row: &'a record::RunRow, release: &'a ReleaseForRun, events: &KeptEvents) -> RunColumns<'a> {
    let progress = row.progress;
    RunColumns {
        id: &row.id,
        tour: release.tour_serial,
        release: release.serial,
        visitor: &row.visitor_id,
        state: progress.state.as_graphql(),
        started: progress.started.into(),
        seen: progress.seen,
        done: progress.done,
        missing: progress.missing,
        started_at: progress.started_at.as_millis(),
        last_at: progress.last_at.as_millis(),
        ended_at: progress.ended_at.map(DateTime::as_millis),
        end_reason: progress.end_reason.map(EndReason::as_graphql),
        active_ms: progress.active_ms,
        last_seq: progress.last_seq,
        position: progress.position.map(Position::stored),
        times: hex::encode(progress.times.pack()),
        buckets: json(&progress.buckets()),
        events: hex::encode(events.pack(&release.keys)),
    }
}

/// Ends the active runs of a tour on a site. [`RunProgress::superseded`] does the same for runs with later reports.
pub(crate) async fn supersede(conn: &mut Conn, tour_id: &Id, site_id: &Id, now: DateTime) -> Result<(), Internal> {
    sql(concat!(
        "update runs set state = 'SUPERSEDED', ended_at = min(coalesce(ended_at, ?3), ?3), end_reason = ?5
         where tour_serial = ",
        serial!(tours, "?1"),
        " and state = 'ACTIVE' and last_at > ?4
           and release_serial in (select serial from releases where tour_id = ?1 and site_id = ?2)"
    ))
    .bind(tour_id.as_str())
    .bind(site_id.as_str())
    .bind(now.as_millis())
    .bind(now.as_millis() - ABANDONED_AFTER_MS)
    .bind(EndReason::ReleaseEnded.as_graphql())
    .execute(conn)
    .await?;
    Ok(())
}

/// Each group has one example of the progress and the step keys of its revision. Only each visitor's newest run
/// counts; runs before a reset are ignored.
pub(crate) async fn active_by_progress(
    conn: &mut Conn,
    tour_id: &Id,
    site_id: &Id,
    now: DateTime,
) -> Result<Vec<(RunProgress, Vec<String>, i32)>, Internal> {
    Ok(sql(concat!(
        "with active as (
           select *, row_number() over (partition by visitor_serial order by last_at desc, id desc) as place
           from runs_of_releases n where tour_serial = ",
        serial!(tours, "?1"),
        " and site_id = ?2 and state = 'ACTIVE' and started = 1 and last_at > ?3
             and not exists (select 1 from visitor_resets f
               where f.visitor_serial = n.visitor_serial and f.tour_serial = n.tour_serial and f.at >= n.started_at)
         ), alike as (
           select *, count(*) over (partition by revision_id, seen, done, position % 128) as visitors,
             row_number() over (partition by revision_id, seen, done, position % 128 order by id) as nth
           from active where place = 1
         )
         select a.*, (select json_group_array(value ->> 'key') from json_each(r.steps)) as keys
         from alike a join revisions r on r.id = a.revision_id where a.nth = 1"
    ))
    .bind(tour_id.as_str())
    .bind(site_id.as_str())
    .bind(now.as_millis() - ABANDONED_AFTER_MS)
    .try_map(|row: Row| Ok((progress(&row)?, row.json("keys")?, row.int("visitors")?)))
    .fetch_all(conn)
    .await?)
}

pub async fn page(
    db: Db<'_>,
    tour_id: &Id,
    filter: &RunFilterInput,
    days: Option<Days>,
    after: &Cursor,
    limit: i32,
    now: DateTime,
) -> Result<Vec<Run>, Internal> {
    let (from, to) = days.map_or((i64::MIN, i64::MAX), Days::millis);
    Ok(sql(concat!(
        "with places as materialized (
           select r.id as revision_id, s.key as place from revisions r cross join json_each(r.steps) s
           where r.tour_id = ?1 and s.value ->> 'key' = ?7
         )
         select n.*, v.id as visitor_id, (select json_group_array(value ->> 'key') from json_each(r.steps)) as keys
         from runs_of_releases n join revisions r on r.id = n.revision_id join visitors v on v.serial = n.visitor_serial
         where n.tour_serial = ",
        serial!(tours, "?1"),
        " and (?2 is null or n.site_id = ?2) and (?3 is null or n.revision_id = ?3)
           and n.started_at >= ?4 and n.started_at < ?5
           and (?6 is null or ?6 = case when n.state = 'ACTIVE' and n.last_at <= ?8 then 'ABANDONED'
             when n.state = 'DISMISSED' and n.end_reason = 'PROGRAM' then 'STOPPED' else n.state end)
           and (?7 is null or (n.state <> 'ACTIVE' or n.last_at <= ?8) and exists (
             select 1 from places p
             where p.revision_id = n.revision_id and (n.seen & ~n.done) >> cast(p.place as integer) & 1 = 1))
           and (n.started_at, n.id) < (?9, unhex(?10, '-'))
         order by n.started_at desc, n.id desc limit ?11"
    ))
    .bind(tour_id.as_str())
    .bind(filter.site_id.as_ref().value().map(Id::as_str))
    .bind(filter.revision_id.as_ref().value().map(Id::as_str))
    .bind(from)
    .bind(to)
    .bind(filter.state.as_ref().value().map(|state| state.as_graphql()))
    .bind(filter.ended_at_step.as_ref().value())
    .bind(now.as_millis() - ABANDONED_AFTER_MS)
    .bind(after.key)
    .bind(&after.id)
    .bind(limit)
    .try_map(|row: Row| run(&row, now))
    .fetch_all(db)
    .await?)
}

pub async fn pages(
    db: Db<'_>,
    visitors: &[Id],
    after: &Cursor,
    limit: i32,
    now: DateTime,
) -> Result<Vec<Run>, Internal> {
    Ok(sql(
        "select n.*, v.id as visitor_id, (select json_group_array(value ->> 'key') from json_each(r.steps)) as keys
         from (
           select *, row_number() over (partition by visitor_serial order by started_at desc, id desc) as place
           from runs_of_releases
           where visitor_serial in (
               select serial from visitors where id in (select unhex(value, '-') from json_each(?1)))
             and (started_at, id) < (?2, unhex(?3, '-'))
         ) n join revisions r on r.id = n.revision_id join visitors v on v.serial = n.visitor_serial
         where n.place <= ?4 order by n.visitor_serial, n.started_at desc, n.id desc",
    )
    .bind(json(&visitors))
    .bind(after.key)
    .bind(&after.id)
    .bind(limit)
    .try_map(|row: Row| run(&row, now))
    .fetch_all(db)
    .await?)
}

pub async fn events(db: Db<'_>, runs: &[Id], limit: i32) -> Result<Vec<(Id, RunEvent)>, Internal> {
    let rows = sql(
        "select n.id, n.events, (select json_group_array(value ->> 'key') from json_each(r.steps)) as keys
         from runs_of_releases n join revisions r on r.id = n.revision_id where n.id in (
           select unhex(value, '-') from json_each(?))",
    )
    .bind(json(&runs))
    .try_map(|row: Row| Ok((row.id("id")?, row.bytes("events")?, row.json::<Vec<String>>("keys")?)))
    .fetch_all(db)
    .await?;
    let mut events = Vec::new();
    for (run, packed, keys) in rows {
        let kept = KeptEvents::unpack(&packed, &keys)?.into_iter();
        let first = kept.take(usize::try_from(limit).unwrap_or(0));
        events.extend(first.map(|event| (run.clone(), event)));
    }
    Ok(events)
}

pub(crate) async fn count_events(conn: &mut Conn, visitor_id: &Id) -> Result<u64, Internal> {
    let ids: Vec<Id> = sql(concat!(
        "select id from runs where visitor_serial = ",
        serial!(visitors, "?")
    ))
    .bind(visitor_id.as_str())
    .try_map(|row: Row| row.id("id"))
    .fetch_all(&mut *conn)
    .await?;
    let events = events(conn.db(), &ids, i32::MAX).await?;
    Ok(u64::try_from(events.len()).unwrap_or(u64::MAX))
}

pub(super) async fn erased(conn: &mut Conn, events: &[&EventInput]) -> Result<HashSet<Id>, Internal> {
    let rows = sql("select run_id from erased_runs where run_id in (select unhex(value, '-') from json_each(?))")
        .bind(runs_of(events))
        .try_map(|row: Row| row.id("run_id"))
        .fetch_all(conn)
        .await?;
    Ok(rows.into_iter().collect())
}

fn run(row: &Row, now: DateTime) -> Result<Run, sqlx::Error> {
    let keys: Vec<String> = row.json("keys")?;
    let progress = progress(row)?;
    let named = |bits: i64| -> Vec<String> {
        let keys = keys.iter().enumerate();
        keys.filter(|(index, _)| bits >> index & 1 == 1)
            .map(|(_, key)| key.clone())
            .collect()
    };
    Ok(Run {
        id: row.id("id")?,
        state: progress.shown_state(now),
        seen_steps: named(progress.seen),
        done_steps: named(progress.done),
        missing_steps: named(progress.gaps()),
        started_at: progress.started_at,
        ended_at: progress.ended_at,
        end_reason: progress.end_reason,
        active_ms: progress.active_ms,
        tour_id: row.id("tour_id")?,
        revision_id: row.id("revision_id")?,
        visitor_id: row.id("visitor_id")?,
    })
}

pub(crate) fn progress(row: &Row) -> Result<RunProgress, sqlx::Error> {
    Ok(RunProgress {
        state: row.variant("state")?,
        started: row.bool("started")?,
        seen: row.long("seen")?,
        done: row.long("done")?,
        missing: row.long("missing")?,
        started_at: row.time("started_at")?,
        last_at: row.time("last_at")?,
        ended_at: row.time_opt("ended_at")?,
        end_reason: row.variant_opt("end_reason")?,
        active_ms: row.int("active_ms")?,
        last_seq: row.int("last_seq")?,
        position: row.long_opt("position")?.map(Position::from_stored),
        times: Times::unpack(&row.bytes("times")?)
            .ok_or_else(|| sqlx::Error::Decode("the column `times` of a run is damaged".into()))?,
    })
}
