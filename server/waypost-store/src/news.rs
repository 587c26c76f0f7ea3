//! News between processes that share a PostgreSQL database: each tells the others by NOTIFY what it committed.

use std::{convert::Infallible, time::Duration};

use sqlx::{PgPool, postgres::PgListener};
use tokio::time::sleep;

use crate::{Conn, Error, Pool, sql};

const CHANNEL: &str = "waypost_changes";
/// How long to wait before listening again after that has failed.
const PAUSE: Duration = Duration::from_secs(1);

/// Tells every process as soon as the transaction is committed: a text for each item of `news`, a JSON array. With
/// SQLite there is nobody to tell.
pub async fn tell(conn: &mut Conn, news: String) -> Result<(), Error> {
    if matches!(conn, Conn::Sqlite(_)) {
        return Ok(());
    }
    sql("select pg_notify(?, value) from json_each(?)")
        .bind(CHANNEL)
        .bind(news)
        .execute(conn)
        .await?;
    Ok(())
}

/// Who is told the news: their text, or nothing where some were missed and nobody knows which.
pub type Heard = Box<dyn Fn(Option<&str>) + Send + Sync>;

/// Passes on what any process tells from now on, this one too, until the pool is closed. With SQLite there is nobody to hear.
pub async fn hear(pool: &Pool, heard: Heard) -> Result<(), Error> {
    let Pool::Postgres(pool) = pool.clone() else {
        return Ok(());
    };
    let mut listener = listen(&pool).await?;
    tokio::spawn(async move {
        loop {
            match pass_on(&mut listener, &heard).await {
                Err(Error::PoolClosed) => return,
                Err(error) => tracing::warn!(%error, "news of other processes cannot be heard"),
                Ok(never) => match never {},
            }
            sleep(PAUSE).await;
            if let Ok(again) = listen(&pool).await {
                listener = again;
                heard(None);
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

async fn pass_on(listener: &mut PgListener, heard: &Heard) -> Result<Infallible, Error> {
    loop {
        // Without news, the connection was lost and made anew.
        let news = listener.try_recv().await?;
        heard(news.as_ref().map(|news| news.payload()));
    }
}
