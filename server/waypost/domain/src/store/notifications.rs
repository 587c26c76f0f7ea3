use traitql::Internal;
use uuid::Uuid;
use waypost_database::{Error, ListenAt, Notifications};

use super::{Conn, Pool, json};
use crate::change::{Changed, Changes};

/// Notifies the other processes of the changes when the transaction commits.
pub(super) async fn notify(conn: &mut Conn, process: Uuid, changes: &[Changed]) -> Result<(), Internal> {
    if changes.is_empty() {
        return Ok(());
    }
    let payloads: Vec<(Uuid, &Changed)> = changes.iter().map(|change| (process, change)).collect();
    Ok(waypost_database::notify(conn, json(&payloads)).await?)
}

pub(super) async fn listen(pool: &Pool, at: ListenAt, process: Uuid, changes: Changes) -> Result<Notifications, Error> {
    let callback = move |payload: Option<&str>| {
        let change = payload.and_then(|payload| serde_json::from_str::<(Uuid, Changed)>(payload).ok());
        match change {
            Some((sender, _)) if sender == process => {}
            Some((_, change)) => changes.announce(vec![change]),
            None => changes.announce(vec![Changed::Unknown]),
        }
    };
    waypost_database::listen(pool, at, Box::new(callback)).await
}
