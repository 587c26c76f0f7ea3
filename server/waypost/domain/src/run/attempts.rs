//! Attempts to start a tour that showed no step, because an element was missing or the player could not be loaded.
//!
//! A page can report an attempt at every page view, so only the last one of a visitor, a tour, a day and a problem is
//! kept. Triggers maintain the counts (`migrations/0002_attempts.sql`).

use std::collections::{BTreeMap, HashMap, HashSet};

use traitql::{DateTime, Id, Internal};
use waypost_api::{AttemptInput, AttemptProblem};

use super::record::MAX_EVENT_AGE_MS;
use crate::{
    identity::store::day,
    store::{Conn, Row, json, serial, sql},
};

/// The limit of stored attempts of a visitor. The oldest ones are deleted, which changes no count.
pub const MAX_ATTEMPTS: usize = 8;

/// Its number in the table, too.
const PROBLEMS: [AttemptProblem; 2] = [AttemptProblem::ElementMissing, AttemptProblem::PlayerFailed];

/// The last attempt of a visitor with a problem.
#[derive(Debug, Clone)]
pub struct LastAttempt {
    pub(crate) problem: AttemptProblem,
    pub(crate) at: DateTime,
    /// The title of the step, or its key if it has none.
    pub(crate) step: Option<String>,
}

struct Release {
    serial: i64,
    tour_serial: i64,
    keys: Vec<String>,
}

/// One attempt of each tour, day and problem is kept.
type Key = (i64, i64, i64);

#[derive(Clone, Copy)]
struct Attempt {
    release_serial: i64,
    step: Option<usize>,
    at: DateTime,
}

/// Returns the number of attempts that are stored now, or were replaced by later ones.
///
/// Calls `admit` for each new row.
pub async fn record(
    conn: &mut Conn,
    site_id: &Id,
    visitor_id: &Id,
    reported: &[AttemptInput],
    admit: impl Fn() -> bool,
    now: DateTime,
) -> Result<usize, Internal> {
    let releases = releases(conn, site_id, reported).await?;
    let known = known(conn, visitor_id).await?;
    // An attempt that was deleted must not count again.
    let oldest = known.iter().map(|(_, day, _)| *day).min();
    let deleted_until = oldest.filter(|_| known.len() >= MAX_ATTEMPTS);
    let mut attempts: BTreeMap<Key, Attempt> = BTreeMap::new();
    let mut accepted = 0;
    for input in reported {
        let Some(release) = releases.get(&input.release_id) else {
            continue;
        };
        if now.as_millis() - input.at.as_millis() > MAX_EVENT_AGE_MS {
            continue;
        }
        // From browsers whose clocks are ahead.
        let at = input.at.min(now);
        let problem = (0..).zip(PROBLEMS).find(|(_, problem)| *problem == input.problem);
        let Some((problem, _)) = problem else { continue };
        let key = (release.tour_serial, day(at), problem);
        let is_new = !attempts.contains_key(&key) && !known.contains(&key);
        if is_new && (deleted_until.is_some_and(|until| day(at) <= until) || !admit()) {
            continue;
        }
        accepted += 1;
        let step_key = input.step_key.as_ref().value();
        let attempt = Attempt {
            release_serial: release.serial,
            step: step_key.and_then(|key| release.keys.iter().position(|known| known == key)),
            at,
        };
        let last = attempts.entry(key).or_insert(attempt);
        if attempt.at > last.at {
            *last = attempt;
        }
    }
    save(conn, visitor_id, &attempts).await?;
    Ok(accepted)
}

