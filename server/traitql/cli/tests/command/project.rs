use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::time::SystemTime;

use tempfile::TempDir;

pub(crate) const CONFIG: &str = "schema: schema/*.graphql
documents: operations/**/*.graphql
generates: {}
traitql:
  crate: api
  manifest: operations/generated/manifest.json
  typescript: { command: [sh, -c, 'echo typescript is generated'] }
";
pub(crate) const SCHEMA: &str = r#"directive @auth(role: Role, of: String, by: String, maxAge: Int, acr: String) on FIELD_DEFINITION
directive @public on FIELD_DEFINITION

enum Role { VIEWER ADMIN }

type Query {
  tour(id: ID!): Tour @auth(role: VIEWER, of: "Tour", by: "id")
  version: String! @public
}

type Tour {
  id: ID!
  title: String!
}
"#;
pub(crate) const OPERATION: &str = "query Tour($id: ID!) {\n  tour(id: $id) {\n    id\n    title\n  }\n}\n";

pub(crate) fn project() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(&folder, "codegen.yml", CONFIG);
    write(&folder, "api/Cargo.toml", "[package]\nname = \"api\"\n");
    write(&folder, "schema/schema.graphql", SCHEMA);
    write(&folder, "operations/tour/Tour.graphql", OPERATION);
    folder
}

pub(crate) fn write(folder: &TempDir, path: &str, text: &str) {
    let path = folder.path().join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

pub(crate) fn traitql(folder: &TempDir, command: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_traitql"))
        .arg(command)
        .current_dir(folder.path())
        .output()
        .unwrap()
}

pub(crate) fn succeed(folder: &TempDir, command: &str) -> String {
    let output = traitql(folder, command);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

pub(crate) fn fail(folder: &TempDir, command: &str) -> String {
    let output = traitql(folder, command);
    assert_eq!(
        output.status.code(),
        Some(1),
        "{}",
        String::from_utf8_lossy(&output.stdout)
    );
    String::from_utf8(output.stderr).unwrap()
}

pub(crate) fn state(folder: &TempDir) -> BTreeMap<String, (String, SystemTime)> {
    fn walk(root: &Path, folder: &Path, files: &mut BTreeMap<String, (String, SystemTime)>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(root, &path, files);
            } else {
                let name = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
                let changed = fs::metadata(&path).unwrap().modified().unwrap();
                files.insert(name, (fs::read_to_string(&path).unwrap(), changed));
            }
        }
    }
    let mut files = BTreeMap::new();
    walk(folder.path(), folder.path(), &mut files);
    files
}
