//! Mapping from violated unique indexes to errors of the schema.
//!
//! PostgreSQL reports the index and SQLite its columns. A test compares the constants with the database.

use traitql::{Code, Declares, Internal, Throws};

#[derive(Debug)]
pub struct Constraint {
    /// The name in the migrations.
    pub name: &'static str,
    /// The columns as they are in SQLite's error message.
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

pub trait OnConstraint<T> {
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
