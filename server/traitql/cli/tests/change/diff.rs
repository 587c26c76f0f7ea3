use crate::project::{Project, plain};

#[test]
fn changes_are_grouped_by_severity_with_affected_operations() {
    let project = Project::new();
    project.schema(&[
        ("  title: String!\n", "  title: String\n  note: String @public_note\n"),
        ("first: Int! = 20", "first: Int! = 10"),
        ("  version: String! @public\n", ""),
        (
            "directive @public on",
            "directive @public_note on FIELD_DEFINITION\ndirective @public on",
        ),
        ("type Site {\n", "type Site {\n  tours: [Tour!]!\n"),
    ]);
    let output = project.succeed(&["diff"]);
    assert_eq!(
        plain(&output),
        "since HEAD (…)

breaking
  - Query.version  remove its resolver: impl resolve::QueryVersion
  ~ Tour.title  now nullable
      affects Tour (operations/tour/Tour.graphql)

dangerous
  ~ Query.tours  argument first default 10
      affects Tours (operations/tour/Tours.graphql)

safe
  + Tour.note: String  field of struct Tour
  + Site.tours: [Tour!]!  needs a resolver: impl resolve::SiteTours
  + @public_note
  ~ operation Tours  cost 11, was 21

2 breaking, 1 dangerous, 4 safe

3 resolvers are missing
  resolve::QueryTour  (cargo traitql scaffold Query.tour)
  resolve::QueryTours  (cargo traitql scaffold Query.tours)
  resolve::SiteTours  (cargo traitql scaffold Site.tours)

1 resolver is orphaned
  impl resolve::QueryVersion for App  app/src/lib.rs:8
"
    );
}

#[test]
fn diff_fails_only_for_denied_severities() {
    let project = Project::new();
    assert!(
        project
            .succeed(&["diff", "--deny", "dangerous"])
            .contains("no changes of schema or operations since HEAD")
    );
    project.schema(&[("first: Int! = 20", "first: Int! = 10")]);
    project.succeed(&["diff"]);
    project.succeed(&["diff", "--deny", "breaking"]);
    assert!(
        project
            .fail(&["diff", "--deny", "dangerous"])
            .contains("failed: `--deny dangerous` does not allow these changes")
    );
    assert_eq!(project.json(&["diff", "--deny", "dangerous"])["ok"], false);
    project.schema(&[("  title: String!\n", "  title: String\n")]);
    assert!(
        project
            .fail(&["diff", "--deny", "breaking"])
            .contains("failed: `--deny breaking` does not allow these changes")
    );
}

#[test]
fn reading_a_revision_does_not_change_the_work_tree() {
    let project = Project::new();
    project.git(&["tag", "one"]);
    project.schema(&[("  sites: [Site!]!\n", "  sites: [Site!]!\n  note: String\n")]);
    project.write(
        "operations/tour/Tours.graphql",
        "query Tours {\n  tours {\n    id\n    note\n  }\n}\n",
    );
    project.succeed(&["generate"]);
    project.commit();
    // Uncommitted.
    project.write("schema/site.graphql", "extend type Site {\n  name: String\n}\n");
    project.write("app/src/notes.txt", "mine");
    let before = project.git(&["status", "--porcelain", "--untracked-files=all"]);
    let output = project.succeed(&["diff", "one"]);
    assert!(
        output.contains("+ Tour.note: String") && output.contains("+ Site.name: String"),
        "{output}"
    );
    let output = project.succeed(&["diff"]);
    assert!(
        !output.contains("Tour.note") && output.contains("+ Site.name: String"),
        "{output}"
    );
    assert_eq!(project.git(&["status", "--porcelain", "--untracked-files=all"]), before);
    assert_eq!(project.git(&["stash", "list"]), "");
}

#[test]
fn an_unknown_revision_is_an_error() {
    let project = Project::new();
    let output = project.fail(&["diff", "nowhere"]);
    assert!(output.contains("unknown git revision `nowhere`"), "{output}");
    let output = project.fail(&["diff", "--", "--upload-pack=x"]);
    assert!(output.contains("unknown git revision `--upload-pack=x`"), "{output}");
    std::fs::remove_dir_all(project.path(".git")).unwrap();
    let output = project.fail(&["diff"]);
    assert!(output.contains("is not in a git repository"), "{output}");
}

#[test]
fn json_and_github_formats_contain_the_same_facts() {
    let project = Project::new();
    project.schema(&[
        ("  title: String!\n", "  title: String\n"),
        ("  version: String! @public\n", ""),
    ]);
    let object = project.json(&["diff", "HEAD"]);
    let title = object["changes"]
        .as_array()
        .unwrap()
        .iter()
        .find(|change| change["coordinate"] == "Tour.title")
        .unwrap();
    assert_eq!(title["facts"][0]["kind"], "field_became_nullable");
    assert_eq!(
        (&title["file"], &title["line"]),
        (&"schema/schema.graphql".into(), &15.into())
    );
    assert_eq!(title["operations"][0]["file"], "operations/tour/Tour.graphql");
    assert_eq!(object["resolvers"]["orphaned"][0]["file"], "app/src/lib.rs");
    let output = project.succeed(&["diff", "--format", "github"]);
    let expected = "::warning file=schema/schema.graphql,line=15,title=breaking change::~ Tour.title  now nullable%0A";
    assert!(output.contains(expected), "{output}");
    assert!(
        output.contains("::warning file=app/src/lib.rs,line=8,title=orphaned resolver::"),
        "{output}"
    );
    let output = project.fail(&["diff", "--format", "github", "--deny", "breaking"]);
    assert!(
        output.contains("::error file=schema/schema.graphql,line=15"),
        "{output}"
    );
}

#[test]
fn an_introspection_response_can_be_compared() {
    let project = Project::new();
    let response = |fields: &str| {
        format!(
            r#"{{ "__schema": {{ "queryType": {{ "name": "Query" }}, "types": [
                {{ "kind": "OBJECT", "name": "Query", "interfaces": [], "fields": [{fields}] }}] }} }}"#
        )
    };
    let field =
        |name: &str| format!(r#"{{ "name": "{name}", "args": [], "type": {{ "kind": "SCALAR", "name": "String" }} }}"#);
    std::fs::remove_dir_all(project.path("operations")).unwrap();
    std::fs::remove_file(project.path("schema/schema.graphql")).unwrap();
    project.write("schema/api.json", &response(&format!("{}, {}", field("a"), field("b"))));
    let config = project.read("codegen.yml");
    let config = config.replace("schema/*.graphql", "schema/*.json") + "  allow: [access_missing]\n";
    project.write("codegen.yml", &config);
    project.commit();
    project.write("schema/api.json", &response(&field("a")));
    let output = project.succeed(&["diff"]);
    assert!(output.contains("breaking\n  - Query.b"), "{output}");
}

#[test]
fn a_schema_outside_of_the_configuration_folder_can_be_compared() {
    let project = Project::new();
    let config = project.read("codegen.yml");
    let config = config.replace("schema: schema/", "schema: ../schema/");
    project.write(
        "server/codegen.yml",
        &config.replace("documents: operations/", "documents: ../operations/"),
    );
    project.write("server/api/Cargo.toml", "[package]\nname = \"api\"\n");
    project.commit();
    project.schema(&[("  version: String! @public\n", "")]);
    let output = project.succeed(&["diff", "--config", "server/codegen.yml"]);
    assert!(output.contains("breaking\n  - Query.version"), "{output}");
}
