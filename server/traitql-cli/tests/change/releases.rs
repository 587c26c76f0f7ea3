//! Documents of clients in the field: kept, answered, and protected from changes of the schema.

use serde_json::Value;
use traitql::Documents;

use crate::project::{Project, SCHEMA, TOUR};

const MANIFEST: &str = "operations/generated/manifest.json";

/// Names of the documents of one section.
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
fn a_document_stands_once_until_its_operation_changes() {
    let project = Project::new();
    assert!(
        project.manifest().get("releases").is_none(),
        "without a release there is no section"
    );
    let said = project.good(&["release", "--name", "2026-11"]);
    assert!(
        said.starts_with("2 documents are kept for clients of release 2026-11"),
        "{said}"
    );
    let manifest = project.manifest();
    assert_eq!(manifest["releases"][0]["name"], "2026-11");
    assert_eq!(manifest["releases"][0]["types"]["Tour.title"], "String!");
    assert_eq!(names(&manifest, "released"), [""; 0], "all of them are asked today");
    assert!(project.good(&["check"]).contains("are up to date"));
    assert_eq!(project.good(&["generate"]), "nothing changed\n");

    let former = body(&manifest, "operations", "Tour");
    project.write("operations/tour/Tour.graphql", &TOUR.replace("    title\n", ""));
    std::fs::remove_file(project.path("operations/tour/Tours.graphql")).unwrap();
    let said = project.good(&["generate"]);
    assert!(
        said.contains("~ operation Tour  document changed; the previous text is served for 2026-11"),
        "{said}"
    );
    assert!(said.contains("- operation Tours  still served for 2026-11"), "{said}");
    let manifest = project.manifest();
    assert_eq!(names(&manifest, "operations"), ["Tour"]);
    assert_eq!(names(&manifest, "released"), ["Tour", "Tours"]);
    assert_eq!(body(&manifest, "released", "Tour"), former, "to the byte");

    // The server answers all three, and knows what they cost today.
    let documents = Documents::from_manifest(&project.read(MANIFEST)).unwrap();
    assert_eq!((documents.len(), documents.iter().count()), (3, 1));
    let tours = body(&manifest, "released", "Tours");
    assert_eq!(documents.by_text(&tours).unwrap().cost, 21);
    assert_eq!(documents.by_text(&former).unwrap().name.as_deref(), Some("Tour"));

    // When the operation asks as before, its document is one of today again.
    project.write("operations/tour/Tour.graphql", TOUR);
    project.good(&["generate"]);
    assert_eq!(names(&project.manifest(), "released"), ["Tours"]);
}

#[test]
fn a_change_that_breaks_a_released_document_is_refused() {
    let project = Project::new();
    project.good(&["release", "--name", "2026-11"]);
    project.commit();
    // The operation does not ask for the title any more, but the clients in the field do.
    project.write("operations/tour/Tour.graphql", &TOUR.replace("    title\n", ""));
    project.schema(&[("  title: String!\n", "")]);
    let before = project.read(MANIFEST);
    for command in ["check", "generate"] {
        let said = project.bad(&[command]);
        assert!(
            said.contains("error[L001 release_broken]: breaks released clients: `Tour` has no field `title`"),
            "{said}"
        );
        assert!(said.contains("--> schema/schema.graphql:14:6"), "{said}");
        assert!(said.contains("note: required by `Tour` of release 2026-11"), "{said}");
        assert!(said.contains("`cargo traitql retire 2026-11`"), "{said}");
    }
    assert_eq!(project.read(MANIFEST), before);
    let object = project.json(&["check"]);
    assert_eq!(object["diagnostics"][0]["slug"], "release_broken");

    // The change can be weighed all the same.
    let said = project.good(&["diff"]);
    assert!(said.contains("breaking\n  - Tour.title\n      touches Tour"), "{said}");
    assert!(
        said.contains("  error[L001 release_broken]: breaks released clients"),
        "{said}"
    );
    assert!(!said.contains("release 2026-11  its documents"), "{said}");
    let said = project.good(&["diff", "--format", "github"]);
    let wanted = "::error file=schema/schema.graphql,line=14,title=L001 release_broken::breaks released clients";
    assert!(said.contains(wanted), "{said}");
    assert_eq!(
        project.json(&["diff", "--deny", "breaking"])["broken_releases"][0]["code"],
        "L001"
    );

    // The document is still valid here, but its answer would not be what the clients were built for.
    project.schema(&[("type Tour {\n", "type Tour {\n  title: String\n")]);
    let said = project.bad(&["check"]);
    assert!(said.contains("`Tour.title` is now `String`, was `String!`"), "{said}");

    project.good(&["retire", "2026-11"]);
    assert!(project.good(&["check"]).contains("are up to date"));
    assert_eq!(
        project.manifest()["releases"][0],
        serde_json::json!({ "name": "2026-11", "retired": true })
    );
}

