//! What `diff` says, and what it leaves alone.

use crate::project::{Project, plain};

#[test]
fn a_change_is_weighed_and_names_the_operations_it_touches() {
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
    let said = project.good(&["diff"]);
    assert_eq!(
        plain(&said),
        "since HEAD (…)

breaking
  - Query.version  remove its resolver: impl resolve::QueryVersion
  ~ Tour.title  now nullable
      touches Tour (operations/tour/Tour.graphql)

dangerous
  ~ Query.tours  argument first default 10
      touches Tours (operations/tour/Tours.graphql)

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

1 resolver is left over
  impl resolve::QueryVersion for App  app/src/lib.rs:8
"
    );
}

#[test]
fn only_what_is_denied_fails() {
    let project = Project::new();
    assert!(
        project
            .good(&["diff", "--deny", "dangerous"])
            .contains("nothing changed in meaning since HEAD")
    );
    project.schema(&[("first: Int! = 20", "first: Int! = 10")]);
    project.good(&["diff"]);
    project.good(&["diff", "--deny", "breaking"]);
    assert!(
        project
            .bad(&["diff", "--deny", "dangerous"])
            .contains("refused: dangerous changes are denied")
    );
    assert_eq!(project.json(&["diff", "--deny", "dangerous"])["ok"], false);
    project.schema(&[("  title: String!\n", "  title: String\n")]);
    assert!(
        project
            .bad(&["diff", "--deny", "breaking"])
            .contains("refused: breaking changes are denied")
    );
}

#[test]
fn any_revision_is_read_without_touching_the_work_tree() {
    let project = Project::new();
    project.git(&["tag", "one"]);
    project.schema(&[("  sites: [Site!]!\n", "  sites: [Site!]!\n  note: String\n")]);
    project.write(
        "operations/tour/Tours.graphql",
        "query Tours {\n  tours {\n    id\n    note\n  }\n}\n",
    );
    project.good(&["generate"]);
    project.commit();
    // Something is under way when the question comes.
    project.write("schema/site.graphql", "extend type Site {\n  name: String\n}\n");
    project.write("app/src/notes.txt", "mine");
    let before = project.git(&["status", "--porcelain", "--untracked-files=all"]);
    let said = project.good(&["diff", "one"]);
    assert!(
        said.contains("+ Tour.note: String") && said.contains("+ Site.name: String"),
        "{said}"
    );
    let said = project.good(&["diff"]);
    assert!(
        !said.contains("Tour.note") && said.contains("+ Site.name: String"),
        "{said}"
    );
    assert_eq!(project.git(&["status", "--porcelain", "--untracked-files=all"]), before);
    assert_eq!(project.git(&["stash", "list"]), "");
}

#[test]
fn what_cannot_be_compared_with_is_said() {
    let project = Project::new();
    let said = project.bad(&["diff", "nowhere"]);
    assert!(said.contains("git knows no revision `nowhere`"), "{said}");
    let said = project.bad(&["diff", "--", "--upload-pack=x"]);
    assert!(said.contains("git knows no revision `--upload-pack=x`"), "{said}");
    std::fs::remove_dir_all(project.path(".git")).unwrap();
    let said = project.bad(&["diff"]);
    assert!(said.contains("belongs to no repository of git"), "{said}");
}

#[test]
fn tools_and_pull_requests_get_the_same_facts() {
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
    let said = project.good(&["diff", "--format", "github"]);
    let wanted = "::warning file=schema/schema.graphql,line=15,title=breaking change::~ Tour.title  now nullable%0A";
    assert!(said.contains(wanted), "{said}");
    assert!(
        said.contains("::warning file=app/src/lib.rs,line=8,title=resolver left over::"),
        "{said}"
    );
    let said = project.bad(&["diff", "--format", "github", "--deny", "breaking"]);
    assert!(said.contains("::error file=schema/schema.graphql,line=15"), "{said}");
}

#[test]
fn a_schema_that_came_as_json_can_be_compared() {
    let project = Project::new();
    let answer = |fields: &str| {
        format!(
            r#"{{ "__schema": {{ "queryType": {{ "name": "Query" }}, "types": [
                {{ "kind": "OBJECT", "name": "Query", "interfaces": [], "fields": [{fields}] }}] }} }}"#
        )
    };
    let field =
        |name: &str| format!(r#"{{ "name": "{name}", "args": [], "type": {{ "kind": "SCALAR", "name": "String" }} }}"#);
    std::fs::remove_dir_all(project.path("operations")).unwrap();
    std::fs::remove_file(project.path("schema/schema.graphql")).unwrap();
    project.write("schema/api.json", &answer(&format!("{}, {}", field("a"), field("b"))));
    let config = project.read("codegen.yml");
    let config = config.replace("schema/*.graphql", "schema/*.json") + "  allow: [access_missing]\n";
    project.write("codegen.yml", &config);
    project.commit();
    project.write("schema/api.json", &answer(&field("a")));
    let said = project.good(&["diff"]);
    assert!(said.contains("breaking\n  - Query.b"), "{said}");
}

#[test]
fn a_schema_beside_the_folder_of_the_configuration_can_be_compared() {
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
    let said = project.good(&["diff", "--config", "server/codegen.yml"]);
    assert!(said.contains("breaking\n  - Query.version"), "{said}");
}
