//! A SQLite database as the source or the target of a copy.

use std::path::{Path, PathBuf};

use futures_util::StreamExt;
use sqlx::{
    Arguments, AssertSqlSafe, Connection, Executor, Row as _, SqliteConnection, TypeInfo as _, ValueRef as _,
    migrate::Migrator,
    sqlite::{SqliteArguments, SqliteRow},
};

use super::{
    Database, OnProgress, PROGRESS_ROWS, TransferError,
    table::{Cell, Rows, Table, quoted},
};
use crate::{
    DataFolder, Error, OpenError,
    backup::{BackupError, Partial, check, connect},
    folder::DATABASE,
};

/// The number of parameters of a statement, below the limit of SQLite (32,766).
const MAX_PARAMETERS: usize = 30_000;
/// The number of rows of a statement, so that memory stays small.
const MAX_ROWS: usize = 500;

pub(super) struct Sqlite {
    conn: SqliteConnection,
    pub(super) name: String,
    target: Option<Target>,
}

struct Target {
    folder: DataFolder,
    partial: Partial,
    file: PathBuf,
    /// The statements that create the triggers, which are dropped during the copy.
    triggers: Vec<String>,
}

impl Sqlite {
    /// Begins to read a snapshot.
    pub(super) async fn read(folder: &Path) -> Result<Self, TransferError> {
        let file = folder.join(DATABASE);
        if !file.is_file() {
            return Err(BackupError::Missing(file).into());
        }
        let mut conn = connect(&file).await?;
        conn.execute("begin").await?;
        Ok(Self {
            conn,
            name: file.display().to_string(),
            target: None,
        })
    }

    /// Creates the tables in a new file, and locks the folder.
    pub(super) async fn create(folder: &Path, migrations: &Migrator) -> Result<Self, TransferError> {
        let file = folder.join(DATABASE);
        if file.exists() {
            return Err(BackupError::Exists(file).into());
        }
        let owned = DataFolder::lock(folder)?;
        let partial = Partial::create(&file).map_err(|error| BackupError::File(file.clone(), error))?;
        let mut conn = connect(partial.path()).await?;
        // A crash leaves an unfinished file anyway. The references are checked at the end.
        for setting in ["journal_mode = off", "synchronous = off", "foreign_keys = off"] {
            let pragma = format!("pragma {setting}");
            sqlx::query(AssertSqlSafe(pragma)).execute(&mut conn).await?;
        }
        migrations.run(&mut conn).await.map_err(OpenError::Migration)?;
        let found = sqlx::query("select name, sql from sqlite_schema where type = 'trigger'")
            .fetch_all(&mut conn)
            .await?;
        let mut triggers = Vec::new();
        conn.execute("begin").await?;
        for trigger in found {
            let drop = format!("drop trigger {}", quoted(trigger.try_get("name")?));
            sqlx::query(AssertSqlSafe(drop)).execute(&mut conn).await?;
            triggers.push(trigger.try_get("sql")?);
        }
        Ok(Self {
            conn,
            name: file.display().to_string(),
            target: Some(Target {
                folder: owned,
                partial,
                file,
                triggers,
            }),
        })
    }

    /// Returns the numbers of the applied migrations.
    pub(super) async fn migrations(&mut self) -> Result<Vec<i64>, TransferError> {
        let applied = "select version from _sqlx_migrations where success order by version";
        let applied = sqlx::query_scalar(applied).fetch_all(&mut self.conn).await;
        applied.map_err(|error| TransferError(format!("{} is not a database of Waypost: {error}", self.name)))
    }

    /// Checks the references and the file, and gives it its final name.
    pub(super) async fn finish(mut self) -> Result<(), TransferError> {
        let Some(Target {
            folder,
            partial,
            file,
            triggers,
        }) = self.target
        else {
            return Ok(());
        };
        for trigger in triggers {
            sqlx::query(AssertSqlSafe(trigger)).execute(&mut self.conn).await?;
        }
        let broken = sqlx::query("pragma foreign_key_check")
            .fetch_optional(&mut self.conn)
            .await?;
        if let Some(row) = broken {
            let (from, to): (String, String) = (row.try_get("table")?, row.try_get("parent")?);
            return Err(TransferError(format!(
                "A row of the table `{from}` refers to a missing row of `{to}`. Nothing was kept."
            )));
        }
        self.conn.execute("commit").await?;
        self.conn.execute("analyze").await?;
        self.conn.close().await?;
        check(partial.path()).await?;
        partial
            .publish(&file)
            .map_err(|error| BackupError::File(file.clone(), error))?;
        folder.release();
        Ok(())
    }
}

