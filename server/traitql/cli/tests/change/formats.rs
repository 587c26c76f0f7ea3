use crate::project::Project;

#[test]
fn a_diagnostic_has_position_help_and_link() {
    let project = Project::new();
    project.schema(&[("title: String!", "title: Strng!")]);
    for command in ["check", "generate"] {
        let object = project.json(&[command]);
        let found = &object["diagnostics"][0];
        assert_eq!(
            (&found["code"], &found["slug"]),
            (&"G001".into(), &"unknown_type".into())
        );
        assert_eq!((&found["line"], &found["column"]), (&16.into(), &10.into()));
        assert_eq!(found["end"], serde_json::json!({ "line": 16, "column": 15 }));
        assert!(found["link"].as_str().unwrap().ends_with("/G001.md"), "{found}");
        assert!(found["help"][0].as_str().unwrap().contains("`String`"), "{found}");
    }
    let output = project.fail(&["check", "--format", "github"]);
    let expected = "::error file=schema/schema.graphql,line=16,col=10,endColumn=14,title=G001 unknown_type::unknown type `Strng`%0A";
    assert!(output.starts_with(expected), "{output}");
}

#[test]
fn stale_files_and_configuration_errors_have_positions() {
    let project = Project::new();
    let path = "api/src/generated/schema.graphql";
    project.write(path, &project.read(path).replace("title: String!", "title: String"));
    let object = project.json(&["check"]);
    assert_eq!(object["diagnostics"][0]["file"], path);
    assert!(object["diagnostics"][0]["line"].is_u64());
    let object = project.json(&["generate"]);
    assert_eq!(object["written"], serde_json::json!([path]));
    assert_eq!(project.json(&["generate"])["written"], serde_json::json!([]));

    project.write(
        "codegen.yml",
        &project.read("codegen.yml").replace("manifest:", "manifset:"),
    );
    let object = project.json(&["check"]);
    assert_eq!(object["diagnostics"][0]["file"], "codegen.yml");
    assert_eq!(object["diagnostics"][0]["code"], serde_json::Value::Null);
    let output = project.fail(&["check", "--format", "github"]);
    assert!(output.contains("::error file=codegen.yml,line=6,"), "{output}");
}

#[test]
fn paths_are_relative_to_the_working_directory() {
    let project = Project::new();
    let inner = Project::new();
    let name = inner.path("").to_string_lossy().trim_end_matches('/').to_owned();
    inner.schema(&[("title: String!", "title: Strng!")]);
    let output = project.fail(&[
        "check",
        "--format",
        "github",
        "--config",
        &format!("{name}/codegen.yml"),
    ]);
    assert!(
        output.contains(&format!("file={name}/schema/schema.graphql,")),
        "{output}"
    );
}

#[test]
fn paths_of_scaffold_are_relative_to_the_working_directory() {
    let project = Project::new();
    let inner = Project::new();
    let name = inner.path("").to_string_lossy().trim_end_matches('/').to_owned();
    let config = format!("{name}/codegen.yml");
    let github = ["scaffold", "--format", "github", "--config", &config];
    let output = project.succeed(&[&github[..], &["Query.version"]].concat());
    assert!(
        output.contains(&format!("::notice file={name}/app/src/lib.rs,line=")) && output.contains("::resolved here"),
        "{output}"
    );
    inner.write("app/src/broken.rs", "impl {");
    let into = format!("{name}/app/src/broken.rs");
    let output = project.fail(&[&github[..], &["Query.tour", "--into", &into]].concat());
    assert!(output.contains(&format!("file={into},")), "{output}");
    assert_eq!(output.matches(&*name).count(), 1, "{output}");
}
