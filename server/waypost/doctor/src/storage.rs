//! Checks that visits can be stored: on the disk with the SQLite database, and in the server if it is running.

use serde_json::Value;
use url::Url;
use waypost_database::free_disk;
use waypost_server::{Problems, Settings, config::Storage};

use crate::{Outcome, http::HttpClient};

/// # Errors
/// Returns the problems of the settings.
pub async fn storage(settings: &Settings) -> Result<Outcome, Problems> {
    let storage = Storage::read(settings)?;
    let findings = [disk(&storage), server(&storage).await];
    let is_ok = findings.iter().all(Result::is_ok);
    let lines = findings.map(|finding| finding.unwrap_or_else(|problem| problem));
    Ok(Outcome {
        text: lines.join("\n"),
        is_ok,
    })
}

fn disk(storage: &Storage) -> Result<String, String> {
    let folder = storage.data.display();
    if storage.postgres.is_some() {
        return Ok("The data is in PostgreSQL, whose disk Waypost does not check.".to_owned());
    }
    let Some(free) = free_disk(&storage.data) else {
        return Err(format!(
            "The free space of the disk with {folder} is unknown. Start Waypost once, so that the folder exists."
        ));
    };
    let required = storage.limits.min_free_disk;
    if free >= required.into() {
        return Ok(format!(
            "The disk with {folder} has {free} MB of free space; visits require {required} MB."
        ));
    }
    Err(format!(
        "The disk with {folder} has {free} MB of free space, but visits require {required} MB, unless the database file \
         has unused space. Free some space, remove fake visitors on the Visitors page, or lower WAYPOST_MIN_FREE_DISK."
    ))
}

async fn server(storage: &Storage) -> Result<String, String> {
    let address = storage.listen;
    let url = format!("http://{address}/readyz");
    let url = Url::parse(&url).map_err(|error| format!("{url} is not a URL: {error}."))?;
    let Ok(response) = HttpClient::new()?.get(&url).await else {
        return Ok(format!(
            "Waypost is not running at {address}, so the numbers of visitors and runs were not checked."
        ));
    };
    let report = response.json();
    if let Some(problem) = report["changes"]["problem"].as_str() {
        return Err(format!(
            "Waypost at {address} notices changes of other processes up to a second late: {problem}. Behind a pooler in \
             transaction mode, set WAYPOST_DATABASE_DIRECT_URL to the address of the database without the pooler."
        ));
    }
    match &report["visits"]["problem"] {
        Value::Null => Ok(format!("Waypost at {address} stores visits.")),
        problem => Err(format!(
            "Waypost at {address} does not store some visits: {}. Remove fake visitors on the Visitors page, or raise \
             WAYPOST_MAX_VISITORS or WAYPOST_MAX_RUNS.",
            problem.as_str().unwrap_or_default()
        )),
    }
}
