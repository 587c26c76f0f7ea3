//! The runs of one visitor, for an export.

use serde_json::{Value, json};
use traitql::{Id, Internal};

use super::{kept_events::KeptEvents, times::Times};
use crate::store::{Conn, Row, serial, sql};

/// Returns the runs with their events, earliest first.
pub(crate) async fn runs(conn: &mut Conn, visitor_id: &Id) -> Result<Vec<Value>, Internal> {
    let rows: Vec<Row> = sql(concat!(
        "select n.*, t.title, r.number, (select json_group_array(value ->> 'key') from json_each(r.steps)) as keys
         from runs_of_releases n join tours t on t.serial = n.tour_serial join revisions r on r.id = n.revision_id
         where n.visitor_serial = ",
        serial!(visitors, "?"),
        " order by n.started_at, n.id"
    ))
    .bind(visitor_id.as_str())
    .fetch_all(conn)
    .await?;
    rows.iter().map(run).collect()
}

fn run(row: &Row) -> Result<Value, Internal> {
    let keys: Vec<String> = row.json("keys")?;
    let steps = |column| -> Result<Vec<&String>, Internal> {
        let bits = row.long(column)?;
        let keys = keys.iter().enumerate();
        Ok(keys
            .filter(|(index, _)| bits >> index & 1 == 1)
            .map(|(_, key)| key)
            .collect())
    };
    let times =
        Times::unpack(&row.bytes("times")?).ok_or_else(|| Internal::new("the column `times` of a run is damaged"))?;
    let times = keys.iter().enumerate().filter_map(|(index, key)| {
        let [shown, completed] = times.of_step(index);
        (shown.is_some() || completed.is_some())
            .then(|| json!({ "step": key, "shownAfterMs": shown, "completedAfterMs": completed }))
    });
    let events = KeptEvents::unpack(&row.bytes("events")?, &keys)?.into_iter().map(|event| {
        json!({
            "seq": event.seq, "kind": event.kind, "step": event.step_key, "at": event.at, "activeMs": event.active_ms,
            "reason": event.reason,
        })
    });
    Ok(json!({
        "id": row.id("id")?,
        "tour": row.text("title")?,
        "revision": row.int("number")?,
        "release": row.id("release_id")?,
        "state": row.text("state")?,
        "showedStep": row.bool("started")?,
        "seenSteps": steps("seen")?,
        "completedSteps": steps("done")?,
        "missingSteps": steps("missing")?,
        "startedAt": row.time("started_at")?,
        "lastActiveAt": row.time("last_at")?,
        "endedAt": row.time_opt("ended_at")?,
        "endReason": row.text_opt("end_reason")?,
        "activeMs": row.int("active_ms")?,
        "stepTimes": times.collect::<Vec<_>>(),
        "events": events.collect::<Vec<_>>(),
    }))
}
