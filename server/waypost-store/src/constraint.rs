//! Unique indexes by name, and the errors that they mean.
//!
//! PostgreSQL reports the name of a violated index, SQLite its columns, so each constant says both; a test holds them
//! against the database.

use traitql::{Code, Declares, Internal, Throws};

/// A unique index whose violation is the caller's business.
#[derive(Debug)]
pub struct Constraint {
    /// Its name in the migrations.
    pub name: &'static str,
    /// Its columns, as SQLite's message lists them.
    pub columns: &'static str,
}

impl Constraint {
    fn is_violated(&self, error: &sqlx::Error) -> bool {
        error
            .as_database_error()
            .filter(|error| error.is_unique_violation())
            .is_some_and(|error| match error.constraint() {
                Some(name) => name == self.name,
                None => error.message().strip_prefix("UNIQUE constraint failed: ") == Some(self.columns),
            })
    }
}

/// Turns the violation of a constraint into an error of the schema.
pub trait OnConstraint<T> {
    /// Answers `error` when `constraint` was violated; every other failure is internal.
    fn on_constraint<F, E>(self, constraint: &Constraint, error: impl FnOnce() -> E) -> Result<T, Throws<F>>
    where
        E: Code,
        F: Declares<E>;
}

impl<T> OnConstraint<T> for Result<T, sqlx::Error> {
    fn on_constraint<F, E>(self, constraint: &Constraint, error: impl FnOnce() -> E) -> Result<T, Throws<F>>
    where
        E: Code,
        F: Declares<E>,
    {
        self.map_err(|failure| {
            if constraint.is_violated(&failure) {
                error().into()
            } else {
                Internal::from(failure).into()
            }
        })
    }
}
