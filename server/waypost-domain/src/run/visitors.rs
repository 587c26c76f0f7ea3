//! SQL of participants and of the browsers that they were seen in.

use std::collections::HashMap;

use traitql::{DateTime, Id, Internal, Url};
use waypost_api::{Participant, ParticipantInput};

use super::participant::{Identity, identify, is_fresh};
use crate::{
    lift,
    participant::store::participant,
    store::{Conn, Row, json, new_id, sql},
};

/// The visitors of some pages, as they stand while one page after the other says who it is.
pub struct Visitors {
    people: HashMap<Id, Participant>,
    /// By site and by the id that the browser keeps: who was last seen in it.
    browsers: HashMap<(Id, Id), Id>,
    /// By site and by its own name for a person.
    named: HashMap<(Id, String), Id>,
}

impl Visitors {
    /// Reads what is known of the visitors of some sites, in two statements at most.
    pub async fn read(conn: &mut Conn, inputs: &[(&Id, &ParticipantInput)]) -> Result<Self, Internal> {
        let mut visitors = Self {
            people: HashMap::new(),
            browsers: HashMap::new(),
            named: HashMap::new(),
        };
        let browsers: Vec<(&str, &str)> = inputs
            .iter()
            .map(|(site, input)| (site.as_str(), input.anonymous_id.as_str()))
            .collect();
        let seen = match browsers.as_slice() {
            // What every page view asks.
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
        for (browser, person) in seen {
            let place = (person.site_id.clone(), browser);
            visitors.browsers.insert(place, person.id.clone());
            visitors.people.insert(person.id.clone(), person);
        }
        let names = inputs
            .iter()
            .filter_map(|(site, input)| Some((site.as_str(), name_in(input)?)));
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
        for person in named {
            if let Some(name) = &person.external_id {
                let place = (person.site_id.clone(), name.clone());
                visitors.named.insert(place, person.id.clone());
            }
            visitors.people.insert(person.id.clone(), person);
        }
        Ok(visitors)
    }

    /// The participant last seen in the browser, and the one with the site's name.
    fn known(&self, site_id: &Id, input: &ParticipantInput) -> (Option<&Participant>, Option<&Participant>) {
        let browser = self.browsers.get(&(site_id.clone(), input.anonymous_id.clone()));
        let named = name_in(input).and_then(|name| self.named.get(&(site_id.clone(), name.to_owned())));
        let person = |id: Option<&Id>| id.and_then(|id| self.people.get(id));
        (person(browser), person(named))
    }

    /// What is to be done about a visitor.
    pub(super) fn identity(&self, site_id: &Id, input: &ParticipantInput) -> Identity {
        let (browser, named) = self.known(site_id, input);
        identify(name_in(input), browser, named)
    }

    /// The visitor, if there is nothing to write about them.
    pub fn fresh(&self, site_id: &Id, input: &ParticipantInput, page: Option<&Url>, now: DateTime) -> Option<Id> {
        let (browser, named) = self.known(site_id, input);
        match (self.identity(site_id, input), named.or(browser)) {
            (Identity::Known(id), Some(visitor)) if is_fresh(visitor, input, page, now) => Some(id),
            _ => None,
        }
    }

    /// Does what is to be done about the visitor, who is `id` from now on, and notes their visit, on `page` if they are on another one.
    pub(super) async fn welcome(
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
        let name = name_in(input);
        match self.identity(site_id, input) {
            Identity::Known(_) | Identity::Move(_) => {}
            Identity::New => {
                insert_participant(conn, id, site_id, name, now).await?;
                let person = Participant {
                    id: id.clone(),
                    external_id: name.map(str::to_owned),
                    locale: None,
                    first_seen_at: now,
                    last_seen_at: now,
                    last_page: None,
                    site_id: site_id.clone(),
                    tester_id: None,
                };
                self.people.insert(id.clone(), person);
            }
            Identity::Name(_) => {
                sql("update participants set external_id = ? where id = ?")
                    .bind(name)
                    .bind(id.as_str())
                    .execute(&mut *conn)
                    .await?;
            }
            Identity::Merge { from, .. } => {
                merge(conn, &from, id).await?;
                self.people.remove(&from);
                for person in self.browsers.values_mut().filter(|person| **person == from) {
                    person.clone_from(id);
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
        if let Some(person) = self.people.get_mut(id) {
            person.last_seen_at = person.last_seen_at.max(now);
            person.external_id = person.external_id.take().or_else(|| name.map(str::to_owned));
            person.locale = locale.cloned().or_else(|| person.locale.take());
            person.last_page = page.cloned().or_else(|| person.last_page.take());
        }
        Ok(())
    }
}

/// The site's own name for the person, if it says one.
fn name_in(input: &ParticipantInput) -> Option<&str> {
    input.external_id.as_ref().value().map(String::as_str)
}

/// The visitor, if the browser or the name is known, as [`visitor`] finds them.
pub async fn returning(
    conn: &mut Conn,
    site_id: &Id,
    input: &ParticipantInput,
    now: DateTime,
) -> Result<Option<Id>, Internal> {
    let mut visitors = Visitors::read(conn, &[(site_id, input)]).await?;
    let Some(id) = visitors.identity(site_id, input).into_id() else {
        return Ok(None);
    };
    visitors.welcome(conn, site_id, input, None, &id, now).await?;
    Ok(Some(id))
}

/// Finds or adds the visitor and notes their visit to a page, unless one was noted just now.
pub async fn visitor(
    conn: &mut Conn,
    site_id: &Id,
    input: &ParticipantInput,
    page: &Url,
    now: DateTime,
) -> Result<Id, Internal> {
    let mut visitors = Visitors::read(conn, &[(site_id, input)]).await?;
    let id = visitors.identity(site_id, input).into_id().unwrap_or_else(new_id);
    visitors.welcome(conn, site_id, input, Some(page), &id, now).await?;
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

/// Makes the history of an anonymous participant that of a known one.
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
