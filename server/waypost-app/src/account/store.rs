//! SQL of accounts.

use sqlx::{SqliteConnection, SqliteExecutor, sqlite::SqliteRow};
use traitql::{DateTime, Id, Internal};
use waypost_api::{Account, Role};

use super::Profile;
use crate::store::{Choice, Columns, json, new_id};

/// An account as it is stored.
pub(crate) struct Known {
    pub(crate) id: Id,
    pub(crate) profile: Profile,
    pub(crate) claimed_role: Option<Role>,
}

pub(crate) async fn by_identity(
    db: impl SqliteExecutor<'_>,
    issuer: &str,
    subject: &str,
) -> Result<Option<Known>, Internal> {
    let known = sqlx::query(
        "select id, name, email, email_verified, picture, claimed_role from accounts where issuer = ? and subject = ?",
    )
    .bind(issuer)
    .bind(subject)
    .try_map(|row: SqliteRow| {
        Ok(Known {
            id: row.id("id")?,
            profile: Profile {
                name: row.text("name")?,
                email: row.text_opt("email")?,
                email_verified: row.flag("email_verified")?,
                picture: row.text_opt("picture")?,
            },
            claimed_role: row.choice_opt("claimed_role")?,
        })
    })
    .fetch_optional(db)
    .await?;
    Ok(known)
}

/// Adds the account, or brings its profile up to date.
pub(crate) async fn upsert(
    conn: &mut SqliteConnection,
    issuer: &str,
    subject: &str,
    profile: &Profile,
    now: DateTime,
) -> Result<Id, Internal> {
    let id: String = sqlx::query_scalar(
        "insert into accounts (id, issuer, subject, name, email, email_verified, picture, created_at)
         values (?, ?, ?, ?, ?, ?, ?, ?)
         on conflict (issuer, subject) do update set
           name = excluded.name, email = excluded.email, email_verified = excluded.email_verified,
           picture = excluded.picture
         returning id",
    )
    .bind(new_id().as_str())
    .bind(issuer)
    .bind(subject)
    .bind(&profile.name)
    .bind(&profile.email)
    .bind(profile.email_verified)
    .bind(&profile.picture)
    .bind(now.as_millis())
    .fetch_one(conn)
    .await?;
    Ok(id.into())
}

/// Remembers the claim that was applied.
pub(crate) async fn claim_applied(
    conn: &mut SqliteConnection,
    account_id: &Id,
    claimed: Option<Role>,
) -> Result<(), Internal> {
    sqlx::query("update accounts set claimed_role = ? where id = ?")
        .bind(claimed.map(Choice::name))
        .bind(account_id.as_str())
        .execute(conn)
        .await?;
    Ok(())
}

pub(crate) async fn by_ids(db: impl SqliteExecutor<'_>, ids: &[Id]) -> Result<Vec<Account>, Internal> {
    let accounts =
        sqlx::query("select id, name, email, picture from accounts where id in (select value from json_each(?))")
            .bind(json(&ids))
            .try_map(account)
            .fetch_all(db)
            .await?;
    Ok(accounts)
}

/// The account that a provider vouches to have this address; of several, the newest.
pub(crate) async fn by_verified_email(db: impl SqliteExecutor<'_>, email: &str) -> Result<Option<Account>, Internal> {
    let account = sqlx::query(
        "select id, name, email, picture from accounts
         where lower(email) = lower(?) and email_verified = 1 order by id desc limit 1",
    )
    .bind(email)
    .try_map(account)
    .fetch_optional(db)
    .await?;
    Ok(account)
}

fn account(row: SqliteRow) -> Result<Account, sqlx::Error> {
    Ok(Account {
        id: row.id("id")?,
        name: row.text("name")?,
        email: row.text_opt("email")?,
        avatar_url: row.text_opt("picture")?.and_then(|picture| picture.parse().ok()),
    })
}
