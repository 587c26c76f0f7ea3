//! Statements: a text, its parameters, and how its rows are read.
//!
//! A parameter is `?`, in the order of `bind`, or `?1` with its number where one is used twice.

use futures_util::future::BoxFuture;
use sqlx::{
    Arguments, AssertSqlSafe, Encode, Error, Postgres, SqlSafeStr, SqlStr, Sqlite, Type, postgres::PgArguments,
    query::Query as Sqlx, sqlite::SqliteArguments,
};

use crate::{
    conn::Db,
    row::{Row, Scalar},
};

/// A statement. Its rows are read by `F`.
pub struct Statement<F> {
    text: SqlStr,
    values: Vec<Value>,
    read: F,
}

/// How a row is read.
pub type Read<T> = fn(Row) -> Result<T, Error>;
/// A statement whose rows are named columns.
pub type Query = Statement<Read<Row>>;

/// Makes a statement.
pub fn sql(text: impl SqlSafeStr) -> Query {
    Statement {
        text: text.into_sql_str(),
        values: Vec::new(),
        read: Ok,
    }
}

/// Makes a statement whose rows are one value.
pub fn scalar<T: Scalar>(text: impl SqlSafeStr) -> Statement<Read<T>> {
    Statement {
        text: text.into_sql_str(),
        values: Vec::new(),
        read: |row| T::of(&row, 0),
    }
}

impl Query {
    /// Reads each row.
    pub fn try_map<T, F: FnMut(Row) -> Result<T, Error>>(self, read: F) -> Statement<F> {
        Statement {
            text: self.text,
            values: self.values,
            read,
        }
    }

    /// Answers with the number of rows that it wrote.
    pub async fn execute(self, db: impl Into<Db<'_>>) -> Result<u64, Error> {
        written(db.into(), self.text, self.values).await
    }
}

impl<T, F: FnMut(Row) -> Result<T, Error>> Statement<F> {
    /// Adds the next parameter.
    pub fn bind(mut self, value: impl Into<Value>) -> Self {
        self.values.push(value.into());
        self
    }

    /// All rows.
    pub async fn fetch_all(self, db: impl Into<Db<'_>>) -> Result<Vec<T>, Error> {
        let Self { text, values, mut read } = self;
        let found = all(db.into(), text, values).await?;
        // A loop: rustc makes two dozen functions of a chain for each statement.
        let mut rows = Vec::with_capacity(found.len());
        for row in found {
            rows.push(read(row)?);
        }
        Ok(rows)
    }

    /// The first row, if there is one.
    pub async fn fetch_optional(self, db: impl Into<Db<'_>>) -> Result<Option<T>, Error> {
        let Self { text, values, mut read } = self;
        match first(db.into(), text, values).await? {
            Some(row) => Ok(Some(read(row)?)),
            None => Ok(None),
        }
    }

    /// The first row; an error if there is none.
    pub async fn fetch_one(self, db: impl Into<Db<'_>>) -> Result<T, Error> {
        let Self { text, values, mut read } = self;
        match first(db.into(), text, values).await? {
            Some(row) => read(row),
            None => Err(Error::RowNotFound),
        }
    }
}

// What the drivers do is compiled here, once and not for each statement, and is boxed: otherwise the future of everybody who
// asks would hold that of each driver.

