use std::collections::HashSet;

use traitql::{DateTime, Id, Internal, Principal};
use waypost_api::{Member, Role, Subject, Workspace};

use super::NewWorkspace;
use crate::{
    access_token, invitation, retention, review,
    store::{Conn, Constraint, Db, ForChange, Row, json, new_id, scalar, sql},
};

pub const SLUG_KEY: Constraint = Constraint {
    name: "workspaces_slug_key",
    columns: "workspaces.slug",
};
/// Violated if an account would be a member of a workspace twice.
pub const MEMBER_KEY: Constraint = Constraint {
    name: "members_account_key",
    columns: "members.workspace_id, members.account_id",
};

/// The query for the role of an account on a row whose table names the workspace.
macro_rules! role_in_workspace {
    ($table:literal) => {
        concat!(
            "select m.workspace_id, m.role from ",
            $table,
            " s join members m on m.workspace_id = s.workspace_id where m.account_id = ? and s.id = ?"
        )
    };
}

/// The query for the role of an account on a row whose table names the tour.
macro_rules! role_in_tour {
    ($table:literal) => {
        concat!(
            "select m.workspace_id, m.role from ",
            $table,
            " s join tours t on t.id = s.tour_id join members m on m.workspace_id = t.workspace_id
              where m.account_id = ? and s.id = ?"
        )
    };
}

/// Returns `None` if the account is not a member.
pub async fn role_on(db: Db<'_>, account: &Id, subject: Subject<'_>) -> Result<Option<(Id, Role)>, Internal> {
    let (statement, name) = match subject {
        Subject::Workspace(id) => (
            "select workspace_id, role from members where account_id = ? and workspace_id = ?",
            id.as_str(),
        ),
        Subject::WorkspaceBySlug(slug) => (
            "select m.workspace_id, m.role from workspaces s join members m on m.workspace_id = s.id
             where m.account_id = ? and s.slug = ?",
            slug,
        ),
        Subject::CommentReply(id) => (
            "select m.workspace_id, m.role from comment_replies s join comments c on c.id = s.comment_id
             join tours t on t.id = c.tour_id join members m on m.workspace_id = t.workspace_id
             where m.account_id = ? and s.id = ?",
            id.as_str(),
        ),
        Subject::Visitor(id) => (
            "select m.workspace_id, m.role from visitors s join sites t on t.serial = s.site_serial
             join members m on m.workspace_id = t.workspace_id
             where m.account_id = ? and s.id = unhex(?, '-')",
            id.as_str(),
        ),
        Subject::Site(id) => (role_in_workspace!("sites"), id.as_str()),
        Subject::Theme(id) => (role_in_workspace!("themes"), id.as_str()),
        Subject::Segment(id) => (role_in_workspace!("segments"), id.as_str()),
        Subject::Tour(id) => (role_in_workspace!("tours"), id.as_str()),
        Subject::Invitation(id) => (role_in_workspace!("invitations"), id.as_str()),
        Subject::AccessToken(id) => (role_in_workspace!("access_tokens"), id.as_str()),
        Subject::Member(id) => (role_in_workspace!("members"), id.as_str()),
        Subject::Revision(id) => (role_in_tour!("revisions"), id.as_str()),
        Subject::Review(id) => (role_in_tour!("reviews"), id.as_str()),
        Subject::Comment(id) => (role_in_tour!("comments"), id.as_str()),
        Subject::Release(id) => (role_in_tour!("releases"), id.as_str()),
    };
    let granted = sql(statement)
        .bind(account.as_str())
        .bind(name)
        .try_map(|row: Row| Ok((row.id("workspace_id")?, row.variant("role")?)))
        .fetch_optional(db)
        .await?;
    Ok(granted)
}

pub async fn roles(db: Db<'_>, principal: &Principal, workspaces: &[Id]) -> Result<Vec<(Id, Role)>, Internal> {
    let roles = sql(
        "select m.workspace_id, m.role from members m join accounts a on a.id = m.account_id
         where a.issuer = ? and a.subject = ? and m.workspace_id in (select value from json_each(?))",
    )
    .bind(&principal.issuer)
    .bind(&principal.subject)
    .bind(json(&workspaces))
    .try_map(|row: Row| Ok((row.id("workspace_id")?, row.variant("role")?)))
    .fetch_all(db)
    .await?;
    Ok(roles)
}

pub(crate) async fn count(db: Db<'_>) -> Result<i64, Internal> {
    Ok(scalar("select count(*) from workspaces").fetch_one(db).await?)
}

pub async fn all_ids(db: Db<'_>) -> Result<Vec<Id>, Internal> {
    let ids: Vec<String> = scalar("select id from workspaces order by id").fetch_all(db).await?;
    Ok(ids.into_iter().map(Id::from).collect())
}

