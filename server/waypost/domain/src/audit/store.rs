use traitql::{DateTime, Id, Internal};
use waypost_api::{AuditEntry, AuditFilterInput};

use super::{Change, Entry};
use crate::store::{Conn, Db, Row, cursor::Cursor, json, new_id, sql};

pub async fn insert(conn: &mut Conn, action: &str, actor: &Id, now: DateTime, entry: Entry) -> Result<(), Internal> {
    sql(
        "insert into audit_entries (id, workspace_id, at, by_id, action, subject, changes) values (?, ?, ?, ?, ?, ?, ?)",
    )
    .bind(new_id().as_str())
    .bind(entry.workspace_id.as_str())
    .bind(now.as_millis())
    .bind(actor.as_str())
    .bind(action)
    .bind(entry.subject)
    .bind(json(&entry.changes))
    .execute(conn)
    .await?;
    Ok(())
}

pub async fn page(
    db: Db<'_>,
    workspace_id: &Id,
    filter: &AuditFilterInput,
    after: &Cursor,
    limit: i32,
) -> Result<Vec<AuditEntry>, Internal> {
    let search = filter.search.as_ref().value().map(|words| words.trim());
    let entries = sql("select id, at, by_id, action, subject, changes from audit_entries e
         where workspace_id = ?1 and (at, id) < (?2, ?3)
           and (?4 is null or by_id = ?4) and (?5 is null or action = ?5) and at >= ?6 and at < ?7
           and (?8 is null or instr(lower(subject), ?8) > 0
             or exists (select 1 from json_each(e.changes) c
               where instr(lower(c.value ->> 'before'), ?8) > 0 or instr(lower(c.value ->> 'after'), ?8) > 0))
         order by at desc, id desc limit ?9")
    .bind(workspace_id.as_str())
    .bind(after.key)
    .bind(&after.id)
    .bind(filter.by_id.as_ref().value().map(Id::as_str))
    .bind(filter.action.as_ref().value())
    .bind(filter.from.as_ref().value().map_or(i64::MIN, |at| at.as_millis()))
    .bind(filter.until.as_ref().value().map_or(i64::MAX, |at| at.as_millis()))
    .bind(search.filter(|words| !words.is_empty()).map(str::to_ascii_lowercase))
    .bind(limit)
    .try_map(entry)
    .fetch_all(db)
    .await?;
    Ok(entries)
}

pub async fn actors(db: Db<'_>, workspace_id: &Id) -> Result<Vec<Id>, Internal> {
    Ok(sql("select distinct by_id from audit_entries where workspace_id = ?")
        .bind(workspace_id.as_str())
        .try_map(|row: Row| row.id("by_id"))
        .fetch_all(db)
        .await?)
}

fn entry(row: Row) -> Result<AuditEntry, sqlx::Error> {
    let changes: Vec<Change> = row.json("changes")?;
    Ok(AuditEntry {
        id: row.id("id")?,
        at: row.time("at")?,
        by_id: row.id("by_id")?,
        action: row.text("action")?,
        subject: row.text("subject")?,
        changes: changes
            .into_iter()
            .map(|Change { field, before, after }| waypost_api::Change { field, before, after })
            .collect(),
    })
}
