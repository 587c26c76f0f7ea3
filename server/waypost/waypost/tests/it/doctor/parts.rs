//! The parts of `waypost doctor` other than the identity providers.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    process::{Command, Output},
};

use serde_json::Value;

use super::gateway::{Certificate, Gateway};
use crate::support::{Server, issuer::Issuer, provider, waypost};

async fn doctor(arguments: &[&str], settings: &[(&str, &str)]) -> (Option<i32>, String) {
    let mut command = waypost(&["doctor"]);
    // No server is there, unless a test names its own.
    command.args(arguments).env("PORT", "1").envs(settings.iter().copied());
    let output = run(command).await;
    assert!(
        output.stderr.is_empty() || output.status.code() == Some(2),
        "{output:?}"
    );
    let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    (output.status.code(), text)
}

async fn run(mut command: Command) -> Output {
    tokio::task::spawn_blocking(move || command.output().unwrap())
        .await
        .unwrap()
}

/// Starts a server behind a proxy with a fault, and returns the report of `waypost doctor proxy`.
async fn behind(issuer: &Issuer, fault: &'static str, trust_proxy: &str) -> (Option<i32>, String) {
    let gateway = Gateway::bind(None).await;
    let url = gateway.url.clone();
    let settings = [
        ("WAYPOST_PUBLIC_URL", url.as_str()),
        ("WAYPOST_TRUST_PROXY", trust_proxy),
    ];
    let server = Server::with(issuer, &settings).await;
    gateway.serve(&server.url, fault);
    doctor(&["proxy"], &settings).await
}

#[tokio::test]
async fn each_fault_of_a_proxy_is_reported_with_its_fix() {
    let issuer = provider().await;
    for (fault, trust_proxy, code, expected) in [
        (
            "",
            "1",
            0,
            "ok       address        Rate limits count this machine as 198.51.100.7.",
        ),
        ("", "1", 0, "No problems found. Warnings: 0."),
        (
            "",
            "0",
            0,
            "warning  address        X-Forwarded-For arrives, but Waypost does not trust it",
        ),
        (
            "forged address",
            "1",
            1,
            "problem  address        Callers choose their own address",
        ),
        (
            "no address",
            "1",
            1,
            "problem  address        Waypost trusts the proxy, but X-Forwarded-For does not arrive",
        ),
        (
            "other host",
            "1",
            1,
            "problem  host           Waypost receives the host `waypost.internal:4000` instead of",
        ),
        ("other host", "1", 1, "problem  origin         Requests of pages of"),
        (
            "no origin",
            "1",
            1,
            "problem  origin         A request of a page of https://another-site.example was not refused",
        ),
        (
            "no upgrade",
            "1",
            0,
            "warning  websocket      An upgrade to a WebSocket returned 4",
        ),
        (
            "buffered",
            "1",
            1,
            "problem  streams        The proxy collects responses",
        ),
        (
            "small bodies",
            "1",
            1,
            "problem  bodies         A request of 256 KiB returned 413",
        ),
        (
            "down",
            "1",
            1,
            "returned 502 Bad Gateway: the proxy does not reach Waypost.",
        ),
    ] {
        let (found, text) = behind(&issuer, fault, trust_proxy).await;
        assert!(text.contains(expected), "{fault}: {text}");
        assert_eq!(found, Some(code), "{fault}: {text}");
    }
}

