//! Test support for several crates: a PostgreSQL server and a seeded random number generator.

mod dice;
mod postgres;

pub use dice::Dice;
pub use postgres::{create_database, database_url, default_database};
