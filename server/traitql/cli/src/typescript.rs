//! Runs the configured command that generates TypeScript, such as `graphql-codegen`. If it exits, it is started for
//! the next change; if it keeps running, it receives a line on standard input, which avoids Node's startup of seconds.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::output;

pub(crate) struct Typescript {
    command: Vec<String>,
    folder: PathBuf,
    process: Option<Child>,
    /// True if the running process may have missed a change.
    is_pending: bool,
}

impl Typescript {
    pub(crate) fn new(command: &[String], folder: &Path) -> Self {
        Self {
            command: command.to_vec(),
            folder: folder.to_owned(),
            process: None,
            is_pending: false,
        }
    }

    pub(crate) fn generate(&mut self) {
        self.poll();
        match &mut self.process {
            Some(process) => {
                self.is_pending = true;
                // A process that does not read exits, and `poll` starts the next one.
                let line = process
                    .stdin
                    .as_mut()
                    .map(|stdin| stdin.write_all(b"generate\n").and_then(|()| stdin.flush()));
                drop(line);
            }
            None => self.start(),
        }
    }

    /// Must be called regularly to start the next process.
    pub(crate) fn poll(&mut self) {
        let Some(process) = &mut self.process else { return };
        if matches!(process.try_wait(), Ok(None)) {
            return;
        }
        self.process = None;
        if std::mem::take(&mut self.is_pending) {
            self.start();
        }
    }

    fn start(&mut self) {
        let Some((program, arguments)) = self.command.split_first() else {
            return;
        };
        let started = Command::new(installed(program, &self.folder))
            .args(arguments)
            .current_dir(&self.folder)
            .stdin(Stdio::piped())
            .spawn();
        match started {
            Ok(process) => self.process = Some(process),
            Err(error) => {
                let help = match program.as_str() {
                    "graphql-codegen" => "install the npm package `@graphql-codegen/cli`, or set another command",
                    _ => "change the command",
                };
                output::problem(&format!(
                    "error: TypeScript was not generated: cannot start `{program}`: {error}\n  = help: {help} in `traitql.typescript.command`"
                ));
            }
        }
    }
}

/// Prefers installed npm packages to `PATH`, like npm scripts. `npx` would download a missing package.
fn installed(program: &str, folder: &Path) -> PathBuf {
    let file = if cfg!(windows) {
        format!("{program}.cmd")
    } else {
        program.to_owned()
    };
    let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let mut paths = folder
        .ancestors()
        .map(|folder| folder.join("node_modules/.bin").join(&file));
    match paths.find(|path| !program.contains(['/', '\\']) && path.is_file()) {
        Some(path) => path,
        None => PathBuf::from(program),
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