#[tokio::test]
async fn certificates_and_the_protocol_of_the_public_url_are_checked() {
    let issuer = provider().await;
    let folder = tempfile::tempdir().unwrap();
    let both = &["h2", "http/1.1"][..];
    for (name, left, protocols, part, code, expected) in [
        (
            "localhost",
            90,
            both,
            "tls",
            0,
            "The certificate is valid, and its chain is complete.",
        ),
        ("localhost", 90, both, "tls", 0, "in 90 days."),
        ("localhost", 10, both, "tls", 0, "warning  expiry"),
        (
            "localhost",
            -1,
            both,
            "tls",
            1,
            "problem  certificate    The certificate has expired.",
        ),
        (
            "other.example",
            90,
            both,
            "tls",
            1,
            "The certificate is for another name",
        ),
        (
            "localhost",
            90,
            &["http/1.1"],
            "proxy",
            0,
            "warning  http/2         The proxy does not offer HTTP/2",
        ),
    ] {
        let certificate = Certificate::with(name, left, protocols);
        let authority = folder.path().join("authority.pem");
        fs::write(&authority, &certificate.authority).unwrap();
        let gateway = Gateway::bind(Some(&certificate)).await;
        let url = gateway.url.clone();
        let settings = [("WAYPOST_PUBLIC_URL", url.as_str()), ("WAYPOST_TRUST_PROXY", "1")];
        let server = Server::with(&issuer, &settings).await;
        gateway.serve(&server.url, "");
        let trusted = [&settings[..], &[("SSL_CERT_FILE", authority.to_str().unwrap())]].concat();
        // Only the part `proxy` reads the setting of the proxy.
        let trusted: Vec<_> = trusted
            .into_iter()
            .filter(|(name, _)| part == "proxy" || *name != "WAYPOST_TRUST_PROXY")
            .collect();
        let (found, text) = doctor(&[part], &trusted).await;
        assert!(text.contains(expected), "{expected}: {text}");
        assert_eq!(found, Some(code), "{expected}: {text}");
        if (name, left, part) == ("localhost", 90, "tls") {
            let strict = "ok       hsts           Browsers use TLS only";
            assert!(text.contains(strict), "{text}");
            // The authorities of this machine do not include the private one.
            let (found, text) = doctor(&[part], &settings).await;
            assert!(text.contains("problem  certificate"), "{text}");
            assert_eq!(found, Some(1));
        }
    }
}

#[tokio::test]
async fn a_data_folder_is_checked_without_other_settings() {
    let issuer = provider().await;
    let data = tempfile::tempdir().unwrap();
    let settings = [("WAYPOST_DATA", data.path().to_str().unwrap())];
    let (code, text) = doctor(&["database"], &settings).await;
    assert!(text.contains("has no database yet"), "{text}");
    assert_eq!(code, Some(0), "{text}");

    let server = Server::on(&issuer, data.path(), &[]).await;
    let (code, text) = doctor(&["database"], &settings).await;
    assert!(text.contains("The schema is the one of this version"), "{text}");
    assert!(text.contains("This user can write to the database."), "{text}");
    assert_eq!(code, Some(0), "{text}");
    drop(server);

    let file = data.path().join("waypost.db");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    let (code, text) = doctor(&["storage"], &settings).await;
    assert!(
        text.contains("problem  permissions    Other users of this machine can access"),
        "{text}"
    );
    assert_eq!(code, Some(1), "{text}");

    for end in ["-wal", "-shm"] {
        fs::remove_file(data.path().join(format!("waypost.db{end}"))).ok();
    }
    fs::write(&file, "not a database, but a longer text than its header").unwrap();
    let (code, text) = doctor(&["database"], &settings).await;
    assert!(text.contains("cannot be read"), "{text}");
    assert_eq!(code, Some(1), "{text}");
}

