//! PostgreSQL connections, with advice for errors of a misconfigured server.

use std::{fmt, str::FromStr, time::Duration};

use sqlx::{
    AssertSqlSafe, Connection, Error, PgConnection, Postgres, Row as _, SqlStr, Transaction,
    migrate::{MigrateError, Migrator},
    postgres::{PgConnectOptions, PgPoolOptions},
    raw_sql,
};
use tokio::time::timeout;

use crate::{
    OpenError, Pool, Pools, Replica,
    notify::ListenAt,
    open::{ACQUIRE_TIMEOUT, MAX_READERS, READ_LOCK_TIMEOUT, STATEMENT_TIMEOUT},
};

/// The oldest supported version, as `server_version_num`.
const MIN_SERVER_VERSION: i64 = 130_000;
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// `Debug` and `Display` omit user and password.
#[derive(Clone)]
pub struct PostgresUrl {
    options: PgConnectOptions,
    direct: Option<PgConnectOptions>,
    replica: Option<PgConnectOptions>,
}

impl FromStr for PostgresUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if !text.starts_with("postgres://") && !text.starts_with("postgresql://") {
            return Err("it does not begin with postgres://".to_owned());
        }
        let options: PgConnectOptions = text.parse().map_err(|error: Error| error.to_string())?;
        Ok(Self {
            options: options.application_name("waypost"),
            direct: None,
            replica: None,
        })
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
        match self.options.get_socket() {
            Some(folder) => write!(f, "in {}", folder.display()),
            None => write!(f, "at {}:{}", self.options.get_host(), self.options.get_port()),
        }
    }
}

impl PostgresUrl {
    /// Adds the address of the same database without a pooler in between.
    #[must_use]
    pub fn with_direct(self, url: Self) -> Self {
        Self {
            direct: Some(url.options),
            ..self
        }
    }

    /// The address that may be a pooler's.
    pub(crate) const fn options(&self) -> &PgConnectOptions {
        &self.options
    }

    pub(crate) const fn has_direct(&self) -> bool {
        self.direct.is_some()
    }

    /// Returns the address of the replica.
    pub fn replica(&self) -> Option<Self> {
        let options = self.replica.clone()?;
        Some(Self {
            options,
            direct: None,
            replica: None,
        })
    }

    /// Adds the address of a standby for reads that may be late.
    #[must_use]
    pub fn with_replica(self, url: Self) -> Self {
        Self {
            replica: Some(url.options),
            ..self
        }
    }

    fn database(&self) -> &str {
        self.options
            .get_database()
            .unwrap_or_else(|| self.options.get_username())
    }

    /// Returns the server itself, because migrations and notifications need sessions that only they use.
    fn direct(&self) -> &PgConnectOptions {
        self.direct.as_ref().unwrap_or(&self.options)
    }

    pub(crate) async fn open(&self, migrations: &Migrator) -> Result<Pools, OpenError> {
        let mut first = self.connect(&self.options).await?;
        let mut second = self.connect(&self.options).await?;
        let backends = [
            self.backend(&mut first).await?,
            self.backend(&mut second).await?,
            self.backend(&mut first).await?,
        ];
        // A pooler in transaction mode can give a client another session for each statement.
        let is_shared = backends[0] == backends[1] || backends[0] != backends[2];
        self.check(&mut first).await?;
        if is_shared {
            // Fails if the pooler confuses the prepared statements of its clients.
            self.check(&mut second).await?;
        }
        second.close().await?;
        let has_sessions = self.direct.is_some() || !is_shared;
        if has_sessions {
            self.migrate(migrations).await?;
        }
        self.expect_migrated(&mut first, migrations, has_sessions).await?;
        first.close().await?;
        // Statements instead of options of the connection, which poolers ignore or refuse. Writers can get the same session.
        let read_only = if is_shared { "off" } else { "on" };
        let settings = format!(
            "set default_transaction_read_only = {read_only}; set lock_timeout = {}; set statement_timeout = {}",
            READ_LOCK_TIMEOUT.as_millis(),
            STATEMENT_TIMEOUT.as_millis()
        );
        let writer = PgPoolOptions::new()
            .max_connections(1)
            .acquire_timeout(ACQUIRE_TIMEOUT)
            .connect_with(self.options.clone())
            .await?;
        let reading = PgPoolOptions::new()
            .max_connections(MAX_READERS)
            .acquire_timeout(ACQUIRE_TIMEOUT)
            .after_connect(move |connection, _meta| {
                let settings = settings.clone();
                Box::pin(async move { raw_sql(AssertSqlSafe(settings)).execute(connection).await.map(drop) })
            });
        // The server starts although its replica does not respond.
        let replica = self
            .replica
            .clone()
            .map(|at| Pool::from(reading.clone().connect_lazy_with(at)));
        let readers = Pool::from(reading.connect_with(self.options.clone()).await?);
        Ok(Pools {
            writer: writer.into(),
            replica: replica.map(|pool| Replica::start(pool, readers.clone())),
            readers,
            folder: None,
            listen: Some(ListenAt(has_sessions.then(|| self.direct().clone()))),
        })
    }

