use std::path::Path;

use waypost_database::{Backup, BackupError};

use super::{Exit, Problem, report};
use crate::arguments::BackupArgs;

pub(crate) async fn back_up(arguments: BackupArgs) -> Exit {
    report(write_backup(&arguments).await)
}

pub(crate) async fn restore(arguments: BackupArgs) -> Exit {
    report(write_data(&arguments).await)
}

async fn write_backup(
    BackupArgs {
        file,
        data,
        database_url,
    }: &BackupArgs,
) -> Result<String, Problem> {
    require_sqlite(
        database_url.as_deref(),
        r#"pg_dump --format=custom --file=waypost.dump "$WAYPOST_DATABASE_URL""#,
    )?;
    described(file, waypost_database::back_up(data, file).await)
}

async fn write_data(
    BackupArgs {
        file,
        data,
        database_url,
    }: &BackupArgs,
) -> Result<String, Problem> {
    require_sqlite(
        database_url.as_deref(),
        r#"pg_restore --no-owner --dbname="$WAYPOST_DATABASE_URL" waypost.dump"#,
    )?;
    described(data, waypost_database::restore(file, data).await)
}

/// Names the command of PostgreSQL if the data is there.
fn require_sqlite(database_url: Option<&str>, command: &str) -> Result<(), Problem> {
    match database_url {
        None | Some("") => Ok(()),
        Some(_) => Err(Problem::Usage(format!(
            "WAYPOST_DATABASE_URL is set, so the data is in PostgreSQL and not in the data folder. Run: {command}"
        ))),
    }
}

fn described(place: &Path, outcome: Result<Backup, BackupError>) -> Result<String, Problem> {
    let Backup { bytes, migration } = outcome.map_err(|error| Problem::Local(error.to_string()))?;
    Ok(format!(
        "{} has a complete database of {bytes} bytes (migration {migration}).",
        place.display()
    ))
}
