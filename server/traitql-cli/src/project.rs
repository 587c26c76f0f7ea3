//! The files of a project: reading what is written by hand, comparing and replacing what is generated.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::string::FromUtf8Error;

use traitql_codegen::GeneratedFile;
use traitql_schema::SourceText;

use crate::config::Settings;
use crate::output::Failure;
use crate::patterns::Around;
use crate::previous;

/// The paths of the schema's files.
pub(crate) fn schema_paths(settings: &Settings) -> Result<BTreeSet<String>, Failure> {
    let around = Around {
        others: Some(&settings.documents),
        had_files: &|| true,
    };
    settings.schema.paths(&settings.root, around)
}

/// The paths of the files of operations.
pub(crate) fn document_paths(settings: &Settings) -> Result<BTreeSet<String>, Failure> {
    let around = Around {
        others: Some(&settings.schema),
        had_files: &|| previous::has_operations(settings),
    };
    settings.documents.paths(&settings.root, around)
}

/// Reads files below `root`, in the order of their paths.
pub(crate) fn sources(root: &Path, paths: BTreeSet<String>) -> Result<Vec<SourceText>, Failure> {
    paths
        .into_iter()
        .map(|path| {
            let bytes =
                fs::read(root.join(&path)).map_err(|error| Failure::message(format!("cannot read {path}: {error}")))?;
            let text = String::from_utf8(bytes).map_err(|error| Failure::message(not_utf8(&path, &error)))?;
            source(path, text)
        })
        .collect()
}

/// A file of the schema or an operation with its text.
pub(crate) fn source(path: String, text: String) -> Result<SourceText, Failure> {
    // The answer of an introspection query: for many schemas there is nothing else.
    let text = match path.ends_with(".json") {
        true => traitql_schema::introspection::to_sdl(&text)
            .map_err(|problem| Failure::message(format!("{path} is no schema: {problem}")))?,
        false => text,
    };
    Ok(SourceText::new(path, text))
}

/// Where a file is no text, and what to do about it.
fn not_utf8(path: &str, error: &FromUtf8Error) -> String {
    let bytes = error.as_bytes();
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return format!("{path} is written in UTF-16: save it as UTF-8");
    }
    let good = &bytes[..error.utf8_error().valid_up_to()];
    let line = good.iter().filter(|byte| **byte == b'\n').count() + 1;
    format!("line {line} of {path} holds bytes that are no UTF-8: save the file as UTF-8")
}

pub(crate) fn walk(root: &Path, folder: &str, paths: &mut BTreeSet<String>) -> Result<(), Failure> {
    let entries = match fs::read_dir(root.join(folder)) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(Failure::message(format!("cannot read {folder}: {error}"))),
    };
    for entry in entries {
        let entry = entry.map_err(|error| Failure::message(format!("cannot read {folder}: {error}")))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with('.') || name == "node_modules" || name == "target" {
            continue;
        }
        let path = if folder.is_empty() {
            name
        } else {
            format!("{folder}/{name}")
        };
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => walk(root, &path, paths)?,
            _ => {
                paths.insert(path);
            }
        }
    }
    Ok(())
}

/// What is on disk instead of a generated file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Difference {
    /// The file is not there.
    Missing,
    /// The file has other contents.
    Stale(String),
    /// The file was generated once, and nothing generates it any more.
    Left,
}

