//! Facts about a database for `waypost doctor`. Nothing is changed, so a server can use the database meanwhile.
//!
//! The statements for PostgreSQL are not prepared, because old versions of PgBouncer confuse prepared statements.

use std::{fs, path::Path};

use sqlx::{ConnectOptions, Connection, PgConnection, Row, SqliteConnection, sqlite::SqliteConnectOptions};
use tokio::time::Instant;

use crate::{Error, OpenError, PostgresUrl, folder::DATABASE, open::LOCK_TIMEOUT};

#[derive(Debug, Clone)]
pub struct SqliteFacts {
    /// That of the library in this binary.
    pub version: String,
    /// The number of the last migration; `None` before the first start.
    pub migration: Option<i64>,
    pub journal_mode: String,
    pub bytes: u64,
    /// Space in the file that deleted rows have left.
    pub unused_bytes: u64,
    /// Size of the write-ahead log.
    pub log_bytes: u64,
    /// The reason why this user cannot write at the moment.
    pub write_problem: Option<WriteProblem>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WriteProblem {
    /// Another process holds the lock for longer than a write of the server waits.
    Locked,
    Other(String),
}

#[derive(Debug, Clone)]
pub struct PostgresFacts {
    pub version: String,
    pub encoding: String,
    /// The number of the last migration; `None` before the first start.
    pub migration: Option<i64>,
    pub is_standby: bool,
    pub is_read_only: bool,
    pub may_create_tables: bool,
    pub bytes: i64,
    pub connections: i64,
    pub max_connections: i64,
    /// The setting `synchronous_standby_names`.
    pub synchronous_standbys: String,
    pub autovacuum: bool,
    /// Transactions since the oldest row was frozen. PostgreSQL stops before two billion.
    pub transaction_age: i64,
    /// Tables with many deleted rows.
    pub bloated: Vec<BloatedTable>,
    /// True if a pooler shares the sessions of the server among its connections.
    pub is_pooled_by_transaction: bool,
    /// True if migrations and notifications have an address without the pooler.
    pub has_direct_url: bool,
    /// The database's clock minus that of this machine.
    pub clock_difference_ms: i64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BloatedTable {
    pub name: String,
    pub rows: i64,
    pub deleted: i64,
    /// The day of the last vacuum.
    pub vacuumed: Option<String>,
}

/// Returns `None` if the folder has no database.
///
/// # Errors
/// Fails if the file cannot be read, or is not a database.
pub async fn inspect_sqlite(folder: &Path) -> Result<Option<SqliteFacts>, Error> {
    let file = folder.join(DATABASE);
    // A file of which even the existence cannot be read is an error.
    if !file.try_exists()? {
        return Ok(None);
    }
    let options = SqliteConnectOptions::new()
        .filename(&file)
        .busy_timeout(LOCK_TIMEOUT)
        .disable_statement_logging();
    let mut conn = SqliteConnection::connect_with(&options).await?;
    let version = sqlx::query_scalar("select sqlite_version()")
        .fetch_one(&mut conn)
        .await?;
    let journal_mode = sqlx::query_scalar("pragma journal_mode").fetch_one(&mut conn).await?;
    let mut pages = [0; 3];
    for (pages, pragma) in pages.iter_mut().zip(["page_size", "page_count", "freelist_count"]) {
        let statement = sqlx::AssertSqlSafe(format!("pragma {pragma}"));
        *pages = sqlx::query_scalar::<_, i64>(statement)
            .fetch_one(&mut conn)
            .await?
            .unsigned_abs();
    }
    let [page, count, unused] = pages;
    let has_migrations: bool =
        sqlx::query_scalar("select count(*) > 0 from sqlite_master where name = '_sqlx_migrations'")
            .fetch_one(&mut conn)
            .await?;
    let migration = if has_migrations {
        last_migration(&mut conn).await?
    } else {
        None
    };
    let write_problem = match sqlx::query("begin immediate").execute(&mut conn).await {
        Ok(_) => {
            sqlx::query("rollback").execute(&mut conn).await?;
            None
        }
        Err(Error::Database(error)) if error.code().as_deref() == Some("5") => Some(WriteProblem::Locked),
        Err(error) => Some(WriteProblem::Other(error.to_string())),
    };
    // Before the connection closes, which can delete it.
    let log_bytes = fs::metadata(folder.join(format!("{DATABASE}-wal"))).map_or(0, |log| log.len());
    conn.close().await?;
    Ok(Some(SqliteFacts {
        version,
        migration,
        journal_mode,
        bytes: page * count,
        unused_bytes: page * unused,
        log_bytes,
        write_problem,
    }))
}

async fn last_migration(conn: &mut SqliteConnection) -> Result<Option<i64>, Error> {
    sqlx::query_scalar("select max(version) from _sqlx_migrations where success")
        .fetch_one(conn)
        .await
}

impl PostgresUrl {
    /// # Errors
    /// Fails with a text that states the cause and the fix.
    pub async fn inspect(&self) -> Result<PostgresFacts, String> {
        let text = |error: OpenError| error.to_string();
        let mut conn = self.connect(self.options()).await.map_err(text)?;
        let mut other = self.connect(self.options()).await.map_err(text)?;
        let sessions = [
            self.backend(&mut conn).await.map_err(text)?,
            self.backend(&mut other).await.map_err(text)?,
        ];
        let facts = facts(&mut conn).await.map_err(|error| self.advice(&error))?;
        // Ignored, because all facts are known.
        let _ = tokio::join!(conn.close(), other.close());
        Ok(PostgresFacts {
            is_pooled_by_transaction: sessions[0] == sessions[1],
            has_direct_url: self.has_direct(),
            ..facts
        })
    }
}

async fn facts(conn: &mut PgConnection) -> Result<PostgresFacts, Error> {
    let row = sqlx::raw_sql(
        "select current_setting('server_version') as version, current_setting('server_encoding') as encoding, \
         pg_is_in_recovery() as is_standby, current_setting('transaction_read_only') = 'on' as is_read_only, \
         has_schema_privilege(current_schema(), 'create') as may_create_tables, \
         pg_database_size(current_database()) as bytes, \
         (select count(*) from pg_stat_activity where backend_type = 'client backend') as connections, \
         current_setting('max_connections')::bigint as max_connections, \
         current_setting('synchronous_standby_names') as synchronous_standbys, \
         current_setting('autovacuum') = 'on' as autovacuum, \
         (select age(datfrozenxid)::bigint from pg_database where datname = current_database()) as transaction_age, \
         to_regclass('_sqlx_migrations') is not null as has_migrations",
    )
    .fetch_one(&mut *conn)
    .await?;
    let migration = if row.try_get("has_migrations")? {
        sqlx::raw_sql("select max(version) from _sqlx_migrations where success")
            .fetch_one(&mut *conn)
            .await?
            .try_get(0)?
    } else {
        None
    };
    let bloated = sqlx::raw_sql(
        "select relname::text as name, n_live_tup as rows, n_dead_tup as deleted, \
         to_char(greatest(last_vacuum, last_autovacuum), 'YYYY-MM-DD') as vacuumed from pg_stat_user_tables \
         where n_dead_tup > 50000 and n_dead_tup > 0.4 * n_live_tup order by n_dead_tup desc limit 3",
    )
    .fetch_all(&mut *conn)
    .await?
    .iter()
    .map(|row| {
        Ok(BloatedTable {
            name: row.try_get("name")?,
            rows: row.try_get("rows")?,
            deleted: row.try_get("deleted")?,
            vacuumed: row.try_get("vacuumed")?,
        })
    })
    .collect::<Result<_, Error>>()?;
    Ok(PostgresFacts {
        version: row.try_get("version")?,
        encoding: row.try_get("encoding")?,
        migration,
        is_standby: row.try_get("is_standby")?,
        is_read_only: row.try_get("is_read_only")?,
        // Without a schema in the search path, there is no permission either.
        may_create_tables: row.try_get::<Option<_>, _>("may_create_tables")?.unwrap_or(false),
        bytes: row.try_get("bytes")?,
        connections: row.try_get("connections")?,
        max_connections: row.try_get("max_connections")?,
        synchronous_standbys: row.try_get("synchronous_standbys")?,
        autovacuum: row.try_get("autovacuum")?,
        transaction_age: row.try_get("transaction_age")?,
        bloated,
        is_pooled_by_transaction: false,
        has_direct_url: false,
        clock_difference_ms: clock_difference(conn).await?,
    })
}

async fn clock_difference(conn: &mut PgConnection) -> Result<i64, Error> {
    let started = Instant::now();
    let before = unix_ms();
    let theirs: i64 = sqlx::raw_sql("select (extract(epoch from clock_timestamp()) * 1000)::bigint")
        .fetch_one(conn)
        .await?
        .try_get(0)?;
    let half = i64::try_from(started.elapsed().as_millis() / 2).unwrap_or(0);
    Ok(theirs - (before + half))
}

fn unix_ms() -> i64 {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    now.map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}
