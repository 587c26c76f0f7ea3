use traitql::{DateTime, Id, Internal};
use waypost_api::{Release, ReleaseChange, ReleaseState};

use super::{Ending, NewRelease, PastRelease, Terms};
use crate::{
    run,
    store::{Conn, Db, Row, json, new_id, scalar, sql},
};

pub async fn by_ids(db: Db<'_>, ids: &[Id], now: DateTime) -> Result<Vec<Release>, Internal> {
    Ok(
        sql("select * from releases where id in (select value from json_each(?))")
            .bind(json(&ids))
            .try_map(|row| release(row, now))
            .fetch_all(db)
            .await?,
    )
}

/// If `open`, excludes ended releases.
pub async fn of_tours(
    db: Db<'_>,
    tours: &[Id],
    site_id: Option<&Id>,
    open: bool,
    now: DateTime,
) -> Result<Vec<Release>, Internal> {
    Ok(sql("select * from releases
         where tour_id in (select value from json_each(?1)) and (?2 is null or site_id = ?2)
           and (?3 is null or (ended_at is null and (ends_at is null or ends_at > ?3)))
         order by at desc, id desc")
    .bind(json(&tours))
    .bind(site_id.map(Id::as_str))
    .bind(open.then(|| now.as_millis()))
    .try_map(|row| release(row, now))
    .fetch_all(db)
    .await?)
}

pub async fn open(conn: &mut Conn, tour_id: &Id, now: DateTime) -> Result<Vec<Release>, Internal> {
    Ok(
        sql("select * from releases where tour_id = ?1 and ended_at is null and (ends_at is null or ends_at > ?2)")
            .bind(tour_id.as_str())
            .bind(now.as_millis())
            .try_map(|row| release(row, now))
            .fetch_all(conn)
            .await?,
    )
}

pub async fn past(conn: &mut Conn, tour_id: &Id, site_id: &Id) -> Result<Vec<PastRelease>, Internal> {
    Ok(sql("select id, revision_id, rollback_of_id from releases
         where tour_id = ? and site_id = ? order by at desc, id desc")
    .bind(tour_id.as_str())
    .bind(site_id.as_str())
    .try_map(|row: Row| {
        Ok(PastRelease {
            id: row.id("id")?,
            revision_id: row.id("revision_id")?,
            rollback_of: row.id_opt("rollback_of_id")?,
        })
    })
    .fetch_all(conn)
    .await?)
}

pub struct ReleaseOnSite {
    pub release: Release,
    pub site_name: String,
}

pub async fn for_change(conn: &mut Conn, id: &Id, now: DateTime) -> Result<ReleaseOnSite, Internal> {
    let row = sql("select l.*, s.name as site from releases l join sites s on s.id = l.site_id where l.id = ?")
        .bind(id.as_str())
        .fetch_one(conn)
        .await?;
    Ok(ReleaseOnSite {
        site_name: row.text("site")?,
        release: release(row, now)?,
    })
}

/// Skips sites of other workspaces.
pub async fn sites_of(conn: &mut Conn, workspace_id: &Id, sites: &[Id]) -> Result<Vec<String>, Internal> {
    Ok(scalar(
        "select name from sites where workspace_id = ? and id in (select value from json_each(?)) order by lower(name)",
    )
    .bind(workspace_id.as_str())
    .bind(json(&sites))
    .fetch_all(conn)
    .await?)
}

/// Ends the tour's current release on the site first.
pub async fn insert(conn: &mut Conn, new: NewRelease<'_>, now: DateTime) -> Result<Release, Internal> {
    let ending = Ending {
        by: new.by,
        note: None,
        runs: new.end_runs,
    };
    end(conn, new.tour_id, new.site_id, ending, now).await?;
    let Terms {
        split,
        goal,
        starts_at,
        ends_at,
    } = new.terms;
    let paused_at = new.paused.then_some(now);
    Ok(sql(
        "insert into releases (id, tour_id, site_id, revision_id, by_id, at, note, rollback_of_id, rollout_percent,
           holdout_percent, goal, starts_at, ends_at, paused_at)
         values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) returning *",
    )
    .bind(new_id().as_str())
    .bind(new.tour_id.as_str())
    .bind(new.site_id.as_str())
    .bind(new.revision_id.as_str())
    .bind(new.by.as_str())
    .bind(now.as_millis())
    .bind(new.note)
    .bind(new.rollback_of.map(Id::as_str))
    .bind(split.rollout_percent)
    .bind(split.holdout_percent)
    .bind(goal.as_deref())
    .bind(starts_at.map(DateTime::as_millis))
    .bind(ends_at.map(DateTime::as_millis))
    .bind(paused_at.map(DateTime::as_millis))
    .try_map(|row| release(row, now))
    .fetch_one(conn)
    .await?)
}

