//! PostgreSQL: an address, and what may be wrong with the server behind it.

use std::{fmt, str::FromStr, time::Duration};

use sqlx::{
    Connection, Error, PgConnection,
    migrate::{MigrateError, Migrator},
    postgres::{PgConnectOptions, PgPoolOptions},
};
use tokio::time::timeout;

use crate::{
    OpenError, Pool, Pools,
    open::{BUSY, READERS},
};

/// The oldest version that Waypost works with, as the server numbers it.
const OLDEST: i64 = 130_000;
/// How long the server may take to answer at the start.
const ANSWER: Duration = Duration::from_secs(10);

/// The address of a PostgreSQL database, with its user and password: these are never shown.
#[derive(Clone)]
pub struct PostgresUrl(PgConnectOptions);

impl FromStr for PostgresUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if !text.starts_with("postgres://") && !text.starts_with("postgresql://") {
            return Err("it does not begin with postgres://".to_owned());
        }
        let options: PgConnectOptions = text.parse().map_err(|error: Error| error.to_string())?;
        Ok(Self(options.application_name("waypost")))
    }
}

impl fmt::Debug for PostgresUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PostgresUrl({self})")
    }
}

impl fmt::Display for PostgresUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` of PostgreSQL ", self.database())?;
        match self.0.get_socket() {
            Some(folder) => write!(f, "in {}", folder.display()),
            None => write!(f, "at {}:{}", self.0.get_host(), self.0.get_port()),
        }
    }
}

impl PostgresUrl {
    /// The name of the database: that of the user, if the address has none.
    fn database(&self) -> &str {
        self.0.get_database().unwrap_or_else(|| self.0.get_username())
    }

    /// Connects, brings the database up to date, and answers with the connection that writes and those that read.
    pub(crate) async fn open(&self, migrations: &Migrator) -> Result<Pools, OpenError> {
        let refused = |error| OpenError::Server(self.advice(&error));
        let mut first = timeout(ANSWER, PgConnection::connect_with(&self.0))
            .await
            .map_err(|_| {
                OpenError::Server("the server does not answer; is the address right, and not behind a firewall?".into())
            })?
            .map_err(refused)?;
        self.check(&mut first).await?;
        let migrated = migrations.run(&mut first).await;
        migrated.map_err(|error| match error {
            MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) if is_forbidden(&error) => {
                refused(error)
            }
            error => OpenError::Migration(error),
        })?;
        first.close().await?;
        let pool = |connections, settings: &[(&str, &str)]| {
            PgPoolOptions::new()
                .max_connections(connections)
                .acquire_timeout(BUSY)
                .connect_with(self.0.clone().options(settings.iter().copied()))
        };
        let busy = BUSY.as_millis().to_string();
        // Its plans are kept while it lives, and tables grow meanwhile: what a table has an index for never reads all of it.
        let writer = pool(
            1,
            &[
                ("lock_timeout", &busy),
                ("synchronous_commit", "on"),
                ("enable_seqscan", "off"),
                ("jit", "off"),
            ],
        )
        .await?;
        // One more: news of other processes are heard on a connection of their own.
        let readers = pool(READERS + 1, &[("default_transaction_read_only", "on")]).await?;
        Ok(Pools {
            writer: Pool::Postgres(writer),
            readers: Pool::Postgres(readers),
        })
    }

    async fn check(&self, conn: &mut PgConnection) -> Result<(), OpenError> {
        let version: i64 = sqlx::query_scalar("select current_setting('server_version_num')::bigint")
            .fetch_one(&mut *conn)
            .await?;
        if version < OLDEST {
            let (version, oldest) = (version / 10_000, OLDEST / 10_000);
            return Err(OpenError::Server(format!(
                "the server is PostgreSQL {version}, and Waypost needs {oldest} or newer"
            )));
        }
        let encoding: String = sqlx::query_scalar("select current_setting('server_encoding')")
            .fetch_one(conn)
            .await?;
        if encoding != "UTF8" {
            let name = self.database();
            return Err(OpenError::Server(format!(
                "its encoding is {encoding}; make one that can hold any text: createdb --template=template0 --encoding=UTF8 {name}"
            )));
        }
        Ok(())
    }

    /// What an error at the start means, and what to do.
    fn advice(&self, error: &Error) -> String {
        let (user, database) = (self.0.get_username(), self.database());
        let code = error
            .as_database_error()
            .and_then(|error| error.code().map(|code| code.into_owned()));
        match code.as_deref() {
            Some("28P01") => format!("the server refuses the password of the user `{user}`; correct it in the address"),
            Some("28000") => {
                format!("the server does not let the user `{user}` in: {error}; see its roles and pg_hba.conf")
            }
            Some("3D000") => {
                format!("there is no such database; make it: createdb --owner={user} --encoding=UTF8 {database}")
            }
            Some("42501") => format!(
                "the user `{user}` may not make tables in it; give it away: alter database \"{database}\" owner to \"{user}\""
            ),
            Some("53300") => "the server has no connection left; Waypost takes up to ten (max_connections)".to_owned(),
            _ => match error {
                Error::Io(error) => {
                    format!("the server cannot be reached: {error}; is it running, and is the address right?")
                }
                Error::Tls(error) => format!("no safe connection can be made: {error}; see sslmode and sslrootcert"),
                error => error.to_string(),
            },
        }
    }
}

fn is_forbidden(error: &Error) -> bool {
    error.as_database_error().and_then(|error| error.code()).as_deref() == Some("42501")
}
