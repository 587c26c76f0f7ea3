//! SQL of releases.

use sqlx::{SqliteConnection, SqliteExecutor, sqlite::SqliteRow};
use traitql::{DateTime, Id, Internal};
use waypost_api::{Release, ReleaseState};

use super::{NewRelease, Past};
use crate::store::{Columns, json, new_id};

pub(super) async fn by_ids(db: impl SqliteExecutor<'_>, ids: &[Id], now: DateTime) -> Result<Vec<Release>, Internal> {
    Ok(
        sqlx::query("select * from releases where id in (select value from json_each(?))")
            .bind(json(&ids))
            .try_map(|row| release(row, now))
            .fetch_all(db)
            .await?,
    )
}

/// The releases of some tours, newest first; of one site if given.
pub(crate) async fn of_tours(
    db: impl SqliteExecutor<'_>,
    tours: &[Id],
    site_id: Option<&Id>,
    now: DateTime,
) -> Result<Vec<Release>, Internal> {
    Ok(sqlx::query(
        "select * from releases
         where tour_id in (select value from json_each(?1)) and (?2 is null or site_id = ?2)
         order by at desc, id desc",
    )
    .bind(json(&tours))
    .bind(site_id.map(Id::as_str))
    .try_map(|row| release(row, now))
    .fetch_all(db)
    .await?)
}

/// The releases of a tour on a site, newest first.
pub(super) async fn past(conn: &mut SqliteConnection, tour_id: &Id, site_id: &Id) -> Result<Vec<Past>, Internal> {
    Ok(sqlx::query(
        "select id, revision_id, rollback_of_id from releases
         where tour_id = ? and site_id = ? order by at desc, id desc",
    )
    .bind(tour_id.as_str())
    .bind(site_id.as_str())
    .try_map(|row: SqliteRow| {
        Ok(Past {
            id: row.id("id")?,
            revision_id: row.id("revision_id")?,
            rollback_of: row.id_opt("rollback_of_id")?,
        })
    })
    .fetch_all(conn)
    .await?)
}

/// A release, and the name of its site.
pub(super) async fn for_change(
    conn: &mut SqliteConnection,
    id: &Id,
    now: DateTime,
) -> Result<(Release, String), Internal> {
    let row = sqlx::query("select l.*, s.name as site from releases l join sites s on s.id = l.site_id where l.id = ?")
        .bind(id.as_str())
        .fetch_one(conn)
        .await?;
    let site = row.text("site")?;
    Ok((release(row, now)?, site))
}

/// Names of those of some sites that belong to a workspace.
pub(super) async fn sites_of(
    conn: &mut SqliteConnection,
    workspace_id: &Id,
    sites: &[Id],
) -> Result<Vec<String>, Internal> {
    Ok(sqlx::query_scalar(
        "select name from sites where workspace_id = ? and id in (select value from json_each(?)) order by lower(name)",
    )
    .bind(workspace_id.as_str())
    .bind(json(&sites))
    .fetch_all(conn)
    .await?)
}

/// Ends what plays of the tour on the site, and adds the release.
pub(crate) async fn insert(
    conn: &mut SqliteConnection,
    new: NewRelease<'_>,
    now: DateTime,
) -> Result<Release, Internal> {
    sqlx::query("update releases set ended_at = ? where tour_id = ? and site_id = ? and ended_at is null")
        .bind(now.as_millis())
        .bind(new.tour_id.as_str())
        .bind(new.site_id.as_str())
        .execute(&mut *conn)
        .await?;
    Ok(sqlx::query(
        "insert into releases (id, tour_id, site_id, revision_id, by_id, at, note, rollback_of_id)
         values (?, ?, ?, ?, ?, ?, ?, ?) returning *",
    )
    .bind(new_id().as_str())
    .bind(new.tour_id.as_str())
    .bind(new.site_id.as_str())
    .bind(new.revision_id.as_str())
    .bind(new.by.as_str())
    .bind(now.as_millis())
    .bind(new.note)
    .bind(new.rollback_of.map(Id::as_str))
    .try_map(|row| release(row, now))
    .fetch_one(conn)
    .await?)
}

pub(super) async fn end(conn: &mut SqliteConnection, id: &Id, now: DateTime) -> Result<(), Internal> {
    sqlx::query("update releases set ended_at = ? where id = ? and ended_at is null")
        .bind(now.as_millis())
        .bind(id.as_str())
        .execute(conn)
        .await?;
    Ok(())
}

/// A release whose time is over has ended, although nobody has written so.
fn release(row: SqliteRow, now: DateTime) -> Result<Release, sqlx::Error> {
    let ends_at = row.time_opt("ends_at")?;
    let ended_at = row.time_opt("ended_at")?.or(ends_at.filter(|end| *end <= now));
    Ok(Release {
        id: row.id("id")?,
        state: match (ended_at, row.time_opt("paused_at")?) {
            (Some(_), _) => ReleaseState::Ended,
            (None, Some(_)) => ReleaseState::Paused,
            (None, None) => ReleaseState::Live,
        },
        rollout_percent: row.int("rollout_percent")?,
        holdout_percent: row.int("holdout_percent")?,
        starts_at: row.time_opt("starts_at")?,
        ends_at,
        at: row.time("at")?,
        ended_at,
        note: row.text_opt("note")?,
        tour_id: row.id("tour_id")?,
        site_id: row.id("site_id")?,
        revision_id: row.id("revision_id")?,
        by_id: row.id("by_id")?,
        rollback_of_id: row.id_opt("rollback_of_id")?,
    })
}