#[test]
fn a_default_that_clients_rely_on_is_kept() {
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
    project.good(&["release", "--name", "2026-11"]);
    assert_eq!(project.manifest()["releases"][0]["types"]["Search.limit"], "Int! = 10");
    project.schema(&[("limit: Int! = 10", "limit: Int! = 20")]);
    project.good(&["generate"]);
    project.schema(&[("limit: Int! = 20", "limit: Int!")]);
    let said = project.bad(&["check"]);
    assert!(
        said.contains("`Search.limit` no longer has a default, and they may omit it"),
        "{said}"
    );
}

#[test]
fn a_release_does_not_vanish_unless_it_is_retired() {
    let project = Project::new();
    project.good(&["release", "--name", "2026-11"]);
    project.commit();
    let kept = project.read(MANIFEST);
    let mut manifest = project.manifest();
    manifest["releases"].as_array_mut().unwrap().clear();
    project.write(MANIFEST, &manifest.to_string());
    for command in ["generate", "check", "release"] {
        let said = project.bad(&[command]);
        assert!(
            said.contains("the release 2026-11 is gone, and clients in the field need it"),
            "{said}"
        );
        assert!(
            said.contains("`git checkout HEAD -- operations/generated/manifest.json`"),
            "{said}"
        );
    }
    // Nor by losing the whole file, or a part of it in a merge.
    std::fs::remove_file(project.path(MANIFEST)).unwrap();
    assert!(project.bad(&["generate"]).contains("the release 2026-11 is gone"));
    project.write(MANIFEST, &kept.replace("\"version\": 1,", "<<<<<<< HEAD"));
    assert!(project.bad(&["generate"]).contains("the releases in it cannot be read"));
    project.write(
        MANIFEST,
        &kept.replace("\"Tour.title\": \"String!\"", "\"Tour.title\": \"String\""),
    );
    let said = project.bad(&["check"]);
    assert!(
        said.contains("`Tour.title: String!` of release 2026-11 is gone"),
        "{said}"
    );
    project.write(MANIFEST, &kept.replace("query Tour(", "query Tuor("));
    assert!(
        project
            .bad(&["generate"])
            .contains("the document `Tour` of release 2026-11 was changed by hand")
    );
    project.write(MANIFEST, &kept);
    assert_eq!(project.good(&["generate"]), "nothing changed\n");
}

#[test]
fn a_manifest_that_moves_takes_its_releases_along() {
    let project = Project::new();
    project.good(&["release", "--name", "2026-11"]);
    project.commit();
    let config = project.read("codegen.yml");
    project.write("codegen.yml", &config.replace(MANIFEST, "operations/manifest.json"));
    let said = project.bad(&["generate"]);
    assert!(said.contains("the release 2026-11 is gone"), "{said}");
    assert!(
        said.contains(&format!("`git mv {MANIFEST} operations/manifest.json`")),
        "{said}"
    );
    project.git(&["mv", MANIFEST, "operations/manifest.json"]);
    project.good(&["generate"]);
    assert!(project.read("operations/manifest.json").contains("2026-11"));
}

