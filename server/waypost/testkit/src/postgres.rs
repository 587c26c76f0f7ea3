//! A PostgreSQL server in a temporary folder with a socket. The shell that starts it stops it at the end of its input,
//! a pipe from this process, so that not even a killed test process leaves a server or folder behind.

use std::{
    env, fs,
    io::{BufRead, BufReader, Read},
    os::unix::{fs::chown, process::CommandExt},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
};

const USER: &str = "waypost";
const PASSWORD: &str = "not-for-logs";

/// Creates an empty server, or a standby of the server in the folder `$4`.
///
/// Ignores signals from the terminal. Prints `ready`, or the log if the server does not start.
const SUPERVISE: &str = r#"trap '' INT TERM HUP
initialize() {
  if [ -n "$4" ]
  then PGPASSWORD=$(cat "$2/password") "$1/pg_basebackup" --pgdata="$2/data" --host="$4" --username="$3" --no-sync \
    --write-recovery-conf --wal-method=stream --checkpoint=fast
  else "$1/initdb" --pgdata="$2/data" --username="$3" --pwfile="$2/password" --auth=password --encoding=UTF8 --locale=C --no-sync &&
    printf "listen_addresses = ''\nfsync = off\nmax_connections = 500\n" >>"$2/data/postgresql.conf"
  fi
}
if initialize "$@" >"$2/log" 2>&1 &&
"$1/pg_ctl" --pgdata="$2/data" --log="$2/log" --silent --wait --options="-k $2" start >>"$2/log" 2>&1
then echo ready; read -r _
else cat "$2/log"
fi
"$1/pg_ctl" --pgdata="$2/data" --silent --mode=immediate stop >/dev/null 2>&1
rm -rf "$2"
"#;

pub(crate) struct Server {
    pub(crate) folder: PathBuf,
    shell: Child,
}

impl Server {
    pub(crate) fn start() -> Self {
        start(&programs(), None)
    }

    pub(crate) fn standby_of(primary: &Self) -> Self {
        start(&programs(), Some(&primary.folder))
    }

    /// Stops the server without a checkpoint, like a crash, and deletes its folder.
    pub(crate) fn stop(mut self) {
        drop(self.shell.stdin.take());
        self.shell.wait().expect("the shell ends");
    }

    /// Runs an SQL statement, and returns its output.
    pub(crate) fn run(&self, statement: &str) -> String {
        let mut psql = client("psql", &self.folder);
        psql.args([
            "--no-psqlrc",
            "--quiet",
            "--tuples-only",
            "--no-align",
            "--set=ON_ERROR_STOP=1",
        ]);
        let output = psql.args(["--command", statement, "postgres"]).output();
        let output = output.expect("`psql` is installed");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    /// Returns a shell of the server's user, in which its programs connect to it.
    pub(crate) fn shell(&self) -> Command {
        let programs = programs();
        let mut shell = program(Path::new("/bin"), "sh");
        with_libraries(&mut shell, &programs);
        let path = env::var_os("PATH").unwrap_or_default();
        let path = env::join_paths([programs].into_iter().chain(env::split_paths(&path)));
        shell.env("PATH", path.expect("folders of programs have no colon in their names"));
        shell
            .env("PGHOST", &self.folder)
            .env("PGUSER", USER)
            .env("PGPASSWORD", PASSWORD);
        shell.current_dir(&self.folder);
        if let Some((uid, gid)) = unprivileged_user() {
            shell.uid(uid).gid(gid);
        }
        shell
    }

    pub(crate) fn create_database(&self, name: &str) {
        let status = client("createdb", &self.folder)
            .args(["--maintenance-db=postgres", name])
            .status();
        assert!(
            status.is_ok_and(|status| status.success()),
            "the database {name} could not be created"
        );
    }
}

pub fn default_database() -> Option<String> {
    env::var("WAYPOST_TEST_DATABASE")
        .is_ok_and(|name| name == "postgres")
        .then(create_database)
}

pub fn create_database() -> String {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let name = format!("test_{}", COUNT.fetch_add(1, Ordering::Relaxed));
    server().create_database(&name);
    database_url(&name)
}

/// Creates a database with the content of a file that [`dump_database`] has written.
pub fn restore_database(dump: &Path) -> String {
    let url = create_database();
    // The output has a line for each statement; errors are on stderr.
    let mut psql = client("psql", &server().folder);
    psql.args(["--no-psqlrc", "--quiet", "--single-transaction", "--output=/dev/null"]);
    psql.arg("--set=ON_ERROR_STOP=1")
        .arg("--file")
        .arg(dump)
        .arg(name_of(&url));
    let status = psql.status();
    assert!(
        status.is_ok_and(|status| status.success()),
        "{} could not be restored",
        dump.display()
    );
    url
}

/// Returns SQL statements that create the tables, functions and rows of a database, for any version of PostgreSQL from
/// the server's on.
pub fn dump_database(url: &str) -> String {
    let mut pg_dump = client("pg_dump", &server().folder);
    pg_dump.args(["--no-owner", "--no-privileges", "--inserts", "--rows-per-insert=100"]);
    let output = pg_dump.arg(name_of(url)).output().expect("`pg_dump` is installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("the encoding is UTF-8");
    // These commands of recent versions of psql contain a random text, and earlier versions do not know them.
    let is_kept = |line: &&str| !line.starts_with(r"\restrict") && !line.starts_with(r"\unrestrict");
    text.lines().filter(is_kept).flat_map(|line| [line, "\n"]).collect()
}

fn client(name: &str, folder: &Path) -> Command {
    let mut client = program(&programs(), name);
    client.env("PGPASSWORD", PASSWORD).arg("--host").arg(folder);
    client.args(["--username", USER]);
    client
}

fn name_of(url: &str) -> &str {
    url.rsplit('/').next().unwrap_or_default()
}

pub fn database_url(name: &str) -> String {
    url_at(&encoded(&server().folder), name)
}

/// Returns a folder as the host of a URL.
pub(crate) fn encoded(folder: &Path) -> String {
    folder.display().to_string().replace('/', "%2F")
}

pub(crate) fn login() -> (&'static str, &'static str) {
    (USER, PASSWORD)
}

/// `address` is a host and a port, or an encoded folder.
pub(crate) fn url_at(address: &str, name: &str) -> String {
    format!("postgres://{USER}:{PASSWORD}@{address}/{name}")
}

pub(crate) fn server() -> &'static Server {
    static SERVER: OnceLock<Server> = OnceLock::new();
    SERVER.get_or_init(Server::start)
}

/// Panics with the log of the server if it does not start.
fn start(programs: &Path, primary: Option<&Path>) -> Server {
    let folder = tempfile::tempdir().expect("a temporary folder").keep();
    fs::write(folder.join("password"), PASSWORD).expect("the folder is writable");
    let mut shell = Command::new("sh");
    shell.args(["-c", SUPERVISE, "sh"]).arg(programs).arg(&folder).arg(USER);
    shell.arg(primary.unwrap_or(Path::new("")));
    shell.current_dir(&folder).stdin(Stdio::piped()).stdout(Stdio::piped());
    with_libraries(&mut shell, programs);
    if let Some((uid, gid)) = unprivileged_user() {
        for path in [folder.clone(), folder.join("password")] {
            chown(path, Some(uid), Some(gid)).expect("root can change the owner of files");
        }
        shell.uid(uid).gid(gid);
    }
    let mut shell = shell.spawn().expect("`sh` is installed");
    let mut output = BufReader::new(shell.stdout.take().expect("stdout is piped"));
    let mut log = String::new();
    output.read_line(&mut log).expect("the log is text");
    if log.trim() != "ready" {
        output.read_to_string(&mut log).expect("the log is text");
        panic!("PostgreSQL in {} did not start:\n{log}", programs.display());
    }
    Server { folder, shell }
}

/// PostgreSQL does not run as root.
pub(crate) fn unprivileged_user() -> Option<(u32, u32)> {
    let users = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let is_root = fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0);
    let find = |name: &str| {
        let mut fields = users.lines().map(|line| line.split(':').collect::<Vec<_>>());
        let fields = fields.find(|fields| fields.first() == Some(&name))?;
        Some((fields.get(2)?.parse().ok()?, fields.get(3)?.parse().ok()?))
    };
    is_root.then(|| {
        find("postgres")
            .or_else(|| find("nobody"))
            .expect("the user `nobody` exists")
    })
}

