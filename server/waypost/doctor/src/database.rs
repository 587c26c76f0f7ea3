//! Checks the database without changing it. The facts are those of `waypost_database`, and this module judges them.

use waypost_database::{Migrations, PostgresFacts, SqliteFacts, WriteProblem, inspect_sqlite};
use waypost_server::config::Storage;

use crate::{
    Part,
    report::{Findings, Report},
};

/// Connections of one process: eight readers, the listener and the writer.
const CONNECTIONS: i64 = 10;

/// The write-ahead log of SQLite starts again at a few megabytes, unless a reader never ends.
const LARGE_LOG: u64 = 200_000_000;

/// PostgreSQL warns from 2 billion minus 40 million, and vacuums from 200 million.
const OLD_TRANSACTIONS: i64 = 1_000_000_000;

pub(crate) async fn check(storage: &Storage, migrations: Migrations) -> Report {
    let mut findings = Findings::default();
    let title = match &storage.postgres {
        Some(postgres) => {
            match postgres.inspect().await {
                Ok(facts) => judge_postgres(&facts, migrations.newest(true), &mut findings),
                Err(problem) => findings.problem("connection", format!("{postgres}: {problem}."), None),
            }
            if let Some(replica) = postgres.replica() {
                let is_standby = replica.inspect().await.map(|facts| facts.is_standby);
                judge_replica(&replica.to_string(), is_standby, &mut findings);
            }
            postgres.to_string()
        }
        None => {
            let folder = storage.data.display();
            match inspect_sqlite(&storage.data).await {
                Ok(Some(facts)) => judge_sqlite(&facts, migrations.newest(false), &mut findings),
                Ok(None) => findings.note(
                    "file",
                    format!("{folder} has no database yet. The first start creates it."),
                    None,
                ),
                Err(error) => findings.problem(
                    "file",
                    format!("The database in {folder} cannot be read: {error}."),
                    Some("Run the doctor as the user of the server, or restore a backup.".to_owned()),
                ),
            }
            format!("SQLite in {folder}")
        }
    };
    Report::new(Part::Database, title, findings)
}

fn judge_sqlite(facts: &SqliteFacts, newest: i64, findings: &mut Findings) {
    findings.ok("version", format!("The library of SQLite is {}.", facts.version));
    judge_migration(facts.migration, newest, findings);
    match &facts.write_problem {
        None => findings.ok("writable", "This user can write to the database."),
        Some(WriteProblem::Locked) => findings.warning(
            "writable",
            "Another process is writing for longer than the server waits, which then responds with UNAVAILABLE.",
            Some("End other programs that use the file, such as sqlite3 or a copy program.".to_owned()),
        ),
        Some(WriteProblem::Other(reason)) => findings.problem(
            "writable",
            format!("This user cannot write to the database: {reason}."),
            Some("Run the doctor as the user of the server. If it is, check the owner of the data folder, and whether the disk \
                  is full or read-only."
                .to_owned()),
        ),
    }
    let (size, unused) = (megabytes(facts.bytes), megabytes(facts.unused_bytes));
    findings.ok(
        "size",
        format!("The file has {size}, of which {unused} are unused and will be filled first."),
    );
    if facts.journal_mode != "wal" {
        findings.note(
            "log",
            format!(
                "The journal mode is `{}`, as after a restore. The next start changes it to `wal`, so that readers and writers \
                 do not block each other.",
                facts.journal_mode
            ),
            Some(
                "If the server has started with this folder, move it to a local disk: network file systems do not support \
                 this mode."
                    .to_owned(),
            ),
        );
    } else if facts.log_bytes > LARGE_LOG {
        findings.warning(
            "log",
            format!(
                "The write-ahead log has {}, because it could not start again for a long time.",
                megabytes(facts.log_bytes)
            ),
            Some("End programs that read the database without an end, then restart Waypost.".to_owned()),
        );
    } else {
        findings.ok(
            "log",
            format!("The write-ahead log has {}.", megabytes(facts.log_bytes)),
        );
    }
}

fn judge_postgres(facts: &PostgresFacts, newest: i64, findings: &mut Findings) {
    if facts.encoding == "UTF8" {
        findings.ok("version", format!("The server runs PostgreSQL {}.", facts.version));
    } else {
        findings.problem(
            "version",
            format!("The encoding of the database is {}, but must be UTF8.", facts.encoding),
            Some("Create it with: createdb --template=template0 --encoding=UTF8 NAME".to_owned()),
        );
    }
    judge_migration(facts.migration, newest, findings);
    if facts.is_standby || facts.is_read_only {
        let kind = if facts.is_standby {
            "is a standby"
        } else {
            "is read-only"
        };
        findings.problem(
            "writable",
            format!("The server {kind}, so nothing can be stored."),
            Some(
                "Connect to the primary: correct WAYPOST_DATABASE_URL, or the health check of the proxy in front of PostgreSQL."
                    .to_owned(),
            ),
        );
    } else if facts.may_create_tables || facts.migration == Some(newest) {
        findings.ok("writable", "The database can be written.");
    } else {
        findings.problem(
            "writable",
            "The user may not create tables, so the server cannot update the database.",
            Some("Run: alter database NAME owner to USER".to_owned()),
        );
    }
    findings.ok(
        "size",
        format!("The database has {}.", megabytes(facts.bytes.unsigned_abs())),
    );
    judge_connections(facts, findings);
    judge_pooler(facts, findings);
    judge_vacuum(facts, findings);
    if facts.synchronous_standbys.is_empty() {
        findings.note(
            "standby",
            "Commits do not wait for a standby, so a failover to one could lose the last changes.",
            Some("If there is a standby, set synchronous_standby_names.".to_owned()),
        );
    } else {
        findings.ok(
            "standby",
            format!(
                "Commits wait for a standby ({}), so a failover loses no acknowledged change.",
                facts.synchronous_standbys
            ),
        );
    }
}

