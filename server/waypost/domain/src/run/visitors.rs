//! SQL of visitors and their browsers.

use std::collections::HashMap;

use traitql::{DateTime, Id, Internal, Url};
use waypost_api::{Participant, ParticipantInput};

use super::participant::{Identity, identify, is_fresh};
use crate::{
    lift,
    participant::store::participant,
    store::{Conn, Row, json, new_id, sql},
};

/// The visitors of a batch of requests, kept up to date while the requests are handled one after the other.
pub struct Visitors {
    participants: HashMap<Id, Participant>,
    /// The visitor last seen in a browser, by site and by the id that the browser keeps.
    browsers: HashMap<(Id, Id), Id>,
    /// The visitors by site and external id.
    named: HashMap<(Id, String), Id>,
}

impl Visitors {
    /// Reads the visitors with at most two statements.
    pub async fn read(conn: &mut Conn, inputs: &[(&Id, &ParticipantInput)]) -> Result<Self, Internal> {
        let mut visitors = Self {
            participants: HashMap::new(),
            browsers: HashMap::new(),
            named: HashMap::new(),
        };
        let browsers: Vec<(&str, &str)> = inputs
            .iter()
            .map(|(site, input)| (site.as_str(), input.anonymous_id.as_str()))
            .collect();
        let seen = match browsers.as_slice() {
            // A separate statement for the single visitor of a boot request, which runs at every page view.
            [(site, browser)] => sql(
                "select b.anonymous_id, p.* from browsers b join participants p on p.id = b.participant_id
                 where b.site_id = ? and b.anonymous_id = ?",
            )
            .bind(*site)
            .bind(*browser),
            _ => sql(
                "select b.anonymous_id, p.* from browsers b join participants p on p.id = b.participant_id
                 where (b.site_id, b.anonymous_id) in (select value ->> 0, value ->> 1 from json_each(?))",
            )
            .bind(json(&browsers)),
        };
        let seen = seen
            .try_map(|row: Row| Ok((row.id("anonymous_id")?, participant(row)?)))
            .fetch_all(&mut *conn)
            .await?;
        for (browser, participant) in seen {
            let key = (participant.site_id.clone(), browser);
            visitors.browsers.insert(key, participant.id.clone());
            visitors.participants.insert(participant.id.clone(), participant);
        }
        let names = inputs
            .iter()
            .filter_map(|(site, input)| Some((site.as_str(), external_id(input)?)));
        let names: Vec<(&str, &str)> = names.collect();
        let named = match names.as_slice() {
            [] => return Ok(visitors),
            [(site, name)] => sql("select * from participants where site_id = ? and external_id = ?")
                .bind(*site)
                .bind(*name),
            _ => sql("select * from participants
                 where (site_id, external_id) in (select value ->> 0, value ->> 1 from json_each(?))")
            .bind(json(&names)),
        };
        let named = named.try_map(participant).fetch_all(conn).await?;
        for participant in named {
            if let Some(name) = &participant.external_id {
                let key = (participant.site_id.clone(), name.clone());
                visitors.named.insert(key, participant.id.clone());
            }
            visitors.participants.insert(participant.id.clone(), participant);
        }
        Ok(visitors)
    }

    /// Returns the visitor last seen in the browser, and the one with the external id.
    fn known(&self, site_id: &Id, input: &ParticipantInput) -> (Option<&Participant>, Option<&Participant>) {
        let browser = self.browsers.get(&(site_id.clone(), input.anonymous_id.clone()));
        let named = external_id(input).and_then(|name| self.named.get(&(site_id.clone(), name.to_owned())));
        let participant = |id: Option<&Id>| id.and_then(|id| self.participants.get(id));
        (participant(browser), participant(named))
    }

    /// Identifies a visitor, see [`identify`].
    pub(super) fn identity(&self, site_id: &Id, input: &ParticipantInput) -> Identity {
        let (browser, named) = self.known(site_id, input);
        identify(external_id(input), browser, named)
    }

    /// Returns the visitor's id if no row needs an update.
    pub fn fresh(&self, site_id: &Id, input: &ParticipantInput, page: Option<&Url>, now: DateTime) -> Option<Id> {
        let (browser, named) = self.known(site_id, input);
        match (self.identity(site_id, input), named.or(browser)) {
            (Identity::Known(id), Some(visitor)) if is_fresh(visitor, input, page, now) => Some(id),
            _ => None,
        }
    }

    /// Applies the change that the identification requires, and updates the visitor's last visit, locale and page.
    ///
    /// `id` is the visitor's id after the change: that of [`Visitors::identity`], or a new one. Does nothing if the
    /// rows are up to date.
    pub(super) async fn upsert(
        &mut self,
        conn: &mut Conn,
        site_id: &Id,
        input: &ParticipantInput,
        page: Option<&Url>,
        id: &Id,
        now: DateTime,
    ) -> Result<(), Internal> {
        if self.fresh(site_id, input, page, now).is_some() {
            return Ok(());
        }
        let name = external_id(input);
        match self.identity(site_id, input) {
            Identity::Known(_) | Identity::ReassignBrowser(_) => {}
            Identity::New => {
                insert_participant(conn, id, site_id, name, now).await?;
                let participant = Participant {
                    id: id.clone(),
                    external_id: name.map(str::to_owned),
                    locale: None,
                    first_seen_at: now,
                    last_seen_at: now,
                    last_page: None,
                    site_id: site_id.clone(),
                    tester_id: None,
                };
                self.participants.insert(id.clone(), participant);
            }
            Identity::AddExternalId(_) => {
                sql("update participants set external_id = ? where id = ?")
                    .bind(name)
                    .bind(id.as_str())
                    .execute(&mut *conn)
                    .await?;
            }
            Identity::Merge { from, .. } => {
                merge(conn, &from, id).await?;
                self.participants.remove(&from);
                for participant in self.browsers.values_mut().filter(|participant| **participant == from) {
                    participant.clone_from(id);
                }
            }
        }
        sql(
            "insert into browsers (site_id, anonymous_id, participant_id) values (?, ?, ?)
             on conflict (site_id, anonymous_id) do update set participant_id = excluded.participant_id",
        )
        .bind(site_id.as_str())
        .bind(input.anonymous_id.as_str())
        .bind(id.as_str())
        .execute(&mut *conn)
        .await?;
        let locale = input.locale.as_ref().value();
        sql(
            "update participants set last_seen_at = max(last_seen_at, ?), locale = coalesce(?, locale),
               last_page = coalesce(?, last_page)
             where id = ?",
        )
        .bind(now.as_millis())
        .bind(locale)
        .bind(page.map(Url::as_str))
        .bind(id.as_str())
        .execute(conn)
        .await?;
        self.browsers
            .insert((site_id.clone(), input.anonymous_id.clone()), id.clone());
        if let Some(name) = name {
            self.named.insert((site_id.clone(), name.to_owned()), id.clone());
        }
        if let Some(participant) = self.participants.get_mut(id) {
            participant.last_seen_at = participant.last_seen_at.max(now);
            participant.external_id = participant.external_id.take().or_else(|| name.map(str::to_owned));
            participant.locale = locale.cloned().or_else(|| participant.locale.take());
            participant.last_page = page.cloned().or_else(|| participant.last_page.take());
        }
        Ok(())
    }
}

/// Returns the external id, if the page provides one.
fn external_id(input: &ParticipantInput) -> Option<&str> {
    input.external_id.as_ref().value().map(String::as_str)
}

/// Updates the visitor and returns their id, like [`upsert`], but returns `None` for an unknown visitor.
pub async fn upsert_known(
    conn: &mut Conn,
    site_id: &Id,
    input: &ParticipantInput,
    now: DateTime,
) -> Result<Option<Id>, Internal> {
    let mut visitors = Visitors::read(conn, &[(site_id, input)]).await?;
    let Some(id) = visitors.identity(site_id, input).into_id() else {
        return Ok(None);
    };
    visitors.upsert(conn, site_id, input, None, &id, now).await?;
    Ok(Some(id))
}

/// Inserts or updates the visitor of a page, and returns their id.
pub async fn upsert(
    conn: &mut Conn,
    site_id: &Id,
    input: &ParticipantInput,
    page: &Url,
    now: DateTime,
) -> Result<Id, Internal> {
    let mut visitors = Visitors::read(conn, &[(site_id, input)]).await?;
    let id = visitors.identity(site_id, input).into_id().unwrap_or_else(new_id);
    visitors.upsert(conn, site_id, input, Some(page), &id, now).await?;
    Ok(id)
}

async fn insert_participant(
    conn: &mut Conn,
    id: &Id,
    site_id: &Id,
    name: Option<&str>,
    now: DateTime,
) -> Result<(), Internal> {
    sql("insert into participants (id, site_id, external_id, first_seen_at, last_seen_at) values (?1, ?2, ?3, ?4, ?4)")
        .bind(id.as_str())
        .bind(site_id.as_str())
        .bind(name)
        .bind(now.as_millis())
        .execute(conn)
        .await?;
    Ok(())
}

/// Moves the runs, browsers, resets and goals of an anonymous visitor to a known one, and deletes the former.
async fn merge(conn: &mut Conn, from: &Id, into: &Id) -> Result<(), Internal> {
    lift::store::merge(conn, from, into).await?;
    for statement in [
        "update runs set participant_id = ?2 where participant_id = ?1",
        "update browsers set participant_id = ?2 where participant_id = ?1",
        "insert into participant_resets (participant_id, tour_id, at)
           select ?2, tour_id, at from participant_resets where participant_id = ?1
           on conflict (participant_id, tour_id) do update set at = max(participant_resets.at, excluded.at)",
        "delete from participant_resets where participant_id = ?1 and participant_id <> ?2",
        "update participants set first_seen_at = min(participants.first_seen_at, from_.first_seen_at),
           tester_id = coalesce(participants.tester_id, from_.tester_id)
         from participants from_ where from_.id = ?1 and participants.id = ?2",
        "delete from participants where id = ?1 and id <> ?2",
    ] {
        sql(statement)
            .bind(from.as_str())
            .bind(into.as_str())
            .execute(&mut *conn)
            .await?;
    }
    Ok(())
}
