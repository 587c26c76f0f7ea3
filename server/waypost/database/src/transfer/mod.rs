//! Copies a database of Waypost between SQLite and PostgreSQL.
//!
//! Both have the same tables and columns, which a test compares, so the copy knows none of them: it reads the tables, their
//! foreign keys and their sequences from the catalog of PostgreSQL. It reads one snapshot, and writes one transaction or an
//! unfinished file, so a failure leaves no trace. Triggers are off meanwhile, because the counts that they maintain are
//! copied too.

mod postgres;
mod sqlite;
mod table;

use std::{fmt, path::Path};

use sqlx::migrate::Migrator;

use self::{
    postgres::Postgres,
    sqlite::Sqlite,
    table::{Rows, Table},
};
use crate::{Error, Migrations, OpenError, PostgresUrl, backup::BackupError};

/// The number of rows between two reports of the progress.
const PROGRESS_ROWS: u64 = 100_000;

/// Called with the name of a table and the number of its rows that are copied.
pub type OnProgress<'a> = &'a (dyn Fn(&str, u64) + Sync);

pub struct Transfer<'a> {
    /// The data folder of SQLite.
    pub folder: &'a Path,
    pub postgres: &'a PostgresUrl,
    pub migrations: Migrations,
    pub progress: OnProgress<'a>,
}

/// A copy whose tables have as many rows as those of the source.
#[derive(Debug, PartialEq, Eq)]
pub struct Transferred {
    pub tables: usize,
    pub rows: u64,
}

/// A sentence that states what is wrong and what to do.
#[derive(Debug)]
pub struct TransferError(String);

impl fmt::Display for TransferError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TransferError {}

impl From<Error> for TransferError {
    fn from(error: Error) -> Self {
        Self(format!("The copy failed: {error}"))
    }
}

impl From<OpenError> for TransferError {
    fn from(error: OpenError) -> Self {
        Self(format!("{error}."))
    }
}

impl From<BackupError> for TransferError {
    fn from(error: BackupError) -> Self {
        Self(error.to_string())
    }
}

impl Transfer<'_> {
    /// Copies the SQLite database to an empty PostgreSQL database. A server may use the SQLite database, whose later changes
    /// are not copied.
    ///
    /// # Errors
    /// The PostgreSQL database then remains empty.
    pub async fn to_postgres(&self) -> Result<Transferred, TransferError> {
        let mut from = Sqlite::read(self.folder).await?;
        check_version(&from.migrations().await?, self.migrations.sqlite, &from.name)?;
        let mut to = Postgres::create(self.postgres, self.migrations.postgres).await?;
        let tables = to.tables().await?;
        let copied = self.copy(&mut from, &mut to, &tables).await?;
        to.finish(&tables).await?;
        Ok(copied)
    }

    /// Copies the PostgreSQL database to a data folder without a database. Servers may use the PostgreSQL database, whose
    /// later changes are not copied.
    ///
    /// # Errors
    /// The folder then contains no database.
    pub async fn to_sqlite(&self) -> Result<Transferred, TransferError> {
        let mut from = Postgres::read(self.postgres).await?;
        check_version(&from.migrations().await?, self.migrations.postgres, &from.name)?;
        let tables = from.tables().await?;
        let mut to = Sqlite::create(self.folder, self.migrations.sqlite).await?;
        let copied = self.copy(&mut from, &mut to, &tables).await?;
        to.finish().await?;
        Ok(copied)
    }

    async fn copy(
        &self,
        from: &mut impl Database,
        to: &mut impl Database,
        tables: &[Table],
    ) -> Result<Transferred, TransferError> {
        let mut rows = 0;
        for table in tables {
            let copied = to.fill(table, from.rows(table), self.progress).await?;
            let [there, here] = [from.count(table).await?, to.count(table).await?];
            if there != copied || here != copied {
                return Err(TransferError(format!(
                    "The table `{}` has {there} rows, but its copy has {here}. Nothing was kept.",
                    table.name
                )));
            }
            to.continue_sequence(table, from.last_serial(table).await?).await?;
            rows += copied;
        }
        Ok(Transferred {
            tables: tables.len(),
            rows,
        })
    }
}

/// The source or the target of a copy.
trait Database {
    fn rows<'s>(&'s mut self, table: &'s Table) -> Rows<'s>;

    async fn count(&mut self, table: &Table) -> Result<u64, TransferError>;

    /// Returns the last number that the table has generated, if it never uses a number again.
    async fn last_serial(&mut self, table: &Table) -> Result<Option<i64>, TransferError>;

    /// Continues the numbers of the table after `last` and after all rows.
    async fn continue_sequence(&mut self, table: &Table, last: Option<i64>) -> Result<(), TransferError>;

    /// Returns the number of rows.
    async fn fill(&mut self, table: &Table, rows: Rows<'_>, progress: OnProgress<'_>) -> Result<u64, TransferError>;
}

/// Fails unless exactly the migrations of this version were applied, because the tables of another version differ.
fn check_version(applied: &[i64], known: &Migrator, name: &str) -> Result<(), TransferError> {
    let known: Vec<i64> = known.iter().map(|migration| migration.version).collect();
    if let Some(unknown) = applied.iter().find(|version| !known.contains(version)) {
        return Err(TransferError(format!(
            "A newer version of Waypost has changed {name} (its migration {unknown} is unknown here). Run the command of that \
             version."
        )));
    }
    if applied != known {
        return Err(TransferError(format!(
            "{name} was written by an earlier version of Waypost. Start this version with it once, which migrates it, and run \
             the command again."
        )));
    }
    Ok(())
}
