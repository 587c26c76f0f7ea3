//! News between processes that share a PostgreSQL database: each tells the others by NOTIFY what it committed.

use std::{convert::Infallible, time::Duration};

use sqlx::{Error, PgPool, postgres::PgListener};
use tokio::time::sleep;
use traitql::Internal;
use uuid::Uuid;

use super::{Conn, json, sql};
use crate::change::{Changed, Changes};

const CHANNEL: &str = "waypost_changes";
/// How long to wait before listening again after that has failed.
const PAUSE: Duration = Duration::from_secs(1);

/// Tells the other processes of changes, as soon as the transaction is committed.
pub(super) async fn tell(conn: &mut Conn, process: Uuid, changes: &[Changed]) -> Result<(), Internal> {
    if changes.is_empty() || matches!(conn, Conn::Sqlite(_)) {
        return Ok(());
    }
    let told: Vec<(Uuid, &Changed)> = changes.iter().map(|change| (process, change)).collect();
    sql("select pg_notify(?, value) from json_each(?)")
        .bind(CHANNEL)
        .bind(json(&told))
        .execute(conn)
        .await?;
    Ok(())
}

/// Announces here what the other processes tell from now on, until the pool is closed.
pub(super) async fn hear(pool: PgPool, process: Uuid, changes: Changes) -> Result<(), Error> {
    let mut listener = listen(&pool).await?;
    tokio::spawn(async move {
        loop {
            match pass_on(&mut listener, process, &changes).await {
                Err(Error::PoolClosed) => return,
                Err(error) => tracing::warn!(%error, "news of other processes cannot be heard"),
                Ok(never) => match never {},
            }
            sleep(PAUSE).await;
            if let Ok(again) = listen(&pool).await {
                listener = again;
                changes.announce(vec![Changed::Unknown]);
            }
        }
    });
    Ok(())
}

async fn listen(pool: &PgPool) -> Result<PgListener, Error> {
    let mut listener = PgListener::connect_with(pool).await?;
    listener.listen(CHANNEL).await?;
    Ok(listener)
}

async fn pass_on(listener: &mut PgListener, process: Uuid, changes: &Changes) -> Result<Infallible, Error> {
    loop {
        let news = listener.try_recv().await?;
        // Without news, the connection was lost and made anew: nobody knows what was told meanwhile.
        let told = news.and_then(|news| serde_json::from_str::<(Uuid, Changed)>(news.payload()).ok());
        match told {
            Some((teller, _)) if teller == process => {}
            Some((_, change)) => changes.announce(vec![change]),
            None => changes.announce(vec![Changed::Unknown]),
        }
    }
}
