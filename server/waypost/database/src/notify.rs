use std::{convert::Infallible, time::Duration};

use sqlx::{PgPool, postgres::PgListener};
use tokio::time::sleep;

use crate::{Conn, Error, Pool, sql};

const CHANNEL: &str = "waypost_changes";
const RECONNECT_DELAY: Duration = Duration::from_secs(1);

/// Notifies every process when the transaction commits. `payloads` is a JSON array of strings. Does nothing with
/// SQLite.
pub async fn notify(conn: &mut Conn, payloads: String) -> Result<(), Error> {
    if matches!(conn, Conn::Sqlite(_)) {
        return Ok(());
    }
    sql("select pg_notify(?, value) from json_each(?)")
        .bind(CHANNEL)
        .bind(payloads)
        .execute(conn)
        .await?;
    Ok(())
}

/// Receives `None` if an unknown number of notifications was lost.
pub type OnNotification = Box<dyn Fn(Option<&str>) + Send + Sync>;

/// Returns once listening has started, and includes notifications of this process. Does nothing with SQLite.
pub async fn listen(pool: &Pool, callback: OnNotification) -> Result<(), Error> {
    let Some(pool) = pool.postgres().cloned() else {
        return Ok(());
    };
    let mut listener = connect(&pool).await?;
    tokio::spawn(async move {
        loop {
            match forward(&mut listener, &callback).await {
                Err(Error::PoolClosed) => return,
                Err(error) => tracing::warn!(%error, "cannot receive notifications of other processes; retrying"),
                Ok(never) => match never {},
            }
            sleep(RECONNECT_DELAY).await;
            if let Ok(reconnected) = connect(&pool).await {
                listener = reconnected;
                callback(None);
            }
        }
    });
    Ok(())
}

async fn connect(pool: &PgPool) -> Result<PgListener, Error> {
    let mut listener = PgListener::connect_with(pool).await?;
    listener.listen(CHANNEL).await?;
    Ok(listener)
}

async fn forward(listener: &mut PgListener, callback: &OnNotification) -> Result<Infallible, Error> {
    loop {
        // Reconnected, so notifications may be missing.
        let notification = listener.try_recv().await?;
        callback(notification.as_ref().map(|notification| notification.payload()));
    }
}
