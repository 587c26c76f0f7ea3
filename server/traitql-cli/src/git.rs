//! Files as they were at a revision. Everything is read through `git` and nothing is checked out, so the work tree stays as
//! it is.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;

use crate::glob;
use crate::output::Failure;

/// A revision of the repository that a folder belongs to.
#[derive(Debug, Clone)]
pub(crate) struct Revision {
    folder: PathBuf,
    /// As the person wrote it.
    pub(crate) name: String,
    /// The commit's full identity.
    commit: String,
}

impl Revision {
    /// Finds a revision, seen from a folder of the work tree.
    pub(crate) fn find(folder: &Path, name: &str) -> Result<Self, Failure> {
        if !is_repository(folder) {
            let shown = match folder.to_string_lossy() {
                empty if empty.is_empty() => ".".into(),
                other => other,
            };
            return Err(Failure::message(format!(
                "`{shown}` belongs to no repository of git, so there is nothing to compare with"
            )));
        }
        // A name cannot be an option: `--end-of-options` is understood since git 2.24.
        let spec = format!("{name}^{{commit}}");
        let arguments = ["rev-parse", "--verify", "--quiet", "--end-of-options", &spec];
        let output = git(folder, &arguments)?;
        let commit = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        if !output.status.success() || commit.is_empty() {
            let help = match name {
                "HEAD" => "commit something first",
                _ => "a branch, a tag or a commit is meant; does `git fetch` bring it?",
            };
            return Err(Failure::message(format!(
                "git knows no revision `{name}`\n  = help: {help}"
            )));
        }
        Ok(Self {
            folder: folder.to_owned(),
            name: name.to_owned(),
            commit,
        })
    }

    /// The last commit, found when it is read: what is not there then reads as nothing.
    pub(crate) fn head(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            name: "HEAD".to_owned(),
            commit: "HEAD".to_owned(),
        }
    }

    /// The first letters of the commit's identity.
    pub(crate) fn short(&self) -> &str {
        self.commit.get(..7).unwrap_or(&self.commit)
    }

    /// Paths of all files of the repository as the folder sees them, with `/` between their parts: a schema may lie beside
    /// the folder that generates from it.
    pub(crate) fn paths(&self) -> Result<Vec<String>, Failure> {
        let here = git(&self.folder, &["rev-parse", "--show-prefix"])?;
        let tree = ["ls-tree", "-r", "-z", "--name-only", "--full-tree", &self.commit];
        let output = git(&self.folder, &tree)?;
        if let Some(failed) = [&here, &output].into_iter().find(|output| !output.status.success()) {
            return Err(said(failed));
        }
        let here = String::from_utf8_lossy(&here.stdout);
        let text = String::from_utf8_lossy(&output.stdout);
        let paths = text.split('\0').filter(|path| !path.is_empty());
        Ok(paths.map(|path| glob::seen_from(here.trim_end(), path)).collect())
    }

    /// The texts of files, in one go; nothing for a file that is not there.
    pub(crate) fn read(&self, paths: &[String]) -> Result<Vec<Option<String>>, Failure> {
        let mut child = command(&self.folder, &["cat-file", "--batch"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| Failure::message(format!("cannot start git: {error}")))?;
        let asked = paths.iter().map(|path| match path.starts_with("../") {
            true => format!("{}:{path}\n", self.commit),
            false => format!("{}:./{path}\n", self.commit),
        });
        let asked: String = asked.collect();
        // Both pipes have an end: whoever writes all before reading anything may wait forever.
        let stdin = child.stdin.take();
        let writer = thread::spawn(move || stdin.map(|mut stdin| stdin.write_all(asked.as_bytes())));
        let output = child
            .wait_with_output()
            .map_err(|error| Failure::message(format!("cannot read from git: {error}")))?;
        let _ = writer.join();
        Ok(contents(&output.stdout, paths.len()))
    }

    /// The text of one file; nothing when it is not there.
    pub(crate) fn file(&self, path: &str) -> Result<Option<String>, Failure> {
        Ok(self.read(&[path.to_owned()])?.pop().flatten())
    }
}

/// The answers of `git cat-file --batch`: `<identity> blob <size>` and the bytes, or `… missing`.
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

/// Whether a folder belongs to a repository, without asking git: most commands need to know it each time.
pub(crate) fn is_repository(folder: &Path) -> bool {
    let folder = match folder.as_os_str().is_empty() {
        true => Path::new("."),
        false => folder,
    };
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    folder.ancestors().any(|folder| folder.join(".git").exists())
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("git");
    command.arg("-C");
    command.arg(match folder.as_os_str().is_empty() {
        true => Path::new("."),
        false => folder,
    });
    command.args(arguments);
    command
}

fn git(folder: &Path, arguments: &[&str]) -> Result<Output, Failure> {
    let output = command(folder, arguments).stdin(Stdio::null()).output();
    output.map_err(|error| Failure::message(format!("cannot start git: {error}")))
}

fn said(output: &Output) -> Failure {
    Failure::message(format!("git: {}", String::from_utf8_lossy(&output.stderr).trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_are_missing_leave_a_gap() {
        let answer = b"abc blob 6\none\ntw\nHEAD:./x missing\nabc blob 0\n\n";
        assert_eq!(
            contents(answer, 3),
            [Some("one\ntw".to_owned()), None, Some(String::new())]
        );
    }
}
