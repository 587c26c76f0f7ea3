use std::net::TcpListener;

use crate::support::waypost;

#[test]
fn help_lists_every_setting() {
    let output = waypost(&["--help"]).output().unwrap();
    assert!(output.status.success());
    insta::assert_snapshot!(String::from_utf8(output.stdout).unwrap());
}

#[test]
fn all_problems_are_reported_at_once() {
    let output = waypost(&[])
        .env("PORT", "70000")
        .env("WAYPOST_BIND", "everywhere")
        .env("WAYPOST_PUBLIC_URL", "tours.example.com/app")
        .env("WAYPOST_ADHOC", "perhaps")
        .env("WAYPOST_CLIENT", "/nowhere")
        .env("WAYPOST_LOG", "=?")
        .env("WAYPOST_OIDC_ISSUER", "http://login.example.com")
        .env("WAYPOST_OIDC_TOKEN", "saml")
        .env("WAYPOST_OIDC_AUDIENCE", "api")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    insta::assert_snapshot!(String::from_utf8(output.stderr).unwrap());
}

#[test]
fn missing_settings_are_reported() {
    let output = waypost(&["serve"])
        .env("WAYPOST_OIDC_ISUER", "https://login.example.com")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    insta::assert_snapshot!(String::from_utf8(output.stderr).unwrap());
}

#[test]
fn a_port_in_use_is_reported() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let data = tempfile::tempdir().unwrap();
    let output = waypost(&[])
        .env("PORT", address.port().to_string())
        .env("WAYPOST_DATA", data.path())
        .env("WAYPOST_OIDC_ISSUER", "http://localhost:1")
        .env("WAYPOST_OIDC_CLIENT_ID", "spa")
        .env("WAYPOST_OIDC_AUDIENCE", "api")
        .output()
        .unwrap();
    let log = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{log}");
    assert!(
        log.contains(&format!(
            "The server cannot listen on {address}; set PORT or WAYPOST_BIND"
        )),
        "{log}"
    );
}

fn log_with_database(url: &str) -> String {
    let output = waypost(&[])
        .env("PORT", "0")
        .env("WAYPOST_DATABASE_URL", url)
        .env("WAYPOST_OIDC_ISSUER", "http://localhost:1")
        .env("WAYPOST_OIDC_CLIENT_ID", "spa")
        .env("WAYPOST_OIDC_AUDIENCE", "api")
        .output()
        .unwrap();
    let log = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success(), "{log}");
    assert!(
        !log.contains("secret") && !log.contains("not-for-logs"),
        "the log contains a password: {log}"
    );
    log
}

#[test]
fn problems_with_postgresql_are_reported_with_their_fix() {
    let valid = waypost_testkit::create_database();
    let wrong_password = valid.replace("not-for-logs", "secret");
    for (url, message) in [
        (
            wrong_password.as_str(),
            "refuses the password of the user `waypost`; correct it",
        ),
        (
            &waypost_testkit::database_url("nowhere"),
            "createdb --owner=waypost --encoding=UTF8 nowhere",
        ),
        (
            "postgres://me:secret@127.0.0.1:1/tours",
            "`tours` of PostgreSQL at 127.0.0.1:1 could not be opened",
        ),
        (
            "postgres://me:secret@127.0.0.1:1/tours",
            "check that it is running and the address is correct",
        ),
        (
            "mysql://me:secret@127.0.0.1/tours",
            "it does not begin with postgres://",
        ),
        (
            "postgres://me:secret@host:port/tours",
            "WAYPOST_DATABASE_URL must be a URL such as",
        ),
    ] {
        let log = log_with_database(url);
        assert!(log.contains(message), "{message}: {log}");
    }
}
