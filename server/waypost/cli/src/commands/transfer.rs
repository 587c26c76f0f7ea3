//! Implements `waypost move`.

use std::str::FromStr;

use waypost_database::{Migrations, PostgresUrl, Transfer};

use super::{Exit, Problem, report};
use crate::arguments::{MoveArgs, MoveTarget};

pub(crate) async fn run(arguments: MoveArgs, migrations: Migrations) -> Exit {
    report(transfer(&arguments, migrations).await)
}

async fn transfer(arguments: &MoveArgs, migrations: Migrations) -> Result<String, Problem> {
    let MoveArgs {
        to,
        data,
        database_url,
        database_direct_url,
    } = arguments;
    let direct = database_direct_url.as_ref().filter(|url| !url.is_empty());
    let postgres = PostgresUrl::from_str(direct.unwrap_or(database_url)).map_err(|problem| {
        Problem::Usage(format!(
            "WAYPOST_DATABASE_URL is not an address of PostgreSQL: {problem}."
        ))
    })?;
    let transfer = Transfer {
        folder: data,
        postgres: &postgres,
        migrations,
        progress: &|table, rows| eprintln!("{table}: {rows}"),
    };
    let moved = match to {
        MoveTarget::Postgres => transfer.to_postgres().await,
        MoveTarget::Sqlite => transfer.to_sqlite().await,
    };
    let moved = moved.map_err(|error| Problem::Local(error.to_string()))?;
    let next = match to {
        MoveTarget::Postgres => "Start the server with WAYPOST_DATABASE_URL.",
        MoveTarget::Sqlite => "Start the server without WAYPOST_DATABASE_URL.",
    };
    Ok(format!(
        "Copied {} rows of {} tables, and compared the number of rows of each table. {next}",
        moved.rows, moved.tables
    ))
}