    /// Begins a transaction on a separate connection, which ends with it.
    pub(crate) async fn begin(&self, statement: Option<SqlStr>) -> Result<Transaction<'static, Postgres>, OpenError> {
        let mut first = self.connect(self.direct()).await?;
        self.check(&mut first).await?;
        first.close().await?;
        let pool = PgPoolOptions::new()
            .max_connections(1)
            .connect_with(self.direct().clone())
            .await?;
        Ok(Transaction::begin(pool.acquire().await?, statement).await?)
    }

    pub(crate) async fn connect(&self, options: &PgConnectOptions) -> Result<PgConnection, OpenError> {
        let connection = timeout(CONNECT_TIMEOUT, PgConnection::connect_with(options)).await;
        let connection = connection.map_err(|_elapsed| {
            OpenError::Server(
                "the server does not respond; check the address, and whether a firewall blocks it".to_owned(),
            )
        })?;
        connection.map_err(|error| self.refused(&error))
    }

    /// Returns the process of a session. Two connections have the same one behind a pooler in transaction mode.
    pub(crate) async fn backend(&self, connection: &mut PgConnection) -> Result<i32, OpenError> {
        let row = raw_sql("select pg_backend_pid()").fetch_one(connection).await;
        row.and_then(|row| row.try_get(0)).map_err(|error| self.refused(&error))
    }

    async fn migrate(&self, migrations: &Migrator) -> Result<(), OpenError> {
        let mut connection = self.connect(self.direct()).await?;
        // The role may have limits for a pooler, whose connections do not get those of the pools.
        raw_sql("set statement_timeout = 0; set lock_timeout = 0")
            .execute(&mut connection)
            .await?;
        let migrated = migrations.run(&mut connection).await;
        migrated.map_err(|error| match error {
            MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) if is_forbidden(&error) => {
                self.refused(&error)
            }
            error => OpenError::Migration(error),
        })?;
        Ok(connection.close().await?)
    }

    /// A migration takes a lock of its session, which would remain in a shared session. The other address can be that of
    /// another database.
    async fn expect_migrated(
        &self,
        connection: &mut PgConnection,
        migrations: &Migrator,
        may_migrate: bool,
    ) -> Result<(), OpenError> {
        let applied: Result<Vec<i64>, _> = sqlx::query_scalar("select version from _sqlx_migrations where success")
            .fetch_all(connection)
            .await;
        // An error means that the table does not exist yet.
        let applied = applied.unwrap_or_default();
        if let Some(newer) = applied.iter().find(|version| !migrations.version_exists(**version)) {
            return Err(OpenError::Migration(MigrateError::VersionMissing(*newer)));
        }
        if migrations.iter().any(|migration| !applied.contains(&migration.version)) {
            let problem = if may_migrate {
                "its tables are missing, because WAYPOST_DATABASE_DIRECT_URL is the address of another database"
            } else {
                "a pooler in transaction mode cannot migrate it; set WAYPOST_DATABASE_DIRECT_URL to its address without \
                 the pooler"
            };
            return Err(OpenError::Server(problem.to_owned()));
        }
        Ok(())
    }

    async fn check(&self, conn: &mut PgConnection) -> Result<(), OpenError> {
        let version: i64 = sqlx::query_scalar("select current_setting('server_version_num')::bigint")
            .fetch_one(&mut *conn)
            .await
            .map_err(|error| self.refused(&error))?;
        if version < MIN_SERVER_VERSION {
            let (version, oldest) = (version / 10_000, MIN_SERVER_VERSION / 10_000);
            return Err(OpenError::Server(format!(
                "the server runs PostgreSQL {version}; Waypost requires {oldest} or newer"
            )));
        }
        let encoding: String = sqlx::query_scalar("select current_setting('server_encoding')")
            .fetch_one(conn)
            .await
            .map_err(|error| self.refused(&error))?;
        if encoding != "UTF8" {
            let name = self.database();
            return Err(OpenError::Server(format!(
                "its encoding is {encoding}, but must be UTF8; create it with: createdb --template=template0 --encoding=UTF8 {name}"
            )));
        }
        Ok(())
    }

    fn refused(&self, error: &Error) -> OpenError {
        OpenError::Server(self.advice(error))
    }

    pub(crate) fn advice(&self, error: &Error) -> String {
        let (user, database) = (self.options.get_username(), self.database());
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
            Some("42P05" | "26000") => {
                "a pooler in transaction mode confuses the prepared statements of its clients; set pool_mode to session, \
                 or use PgBouncer 1.21 or newer with max_prepared_statements = 200"
                    .to_owned()
            }
            Some("08P01") if error.to_string().contains("unsupported startup parameter") => {
                format!("a pooler refuses the connection: {error}; add that parameter to its ignore_startup_parameters")
            }
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
