//! The documented problem matcher of Visual Studio Code must find all errors, with code, position and message.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use regex::Regex;
use serde_json::Value;

const SCHEMA: &str = "type Query {
  tour(id: ID!): Tuor
}

type Tour {
  title: String!
}
";
const OPERATION: &str = "query Tours {
  tours {
    id
  }
}
";

fn task() -> Value {
    let page = Path::new(env!("CARGO_MANIFEST_DIR"))
        .with_file_name("docs")
        .join("editors.md");
    let page = fs::read_to_string(page).unwrap();
    let block = page.split("```json\n").nth(1).unwrap().split("```").next().unwrap();
    serde_json::from_str::<Value>(block).unwrap()["tasks"][0].clone()
}

fn regex(value: &Value) -> Regex {
    Regex::new(value.as_str().unwrap()).unwrap()
}

/// Applies the patterns like the editor: each one must match the line after the previous one.
fn found(matcher: &Value, lines: &[String]) -> Vec<[String; 5]> {
    let (first, second) = (&matcher["pattern"][0], &matcher["pattern"][1]);
    let (head, position) = (regex(&first["regexp"]), regex(&second["regexp"]));
    let group = |captures: &regex::Captures, pattern: &Value, name: &str| {
        let index = usize::try_from(pattern[name].as_u64().unwrap()).unwrap();
        captures.get(index).map_or("", |group| group.as_str()).to_owned()
    };
    let pairs = lines.windows(2).filter_map(|pair| {
        let (head, position) = (head.captures(&pair[0])?, position.captures(&pair[1])?);
        Some([
            group(&head, first, "code"),
            group(&position, second, "file"),
            group(&position, second, "line"),
            group(&position, second, "column"),
            group(&head, first, "message"),
        ])
    });
    pairs.collect()
}

#[test]
fn the_problem_matcher_finds_all_errors() {
    let project = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = project.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write(
        "codegen.yml",
        "schema: schema/*.graphql\ndocuments: operations/*.graphql\ntraitql:\n  crate: api\n  manifest: operations/manifest.json\n",
    );
    write("api/Cargo.toml", "[package]\nname = \"api\"\n");
    write("schema/schema.graphql", SCHEMA);
    write("operations/Tours.graphql", OPERATION);

    let task = task();
    let matcher = &task["problemMatcher"];
    let words: Vec<&str> = task["command"].as_str().unwrap().split(' ').collect();
    assert_eq!(words[..2], ["cargo", "traitql"]);
    // Combine both streams, like a terminal.
    let mut child = Command::new("sh")
        .args([
            "-c",
            &format!("exec \"$0\" {} 2>&1", words[2..].join(" ")),
            env!("CARGO_BIN_EXE_traitql"),
        ])
        .current_dir(project.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let ends = regex(&matcher["background"]["endsPattern"]);
    let mut lines = Vec::new();
    for line in BufReader::new(child.stdout.take().unwrap())
        .lines()
        .map_while(Result::ok)
    {
        let last = ends.is_match(&line);
        lines.push(line);
        if last {
            break;
        }
    }
    child.kill().unwrap();
    child.wait().unwrap();

    assert!(
        regex(&matcher["background"]["beginsPattern"]).is_match(&lines[0]),
        "{lines:?}"
    );
    let expected = [
        [
            "T012",
            "schema/schema.graphql",
            "2",
            "3",
            "`Query.tour` has no access directive",
        ],
        ["G001", "schema/schema.graphql", "2", "18", "unknown type `Tuor`"],
        [
            "D001",
            "operations/Tours.graphql",
            "2",
            "3",
            "`Query` has no field `tours`",
        ],
    ];
    assert_eq!(
        found(matcher, &lines),
        expected.map(|problem| problem.map(str::to_owned)),
        "{lines:#?}"
    );

    // Errors of the configuration have the same form, but no code.
    write(
        "codegen.yml",
        "schema: schema/*.graphql\ndocuments: operations/*.graphql\ntraitql:\n  crat: api\n  manifest: m.json\n",
    );
    let output = Command::new(env!("CARGO_BIN_EXE_traitql"))
        .arg("check")
        .current_dir(project.path())
        .output()
        .unwrap();
    let lines: Vec<String> = String::from_utf8(output.stderr)
        .unwrap()
        .lines()
        .map(str::to_owned)
        .collect();
    let key = [
        "",
        "codegen.yml",
        "4",
        "3",
        "`traitql` has no key `crat`; did you mean `crate`?",
    ];
    assert!(found(matcher, &lines).contains(&key.map(str::to_owned)), "{lines:#?}");
}
