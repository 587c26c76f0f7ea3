use std::collections::HashMap;

use sha2::{Digest, Sha256};
use traitql::{DateTime, Id, Internal};
use waypost_api::{Site, Visitor};

use super::{
    identity::{Identity, Known, ReportedVisitor, identify, is_fresh},
    store::visitor,
    traits::Traits,
};
use crate::{
    lift,
    run::attempts,
    store::{Conn, Row, json, serial, short_hash, sql},
};

pub const MAX_BROWSERS: i32 = 3;

/// The visitors of a batch of requests, kept up to date during the batch.
pub struct Visitors {
    visitors: HashMap<Id, Visitor>,
    /// The ids of visitors by site and browser.
    browsers: HashMap<(Id, Id), Id>,
    /// The ids of visitors by site, external id, and whether it is verified.
    named: HashMap<(Id, String, bool), Id>,
}

impl Visitors {
    pub async fn read(conn: &mut Conn, inputs: &[(&Id, &ReportedVisitor)]) -> Result<Self, Internal> {
        let mut visitors = Self {
            visitors: HashMap::new(),
            browsers: HashMap::new(),
            named: HashMap::new(),
        };
        let browsers: Vec<i64> = inputs.iter().map(|(site, input)| browser_hash(site, input)).collect();
        let seen = match browsers.as_slice() {
            // A separate statement for the single visitor of a boot request, which runs at every page view.
            [browser] => sql(
                "select b.anonymous_id, p.* from browsers b join visitors_of_sites p on p.serial = b.visitor_serial
                 where b.hash = ?",
            )
            .bind(*browser),
            _ => sql(
                "select b.anonymous_id, p.* from browsers b join visitors_of_sites p on p.serial = b.visitor_serial
                 where b.hash in (select cast(value as bigint) from json_each(?))",
            )
            .bind(json(&browsers)),
        };
        let seen = seen
            .try_map(|row: Row| Ok((row.id("anonymous_id")?, visitor(row)?)))
            .fetch_all(&mut *conn)
            .await?;
        for (browser, visitor) in seen {
            let key = (visitor.site_id.clone(), browser);
            visitors.browsers.insert(key, visitor.id.clone());
            visitors.visitors.insert(visitor.id.clone(), visitor);
        }
        let names = inputs
            .iter()
            .filter_map(|(site, input)| Some((site.as_str(), input.external_id.as_deref()?)));
        let names: Vec<i64> = names
            .flat_map(|(site, name)| [false, true].map(|verified| external_hash(site, name, verified)))
            .collect();
        let named = match names.as_slice() {
            [] => return Ok(visitors),
            [declared, verified] => sql("select * from visitors_of_sites where external_hash in (?, ?)")
                .bind(*declared)
                .bind(*verified),
            _ => sql("select * from visitors_of_sites
                 where external_hash in (select cast(value as bigint) from json_each(?))")
            .bind(json(&names)),
        };
        let named = named.try_map(visitor).fetch_all(conn).await?;
        for visitor in named {
            if let Some(name) = &visitor.external_id {
                let key = (visitor.site_id.clone(), name.clone(), visitor.verified);
                visitors.named.insert(key, visitor.id.clone());
            }
            visitors.visitors.insert(visitor.id.clone(), visitor);
        }
        Ok(visitors)
    }

    pub(crate) fn ids(&self) -> Vec<&Id> {
        self.visitors.keys().collect()
    }

    fn known(&self, site_id: &Id, input: &ReportedVisitor) -> Known<'_> {
        let visitor = |id: Option<&Id>| id.and_then(|id| self.visitors.get(id));
        let named = |verified| {
            let name = input.external_id.as_ref()?;
            visitor(self.named.get(&(site_id.clone(), name.clone(), verified)))
        };
        Known {
            browser: visitor(self.browsers.get(&(site_id.clone(), input.anonymous_id.clone()))),
            declared: named(false),
            verified: named(true),
        }
    }

    pub(crate) fn traits_of(&self, id: &Id) -> Option<Traits> {
        Some(Traits::of(&self.visitors.get(id)?.traits))
    }

    pub(crate) fn is_tester(&self, id: &Id) -> bool {
        self.visitors.get(id).is_some_and(|visitor| visitor.tester_id.is_some())
    }

    pub(crate) fn external_id_of(&self, id: &Id) -> Option<&str> {
        self.visitors.get(id)?.external_id.as_deref()
    }

    pub(crate) fn identity(&self, site_id: &Id, input: &ReportedVisitor) -> Identity {
        identify(input, self.known(site_id, input))
    }

    /// True if no row needs an update.
    fn is_fresh(&self, site_id: &Id, input: &ReportedVisitor, now: DateTime) -> bool {
        match self.identity(site_id, input) {
            Identity::Known(id) => self.visitors.get(&id).is_some_and(|known| is_fresh(known, input, now)),
            _ => false,
        }
    }

