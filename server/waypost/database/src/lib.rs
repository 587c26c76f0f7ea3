//! Connections, transactions, statements and typed rows on SQLite or PostgreSQL. The application's first PostgreSQL
//! migration defines the SQLite functions that PostgreSQL lacks.
//!
//! This crate knows no table, so that a change of a resolver does not compile the drivers' generic code.

mod backup;
mod conn;
mod constraint;
mod demo;
mod folder;
mod inspect;
mod limits;
mod notify;
mod open;
mod outage;
mod postgres;
mod replica;
mod row;
mod sqlite;
mod statement;
mod transfer;
mod waits;

pub use backup::{Backup, BackupError, back_up, restore};
pub use conn::{Conn, Db, Pool};
pub use constraint::{Constraint, OnConstraint};
pub use demo::{open_demo, refuse_demo};
pub use folder::{DataFolder, shared_paths};
pub use inspect::{BloatedTable, PostgresFacts, SqliteFacts, WriteProblem, inspect_sqlite};
pub use limits::{StorageLimits, free_disk};
pub use notify::{ListenAt, Notifications, OnNotification, listen, notify};
pub use open::{Migrations, OpenError, Pools, open};
pub use postgres::PostgresUrl;
pub use replica::Replica;
pub use row::{Column, Row, Scalar};
pub use sqlx::{AssertSqlSafe, Error};
pub use statement::{Query, Read, Statement, Value, scalar, sql};
pub use transfer::{OnProgress, Transfer, TransferError, Transferred};
pub use waits::Waits;
