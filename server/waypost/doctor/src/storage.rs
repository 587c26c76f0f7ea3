//! Checks that visits can be stored: on the disk with the SQLite database, and in the server if it is running; and that
//! other users cannot read the data.

use serde_json::Value;
use url::Url;
use waypost_database::{free_disk, shared_paths};
use waypost_server::config::Storage;

use crate::{
    Part,
    http::HttpClient,
    report::{Findings, Report},
};

pub(crate) async fn check(storage: &Storage) -> Report {
    let mut findings = Findings::default();
    disk(storage, &mut findings);
    permissions(storage, &mut findings);
    if let Err(problem) = server(storage, &mut findings).await {
        findings.problem("visits", problem, None);
    }
    let title = match &storage.postgres {
        Some(postgres) => postgres.to_string(),
        None => storage.data.display().to_string(),
    };
    Report::new(Part::Storage, title, findings)
}

fn disk(storage: &Storage, findings: &mut Findings) {
    let folder = storage.data.display();
    if storage.postgres.is_some() {
        findings.note(
            "disk",
            "The data is in PostgreSQL, whose disk Waypost does not check.",
            None,
        );
        return;
    }
    let Some(free) = free_disk(&storage.data) else {
        findings.problem(
            "disk",
            format!("The free space of the disk with {folder} is unknown."),
            Some("Check WAYPOST_DATA, or start Waypost once, so that the folder exists.".to_owned()),
        );
        return;
    };
    let required = storage.limits.min_free_disk;
    if free >= required.into() {
        findings.ok(
            "disk",
            format!("The disk with {folder} has {free} MB of free space; visits require {required} MB."),
        );
    } else {
        findings.problem(
            "disk",
            format!(
                "The disk with {folder} has {free} MB of free space, but visits require {required} MB, unless the database file \
                 has unused space."
            ),
            Some(
                "Free some space, remove fake visitors on the Visitors page, or lower WAYPOST_MIN_FREE_DISK.".to_owned(),
            ),
        );
    }
}

fn permissions(storage: &Storage, findings: &mut Findings) {
    if storage.postgres.is_some() || !storage.data.exists() {
        return;
    }
    let shared = shared_paths(&storage.data);
    if shared.is_empty() {
        findings.ok("permissions", "Only the owner of the data folder can read it.");
    }
    for (path, mode) in shared {
        let path = path.display();
        findings.problem(
            "permissions",
            format!(
                "Other users of this machine can access {path} (mode {mode:o}), which contains secrets and the data of visitors."
            ),
            Some(format!(
                "Run chmod go= {path}, or start Waypost as its owner, which does the same."
            )),
        );
    }
}

async fn server(storage: &Storage, findings: &mut Findings) -> Result<(), String> {
    let address = storage.listen;
    let url = format!("http://{address}/readyz");
    let url = Url::parse(&url).map_err(|error| format!("{url} is not a URL: {error}."))?;
    let Ok(response) = HttpClient::new()?.get(&url).await else {
        findings.note(
            "visits",
            format!("Waypost is not running at {address}, so the numbers of visitors and runs were not checked."),
            None,
        );
        return Ok(());
    };
    let report = response.json();
    if let Some(problem) = report["changes"]["problem"].as_str() {
        findings.problem(
            "changes",
            format!("Waypost at {address} notices changes of other processes up to a second late: {problem}."),
            Some(
                "Behind a pooler in transaction mode, set WAYPOST_DATABASE_DIRECT_URL to the address of the database without \
                 the pooler."
                    .to_owned(),
            ),
        );
    }
    match &report["visits"]["problem"] {
        Value::Null => findings.ok("visits", format!("Waypost at {address} stores visits.")),
        problem => findings.problem(
            "visits",
            format!(
                "Waypost at {address} does not store some visits: {}.",
                problem.as_str().unwrap_or_default()
            ),
            Some(
                "Remove fake visitors on the Visitors page, or raise WAYPOST_MAX_VISITORS or WAYPOST_MAX_RUNS."
                    .to_owned(),
            ),
        ),
    }
    Ok(())
}
