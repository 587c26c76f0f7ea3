//! Reads columns of a row as the types of the schema.

use serde::de::{DeserializeOwned, IntoDeserializer, value};
use sqlx::{Row, sqlite::SqliteRow};
use traitql::{DateTime, Id};

/// Named columns of a row. A column of another type than asked for is an error, never a default.
pub(crate) trait Columns {
    fn text(&self, column: &str) -> Result<String, sqlx::Error>;
    fn text_opt(&self, column: &str) -> Result<Option<String>, sqlx::Error>;
    fn int(&self, column: &str) -> Result<i32, sqlx::Error>;
    fn long(&self, column: &str) -> Result<i64, sqlx::Error>;
    fn flag(&self, column: &str) -> Result<bool, sqlx::Error>;
    fn id(&self, column: &str) -> Result<Id, sqlx::Error>;
    fn id_opt(&self, column: &str) -> Result<Option<Id>, sqlx::Error>;
    fn time(&self, column: &str) -> Result<DateTime, sqlx::Error>;
    fn time_opt(&self, column: &str) -> Result<Option<DateTime>, sqlx::Error>;
    fn choice<T: DeserializeOwned>(&self, column: &str) -> Result<T, sqlx::Error>;
    fn choice_opt<T: DeserializeOwned>(&self, column: &str) -> Result<Option<T>, sqlx::Error>;
    fn json<T: DeserializeOwned>(&self, column: &str) -> Result<T, sqlx::Error>;
}

impl Columns for SqliteRow {
    fn text(&self, column: &str) -> Result<String, sqlx::Error> {
        self.try_get(column)
    }

    fn text_opt(&self, column: &str) -> Result<Option<String>, sqlx::Error> {
        self.try_get(column)
    }

    fn int(&self, column: &str) -> Result<i32, sqlx::Error> {
        self.try_get(column)
    }

    fn long(&self, column: &str) -> Result<i64, sqlx::Error> {
        self.try_get(column)
    }

    fn flag(&self, column: &str) -> Result<bool, sqlx::Error> {
        self.try_get(column)
    }

    fn id(&self, column: &str) -> Result<Id, sqlx::Error> {
        Ok(self.try_get::<String, _>(column)?.into())
    }

    fn id_opt(&self, column: &str) -> Result<Option<Id>, sqlx::Error> {
        Ok(self.try_get::<Option<String>, _>(column)?.map(Id::from))
    }

    fn time(&self, column: &str) -> Result<DateTime, sqlx::Error> {
        instant(column, self.try_get(column)?)
    }

    fn time_opt(&self, column: &str) -> Result<Option<DateTime>, sqlx::Error> {
        let millis: Option<i64> = self.try_get(column)?;
        millis.map(|millis| instant(column, millis)).transpose()
    }

    fn choice<T: DeserializeOwned>(&self, column: &str) -> Result<T, sqlx::Error> {
        let name: String = self.try_get(column)?;
        named(column, &name)
    }

    fn choice_opt<T: DeserializeOwned>(&self, column: &str) -> Result<Option<T>, sqlx::Error> {
        let name: Option<String> = self.try_get(column)?;
        name.map(|name| named(column, &name)).transpose()
    }

    fn json<T: DeserializeOwned>(&self, column: &str) -> Result<T, sqlx::Error> {
        let text: String = self.try_get(column)?;
        serde_json::from_str(&text).map_err(|error| unreadable(column, error.to_string()))
    }
}

fn named<T: DeserializeOwned>(column: &str, name: &str) -> Result<T, sqlx::Error> {
    T::deserialize(name.into_deserializer()).map_err(|error: value::Error| unreadable(column, error.to_string()))
}

fn instant(column: &str, millis: i64) -> Result<DateTime, sqlx::Error> {
    DateTime::from_millis(millis).ok_or_else(|| unreadable(column, format!("{millis} is no instant")))
}

fn unreadable(column: &str, problem: String) -> sqlx::Error {
    sqlx::Error::ColumnDecode {
        index: column.to_owned(),
        source: problem.into(),
    }
}
