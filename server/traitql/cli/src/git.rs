use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;

use crate::glob;
use crate::output::Failure;

#[derive(Debug, Clone)]
pub(crate) struct Revision {
    folder: PathBuf,
    pub(crate) name: String,
    commit: String,
}

impl Revision {
    pub(crate) fn find(folder: &Path, name: &str) -> Result<Self, Failure> {
        if !is_repository(folder) {
            let shown = match folder.to_string_lossy() {
                empty if empty.is_empty() => ".".into(),
                other => other,
            };
            return Err(Failure::message(format!(
                "`{shown}` is not in a git repository, so there is nothing to compare with"
            )));
        }
        // `--end-of-options` (git 2.24): the name is no option.
        let spec = format!("{name}^{{commit}}");
        let arguments = ["rev-parse", "--verify", "--quiet", "--end-of-options", &spec];
        let output = git(folder, &arguments)?;
        let commit = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        if !output.status.success() || commit.is_empty() {
            let help = match name {
                "HEAD" => "create a commit first",
                _ => "use a branch, a tag or a commit; you may have to run `git fetch` first",
            };
            return Err(Failure::message(format!(
                "unknown git revision `{name}`\n  = help: {help}"
            )));
        }
        Ok(Self {
            folder: folder.to_owned(),
            name: name.to_owned(),
            commit,
        })
    }

    /// Does not resolve the commit. Reading a missing commit returns no files.
    pub(crate) fn head(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            name: "HEAD".to_owned(),
            commit: "HEAD".to_owned(),
        }
    }

    pub(crate) fn short(&self) -> &str {
        self.commit.get(..7).unwrap_or(&self.commit)
    }

    /// Returns paths relative to the folder, possibly with `../`, because the schema can be outside of it.
    pub(crate) fn paths(&self) -> Result<Vec<String>, Failure> {
        let here = git(&self.folder, &["rev-parse", "--show-prefix"])?;
        let tree = ["ls-tree", "-r", "-z", "--name-only", "--full-tree", &self.commit];
        let output = git(&self.folder, &tree)?;
        if let Some(failed) = [&here, &output].into_iter().find(|output| !output.status.success()) {
            return Err(git_error(failed));
        }
        let here = String::from_utf8_lossy(&here.stdout);
        let text = String::from_utf8_lossy(&output.stdout);
        let paths = text.split('\0').filter(|path| !path.is_empty());
        Ok(paths.map(|path| glob::relative_to(here.trim_end(), path)).collect())
    }

    /// Uses one git process. Returns `None` for files that do not exist.
    pub(crate) fn read(&self, paths: &[String]) -> Result<Vec<Option<String>>, Failure> {
        let mut child = command(&self.folder, &["cat-file", "--batch"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| Failure::message(format!("cannot start git: {error}")))?;
        let requests = paths.iter().map(|path| {
            if path.starts_with("../") {
                format!("{}:{path}\n", self.commit)
            } else {
                format!("{}:./{path}\n", self.commit)
            }
        });
        let requests: String = requests.collect();
        // Concurrent, because both processes would block if both pipes were full.
        let stdin = child.stdin.take();
        let writer = thread::spawn(move || stdin.map(|mut stdin| stdin.write_all(requests.as_bytes())));
        let output = child
            .wait_with_output()
            .map_err(|error| Failure::message(format!("cannot read from git: {error}")))?;
        let _ = writer.join();
        Ok(contents(&output.stdout, paths.len()))
    }

    pub(crate) fn file(&self, path: &str) -> Result<Option<String>, Failure> {
        Ok(self.read(&[path.to_owned()])?.pop().flatten())
    }
}

/// Parses the output of `git cat-file --batch`: `<hash> blob <size>` and the bytes, or `… missing`.
fn contents(mut bytes: &[u8], count: usize) -> Vec<Option<String>> {
    let mut texts = Vec::with_capacity(count);
    while texts.len() < count {
        let end = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len());
        let head = String::from_utf8_lossy(&bytes[..end]);
        let size = head.rsplit(' ').next().and_then(|size| size.parse::<usize>().ok());
        bytes = bytes.get(end + 1..).unwrap_or_default();
        texts.push(size.map(|size| {
            let text = String::from_utf8_lossy(bytes.get(..size).unwrap_or_default()).into_owned();
            bytes = bytes.get(size + 1..).unwrap_or_default();
            text
        }));
    }
    texts
}

/// Does not run git, because most commands need this check.
pub(crate) fn is_repository(folder: &Path) -> bool {
    let folder = or_current(folder);
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    folder.ancestors().any(|folder| folder.join(".git").exists())
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("git");
    command.arg("-C");
    command.arg(or_current(folder));
    command.args(arguments);
    command
}

fn or_current(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    }
}

fn git(folder: &Path, arguments: &[&str]) -> Result<Output, Failure> {
    let output = command(folder, arguments).stdin(Stdio::null()).output();
    output.map_err(|error| Failure::message(format!("cannot start git: {error}")))
}

fn git_error(output: &Output) -> Failure {
    Failure::message(format!("git: {}", String::from_utf8_lossy(&output.stderr).trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_files_are_none() {
        let output = b"abc blob 6\none\ntw\nHEAD:./x missing\nabc blob 0\n\n";
        assert_eq!(
            contents(output, 3),
            [Some("one\ntw".to_owned()), None, Some(String::new())]
        );
    }
}
