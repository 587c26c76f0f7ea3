//! What `--help` says, and what a server with wrong settings says before it ends.

use std::net::TcpListener;

use crate::support::waypost;

#[test]
fn help_lists_every_setting() {
    let output = waypost(&["--help"]).output().unwrap();
    assert!(output.status.success());
    insta::assert_snapshot!(String::from_utf8(output.stdout).unwrap());
}

#[test]
fn all_problems_are_told_at_once() {
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
fn a_server_without_settings_says_what_it_needs() {
    let output = waypost(&["serve"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    insta::assert_snapshot!(String::from_utf8(output.stderr).unwrap());
}

#[test]
fn a_taken_port_is_named() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap();
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
        log.contains(&format!("Nothing can listen on {address}; set PORT or WAYPOST_BIND")),
        "{log}"
    );
}

/// What a server says that ends because of its database.
fn refused(url: &str) -> String {
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
        "a password is shown: {log}"
    );
    log
}

#[test]
fn a_postgresql_that_cannot_be_used_is_told_with_its_cure() {
    let good = waypost_testbed::database();
    let wrong = good.replace("not-for-logs", "secret");
    for (url, said) in [
        (wrong.as_str(), "refuses the password of the user `waypost`; correct it"),
        (
            &waypost_testbed::address("nowhere"),
            "createdb --owner=waypost --encoding=UTF8 nowhere",
        ),
        (
            "postgres://me:secret@127.0.0.1:1/tours",
            "`tours` of PostgreSQL at 127.0.0.1:1 cannot be opened",
        ),
        (
            "postgres://me:secret@127.0.0.1:1/tours",
            "is it running, and is the address right?",
        ),
        (
            "mysql://me:secret@127.0.0.1/tours",
            "it does not begin with postgres://",
        ),
        (
            "postgres://me:secret@host:port/tours",
            "WAYPOST_DATABASE_URL must be an address such as",
        ),
    ] {
        let log = refused(url);
        assert!(log.contains(said), "{said}: {log}");
    }
}
