use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::string::FromUtf8Error;

use traitql_codegen::GeneratedFile;
use traitql_schema::SourceText;

use crate::config::Settings;
use crate::files::{is_generated, walk};
use crate::output::Failure;
use crate::patterns::PatternContext;
use crate::previous;

pub(crate) fn schema_paths(settings: &Settings) -> Result<BTreeSet<String>, Failure> {
    let context = PatternContext {
        others: Some(&settings.documents),
        had_files: &|| true,
    };
    settings.schema.paths(&settings.root, context)
}

pub(crate) fn document_paths(settings: &Settings) -> Result<BTreeSet<String>, Failure> {
    let context = PatternContext {
        others: Some(&settings.schema),
        had_files: &|| previous::has_operations(settings),
    };
    settings.documents.paths(&settings.root, context)
}

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

pub(crate) fn source(path: String, text: String) -> Result<SourceText, Failure> {
    // Often the only form of a schema.
    let text = if path.ends_with(".json") {
        traitql_schema::introspection::to_sdl(&text)
            .map_err(|problem| Failure::message(format!("{path} is not a schema: {problem}")))?
    } else {
        text
    };
    Ok(SourceText::new(path, text))
}

fn not_utf8(path: &str, error: &FromUtf8Error) -> String {
    let bytes = error.as_bytes();
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return format!("{path} is encoded in UTF-16: save it as UTF-8");
    }
    let valid = &bytes[..error.utf8_error().valid_up_to()];
    let line = valid.iter().filter(|byte| **byte == b'\n').count() + 1;
    format!("line {line} of {path} contains invalid UTF-8: save the file as UTF-8")
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Difference {
    Missing,
    Stale(String),
    Obsolete,
}

/// Compares generated files with the disk.
///
/// # Errors
/// Fails if a handwritten file is in the folder of the generated Rust or would be overwritten. Generated files in that
/// folder that are not in `files` are from an earlier schema, and reported as [`Difference::Obsolete`].
pub(crate) fn differences(settings: &Settings, files: &[GeneratedFile]) -> Result<Vec<(String, Difference)>, Failure> {
    let root = &settings.root;
    let mut found = Vec::new();
    for file in files {
        match fs::read_to_string(root.join(&file.path)) {
            Ok(contents) if contents == file.contents => {}
            Ok(contents) if !is_ours(settings, &file.path, &contents) => {
                return Err(Failure::message(format!(
                    "{} would be overwritten, but it was not generated: move it, or change the path in codegen.yml",
                    file.path
                )));
            }
            Ok(contents) => found.push((file.path.clone(), Difference::Stale(contents))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                found.push((file.path.clone(), Difference::Missing))
            }
            // Damaged, so replaced.
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                found.push((file.path.clone(), Difference::Stale(String::new())));
            }
            Err(error) => return Err(Failure::message(format!("cannot read {}: {error}", file.path))),
        }
    }
    let client = settings.codegen.cynic.as_ref();
    let client = client.map(|client| (client.folder.clone(), "traitql.cynic.folder"));
    for (folder, key) in [(settings.generated_folder(), "traitql.generated")]
        .into_iter()
        .chain(client)
    {
        let mut present = BTreeSet::new();
        walk(root, &folder, &mut present)?;
        for path in present
            .into_iter()
            .filter(|path| !files.iter().any(|file| file.path == *path))
        {
            if !is_generated(&root.join(&path)) {
                return Err(Failure::message(format!(
                    "{path} was not generated, but {folder} may contain only generated files: move the file, or set another folder in `{key}`"
                )));
            }
            found.push((path, Difference::Obsolete));
        }
    }
    // Other generators also write there, so only our files are obsolete.
    if let Some(folder) = &settings.codegen.typescript {
        let prefix = if folder == "." {
            String::new()
        } else {
            format!("{folder}/")
        };
        let entries = fs::read_dir(root.join(folder)).into_iter().flatten().flatten();
        let obsolete = entries
            .map(|entry| format!("{prefix}{}", entry.file_name().to_string_lossy()))
            .filter(|path| !files.iter().any(|file| file.path == *path) && is_generated(&root.join(path)));
        found.extend(obsolete.map(|path| (path, Difference::Obsolete)));
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found.dedup_by(|a, b| a.0 == b.0);
    Ok(found)
}

/// Empty files are incomplete, so they are replaceable.
fn is_ours(settings: &Settings, path: &str, contents: &str) -> bool {
    contents.trim().is_empty()
        || match path {
            path if path == settings.codegen.manifest => contents.contains(traitql_codegen::manifest::FORMAT),
            path if path.ends_with(".rs") || path.ends_with(".ts") => traitql_codegen::is_generated(contents),
            // In the folder of the generated Rust.
            _ => true,
        }
}

/// Moves temporary files, so that no process reads incomplete files, and a full disk changes nothing.
pub(crate) fn apply(
    root: &Path,
    files: &[&GeneratedFile],
    differences: &[(String, Difference)],
) -> Result<(), Failure> {
    let message = |path: &str, error: io::Error| format!("cannot write {path}: {error}");
    let mut staged = Vec::new();
    for (path, _) in differences {
        if let Some(file) = files.iter().find(|file| file.path == *path) {
            let file = StagedFile::write(root.join(path), &file.contents);
            staged.push(file.map_err(|error| Failure::Message(message(path, error)))?);
        }
    }
    let partial = |path: &str, error| {
        let help = "other files may already be written; fix this and run the command again";
        Failure::PartiallyWritten(format!("{}: {help}", message(path, error)))
    };
    for file in staged {
        let path = file.path.display().to_string();
        file.commit().map_err(|error| partial(&path, error))?;
    }
    for (path, _) in differences
        .iter()
        .filter(|(_, difference)| *difference == Difference::Obsolete)
    {
        fs::remove_file(root.join(path)).map_err(|error| partial(path, error))?;
    }
    Ok(())
}

struct StagedFile {
    temporary: PathBuf,
    path: PathBuf,
}

impl StagedFile {
    fn write(path: PathBuf, contents: &str) -> io::Result<Self> {
        let folder = path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let temporary = folder.join(format!(".{name}.{}.tmp", std::process::id()));
        let staged = Self { temporary, path };
        fs::write(&staged.temporary, contents)?;
        Ok(staged)
    }

    fn commit(self) -> io::Result<()> {
        fs::rename(&self.temporary, &self.path)
    }
}

/// Removes the file if it was not moved.
impl Drop for StagedFile {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.temporary);
    }
}