fn judge_migration(found: Option<i64>, newest: i64, findings: &mut Findings) {
    match found {
        Some(found) if found > newest => findings.problem(
            "schema",
            format!(
                "A newer version of Waypost has changed this database (migration {found}; this version knows {newest})."
            ),
            Some("Install that version or a newer one, or restore a backup from before the update.".to_owned()),
        ),
        Some(found) if found < newest => findings.note(
            "schema",
            format!("The database has migration {found}; the next start of this version applies those up to {newest}."),
            Some("Make a backup before, because migrations cannot be reverted.".to_owned()),
        ),
        Some(found) => findings.ok(
            "schema",
            format!("The schema is the one of this version (migration {found})."),
        ),
        None => findings.note(
            "schema",
            "The database is empty. The first start creates the tables.",
            None,
        ),
    }
}

fn judge_connections(facts: &PostgresFacts, findings: &mut Findings) {
    let (used, max) = (facts.connections, facts.max_connections);
    let message =
        format!("{used} of {max} connections of the server are in use; a process of Waypost uses up to {CONNECTIONS}.");
    if max - used < CONNECTIONS {
        findings.warning(
            "connections",
            message,
            Some("Raise max_connections, or end other clients.".to_owned()),
        );
    } else {
        findings.ok("connections", message);
    }
}

fn judge_pooler(facts: &PostgresFacts, findings: &mut Findings) {
    match (facts.is_pooled_by_transaction, facts.has_direct_url) {
        (false, _) => findings.ok("pooler", "Each connection has its own session."),
        (true, true) => findings.ok(
            "pooler",
            "A pooler shares sessions between transactions; notifications and migrations use WAYPOST_DATABASE_DIRECT_URL.",
        ),
        (true, false) => findings.problem(
            "pooler",
            "A pooler shares sessions between transactions, so notifications of other processes do not arrive, and the database \
             cannot be migrated.",
            Some(
                "Set WAYPOST_DATABASE_DIRECT_URL to the address of the database without the pooler, or use the pooler in \
                 session mode."
                    .to_owned(),
            ),
        ),
    }
}

/// Reports a replica that cannot be used, whose reads the primary serves.
fn judge_replica(replica: &str, is_standby: Result<bool, String>, findings: &mut Findings) {
    let primary_serves = "so the primary serves the reads of the replica";
    match is_standby {
        Ok(true) => findings.ok("replica", format!("{replica} is a standby.")),
        Ok(false) => findings.warning(
            "replica",
            format!("{replica} is no standby, {primary_serves}."),
            Some("Set WAYPOST_DATABASE_REPLICA_URL to the address of a standby of the primary.".to_owned()),
        ),
        Err(problem) => findings.warning("replica", format!("{replica}: {problem}, {primary_serves}."), None),
    }
}

fn judge_vacuum(facts: &PostgresFacts, findings: &mut Findings) {
    if !facts.autovacuum {
        findings.warning(
            "vacuum",
            "Autovacuum is off, so deleted rows are never removed.",
            Some("Set autovacuum=on in postgresql.conf.".to_owned()),
        );
    }
    if facts.transaction_age > OLD_TRANSACTIONS {
        findings.warning(
            "vacuum",
            format!(
                "The oldest row was frozen {} million transactions ago; PostgreSQL stops at 2,000 million.",
                facts.transaction_age / 1_000_000
            ),
            Some("Find transactions that never end in pg_stat_activity, then run: vacuum freeze".to_owned()),
        );
    }
    for table in &facts.bloated {
        let last = table
            .vacuumed
            .as_deref()
            .map_or("never".to_owned(), |day| format!("on {day}"));
        findings.warning(
            "vacuum",
            format!(
                "The table {} has {} deleted rows next to {} rows; its last vacuum was {last}.",
                table.name, table.deleted, table.rows
            ),
            Some(format!("Run: vacuum analyze {}", table.name)),
        );
    }
    if facts.autovacuum && facts.transaction_age <= OLD_TRANSACTIONS && facts.bloated.is_empty() {
        findings.ok("vacuum", "Vacuum keeps up with deleted rows.");
    }
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}

