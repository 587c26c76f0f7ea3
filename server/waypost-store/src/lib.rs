//! Rows in SQLite or in PostgreSQL: connections, transactions, statements and what their rows are read as. Both databases
//! understand the same statements; what PostgreSQL lacks, the application's first migration defines.
//!
//! Nothing here knows a table. It is a crate of its own so that the drivers' generic code is compiled here, and not again
//! with each change of a resolver.

mod conn;
mod constraint;
mod news;
mod open;
mod postgres;
mod row;
mod sqlite;
mod statement;

pub use conn::{Conn, Db, Pool};
pub use constraint::{Constraint, OnConstraint};
pub use news::{Heard, hear, tell};
pub use open::{Migrations, OpenError, Pools, open};
pub use postgres::PostgresUrl;
pub use row::{Column, Row, Scalar};
pub use sqlx::{AssertSqlSafe, Error};
pub use statement::{Query, Read, Statement, Value, scalar, sql};
