use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::PermissionsExt;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

use crate::project::{CONFIG, OPERATION, SCHEMA, project, write};

struct Watch {
    child: Child,
    stdout: Receiver<String>,
    stderr: Receiver<String>,
}

impl Watch {
    fn of(project: &TempDir) -> Self {
        let watch = Self::start(project);
        watch.prints("watching; every save generates");
        watch
    }

    fn start(project: &TempDir) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_traitql"))
            .arg("watch")
            .current_dir(project.path())
            .env("PATH", path_without_npm_packages())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let stdout = lines(child.stdout.take().unwrap());
        let stderr = lines(child.stderr.take().unwrap());
        Self { child, stdout, stderr }
    }

    fn prints(&self, text: &str) {
        wait_for(&self.stdout, text);
    }

    fn prints_error(&self, text: &str) {
        wait_for(&self.stderr, text);
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn path_without_npm_packages() -> OsString {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = env::split_paths(&path).filter(|folder| !folder.ends_with("node_modules/.bin"));
    env::join_paths(folders).unwrap()
}

fn lines(stream: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        BufReader::new(stream)
            .lines()
            .map_while(Result::ok)
            .try_for_each(|line| sender.send(line))
    });
    receiver
}

fn wait_for(lines: &Receiver<String>, text: &str) {
    while let Ok(line) = lines.recv_timeout(Duration::from_secs(60)) {
        if line.contains(text) {
            return;
        }
    }
    panic!("the command did not print {text:?} within a minute");
}

fn replace(project: &TempDir, path: &str, text: &str) {
    write(project, &format!("{path}.new"), text);
    let path = project.path().join(path);
    fs::rename(path.with_added_extension("new"), path).unwrap();
}

fn schema(title: &str) -> String {
    SCHEMA.replace("title: String!", title)
}

#[test]
fn both_languages_are_generated_and_errors_do_not_end_the_command() {
    let project = project();
    let watch = Watch::start(&project);
    watch.prints("typescript is generated");
    write(&project, "schema/schema.graphql", &schema("title: Strng!"));
    watch.prints_error("error[G001 unknown_type]");
    watch.prints_error("keep their last valid state");
    write(&project, "schema/schema.graphql", &schema("title: String"));
    watch.prints("~ Tour.title  now nullable");
    watch.prints("typescript is generated");
}

#[test]
fn graphql_codegen_is_run_only_if_it_is_installed() {
    let project = project();
    let command = "  typescript: { command: [sh, -c, 'echo typescript is generated'] }\n";
    write(&project, "codegen.yml", &CONFIG.replace(command, ""));
    let watch = Watch::start(&project);
    watch.prints_error("cannot start `graphql-codegen`");
    watch.prints_error("install the npm package `@graphql-codegen/cli`");
    let program = "node_modules/.bin/graphql-codegen";
    write(&project, program, "#!/bin/sh\necho \"$* is run\"\n");
    let path = project.path().join(program);
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    write(&project, "schema/schema.graphql", &schema("title: String"));
    watch.prints("--config codegen.yml is run");
}

#[test]
fn replaced_files_are_detected() {
    let project = project();
    let watch = Watch::of(&project);
    for (line, change) in [
        ("title: String", "now nullable"),
        ("title: String!", "no longer nullable"),
        ("title: [String!]!", "now [String!]!, was String!"),
    ] {
        replace(&project, "schema/schema.graphql", &schema(line));
        watch.prints(change);
    }
    for name in ["first_unknown", "second_unknown"] {
        replace(&project, "codegen.yml", &format!("{CONFIG}  {name}: 1\n"));
        watch.prints_error(&format!("`traitql` has no key `{name}`"));
    }
    replace(&project, "codegen.yml", CONFIG);
    watch.prints("nothing changed");
    replace(&project, "schema/schema.graphql", SCHEMA);
    watch.prints("~ Tour.title  now String!, was [String!]!");
}

