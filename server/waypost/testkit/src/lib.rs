//! Test support for several crates: a PostgreSQL server and a seeded random number generator.

mod dice;
mod postgres;

pub use dice::Dice;
pub use postgres::{address, database, usual};