/// Violates [`SLUG_KEY`] if the slug is taken.
pub async fn insert(conn: &mut Conn, new: &NewWorkspace<'_>) -> Result<Id, sqlx::Error> {
    let id = new_id();
    sql("insert into workspaces (id, slug, name, created_at, changed_by) values (?, ?, ?, ?, ?)")
        .bind(id.as_str())
        .bind(new.slug)
        .bind(new.name)
        .bind(new.now.as_millis())
        .bind(new.creator.as_str())
        .execute(conn)
        .await?;
    Ok(id)
}

pub async fn by_ids(db: Db<'_>, ids: &[Id]) -> Result<Vec<Workspace>, Internal> {
    let workspaces = sql("select * from workspaces where id in (select value from json_each(?))")
        .bind(json(&ids))
        .try_map(workspace)
        .fetch_all(db)
        .await?;
    Ok(workspaces)
}

pub async fn by_slug(db: Db<'_>, slug: &str) -> Result<Option<Workspace>, Internal> {
    let workspace = sql("select * from workspaces where slug = ?")
        .bind(slug)
        .try_map(workspace)
        .fetch_optional(db)
        .await?;
    Ok(workspace)
}

pub async fn for_change(conn: &mut Conn, id: &Id) -> Result<ForChange<Workspace>, Internal> {
    let row = sql("select w.*, a.name as changer
         from workspaces w join accounts a on a.id = w.changed_by where w.id = ?")
    .bind(id.as_str())
    .fetch_one(conn)
    .await?;
    Ok(ForChange {
        changed_by: row.text("changer")?,
        row: workspace(row)?,
    })
}

/// Returns `None` if the workspace was deleted after the role check.
pub async fn current(conn: &mut Conn, id: &Id) -> Result<Option<Workspace>, Internal> {
    Ok(by_ids(conn.db(), std::slice::from_ref(id)).await?.pop())
}

pub async fn update(conn: &mut Conn, workspace: &Workspace, changer: &Id) -> Result<(), Internal> {
    sql(
        "update workspaces set name = ?, require_review = ?, retain_visitors_days = ?, retain_runs_days = ?,
           retain_audit_days = ?, version = ?, changed_by = ? where id = ?",
    )
    .bind(&workspace.name)
    .bind(workspace.require_review)
    .bind(workspace.retention.visitor_days)
    .bind(workspace.retention.run_days)
    .bind(workspace.retention.audit_days)
    .bind(workspace.version)
    .bind(changer.as_str())
    .bind(workspace.id.as_str())
    .execute(conn)
    .await?;
    Ok(())
}

fn workspace(row: Row) -> Result<Workspace, sqlx::Error> {
    Ok(Workspace {
        id: row.id("id")?,
        slug: row.text("slug")?,
        name: row.text("name")?,
        require_review: row.bool("require_review")?,
        sample: row.bool("sample")?,
        retention: retention::store::retention(&row)?,
        created_at: row.time("created_at")?,
        version: row.int("version")?,
    })
}

pub async fn members_of_accounts(db: Db<'_>, accounts: &[Id]) -> Result<Vec<Member>, Internal> {
    let members = sql("select m.id, m.workspace_id, m.account_id, m.role, m.joined_at
         from members m join workspaces w on w.id = m.workspace_id
         where m.account_id in (select value from json_each(?)) order by lower(w.name), w.id")
    .bind(json(&accounts))
    .try_map(member)
    .fetch_all(db)
    .await?;
    Ok(members)
}

/// Returns at most `limit` members per workspace, without access tokens.
pub async fn members_of_workspaces(db: Db<'_>, workspaces: &[Id], limit: i32) -> Result<Vec<Member>, Internal> {
    let members = sql("select id, workspace_id, account_id, role, joined_at from (
           select m.*, row_number() over (partition by m.workspace_id order by lower(a.name), m.id) as place
           from members m join accounts a on a.id = m.account_id
           where m.workspace_id in (select value from json_each(?)) and a.issuer <> ?) ranked
         where place <= ? order by place")
    .bind(json(&workspaces))
    .bind(access_token::ISSUER)
    .bind(limit)
    .try_map(member)
    .fetch_all(db)
    .await?;
    Ok(members)
}

pub struct NamedMember {
    pub member: Member,
    /// The name of the member's account.
    pub name: String,
}

/// Returns `None` if the member was removed after the role check.
pub async fn member_for_change(conn: &mut Conn, id: &Id) -> Result<Option<NamedMember>, Internal> {
    Ok(
        sql("select m.id, m.workspace_id, m.account_id, m.role, m.joined_at, a.name
         from members m join accounts a on a.id = m.account_id where m.id = ?")
        .bind(id.as_str())
        .try_map(|row: Row| {
            Ok(NamedMember {
                name: row.text("name")?,
                member: member(row)?,
            })
        })
        .fetch_optional(conn)
        .await?,
    )
}

pub async fn member_of(conn: &mut Conn, workspace_id: &Id, account_id: &Id) -> Result<Option<Member>, Internal> {
    let found = sql(
        "select id, workspace_id, account_id, role, joined_at from members where workspace_id = ? and account_id = ?",
    )
    .bind(workspace_id.as_str())
    .bind(account_id.as_str())
    .try_map(member)
    .fetch_optional(conn)
    .await?;
    Ok(found)
}

pub async fn admins(conn: &mut Conn, workspace_id: &Id) -> Result<i32, Internal> {
    Ok(
        scalar("select count(*) from members where workspace_id = ? and role = 'ADMIN'")
            .bind(workspace_id.as_str())
            .fetch_one(conn)
            .await?,
    )
}

/// True for administrators of a workspace, or if no workspace exists.
pub async fn may_create_if_restricted(db: Db<'_>, account: &Id) -> Result<bool, Internal> {
    Ok(scalar(
        "select exists (select 1 from members where account_id = ? and role = 'ADMIN')
           or not exists (select 1 from workspaces)",
    )
    .bind(account.as_str())
    .fetch_one(db)
    .await?)
}

pub async fn member_accounts(db: Db<'_>, workspace_id: &Id) -> Result<HashSet<Id>, Internal> {
    let accounts = sql("select account_id from members where workspace_id = ?")
        .bind(workspace_id.as_str())
        .try_map(|row: Row| row.id("account_id"))
        .fetch_all(db)
        .await?;
    Ok(accounts.into_iter().collect())
}

pub(super) async fn members_count(conn: &mut Conn, workspace_id: &Id) -> Result<i32, Internal> {
    Ok(scalar(
        "select count(*) from members m join accounts a on a.id = m.account_id where m.workspace_id = ? and a.issuer <> ?",
    )
    .bind(workspace_id.as_str())
    .bind(access_token::ISSUER)
    .fetch_one(conn)
    .await?)
}

/// True if a member has this address, verified or not.
pub async fn has_address(conn: &mut Conn, workspace_id: &Id, email: &str) -> Result<bool, Internal> {
    Ok(scalar(
        "select exists (select 1 from members m join accounts a on a.id = m.account_id
         where m.workspace_id = ? and lower(a.email) = ?)",
    )
    .bind(workspace_id.as_str())
    .bind(email.to_ascii_lowercase())
    .fetch_one(conn)
    .await?)
}

/// Violates [`MEMBER_KEY`] if the account is already a member.
pub async fn member_insert(
    conn: &mut Conn,
    workspace_id: &Id,
    account_id: &Id,
    role: Role,
    now: DateTime,
) -> Result<Member, sqlx::Error> {
    let member = Member {
        id: new_id(),
        role,
        joined_at: now,
        workspace_id: workspace_id.clone(),
        account_id: account_id.clone(),
    };
    sql("insert into members (id, workspace_id, account_id, role, joined_at) values (?, ?, ?, ?, ?)")
        .bind(member.id.as_str())
        .bind(workspace_id.as_str())
        .bind(account_id.as_str())
        .bind(role.as_graphql())
        .bind(now.as_millis())
        .execute(conn)
        .await?;
    Ok(member)
}

/// Counts what a member loses with the role of an administrator or with the membership.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Revoked {
    /// Those that the administrator has sent.
    pub invitations: u64,
    /// Those that the administrator has created, and that of a program that leaves.
    pub access_tokens: u64,
}

/// Removes the member if `role` is `None`.
pub async fn member_role(
    conn: &mut Conn,
    member: &Member,
    role: Option<Role>,
    by: &Id,
    now: DateTime,
) -> Result<Revoked, Internal> {
    match role {
        Some(role) => {
            let statement = sql("update members set role = ? where id = ?").bind(role.as_graphql());
            statement.bind(member.id.as_str()).execute(&mut *conn).await?;
            if !review::can_approve(role) {
                review::store::unassign(conn, &member.workspace_id, &member.account_id).await?;
            }
        }
        None => member_delete(conn, member).await?,
    }
    if role == Some(Role::Admin) {
        return Ok(Revoked::default());
    }
    Ok(Revoked {
        invitations: invitation::store::revoke_all_by(conn, &member.workspace_id, &member.account_id, by, now).await?,
        access_tokens: access_token::store::delete_of_member(conn, member, role.is_none()).await?,
    })
}

/// Keeps the invitations and access tokens of the member.
pub(crate) async fn member_delete(conn: &mut Conn, member: &Member) -> Result<(), Internal> {
    sql("delete from members where id = ?")
        .bind(member.id.as_str())
        .execute(&mut *conn)
        .await?;
    review::store::unassign(conn, &member.workspace_id, &member.account_id).await
}

fn member(row: Row) -> Result<Member, sqlx::Error> {
    Ok(Member {
        id: row.id("id")?,
        role: row.variant("role")?,
        joined_at: row.time("joined_at")?,
        workspace_id: row.id("workspace_id")?,
        account_id: row.id("account_id")?,
    })
}