impl Database for Sqlite {
    fn rows<'s>(&'s mut self, table: &'s Table) -> Rows<'s> {
        let rows = sqlx::query(AssertSqlSafe(table.select())).fetch(&mut self.conn);
        rows.map(|row| row.and_then(|row| cells(&row))).boxed()
    }

    async fn count(&mut self, table: &Table) -> Result<u64, TransferError> {
        let count: i64 = sqlx::query_scalar(AssertSqlSafe(table.count()))
            .fetch_one(&mut self.conn)
            .await?;
        Ok(count.unsigned_abs())
    }

    async fn last_serial(&mut self, table: &Table) -> Result<Option<i64>, TransferError> {
        let last = sqlx::query_scalar("select seq from sqlite_sequence where name = ?").bind(&table.name);
        Ok(last.fetch_optional(&mut self.conn).await?)
    }

    async fn continue_sequence(&mut self, table: &Table, last: Option<i64>) -> Result<(), TransferError> {
        let created: Option<String> =
            sqlx::query_scalar("select sql from sqlite_schema where type = 'table' and name = ?")
                .bind(&table.name)
                .fetch_optional(&mut self.conn)
                .await?;
        let (Some(last), true) = (last, created.is_some_and(|sql| sql.contains("autoincrement"))) else {
            return Ok(());
        };
        for statement in [
            "delete from sqlite_sequence where name = ?1 and ?2 > 0",
            "insert into sqlite_sequence (name, seq) values (?1, ?2)",
        ] {
            let change = sqlx::query(statement).bind(&table.name).bind(last);
            change.execute(&mut self.conn).await?;
        }
        Ok(())
    }

    async fn fill(&mut self, table: &Table, rows: Rows<'_>, progress: OnProgress<'_>) -> Result<u64, TransferError> {
        let width = table.columns.len().max(1);
        let size = (MAX_PARAMETERS / width).min(MAX_ROWS);
        let mut chunks = rows.chunks(size);
        let (mut count, mut reported) = (0, 0);
        let row = format!("({})", vec!["?"; width].join(", "));
        while let Some(chunk) = chunks.next().await {
            let mut arguments = SqliteArguments::default();
            let mut added = 0;
            for cells in chunk {
                for cell in cells? {
                    bind(&mut arguments, cell)?;
                }
                added += 1;
            }
            let statement = format!(
                "insert into {} ({}) values {}",
                quoted(&table.name),
                table.column_list(),
                vec![row.as_str(); added].join(", ")
            );
            // Only full chunks have a statement that is used again.
            let insert = sqlx::query_with(AssertSqlSafe(statement), arguments).persistent(added == size);
            insert.execute(&mut self.conn).await?;
            count += u64::try_from(added).unwrap_or_default();
            if count - reported >= PROGRESS_ROWS {
                progress(&table.name, count);
                reported = count;
            }
        }
        progress(&table.name, count);
        Ok(count)
    }
}

fn cells(row: &SqliteRow) -> Result<Vec<Cell>, Error> {
    let cells = (0..row.len()).map(|index| {
        let value = row.try_get_raw(index)?;
        if value.is_null() {
            return Ok(Cell::Null);
        }
        let kind = value.type_info().name().to_owned();
        Ok(match kind.as_str() {
            "INTEGER" => Cell::Integer(row.try_get_unchecked(index)?),
            "REAL" => Cell::Real(row.try_get_unchecked(index)?),
            "TEXT" => Cell::Text(row.try_get_unchecked(index)?),
            _ => Cell::Bytes(row.try_get_unchecked(index)?),
        })
    });
    cells.collect()
}

fn bind(arguments: &mut SqliteArguments, cell: Cell) -> Result<(), Error> {
    let added = match cell {
        Cell::Null => arguments.add(None::<i64>),
        Cell::Integer(number) => arguments.add(number),
        Cell::Real(number) => arguments.add(number),
        Cell::Text(text) => arguments.add(text),
        Cell::Bytes(bytes) => arguments.add(bytes),
    };
    added.map_err(Error::Encode)
}