#[tokio::test]
async fn the_database_on_postgresql_is_checked() {
    let database = waypost_testkit::create_database();
    let (code, text) = doctor(&["database"], &[("WAYPOST_DATABASE_URL", &database)]).await;
    for expected in [
        "The database is empty.",
        "The database can be written.",
        "Each connection has its own session.",
        "note     standby",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    assert!(!text.contains("not-for-logs"), "{text}");
    assert_eq!(code, Some(0), "{text}");
    let (code, text) = doctor(
        &["database"],
        &[("WAYPOST_DATABASE_URL", &waypost_testkit::database_url("nowhere"))],
    )
    .await;
    assert!(text.contains("the database does not exist; create it with"), "{text}");
    assert_eq!(code, Some(1), "{text}");
    let (code, text) = doctor(&["clock"], &[("WAYPOST_DATABASE_URL", &database)]).await;
    assert!(
        text.contains("This machine's clock agrees with the database's."),
        "{text}"
    );
    assert_eq!(code, Some(0), "{text}");
}

#[tokio::test]
async fn a_pooler_on_postgresql_needs_an_address_without_it() {
    let database = waypost_testkit::create_database();
    let pooler = waypost_testkit::Pooler::start("transaction");
    let pooled = ("WAYPOST_DATABASE_URL", pooler.url(&database));
    let direct = ("WAYPOST_DATABASE_DIRECT_URL", database);
    for (settings, code, expected) in [
        (&[&pooled][..], 1, "problem  pooler         A pooler shares sessions"),
        (
            &[&pooled, &direct],
            0,
            "ok       pooler         A pooler shares sessions",
        ),
    ] {
        let settings: Vec<_> = settings.iter().map(|(name, url)| (*name, url.as_str())).collect();
        let (found, text) = doctor(&["database"], &settings).await;
        assert!(text.contains(expected), "{text}");
        assert_eq!(found, Some(code), "{text}");
    }
}

#[tokio::test]
async fn a_standby_is_no_primary_but_a_replica() {
    let cluster = waypost_testkit::Cluster::start();
    let (primary, standby) = (cluster.primary_url(), cluster.standby_url());
    let nowhere = waypost_testkit::database_url("nowhere");
    for (database, replica, code, expected) in [
        (&primary, &standby, 0, "is a standby."),
        (
            &primary,
            &standby,
            0,
            "ok       standby        Commits wait for a standby",
        ),
        (&primary, &primary, 0, "warning  replica"),
        (&primary, &nowhere, 0, "warning  replica"),
        (&standby, &standby, 1, "problem  writable       The server is a standby"),
    ] {
        let settings = [
            ("WAYPOST_DATABASE_URL", database.as_str()),
            ("WAYPOST_DATABASE_REPLICA_URL", replica),
        ];
        let (found, text) = doctor(&["database"], &settings).await;
        assert!(text.contains(expected), "{expected}: {text}");
        assert_eq!(found, Some(code), "{expected}: {text}");
    }
}

#[tokio::test]
async fn without_a_part_the_parts_with_settings_are_checked() {
    let issuer = provider().await;
    let data = tempfile::tempdir().unwrap();
    let _server = Server::on(&issuer, data.path(), &[]).await;
    let (code, text) = doctor(&["--json"], &[("WAYPOST_DATA", data.path().to_str().unwrap())]).await;
    let report: Value = serde_json::from_str(&text).unwrap();
    let parts: Vec<_> = report["reports"]
        .as_array()
        .unwrap()
        .iter()
        .map(|report| (report["part"].as_str().unwrap(), report["skipped"].is_null()))
        .collect();
    assert_eq!(
        parts,
        [
            ("database", true),
            ("storage", true),
            ("tls", false),
            ("proxy", false),
            ("clock", false),
            ("oidc", false),
        ],
        "{text}"
    );
    assert_eq!(code, Some(0), "{text}");

    let (code, text) = doctor(&[], &[("WAYPOST_MIN_FREE_DISK", "much"), ("WAYPOST_DATA", "/")]).await;
    assert!(
        text.contains("tls: skipped, because WAYPOST_PUBLIC_URL is not set."),
        "{text}"
    );
    assert!(
        text.contains("problem  settings       WAYPOST_MIN_FREE_DISK is `much`"),
        "{text}"
    );
    assert_eq!(code, Some(1), "{text}");
    let (code, text) = doctor(&["storage"], &[("WAYPOST_MIN_FREE_DISK", "much")]).await;
    assert!(text.contains("WAYPOST_MIN_FREE_DISK is `much`"), "{text}");
    assert_eq!(code, Some(2), "{text}");
}
