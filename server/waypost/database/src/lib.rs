//! Connections, transactions and statements on SQLite or PostgreSQL, and typed access to the columns of a row.
//!
//! The application's first PostgreSQL migration defines the SQLite functions that PostgreSQL lacks.
//!
//! This crate knows no table. Separate, so that the drivers' generic code is not compiled with each change of a
//! resolver.

mod conn;
mod constraint;
mod notify;
mod open;
mod outage;
mod postgres;
mod row;
mod sqlite;
mod statement;

pub use conn::{Conn, Db, Pool};
pub use constraint::{Constraint, OnConstraint};
pub use notify::{OnNotification, listen, notify};
pub use open::{Migrations, OpenError, Pools, open};
pub use postgres::PostgresUrl;
pub use row::{Column, Row, Scalar};
pub use sqlx::{AssertSqlSafe, Error};
pub use statement::{Query, Read, Statement, Value, scalar, sql};
