use std::collections::HashMap;

use traitql::{DateTime, Id, Internal};
use waypost_api::{Visitor, VisitorFilterInput};

use super::{
    Tester,
    traits::{Stored, Traits},
};
use crate::store::{Conn, Db, Row, cursor::Cursor, json, serial, sql};

pub(crate) fn visitor(row: Row) -> Result<Visitor, sqlx::Error> {
    Ok(Visitor {
        id: row.id("id")?,
        external_id: row.text_opt("external_id")?,
        verified: row.bool("verified")?,
        traits: Traits::from(row.json::<Stored>("traits")?).into_list(),
        locale: row.text_opt("locale")?,
        first_seen_at: row.time("first_seen_at")?,
        last_seen_at: row.time("last_seen_at")?,
        last_page: row.text_opt("last_page")?.and_then(|page| page.parse().ok()),
        site_id: row.id("site_id")?,
        tester_id: row.id_opt("tester_id")?,
    })
}

pub async fn by_ids(db: Db<'_>, ids: &[Id]) -> Result<Vec<Visitor>, Internal> {
    Ok(
        sql("select * from visitors_of_sites where id in (select unhex(value, '-') from json_each(?))")
            .bind(json(&ids))
            .try_map(visitor)
            .fetch_all(db)
            .await?,
    )
}

pub async fn by_id(db: Db<'_>, id: &Id) -> Result<Option<Visitor>, Internal> {
    Ok(sql("select * from visitors_of_sites where id = unhex(?, '-')")
        .bind(id.as_str())
        .try_map(visitor)
        .fetch_optional(db)
        .await?)
}

/// Number of visitors whose traits are suggested for conditions.
const MAX_RECENT: i32 = 1_000;

pub async fn recent_traits(db: Db<'_>, sites: &[Id]) -> Result<Vec<(Id, Traits)>, Internal> {
    Ok(sql(
        "select s.id as site_id, v.traits from sites s join visitors v on v.serial in (
           select serial from visitors where site_serial = s.serial order by last_seen_at desc limit ?2)
         where s.id in (select value from json_each(?1))",
    )
    .bind(json(&sites))
    .bind(MAX_RECENT)
    .try_map(|row: Row| Ok((row.id("site_id")?, row.json::<Stored>("traits")?.into())))
    .fetch_all(db)
    .await?)
}

pub async fn browsers(db: Db<'_>, visitors: &[Id]) -> Result<Vec<(Id, Id)>, Internal> {
    Ok(sql(
        "select v.id as visitor_id, b.anonymous_id from visitors v join browsers b on b.visitor_serial = v.serial
         where v.id in (select unhex(value, '-') from json_each(?)) order by b.anonymous_id",
    )
    .bind(json(&visitors))
    .try_map(|row: Row| Ok((row.id("visitor_id")?, row.id("anonymous_id")?)))
    .fetch_all(db)
    .await?)
}

