//! SQL of sites.

use std::collections::HashMap;

use traitql::{DateTime, Id, Internal};
use waypost_api::{Site, SiteEvent};

use super::NewSite;
use crate::store::{Conn, Db, Row, json, new_id, scalar, sql};

/// The site with this id; `None` when there is none.
pub async fn by_id(db: Db<'_>, id: &Id) -> Result<Option<Site>, Internal> {
    Ok(sql("select * from sites where id = ?")
        .bind(id.as_str())
        .try_map(site)
        .fetch_optional(db)
        .await?)
}

/// The site, as long as the account is a member of its workspace.
pub async fn for_member(db: Db<'_>, id: &Id, account: &Id) -> Result<Option<Site>, Internal> {
    Ok(sql(
        "select s.* from sites s join members m on m.workspace_id = s.workspace_id
         where s.id = ? and m.account_id = ?",
    )
    .bind(id.as_str())
    .bind(account.as_str())
    .try_map(site)
    .fetch_optional(db)
    .await?)
}

/// The site with this key; `None` when there is none, or its key is another by now.
pub async fn by_key(db: Db<'_>, key: &str) -> Result<Option<Site>, Internal> {
    Ok(sql("select * from sites where key = ?")
        .bind(key)
        .try_map(site)
        .fetch_optional(db)
        .await?)
}

/// Sites by their keys.
pub(crate) async fn by_keys(db: Db<'_>, keys: &[&str]) -> Result<HashMap<String, Site>, Internal> {
    let sites = sql("select * from sites where key in (select value from json_each(?))")
        .bind(json(&keys))
        .try_map(site)
        .fetch_all(db)
        .await?;
    Ok(sites.into_iter().map(|site| (site.key.clone(), site)).collect())
}

/// Key of the site that stands for Waypost's own pages.
pub async fn own_key(db: Db<'_>) -> Result<Option<String>, Internal> {
    Ok(scalar("select key from sites where own = 1").fetch_optional(db).await?)
}

/// The sites with these ids that are there, in no order.
pub async fn by_ids(db: Db<'_>, ids: &[Id]) -> Result<Vec<Site>, Internal> {
    Ok(sql("select * from sites where id in (select value from json_each(?))")
        .bind(json(&ids))
        .try_map(site)
        .fetch_all(db)
        .await?)
}

/// The sites of some workspaces by name, Waypost's own last.
pub async fn of_workspaces(db: Db<'_>, workspaces: &[Id]) -> Result<Vec<Site>, Internal> {
    Ok(
        sql("select * from sites where workspace_id in (select value from json_each(?)) order by own, lower(name), id")
            .bind(json(&workspaces))
            .try_map(site)
            .fetch_all(db)
            .await?,
    )
}

/// A site and the name of the person who changed it last.
pub async fn for_change(conn: &mut Conn, id: &Id) -> Result<(Site, String), Internal> {
    let row = sql("select s.*, a.name as changer from sites s join accounts a on a.id = s.changed_by where s.id = ?")
        .bind(id.as_str())
        .fetch_one(conn)
        .await?;
    let changer = row.text("changer")?;
    Ok((site(row)?, changer))
}

/// How many sites a workspace has, Waypost's own included.
pub async fn count(conn: &mut Conn, workspace_id: &Id) -> Result<i32, Internal> {
    Ok(scalar("select count(*) from sites where workspace_id = ?")
        .bind(workspace_id.as_str())
        .fetch_one(conn)
        .await?)
}

/// Adds a site that no page was heard of yet.
pub async fn insert(
    conn: &mut Conn,
    workspace_id: &Id,
    new: NewSite<'_>,
    changer: &Id,
    now: DateTime,
) -> Result<Id, Internal> {
    let id = new_id();
    sql(
        "insert into sites (id, workspace_id, name, key, origins, own, quiet_hours, created_at, changed_by)
         values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )
    .bind(id.as_str())
    .bind(workspace_id.as_str())
    .bind(new.name)
    .bind(new.key)
    .bind(json(&new.origins))
    .bind(new.own)
    .bind(new.quiet_hours)
    .bind(now.as_millis())
    .bind(changer.as_str())
    .execute(conn)
    .await?;
    Ok(id)
}

