//! SQL of the audit log.

use traitql::{DateTime, Id, Internal};
use waypost_api::AuditEntry;

use super::{Change, Entry};
use crate::store::{Conn, Db, Row, cursor::Cursor, json, new_id, sql};

/// Inserts an entry. `actor` is the account, and `action` is a constant of `waypost_api::audit`.
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

/// Returns the entries of a workspace after a cursor, newest first.
pub async fn page(db: Db<'_>, workspace_id: &Id, after: &Cursor, limit: i32) -> Result<Vec<AuditEntry>, Internal> {
    let entries = sql("select id, at, by_id, action, subject, changes from audit_entries
         where workspace_id = ? and (at, id) < (?, ?) order by at desc, id desc limit ?")
    .bind(workspace_id.as_str())
    .bind(after.key)
    .bind(&after.id)
    .bind(limit)
    .try_map(entry)
    .fetch_all(db)
    .await?;
    Ok(entries)
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
