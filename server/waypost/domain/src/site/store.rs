use std::collections::HashMap;

use traitql::{DateTime, Id, Internal};
use waypost_api::{Site, SiteEvent};

use super::NewSite;
use crate::store::{Conn, Db, Row, json, new_id, scalar, sql};

pub async fn by_id(db: Db<'_>, id: &Id) -> Result<Option<Site>, Internal> {
    Ok(sql("select * from sites where id = ?")
        .bind(id.as_str())
        .try_map(site)
        .fetch_optional(db)
        .await?)
}

pub async fn by_key(db: Db<'_>, key: &str) -> Result<Option<Site>, Internal> {
    Ok(sql("select * from sites where key = ?")
        .bind(key)
        .try_map(site)
        .fetch_optional(db)
        .await?)
}

pub(crate) async fn by_keys(db: Db<'_>, keys: &[&str]) -> Result<HashMap<String, Site>, Internal> {
    let sites = sql("select * from sites where key in (select value from json_each(?))")
        .bind(json(&keys))
        .try_map(site)
        .fetch_all(db)
        .await?;
    Ok(sites.into_iter().map(|site| (site.key.clone(), site)).collect())
}

/// Returns the origins of all sites.
pub(crate) async fn origins(db: Db<'_>) -> Result<Vec<String>, Internal> {
    let listed = sql("select origins from sites")
        .try_map(|row: Row| row.json::<Vec<String>>("origins"))
        .fetch_all(db)
        .await?;
    Ok(listed.into_iter().flatten().collect())
}

pub async fn own_key(db: Db<'_>) -> Result<Option<String>, Internal> {
    Ok(scalar("select key from sites where own = 1").fetch_optional(db).await?)
}

/// Skips missing ids; unordered.
pub async fn by_ids(db: Db<'_>, ids: &[Id]) -> Result<Vec<Site>, Internal> {
    Ok(sql("select * from sites where id in (select value from json_each(?))")
        .bind(json(&ids))
        .try_map(site)
        .fetch_all(db)
        .await?)
}

/// Returns the sites of some workspaces, sorted by name, with Waypost's own site last.
pub async fn of_workspaces(db: Db<'_>, workspaces: &[Id]) -> Result<Vec<Site>, Internal> {
    Ok(
        sql("select * from sites where workspace_id in (select value from json_each(?)) order by own, lower(name), id")
            .bind(json(&workspaces))
            .try_map(site)
            .fetch_all(db)
            .await?,
    )
}

/// Returns a site and the name of the account that changed it last.
pub async fn for_change(conn: &mut Conn, id: &Id) -> Result<(Site, String), Internal> {
    let row = sql("select s.*, a.name as changer from sites s join accounts a on a.id = s.changed_by where s.id = ?")
        .bind(id.as_str())
        .fetch_one(conn)
        .await?;
    let changer = row.text("changer")?;
    Ok((site(row)?, changer))
}

pub async fn count(conn: &mut Conn, workspace_id: &Id) -> Result<i32, Internal> {
    Ok(scalar("select count(*) from sites where workspace_id = ?")
        .bind(workspace_id.as_str())
        .fetch_one(conn)
        .await?)
}

pub async fn insert(
    conn: &mut Conn,
    workspace_id: &Id,
    new: NewSite<'_>,
    changer: &Id,
    now: DateTime,
) -> Result<Id, Internal> {
    let id = new_id();
    sql(
        "insert into sites (id, workspace_id, name, key, origins, allow_http, own, cooldown_hours, visitor_salt, created_at,
           changed_by)
         values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )
    .bind(id.as_str())
    .bind(workspace_id.as_str())
    .bind(new.name)
    .bind(new.key)
    .bind(json(&new.origins))
    .bind(new.allow_http)
    .bind(new.own)
    .bind(new.cooldown_hours)
    .bind(new_visitor_salt())
    .bind(now.as_millis())
    .bind(changer.as_str())
    .execute(conn)
    .await?;
    Ok(id)
}

/// Updates the values of a site that its administrators can change, and its version.
pub async fn update(conn: &mut Conn, site: &Site, changer: &Id) -> Result<(), Internal> {
    sql(
        "update sites set name = ?, key = ?, origins = ?, allow_http = ?, identity_mode = ?, cooldown_hours = ?, version = ?,
           changed_by = ?
         where id = ?",
    )
    .bind(&site.name)
    .bind(&site.key)
    .bind(json(&site.origins))
    .bind(site.allow_http)
    .bind(site.identity_mode.as_graphql())
    .bind(site.cooldown_hours)
    .bind(site.version)
    .bind(changer.as_str())
    .bind(site.id.as_str())
    .execute(conn)
    .await?;
    Ok(())
}

fn new_visitor_salt() -> String {
    uuid::Uuid::new_v4().simple().to_string()
}

