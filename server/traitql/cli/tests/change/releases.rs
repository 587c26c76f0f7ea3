use serde_json::Value;
use traitql::Documents;

use crate::project::{Project, SCHEMA, TOUR};

const MANIFEST: &str = "operations/generated/manifest.json";

fn names(manifest: &Value, section: &str) -> Vec<String> {
    let entries = manifest[section].as_array().into_iter().flatten();
    entries
        .map(|entry| entry["name"].as_str().unwrap().to_owned())
        .collect()
}

fn body(manifest: &Value, section: &str, name: &str) -> String {
    let mut entries = manifest[section].as_array().unwrap().iter();
    let entry = entries.find(|entry| entry["name"] == name).unwrap();
    entry["body"].as_str().unwrap().to_owned()
}

#[test]
fn a_document_is_stored_once_until_its_operation_changes() {
    let project = Project::new();
    assert!(
        project.manifest().get("releases").is_none(),
        "without a release there must be no section"
    );
    let output = project.succeed(&["freeze", "--name", "2026-11"]);
    assert!(
        output.starts_with("2 documents are kept for clients of release 2026-11"),
        "{output}"
    );
    let manifest = project.manifest();
    assert_eq!(manifest["releases"][0]["name"], "2026-11");
    assert_eq!(manifest["releases"][0]["types"]["Tour.title"], "String!");
    assert_eq!(
        names(&manifest, "released"),
        [""; 0],
        "all documents are current operations"
    );
    assert!(project.succeed(&["check"]).contains("are up to date"));
    assert_eq!(project.succeed(&["generate"]), "nothing changed\n");

    let former = body(&manifest, "operations", "Tour");
    project.write("operations/tour/Tour.graphql", &TOUR.replace("    title\n", ""));
    std::fs::remove_file(project.path("operations/tour/Tours.graphql")).unwrap();
    let output = project.succeed(&["generate"]);
    assert!(
        output.contains("~ operation Tour  document changed; the previous text is served for 2026-11"),
        "{output}"
    );
    assert!(
        output.contains("- operation Tours  still served for 2026-11"),
        "{output}"
    );
    let manifest = project.manifest();
    assert_eq!(names(&manifest, "operations"), ["Tour"]);
    assert_eq!(names(&manifest, "released"), ["Tour", "Tours"]);
    assert_eq!(
        body(&manifest, "released", "Tour"),
        former,
        "the document must not change"
    );

    // The server accepts all three documents, with their current cost.
    let documents = Documents::from_manifest(&project.read(MANIFEST)).unwrap();
    assert_eq!((documents.len(), documents.iter().count()), (3, 1));
    let tours = body(&manifest, "released", "Tours");
    assert_eq!(documents.by_text(&tours).unwrap().cost, 21);
    assert_eq!(documents.by_text(&former).unwrap().name.as_deref(), Some("Tour"));

    // The document is a current one again.
    project.write("operations/tour/Tour.graphql", TOUR);
    project.succeed(&["generate"]);
    assert_eq!(names(&project.manifest(), "released"), ["Tours"]);
}

#[test]
fn a_change_that_breaks_a_released_document_is_an_error() {
    let project = Project::new();
    project.succeed(&["freeze", "--name", "2026-11"]);
    project.commit();
    // Deployed clients still select the title.
    project.write("operations/tour/Tour.graphql", &TOUR.replace("    title\n", ""));
    project.schema(&[("  title: String!\n", "")]);
    let before = project.read(MANIFEST);
    for command in ["check", "generate"] {
        let output = project.fail(&[command]);
        assert!(
            output.contains("error[L001 release_broken]: breaks released clients: `Tour` has no field `title`"),
            "{output}"
        );
        assert!(output.contains("--> schema/schema.graphql:14:6"), "{output}");
        assert!(
            output.contains("note: required by `Tour` of release 2026-11"),
            "{output}"
        );
        assert!(output.contains("`cargo traitql unfreeze 2026-11`"), "{output}");
    }
    assert_eq!(project.read(MANIFEST), before);
    let object = project.json(&["check"]);
    assert_eq!(object["diagnostics"][0]["slug"], "release_broken");

    let output = project.succeed(&["diff"]);
    assert!(
        output.contains("breaking\n  - Tour.title\n      affects Tour"),
        "{output}"
    );
    assert!(
        output.contains("  error[L001 release_broken]: breaks released clients"),
        "{output}"
    );
    assert!(!output.contains("release 2026-11  its documents"), "{output}");
    let output = project.succeed(&["diff", "--format", "github"]);
    let expected = "::error file=schema/schema.graphql,line=14,title=L001 release_broken::breaks released clients";
    assert!(output.contains(expected), "{output}");
    assert_eq!(
        project.json(&["diff", "--deny", "breaking"])["broken_releases"][0]["code"],
        "L001"
    );

    // Valid, but the response would not match the clients' types.
    project.schema(&[("type Tour {\n", "type Tour {\n  title: String\n")]);
    let output = project.fail(&["check"]);
    assert!(
        output.contains("`Tour.title` is now `String`, was `String!`"),
        "{output}"
    );

    project.succeed(&["unfreeze", "2026-11"]);
    assert!(project.succeed(&["check"]).contains("are up to date"));
    assert_eq!(
        project.manifest()["releases"][0],
        serde_json::json!({ "name": "2026-11", "unfrozen": true })
    );
}

