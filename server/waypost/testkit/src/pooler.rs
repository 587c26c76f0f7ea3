//! PgBouncer in front of the tests' PostgreSQL server. Like that server, it runs as another user if this process is root,
//! and ends with this process.

use std::{
    env, fs,
    os::unix::{fs::chown, net::UnixStream, process::CommandExt},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use crate::postgres::{encoded, login, server, unprivileged_user, url_at, with_libraries};

const SUPERVISE: &str = r#"trap '' INT TERM HUP
"$1" --quiet "$2/pgbouncer.ini" >"$2/log" 2>&1 &
read -r _
kill -KILL $!
rm -rf "$2"
"#;

const START_TIMEOUT: Duration = Duration::from_secs(30);

pub struct Pooler {
    folder: PathBuf,
    shell: Child,
}

impl Pooler {
    /// `mode` is `session` or `transaction`.
    pub fn start(mode: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder").keep();
        let (user, password) = login();
        let settings = format!(
            "[databases]\n* = host={} user={user} password={password}\n[pgbouncer]\nlisten_addr =\nlisten_port = 6432\n\
             unix_socket_dir = {}\nauth_type = any\npool_mode = {mode}\nignore_startup_parameters = extra_float_digits\n",
            server().folder.display(),
            folder.display(),
        );
        fs::write(folder.join("pgbouncer.ini"), settings).expect("the folder is writable");
        let mut shell = Command::new("sh");
        let program = program();
        shell.args(["-c", SUPERVISE, "sh"]).arg(&program).arg(&folder);
        with_libraries(&mut shell, &program);
        shell.current_dir(&folder).stdin(Stdio::piped()).stdout(Stdio::null());
        if let Some((uid, gid)) = unprivileged_user() {
            for path in [folder.clone(), folder.join("pgbouncer.ini")] {
                chown(path, Some(uid), Some(gid)).expect("root can change the owner of files");
            }
            shell.uid(uid).gid(gid);
        }
        let shell = shell.spawn().expect("`sh` is installed");
        let started = Instant::now();
        while UnixStream::connect(folder.join(".s.PGSQL.6432")).is_err() {
            let log = || fs::read_to_string(folder.join("log")).unwrap_or_default();
            assert!(started.elapsed() < START_TIMEOUT, "PgBouncer did not start:\n{}", log());
            sleep(Duration::from_millis(20));
        }
        Self { folder, shell }
    }

    /// Returns the address of a database of the tests' server through the pooler.
    pub fn url(&self, database: &str) -> String {
        let name = database.rsplit('/').next().unwrap_or_default();
        url_at(&format!("{}:6432", encoded(&self.folder)), name)
    }

    /// True if transactions of different clients can share a connection although clients prepare statements.
    pub fn keeps_prepared_statements() -> bool {
        let program = program();
        let mut command = Command::new(&program);
        with_libraries(&mut command, &program);
        let version = command.arg("--version").output().expect("PgBouncer runs");
        let version = String::from_utf8_lossy(&version.stdout).into_owned();
        let number = version.split_whitespace().nth(1).unwrap_or_default();
        let mut parts = number.split('.').map(|part| part.parse::<u32>().unwrap_or_default());
        // Since version 1.24, that is the default.
        (parts.next(), parts.next()) >= (Some(1), Some(24))
    }
}

impl Drop for Pooler {
    fn drop(&mut self) {
        drop(self.shell.stdin.take());
        // Ignored, because the shell ends anyway.
        let _ = self.shell.wait();
    }
}

/// Searches `PATH` and the folder of system programs, which is not in the `PATH` of users.
fn program() -> PathBuf {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = env::split_paths(&path).chain([PathBuf::from("/usr/sbin")]);
    let mut found = folders
        .map(|folder| folder.join("pgbouncer"))
        .filter(|file| Path::is_file(file));
    found
        .next()
        .expect("The tests require PgBouncer: install Debian's package `pgbouncer`, or run `npm test` as root")
}
