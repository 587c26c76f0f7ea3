//! Triggers maintain the counts per group (`migrations/0001_baseline.sql`).

use std::cmp::Reverse;

use traitql::{DateTime, Id, Internal};
use waypost_api::{GoalInput, ReleaseLift};

use super::{Group, group_result, lift};
use crate::store::{Conn, Db, Row, json, serial, sql};

#[derive(Debug)]
pub struct NewExposure {
    pub release_id: Id,
    /// 1 for the holdout.
    pub(crate) holdout: i32,
}

impl NewExposure {
    pub(crate) fn new(release_id: &Id, group: Group) -> Self {
        Self {
            release_id: release_id.clone(),
            holdout: i32::from(group == Group::InHoldout),
        }
    }
}

pub async fn exposed_releases(conn: &mut Conn, visitor_id: &Id) -> Result<Vec<Id>, Internal> {
    Ok(sql(concat!(
        "select l.id from exposures e join releases l on l.serial = e.release_serial where e.visitor_serial = ",
        serial!(visitors, "?")
    ))
    .bind(visitor_id.as_str())
    .try_map(|row: Row| row.id("id"))
    .fetch_all(conn)
    .await?)
}

/// Keeps existing exposures. Does nothing if the visitor was erased in the meantime.
pub async fn insert_exposures(
    conn: &mut Conn,
    visitor_id: &Id,
    exposures: &[NewExposure],
    now: DateTime,
) -> Result<(), Internal> {
    let rows: Vec<_> = exposures
        .iter()
        .map(|exposure| (visitor_id, exposure, now.as_millis()))
        .collect();
    insert_first_exposures(conn, &rows).await?;
    update_reached(conn, visitor_id, &[]).await
}

/// Inserts exposures of any visitors, with times in milliseconds, that none of their stored goals follows.
pub(crate) async fn insert_first_exposures(
    conn: &mut Conn,
    exposures: &[(&Id, &NewExposure, i64)],
) -> Result<(), Internal> {
    let rows: Vec<_> = exposures
        .iter()
        .map(|(visitor, NewExposure { release_id, holdout }, at)| (visitor, release_id, holdout, at))
        .collect();
    // PostgreSQL could scan all visitors for a join, because it does not know the number of rows.
    sql("insert into exposures (visitor_serial, release_serial, holdout, at)
         select e.visitor, l.serial, cast(e.value ->> 2 as bigint), cast(e.value ->> 3 as bigint)
         from (select (select serial from visitors where id = unhex(value ->> 0, '-')) as visitor, value from json_each(?)) e
           join releases l on l.id = e.value ->> 1
         where e.visitor is not null
         on conflict (visitor_serial, release_serial) do nothing")
    .bind(json(&rows))
    .execute(conn)
    .await?;
    Ok(())
}

pub async fn goals_of(conn: &mut Conn, site_id: &Id, reported: &[GoalInput]) -> Result<Vec<String>, Internal> {
    let events: Vec<&String> = reported.iter().map(|goal| &goal.event).collect();
    Ok(
        sql("select distinct goal from releases where site_id = ? and goal in (select value from json_each(?))")
            .bind(site_id.as_str())
            .bind(json(&events))
            .try_map(|row: Row| row.text("goal"))
            .fetch_all(conn)
            .await?,
    )
}

/// Of a visitor. The oldest ones are deleted. This changes no count, because an exposure is marked when its goal is
/// reported.
pub const MAX_GOALS: usize = 5;

/// Times are in milliseconds.
pub async fn insert_goals(conn: &mut Conn, visitor_id: &Id, goals: &[(&str, i64)]) -> Result<(), Internal> {
    // Rows that are deleted at once occupy space in PostgreSQL until a vacuum.
    let mut newest = goals.to_vec();
    newest.sort_by_key(|(_, at)| Reverse(*at));
    newest.truncate(MAX_GOALS);
    sql(concat!(
        "insert into goals (visitor_serial, event, at) select ",
        serial!(visitors, "?1"),
        ", value ->> 0, cast(value ->> 1 as bigint) from json_each(?2) where true
         on conflict (visitor_serial, event, at) do nothing"
    ))
    .bind(visitor_id.as_str())
    .bind(json(&newest))
    .execute(&mut *conn)
    .await?;
    update_reached(conn, visitor_id, goals).await?;
    sql(concat!(
        "delete from goals where visitor_serial = ",
        serial!(visitors, "?1"),
        " and at < (select at from goals where visitor_serial = ",
        serial!(visitors, "?1"),
        " order by at desc limit 1 offset ?2)"
    ))
    .bind(visitor_id.as_str())
    .bind(i64::try_from(MAX_GOALS - 1).unwrap_or(i64::MAX))
    .execute(conn)
    .await?;
    Ok(())
}

/// Marks exposures whose goal was completed after the exposure and before the end of the release. `reported` goals need
/// not be stored.
async fn update_reached(conn: &mut Conn, visitor_id: &Id, reported: &[(&str, i64)]) -> Result<(), Internal> {
    sql(concat!(
        "update exposures set reached = 1 where visitor_serial = ",
        serial!(visitors, "?1"),
        " and reached = 0 and exists (
           select 1 from releases l join (
             select event, at from goals where visitor_serial = ",
        serial!(visitors, "?1"),
        "    union all select value ->> 0, cast(value ->> 1 as bigint) from json_each(?2)
           ) g on g.event = l.goal
           where l.serial = exposures.release_serial and g.at >= exposures.at
             and g.at <= coalesce(l.ended_at, l.ends_at, g.at))"
    ))
    .bind(visitor_id.as_str())
    .bind(json(&reported))
    .execute(conn)
    .await?;
    Ok(())
}

