//! A PostgreSQL database as the source or the target of a copy.

use futures_util::StreamExt;
use sqlx::{AssertSqlSafe, Executor, Row as _, SqlSafeStr, Transaction, migrate::Migrator, postgres::PgRow};

use super::{
    Database, OnProgress, PROGRESS_ROWS, TransferError,
    table::{Cell, Column, Kind, Rows, Table, in_order_of_references, quoted},
};
use crate::{Error, OpenError, PostgresUrl};

/// The size of a message of rows, so that memory stays small.
const MESSAGE_BYTES: usize = 256 * 1024;

pub(super) struct Postgres {
    tx: Transaction<'static, sqlx::Postgres>,
    pub(super) name: String,
}

impl Postgres {
    /// Begins to read a snapshot.
    pub(super) async fn read(url: &PostgresUrl) -> Result<Self, TransferError> {
        let snapshot = "begin isolation level repeatable read, read only".into_sql_str();
        Ok(Self {
            tx: url.begin(Some(snapshot)).await?,
            name: format!("The database {url}"),
        })
    }

    /// Creates the tables in a database without any.
    pub(super) async fn create(url: &PostgresUrl, migrations: &Migrator) -> Result<Self, TransferError> {
        let mut tx = url.begin(None).await?;
        let existing = "select tablename from pg_tables where schemaname = current_schema() order by tablename limit 1";
        let existing: Option<String> = sqlx::query_scalar(existing).fetch_optional(&mut *tx).await?;
        if let Some(table) = existing {
            return Err(TransferError(format!(
                "The database {url} is not empty: it has the table `{table}`. Create another database with createdb."
            )));
        }
        migrations.run(&mut *tx).await.map_err(OpenError::Migration)?;
        Ok(Self {
            tx,
            name: format!("The database {url}"),
        })
    }

    /// Returns the numbers of the applied migrations.
    pub(super) async fn migrations(&mut self) -> Result<Vec<i64>, TransferError> {
        let exists: bool = sqlx::query_scalar("select to_regclass('_sqlx_migrations') is not null")
            .fetch_one(&mut *self.tx)
            .await?;
        if !exists {
            return Err(TransferError(format!("{} is not a database of Waypost.", self.name)));
        }
        let applied = "select version from _sqlx_migrations where success order by version";
        Ok(sqlx::query_scalar(applied).fetch_all(&mut *self.tx).await?)
    }

    /// Returns the tables with rows to copy, so that each one comes after those to which it refers.
    pub(super) async fn tables(&mut self) -> Result<Vec<Table>, TransferError> {
        const TABLES: &str = "
            select c.relname::text as name,
              array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0
                and not a.attisdropped order by a.attnum) as columns,
              array(select format_type(a.atttypid, null) from pg_attribute a where a.attrelid = c.oid and a.attnum > 0
                and not a.attisdropped order by a.attnum) as types,
              array(select a.attname::text from pg_index i cross join unnest(i.indkey) with ordinality k (attnum, place)
                join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
                where i.indrelid = c.oid and i.indisprimary order by k.place) as key,
              (select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attidentity <> '') as serial,
              array(select distinct p.relname::text from pg_constraint f join pg_class p on p.oid = f.confrelid
                where f.conrelid = c.oid and f.contype = 'f') as parents
            from pg_class c
            where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace and c.relname <> '_sqlx_migrations'
            order by c.relname";
        let rows = sqlx::query(TABLES).fetch_all(&mut *self.tx).await?;
        let tables = rows.iter().map(table).collect::<Result<_, TransferError>>()?;
        in_order_of_references(tables)
    }

    /// Commits the copy.
    pub(super) async fn finish(mut self, tables: &[Table]) -> Result<(), TransferError> {
        for table in tables {
            let on = format!("alter table {} enable trigger user", quoted(&table.name));
            sqlx::query(AssertSqlSafe(on)).execute(&mut *self.tx).await?;
        }
        // Plans for empty tables would scan the large ones.
        self.tx.execute("analyze").await?;
        Ok(self.tx.commit().await?)
    }
}

impl Database for Postgres {
    fn rows<'s>(&'s mut self, table: &'s Table) -> Rows<'s> {
        let rows = sqlx::query(AssertSqlSafe(table.select())).fetch(&mut *self.tx);
        rows.map(|row| row.and_then(|row| cells(&row, &table.columns))).boxed()
    }

    async fn count(&mut self, table: &Table) -> Result<u64, TransferError> {
        let count: i64 = sqlx::query_scalar(AssertSqlSafe(table.count()))
            .fetch_one(&mut *self.tx)
            .await?;
        Ok(count.unsigned_abs())
    }

    async fn last_serial(&mut self, table: &Table) -> Result<Option<i64>, TransferError> {
        let Some(serial) = &table.serial else { return Ok(None) };
        let last = "select pg_sequence_last_value(pg_get_serial_sequence($1, $2)::regclass)";
        let last = sqlx::query_scalar(last).bind(quoted(&table.name)).bind(serial);
        Ok(last.fetch_one(&mut *self.tx).await?)
    }