pub async fn end(
    conn: &mut Conn,
    tour_id: &Id,
    site_id: &Id,
    ending: Ending<'_>,
    now: DateTime,
) -> Result<(), Internal> {
    // A release that ended by its schedule has no change entry, because no account ended it.
    sql("insert into release_changes (release_id, at, state, by_id, note)
         select id, ?3, 'ENDED', ?4, ?5 from releases
         where tour_id = ?1 and site_id = ?2 and ended_at is null and (ends_at is null or ends_at > ?3)")
    .bind(tour_id.as_str())
    .bind(site_id.as_str())
    .bind(now.as_millis())
    .bind(ending.by.as_str())
    .bind(ending.note)
    .execute(&mut *conn)
    .await?;
    sql("update releases set ended_at = min(?3, coalesce(ends_at, ?3))
         where tour_id = ?1 and site_id = ?2 and ended_at is null")
    .bind(tour_id.as_str())
    .bind(site_id.as_str())
    .bind(now.as_millis())
    .execute(&mut *conn)
    .await?;
    if ending.runs {
        // Earlier releases are marked too, because their runs may have continued under this one.
        sql("update releases set runs_ended_at = ?3 where tour_id = ?1 and site_id = ?2 and runs_ended_at is null")
            .bind(tour_id.as_str())
            .bind(site_id.as_str())
            .bind(now.as_millis())
            .execute(&mut *conn)
            .await?;
        run::store::supersede(conn, tour_id, site_id, now).await?;
    }
    Ok(())
}

pub async fn pause(conn: &mut Conn, change: &ReleaseChange) -> Result<(), Internal> {
    let paused_at = (change.state == ReleaseState::Paused).then_some(change.at.as_millis());
    sql("update releases set paused_at = ? where id = ?")
        .bind(paused_at)
        .bind(change.release_id.as_str())
        .execute(&mut *conn)
        .await?;
    sql("insert into release_changes (release_id, at, state, by_id, note) values (?, ?, ?, ?, ?)")
        .bind(change.release_id.as_str())
        .bind(change.at.as_millis())
        .bind(change.state.as_graphql())
        .bind(change.by_id.as_str())
        .bind(change.note.as_deref())
        .execute(conn)
        .await?;
    Ok(())
}

pub async fn changes(db: Db<'_>, releases: &[Id]) -> Result<Vec<ReleaseChange>, Internal> {
    Ok(sql(
        "select * from release_changes where release_id in (select value from json_each(?))
         order by at desc, rowid desc",
    )
    .bind(json(&releases))
    .try_map(|row: Row| {
        Ok(ReleaseChange {
            state: row.variant("state")?,
            at: row.time("at")?,
            note: row.text_opt("note")?,
            release_id: row.id("release_id")?,
            by_id: row.id("by_id")?,
        })
    })
    .fetch_all(db)
    .await?)
}

/// Treats a release whose schedule is over as ended, although `ended_at` is null.
fn release(row: Row, now: DateTime) -> Result<Release, sqlx::Error> {
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
        goal: row.text_opt("goal")?,
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
