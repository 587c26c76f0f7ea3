//! Storage of access tokens, with their accounts and memberships.

use traitql::{DateTime, Id, Internal};
use waypost_api::{AccessToken, Member, Role};

use super::ISSUER;
use crate::{
    account::{self, Profile},
    store::{Conn, Db, Row, new_id, scalar, sql},
    workspace,
};

/// A token whose secret was presented.
pub struct Known {
    pub id: Id,
    pub name: String,
    pub expires_at: DateTime,
    pub last_used_at: Option<DateTime>,
}

pub struct NewToken<'a> {
    pub workspace_id: &'a Id,
    pub name: &'a str,
    pub role: Role,
    pub token_hash: &'a str,
    pub by: &'a Id,
    pub at: DateTime,
    pub expires_at: DateTime,
}

pub async fn of_workspace(db: Db<'_>, workspace_id: &Id) -> Result<Vec<AccessToken>, Internal> {
    Ok(sql(
        "select t.*, a.name, m.role from access_tokens t join accounts a on a.id = t.account_id
         join members m on m.account_id = t.account_id and m.workspace_id = t.workspace_id
         where t.workspace_id = ? order by t.created_at desc, t.id desc",
    )
    .bind(workspace_id.as_str())
    .try_map(access_token)
    .fetch_all(db)
    .await?)
}

pub async fn count(conn: &mut Conn, workspace_id: &Id) -> Result<i32, Internal> {
    Ok(scalar("select count(*) from access_tokens where workspace_id = ?")
        .bind(workspace_id.as_str())
        .fetch_one(conn)
        .await?)
}

pub async fn by_id(conn: &mut Conn, id: &Id) -> Result<Option<AccessToken>, Internal> {
    Ok(sql(
        "select t.*, a.name, m.role from access_tokens t join accounts a on a.id = t.account_id
         join members m on m.account_id = t.account_id and m.workspace_id = t.workspace_id where t.id = ?",
    )
    .bind(id.as_str())
    .try_map(access_token)
    .fetch_optional(conn)
    .await?)
}

pub async fn by_hash(db: Db<'_>, token_hash: &str) -> Result<Option<Known>, Internal> {
    Ok(sql("select t.id, t.expires_at, t.last_used_at, a.name
         from access_tokens t join accounts a on a.id = t.account_id
         join members m on m.account_id = t.account_id and m.workspace_id = t.workspace_id where t.token_hash = ?")
    .bind(token_hash)
    .try_map(|row: Row| {
        Ok(Known {
            id: row.id("id")?,
            name: row.text("name")?,
            expires_at: row.time("expires_at")?,
            last_used_at: row.time_opt("last_used_at")?,
        })
    })
    .fetch_optional(db)
    .await?)
}

/// True if the account is that of an access token.
pub async fn exists_for(db: Db<'_>, account_id: &Id) -> Result<bool, Internal> {
    Ok(
        scalar("select exists (select 1 from access_tokens where account_id = ?)")
            .bind(account_id.as_str())
            .fetch_one(db)
            .await?,
    )
}

/// Inserts the token's account and membership, too.
pub async fn insert(conn: &mut Conn, new: NewToken<'_>) -> Result<AccessToken, Internal> {
    let id = new_id();
    let profile = Profile {
        name: new.name.to_owned(),
        email: None,
        email_verified: false,
        picture: None,
    };
    let account_id = account::store::upsert(conn, ISSUER, id.as_str(), &profile, new.at).await?;
    workspace::store::member_insert(conn, new.workspace_id, &account_id, new.role, new.at).await?;
    sql(
        "insert into access_tokens (id, workspace_id, account_id, token_hash, by_id, created_at, expires_at)
         values (?, ?, ?, ?, ?, ?, ?)",
    )
    .bind(id.as_str())
    .bind(new.workspace_id.as_str())
    .bind(account_id.as_str())
    .bind(new.token_hash)
    .bind(new.by.as_str())
    .bind(new.at.as_millis())
    .bind(new.expires_at.as_millis())
    .execute(conn)
    .await?;
    Ok(AccessToken {
        id,
        name: new.name.to_owned(),
        role: new.role,
        created_at: new.at,
        expires_at: new.expires_at,
        last_used_at: None,
        workspace_id: new.workspace_id.clone(),
        account_id,
        by_id: new.by.clone(),
    })
}

/// Deletes the token and its membership. The account stays, as the author of its changes.
pub async fn delete(conn: &mut Conn, token: &AccessToken, by: &Id, now: DateTime) -> Result<(), Internal> {
    let member = workspace::store::member_of(conn, &token.workspace_id, &token.account_id).await?;
    if let Some(member) = member {
        workspace::store::member_role(conn, &member, None, by, now).await?;
    }
    Ok(())
}

/// Deletes the tokens that a member has created, with their memberships, and that of the member, if it is a program that
/// leaves. Returns the number of tokens.
pub(crate) async fn delete_of_member(conn: &mut Conn, member: &Member, leaves: bool) -> Result<u64, Internal> {
    let programs: Vec<Id> = sql("delete from access_tokens
         where workspace_id = ?1 and (by_id = ?2 or (?3 = 1 and account_id = ?2)) returning account_id")
    .bind(member.workspace_id.as_str())
    .bind(member.account_id.as_str())
    .bind(leaves)
    .try_map(|row: Row| row.id("account_id"))
    .fetch_all(&mut *conn)
    .await?;
    for program in &programs {
        if program != &member.account_id {
            let member = workspace::store::member_of(conn, &member.workspace_id, program).await?;
            if let Some(member) = member {
                workspace::store::member_delete(conn, &member).await?;
            }
        }
    }
    Ok(programs.len() as u64)
}

pub async fn set_last_used(conn: &mut Conn, id: &Id, now: DateTime) -> Result<(), Internal> {
    sql("update access_tokens set last_used_at = ? where id = ?")
        .bind(now.as_millis())
        .bind(id.as_str())
        .execute(conn)
        .await?;
    Ok(())
}

fn access_token(row: Row) -> Result<AccessToken, sqlx::Error> {
    Ok(AccessToken {
        id: row.id("id")?,
        name: row.text("name")?,
        role: row.variant("role")?,
        created_at: row.time("created_at")?,
        expires_at: row.time("expires_at")?,
        last_used_at: row.time_opt("last_used_at")?,
        workspace_id: row.id("workspace_id")?,
        account_id: row.id("account_id")?,
        by_id: row.id("by_id")?,
    })
}