#[test]
fn a_pull_request_that_drops_a_release_is_breaking() {
    let project = Project::new();
    project.good(&["release", "--name", "2026-11"]);
    project.commit();
    project.git(&["tag", "base"]);
    let mut manifest = project.manifest();
    manifest.as_object_mut().unwrap().remove("releases");
    project.write(MANIFEST, &manifest.to_string());
    project.commit();
    let said = project.bad(&["diff", "base", "--deny", "breaking"]);
    assert!(
        said.contains("- release 2026-11  its documents are no longer served"),
        "{said}"
    );
}

#[test]
fn releases_are_named_once_and_given_up_from_the_oldest() {
    let project = Project::new();
    project.good(&["release", "--name", "1.0"]);
    let said = project.good(&["release", "--name", "1.1"]);
    assert!(said.contains("release 1.0 holds the same documents already"), "{said}");
    for (number, field) in [("1.1", "id"), ("1.2", "title")] {
        project.write(
            "operations/Extra.graphql",
            &format!("query Extra {{\n  tours {{\n    {field}\n  }}\n}}\n"),
        );
        project.good(&["release", "--name", number]);
    }
    assert!(
        project
            .bad(&["release", "--name", "1.1"])
            .contains("there is a release `1.1` already")
    );
    assert!(
        project
            .bad(&["release", "--name", "a b"])
            .contains("`a b` cannot name a release")
    );
    assert!(project.bad(&["retire", "1.3"]).contains("there is no release `1.3`"));
    let said = project.good(&["retire", "--before", "1.2"]);
    assert_eq!(
        said,
        "release 1.0 is given up; it held 2 documents\nrelease 1.1 is given up; it held 3 documents\n"
    );
    assert_eq!(names(&project.manifest(), "released"), [""; 0]);
    assert!(
        project
            .bad(&["release", "--name", "1.0"])
            .contains("there was a release `1.0`, which is retired")
    );
    let object = project.json(&["retire", "1.2"]);
    assert_eq!(object["releases"][2]["retired"], true);
    assert_eq!(project.good(&["retire", "1.2"]), "nothing was given up\n");
}

#[test]
fn a_release_without_a_name_has_the_date() {
    let project = Project::new();
    let object = project.json(&["release"]);
    let name = object["releases"][0]["name"].as_str().unwrap();
    let is_date = name.len() == 10 && name.bytes().filter(|byte| *byte == b'-').count() == 2;
    assert!(is_date, "{name}");
}

#[test]
fn limits_of_what_clients_send_and_access_are_kept() {
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
    project.good(&["release", "--name", "2026-11"]);
    let types = &project.manifest()["releases"][0]["types"];
    assert_eq!(types["Query.search(text:)"], "String! @length(min: 1, max: 80)");
    assert_eq!(types["SearchInput.tour"], "ID! @length(min: 1, max: 80)");
    assert_eq!(
        types["Query.search"],
        "[Tour!]! @auth(role: VIEWER, of: \"Tour\", by: \"by.tour\")"
    );

    search("@length(min: 1, max: 40)", ROLES, "VIEWER");
    let said = project.bad(&["check"]);
    for coordinate in ["Query.search(text:)", "SearchInput.tour"] {
        let wanted =
            format!("breaks released clients: `{coordinate}` requires 1 to 40 characters, was 1 to 80 characters");
        assert!(said.contains(&wanted), "{said}");
    }
    search("@length(min: 1, max: 80)", ROLES, "ADMIN");
    let said = project.bad(&["check"]);
    assert!(said.contains("`Query.search`: access ADMIN, was VIEWER"), "{said}");
    search("@length(min: 1, max: 80)", "enum Role { ADMIN VIEWER }", "VIEWER");
    let said = project.bad(&["check"]);
    assert!(
        said.contains("the roles of `Role` were reordered: ADMIN < VIEWER"),
        "{said}"
    );
    // What lets more pass than before breaks nobody.
    search("@length(min: 0, max: 200)", ROLES, "VIEWER");
    project.good(&["generate"]);
    search("", "enum Role { GUEST VIEWER ADMIN }", "GUEST");
    project.good(&["generate"]);
}