/// Returns the reported releases of the site, by id.
async fn releases(conn: &mut Conn, site_id: &Id, reported: &[AttemptInput]) -> Result<HashMap<Id, Release>, Internal> {
    let ids: HashSet<&Id> = reported.iter().map(|attempt| &attempt.release_id).collect();
    let releases = sql("select l.serial, l.id, t.serial as tour_serial,
           (select json_group_array(value ->> 'key') from json_each(r.steps)) as keys
         from releases l join tours t on t.id = l.tour_id join revisions r on r.id = l.revision_id
         where l.site_id = ? and l.id in (select value from json_each(?))")
    .bind(site_id.as_str())
    .bind(json(&ids))
    .try_map(|row: Row| {
        let release = Release {
            serial: row.long("serial")?,
            tour_serial: row.long("tour_serial")?,
            keys: row.json("keys")?,
        };
        Ok((row.id("id")?, release))
    })
    .fetch_all(conn)
    .await?;
    Ok(releases.into_iter().collect())
}

async fn known(conn: &mut Conn, visitor_id: &Id) -> Result<HashSet<Key>, Internal> {
    let known = sql(concat!(
        "select tour_serial, day, problem from attempts where visitor_serial = ",
        serial!(visitors, "?")
    ))
    .bind(visitor_id.as_str())
    .try_map(|row: Row| Ok((row.long("tour_serial")?, row.long("day")?, row.long("problem")?)))
    .fetch_all(conn)
    .await?;
    Ok(known.into_iter().collect())
}

async fn save(conn: &mut Conn, visitor_id: &Id, attempts: &BTreeMap<Key, Attempt>) -> Result<(), Internal> {
    let rows: Vec<_> = attempts
        .iter()
        .map(|((tour, day, problem), attempt)| {
            let Attempt {
                release_serial,
                step,
                at,
            } = attempt;
            (tour, day, problem, release_serial, step, at.as_millis())
        })
        .collect();
    sql(concat!(
        "insert into attempts (visitor_serial, tour_serial, day, problem, release_serial, step, at) select ",
        serial!(visitors, "?1"),
        ", cast(value ->> 0 as bigint), cast(value ->> 1 as bigint), cast(value ->> 2 as bigint),
           cast(value ->> 3 as bigint), cast(value ->> 4 as bigint), cast(value ->> 5 as bigint)
         from json_each(?2) where true
         on conflict (visitor_serial, tour_serial, day, problem) do update set release_serial = excluded.release_serial,
           step = excluded.step, at = excluded.at
         where excluded.at > attempts.at"
    ))
    .bind(visitor_id.as_str())
    .bind(json(&rows))
    .execute(&mut *conn)
    .await?;
    sql(concat!(
        "delete from attempts where visitor_serial = ",
        serial!(visitors, "?1"),
        " and (day, tour_serial, problem) < (
           select day, tour_serial, problem from attempts where visitor_serial = ",
        serial!(visitors, "?1"),
        " order by day desc, tour_serial desc, problem desc limit 1 offset ?2)"
    ))
    .bind(visitor_id.as_str())
    .bind(i64::try_from(MAX_ATTEMPTS - 1).unwrap_or(i64::MAX))
    .execute(conn)
    .await?;
    Ok(())
}

/// Returns the last attempt with each problem, of the revision that is live on the visitor's site. Attempts before a
/// reset are excluded.
pub async fn last(conn: &mut Conn, visitor_id: &Id, tour_id: &Id) -> Result<Vec<LastAttempt>, Internal> {
    let attempts = sql(
        "select a.problem, a.at, (
           select coalesce(nullif(s.value ->> 'title', ''), s.value ->> 'key') from json_each(r.steps) s where s.key = a.step
         ) as step
         from attempts a join visitors v on v.serial = a.visitor_serial join releases l on l.serial = a.release_serial
         join releases live on live.tour_id = l.tour_id and live.site_id = l.site_id and live.revision_id = l.revision_id
           and live.ended_at is null
         join revisions r on r.id = l.revision_id
         left join visitor_resets f on f.visitor_serial = a.visitor_serial and f.tour_serial = a.tour_serial
         where v.id = unhex(?, '-') and l.tour_id = ? and (f.at is null or a.at > f.at)
         order by a.at desc",
    )
    .bind(visitor_id.as_str())
    .bind(tour_id.as_str())
    .try_map(|row: Row| Ok((row.long("problem")?, row.time("at")?, row.text_opt("step")?)))
    .fetch_all(conn)
    .await?;
    let last = (0..).zip(PROBLEMS).filter_map(|(number, problem)| {
        let (_, at, step) = attempts.iter().find(|(stored, ..)| *stored == number)?;
        Some(LastAttempt {
            problem,
            at: *at,
            step: step.clone(),
        })
    });
    Ok(last.collect())
}

/// Moves the attempts of a visitor to another. Of two attempts with the same problem on one day, the last one is kept and
/// counted.
pub(crate) async fn merge(conn: &mut Conn, from: &Id, into: &Id) -> Result<(), Internal> {
    for statement in [
        concat!(
            "update attempts set counted = 0 where ?1 <> ?2 and visitor_serial in (",
            serial!(visitors, "?1"),
            ", ",
            serial!(visitors, "?2"),
            ") and exists (
               select 1 from attempts o where o.visitor_serial in (",
            serial!(visitors, "?1"),
            ", ",
            serial!(visitors, "?2"),
            ") and o.visitor_serial <> attempts.visitor_serial
                 and (o.tour_serial, o.day, o.problem) = (attempts.tour_serial, attempts.day, attempts.problem)
                 and (o.at, o.visitor_serial) > (attempts.at, attempts.visitor_serial))"
        ),
        concat!(
            "delete from attempts where counted = 0 and visitor_serial in (",
            serial!(visitors, "?1"),
            ", ",
            serial!(visitors, "?2"),
            ")"
        ),
        concat!(
            "update attempts set visitor_serial = ",
            serial!(visitors, "?2"),
            " where visitor_serial = ",
            serial!(visitors, "?1")
        ),
    ] {
        sql(statement)
            .bind(from.as_str())
            .bind(into.as_str())
            .execute(&mut *conn)
            .await?;
    }
    Ok(())
}
