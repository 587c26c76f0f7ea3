//! The other language: the command that generates TypeScript from the same files.
//!
//! The command generates once when it starts. If it ends then, like `graphql-codegen` does, it is started again for the next
//! change. If it stays, it is asked for one more generation by a line on its standard input, which spares the seconds that
//! Node takes to start. Either way it runs beside us and prints for itself.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::output;

/// The command, and the process if there is one.
pub(crate) struct Typescript {
    command: Vec<String>,
    folder: PathBuf,
    process: Option<Child>,
    /// A change came while a process was running that may or may not take it up.
    asked: bool,
}

impl Typescript {
    pub(crate) fn new(command: &[String], folder: &Path) -> Self {
        Self {
            command: command.to_vec(),
            folder: folder.to_owned(),
            process: None,
            asked: false,
        }
    }

    /// Asks for one generation.
    pub(crate) fn generate(&mut self) {
        self.tidy();
        match &mut self.process {
            Some(process) => {
                self.asked = true;
                // A process that does not read ends by itself, and `tidy` starts the next one.
                let line = process
                    .stdin
                    .as_mut()
                    .map(|stdin| stdin.write_all(b"generate\n").and_then(|()| stdin.flush()));
                drop(line);
            }
            None => self.start(),
        }
    }

    /// Notices a process that has ended, and starts the next one if a change came meanwhile. To be called now and then.
    pub(crate) fn tidy(&mut self) {
        let Some(process) = &mut self.process else { return };
        if matches!(process.try_wait(), Ok(None)) {
            return;
        }
        self.process = None;
        if std::mem::take(&mut self.asked) {
            self.start();
        }
    }

    fn start(&mut self) {
        let Some((program, arguments)) = self.command.split_first() else {
            return;
        };
        let started = Command::new(program)
            .args(arguments)
            .current_dir(&self.folder)
            .stdin(Stdio::piped())
            .spawn();
        match started {
            Ok(process) => self.process = Some(process),
            Err(error) => output::line(&format!(
                "TypeScript is not generated: cannot start `{program}`: {error}"
            )),
        }
    }
}

impl Drop for Typescript {
    fn drop(&mut self) {
        if let Some(process) = &mut self.process {
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}
