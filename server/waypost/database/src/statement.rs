//! A parameter is written as `?` and numbered in the order of `bind`, or as `?1` if it is used more than once.

use futures_util::future::BoxFuture;
use sqlx::{
    Arguments, AssertSqlSafe, Encode, Error, Postgres, SqlSafeStr, SqlStr, Sqlite, Type, postgres::PgArguments,
    query::Query as Sqlx, sqlite::SqliteArguments,
};

use crate::{
    Pool, Replica,
    conn::{Acquired, Db, Session},
    outage,
    row::{Row, Scalar},
};

pub struct Statement<F> {
    text: SqlStr,
    values: Vec<Value>,
    read: F,
}

pub type Read<T> = fn(Row) -> Result<T, Error>;
pub type Query = Statement<Read<Row>>;

pub fn sql(text: impl SqlSafeStr) -> Query {
    Statement {
        text: text.into_sql_str(),
        values: Vec::new(),
        read: Ok,
    }
}

pub fn scalar<T: Scalar>(text: impl SqlSafeStr) -> Statement<Read<T>> {
    Statement {
        text: text.into_sql_str(),
        values: Vec::new(),
        read: |row| T::of(&row, 0),
    }
}

impl Query {
    pub fn try_map<T, F: FnMut(Row) -> Result<T, Error>>(self, read: F) -> Statement<F> {
        Statement {
            text: self.text,
            values: self.values,
            read,
        }
    }

    pub async fn execute(self, db: impl Into<Db<'_>>) -> Result<u64, Error> {
        execute(db.into(), self.text, self.values).await
    }
}

impl<T, F: FnMut(Row) -> Result<T, Error>> Statement<F> {
    pub fn bind(mut self, value: impl Into<Value>) -> Self {
        self.values.push(value.into());
        self
    }

    pub async fn fetch_all(self, db: impl Into<Db<'_>>) -> Result<Vec<T>, Error> {
        let Self { text, values, mut read } = self;
        let found = fetch_all(db.into(), text, values).await?;
        // rustc instantiates two dozen functions for an iterator chain.
        let mut rows = Vec::with_capacity(found.len());
        for row in found {
            rows.push(read(row)?);
        }
        Ok(rows)
    }

    pub async fn fetch_optional(self, db: impl Into<Db<'_>>) -> Result<Option<T>, Error> {
        let Self { text, values, mut read } = self;
        match fetch_optional(db.into(), text, values).await? {
            Some(row) => Ok(Some(read(row)?)),
            None => Ok(None),
        }
    }

    /// Fails with [`Error::RowNotFound`] if there are no rows.
    pub async fn fetch_one(self, db: impl Into<Db<'_>>) -> Result<T, Error> {
        let Self { text, values, mut read } = self;
        match fetch_optional(db.into(), text, values).await? {
            Some(row) => read(row),
            None => Err(Error::RowNotFound),
        }
    }
}

// Instantiated once instead of in each statement. Boxed, so that callers do not embed the futures of both drivers.