#[test]
fn removing_a_default_that_clients_rely_on_is_an_error() {
    let project = Project::new();
    project.schema(&[
        (
            "  version: String! @public\n",
            "  version: String! @public\n  search(by: Search!): [Tour!]! @auth\n",
        ),
        (
            "type Site {",
            "input Search {\n  text: String!\n  limit: Int! = 10\n}\n\ntype Site {",
        ),
    ]);
    project.write(
        "operations/Search.graphql",
        "query Search($by: Search!) {\n  search(by: $by) {\n    id\n  }\n}\n",
    );
    let allow = project.read("codegen.yml") + "  allow: [input_suffix]\n";
    project.write("codegen.yml", &allow);
    project.succeed(&["freeze", "--name", "2026-11"]);
    assert_eq!(project.manifest()["releases"][0]["types"]["Search.limit"], "Int! = 10");
    project.schema(&[("limit: Int! = 10", "limit: Int! = 20")]);
    project.succeed(&["generate"]);
    project.schema(&[("limit: Int! = 20", "limit: Int!")]);
    let output = project.fail(&["check"]);
    assert!(
        output.contains("`Search.limit` no longer has a default, and they may omit it"),
        "{output}"
    );
}

#[test]
fn removing_a_release_without_retire_is_an_error() {
    let project = Project::new();
    project.succeed(&["freeze", "--name", "2026-11"]);
    project.commit();
    let kept = project.read(MANIFEST);
    let mut manifest = project.manifest();
    manifest["releases"].as_array_mut().unwrap().clear();
    project.write(MANIFEST, &manifest.to_string());
    for command in ["generate", "check", "freeze"] {
        let output = project.fail(&[command]);
        assert!(
            output.contains("the release 2026-11 is missing, but deployed clients need it"),
            "{output}"
        );
        assert!(
            output.contains("`git checkout HEAD -- operations/generated/manifest.json`"),
            "{output}"
        );
    }
    // A missing file, and a broken merge.
    std::fs::remove_file(project.path(MANIFEST)).unwrap();
    assert!(project.fail(&["generate"]).contains("the release 2026-11 is missing"));
    project.write(MANIFEST, &kept.replace("\"version\": 1,", "<<<<<<< HEAD"));
    assert!(project.fail(&["generate"]).contains("its releases cannot be read"));
    project.write(
        MANIFEST,
        &kept.replace("\"Tour.title\": \"String!\"", "\"Tour.title\": \"String\""),
    );
    let output = project.fail(&["check"]);
    assert!(
        output.contains("`Tour.title: String!` of release 2026-11 is missing"),
        "{output}"
    );
    project.write(MANIFEST, &kept.replace("query Tour(", "query Tuor("));
    assert!(
        project
            .fail(&["generate"])
            .contains("the document `Tour` of release 2026-11 does not match its hash")
    );
    project.write(MANIFEST, &kept);
    assert_eq!(project.succeed(&["generate"]), "nothing changed\n");
}

#[test]
fn moving_the_manifest_keeps_its_releases() {
    let project = Project::new();
    project.succeed(&["freeze", "--name", "2026-11"]);
    project.commit();
    let config = project.read("codegen.yml");
    project.write("codegen.yml", &config.replace(MANIFEST, "operations/manifest.json"));
    let output = project.fail(&["generate"]);
    assert!(output.contains("the release 2026-11 is missing"), "{output}");
    assert!(
        output.contains(&format!("`git mv {MANIFEST} operations/manifest.json`")),
        "{output}"
    );
    project.git(&["mv", MANIFEST, "operations/manifest.json"]);
    project.succeed(&["generate"]);
    assert!(project.read("operations/manifest.json").contains("2026-11"));
}

#[test]
fn removing_a_release_is_a_breaking_change() {
    let project = Project::new();
    project.succeed(&["freeze", "--name", "2026-11"]);
    project.commit();
    project.git(&["tag", "base"]);
    let mut manifest = project.manifest();
    manifest.as_object_mut().unwrap().remove("releases");
    project.write(MANIFEST, &manifest.to_string());
    project.commit();
    let output = project.fail(&["diff", "base", "--deny", "breaking"]);
    assert!(
        output.contains("- release 2026-11  its documents are no longer served"),
        "{output}"
    );
}