/// Omits visitors who have not started a tour.
pub async fn tour_counts(db: Db<'_>, visitors: &[Id]) -> Result<HashMap<Id, i32>, Internal> {
    let counts = sql("select v.id, count(distinct n.tour_serial) as tours
         from visitors v join runs n on n.visitor_serial = v.serial and n.started = 1
         where v.id in (select unhex(value, '-') from json_each(?)) group by v.id")
    .bind(json(&visitors))
    .try_map(|row: Row| Ok((row.id("id")?, row.int("tours")?)))
    .fetch_all(db)
    .await?;
    Ok(counts.into_iter().collect())
}

/// `search` matches the visitor id, a part of the external id in any case, or the beginning of a browser id. `of` limits
/// the visitors.
pub async fn page(
    db: Db<'_>,
    site_id: &Id,
    search: Option<&str>,
    of: Option<&[Id]>,
    after: &Cursor,
    limit: i32,
) -> Result<Vec<Visitor>, Internal> {
    let search = search.map(str::trim).filter(|words| !words.is_empty());
    Ok(sql(concat!(
        "select * from visitors_of_sites p where site_serial = ",
        serial!(sites, "?1"),
        " and (last_seen_at, id) < (?3, unhex(?4, '-'))
           and (?2 is null or id = unhex(?2, '-') or instr(lower(external_id), ?6) > 0
             or exists (select 1 from browsers b where b.visitor_serial = p.serial
               and substr(b.anonymous_id, 1, length(?2)) = ?2))
           and (?7 is null or id in (select unhex(value, '-') from json_each(?7)))
         order by last_seen_at desc, id desc limit ?5"
    ))
    .bind(site_id.as_str())
    .bind(search)
    .bind(after.key)
    .bind(&after.id)
    .bind(limit)
    .bind(search.map(str::to_ascii_lowercase))
    .bind(of.map(|ids| json(&ids)))
    .try_map(visitor)
    .fetch_all(db)
    .await?)
}

pub struct VisitorForChange {
    pub visitor: Visitor,
    pub workspace_id: Id,
    /// `None` also if the tester has left the workspace.
    pub tester: Option<Tester>,
}

pub async fn for_change(conn: &mut Conn, id: &Id) -> Result<Option<VisitorForChange>, Internal> {
    let row = sql("select p.*, s.workspace_id, a.id as account_id, a.name as account_name
         from visitors_of_sites p join sites s on s.serial = p.site_serial
         left join members m on m.workspace_id = s.workspace_id and m.account_id = p.tester_id
         left join accounts a on a.id = m.account_id
         where p.id = unhex(?, '-')")
    .bind(id.as_str())
    .fetch_optional(conn)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let workspace_id = row.id("workspace_id")?;
    let tester = match row.id_opt("account_id")? {
        None => None,
        Some(account) => Some(Tester {
            account,
            name: row.text("account_name")?,
        }),
    };
    Ok(Some(VisitorForChange {
        visitor: visitor(row)?,
        workspace_id,
        tester,
    }))
}

pub async fn tester_set(conn: &mut Conn, id: &Id, tester: Option<&Id>) -> Result<(), Internal> {
    sql("update visitors set tester_id = ? where id = unhex(?, '-')")
        .bind(tester.map(Id::as_str))
        .bind(id.as_str())
        .execute(conn)
        .await?;
    Ok(())
}

/// Offers then ignore the runs of all tours or of one.
pub async fn reset(conn: &mut Conn, id: &Id, tour_id: Option<&Id>, now: DateTime) -> Result<(), Internal> {
    sql(concat!(
        "insert into visitor_resets (visitor_serial, tour_serial, at)
         select distinct visitor_serial, tour_serial, ?3 from runs where visitor_serial = ",
        serial!(visitors, "?1"),
        " and (?2 is null or tour_serial = ",
        serial!(tours, "?2"),
        ")
         on conflict (visitor_serial, tour_serial) do update set at = excluded.at"
    ))
    .bind(id.as_str())
    .bind(tour_id.map(Id::as_str))
    .bind(now.as_millis())
    .execute(conn)
    .await?;
    Ok(())
}

/// The maximum in one transaction of [`super::removal::purge`], so that other writes do not wait long.
const MAX_PURGED: i32 = 10_000;

/// The index on the last visit finds the visitors, so that no second index is needed: the last visit is not before the
/// first.
const SELECTED: &str = concat!(
    "select id from visitors v where site_serial = ",
    serial!(sites, "?1"),
    " and last_seen_at >= ?2 and first_seen_at >= ?2 and first_seen_at < ?3 and tester_id is null
      and (?4 = 0 or external_id is null)
      and (?5 = 0 or not exists (select 1 from runs r where r.visitor_serial = v.serial and r.state = 'COMPLETED')
        and not exists (select 1 from goals g where g.visitor_serial = v.serial))
    order by first_seen_at, id limit ?6"
);

pub async fn selected(db: Db<'_>, site_id: &Id, filter: &VisitorFilterInput) -> Result<Vec<Id>, Internal> {
    Ok(sql(SELECTED)
        .bind(site_id.as_str())
        .bind(filter.first_seen_from.as_millis())
        .bind(filter.first_seen_until.as_millis())
        .bind(filter.anonymous)
        .bind(filter.unfinished)
        .bind(MAX_PURGED)
        .try_map(|row: Row| row.id("id"))
        .fetch_all(db)
        .await?)
}
