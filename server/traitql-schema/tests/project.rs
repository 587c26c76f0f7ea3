//! The project's own schema and operations make a model.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

use traitql_schema::{SourceText, load};

fn read(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            read(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "graphql") {
            files.push(path);
        }
    }
}

fn sources(folder: &str) -> Vec<SourceText> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    read(&root.join(folder), &mut files);
    let name = |path: &PathBuf| path.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
    files
        .iter()
        .map(|path| SourceText::new(name(path), fs::read_to_string(path).unwrap()))
        .collect()
}

#[test]
fn the_projects_own_schema_is_right() {
    let model = match load(&sources("schema"), &sources("operations")) {
        Ok(model) => model,
        Err(report) => panic!("{report}"),
    };
    if let Ok(path) = std::env::var("DUMP") {
        fs::write(
            path,
            model
                .operations
                .iter()
                .map(|op| format!("#### {} cost {} depth {}\n{}\n", op.name, op.cost, op.depth, op.body))
                .collect::<String>()
                + &model.sdl
                + &format!("{:#?}", model),
        )
        .unwrap();
    }
    assert_eq!(model.role_enum.as_deref(), Some("Role"));
}