#[test]
fn release_names_are_unique_and_old_releases_can_be_unfrozen() {
    let project = Project::new();
    project.succeed(&["freeze", "--name", "1.0"]);
    let output = project.succeed(&["freeze", "--name", "1.1"]);
    assert!(
        output.contains("release 1.0 already contains the same documents"),
        "{output}"
    );
    for (number, field) in [("1.1", "id"), ("1.2", "title")] {
        project.write(
            "operations/Extra.graphql",
            &format!("query Extra {{\n  tours {{\n    {field}\n  }}\n}}\n"),
        );
        project.succeed(&["freeze", "--name", number]);
    }
    assert!(
        project
            .fail(&["freeze", "--name", "1.1"])
            .contains("the release `1.1` already exists")
    );
    assert!(
        project
            .fail(&["freeze", "--name", "a b"])
            .contains("`a b` is not a valid release name")
    );
    assert!(project.fail(&["unfreeze", "1.3"]).contains("there is no release `1.3`"));
    let output = project.succeed(&["unfreeze", "--before", "1.2"]);
    assert_eq!(
        output,
        "release 1.0 is unfrozen; it contained 2 documents\nrelease 1.1 is unfrozen; it contained 3 documents\n"
    );
    assert_eq!(names(&project.manifest(), "released"), [""; 0]);
    assert!(
        project
            .fail(&["freeze", "--name", "1.0"])
            .contains("the release `1.0` is unfrozen")
    );
    let object = project.json(&["unfreeze", "1.2"]);
    assert_eq!(object["releases"][2]["unfrozen"], true);
    assert_eq!(project.succeed(&["unfreeze", "1.2"]), "nothing was unfrozen\n");
}

#[test]
fn the_default_name_of_a_release_is_the_date() {
    let project = Project::new();
    let object = project.json(&["freeze"]);
    let name = object["releases"][0]["name"].as_str().unwrap();
    let is_date = name.len() == 10 && name.bytes().filter(|byte| *byte == b'-').count() == 2;
    assert!(is_date, "{name}");
}

#[test]
fn stricter_constraints_and_access_checks_are_errors() {
    const ROLES: &str = "enum Role { VIEWER ADMIN }";
    let project = Project::new();
    let search = |limit: &str, roles: &str, role: &str| {
        let fields = format!(
            "  version: String! @public\n  search(text: String! {limit}, by: SearchInput!): [Tour!]! @auth(role: {role}, of: \"Tour\", by: \"by.tour\")\n"
        );
        let input = format!("input SearchInput {{\n  tour: ID! {limit}\n}}\n\ntype Site {{");
        let schema = SCHEMA
            .replace("  version: String! @public\n", &fields)
            .replace("type Site {", &input);
        project.write("schema/schema.graphql", &schema.replace(ROLES, roles));
    };
    project.write(
        "schema/length.graphql",
        "directive @length(min: Int! = 0, max: Int!) on ARGUMENT_DEFINITION | INPUT_FIELD_DEFINITION\n",
    );
    project.write(
        "operations/Search.graphql",
        "query Search($text: String!, $tour: ID!) {\n  search(text: $text, by: { tour: $tour }) {\n    id\n  }\n}\n",
    );
    search("@length(min: 1, max: 80)", ROLES, "VIEWER");
    project.succeed(&["freeze", "--name", "2026-11"]);
    let types = &project.manifest()["releases"][0]["types"];
    assert_eq!(types["Query.search(text:)"], "String! @length(min: 1, max: 80)");
    assert_eq!(types["SearchInput.tour"], "ID! @length(min: 1, max: 80)");
    assert_eq!(
        types["Query.search"],
        "[Tour!]! @auth(role: VIEWER, of: \"Tour\", by: \"by.tour\")"
    );

    search("@length(min: 1, max: 40)", ROLES, "VIEWER");
    let output = project.fail(&["check"]);
    for coordinate in ["Query.search(text:)", "SearchInput.tour"] {
        let expected =
            format!("breaks released clients: `{coordinate}` requires 1 to 40 characters, was 1 to 80 characters");
        assert!(output.contains(&expected), "{output}");
    }
    search("@length(min: 1, max: 80)", ROLES, "ADMIN");
    let output = project.fail(&["check"]);
    assert!(output.contains("`Query.search`: access ADMIN, was VIEWER"), "{output}");
    search("@length(min: 1, max: 80)", "enum Role { ADMIN VIEWER }", "VIEWER");
    let output = project.fail(&["check"]);
    assert!(
        output.contains("the roles of `Role` were reordered: ADMIN < VIEWER"),
        "{output}"
    );
    // Compatible.
    search("@length(min: 0, max: 200)", ROLES, "VIEWER");
    project.succeed(&["generate"]);
    search("", "enum Role { GUEST VIEWER ADMIN }", "GUEST");
    project.succeed(&["generate"]);
}
