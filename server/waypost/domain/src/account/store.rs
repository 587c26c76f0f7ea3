use std::collections::BTreeMap;

use traitql::{DateTime, Id, Internal};
use waypost_api::{Account, Role};

use super::Profile;
use crate::store::{Conn, Db, Row, json, new_id, scalar, sql};

pub struct StoredAccount {
    pub id: Id,
    pub profile: Profile,
    pub claimed: BTreeMap<String, Role>,
    /// The time in seconds since 1970.
    pub claims_at: Option<i64>,
}

pub async fn by_identity(db: Db<'_>, issuer: &str, subject: &str) -> Result<Option<StoredAccount>, Internal> {
    let known = sql("select id, name, email, email_verified, picture, claims_at,
           (select json_group_object(w.slug, c.role) from claimed_roles c join workspaces w on w.id = c.workspace_id
            where c.account_id = accounts.id) as claimed
         from accounts where issuer = ? and subject = ?")
    .bind(issuer)
    .bind(subject)
    .try_map(|row: Row| {
        Ok(StoredAccount {
            id: row.id("id")?,
            profile: profile_in(&row)?,
            claimed: roles(&row.text("claimed")?)?,
            claims_at: row.long_opt("claims_at")?,
        })
    })
    .fetch_optional(db)
    .await?;
    Ok(known)
}

pub async fn upsert(
    conn: &mut Conn,
    issuer: &str,
    subject: &str,
    profile: &Profile,
    now: DateTime,
) -> Result<Id, Internal> {
    let id: String = scalar(
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

pub async fn has_no_accounts(db: Db<'_>, own_issuer: &str) -> Result<bool, Internal> {
    let exists: bool = scalar("select exists (select 1 from accounts where issuer <> ?)")
        .bind(own_issuer)
        .fetch_one(db)
        .await?;
    Ok(!exists)
}

pub async fn set_applied_claim(
    conn: &mut Conn,
    account_id: &Id,
    workspace_id: &Id,
    claimed: Option<Role>,
) -> Result<(), Internal> {
    let statement = match claimed {
        Some(_) => {
            "insert into claimed_roles (account_id, workspace_id, role) values (?, ?, ?)
             on conflict (account_id, workspace_id) do update set role = excluded.role"
        }
        None => "delete from claimed_roles where account_id = ? and workspace_id = ?",
    };
    let query = sql(statement).bind(account_id.as_str()).bind(workspace_id.as_str());
    match claimed {
        Some(role) => query.bind(role.as_graphql()),
        None => query,
    }
    .execute(conn)
    .await?;
    Ok(())
}

pub async fn set_claims_time(conn: &mut Conn, account_id: &Id, at: Option<i64>) -> Result<(), Internal> {
    sql("update accounts set claims_at = coalesce(?, claims_at) where id = ?")
        .bind(at)
        .bind(account_id.as_str())
        .execute(conn)
        .await?;
    Ok(())
}

pub async fn by_ids(db: Db<'_>, ids: &[Id]) -> Result<Vec<Account>, Internal> {
    let accounts = sql("select id, name, email, picture from accounts where id in (select value from json_each(?))")
        .bind(json(&ids))
        .try_map(account)
        .fetch_all(db)
        .await?;
    Ok(accounts)
}

pub async fn profile(conn: &mut Conn, id: &Id) -> Result<Profile, Internal> {
    Ok(
        sql("select name, email, email_verified, picture from accounts where id = ?")
            .bind(id.as_str())
            .try_map(|row: Row| profile_in(&row))
            .fetch_one(conn)
            .await?,
    )
}

fn roles(text: &str) -> Result<BTreeMap<String, Role>, sqlx::Error> {
    let names: BTreeMap<String, String> =
        serde_json::from_str(text).map_err(|error| sqlx::Error::Decode(error.into()))?;
    // A check constraint of the table prevents other names.
    let role = |(slug, name): (String, String)| Some((slug, Role::from_graphql(&name)?));
    Ok(names.into_iter().filter_map(role).collect())
}

fn profile_in(row: &Row) -> Result<Profile, sqlx::Error> {
    Ok(Profile {
        name: row.text("name")?,
        email: row.text_opt("email")?,
        email_verified: row.bool("email_verified")?,
        picture: row.text_opt("picture")?,
    })
}

fn account(row: Row) -> Result<Account, sqlx::Error> {
    Ok(Account {
        id: row.id("id")?,
        name: row.text("name")?,
        email: row.text_opt("email")?,
        avatar_url: row.text_opt("picture")?.and_then(|picture| picture.parse().ok()),
    })
}
