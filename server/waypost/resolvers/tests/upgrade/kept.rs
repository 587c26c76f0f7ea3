//! The files of a kept database.

use std::{
    fmt, fs,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};
use sqlx::{Connection, SqliteConnection, sqlite::SqliteConnectOptions};
use tempfile::TempDir;

use crate::{
    common::{Server, person},
    scene::{RunReport, Scene},
};

/// Fields that are computed from the current time or by rules of the current version.
const COMPUTED: [&str; 5] = ["problems", "brokenTours", "active", "abandoned", "dropOff"];

#[derive(Debug, Clone, Copy)]
pub(crate) enum Database {
    Sqlite,
    Postgres,
}

impl Database {
    /// Returns the address of a new database, or none for SQLite.
    pub(crate) fn create(self) -> Option<String> {
        match self {
            Self::Sqlite => None,
            Self::Postgres => Some(waypost_testkit::create_database()),
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite",
            Self::Postgres => "postgres",
        }
    }

    fn file(self, folder: &Path) -> PathBuf {
        folder.join(match self {
            Self::Sqlite => "waypost.db",
            Self::Postgres => "postgres.sql",
        })
    }
}

pub(crate) struct Kept {
    folder: PathBuf,
    database: Database,
    /// Documents with their variables and responses.
    responses: Vec<Value>,
    pub(crate) run: RunReport,
    pub(crate) draft_version: Value,
    pub(crate) day: String,
}

impl fmt::Display for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.database.name(), self.folder.display())
    }
}

pub(crate) fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/upgrade/fixtures")
}

/// The folders of all kept versions.
pub(crate) fn versions() -> Vec<PathBuf> {
    let entries = fs::read_dir(fixtures()).expect("tests/upgrade/fixtures exists");
    let mut folders: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    folders.sort();
    folders
}

impl Kept {
    pub(crate) fn read(folder: &Path, database: Database) -> Self {
        let text = fs::read_to_string(responses_file(folder, database)).expect("the responses");
        let mut json: Value = serde_json::from_str(&text).expect("the responses are JSON");
        let Value::Array(responses) = json["responses"].take() else {
            panic!("{} has no responses", folder.display());
        };
        let run = &json["run"];
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        Self {
            folder: folder.into(),
            database,
            responses,
            run: RunReport {
                site_key: run["siteKey"].clone(),
                tour: run["tour"].clone(),
                release: run["release"].clone(),
                run: run["run"].clone(),
                browser: text(&run["browser"]),
                seq: run["seq"]
                    .as_u64()
                    .and_then(|seq| seq.try_into().ok())
                    .expect("a number"),
            },
            draft_version: json["draftVersion"].clone(),
            day: text(&json["day"]),
        }
    }

    pub(crate) async fn write(folder: &Path, database: Database, scene: &Scene) {
        fs::create_dir_all(folder).expect("the folder is writable");
        let mut responses = Vec::new();
        for (operation, variables) in scene.requests() {
            let data = scene.server.query(&person("ada"), operation, variables.clone()).await;
            let document = scene.server.text(operation);
            responses
                .push(json!({ "operation": operation, "document": document, "variables": variables, "data": data }));
        }
        let RunReport {
            site_key,
            tour,
            release,
            run,
            browser,
            seq,
        } = &scene.run;
        let run = json!({ "siteKey": site_key, "tour": tour, "release": release, "run": run, "browser": browser, "seq": seq });
        let kept = json!({ "day": scene.day, "draftVersion": scene.draft_version, "run": run, "responses": responses });
        let text = serde_json::to_string_pretty(&kept).expect("JSON can be written");
        fs::write(responses_file(folder, database), text + "\n").expect("the folder is writable");
        let file = database.file(folder);
        match &scene.postgres {
            Some(url) => fs::write(file, waypost_testkit::dump_database(url)).expect("the folder is writable"),
            None => copy_sqlite(&scene.server.folder().join("waypost.db"), &file).await,
        }
    }

    /// Returns a data folder and, for PostgreSQL, the address of a database with a copy of the kept data.
    pub(crate) fn copy(&self) -> (TempDir, Option<String>) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = self.database.file(&self.folder);
        match self.database {
            Database::Sqlite => {
                fs::copy(file, folder.path().join("waypost.db")).expect("the folder is writable");
                (folder, None)
            }
            Database::Postgres => (folder, Some(waypost_testkit::restore_database(&file))),
        }
    }
}

fn responses_file(folder: &Path, database: Database) -> PathBuf {
    folder.join(format!("{}.responses.json", database.name()))
}

/// Copies a database with the changes that are still in the write-ahead log, which a copy of the file lacks.
async fn copy_sqlite(from: &Path, to: &Path) {
    if to.exists() {
        fs::remove_file(to).expect("the folder is writable");
    }
    let options = SqliteConnectOptions::new().filename(from).read_only(true);
    let mut database = SqliteConnection::connect_with(&options).await.expect("a database");
    sqlx::query("vacuum into ?")
        .bind(to.to_str().expect("an UTF-8 path"))
        .execute(&mut database)
        .await
        .expect("the folder is writable");
    database.close().await.expect("no statement is running");
}

/// Compares stored values. Rules and clocks may differ.
pub(crate) async fn expect_same_responses(kept: &Kept, server: &Server) {
    for response in &kept.responses {
        let text = response["document"].as_str().expect("a document");
        let mut data = server
            .query_ad_hoc(&person("ada"), text, response["variables"].clone())
            .await;
        let mut expected = response["data"].clone();
        remove_computed(&mut data);
        remove_computed(&mut expected);
        let (data, expected) = (pretty(&data), pretty(&expected));
        assert!(
            data == expected,
            "{kept}: {} is not what that version returned:\n{data}\ninstead of\n{expected}",
            response["operation"]
        );
    }
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).expect("JSON can be written")
}

fn remove_computed(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for name in COMPUTED {
                fields.shift_remove(name);
            }
            // Runs and invitations end with time.
            let state = match fields.get("state").and_then(Value::as_str) {
                Some("ABANDONED") => "ACTIVE",
                Some("EXPIRED") => "PENDING",
                _ => "",
            };
            if !state.is_empty() {
                fields.insert("state".into(), json!(state));
            }
            fields.values_mut().for_each(remove_computed);
        }
        Value::Array(items) => items.iter_mut().for_each(remove_computed),
        _ => {}
    }
}
