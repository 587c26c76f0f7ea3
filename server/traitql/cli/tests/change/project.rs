use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

const CONFIG: &str = "schema: schema/*.graphql
documents: operations/**/*.graphql
generates: {}
traitql:
  crate: api
  manifest: operations/generated/manifest.json
";
pub(crate) const SCHEMA: &str = r#"directive @auth(role: Role, of: String, by: String, maxAge: Int, acr: String) on FIELD_DEFINITION
directive @public on FIELD_DEFINITION
directive @cost(value: Int! = 1, times: String) on FIELD_DEFINITION
directive @range(min: Float, max: Float) on ARGUMENT_DEFINITION | INPUT_FIELD_DEFINITION

enum Role { VIEWER ADMIN }

type Query {
  tour(id: ID!): Tour @auth(role: VIEWER, of: "Tour", by: "id")
  tours(first: Int! = 20 @range(min: 1, max: 50)): [Tour!]! @auth @cost(times: "first")
  version: String! @public
}

type Tour {
  id: ID!
  title: String!
  sites: [Site!]!
}

type Site {
  id: ID!
}
"#;
pub(crate) const TOUR: &str = "query Tour($id: ID!) {\n  tour(id: $id) {\n    id\n    title\n  }\n}\n";
pub(crate) const TOURS: &str = "query Tours {\n  tours {\n    id\n    sites {\n      id\n    }\n  }\n}\n";
const APP: &str = "//! The application.\n\nuse api::{field, resolve};\nuse traitql::{Ctx, Throws};\n\npub struct App;\n\n\
impl resolve::QueryVersion for App {\n    async fn resolve(&self, _: &Ctx) -> Result<String, Throws<field::QueryVersion>> {\n        Ok(String::new())\n    }\n}\n\n\
impl resolve::TourSites for App {}\n";

pub(crate) struct Project(TempDir);

impl Project {
    pub(crate) fn new() -> Self {
        let project = Self(tempfile::tempdir().unwrap());
        project.write("codegen.yml", CONFIG);
        project.write("api/Cargo.toml", "[package]\nname = \"api\"\n");
        project.write(
            "app/Cargo.toml",
            "[package]\nname = \"app\"\n\n[dependencies]\napi = { path = \"../api\" }\n",
        );
        project.write("app/src/lib.rs", APP);
        // Implementations in tests and in unrelated crates must be ignored.
        project.write("app/tests/it.rs", "impl api::resolve::QueryTour for Mock {}\n");
        project.write("other/Cargo.toml", "[package]\nname = \"other\"\n");
        project.write("other/src/lib.rs", "impl api::resolve::QueryGone for Other {}\n");
        project.write("schema/schema.graphql", SCHEMA);
        project.write("operations/tour/Tour.graphql", TOUR);
        project.write("operations/tour/Tours.graphql", TOURS);
        project.git(&["init", "--quiet", "--initial-branch", "main"]);
        project.succeed(&["generate"]);
        project.commit();
        project
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap()
    }

    pub(crate) fn schema(&self, changes: &[(&str, &str)]) {
        let mut text = self.read("schema/schema.graphql");
        for (before, after) in changes {
            assert!(text.contains(before), "the schema does not contain {before:?}");
            text = text.replace(before, after);
        }
        self.write("schema/schema.graphql", &text);
    }

    pub(crate) fn manifest(&self) -> Value {
        serde_json::from_str(&self.read("operations/generated/manifest.json")).unwrap()
    }

    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        let identity = [
            "-c",
            "user.name=t",
            "-c",
            "user.email=t@example.com",
            "-c",
            "commit.gpgsign=false",
        ];
        let output = Command::new("git")
            .args(identity)
            .args(arguments)
            .current_dir(self.0.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    pub(crate) fn commit(&self) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--no-verify", "--message", "A state"]);
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_traitql"))
            .args(arguments)
            .current_dir(self.0.path())
            .output()
            .unwrap()
    }

    pub(crate) fn succeed(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let stdout = String::from_utf8(output.stdout).unwrap();
        assert!(
            output.status.success(),
            "{stdout}{}",
            String::from_utf8_lossy(&output.stderr)
        );
        stdout
    }

    pub(crate) fn fail(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert_eq!(
            output.status.code(),
            Some(1),
            "{}",
            String::from_utf8_lossy(&output.stdout)
        );
        String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap()
    }

    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        let output = self.run(&[arguments, &["--format", "json"]].concat());
        let text = String::from_utf8(output.stdout).unwrap();
        let value: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        crate::shape::validate(&value);
        assert_eq!(value["ok"], output.status.success(), "{text}");
        value
    }
}

/// Removes commit hashes, which differ between runs.
pub(crate) fn plain(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        match line.split_once("HEAD (") {
            Some((before, rest)) => {
                let after = rest.split_once(')').map_or("", |(_, after)| after);
                out += &format!("{before}HEAD (…){after}\n");
            }
            None => out += &format!("{line}\n"),
        }
    }
    out
}