/// Writes name, key, origins, quiet hours and version of a site.
pub async fn update(conn: &mut Conn, site: &Site, changer: &Id) -> Result<(), Internal> {
    sql("update sites set name = ?, key = ?, origins = ?, quiet_hours = ?, version = ?, changed_by = ? where id = ?")
        .bind(&site.name)
        .bind(&site.key)
        .bind(json(&site.origins))
        .bind(site.quiet_hours)
        .bind(site.version)
        .bind(changer.as_str())
        .bind(site.id.as_str())
        .execute(conn)
        .await?;
    Ok(())
}

/// Notes a sign of life.
pub async fn seen(conn: &mut Conn, id: &Id, now: DateTime) -> Result<(), Internal> {
    sql("update sites set installed_at = coalesce(installed_at, ?1), last_seen_at = ?1 where id = ?2")
        .bind(now.as_millis())
        .bind(id.as_str())
        .execute(conn)
        .await?;
    Ok(())
}

/// How many events of a site are kept by name: enough for what people call events, not for what a script makes up.
const EVENTS_MAX: i32 = 200;
/// How long an event is kept that no page tells of any more, in milliseconds.
const EVENT_KEPT_MS: i64 = 90 * 24 * 60 * 60 * 1000;
/// How far the time of an event may be behind, in milliseconds: not every browser is worth a write.
const EVENT_STALE_MS: i64 = 60 * 60 * 1000;

/// Notes what pages of a site told of, and says whether that was news. Beyond the limit the names are kept that were there first.
pub async fn hear(conn: &mut Conn, id: &Id, names: &[&str], now: DateTime) -> Result<bool, Internal> {
    let news: Vec<String> = scalar(
        "select value from json_each(?2) where not exists (
           select 1 from site_events e where e.site_id = ?1 and e.name = value and e.last_at > ?3)",
    )
    .bind(id.as_str())
    .bind(json(&names))
    .bind(now.as_millis() - EVENT_STALE_MS)
    .fetch_all(&mut *conn)
    .await?;
    if news.is_empty() {
        return Ok(false);
    }
    sql("delete from site_events where site_id = ? and last_at <= ?")
        .bind(id.as_str())
        .bind(now.as_millis() - EVENT_KEPT_MS)
        .execute(&mut *conn)
        .await?;
    for name in news {
        sql("insert into site_events (site_id, name, last_at)
             select ?1, ?2, ?3 where exists (select 1 from site_events where site_id = ?1 and name = ?2)
               or (select count(*) from site_events where site_id = ?1) < ?4
             on conflict (site_id, name) do update set last_at = excluded.last_at")
        .bind(id.as_str())
        .bind(&name)
        .bind(now.as_millis())
        .bind(EVENTS_MAX)
        .execute(&mut *conn)
        .await?;
    }
    Ok(true)
}

/// What the pages of some sites tell of, by name.
pub async fn events(db: Db<'_>, sites: &[Id], now: DateTime) -> Result<Vec<(Id, SiteEvent)>, Internal> {
    Ok(sql("select site_id, name, last_at from site_events
         where site_id in (select value from json_each(?)) and last_at > ? order by name")
    .bind(json(&sites))
    .bind(now.as_millis() - EVENT_KEPT_MS)
    .try_map(|row: Row| {
        let event = SiteEvent {
            name: row.text("name")?,
            last_at: row.time("last_at")?,
        };
        Ok((row.id("site_id")?, event))
    })
    .fetch_all(db)
    .await?)
}

/// Adds an origin to the site with this key, if it is not on its list yet.
pub(crate) async fn admit(conn: &mut Conn, key: &str, origin: &str) -> Result<(), Internal> {
    let Some(site) = by_key(conn.db(), key).await? else {
        return Ok(());
    };
    let mut origins = site.origins;
    if !origins.iter().any(|known| known == origin) {
        origins.push(origin.to_owned());
        sql("update sites set origins = ? where id = ?")
            .bind(json(&origins))
            .bind(site.id.as_str())
            .execute(conn)
            .await?;
    }
    Ok(())
}

fn site(row: Row) -> Result<Site, sqlx::Error> {
    Ok(Site {
        id: row.id("id")?,
        name: row.text("name")?,
        key: row.text("key")?,
        origins: row.json("origins")?,
        installed_at: row.time_opt("installed_at")?,
        last_seen_at: row.time_opt("last_seen_at")?,
        own: row.flag("own")?,
        quiet_hours: row.int("quiet_hours")?,
        created_at: row.time("created_at")?,
        version: row.int("version")?,
        workspace_id: row.id("workspace_id")?,
    })
}
