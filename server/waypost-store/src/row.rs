//! Reads columns of a row as the types of the schema. A column of another type than asked for is an error, never a default.

use std::fmt::Display;

use serde::de::{DeserializeOwned, IntoDeserializer, value};
use sqlx::{ColumnIndex, Error, Row as _, TypeInfo as _, ValueRef as _, postgres::PgRow, sqlite::SqliteRow};
use traitql::{DateTime, Id};

/// A row of an answer.
pub enum Row {
    /// From SQLite.
    Sqlite(SqliteRow),
    /// From PostgreSQL.
    Postgres(PgRow),
}

impl Row {
    /// A text.
    pub fn text(&self, column: &str) -> Result<String, Error> {
        String::of(self, column)
    }

    /// A text, or null.
    pub fn text_opt(&self, column: &str) -> Result<Option<String>, Error> {
        Option::of(self, column)
    }

    /// A number of 32 bits.
    pub fn int(&self, column: &str) -> Result<i32, Error> {
        i32::of(self, column)
    }

    /// A number of 64 bits.
    pub fn long(&self, column: &str) -> Result<i64, Error> {
        i64::of(self, column)
    }

    /// A number of 64 bits, or null.
    pub fn long_opt(&self, column: &str) -> Result<Option<i64>, Error> {
        Option::of(self, column)
    }

    /// A number with a fraction.
    pub fn real(&self, column: &str) -> Result<f64, Error> {
        match self {
            Self::Sqlite(row) => row.try_get(column),
            Self::Postgres(row) => row.try_get(column),
        }
    }

    /// A flag: 0 or 1.
    pub fn flag(&self, column: &str) -> Result<bool, Error> {
        bool::of(self, column)
    }

    /// An id.
    pub fn id(&self, column: &str) -> Result<Id, Error> {
        Ok(self.text(column)?.into())
    }

    /// An id, or null.
    pub fn id_opt(&self, column: &str) -> Result<Option<Id>, Error> {
        Ok(self.text_opt(column)?.map(Id::from))
    }

    /// An instant, kept as milliseconds since 1970.
    pub fn time(&self, column: &str) -> Result<DateTime, Error> {
        instant(column, self.long(column)?)
    }

    /// An instant, or null.
    pub fn time_opt(&self, column: &str) -> Result<Option<DateTime>, Error> {
        let millis = self.long_opt(column)?;
        millis.map(|millis| instant(column, millis)).transpose()
    }

    /// A value of an enum, kept as its name in the schema.
    pub fn choice<T: DeserializeOwned>(&self, column: &str) -> Result<T, Error> {
        named(column, &self.text(column)?)
    }

    /// A value of an enum, or null.
    pub fn choice_opt<T: DeserializeOwned>(&self, column: &str) -> Result<Option<T>, Error> {
        let name = self.text_opt(column)?;
        name.map(|name| named(column, &name)).transpose()
    }

    /// What is kept as JSON.
    pub fn json<T: DeserializeOwned>(&self, column: &str) -> Result<T, Error> {
        serde_json::from_str(&self.text(column)?).map_err(|error| unreadable(column, error.to_string()))
    }
}

/// A value of a row.
pub trait Scalar: Sized + Send + Unpin {
    /// Reads the value of a column; what is null or of another type is an error.
    fn of<C: Column>(row: &Row, column: C) -> Result<Self, Error>;
}

/// The name of a column, or its place.
pub trait Column: ColumnIndex<SqliteRow> + ColumnIndex<PgRow> + Display + Copy {}

impl Column for &str {}
impl Column for usize {}

impl Scalar for Option<String> {
    fn of<C: Column>(row: &Row, column: C) -> Result<Self, Error> {
        match row {
            Row::Sqlite(row) => row.try_get(column),
            Row::Postgres(row) => row.try_get(column),
        }
    }
}

/// PostgreSQL has several types for what is a number in SQLite: a comparison is a boolean, and a sum may be longer than its parts.
impl Scalar for Option<i64> {
    fn of<C: Column>(row: &Row, column: C) -> Result<Self, Error> {
        match row {
            Row::Sqlite(row) => row.try_get(column),
            Row::Postgres(row) => match row.try_get_raw(column)?.type_info().name() {
                "INT4" => Ok(row.try_get::<Option<i32>, _>(column)?.map(i64::from)),
                "BOOL" => Ok(row.try_get::<Option<bool>, _>(column)?.map(i64::from)),
                _ => row.try_get(column),
            },
        }
    }
}

impl Scalar for String {
    fn of<C: Column>(row: &Row, column: C) -> Result<Self, Error> {
        Option::of(row, column)?.ok_or_else(|| null(column))
    }
}

impl Scalar for i64 {
    fn of<C: Column>(row: &Row, column: C) -> Result<Self, Error> {
        Option::of(row, column)?.ok_or_else(|| null(column))
    }
}

impl Scalar for i32 {
    fn of<C: Column>(row: &Row, column: C) -> Result<Self, Error> {
        let number = i64::of(row, column)?;
        Self::try_from(number).map_err(|error| unreadable(column, error.to_string()))
    }
}

impl Scalar for bool {
    fn of<C: Column>(row: &Row, column: C) -> Result<Self, Error> {
        Ok(i64::of(row, column)? != 0)
    }
}

fn null(column: impl Column) -> Error {
    unreadable(column, "it is null".to_owned())
}

fn named<T: DeserializeOwned>(column: &str, name: &str) -> Result<T, Error> {
    T::deserialize(name.into_deserializer()).map_err(|error: value::Error| unreadable(column, error.to_string()))
}

fn instant(column: &str, millis: i64) -> Result<DateTime, Error> {
    DateTime::from_millis(millis).ok_or_else(|| unreadable(column, format!("{millis} is no instant")))
}

fn unreadable(column: impl Column, problem: String) -> Error {
    Error::ColumnDecode {
        index: column.to_string(),
        source: problem.into(),
    }
}