/// Replaces the salt of a site, so that a browser whose visitor was erased becomes a different visitor.
pub async fn rotate_visitor_salt(conn: &mut Conn, id: &Id) -> Result<(), Internal> {
    sql("update sites set visitor_salt = ? where id = ?")
        .bind(new_visitor_salt())
        .bind(id.as_str())
        .execute(conn)
        .await?;
    Ok(())
}

pub async fn set_last_seen(conn: &mut Conn, id: &Id, now: DateTime) -> Result<(), Internal> {
    sql("update sites set installed_at = coalesce(installed_at, ?1), last_seen_at = ?1 where id = ?2")
        .bind(now.as_millis())
        .bind(id.as_str())
        .execute(conn)
        .await?;
    Ok(())
}

/// Enough for hand-written names; limits names generated by a script.
const MAX_EVENT_NAMES: i32 = 200;
/// 90 days after the last report.
const EVENT_RETENTION_MS: i64 = 90 * 24 * 60 * 60 * 1000;
/// Avoids a write for each report.
const EVENT_UPDATE_INTERVAL_MS: i64 = 60 * 60 * 1000;

/// A name this old (1 day) is replaced if the list is full. An event that pages still send is reported more often, so
/// invented names do not stay.
const EVENT_REPLACEABLE_MS: i64 = 24 * 60 * 60 * 1000;

/// Returns true if a row changed.
///
/// Calls `admit` for each new name. Rejected names and new names beyond the limit are ignored.
pub async fn record_events(
    conn: &mut Conn,
    id: &Id,
    names: &[&str],
    admit: impl Fn() -> bool,
    now: DateTime,
) -> Result<bool, Internal> {
    let names: Vec<String> = scalar(
        "select value from json_each(?2) where not exists (
           select 1 from site_events e where e.site_id = ?1 and e.name = value and e.last_at > ?3)",
    )
    .bind(id.as_str())
    .bind(json(&names))
    .bind(now.as_millis() - EVENT_UPDATE_INTERVAL_MS)
    .fetch_all(&mut *conn)
    .await?;
    if names.is_empty() {
        return Ok(false);
    }
    sql("delete from site_events where site_id = ? and last_at <= ?")
        .bind(id.as_str())
        .bind(now.as_millis() - EVENT_RETENTION_MS)
        .execute(&mut *conn)
        .await?;
    let mut changed = false;
    for name in names {
        let updated = sql("update site_events set last_at = ?3 where site_id = ?1 and name = ?2")
            .bind(id.as_str())
            .bind(&name)
            .bind(now.as_millis())
            .execute(&mut *conn)
            .await?;
        changed |= updated > 0 || (admit() && insert_event(conn, id, &name, now).await?);
    }
    Ok(changed)
}

/// Inserts the name at a free or replaceable place.
async fn insert_event(conn: &mut Conn, id: &Id, name: &str, now: DateTime) -> Result<bool, Internal> {
    sql("delete from site_events where site_id = ?1
           and name = (select name from site_events where site_id = ?1 and last_at < ?2 order by last_at, name limit 1)
           and (select count(*) from site_events where site_id = ?1) >= ?3")
    .bind(id.as_str())
    .bind(now.as_millis() - EVENT_REPLACEABLE_MS)
    .bind(MAX_EVENT_NAMES)
    .execute(&mut *conn)
    .await?;
    let inserted = sql("insert into site_events (site_id, name, last_at)
         select ?1, ?2, ?3 where (select count(*) from site_events where site_id = ?1) < ?4")
    .bind(id.as_str())
    .bind(name)
    .bind(now.as_millis())
    .bind(MAX_EVENT_NAMES)
    .execute(conn)
    .await?;
    Ok(inserted > 0)
}

/// Returns the events of some sites, sorted by name.
pub async fn events(db: Db<'_>, sites: &[Id], now: DateTime) -> Result<Vec<(Id, SiteEvent)>, Internal> {
    Ok(sql("select site_id, name, last_at from site_events
         where site_id in (select value from json_each(?)) and last_at > ? order by name")
    .bind(json(&sites))
    .bind(now.as_millis() - EVENT_RETENTION_MS)
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

/// Unless the site has it.
pub(crate) async fn add_origin(conn: &mut Conn, key: &str, origin: &str) -> Result<(), Internal> {
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
        allow_http: row.bool("allow_http")?,
        identity_mode: row.variant("identity_mode")?,
        installed_at: row.time_opt("installed_at")?,
        last_seen_at: row.time_opt("last_seen_at")?,
        last_page: row.text_opt("last_page")?.and_then(|page| page.parse().ok()),
        own: row.bool("own")?,
        cooldown_hours: row.int("cooldown_hours")?,
        created_at: row.time("created_at")?,
        version: row.int("version")?,
        workspace_id: row.id("workspace_id")?,
        visitor_salt: row.text("visitor_salt")?,
    })
}
