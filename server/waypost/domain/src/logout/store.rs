use traitql::Internal;

use super::Logout;
use crate::store::{Conn, Db, Row, sql};

pub async fn insert(conn: &mut Conn, logout: &Logout) -> Result<bool, Internal> {
    let inserted = sql(
        "insert into logouts (issuer, token_id, subject, session, issued_at, expires_at) values (?, ?, ?, ?, ?, ?)
         on conflict (issuer, token_id) do nothing",
    )
    .bind(&logout.issuer)
    .bind(&logout.token_id)
    .bind(logout.subject.as_deref())
    .bind(logout.session.as_deref())
    .bind(logout.issued_at)
    .bind(logout.expires_at)
    .execute(conn)
    .await?;
    Ok(inserted > 0)
}

/// `now` is in seconds since 1970.
pub async fn delete_expired(conn: &mut Conn, now: i64) -> Result<(), Internal> {
    sql("delete from logouts where expires_at <= ?")
        .bind(now)
        .execute(conn)
        .await?;
    Ok(())
}

/// Rows are numbered in the order of their commits, because all processes write in turn.
pub async fn after(db: Db<'_>, last: i64) -> Result<(Vec<Logout>, i64), Internal> {
    let mut newest = last;
    let logouts = sql(
        "select id, issuer, token_id, subject, session, issued_at, expires_at from logouts where id > ? order by id",
    )
    .bind(last)
    .try_map(|row: Row| {
        newest = row.long("id")?;
        Ok(Logout {
            issuer: row.text("issuer")?,
            token_id: row.text("token_id")?,
            subject: row.text_opt("subject")?,
            session: row.text_opt("session")?,
            issued_at: row.long("issued_at")?,
            expires_at: row.long("expires_at")?,
        })
    })
    .fetch_all(db)
    .await?;
    Ok((logouts, newest))
}
