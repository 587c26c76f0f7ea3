//! Finds files, and recognizes generated ones.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

use crate::output::Failure;

/// Skips hidden files, `node_modules` and `target`.
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

pub(crate) fn is_generated(path: &Path) -> bool {
    let mut head = [0; 100];
    let read = fs::File::open(path).and_then(|mut file| io::Read::read(&mut file, &mut head));
    // May end within a character after the header.
    traitql_codegen::is_generated(&String::from_utf8_lossy(&head[..read.unwrap_or(0)]))
}
