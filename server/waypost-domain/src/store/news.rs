//! What processes that share a database tell each other: the changes that each has committed.

use traitql::Internal;
use uuid::Uuid;

use super::{Conn, Pool, json};
use crate::change::{Changed, Changes};

/// Tells the other processes of changes, as soon as the transaction is committed.
pub(super) async fn tell(conn: &mut Conn, process: Uuid, changes: &[Changed]) -> Result<(), Internal> {
    if changes.is_empty() {
        return Ok(());
    }
    let told: Vec<(Uuid, &Changed)> = changes.iter().map(|change| (process, change)).collect();
    Ok(waypost_store::tell(conn, json(&told)).await?)
}

/// Announces here what the other processes tell from now on.
pub(super) async fn hear(pool: &Pool, process: Uuid, changes: Changes) -> Result<(), waypost_store::Error> {
    let heard = move |news: Option<&str>| {
        let told = news.and_then(|news| serde_json::from_str::<(Uuid, Changed)>(news).ok());
        match told {
            Some((teller, _)) if teller == process => {}
            Some((_, change)) => changes.announce(vec![change]),
            None => changes.announce(vec![Changed::Unknown]),
        }
    };
    waypost_store::hear(pool, Box::new(heard)).await
}
