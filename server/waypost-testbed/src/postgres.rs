//! A PostgreSQL server for tests: in a temporary folder, reached by a socket in it, and gone when the process is, however it ends.
//!
//! A shell starts it and waits for the end of its input, which is a pipe from this process: so a test that panics, or a process
//! that is killed, leaves neither a server nor a folder behind.

use std::{
    env, fs,
    io::{BufRead, BufReader},
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

/// The server says that it is there, waits for the end of the input, and cleans up. Signals of a terminal are for the tests.
const SUPERVISE: &str = r#"trap '' INT TERM HUP
"$1/initdb" --pgdata="$2/data" --username="$3" --pwfile="$2/password" --auth=password --encoding=UTF8 --locale=C --no-sync \
  >"$2/log" 2>&1 &&
printf "listen_addresses = ''\nfsync = off\nmax_connections = 500\n" >>"$2/data/postgresql.conf" &&
"$1/pg_ctl" --pgdata="$2/data" --log="$2/log" --silent --wait --options="-k $2" start >>"$2/log" 2>&1 && echo ready
read -r _
"$1/pg_ctl" --pgdata="$2/data" --silent --mode=immediate stop >/dev/null 2>&1
rm -rf "$2"
"#;

struct Server {
    folder: PathBuf,
    /// Holds the pipe that keeps the server alive.
    _shell: Child,
}

/// The address of a new database for tests that run on SQLite unless `WAYPOST_TEST_DATABASE=postgres` says otherwise.
pub fn usual() -> Option<String> {
    env::var("WAYPOST_TEST_DATABASE")
        .is_ok_and(|name| name == "postgres")
        .then(database)
}

/// The address of a new, empty database.
pub fn database() -> String {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let name = format!("test_{}", COUNT.fetch_add(1, Ordering::Relaxed));
    let folder = &server().folder;
    let mut createdb = program(&programs(), "createdb");
    createdb.env("PGPASSWORD", PASSWORD).arg("--host").arg(folder);
    let made = createdb
        .args(["--username", USER, "--maintenance-db=postgres", &name])
        .status();
    assert!(
        made.is_ok_and(|status| status.success()),
        "the database {name} cannot be made"
    );
    address(&name)
}

/// The address of a database of this name on the server, whether it is there or not.
pub fn address(name: &str) -> String {
    let folder = server().folder.display().to_string().replace('/', "%2F");
    format!("postgres://{USER}:{PASSWORD}@{folder}/{name}")
}

fn server() -> &'static Server {
    static SERVER: OnceLock<Server> = OnceLock::new();
    SERVER.get_or_init(|| {
        let programs = programs();
        let folder = tempfile::tempdir().expect("a temporary folder").keep();
        fs::write(folder.join("password"), PASSWORD).expect("the folder is writable");
        let mut shell = Command::new("sh");
        shell
            .args(["-c", SUPERVISE, "sh"])
            .arg(&programs)
            .arg(&folder)
            .arg(USER);
        shell.current_dir(&folder).stdin(Stdio::piped()).stdout(Stdio::piped());
        with_libraries(&mut shell, &programs);
        if let Some((uid, gid)) = somebody() {
            for path in [folder.clone(), folder.join("password")] {
                chown(path, Some(uid), Some(gid)).expect("root may give files away");
            }
            shell.uid(uid).gid(gid);
        }
        let mut shell = shell.spawn().expect("every system has a shell");
        let mut answer = String::new();
        let output = shell.stdout.take().expect("it is piped");
        let read = BufReader::new(output).read_line(&mut answer);
        if read.is_err() || answer.trim() != "ready" {
            let log = fs::read_to_string(folder.join("log")).unwrap_or_default();
            panic!("PostgreSQL of {} does not start:\n{log}", programs.display());
        }
        Server { folder, _shell: shell }
    })
}

/// PostgreSQL refuses to run as root: then whoever the system has for it, or nobody.
fn somebody() -> Option<(u32, u32)> {
    let users = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let is_root = fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0);
    let named = |name: &str| {
        let mut fields = users.lines().map(|line| line.split(':').collect::<Vec<_>>());
        let fields = fields.find(|fields| fields.first() == Some(&name))?;
        Some((fields.get(2)?.parse().ok()?, fields.get(3)?.parse().ok()?))
    };
    is_root.then(|| {
        named("postgres")
            .or_else(|| named("nobody"))
            .expect("a system has a user `nobody`")
    })
}

fn program(programs: &Path, name: &str) -> Command {
    let mut command = Command::new(programs.join(name));
    with_libraries(&mut command, programs);
    command
}

/// A package that was unpacked and not installed has its libraries beside it.
fn with_libraries(command: &mut Command, programs: &Path) {
    let Some(below) = programs.ancestors().find(|folder| folder.ends_with("usr/lib")) else {
        return;
    };
    if below != Path::new("/usr/lib") {
        let entries = fs::read_dir(below).into_iter().flatten().flatten();
        let libraries = entries
            .map(|entry| entry.path())
            .filter(|path| path.to_string_lossy().ends_with("-linux-gnu"));
        let libraries = env::join_paths(libraries).expect("folders of libraries have no colon in their names");
        command.env("LD_LIBRARY_PATH", libraries);
    }
}

/// The folder of PostgreSQL's programs.
fn programs() -> PathBuf {
    let told = env::var_os("WAYPOST_POSTGRES_BIN").map(PathBuf::from);
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut debian: Vec<PathBuf> = versions.map(|version| version.path().join("bin")).collect();
    debian.sort();
    let path = env::var_os("PATH").unwrap_or_default();
    let path: Vec<PathBuf> = env::split_paths(&path).collect();
    let places = told.into_iter().chain(debian.into_iter().rev()).chain(path);
    let mut complete = places.filter(|place| {
        ["initdb", "pg_ctl", "postgres", "createdb"]
            .iter()
            .all(|name| place.join(name).is_file())
    });
    complete.next().unwrap_or_else(|| {
        panic!(
            "The tests need PostgreSQL's programs: install Debian's package `postgresql`, run `npm test`, which gets them, or set \
             WAYPOST_POSTGRES_BIN to the folder that holds initdb"
        )
    })
}
