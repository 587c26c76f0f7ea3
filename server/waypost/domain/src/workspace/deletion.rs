//! The deletion of a workspace with everything in it.

use traitql::{DateTime, Id, Internal};

use super::{seed_own_site, store};
use crate::{
    access_token,
    change::Changed,
    sample, site,
    store::{Conn, Row, json, sql},
};

/// Returns the changes to announce.
///
/// The accounts of people remain, because they can be members of other workspaces. Those of access tokens and of the
/// sample's members are deleted. Another workspace, if there is one, gets the site of Waypost's own pages. Otherwise the
/// next new workspace does.
pub async fn delete(
    conn: &mut Conn,
    workspace_id: &Id,
    by: &Id,
    own_origin: &str,
    now: DateTime,
) -> Result<Vec<Changed>, Internal> {
    let mut changes = ids(
        conn,
        "select id from tours where workspace_id = ?",
        workspace_id,
        Changed::Tour,
    )
    .await?;
    changes.extend(
        ids(
            conn,
            "select id from sites where workspace_id = ?",
            workspace_id,
            Changed::Site,
        )
        .await?,
    );
    let tokens: Vec<Id> = sql(TOKEN_ACCOUNTS)
        .bind(access_token::ISSUER)
        .bind(workspace_id.as_str())
        .bind(workspace_id.as_str())
        .try_map(|row: Row| row.id("id"))
        .fetch_all(&mut *conn)
        .await?;
    // Frozen revisions and audit entries can be deleted only in a workspace with this mark.
    sample::store::mark(conn, workspace_id).await?;
    for &statement in DELETIONS {
        sql(statement).bind(workspace_id.as_str()).execute(&mut *conn).await?;
    }
    sql(UNUSED_ACCOUNTS)
        .bind(json(&tokens))
        .bind(sample::ISSUER)
        .execute(&mut *conn)
        .await?;
    // Ends the streams of all members, also those of visitors.
    changes.push(Changed::Members(workspace_id.clone()));
    changes.push(Changed::Live);
    if site::store::own_key(conn.db()).await?.is_none()
        && let Some(other) = store::all_ids(conn.db()).await?.first()
    {
        seed_own_site(conn, other, by, own_origin, now).await?;
    }
    Ok(changes)
}

/// The accounts of the workspace's access tokens, including the revoked ones that have changed something.
const TOKEN_ACCOUNTS: &str = "select a.id from accounts a where a.issuer = ? and (
       exists (select 1 from access_tokens t where t.account_id = a.id and t.workspace_id = ?)
       or exists (select 1 from audit_entries e where e.by_id = a.id and e.workspace_id = ?))";

/// Keeps the accounts that have changed another workspace, which refers to them.
const UNUSED_ACCOUNTS: &str = "delete from accounts
     where (id in (select value from json_each(?)) or issuer = ?)
       and not exists (select 1 from audit_entries e where e.by_id = accounts.id)
       and not exists (select 1 from members m where m.account_id = accounts.id)
       and not exists (select 1 from workspaces w where w.changed_by = accounts.id)";

async fn ids(
    conn: &mut Conn,
    statement: &'static str,
    workspace_id: &Id,
    change: fn(Id) -> Changed,
) -> Result<Vec<Changed>, Internal> {
    Ok(sql(statement)
        .bind(workspace_id.as_str())
        .try_map(|row: Row| row.id("id").map(change))
        .fetch_all(conn)
        .await?)
}

macro_rules! tours {
    () => {
        "(select id from tours where workspace_id = ?)"
    };
}

macro_rules! sites {
    () => {
        "(select id from sites where workspace_id = ?)"
    };
}

macro_rules! serials {
    ($table:ident) => {
        concat!("(select serial from ", stringify!($table), " where workspace_id = ?)")
    };
}

macro_rules! visitors {
    () => {
        concat!(
            "(select serial from visitors where site_serial in ",
            serials!(sites),
            ")"
        )
    };
}

const DELETIONS: &[&str] = &[
    concat!("delete from goals where visitor_serial in ", visitors!()),
    concat!("delete from exposures where visitor_serial in ", visitors!()),
    concat!(
        "delete from lift_groups where release_serial in (select serial from releases where tour_id in ",
        tours!(),
        ")"
    ),
    concat!("delete from runs where tour_serial in ", serials!(tours)),
    concat!("delete from attempts where tour_serial in ", serials!(tours)),
    concat!(
        "delete from step_days where tour_day_id in (select id from tour_days where tour_id in ",
        tours!(),
        ")"
    ),
    concat!(
        "delete from time_days where tour_day_id in (select id from tour_days where tour_id in ",
        tours!(),
        ")"
    ),
    concat!(
        "delete from visitor_days where tour_day_id in (select id from tour_days where tour_id in ",
        tours!(),
        ")"
    ),
    concat!("delete from tour_days where tour_id in ", tours!()),
    concat!("delete from visitor_resets where visitor_serial in ", visitors!()),
    concat!("delete from browsers where visitor_serial in ", visitors!()),
    concat!("delete from visitors where site_serial in ", serials!(sites)),
    concat!(
        "delete from release_changes where release_id in (select id from releases where tour_id in ",
        tours!(),
        ")"
    ),
    concat!("delete from releases where tour_id in ", tours!()),
    concat!(
        "delete from comment_replies where comment_id in (select id from comments where tour_id in ",
        tours!(),
        ")"
    ),
    concat!("delete from comments where tour_id in ", tours!()),
    concat!("delete from reviews where tour_id in ", tours!()),
    concat!("delete from revisions where tour_id in ", tours!()),
    "delete from tours where workspace_id = ?",
    concat!("delete from identity_keys where site_id in ", sites!()),
    concat!("delete from identity_days where site_id in ", sites!()),
    concat!("delete from site_events where site_id in ", sites!()),
    concat!("delete from refused_origins where site_id in ", sites!()),
    concat!("delete from bundles where site_id in ", sites!()),
    "delete from sites where workspace_id = ?",
    "delete from segments where workspace_id = ?",
    "delete from themes where workspace_id = ?",
    "delete from invitations where workspace_id = ?",
    "delete from access_tokens where workspace_id = ?",
    "delete from claimed_roles where workspace_id = ?",
    "delete from members where workspace_id = ?",
    "delete from audit_entries where workspace_id = ?",
    "delete from workspaces where id = ?",
];