    /// Applies the change that the identification requires. `id` is the visitor's id after the change. Does nothing if
    /// the rows are up to date.
    pub(crate) async fn upsert(
        &mut self,
        conn: &mut Conn,
        site_id: &Id,
        input: &ReportedVisitor,
        page: Option<&str>,
        id: &Id,
        now: DateTime,
    ) -> Result<(), Internal> {
        if self.is_fresh(site_id, input, now) {
            return Ok(());
        }
        let name = input.external_id.as_deref();
        let identity = self.identity(site_id, input);
        let is_new = matches!(identity, Identity::New | Identity::Merge { into: None, .. });
        if is_new {
            insert_visitor(conn, id, site_id, input, page, now).await?;
            self.add(id, site_id, input, now);
        } else {
            if matches!(identity, Identity::AddExternalId(_)) {
                sql("update visitors set external_id = ?, external_hash = ? where id = unhex(?, '-')")
                    .bind(name)
                    .bind(input_hash(site_id, input))
                    .bind(id.as_str())
                    .execute(&mut *conn)
                    .await?;
            }
            update_visit(conn, id, input, page, now).await?;
        }
        for from in identity.merged() {
            merge(conn, from, id).await?;
            self.visitors.remove(from);
            self.named.retain(|_, visitor| visitor != from);
            for visitor in self.browsers.values_mut().filter(|visitor| *visitor == from) {
                visitor.clone_from(id);
            }
        }
        let browser = (site_id.clone(), input.anonymous_id.clone());
        let is_linked = self.browsers.get(&browser) == Some(id);
        if !is_linked {
            link_browser(conn, site_id, input, id, now).await?;
        }
        if !identity.merged().is_empty() || !(is_linked || is_new) {
            drop_browsers(conn, input, id).await?;
        }
        self.update(id, site_id, input, now);
        Ok(())
    }

