//! Everything that is stored about one person, as one JSON document.
//!
//! `server/docs/operating.md` describes the format. A test compares [`COLUMNS`] with the database, so that no table about
//! visitors is forgotten.

use serde_json::{Value, json};
use traitql::{DateTime, Id, Internal};

use super::store;
use crate::{
    run::export::runs,
    site,
    store::{Conn, Query, Row, serial, sql},
};

/// Raised by a change that programs cannot ignore.
pub const VERSION: i32 = 1;

/// The columns of the tables about visitors that the document contains, directly or as what they mean: serial numbers as
/// ids and titles, bits as keys of steps. The others are hashes and copies of these, for indexes and counts.
pub const COLUMNS: [(&str, &[&str], &[&str]); 7] = [
    (
        "visitors",
        &[
            "id",
            "site_serial",
            "external_id",
            "verified",
            "traits",
            "locale",
            "first_seen_at",
            "last_seen_at",
            "last_page",
            "tester_id",
        ],
        &["serial", "external_hash"],
    ),
    ("browsers", &["anonymous_id", "visitor_serial", "linked_at"], &["hash"]),
    (
        "runs",
        &[
            "id",
            "tour_serial",
            "release_serial",
            "visitor_serial",
            "state",
            "started",
            "seen",
            "done",
            "missing",
            "started_at",
            "last_at",
            "ended_at",
            "end_reason",
            "active_ms",
            "times",
            "events",
        ],
        &["last_seq", "position", "buckets"],
    ),
    ("goals", &["visitor_serial", "event", "at"], &[]),
    (
        "exposures",
        &["visitor_serial", "release_serial", "holdout", "at", "reached"],
        &[],
    ),
    (
        "attempts",
        &[
            "visitor_serial",
            "tour_serial",
            "day",
            "problem",
            "release_serial",
            "step",
            "at",
        ],
        &["counted"],
    ),
    ("visitor_resets", &["visitor_serial", "tour_serial", "at"], &[]),
];

/// Returns `None` if there is no such visitor.
pub async fn document(conn: &mut Conn, id: &Id, now: DateTime) -> Result<Option<Value>, Internal> {
    let Some(visitor) = store::by_id(conn.db(), id).await? else {
        return Ok(None);
    };
    let sites = site::store::by_ids(conn.db(), std::slice::from_ref(&visitor.site_id)).await?;
    let traits = visitor
        .traits
        .iter()
        .map(|each| json!({ "key": each.key, "value": each.value, "signed": each.signed }));
    Ok(Some(json!({
        "format": "waypost-visitor",
        "version": VERSION,
        "exportedAt": now,
        "site": sites.first().map(|site| json!({ "id": site.id, "name": site.name })),
        "visitor": {
            "id": visitor.id,
            "externalId": visitor.external_id,
            "verified": visitor.verified,
            "traits": traits.collect::<Vec<_>>(),
            "locale": visitor.locale,
            "firstSeenAt": visitor.first_seen_at,
            "lastSeenAt": visitor.last_seen_at,
            "lastPage": visitor.last_page,
            "isTestUser": visitor.tester_id.is_some(),
        },
        "browsers": browsers(conn, id).await?,
        "runs": runs(conn, id).await?,
        "goals": goals(conn, id).await?,
        "exposures": exposures(conn, id).await?,
        "attempts": attempts(conn, id).await?,
        "resets": resets(conn, id).await?,
    })))
}

async fn browsers(conn: &mut Conn, id: &Id) -> Result<Vec<Value>, Internal> {
    let statement = sql(concat!(
        "select anonymous_id, linked_at from browsers where visitor_serial = ",
        serial!(visitors, "?"),
        " order by linked_at, anonymous_id"
    ));
    rows(conn, statement, id, |row| {
        Ok(json!({ "id": row.text("anonymous_id")?, "linkedAt": row.time("linked_at")? }))
    })
    .await
}

async fn goals(conn: &mut Conn, id: &Id) -> Result<Vec<Value>, Internal> {
    let statement = sql(concat!(
        "select event, at from goals where visitor_serial = ",
        serial!(visitors, "?"),
        " order by at, event"
    ));
    rows(conn, statement, id, |row| {
        Ok(json!({ "event": row.text("event")?, "at": row.time("at")? }))
    })
    .await
}

async fn exposures(conn: &mut Conn, id: &Id) -> Result<Vec<Value>, Internal> {
    let statement = sql(concat!(
        "select l.id as release_id, t.title, l.goal, e.holdout, e.at, e.reached
         from exposures e join releases l on l.serial = e.release_serial join tours t on t.id = l.tour_id
         where e.visitor_serial = ",
        serial!(visitors, "?"),
        " order by e.at, l.serial"
    ));
    rows(conn, statement, id, |row| {
        Ok(json!({
            "release": row.id("release_id")?, "tour": row.text("title")?, "goal": row.text_opt("goal")?,
            "inHoldout": row.bool("holdout")?, "at": row.time("at")?, "reachedGoal": row.bool("reached")?,
        }))
    })
    .await
}

async fn attempts(conn: &mut Conn, id: &Id) -> Result<Vec<Value>, Internal> {
    let statement = sql(concat!(
        "select t.title, l.id as release_id, a.problem, a.at,
           (select s.value ->> 'key' from json_each(r.steps) s where s.key = a.step) as step
         from attempts a join releases l on l.serial = a.release_serial join tours t on t.serial = a.tour_serial
         join revisions r on r.id = l.revision_id
         where a.visitor_serial = ",
        serial!(visitors, "?"),
        " order by a.at, a.problem"
    ));
    rows(conn, statement, id, |row| {
        let problem = if row.bool("problem")? {
            "PLAYER_FAILED"
        } else {
            "ELEMENT_MISSING"
        };
        Ok(json!({
            "tour": row.text("title")?, "release": row.id("release_id")?, "problem": problem, "at": row.time("at")?,
            "step": row.text_opt("step")?,
        }))
    })
    .await
}

async fn resets(conn: &mut Conn, id: &Id) -> Result<Vec<Value>, Internal> {
    let statement = sql(concat!(
        "select t.title, f.at from visitor_resets f join tours t on t.serial = f.tour_serial where f.visitor_serial = ",
        serial!(visitors, "?"),
        " order by f.at, t.serial"
    ));
    rows(conn, statement, id, |row| {
        Ok(json!({ "tour": row.text("title")?, "at": row.time("at")? }))
    })
    .await
}

async fn rows(
    conn: &mut Conn,
    statement: Query,
    id: &Id,
    read: fn(Row) -> Result<Value, sqlx::Error>,
) -> Result<Vec<Value>, Internal> {
    Ok(statement.bind(id.as_str()).try_map(read).fetch_all(conn).await?)
}