fn written(db: Db<'_>, text: SqlStr, values: Vec<Value>) -> BoxFuture<'_, Result<u64, Error>> {
    Box::pin(async move {
        Ok(match db {
            Db::SqlitePool(pool) => for_sqlite(text, values)?.execute(pool).await?.rows_affected(),
            Db::Sqlite(conn) => for_sqlite(text, values)?.execute(conn).await?.rows_affected(),
            Db::PostgresPool(pool) => for_postgres(&text, values)?.execute(pool).await?.rows_affected(),
            Db::Postgres(conn) => for_postgres(&text, values)?.execute(conn).await?.rows_affected(),
        })
    })
}

fn all(db: Db<'_>, text: SqlStr, values: Vec<Value>) -> BoxFuture<'_, Result<Vec<Row>, Error>> {
    fn of<R>(rows: Vec<R>, row: fn(R) -> Row) -> Vec<Row> {
        rows.into_iter().map(row).collect()
    }
    Box::pin(async move {
        Ok(match db {
            Db::SqlitePool(pool) => of(for_sqlite(text, values)?.fetch_all(pool).await?, Row::Sqlite),
            Db::Sqlite(conn) => of(for_sqlite(text, values)?.fetch_all(conn).await?, Row::Sqlite),
            Db::PostgresPool(pool) => of(for_postgres(&text, values)?.fetch_all(pool).await?, Row::Postgres),
            Db::Postgres(conn) => of(for_postgres(&text, values)?.fetch_all(conn).await?, Row::Postgres),
        })
    })
}

fn first(db: Db<'_>, text: SqlStr, values: Vec<Value>) -> BoxFuture<'_, Result<Option<Row>, Error>> {
    Box::pin(async move {
        Ok(match db {
            Db::SqlitePool(pool) => for_sqlite(text, values)?.fetch_optional(pool).await?.map(Row::Sqlite),
            Db::Sqlite(conn) => for_sqlite(text, values)?.fetch_optional(conn).await?.map(Row::Sqlite),
            Db::PostgresPool(pool) => {
                let row = for_postgres(&text, values)?.fetch_optional(pool).await?;
                row.map(Row::Postgres)
            }
            Db::Postgres(conn) => {
                let row = for_postgres(&text, values)?.fetch_optional(conn).await?;
                row.map(Row::Postgres)
            }
        })
    })
}

/// A parameter. Flags are the numbers 0 and 1, instants are milliseconds since 1970, and what has a structure is JSON.
#[derive(Debug)]
pub enum Value {
    /// A text, or null.
    Text(Option<String>),
    /// A number, or null.
    Number(Option<i64>),
    /// A number with a fraction.
    Real(f64),
}

macro_rules! values {
    ($($type:ty: |$value:ident| $variant:expr;)*) => {
        $(impl From<$type> for Value {
            fn from($value: $type) -> Self {
                $variant
            }
        })*
    };
}

values! {
    &str: |text| Self::Text(Some(text.to_owned()));
    &String: |text| Self::Text(Some(text.clone()));
    String: |text| Self::Text(Some(text));
    Option<&str>: |text| Self::Text(text.map(str::to_owned));
    Option<&String>: |text| Self::Text(text.cloned());
    Option<String>: |text| Self::Text(text);
    &Option<String>: |text| Self::Text(text.clone());
    i32: |number| Self::Number(Some(number.into()));
    i64: |number| Self::Number(Some(number));
    Option<i64>: |number| Self::Number(number);
    bool: |flag| Self::Number(Some(flag.into()));
    f64: |number| Self::Real(number);
}

/// The same parameters for either database.
fn arguments<A: Arguments>(values: Vec<Value>) -> Result<A, Error>
where
    Option<String>: for<'q> Encode<'q, A::Database> + Type<A::Database>,
    Option<i64>: for<'q> Encode<'q, A::Database> + Type<A::Database>,
    f64: for<'q> Encode<'q, A::Database> + Type<A::Database>,
{
    let mut arguments = A::default();
    for value in values {
        match value {
            Value::Text(text) => arguments.add(text),
            Value::Number(number) => arguments.add(number),
            Value::Real(number) => arguments.add(number),
        }
        .map_err(Error::Encode)?;
    }
    Ok(arguments)
}

fn for_sqlite<'q>(text: SqlStr, values: Vec<Value>) -> Result<Sqlx<'q, Sqlite, SqliteArguments>, Error> {
    Ok(sqlx::query_with(text, arguments(values)?))
}

fn for_postgres<'q>(text: &SqlStr, values: Vec<Value>) -> Result<Sqlx<'q, Postgres, PgArguments>, Error> {
    Ok(sqlx::query_with(
        AssertSqlSafe(numbered(text.as_str())),
        arguments(values)?,
    ))
}

/// Writes the parameters of a statement as PostgreSQL has them: `$1`.
fn numbered(text: &str) -> String {
    let mut numbered = String::with_capacity(text.len() + 16);
    let mut letters = text.chars().peekable();
    let (mut quoted, mut count) = (false, 0);
    while let Some(letter) = letters.next() {
        quoted ^= letter == '\'';
        if letter != '?' || quoted {
            numbered.push(letter);
            continue;
        }
        numbered.push('$');
        if !letters.peek().is_some_and(char::is_ascii_digit) {
            count += 1;
            numbered += &count.to_string();
        }
    }
    numbered
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_get_numbers_outside_of_texts() {
        assert_eq!(
            numbered("select ?, ?, 'it''s ?' where a = ?"),
            "select $1, $2, 'it''s ?' where a = $3"
        );
        assert_eq!(
            numbered("select ?1, ?12 from t where a = ?1"),
            "select $1, $12 from t where a = $1"
        );
    }
}