fn execute(db: Db<'_>, text: SqlStr, values: Vec<Value>) -> BoxFuture<'_, Result<u64, Error>> {
    marked(async move {
        let mut acquired = None;
        Ok(match session(db, &mut acquired).await? {
            Session::Sqlite(conn) => for_sqlite(text, values)?.execute(conn).await?.rows_affected(),
            Session::Postgres(conn) => for_postgres(&text, values)?.execute(conn).await?.rows_affected(),
        })
    })
}

fn fetch_all(db: Db<'_>, text: SqlStr, values: Vec<Value>) -> BoxFuture<'_, Result<Vec<Row>, Error>> {
    if let Db::Replica(replica, primary) = db {
        return on_replica(replica, primary, fetch_all, text, values);
    }
    fn of<R>(rows: Vec<R>, row: fn(R) -> Row) -> Vec<Row> {
        rows.into_iter().map(row).collect()
    }
    marked(async move {
        let mut acquired = None;
        Ok(match session(db, &mut acquired).await? {
            Session::Sqlite(conn) => of(for_sqlite(text, values)?.fetch_all(conn).await?, Row::Sqlite),
            Session::Postgres(conn) => of(for_postgres(&text, values)?.fetch_all(conn).await?, Row::Postgres),
        })
    })
}

fn fetch_optional(db: Db<'_>, text: SqlStr, values: Vec<Value>) -> BoxFuture<'_, Result<Option<Row>, Error>> {
    if let Db::Replica(replica, primary) = db {
        return on_replica(replica, primary, fetch_optional, text, values);
    }
    marked(async move {
        let mut acquired = None;
        Ok(match session(db, &mut acquired).await? {
            Session::Sqlite(conn) => for_sqlite(text, values)?.fetch_optional(conn).await?.map(Row::Sqlite),
            Session::Postgres(conn) => {
                let row = for_postgres(&text, values)?.fetch_optional(conn).await?;
                row.map(Row::Postgres)
            }
        })
    })
}

type Fetch<T> = for<'f> fn(Db<'f>, SqlStr, Vec<Value>) -> BoxFuture<'f, Result<T, Error>>;

/// Reads from the primary if the replica is behind or fails.
fn on_replica<'c, T: Send + 'c>(
    replica: &'c Replica,
    primary: &'c Pool,
    fetch: Fetch<T>,
    text: SqlStr,
    values: Vec<Value>,
) -> BoxFuture<'c, Result<T, Error>> {
    Box::pin(async move {
        if let Some(pool) = replica.current() {
            match fetch(Db::Pool(pool), text.clone(), values.clone()).await {
                Err(error) if outage::is_marked(&error) => replica.fail(),
                read => return read,
            }
        }
        fetch(Db::Pool(primary), text, values).await
    })
}

/// Takes a connection from a pool, which `acquired` keeps for the statement.
async fn session<'s>(db: Db<'s>, acquired: &'s mut Option<Acquired>) -> Result<Session<'s>, Error> {
    match db {
        Db::Session(session) => Ok(session),
        Db::Pool(pool) | Db::Replica(_, pool) => Ok(acquired.insert(pool.acquire().await?).session()),
    }
}

/// Marks outages.
fn marked<'c, T>(statement: impl Future<Output = Result<T, Error>> + Send + 'c) -> BoxFuture<'c, Result<T, Error>> {
    Box::pin(async move { statement.await.map_err(outage::mark) })
}

/// Booleans are 0 and 1, times milliseconds since 1970, structured values JSON.
#[derive(Debug, Clone)]
pub enum Value {
    Text(Option<String>),
    Integer(Option<i64>),
    Real(f64),
}

macro_rules! impl_from {
    ($($type:ty: |$value:ident| $variant:expr;)*) => {
        $(impl From<$type> for Value {
            fn from($value: $type) -> Self {
                $variant
            }
        })*
    };
}

impl_from! {
    &str: |text| Self::Text(Some(text.to_owned()));
    &String: |text| Self::Text(Some(text.clone()));
    String: |text| Self::Text(Some(text));
    Option<&str>: |text| Self::Text(text.map(str::to_owned));
    Option<&String>: |text| Self::Text(text.cloned());
    Option<String>: |text| Self::Text(text);
    &Option<String>: |text| Self::Text(text.clone());
    i32: |number| Self::Integer(Some(number.into()));
    i64: |number| Self::Integer(Some(number));
    Option<i64>: |number| Self::Integer(number);
    bool: |flag| Self::Integer(Some(flag.into()));
    f64: |number| Self::Real(number);
}

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
            Value::Integer(number) => arguments.add(number),
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
        AssertSqlSafe(number_parameters(text.as_str())),
        arguments(values)?,
    ))
}

/// Replaces `?` and `?1` by PostgreSQL's form `$1`.
fn number_parameters(text: &str) -> String {
    let mut number_parameters = String::with_capacity(text.len() + 16);
    let mut chars = text.chars().peekable();
    let (mut quoted, mut count) = (false, 0);
    while let Some(char) = chars.next() {
        quoted ^= char == '\'';
        if char != '?' || quoted {
            number_parameters.push(char);
            continue;
        }
        number_parameters.push('$');
        if !chars.peek().is_some_and(char::is_ascii_digit) {
            count += 1;
            number_parameters += &count.to_string();
        }
    }
    number_parameters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_numbered_except_in_string_literals() {
        assert_eq!(
            number_parameters("select ?, ?, 'it''s ?' where a = ?"),
            "select $1, $2, 'it''s ?' where a = $3"
        );
        assert_eq!(
            number_parameters("select ?1, ?12 from t where a = ?1"),
            "select $1, $12 from t where a = $1"
        );
    }
}
