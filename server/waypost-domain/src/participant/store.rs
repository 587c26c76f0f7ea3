//! SQL of participants, as members of a workspace see them.

use traitql::{DateTime, Id, Internal};
use waypost_api::Participant;

use super::Tester;
use crate::{
    lift,
    run::record::AGE_MS as EVENT_AGE_MS,
    store::{Conn, Db, Row, cursor::Place, json, sql},
};

pub(crate) fn participant(row: Row) -> Result<Participant, sqlx::Error> {
    Ok(Participant {
        id: row.id("id")?,
        external_id: row.text_opt("external_id")?,
        locale: row.text_opt("locale")?,
        first_seen_at: row.time("first_seen_at")?,
        last_seen_at: row.time("last_seen_at")?,
        last_page: row.text_opt("last_page")?.and_then(|page| page.parse().ok()),
        site_id: row.id("site_id")?,
        tester_id: row.id_opt("tester_id")?,
    })
}

/// The participants with these ids that are there, in no order.
pub async fn by_ids(db: Db<'_>, ids: &[Id]) -> Result<Vec<Participant>, Internal> {
    Ok(
        sql("select * from participants where id in (select value from json_each(?))")
            .bind(json(&ids))
            .try_map(participant)
            .fetch_all(db)
            .await?,
    )
}

/// The participant with this id; `None` when there is none, or none any more.
pub async fn by_id(db: Db<'_>, id: &Id) -> Result<Option<Participant>, Internal> {
    Ok(sql("select * from participants where id = ?")
        .bind(id.as_str())
        .try_map(participant)
        .fetch_optional(db)
        .await?)
}

/// The participant, as long as the account is a member of the workspace.
pub async fn for_member(db: Db<'_>, id: &Id, account: &Id) -> Result<Option<Participant>, Internal> {
    Ok(sql("select p.* from participants p join sites s on s.id = p.site_id
         join members m on m.workspace_id = s.workspace_id
         where p.id = ? and m.account_id = ?")
    .bind(id.as_str())
    .bind(account.as_str())
    .try_map(participant)
    .fetch_optional(db)
    .await?)
}

/// The browsers of some participants: who they belong to, and their ids.
pub async fn browsers(db: Db<'_>, people: &[Id]) -> Result<Vec<(Id, Id)>, Internal> {
    Ok(sql("select participant_id, anonymous_id from browsers
         where participant_id in (select value from json_each(?)) order by anonymous_id")
    .bind(json(&people))
    .try_map(|row: Row| Ok((row.id("participant_id")?, row.id("anonymous_id")?)))
    .fetch_all(db)
    .await?)
}

/// The people of a site below a place, whoever was there last first.
pub async fn page(
    db: Db<'_>,
    site_id: &Id,
    search: Option<&str>,
    below: &Place,
    limit: i32,
) -> Result<Vec<Participant>, Internal> {
    let search = search.map(str::trim).filter(|words| !words.is_empty());
    Ok(sql("select * from participants p
         where site_id = ?1 and (last_seen_at, id) < (?3, ?4)
           and (?2 is null or id = ?2 or instr(lower(external_id), ?6) > 0
             or exists (select 1 from browsers b where b.participant_id = p.id
               and substr(b.anonymous_id, 1, length(?2)) = ?2))
         order by last_seen_at desc, id desc limit ?5")
    .bind(site_id.as_str())
    .bind(search)
    .bind(below.key)
    .bind(&below.id)
    .bind(limit)
    .bind(search.map(str::to_ascii_lowercase))
    .try_map(participant)
    .fetch_all(db)
    .await?)
}

/// A participant with their workspace and their tester; a tester who left the workspace is none.
pub async fn for_change(conn: &mut Conn, id: &Id) -> Result<Option<(Participant, Id, Option<Tester>)>, Internal> {
    let row = sql("select p.*, s.workspace_id, a.id as account_id, a.name as account_name
         from participants p join sites s on s.id = p.site_id
         left join members m on m.workspace_id = s.workspace_id and m.account_id = p.tester_id
         left join accounts a on a.id = m.account_id
         where p.id = ?")
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
    Ok(Some((participant(row)?, workspace_id, tester)))
}

/// Says which account tests as the participant; none: nobody does.
pub async fn tester_set(conn: &mut Conn, id: &Id, tester: Option<&Id>) -> Result<(), Internal> {
    sql("update participants set tester_id = ? where id = ?")
        .bind(tester.map(Id::as_str))
        .bind(id.as_str())
        .execute(conn)
        .await?;
    Ok(())
}

/// Forgets, for what is offered, the runs of the tours that the participant has met; of one tour if given.
pub async fn reset(conn: &mut Conn, id: &Id, tour_id: Option<&Id>, now: DateTime) -> Result<(), Internal> {
    sql("insert into participant_resets (participant_id, tour_id, at)
         select distinct participant_id, tour_id, ?3 from runs
         where participant_id = ?1 and (?2 is null or tour_id = ?2)
         on conflict (participant_id, tour_id) do update set at = excluded.at")
    .bind(id.as_str())
    .bind(tour_id.map(Id::as_str))
    .bind(now.as_millis())
    .execute(conn)
    .await?;
    Ok(())
}

/// Deletes the participant and all that hangs on them. Answers with the numbers of runs and events that are gone.
pub async fn erase(conn: &mut Conn, id: &Id, now: DateTime) -> Result<(u64, u64), Internal> {
    sql("delete from erased_runs where at < ?")
        .bind(now.as_millis() - EVENT_AGE_MS)
        .execute(&mut *conn)
        .await?;
    sql("insert into erased_runs (run_id, at) select id, ? from runs where participant_id = ?")
        .bind(now.as_millis())
        .bind(id.as_str())
        .execute(&mut *conn)
        .await?;
    lift::store::erase(conn, id).await?;
    let mut gone = Vec::new();
    for statement in [
        "delete from events where run_id in (select id from runs where participant_id = ?)",
        "delete from runs where participant_id = ?",
        "delete from participant_resets where participant_id = ?",
        "delete from browsers where participant_id = ?",
        "delete from participants where id = ?",
    ] {
        let deleted = sql(statement).bind(id.as_str()).execute(&mut *conn).await?;
        gone.push(deleted);
    }
    Ok((gone[1], gone[0]))
}