#[cfg(test)]
mod tests {
    use waypost_database::BloatedTable;

    use super::*;

    fn sqlite() -> SqliteFacts {
        SqliteFacts {
            version: "3.50.0".to_owned(),
            migration: Some(5),
            journal_mode: "wal".to_owned(),
            bytes: 12_000_000,
            unused_bytes: 500_000,
            log_bytes: 4_000_000,
            write_problem: None,
        }
    }

    fn postgres() -> PostgresFacts {
        PostgresFacts {
            version: "15.6".to_owned(),
            encoding: "UTF8".to_owned(),
            migration: Some(5),
            is_standby: false,
            is_read_only: false,
            may_create_tables: true,
            bytes: 12_000_000,
            connections: 12,
            max_connections: 100,
            synchronous_standbys: "*".to_owned(),
            autovacuum: true,
            transaction_age: 1_000,
            bloated: Vec::new(),
            is_pooled_by_transaction: false,
            has_direct_url: false,
            clock_difference_ms: 0,
        }
    }

    fn issues(judge: impl FnOnce(&mut Findings)) -> Vec<String> {
        let mut findings = Findings::default();
        judge(&mut findings);
        let lines = findings.lines();
        lines.into_iter().filter(|line| !line.starts_with("ok ")).collect()
    }

    #[test]
    fn each_fact_of_sqlite_that_is_wrong_is_reported() {
        assert_eq!(
            issues(|findings| judge_sqlite(&sqlite(), 5, findings)),
            Vec::<String>::new()
        );
        type Fault = fn(&mut SqliteFacts);
        let faults: [(Fault, &str); 6] = [
            (|facts| facts.migration = Some(6), "problem schema: A newer version"),
            (
                |facts| facts.migration = Some(4),
                "note schema: The database has migration 4",
            ),
            (
                |facts| facts.write_problem = Some(WriteProblem::Locked),
                "warning writable: Another process",
            ),
            (
                |facts| facts.write_problem = Some(WriteProblem::Other("read-only".to_owned())),
                "problem writable: This user cannot write to the database: read-only.",
            ),
            (
                |facts| facts.journal_mode = "delete".to_owned(),
                "note log: The journal mode is `delete`",
            ),
            (
                |facts| facts.log_bytes = 900_000_000,
                "warning log: The write-ahead log has 900.0 MB",
            ),
        ];
        for (break_it, expected) in faults {
            let mut facts = sqlite();
            break_it(&mut facts);
            let issues = issues(|findings| judge_sqlite(&facts, 5, findings));
            assert!(
                issues.len() == 1 && issues[0].starts_with(expected),
                "{expected}: {issues:?}"
            );
        }
    }

    #[test]
    fn each_fact_of_postgresql_that_is_wrong_is_reported() {
        assert_eq!(
            issues(|findings| judge_postgres(&postgres(), 5, findings)),
            Vec::<String>::new()
        );
        type Fault = fn(&mut PostgresFacts);
        let faults: [(Fault, &str); 9] = [
            (
                |facts| facts.encoding = "LATIN1".to_owned(),
                "problem version: The encoding",
            ),
            (
                |facts| facts.is_standby = true,
                "problem writable: The server is a standby",
            ),
            (
                |facts| facts.is_read_only = true,
                "problem writable: The server is read-only",
            ),
            (|facts| facts.connections = 95, "warning connections: 95 of 100"),
            (
                |facts| facts.synchronous_standbys.clear(),
                "note standby: Commits do not wait",
            ),
            (|facts| facts.autovacuum = false, "warning vacuum: Autovacuum is off"),
            (
                |facts| facts.transaction_age = 1_900_000_000,
                "warning vacuum: The oldest row was frozen 1900 million",
            ),
            (|facts| facts.is_pooled_by_transaction = true, "problem pooler:"),
            (
                |facts| {
                    facts.bloated = vec![BloatedTable {
                        name: "runs".to_owned(),
                        rows: 100_000,
                        deleted: 90_000,
                        vacuumed: None,
                    }];
                },
                "warning vacuum: The table runs has 90000 deleted rows next to 100000 rows; its last vacuum was never.",
            ),
        ];
        for (break_it, expected) in faults {
            let mut facts = postgres();
            break_it(&mut facts);
            let issues = issues(|findings| judge_postgres(&facts, 5, findings));
            assert!(
                issues.len() == 1 && issues[0].starts_with(expected),
                "{expected}: {issues:?}"
            );
        }
    }

    #[test]
    fn a_user_without_permissions_can_only_use_a_current_schema() {
        let mut facts = postgres();
        facts.may_create_tables = false;
        assert_eq!(
            issues(|findings| judge_postgres(&facts, 5, findings)),
            Vec::<String>::new()
        );
        let issues = issues(|findings| judge_postgres(&facts, 6, findings));
        assert!(
            issues[1].starts_with("problem writable: The user may not create tables"),
            "{issues:?}"
        );
    }
}
