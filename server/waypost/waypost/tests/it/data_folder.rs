//! The data folder belongs to one process and one user.

use std::{fs, os::unix::fs::PermissionsExt, path::Path, process::Command};

use crate::support::{Server, provider, waypost};

fn permissions(path: &Path) -> String {
    format!("{:o}", fs::metadata(path).unwrap().permissions().mode() & 0o777)
}

#[tokio::test]
async fn a_second_process_on_a_data_folder_is_refused_until_the_first_ends() {
    let issuer = provider().await;
    let data = tempfile::tempdir().unwrap();
    let mut first = Server::on(&issuer, data.path(), &[]).await;
    let with_settings = |arguments: &[&str]| {
        let mut command = waypost(arguments);
        command
            .env("PORT", "0")
            .env("WAYPOST_DATA", data.path())
            .env("WAYPOST_OIDC_ISSUER", &issuer.url)
            .env("WAYPOST_OIDC_CLIENT_ID", "spa")
            .env("WAYPOST_OIDC_AUDIENCE", "api");
        command
    };
    let second = with_settings(&["serve"]).output().unwrap();
    assert!(!second.status.success());
    let text = String::from_utf8(second.stderr).unwrap();
    let expected = format!(
        "the data folder {} is in use by process {}: stop that process first, or run several processes on one PostgreSQL \
         database",
        data.path().display(),
        first.id()
    );
    assert!(text.contains(&expected), "{text}");
    let doctor = with_settings(&["doctor", "storage"]).output().unwrap();
    let text = String::from_utf8(doctor.stdout).unwrap();
    assert!(text.contains("MB of free space"), "it only reads: {text}");

    first.signal("KILL");
    first.exited().await;
    Server::on(&issuer, data.path(), &[]).await;
}

#[tokio::test]
async fn other_users_cannot_read_the_data() {
    let issuer = provider().await;
    let outer = tempfile::tempdir().unwrap();
    let data = outer.path().join("data");
    let loose = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    fs::create_dir(&data).unwrap();
    loose(&data, 0o755);
    fs::write(data.join("waypost.db"), "").unwrap();
    loose(&data.join("waypost.db"), 0o644);
    let mut shell = Command::new("/bin/sh");
    let program = format!("umask 000 && exec {} serve", env!("CARGO_BIN_EXE_waypost"));
    shell.args(["-c", &program]).env_clear();
    let server = Server::launch(shell, std::process::Stdio::piped(), &issuer, &data, &[]).await;
    server
        .logged("withdrew the permissions of other users on the data folder")
        .await;
    assert_eq!(permissions(&data), "700");
    let mut files = Vec::new();
    for file in fs::read_dir(&data).unwrap().flatten() {
        let name = file.file_name().to_string_lossy().into_owned();
        assert_eq!(permissions(&file.path()), "600", "{name}");
        files.push(name);
    }
    files.sort_unstable();
    assert_eq!(
        files,
        ["waypost.db", "waypost.db-shm", "waypost.db-wal", "waypost.lock"]
    );
}