/// Compares generated files with the disk. The folder of generated Rust belongs to us alone: a file in it that was generated
/// is left over from an earlier schema, and one that was not is somebody's work in the wrong place, which nobody may lose.
pub(crate) fn differences(settings: &Settings, files: &[GeneratedFile]) -> Result<Vec<(String, Difference)>, Failure> {
    let root = &settings.root;
    let mut found = Vec::new();
    for file in files {
        match fs::read_to_string(root.join(&file.path)) {
            Ok(contents) if contents == file.contents => {}
            Ok(contents) if !is_ours(settings, &file.path, &contents) => {
                return Err(Failure::message(format!(
                    "{} would be written over, and it was not generated: move it, or let codegen.yml name another place",
                    file.path
                )));
            }
            Ok(contents) => found.push((file.path.clone(), Difference::Stale(contents))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                found.push((file.path.clone(), Difference::Missing))
            }
            // A generated file that is no text was damaged; it is replaced like any other.
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                found.push((file.path.clone(), Difference::Stale(String::new())));
            }
            Err(error) => return Err(Failure::message(format!("cannot read {}: {error}", file.path))),
        }
    }
    let mut present = BTreeSet::new();
    walk(root, &settings.generated_folder(), &mut present)?;
    for path in present
        .into_iter()
        .filter(|path| !files.iter().any(|file| file.path == *path))
    {
        if !is_generated(&root.join(&path)) {
            let folder = settings.generated_folder();
            return Err(Failure::message(format!(
                "{path} was not generated, and {folder} belongs to the generator alone: move the file, or name another folder in `traitql.generated`"
            )));
        }
        found.push((path, Difference::Left));
    }
    // The folder of TypeScript belongs to several generators: what is left there is ours only when it says so.
    if let Some(folder) = &settings.codegen.typescript {
        let prefix = if folder == "." {
            String::new()
        } else {
            format!("{folder}/")
        };
        let entries = fs::read_dir(root.join(folder)).into_iter().flatten().flatten();
        let left = entries
            .map(|entry| format!("{prefix}{}", entry.file_name().to_string_lossy()))
            .filter(|path| !files.iter().any(|file| file.path == *path) && is_generated(&root.join(path)));
        found.extend(left.map(|path| (path, Difference::Left)));
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found.dedup_by(|a, b| a.0 == b.0);
    Ok(found)
}

/// Whether nobody loses anything when a file is replaced. One that is empty was begun by a tool or cut off.
fn is_ours(settings: &Settings, path: &str, contents: &str) -> bool {
    contents.trim().is_empty()
        || match path {
            path if path == settings.codegen.manifest => contents.contains(traitql_codegen::manifest::FORMAT),
            path if path.ends_with(".rs") || path.ends_with(".ts") => traitql_codegen::is_generated(contents),
            // The rest has always been ours: nobody else writes into the folder of generated Rust.
            _ => true,
        }
}

/// Whether a file begins as generated ones do.
pub(crate) fn is_generated(path: &Path) -> bool {
    let mut begin = [0; 100];
    let read = fs::File::open(path).and_then(|mut file| io::Read::read(&mut file, &mut begin));
    // Whatever follows the header may be cut in the middle of a character.
    traitql_codegen::is_generated(&String::from_utf8_lossy(&begin[..read.unwrap_or(0)]))
}

/// Puts the disk in order. Everything is written beside its place first and then moved there: nobody ever reads half of a file,
/// and a disk that is full or a folder that may not be written leaves all as it was.
pub(crate) fn apply(
    root: &Path,
    files: &[&GeneratedFile],
    differences: &[(String, Difference)],
) -> Result<(), Failure> {
    let told = |path: &str, error: io::Error| format!("cannot write {path}: {error}");
    let mut ready = Vec::new();
    for (path, _) in differences {
        if let Some(file) = files.iter().find(|file| file.path == *path) {
            let beside = Beside::write(root.join(path), &file.contents);
            ready.push(beside.map_err(|error| Failure::Message(told(path, error)))?);
        }
    }
    let begun = |path: &str, error| {
        let again = "other files may be written already; when this is mended, run the command once more";
        Failure::Begun(format!("{}: {again}", told(path, error)))
    };
    for beside in ready {
        let path = beside.path.display().to_string();
        beside.settle().map_err(|error| begun(&path, error))?;
    }
    for (path, _) in differences
        .iter()
        .filter(|(_, difference)| *difference == Difference::Left)
    {
        fs::remove_file(root.join(path)).map_err(|error| begun(path, error))?;
    }
    Ok(())
}

/// The contents of a file, beside its place.
struct Beside {
    temporary: PathBuf,
    path: PathBuf,
}

impl Beside {
    fn write(path: PathBuf, contents: &str) -> io::Result<Self> {
        let folder = path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let temporary = folder.join(format!(".{name}.{}.tmp", std::process::id()));
        let beside = Self { temporary, path };
        fs::write(&beside.temporary, contents)?;
        Ok(beside)
    }

    fn settle(self) -> io::Result<()> {
        fs::rename(&self.temporary, &self.path)
    }
}

/// What did not get to its place is nobody's.
impl Drop for Beside {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.temporary);
    }
}