/// Merges the exposures of two visitors. Of two exposures to one release, the first counts.
pub(crate) async fn merge(conn: &mut Conn, from: &Id, into: &Id) -> Result<(), Internal> {
    for statement in [
        concat!(
            "insert into goals (visitor_serial, event, at) select ",
            serial!(visitors, "?2"),
            ", event, at from goals where visitor_serial = ",
            serial!(visitors, "?1"),
            " on conflict (visitor_serial, event, at) do nothing"
        ),
        concat!(
            "delete from goals where visitor_serial = ",
            serial!(visitors, "?1"),
            " and ?1 <> ?2"
        ),
        concat!(
            "insert into exposures (visitor_serial, release_serial, holdout, at) select ",
            serial!(visitors, "?2"),
            ", release_serial, holdout, at from exposures where visitor_serial = ",
            serial!(visitors, "?1"),
            " on conflict (visitor_serial, release_serial) do update set holdout = excluded.holdout, at = excluded.at
              where (excluded.at, excluded.holdout) < (exposures.at, exposures.holdout)"
        ),
        concat!(
            "delete from exposures where visitor_serial = ",
            serial!(visitors, "?1"),
            " and ?1 <> ?2"
        ),
    ] {
        sql(statement)
            .bind(from.as_str())
            .bind(into.as_str())
            .execute(&mut *conn)
            .await?;
    }
    update_reached(conn, into, &[]).await
}

/// Adds the exposures of visitors who are deleted next to their groups, from which a trigger subtracts them.
pub(crate) async fn keep_counts(conn: &mut Conn, visitor_serials: &[i64]) -> Result<(), Internal> {
    sql("insert into lift_groups (release_serial, holdout, visitors, reached)
         select release_serial, holdout, count(*), sum(reached) from exposures
         where visitor_serial in (select cast(value as bigint) from json_each(?)) group by release_serial, holdout
         on conflict (release_serial, holdout) do update set visitors = lift_groups.visitors + excluded.visitors,
           reached = lift_groups.reached + excluded.reached")
    .bind(json(&visitor_serials))
    .execute(conn)
    .await?;
    Ok(())
}

pub async fn lifts(db: Db<'_>, tour_id: &Id, site_id: Option<&Id>, limit: i32) -> Result<Vec<ReleaseLift>, Internal> {
    Ok(sql(
        "select l.id, coalesce(o.visitors, 0) as offered, coalesce(o.reached, 0) as offered_reached,
           coalesce(h.visitors, 0) as holdout, coalesce(h.reached, 0) as holdout_reached
         from releases l
         left join lift_groups o on o.release_serial = l.serial and o.holdout = 0
         left join lift_groups h on h.release_serial = l.serial and h.holdout = 1
         where l.tour_id = ?1 and (?2 is null or l.site_id = ?2) and l.goal is not null
         order by l.at desc, l.id desc limit ?3",
    )
    .bind(tour_id.as_str())
    .bind(site_id.map(Id::as_str))
    .bind(limit)
    .try_map(|row: Row| {
        let offered = group_result(row.int("offered")?, row.int("offered_reached")?);
        let holdout = group_result(row.int("holdout")?, row.int("holdout_reached")?);
        Ok(ReleaseLift {
            release_id: row.id("id")?,
            lift: lift(&offered, &holdout),
            offered,
            holdout,
        })
    })
    .fetch_all(db)
    .await?)
}
