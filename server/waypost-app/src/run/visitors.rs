//! SQL of participants and of the browsers that they were seen in.

use traitql::{DateTime, Id, Internal};
use waypost_api::{Participant, ParticipantInput};

use super::participant::{Identity, identify, is_fresh};
use crate::{
    lift,
    participant::store::participant,
    store::{Conn, new_id, sql},
};

/// The participant last seen in the browser, and the one with the site's name.
pub(super) async fn known(
    conn: &mut Conn,
    site_id: &Id,
    input: &ParticipantInput,
) -> Result<(Option<Participant>, Option<Participant>), Internal> {
    let browser = sql(
        "select p.* from browsers b join participants p on p.id = b.participant_id
         where b.site_id = ? and b.anonymous_id = ?",
    )
    .bind(site_id.as_str())
    .bind(input.anonymous_id.as_str())
    .try_map(participant)
    .fetch_optional(&mut *conn)
    .await?;
    let named = match input.external_id.as_ref().value() {
        None => None,
        Some(name) => {
            sql("select * from participants where site_id = ? and external_id = ?")
                .bind(site_id.as_str())
                .bind(name)
                .try_map(participant)
                .fetch_optional(conn)
                .await?
        }
    };
    Ok((browser, named))
}

/// The visitor, if the browser or the name is known, as [`visitor`] finds them.
pub(crate) async fn returning(
    conn: &mut Conn,
    site_id: &Id,
    input: &ParticipantInput,
    now: DateTime,
) -> Result<Option<Id>, Internal> {
    let (browser, named) = known(conn, site_id, input).await?;
    let name = input.external_id.as_ref().value().map(String::as_str);
    match identify(name, browser.as_ref(), named.as_ref()) {
        Identity::New => Ok(None),
        _ => Ok(Some(visitor(conn, site_id, input, now).await?)),
    }
}

/// Finds or adds the visitor and notes their visit, unless one was noted just now.
pub(super) async fn visitor(
    conn: &mut Conn,
    site_id: &Id,
    input: &ParticipantInput,
    now: DateTime,
) -> Result<Id, Internal> {
    let (browser, named) = known(conn, site_id, input).await?;
    let name = input.external_id.as_ref().value().map(String::as_str);
    let identity = identify(name, browser.as_ref(), named.as_ref());
    if let (Identity::Known(id), Some(visitor)) = (&identity, named.as_ref().or(browser.as_ref()))
        && is_fresh(visitor, input, now)
    {
        return Ok(id.clone());
    }
    let id = match identity {
        Identity::Known(id) | Identity::Move(id) => id,
        Identity::New => insert_participant(conn, site_id, name, now).await?,
        Identity::Name(id) => {
            sql("update participants set external_id = ? where id = ?")
                .bind(name)
                .bind(id.as_str())
                .execute(&mut *conn)
                .await?;
            id
        }
        Identity::Merge { from, into } => merge(conn, &from, into).await?,
    };
    sql(
        "insert into browsers (site_id, anonymous_id, participant_id) values (?, ?, ?)
         on conflict (site_id, anonymous_id) do update set participant_id = excluded.participant_id",
    )
    .bind(site_id.as_str())
    .bind(input.anonymous_id.as_str())
    .bind(id.as_str())
    .execute(&mut *conn)
    .await?;
    sql("update participants set last_seen_at = max(last_seen_at, ?), locale = coalesce(?, locale) where id = ?")
        .bind(now.as_millis())
        .bind(input.locale.as_ref().value())
        .bind(id.as_str())
        .execute(conn)
        .await?;
    Ok(id)
}

async fn insert_participant(conn: &mut Conn, site_id: &Id, name: Option<&str>, now: DateTime) -> Result<Id, Internal> {
    let id = new_id();
    sql("insert into participants (id, site_id, external_id, first_seen_at, last_seen_at) values (?1, ?2, ?3, ?4, ?4)")
        .bind(id.as_str())
        .bind(site_id.as_str())
        .bind(name)
        .bind(now.as_millis())
        .execute(conn)
        .await?;
    Ok(id)
}

/// Makes the history of an anonymous participant that of a known one.
async fn merge(conn: &mut Conn, from: &Id, into: Id) -> Result<Id, Internal> {
    lift::store::merge(conn, from, &into).await?;
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
    Ok(into)
}