fn program(programs: &Path, name: &str) -> Command {
    let mut command = Command::new(programs.join(name));
    with_libraries(&mut command, programs);
    command
}

/// Supports a Debian package that was unpacked instead of installed.
pub(crate) fn with_libraries(command: &mut Command, programs: &Path) {
    let Some(usr) = programs.ancestors().find(|folder| folder.ends_with("usr")) else {
        return;
    };
    let lib = usr.join("lib");
    if lib != Path::new("/usr/lib") {
        let entries = fs::read_dir(lib).into_iter().flatten().flatten();
        let libraries = entries
            .map(|entry| entry.path())
            .filter(|path| path.to_string_lossy().ends_with("-linux-gnu"));
        let libraries = env::join_paths(libraries).expect("library folders have no colon in their names");
        command.env("LD_LIBRARY_PATH", libraries);
    }
}

/// Searches `WAYPOST_POSTGRES_BIN`, Debian's folder (newest version), and `PATH`.
fn programs() -> PathBuf {
    let configured = env::var_os("WAYPOST_POSTGRES_BIN").map(PathBuf::from);
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut debian: Vec<PathBuf> = versions.map(|version| version.path().join("bin")).collect();
    debian.sort();
    let path = env::var_os("PATH").unwrap_or_default();
    let path: Vec<PathBuf> = env::split_paths(&path).collect();
    let folders = configured.into_iter().chain(debian.into_iter().rev()).chain(path);
    let mut complete = folders.filter(|folder| {
        [
            "initdb",
            "pg_ctl",
            "postgres",
            "createdb",
            "pg_basebackup",
            "pg_dump",
            "psql",
        ]
        .iter()
        .all(|name| folder.join(name).is_file())
    });
    complete.next().unwrap_or_else(|| {
        panic!(
            "The tests require PostgreSQL's programs: install Debian's package `postgresql`, run `npm test`, which downloads \
             them, or set WAYPOST_POSTGRES_BIN to the folder that contains initdb"
        )
    })
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    #[should_panic(expected = "the reason of initdb")]
    fn a_server_that_does_not_start_panics_with_its_log() {
        let programs = tempfile::tempdir().expect("a temporary folder");
        let initdb = programs.path().join("initdb");
        fs::write(&initdb, "#!/bin/sh\necho 'the reason of initdb' >&2\nexit 1\n").expect("the folder is writable");
        for path in [programs.path(), &initdb] {
            fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("this process owns the file");
        }
        start(programs.path(), None);
    }
}
