//! `--format json` and `--format github` of `check` and `generate`.

use crate::project::Project;

#[test]
fn a_mistake_has_a_place_a_help_and_a_link() {
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
    let said = project.bad(&["check", "--format", "github"]);
    let wanted = "::error file=schema/schema.graphql,line=16,col=10,endColumn=14,title=G001 unknown_type::unknown type `Strng`%0A";
    assert!(said.starts_with(wanted), "{said}");
}

#[test]
fn a_stale_file_and_a_wrong_configuration_have_places_too() {
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
    let said = project.bad(&["check", "--format", "github"]);
    assert!(said.contains("::error file=codegen.yml,line=6,"), "{said}");
}

#[test]
fn a_project_in_a_folder_is_named_from_where_the_command_runs() {
    let project = Project::new();
    let inner = Project::new();
    let name = inner.path("").to_string_lossy().trim_end_matches('/').to_owned();
    inner.schema(&[("title: String!", "title: Strng!")]);
    let said = project.bad(&[
        "check",
        "--format",
        "github",
        "--config",
        &format!("{name}/codegen.yml"),
    ]);
    assert!(said.contains(&format!("file={name}/schema/schema.graphql,")), "{said}");
}

#[test]
fn scaffold_names_files_from_where_the_command_runs() {
    let project = Project::new();
    let inner = Project::new();
    let name = inner.path("").to_string_lossy().trim_end_matches('/').to_owned();
    let config = format!("{name}/codegen.yml");
    let github = ["scaffold", "--format", "github", "--config", &config];
    let said = project.good(&[&github[..], &["Query.version"]].concat());
    assert!(
        said.contains(&format!("::notice file={name}/app/src/lib.rs,line=")) && said.contains("::resolved here"),
        "{said}"
    );
    inner.write("app/src/broken.rs", "impl {");
    let into = format!("{name}/app/src/broken.rs");
    let said = project.bad(&[&github[..], &["Query.tour", "--into", &into]].concat());
    assert!(said.contains(&format!("file={into},")), "{said}");
    assert_eq!(said.matches(&*name).count(), 1, "{said}");
}
