//! The statements of retention: settings, previews and deletions.

use traitql::{DateTime, Id, Internal};
use waypost_api::{Retention, RetentionPreview};

use super::{Absent, Needed, expiry};
use crate::{
    run,
    store::{Conn, Db, Row, scalar, sql},
};

pub(crate) fn retention(row: &Row) -> Result<Retention, sqlx::Error> {
    Ok(Retention {
        visitor_days: row.int("retain_visitors_days")?,
        run_days: row.int("retain_runs_days")?,
        audit_days: row.int("retain_audit_days")?,
    })
}

pub(super) async fn all(db: Db<'_>) -> Result<Vec<(Id, Retention)>, Internal> {
    Ok(
        sql("select id, retain_visitors_days, retain_runs_days, retain_audit_days from workspaces order by id")
            .try_map(|row: Row| Ok((row.id("id")?, retention(&row)?)))
            .fetch_all(db)
            .await?,
    )
}

/// The maximum of each number in a preview.
pub const MAX_PREVIEW: i32 = 100_000;

/// Counts what the next sweep would delete.
pub async fn preview(
    conn: &mut Conn,
    workspace_id: &Id,
    retention: &Retention,
    now: DateTime,
) -> Result<RetentionPreview, Internal> {
    let mut counts = Vec::new();
    for (statement, before) in [
        (
            "select count(*) from (select 1 from sites s join visitors v on v.site_serial = s.serial
               where s.workspace_id = ? and v.last_seen_at < ? limit ?) v",
            expiry(now, retention.visitor_days),
        ),
        (
            "select count(*) from (select 1 from audit_entries where workspace_id = ? and at < ? limit ?) e",
            expiry(now, retention.audit_days),
        ),
    ] {
        let count: i64 = scalar(statement)
            .bind(workspace_id.as_str())
            .bind(before)
            .bind(MAX_PREVIEW)
            .fetch_one(&mut *conn)
            .await?;
        counts.push(i32::try_from(count).unwrap_or(i32::MAX));
    }
    let runs = run::retention::count_old(conn.db(), workspace_id, expiry(now, retention.run_days), MAX_PREVIEW).await?;
    Ok(RetentionPreview {
        visitors: counts[0],
        runs,
        audit_entries: counts[1],
    })
}

/// Returns the serial numbers.
pub(super) async fn sites(db: Db<'_>, workspace_id: &Id) -> Result<Vec<i64>, Internal> {
    Ok(
        scalar("select serial from sites where workspace_id = ? order by serial")
            .bind(workspace_id.as_str())
            .fetch_all(db)
            .await?,
    )
}

/// Returns the serial number.
pub(super) async fn site(conn: &mut Conn, id: &Id) -> Result<Vec<i64>, Internal> {
    Ok(scalar("select serial from sites where id = ?")
        .bind(id.as_str())
        .fetch_all(conn)
        .await?)
}

/// Returns the serial numbers.
pub(super) async fn tours(db: Db<'_>, workspace_id: &Id) -> Result<Vec<i64>, Internal> {
    Ok(
        scalar("select serial from tours where workspace_id = ? order by serial")
            .bind(workspace_id.as_str())
            .fetch_all(db)
            .await?,
    )
}

fn absent(row: Row) -> Result<Absent, sqlx::Error> {
    Ok(Absent {
        id: row.id("id")?,
        serial: row.long("serial")?,
    })
}

pub(super) async fn expired_visitors(
    conn: &mut Conn,
    site: i64,
    before: i64,
    limit: i32,
) -> Result<Vec<Absent>, Internal> {
    Ok(
        sql("select id, serial from visitors where site_serial = ? and last_seen_at < ? order by last_seen_at limit ?")
            .bind(site)
            .bind(before)
            .bind(limit)
            .try_map(absent)
            .fetch_all(conn)
            .await?,
    )
}

/// Visitors with and without an external id.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    Anonymous,
    Identified,
}

impl Kind {
    /// The kinds in the order of their deletion.
    pub(super) const ALL: [Self; 2] = [Self::Anonymous, Self::Identified];

    fn statement(self) -> &'static str {
        /// Reads only the visitors of a site who were not seen for longest, in the order of an index.
        macro_rules! statement {
            ($is_kind:literal) => {
                concat!(
                    "select v.id, v.serial, v.last_seen_at,
                       case when exists (select 1 from exposures e join releases l on l.serial = e.release_serial
                         where e.visitor_serial = v.serial and l.ended_at is null) then 1 else 0 end as is_measured,
                       case when exists (select 1 from runs n where n.visitor_serial = v.serial) then 1 else 0 end as has_runs
                     from (select * from visitors where site_serial = ? and ",
                    $is_kind,
                    " and last_seen_at < ? and tester_id is null order by last_seen_at limit ?) v"
                )
            };
        }
        match self {
            Self::Anonymous => statement!("external_id is null"),
            Self::Identified => statement!("external_id is not null"),
        }
    }
}

/// The number of visitors of which some are chosen.
const MAX_EXAMINED: usize = 1_000;

pub(super) async fn absent_visitors(
    conn: &mut Conn,
    sites: &[i64],
    kind: Kind,
    needed: Needed,
    before: i64,
    limit: i32,
) -> Result<Vec<Absent>, Internal> {
    let of_each = i64::try_from(MAX_EXAMINED / sites.len().max(1))
        .unwrap_or_default()
        .max(limit.into());
    let mut examined = Vec::new();
    for site in sites {
        let of_site = sql(kind.statement())
            .bind(*site)
            .bind(before)
            .bind(of_each)
            .try_map(|row: Row| {
                let lacks_runs = needed == Needed::Runs && !row.bool("has_runs")?;
                let order = (lacks_runs, row.bool("is_measured")?, row.long("last_seen_at")?);
                Ok((order, absent(row)?))
            })
            .fetch_all(&mut *conn)
            .await?;
        examined.extend(of_site);
    }
    examined.sort_by_key(|(order, _)| *order);
    let chosen = examined.into_iter().take(usize::try_from(limit).unwrap_or_default());
    Ok(chosen.map(|(_, visitor)| visitor).collect())
}

/// Returns the number of deleted entries.
pub(super) async fn delete_audit_entries(
    conn: &mut Conn,
    workspace_id: &Id,
    before: i64,
    limit: i32,
) -> Result<u64, Internal> {
    // A trigger protects the later entries.
    sql("update workspaces set audit_deleted_until = ?1 where id = ?2 and audit_deleted_until < ?1")
        .bind(before)
        .bind(workspace_id.as_str())
        .execute(&mut *conn)
        .await?;
    Ok(sql("delete from audit_entries where id in (
           select id from audit_entries where workspace_id = ? and at < ? order by at limit ?)")
    .bind(workspace_id.as_str())
    .bind(before)
    .bind(limit)
    .execute(conn)
    .await?)
}

/// Takes or extends a lease. Returns false if another process has it.
pub(super) async fn lease(
    conn: &mut Conn,
    work: &str,
    process: &str,
    now: i64,
    ends_at: i64,
) -> Result<bool, Internal> {
    let taken = sql("insert into leases (work, process, ends_at) values (?1, ?2, ?3)
         on conflict (work) do update set process = excluded.process, ends_at = excluded.ends_at
         where leases.process = excluded.process or leases.ends_at <= ?4")
    .bind(work)
    .bind(process)
    .bind(ends_at)
    .bind(now)
    .execute(conn)
    .await?;
    Ok(taken == 1)
}
