use traitql::{DateTime, Id, Internal};
use waypost_api::{Invitation, InvitationState, Role};

use crate::store::{Conn, Constraint, Db, Row, new_id, scalar, sql};

/// Expired invitations are pending, too.
pub const PENDING_KEY: Constraint = Constraint {
    name: "invitations_pending_key",
    columns: "invitations.workspace_id, invitations.email",
};

pub struct InvitationDetails {
    pub invitation: Invitation,
    pub by_name: String,
    pub workspace_name: String,
    pub workspace_slug: String,
}

pub struct NewInvitation<'a> {
    pub workspace_id: &'a Id,
    /// The address in lower case.
    pub email: &'a str,
    pub role: Role,
    pub token_hash: &'a str,
    pub by: &'a Id,
    pub at: DateTime,
    pub expires_at: DateTime,
}

pub async fn open(db: Db<'_>, workspace_id: &Id, now: DateTime) -> Result<Vec<Invitation>, Internal> {
    Ok(
        sql("select * from invitations where workspace_id = ? and state = 'PENDING' order by created_at desc, id desc")
            .bind(workspace_id.as_str())
            .try_map(|row: Row| invitation(&row, now))
            .fetch_all(db)
            .await?,
    )
}

/// Counts open invitations, including expired ones.
pub async fn open_count(conn: &mut Conn, workspace_id: &Id) -> Result<i32, Internal> {
    Ok(
        scalar("select count(*) from invitations where workspace_id = ? and state = 'PENDING'")
            .bind(workspace_id.as_str())
            .fetch_one(conn)
            .await?,
    )
}

pub async fn by_id(conn: &mut Conn, id: &Id, now: DateTime) -> Result<Invitation, Internal> {
    Ok(sql("select * from invitations where id = ?")
        .bind(id.as_str())
        .try_map(|row: Row| invitation(&row, now))
        .fetch_one(conn)
        .await?)
}

pub async fn by_token(conn: &mut Conn, token_hash: &str, now: DateTime) -> Result<Option<InvitationDetails>, Internal> {
    Ok(sql(
        "select i.*, a.name as by_name, w.name as workspace_name, w.slug as workspace_slug
         from invitations i join accounts a on a.id = i.by_id join workspaces w on w.id = i.workspace_id
         where i.token_hash = ?",
    )
    .bind(token_hash)
    .try_map(|row: Row| {
        Ok(InvitationDetails {
            invitation: invitation(&row, now)?,
            by_name: row.text("by_name")?,
            workspace_name: row.text("workspace_name")?,
            workspace_slug: row.text("workspace_slug")?,
        })
    })
    .fetch_optional(conn)
    .await?)
}

/// Violates [`PENDING_KEY`] if the address is already invited.
pub async fn insert(conn: &mut Conn, new: NewInvitation<'_>) -> Result<Invitation, sqlx::Error> {
    sql(
        "insert into invitations (id, workspace_id, email, role, token_hash, by_id, created_at, expires_at)
         values (?, ?, ?, ?, ?, ?, ?, ?) returning *",
    )
    .bind(new_id().as_str())
    .bind(new.workspace_id.as_str())
    .bind(new.email)
    .bind(new.role.as_graphql())
    .bind(new.token_hash)
    .bind(new.by.as_str())
    .bind(new.at.as_millis())
    .bind(new.expires_at.as_millis())
    .try_map(|row: Row| invitation(&row, new.at))
    .fetch_one(conn)
    .await
}

pub async fn renew(conn: &mut Conn, id: &Id, token_hash: &str, by: &Id, expires_at: DateTime) -> Result<(), Internal> {
    sql("update invitations set token_hash = ?, by_id = ?, expires_at = ? where id = ?")
        .bind(token_hash)
        .bind(by.as_str())
        .bind(expires_at.as_millis())
        .bind(id.as_str())
        .execute(conn)
        .await?;
    Ok(())
}

/// `state` is ACCEPTED or REVOKED.
pub async fn end(conn: &mut Conn, id: &Id, state: InvitationState, by: &Id, now: DateTime) -> Result<(), Internal> {
    sql("update invitations set state = ?, ended_by_id = ?, ended_at = ? where id = ?")
        .bind(state.as_graphql())
        .bind(by.as_str())
        .bind(now.as_millis())
        .bind(id.as_str())
        .execute(conn)
        .await?;
    Ok(())
}

pub async fn revoke_all_by(
    conn: &mut Conn,
    workspace_id: &Id,
    account: &Id,
    by: &Id,
    now: DateTime,
) -> Result<u64, Internal> {
    Ok(
        sql("update invitations set state = 'REVOKED', ended_by_id = ?, ended_at = ?
         where state = 'PENDING' and workspace_id = ? and by_id = ?")
        .bind(by.as_str())
        .bind(now.as_millis())
        .bind(workspace_id.as_str())
        .bind(account.as_str())
        .execute(conn)
        .await?,
    )
}

fn invitation(row: &Row, now: DateTime) -> Result<Invitation, sqlx::Error> {
    let expires_at = row.time("expires_at")?;
    let state = match row.variant("state")? {
        InvitationState::Pending if expires_at <= now => InvitationState::Expired,
        state => state,
    };
    Ok(Invitation {
        id: row.id("id")?,
        email: row.text("email")?,
        role: row.variant("role")?,
        state,
        created_at: row.time("created_at")?,
        expires_at,
        workspace_id: row.id("workspace_id")?,
        by_id: row.id("by_id")?,
    })
}
