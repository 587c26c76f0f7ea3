//! What tests of several crates share: a PostgreSQL server, and dice.

mod dice;
mod postgres;

pub use dice::Dice;
pub use postgres::{address, database, usual};
