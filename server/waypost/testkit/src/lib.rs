//! Test support for several crates: a PostgreSQL server.

mod postgres;

pub use postgres::{address, database, usual};
