//! Notifications of other processes that share a PostgreSQL database.
//!
//! A listener needs a session that only it uses. A network can drop its connection without an error, so that
//! notifications are lost silently. Therefore the listener regularly notifies itself. While its notifications do not
//! arrive, it compares snapshots of the database every second, which show that any transaction was committed, although
//! not what it has changed.
//!
//! A process does not listen through a pooler in transaction mode, because other clients would receive its notifications
//! with the results of their statements, which then fail.

use std::{convert::Infallible, future::pending, sync::Arc, time::Duration};

use sqlx::postgres::{PgConnectOptions, PgListener, PgPoolOptions};
use tokio::{
    select,
    sync::{Notify, watch},
    time::{sleep, timeout},
};
use uuid::Uuid;

use crate::{Conn, Error, Pool, open::ACQUIRE_TIMEOUT, scalar, sql};

const CHANNEL: &str = "waypost_changes";
const CHECK_INTERVAL: Duration = Duration::from_secs(5);
/// Time for a notification of this process to arrive.
const ARRIVAL_TIMEOUT: Duration = Duration::from_secs(2);
const RECONNECT_DELAY: Duration = Duration::from_secs(1);
const POLL_INTERVAL: Duration = Duration::from_secs(1);

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

/// The state of the notifications of other processes.
#[derive(Debug, Clone)]
pub struct Notifications(watch::Receiver<Arrival>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Arrival {
    Unknown,
    Arriving,
    Missing,
}

impl Notifications {
    /// Returns why changes of other processes are noticed late.
    pub fn problem(&self) -> Option<&'static str> {
        (*self.0.borrow() == Arrival::Missing).then_some("notifications of other processes do not arrive")
    }
}

/// The address at which a process listens. `None` if a pooler shares sessions, and the address without it is unknown.
pub struct ListenAt(pub(crate) Option<PgConnectOptions>);

/// Returns once listening has started and was checked. The callback also receives the notifications of this process.
pub async fn listen(pool: &Pool, at: ListenAt, callback: OnNotification) -> Result<Notifications, Error> {
    let listener = match &at.0 {
        Some(options) => Some(connect(options).await?),
        None => None,
    };
    let (arrival, mut state) = watch::channel(Arrival::Unknown);
    let listening = Arc::new(Listening {
        pool: pool.clone(),
        callback,
        own: Uuid::new_v4().to_string(),
        arrived: Notify::new(),
        arrival,
    });
    let closed = pool.close_event();
    tokio::spawn(async move {
        let listens = async {
            match (at.0, listener) {
                (Some(options), Some(listener)) => listening.keep_listening(&options, listener).await,
                _ => {
                    listening.lost("a pooler in transaction mode shares the sessions of its clients");
                    pending().await
                }
            }
        };
        select! {
            _ = listens => {}
            _ = listening.poll() => {}
            () = closed => {}
        }
    });
    // The state remains unknown if the database fails at this moment.
    let _ = timeout(
        2 * ARRIVAL_TIMEOUT,
        state.wait_for(|arrival| *arrival != Arrival::Unknown),
    )
    .await;
    Ok(Notifications(state))
}

async fn connect(options: &PgConnectOptions) -> Result<PgListener, Error> {
    // A pool for each listener, because the connection of a former one may block.
    let own = PgPoolOptions::new()
        .max_connections(1)
        .max_lifetime(None)
        .idle_timeout(None)
        .acquire_timeout(ACQUIRE_TIMEOUT)
        .connect_with(options.clone())
        .await?;
    let mut listener = PgListener::connect_with(&own).await?;
    listener.listen(CHANNEL).await?;
    Ok(listener)
}

struct Listening {
    pool: Pool,
    callback: OnNotification,
    /// The payload of the notifications to itself.
    own: String,
    arrived: Notify,
    arrival: watch::Sender<Arrival>,
}

impl Listening {
    async fn keep_listening(&self, options: &PgConnectOptions, mut listener: PgListener) -> Infallible {
        loop {
            select! {
                error = self.forward(listener) => self.lost(&error.to_string()),
                () = self.check_until_missing() => self.lost("a notification of this process did not arrive"),
            }
            listener = loop {
                sleep(RECONNECT_DELAY).await;
                match connect(options).await {
                    Ok(listener) => break listener,
                    Err(error) => self.lost(&error.to_string()),
                }
            };
            (self.callback)(None);
        }
    }

    /// Returns the error that ends the connection.
    async fn forward(&self, mut listener: PgListener) -> Error {
        loop {
            match listener.try_recv().await {
                Ok(Some(notification)) if notification.payload() == self.own => self.arrived.notify_one(),
                Ok(Some(notification)) => (self.callback)(Some(notification.payload())),
                // Reconnected, so notifications may be missing.
                Ok(None) => (self.callback)(None),
                Err(error) => return error,
            }
        }
    }

    async fn check_until_missing(&self) {
        loop {
            let sent = sql("select pg_notify(?, ?)").bind(CHANNEL).bind(&self.own);
            // A database that does not respond is reported elsewhere.
            if sent.execute(&self.pool).await.is_ok() {
                if timeout(ARRIVAL_TIMEOUT, self.arrived.notified()).await.is_err() {
                    return;
                }
                self.arrives();
            }
            sleep(CHECK_INTERVAL).await;
        }
    }

    fn arrives(&self) {
        if self.arrival.send_replace(Arrival::Arriving) == Arrival::Missing {
            tracing::info!("notifications of other processes arrive again");
        }
    }

    fn lost(&self, reason: &str) {
        if self.arrival.send_replace(Arrival::Missing) != Arrival::Missing {
            tracing::warn!(
                reason,
                "notifications of other processes do not arrive, so their changes are noticed up to a second later; behind a \
                 pooler in transaction mode, set WAYPOST_DATABASE_DIRECT_URL to the address without it"
            );
        }
    }

    /// Announces unknown changes while notifications do not arrive.
    async fn poll(&self) -> Infallible {
        let mut last = None;
        loop {
            sleep(POLL_INTERVAL).await;
            if *self.arrival.borrow() != Arrival::Missing {
                last = None;
                continue;
            }
            let snapshot = scalar::<String>("select pg_current_snapshot()::text");
            let Ok(snapshot) = snapshot.fetch_one(&self.pool).await else {
                continue;
            };
            if last.replace(snapshot.clone()) != Some(snapshot) {
                (self.callback)(None);
            }
        }
    }
}
