//! `watch`: what is saved is generated, whatever editors, branches and mistakes do to the files.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

use crate::project::{CONFIG, OPERATION, SCHEMA, project, write};

/// The command while it runs; it ends with the test.
struct Watch {
    child: Child,
    /// Lines of the result and of problems.
    said: Receiver<String>,
    complained: Receiver<String>,
}

impl Watch {
    /// Begins, and waits until the first round is over.
    fn of(project: &TempDir) -> Self {
        let watch = Self::begun(project);
        watch.says("watching; every save generates");
        watch
    }

    fn begun(project: &TempDir) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_traitql"))
            .arg("watch")
            .current_dir(project.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let said = lines(child.stdout.take().unwrap());
        let complained = lines(child.stderr.take().unwrap());
        Self {
            child,
            said,
            complained,
        }
    }

    fn says(&self, text: &str) {
        wait_for(&self.said, text);
    }

    fn complains(&self, text: &str) {
        wait_for(&self.complained, text);
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The lines of a stream, as they come.
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
    panic!("the command did not say {text:?} within a minute");
}

/// Puts a file in the place of another, as many editors save.
fn replace(project: &TempDir, path: &str, text: &str) {
    write(project, &format!("{path}.new"), text);
    let path = project.path().join(path);
    fs::rename(path.with_added_extension("new"), path).unwrap();
}

fn schema(title: &str) -> String {
    SCHEMA.replace("title: String!", title)
}

#[test]
fn both_languages_are_generated_and_mistakes_survived() {
    let project = project();
    let watch = Watch::begun(&project);
    watch.says("typescript is generated");
    write(&project, "schema/schema.graphql", &schema("title: Strng!"));
    watch.complains("error[G001 unknown_type]");
    watch.complains("the last good state stays");
    write(&project, "schema/schema.graphql", &schema("title: String"));
    watch.says("~ Tour.title  now nullable");
    watch.says("typescript is generated");
}

#[test]
fn files_that_are_put_in_the_place_of_others_are_read_each_time() {
    let project = project();
    let watch = Watch::of(&project);
    for (line, change) in [
        ("title: String", "now nullable"),
        ("title: String!", "no longer nullable"),
        ("title: [String!]!", "now [String!]!, was String!"),
    ] {
        replace(&project, "schema/schema.graphql", &schema(line));
        watch.says(change);
    }
    for name in ["first_unknown", "second_unknown"] {
        replace(&project, "codegen.yml", &format!("{CONFIG}  {name}: 1\n"));
        watch.complains(&format!("`traitql` has no key `{name}`"));
    }
    // With the same text as at the beginning, the configuration is good again.
    replace(&project, "codegen.yml", CONFIG);
    watch.says("nothing changed");
    replace(&project, "schema/schema.graphql", SCHEMA);
    watch.says("~ Tour.title  now String!, was [String!]!");
}

#[test]
fn a_configuration_that_goes_and_comes_back_is_read() {
    let project = project();
    let watch = Watch::of(&project);
    fs::rename(project.path().join("codegen.yml"), project.path().join("codegen.old")).unwrap();
    watch.complains("there is no file `codegen.yml`");
    fs::rename(project.path().join("codegen.old"), project.path().join("codegen.yml")).unwrap();
    watch.says("nothing changed");
    write(&project, "schema/schema.graphql", &schema("title: String"));
    watch.says("~ Tour.title  now nullable");
}

#[test]
fn folders_that_the_configuration_names_later_are_watched() {
    let project = project();
    let watch = Watch::of(&project);
    write(&project, "web/queries/Web.graphql", &OPERATION.replace("Tour(", "Web("));
    let both = CONFIG.replace(
        "operations/**/*.graphql",
        "[operations/**/*.graphql, web/queries/*.graphql]",
    );
    write(&project, "codegen.yml", &both);
    watch.says("+ operation Web");
    write(
        &project,
        "web/queries/Web.graphql",
        &OPERATION.replace("Tour(", "Web(").replace("    title\n", ""),
    );
    watch.says("~ operation Web");
    write(
        &project,
        "web/queries/Other.graphql",
        &OPERATION.replace("Tour(", "Other("),
    );
    watch.says("+ operation Other");
    write(&project, "codegen.yml", CONFIG);
    watch.says("- operation Web");
}

#[test]
fn a_folder_that_vanishes_is_missed_and_found_again() {
    let project = project();
    let watch = Watch::of(&project);
    fs::rename(project.path().join("schema"), project.path().join("aside")).unwrap();
    watch.complains("no file fits `schema/*.graphql`, and it passes by 1 file: `aside/schema.graphql`");
    fs::rename(project.path().join("aside"), project.path().join("schema")).unwrap();
    watch.says("nothing changed");
    write(&project, "schema/schema.graphql", &schema("title: String"));
    watch.says("~ Tour.title  now nullable");

    fs::remove_dir_all(project.path().join("operations")).unwrap();
    // The manifest stood there too and is written anew; no client is known any more.
    watch.says("1 generated file was renewed");
    write(&project, "operations/tour/Tour.graphql", OPERATION);
    watch.says("+ operation Tour");
    // The folder is another one than at the beginning, and the folders in it are too.
    write(
        &project,
        "operations/tour/Tours.graphql",
        &OPERATION.replace("Tour(", "Tours("),
    );
    watch.says("+ operation Tours");
}

#[test]
fn a_folder_that_comes_with_files_in_it_is_read() {
    let project = project();
    let watch = Watch::of(&project);
    write(
        &project,
        "aside/deep/Moved.graphql",
        &OPERATION.replace("Tour(", "Moved("),
    );
    fs::rename(project.path().join("aside"), project.path().join("operations/moved")).unwrap();
    watch.says("+ operation Moved");
    fs::rename(project.path().join("operations/moved"), project.path().join("aside")).unwrap();
    watch.says("- operation Moved");
}

#[test]
fn what_is_saved_while_a_round_runs_is_generated_too() {
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
    // However the saves met the rounds, the last state is what remains.
    watch.says("title39");
    let deadline = std::time::Instant::now() + Duration::from_secs(60);
    loop {
        let sdl = fs::read_to_string(project.path().join("api/src/generated/schema.graphql")).unwrap();
        let manifest = fs::read_to_string(project.path().join("operations/generated/manifest.json")).unwrap();
        if sdl.contains("title39") && manifest.contains("title39") {
            break;
        }
        assert!(std::time::Instant::now() < deadline, "the last save was missed: {sdl}");
        thread::yield_now();
    }
}

#[test]
fn the_command_for_typescript_can_change() {
    let project = project();
    let watch = Watch::of(&project);
    write(
        &project,
        "codegen.yml",
        &CONFIG.replace("typescript is generated", "another command ran"),
    );
    watch.says("another command ran");
}
