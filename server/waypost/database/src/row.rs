//! A column of an unexpected type is an error.

use std::fmt::Display;

use serde::de::{DeserializeOwned, IntoDeserializer, value};
use sqlx::{ColumnIndex, Error, Row as _, TypeInfo as _, ValueRef as _, postgres::PgRow, sqlite::SqliteRow};
use traitql::{DateTime, Id};
use uuid::Uuid;

pub enum Row {
    Sqlite(SqliteRow),
    Postgres(PgRow),
}

impl Row {
    pub fn text(&self, column: &str) -> Result<String, Error> {
        String::of(self, column)
    }

    pub fn text_opt(&self, column: &str) -> Result<Option<String>, Error> {
        Option::of(self, column)
    }

    pub fn int(&self, column: &str) -> Result<i32, Error> {
        i32::of(self, column)
    }

    pub fn int_opt(&self, column: &str) -> Result<Option<i32>, Error> {
        let number = self.long_opt(column)?.map(i32::try_from).transpose();
        number.map_err(|error| decode_error(column, error.to_string()))
    }

    pub fn long(&self, column: &str) -> Result<i64, Error> {
        i64::of(self, column)
    }

    pub fn long_opt(&self, column: &str) -> Result<Option<i64>, Error> {
        Option::of(self, column)
    }

    pub fn real(&self, column: &str) -> Result<f64, Error> {
        match self {
            Self::Sqlite(row) => row.try_get(column),
            Self::Postgres(row) => row.try_get(column),
        }
    }

    pub fn bool(&self, column: &str) -> Result<bool, Error> {
        bool::of(self, column)
    }

    /// Converts text, or the 16 bytes of a UUID.
    pub fn id(&self, column: &str) -> Result<Id, Error> {
        self.id_opt(column)?.ok_or_else(|| unexpected_null(column))
    }

    /// Returns the id, or `None` if the column is null.
    pub fn id_opt(&self, column: &str) -> Result<Option<Id>, Error> {
        let is_bytes = match self {
            Self::Sqlite(row) => row.try_get_raw(column)?.type_info().name() == "BLOB",
            Self::Postgres(row) => row.try_get_raw(column)?.type_info().name() == "BYTEA",
        };
        if !is_bytes {
            return Ok(self.text_opt(column)?.map(Id::from));
        }
        let uuid = self.bytes_opt(column)?.map(|bytes| Uuid::from_slice(&bytes));
        let uuid = uuid
            .transpose()
            .map_err(|error| decode_error(column, error.to_string()))?;
        Ok(uuid.map(Id::from))
    }

    pub fn bytes(&self, column: &str) -> Result<Vec<u8>, Error> {
        self.bytes_opt(column)?.ok_or_else(|| unexpected_null(column))
    }

    fn bytes_opt(&self, column: &str) -> Result<Option<Vec<u8>>, Error> {
        match self {
            Self::Sqlite(row) => row.try_get(column),
            Self::Postgres(row) => row.try_get(column),
        }
    }

    /// Converts milliseconds since 1970.
    pub fn time(&self, column: &str) -> Result<DateTime, Error> {
        parse_time(column, self.long(column)?)
    }

    pub fn time_opt(&self, column: &str) -> Result<Option<DateTime>, Error> {
        let millis = self.long_opt(column)?;
        millis.map(|millis| parse_time(column, millis)).transpose()
    }

    /// Converts the value's name in the schema.
    pub fn variant<T: DeserializeOwned>(&self, column: &str) -> Result<T, Error> {
        parse_variant(column, &self.text(column)?)
    }

    pub fn variant_opt<T: DeserializeOwned>(&self, column: &str) -> Result<Option<T>, Error> {
        let name = self.text_opt(column)?;
        name.map(|name| parse_variant(column, &name)).transpose()
    }

    pub fn json<T: DeserializeOwned>(&self, column: &str) -> Result<T, Error> {
        serde_json::from_str(&self.text(column)?).map_err(|error| decode_error(column, error.to_string()))
    }
}

pub trait Scalar: Sized + Send + Unpin {
    /// Fails for another type, or null without `Option`.
    fn of<C: Column>(row: &Row, column: C) -> Result<Self, Error>;
}

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

/// PostgreSQL has several types for SQLite's integer.
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
        Option::of(row, column)?.ok_or_else(|| unexpected_null(column))
    }
}

impl Scalar for i64 {
    fn of<C: Column>(row: &Row, column: C) -> Result<Self, Error> {
        Option::of(row, column)?.ok_or_else(|| unexpected_null(column))
    }
}

impl Scalar for i32 {
    fn of<C: Column>(row: &Row, column: C) -> Result<Self, Error> {
        let number = i64::of(row, column)?;
        Self::try_from(number).map_err(|error| decode_error(column, error.to_string()))
    }
}

impl Scalar for bool {
    fn of<C: Column>(row: &Row, column: C) -> Result<Self, Error> {
        Ok(i64::of(row, column)? != 0)
    }
}

fn unexpected_null(column: impl Column) -> Error {
    decode_error(column, "unexpected null".to_owned())
}

fn parse_variant<T: DeserializeOwned>(column: &str, name: &str) -> Result<T, Error> {
    T::deserialize(name.into_deserializer()).map_err(|error: value::Error| decode_error(column, error.to_string()))
}

fn parse_time(column: &str, millis: i64) -> Result<DateTime, Error> {
    DateTime::from_millis(millis).ok_or_else(|| decode_error(column, format!("{millis} is not a valid time")))
}

fn decode_error(column: impl Column, problem: String) -> Error {
    Error::ColumnDecode {
        index: column.to_string(),
        source: problem.into(),
    }
}