    async fn continue_sequence(&mut self, table: &Table, last: Option<i64>) -> Result<(), TransferError> {
        let Some(serial) = &table.serial else { return Ok(()) };
        let column = quoted(serial);
        let statement = format!(
            "select setval(pg_get_serial_sequence($1, $2)::regclass, last) from (
               select greatest(max({column}), $3) as last from {}) t where last is not null",
            quoted(&table.name)
        );
        sqlx::query(AssertSqlSafe(statement))
            .bind(quoted(&table.name))
            .bind(serial)
            .bind(last)
            .execute(&mut *self.tx)
            .await?;
        Ok(())
    }

    async fn fill(
        &mut self,
        table: &Table,
        mut rows: Rows<'_>,
        progress: OnProgress<'_>,
    ) -> Result<u64, TransferError> {
        let name = quoted(&table.name);
        let off = format!("alter table {name} disable trigger user");
        sqlx::query(AssertSqlSafe(off)).execute(&mut *self.tx).await?;
        let statement = format!("copy {name} ({}) from stdin", table.column_list());
        let mut copy = self.tx.copy_in_raw(&statement).await?;
        let (mut message, mut count) = (Vec::with_capacity(MESSAGE_BYTES * 2), 0);
        while let Some(row) = rows.next().await {
            push_line(&mut message, &row?);
            count += 1;
            if message.len() >= MESSAGE_BYTES {
                copy.send(message.as_slice()).await?;
                message.clear();
            }
            if count % PROGRESS_ROWS == 0 {
                progress(&table.name, count);
            }
        }
        copy.send(message.as_slice()).await?;
        copy.finish().await?;
        progress(&table.name, count);
        Ok(count)
    }
}

fn table(row: &PgRow) -> Result<Table, TransferError> {
    let (name, columns): (String, Vec<String>) = (row.try_get("name")?, row.try_get("columns")?);
    let types: Vec<String> = row.try_get("types")?;
    let columns = columns.into_iter().zip(types).map(|(column, kind)| {
        let kind = match kind.as_str() {
            "bigint" | "integer" => Kind::Integer,
            "double precision" => Kind::Real,
            "text" => Kind::Text,
            "bytea" => Kind::Bytes,
            other => {
                return Err(TransferError(format!(
                    "The column `{column}` of the table `{name}` has the type {other}, which cannot be copied."
                )));
            }
        };
        Ok(Column { name: column, kind })
    });
    Ok(Table {
        columns: columns.collect::<Result<_, _>>()?,
        key: row.try_get("key")?,
        serial: row.try_get("serial")?,
        parents: row.try_get("parents")?,
        name,
    })
}

fn cells(row: &PgRow, columns: &[Column]) -> Result<Vec<Cell>, Error> {
    fn cell<T>(value: Option<T>, cell: fn(T) -> Cell) -> Cell {
        value.map_or(Cell::Null, cell)
    }
    let cells = columns.iter().enumerate().map(|(index, column)| {
        Ok(match column.kind {
            // Some columns have four bytes.
            Kind::Integer => match row.try_get::<Option<i64>, _>(index) {
                Err(Error::ColumnDecode { .. }) => cell(row.try_get::<Option<i32>, _>(index)?, |number| {
                    Cell::Integer(number.into())
                }),
                number => cell(number?, Cell::Integer),
            },
            Kind::Real => cell(row.try_get(index)?, Cell::Real),
            Kind::Text => cell(row.try_get(index)?, Cell::Text),
            Kind::Bytes => cell(row.try_get(index)?, Cell::Bytes),
        })
    });
    cells.collect()
}

/// Appends a row in the text format of `COPY`.
fn push_line(message: &mut Vec<u8>, row: &[Cell]) {
    for (index, cell) in row.iter().enumerate() {
        if index > 0 {
            message.push(b'\t');
        }
        match cell {
            Cell::Null => message.extend(b"\\N"),
            Cell::Integer(number) => message.extend(number.to_string().bytes()),
            Cell::Real(number) => message.extend(number.to_string().bytes()),
            Cell::Bytes(bytes) => {
                message.extend(b"\\\\x");
                for byte in bytes {
                    message.extend([byte >> 4, byte & 15].map(|digit| b"0123456789abcdef"[usize::from(digit)]));
                }
            }
            Cell::Text(text) => {
                for byte in text.bytes() {
                    match byte {
                        b'\\' => message.extend(b"\\\\"),
                        b'\n' => message.extend(b"\\n"),
                        b'\r' => message.extend(b"\\r"),
                        b'\t' => message.extend(b"\\t"),
                        byte => message.push(byte),
                    }
                }
            }
        }
    }
    message.push(b'\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_escaped_for_copy() {
        let row = [
            Cell::Null,
            Cell::Integer(-7),
            Cell::Real(0.25),
            Cell::Text("a\tb\\N\nü".to_owned()),
            Cell::Bytes(vec![0, 255]),
        ];
        let mut message = Vec::new();
        push_line(&mut message, &row);
        let line = "\\N\t-7\t0.25\ta\\tb\\\\N\\nü\t\\\\x00ff\n";
        assert_eq!(String::from_utf8_lossy(&message), line);
    }
}
