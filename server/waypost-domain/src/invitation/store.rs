//! SQL of invitations.

use traitql::{DateTime, Id, Internal};
use waypost_api::{Invitation, InvitationState, Role};

use crate::store::{Conn, Constraint, Db, Row, new_id, scalar, sql};

/// Violated by an address that is invited to the workspace already, even if that invitation has expired.
pub const PENDING_KEY: Constraint = Constraint {
    name: "invitations_pending_key",
    columns: "invitations.workspace_id, invitations.email",
};

/// An invitation, as whoever has its link meets it.
pub struct Found {
    /// The invitation, pending or not.
    pub invitation: Invitation,
    /// Name of whoever made it, or its latest link.
    pub by_name: String,
    /// What people call the workspace.
    pub workspace_name: String,
    /// The workspace's name in addresses.
    pub workspace_slug: String,
}

/// What a new invitation is made of.
pub struct NewInvitation<'a> {
    /// The workspace that it lets somebody into.
    pub workspace_id: &'a Id,
    /// The address that is invited, in lower case.
    pub email: &'a str,
    /// The role that whoever accepts gets.
    pub role: Role,
    /// What is kept of the link's secret, see [`super::hash`].
    pub token_hash: &'a str,
    /// The administrator who invites.
    pub by: &'a Id,
    /// When it is made.
    pub at: DateTime,
    /// From when on its link works no more.
    pub expires_at: DateTime,
}

/// Which pending invitations of a workspace.
pub enum Group<'a> {
    /// Those that an account has made.
    Of(&'a Id),
    /// The one for an address.
    For(&'a str),
}

/// The invitations of a workspace that are neither accepted nor revoked, newest first.
pub async fn open(db: Db<'_>, workspace_id: &Id, now: DateTime) -> Result<Vec<Invitation>, Internal> {
    Ok(
        sql("select * from invitations where workspace_id = ? and state = 'PENDING' order by created_at desc, id desc")
            .bind(workspace_id.as_str())
            .try_map(|row: Row| invitation(&row, now))
            .fetch_all(db)
            .await?,
    )
}

/// How many invitations of a workspace are neither accepted nor revoked; those that have expired count too.
pub async fn open_count(conn: &mut Conn, workspace_id: &Id) -> Result<i32, Internal> {
    Ok(
        scalar("select count(*) from invitations where workspace_id = ? and state = 'PENDING'")
            .bind(workspace_id.as_str())
            .fetch_one(conn)
            .await?,
    )
}

/// An invitation that is there, as it stands at `now`.
pub async fn by_id(conn: &mut Conn, id: &Id, now: DateTime) -> Result<Invitation, Internal> {
    Ok(sql("select * from invitations where id = ?")
        .bind(id.as_str())
        .try_map(|row: Row| invitation(&row, now))
        .fetch_one(conn)
        .await?)
}

/// The invitation whose link holds the secret with this hash.
pub async fn by_token(conn: &mut Conn, token_hash: &str, now: DateTime) -> Result<Option<Found>, Internal> {
    Ok(sql(
        "select i.*, a.name as by_name, w.name as workspace_name, w.slug as workspace_slug
         from invitations i join accounts a on a.id = i.by_id join workspaces w on w.id = i.workspace_id
         where i.token_hash = ?",
    )
    .bind(token_hash)
    .try_map(|row: Row| {
        Ok(Found {
            invitation: invitation(&row, now)?,
            by_name: row.text("by_name")?,
            workspace_name: row.text("workspace_name")?,
            workspace_slug: row.text("workspace_slug")?,
        })
    })
    .fetch_optional(conn)
    .await?)
}

/// Fails with [`PENDING_KEY`] when the address is invited already.
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

/// Gives an invitation another link.
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

/// Ends a pending invitation: `state` is ACCEPTED or REVOKED.
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

/// Takes back some pending invitations of a workspace. Answers with how many.
pub async fn revoke_all(
    conn: &mut Conn,
    workspace_id: &Id,
    group: Group<'_>,
    by: &Id,
    now: DateTime,
) -> Result<u64, Internal> {
    let (statement, whose) = match group {
        Group::Of(account) => (
            "update invitations set state = 'REVOKED', ended_by_id = ?, ended_at = ?
             where state = 'PENDING' and workspace_id = ? and by_id = ?",
            account.as_str().to_owned(),
        ),
        Group::For(email) => (
            "update invitations set state = 'REVOKED', ended_by_id = ?, ended_at = ?
             where state = 'PENDING' and workspace_id = ? and email = ?",
            email.to_ascii_lowercase(),
        ),
    };
    Ok(sql(statement)
        .bind(by.as_str())
        .bind(now.as_millis())
        .bind(workspace_id.as_str())
        .bind(whose)
        .execute(conn)
        .await?)
}

/// An invitation as it stands at `now`.
fn invitation(row: &Row, now: DateTime) -> Result<Invitation, sqlx::Error> {
    let expires_at = row.time("expires_at")?;
    let state = match row.choice("state")? {
        InvitationState::Pending if expires_at <= now => InvitationState::Expired,
        state => state,
    };
    Ok(Invitation {
        id: row.id("id")?,
        email: row.text("email")?,
        role: row.choice("role")?,
        state,
        created_at: row.time("created_at")?,
        expires_at,
        workspace_id: row.id("workspace_id")?,
        by_id: row.id("by_id")?,
    })
}
