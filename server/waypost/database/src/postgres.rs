//! PostgreSQL connections, with advice for errors of a misconfigured server.

use std::{fmt, str::FromStr, time::Duration};

use sqlx::{
    Connection, Error, PgConnection,
    migrate::{MigrateError, Migrator},
    postgres::{PgConnectOptions, PgPoolOptions},
};
use tokio::time::timeout;

use crate::{
    OpenError, Pools,
    open::{ACQUIRE_TIMEOUT, LOCK_TIMEOUT, MAX_READERS, READ_LOCK_TIMEOUT, STATEMENT_TIMEOUT},
};

/// As `server_version_num`.
const MIN_SERVER_VERSION: i64 = 130_000;
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// `Debug` and `Display` omit user and password.
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
    fn database(&self) -> &str {
        self.0.get_database().unwrap_or_else(|| self.0.get_username())
    }

    pub(crate) async fn open(&self, migrations: &Migrator) -> Result<Pools, OpenError> {
        let refused = |error| OpenError::Server(self.advice(&error));
        let mut first = timeout(CONNECT_TIMEOUT, PgConnection::connect_with(&self.0))
            .await
            .map_err(|_| {
                OpenError::Server(
                    "the server does not respond; check the address, and whether a firewall blocks it".into(),
                )
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
                .acquire_timeout(ACQUIRE_TIMEOUT)
                .connect_with(self.0.clone().options(settings.iter().copied()))
        };
        let millis = |time: Duration| time.as_millis().to_string();
        let (busy, read_busy, late) = (
            millis(LOCK_TIMEOUT),
            millis(READ_LOCK_TIMEOUT),
            millis(STATEMENT_TIMEOUT),
        );
        // A plan made for a small table would keep scanning it, although an index exists.
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
        // The listener occupies one.
        let readers = pool(
            MAX_READERS + 1,
            &[
                ("default_transaction_read_only", "on"),
                ("lock_timeout", &read_busy),
                ("statement_timeout", &late),
            ],
        )
        .await?;
        Ok(Pools {
            writer: writer.into(),
            readers: readers.into(),
            folder: None,
        })
    }

    async fn check(&self, conn: &mut PgConnection) -> Result<(), OpenError> {
        let version: i64 = sqlx::query_scalar("select current_setting('server_version_num')::bigint")
            .fetch_one(&mut *conn)
            .await?;
        if version < MIN_SERVER_VERSION {
            let (version, oldest) = (version / 10_000, MIN_SERVER_VERSION / 10_000);
            return Err(OpenError::Server(format!(
                "the server runs PostgreSQL {version}; Waypost requires {oldest} or newer"
            )));
        }
        let encoding: String = sqlx::query_scalar("select current_setting('server_encoding')")
            .fetch_one(conn)
            .await?;
        if encoding != "UTF8" {
            let name = self.database();
            return Err(OpenError::Server(format!(
                "its encoding is {encoding}, but must be UTF8; create it with: createdb --template=template0 --encoding=UTF8 {name}"
            )));
        }
        Ok(())
    }

    fn advice(&self, error: &Error) -> String {
        let (user, database) = (self.0.get_username(), self.database());
        let code = error
            .as_database_error()
            .and_then(|error| error.code().map(|code| code.into_owned()));
        match code.as_deref() {
            Some("28P01") => format!("the server refuses the password of the user `{user}`; correct it in the address"),
            Some("28000") => {
                format!("the server rejects the user `{user}`: {error}; check its roles and pg_hba.conf")
            }
            Some("3D000") => {
                format!(
                    "the database does not exist; create it with: createdb --owner={user} --encoding=UTF8 {database}"
                )
            }
            Some("42501") => format!(
                "the user `{user}` may not create tables; run: alter database \"{database}\" owner to \"{user}\""
            ),
            Some("53300") => {
                "the server has no free connections; Waypost uses up to ten (see max_connections)".to_owned()
            }
            _ => match error {
                Error::Io(error) => {
                    format!("cannot reach the server: {error}; check that it is running and the address is correct")
                }
                Error::Tls(error) => {
                    format!("cannot establish a TLS connection: {error}; check sslmode and sslrootcert")
                }
                error => error.to_string(),
            },
        }
    }
}

fn is_forbidden(error: &Error) -> bool {
    error.as_database_error().and_then(|error| error.code()).as_deref() == Some("42501")
}