#[test]
fn a_configuration_that_is_moved_away_and_back_is_detected() {
    let project = project();
    let watch = Watch::of(&project);
    fs::rename(project.path().join("codegen.yml"), project.path().join("codegen.old")).unwrap();
    watch.prints_error("the file `codegen.yml` does not exist");
    fs::rename(project.path().join("codegen.old"), project.path().join("codegen.yml")).unwrap();
    watch.prints("nothing changed");
    write(&project, "schema/schema.graphql", &schema("title: String"));
    watch.prints("~ Tour.title  now nullable");
}

#[test]
fn folders_that_are_added_to_the_configuration_are_watched() {
    let project = project();
    let watch = Watch::of(&project);
    write(&project, "web/queries/Web.graphql", &OPERATION.replace("Tour(", "Web("));
    let both = CONFIG.replace(
        "operations/**/*.graphql",
        "[operations/**/*.graphql, web/queries/*.graphql]",
    );
    write(&project, "codegen.yml", &both);
    watch.prints("+ operation Web");
    write(
        &project,
        "web/queries/Web.graphql",
        &OPERATION.replace("Tour(", "Web(").replace("    title\n", ""),
    );
    watch.prints("~ operation Web");
    write(
        &project,
        "web/queries/Other.graphql",
        &OPERATION.replace("Tour(", "Other("),
    );
    watch.prints("+ operation Other");
    write(&project, "codegen.yml", CONFIG);
    watch.prints("- operation Web");
}

#[test]
fn a_folder_that_is_moved_away_and_back_is_detected() {
    let project = project();
    let watch = Watch::of(&project);
    fs::rename(project.path().join("schema"), project.path().join("aside")).unwrap();
    watch.prints_error("no file matches `schema/*.graphql`; found 1 other file: `aside/schema.graphql`");
    fs::rename(project.path().join("aside"), project.path().join("schema")).unwrap();
    watch.prints("nothing changed");
    write(&project, "schema/schema.graphql", &schema("title: String"));
    watch.prints("~ Tour.title  now nullable");

    fs::remove_dir_all(project.path().join("operations")).unwrap();
    // The manifest was in this folder.
    watch.prints("1 generated file was updated");
    write(&project, "operations/tour/Tour.graphql", OPERATION);
    watch.prints("+ operation Tour");
    // Created again, and must be watched.
    write(
        &project,
        "operations/tour/Tours.graphql",
        &OPERATION.replace("Tour(", "Tours("),
    );
    watch.prints("+ operation Tours");
}

#[test]
fn a_folder_that_is_moved_in_with_its_files_is_detected() {
    let project = project();
    let watch = Watch::of(&project);
    write(
        &project,
        "aside/deep/Moved.graphql",
        &OPERATION.replace("Tour(", "Moved("),
    );
    fs::rename(project.path().join("aside"), project.path().join("operations/moved")).unwrap();
    watch.prints("+ operation Moved");
    fs::rename(project.path().join("operations/moved"), project.path().join("aside")).unwrap();
    watch.prints("- operation Moved");
}

#[test]
fn saves_during_a_round_are_detected() {
    let project = project();
    let watch = Watch::of(&project);
    for number in 0..40 {
        write(
            &project,
            "schema/schema.graphql",
            &schema(&format!("title{number}: String!")),
        );
        write(
            &project,
            "operations/tour/Tour.graphql",
            &OPERATION.replace("title", &format!("title{number}")),
        );
        thread::sleep(Duration::from_millis(number % 7 * 5));
    }
    // For any timing of saves and rounds, the last state must be generated.
    watch.prints("title39");
    let deadline = std::time::Instant::now() + Duration::from_secs(60);
    loop {
        let sdl = fs::read_to_string(project.path().join("api/src/generated/schema.graphql")).unwrap();
        let manifest = fs::read_to_string(project.path().join("operations/generated/manifest.json")).unwrap();
        if sdl.contains("title39") && manifest.contains("title39") {
            break;
        }
        assert!(
            std::time::Instant::now() < deadline,
            "the last save was not generated: {sdl}"
        );
        thread::yield_now();
    }
}

#[test]
fn the_typescript_command_can_change() {
    let project = project();
    let watch = Watch::of(&project);
    write(
        &project,
        "codegen.yml",
        &CONFIG.replace("typescript is generated", "another command ran"),
    );
    watch.prints("another command ran");
}