    /// Inserts visitors and their browsers with two statements, regardless of their number. They must be new.
    pub(crate) async fn insert(&mut self, conn: &mut Conn, new: &[NewVisitor<'_>], page: &str) -> Result<(), Internal> {
        let rows =
            |columns: fn(&NewVisitor<'_>) -> serde_json::Value| json(&new.iter().map(columns).collect::<Vec<_>>());
        sql("insert into visitors (id, site_serial, external_id, external_hash, verified, first_seen_at, last_seen_at, locale,
               last_page, traits)
             select unhex(n.value ->> 'id', '-'), s.serial, n.value ->> 'externalId', cast(n.value ->> 'hash' as bigint), ?3,
               cast(n.value ->> 'at' as bigint), cast(n.value ->> 'at' as bigint), n.value ->> 'locale', ?2,
               n.value ->> 'traits'
             from json_each(?1) n join sites s on s.id = n.value ->> 'site'")
        .bind(rows(|NewVisitor { id, site_id, input, at }| {
            serde_json::json!({
                "id": id, "site": site_id, "externalId": input.external_id, "hash": input_hash(site_id, input),
                "at": at.as_millis(), "locale": input.locale,
                "traits": stored_traits(input).unwrap_or_else(|| "{}".to_owned()),
            })
        }))
        .bind(page)
        .bind(false)
        .execute(&mut *conn)
        .await?;
        sql("insert into browsers (hash, anonymous_id, linked_at, visitor_serial)
             select cast(n.value ->> 'hash' as bigint), n.value ->> 'browser', cast(n.value ->> 'at' as bigint), v.serial
             from json_each(?) n join visitors v on v.id = unhex(n.value ->> 'id', '-')")
        .bind(rows(|NewVisitor { id, site_id, input, at }| {
            serde_json::json!({
                "hash": browser_hash(site_id, input), "browser": input.anonymous_id, "at": at.as_millis(), "id": id,
            })
        }))
        .execute(conn)
        .await?;
        for NewVisitor { id, site_id, input, at } in new {
            self.add(id, site_id, input, *at);
            self.update(id, site_id, input, *at);
        }
        Ok(())
    }

    fn add(&mut self, id: &Id, site_id: &Id, input: &ReportedVisitor, now: DateTime) {
        let visitor = Visitor {
            id: id.clone(),
            external_id: input.external_id.clone(),
            verified: input.verified,
            traits: Vec::new(),
            locale: None,
            first_seen_at: now,
            last_seen_at: now,
            last_page: None,
            site_id: site_id.clone(),
            tester_id: None,
        };
        self.visitors.insert(id.clone(), visitor);
    }

    fn update(&mut self, id: &Id, site_id: &Id, input: &ReportedVisitor, now: DateTime) {
        let browser = (site_id.clone(), input.anonymous_id.clone());
        self.browsers.insert(browser, id.clone());
        if let Some(name) = &input.external_id {
            let key = (site_id.clone(), name.clone(), input.verified);
            self.named.insert(key, id.clone());
        }
        if let Some(visitor) = self.visitors.get_mut(id) {
            visitor.last_seen_at = visitor.last_seen_at.max(now);
            visitor.external_id = visitor.external_id.take().or_else(|| input.external_id.clone());
            visitor.locale = input.locale.clone().or_else(|| visitor.locale.take());
            if let Some(traits) = &input.traits {
                visitor.traits = traits.clone().into_list();
            }
        }
    }
}

/// A visitor without a token, whose external id is not verified.
pub(crate) struct NewVisitor<'a> {
    pub(crate) id: Id,
    pub(crate) site_id: &'a Id,
    pub(crate) input: &'a ReportedVisitor,
    pub(crate) at: DateTime,
}

/// The id is derived from the page's report, because a visitor who is offered no tour is not stored, but must be in
/// the same part of a rollout at each visit. The salt of the site prevents that an id is assigned again after an
/// erasure. Ids of verified visitors are never derived without a token.
pub(crate) fn new_visitor_id(site: &Site, input: &ReportedVisitor) -> Id {
    match &input.external_id {
        Some(name) if input.verified => derived_id(site, "verified", name),
        Some(name) => derived_id(site, "external", name),
        None => browser_id(site, input),
    }
}

/// Notifications also use this id for the browser itself.
pub fn browser_id(site: &Site, input: &ReportedVisitor) -> Id {
    derived_id(site, "browser", input.anonymous_id.as_str())
}

fn browser_hash(site_id: &Id, input: &ReportedVisitor) -> i64 {
    short_hash([site_id.as_str(), "browser", input.anonymous_id.as_str()])
}

fn external_hash(site_id: &str, name: &str, verified: bool) -> i64 {
    short_hash([site_id, if verified { "verified" } else { "declared" }, name])
}

/// Returns the hash of the external id.
fn input_hash(site_id: &Id, input: &ReportedVisitor) -> Option<i64> {
    let name = input.external_id.as_deref()?;
    Some(external_hash(site_id.as_str(), name, input.verified))
}

fn derived_id(site: &Site, kind: &str, name: &str) -> Id {
    let mut hash = Sha256::new();
    for part in [&site.visitor_salt, "/", kind, "/", name] {
        hash.update(part);
    }
    let digest = hash.finalize();
    let bytes: [u8; 16] = digest[..16].try_into().expect("a SHA-256 has 32 bytes");
    uuid::Builder::from_custom_bytes(bytes).into_uuid().into()
}

/// Returns `None` for an unknown visitor.
pub async fn upsert_known(
    conn: &mut Conn,
    site: &Site,
    input: &ReportedVisitor,
    now: DateTime,
) -> Result<Option<Id>, Internal> {
    let mut visitors = Visitors::read(conn, &[(&site.id, input)]).await?;
    let identity = visitors.identity(&site.id, input);
    if identity == Identity::New {
        return Ok(None);
    }
    let id = identity.into_id().unwrap_or_else(|| new_visitor_id(site, input));
    visitors.upsert(conn, &site.id, input, None, &id, now).await?;
    Ok(Some(id))
}

pub async fn upsert(
    conn: &mut Conn,
    site: &Site,
    input: &ReportedVisitor,
    page: &str,
    now: DateTime,
) -> Result<Id, Internal> {
    let mut visitors = Visitors::read(conn, &[(&site.id, input)]).await?;
    let identity = visitors.identity(&site.id, input);
    let id = identity.into_id().unwrap_or_else(|| new_visitor_id(site, input));
    visitors.upsert(conn, &site.id, input, Some(page), &id, now).await?;
    Ok(id)
}

/// Inserts a visitor, or keeps the other values of one who is not linked to the browser.
async fn insert_visitor(
    conn: &mut Conn,
    id: &Id,
    site_id: &Id,
    input: &ReportedVisitor,
    page: Option<&str>,
    now: DateTime,
) -> Result<(), Internal> {
    sql(
        "insert into visitors (id, site_serial, external_id, external_hash, verified, first_seen_at, last_seen_at, locale,
           last_page, traits)
         select unhex(?1, '-'), serial, ?3, ?9, ?4, ?5, ?5, ?6, ?7, coalesce(?8, '{}') from sites where id = ?2
         on conflict (id) do update set last_seen_at = max(visitors.last_seen_at, excluded.last_seen_at),
           locale = coalesce(excluded.locale, visitors.locale),
           last_page = coalesce(excluded.last_page, visitors.last_page), traits = coalesce(?8, visitors.traits)",
    )
    .bind(id.as_str())
    .bind(site_id.as_str())
    .bind(input.external_id.as_deref())
    .bind(input.verified)
    .bind(now.as_millis())
    .bind(input.locale.as_ref())
    .bind(page)
    .bind(stored_traits(input))
    .bind(input_hash(site_id, input))
    .execute(conn)
    .await?;
    Ok(())
}

/// Keeps values that the page does not report.
async fn update_visit(
    conn: &mut Conn,
    id: &Id,
    input: &ReportedVisitor,
    page: Option<&str>,
    now: DateTime,
) -> Result<(), Internal> {
    sql(
        "update visitors set last_seen_at = max(last_seen_at, ?), locale = coalesce(?, locale),
           last_page = coalesce(?, last_page), traits = coalesce(?, traits)
         where id = unhex(?, '-')",
    )
    .bind(now.as_millis())
    .bind(input.locale.as_ref())
    .bind(page)
    .bind(stored_traits(input))
    .bind(id.as_str())
    .execute(conn)
    .await?;
    Ok(())
}

fn stored_traits(input: &ReportedVisitor) -> Option<String> {
    input.traits.as_ref().map(|traits| json(&traits.to_stored()))
}

async fn link_browser(
    conn: &mut Conn,
    site_id: &Id,
    input: &ReportedVisitor,
    id: &Id,
    now: DateTime,
) -> Result<(), Internal> {
    let hash = browser_hash(site_id, input);
    let browser = input.anonymous_id.as_str();
    let inserted = sql("insert into browsers (hash, anonymous_id, linked_at, visitor_serial)
         select ?1, ?2, ?3, serial from visitors where id = unhex(?4, '-')
           and not exists (select 1 from browsers where hash = ?1 and anonymous_id = ?2)")
    .bind(hash)
    .bind(browser)
    .bind(now.as_millis())
    .bind(id.as_str())
    .execute(&mut *conn)
    .await?;
    if inserted == 0 {
        sql(concat!(
            "update browsers set visitor_serial = ",
            serial!(visitors, "?4"),
            ", linked_at = ?3 where hash = ?1 and anonymous_id = ?2 and visitor_serial <> ",
            serial!(visitors, "?4")
        ))
        .bind(hash)
        .bind(browser)
        .bind(now.as_millis())
        .bind(id.as_str())
        .execute(conn)
        .await?;
    }
    Ok(())
}

/// Keeps the browser of the request.
async fn drop_browsers(conn: &mut Conn, input: &ReportedVisitor, id: &Id) -> Result<(), Internal> {
    sql(concat!(
        "delete from browsers where visitor_serial = ",
        serial!(visitors, "?1"),
        " and anonymous_id not in (select anonymous_id from browsers where visitor_serial = ",
        serial!(visitors, "?1"),
        " order by linked_at desc, anonymous_id = ?2 desc, anonymous_id limit ?3)"
    ))
    .bind(id.as_str())
    .bind(input.anonymous_id.as_str())
    .bind(MAX_BROWSERS)
    .execute(conn)
    .await?;
    Ok(())
}

/// Moves runs, attempts, browsers, resets and goals, and deletes `from`.
async fn merge(conn: &mut Conn, from: &Id, into: &Id) -> Result<(), Internal> {
    lift::store::merge(conn, from, into).await?;
    attempts::merge(conn, from, into).await?;
    for statement in [
        concat!(
            "update runs set visitor_serial = ",
            serial!(visitors, "?2"),
            " where visitor_serial = ",
            serial!(visitors, "?1")
        ),
        concat!(
            "update browsers set visitor_serial = ",
            serial!(visitors, "?2"),
            " where visitor_serial = ",
            serial!(visitors, "?1")
        ),
        concat!(
            "insert into visitor_resets (visitor_serial, tour_serial, at) select ",
            serial!(visitors, "?2"),
            ", tour_serial, at from visitor_resets where visitor_serial = ",
            serial!(visitors, "?1"),
            " on conflict (visitor_serial, tour_serial) do update set at = max(visitor_resets.at, excluded.at)"
        ),
        concat!(
            "delete from visitor_resets where visitor_serial = ",
            serial!(visitors, "?1"),
            " and ?1 <> ?2"
        ),
        "update visitors set first_seen_at = min(visitors.first_seen_at, from_.first_seen_at),
           tester_id = coalesce(visitors.tester_id, from_.tester_id)
         from visitors from_ where from_.id = unhex(?1, '-') and visitors.id = unhex(?2, '-')",
        "delete from visitors where id = unhex(?1, '-') and ?1 <> ?2",
    ] {
        sql(statement)
            .bind(from.as_str())
            .bind(into.as_str())
            .execute(&mut *conn)
            .await?;
    }
    Ok(())
}
