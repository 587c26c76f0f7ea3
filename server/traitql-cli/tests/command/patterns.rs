//! Patterns that no file fits: where that is a slip, nothing is generated without what they were meant for.

use crate::project::{CONFIG, OPERATION, bad, good, project, state, write};

/// The message and the help for a line of codegen.yml in the place of another.
fn said(before: &str, after: &str) -> String {
    let project = project();
    write(
        &project,
        "operations/tour/Tours.graphql",
        &OPERATION.replace("Tour(", "Tours("),
    );
    good(&project, "generate");
    let generated = state(&project);
    write(&project, "codegen.yml", &CONFIG.replace(before, after));
    let said = bad(&project, "check");
    assert_eq!(bad(&project, "generate"), format!("{said}nothing was written\n"));
    for (path, state) in generated.iter().filter(|(path, _)| *path != "codegen.yml") {
        let now = super::project::state(&project);
        assert_eq!(now.get(path), Some(state), "{path} is as it was");
    }
    said
}

#[test]
fn a_folder_that_is_not_there_is_refused_with_the_nearest_one() {
    assert_eq!(
        said("operations/**/*.graphql", "operation/**/*.graphql"),
        "error: codegen.yml:2:12: `documents`: no file fits `operation/**/*.graphql`: there is no folder `operation`\n  \
         = help: did you mean `operations/**/*.graphql`?\n"
    );
    assert_eq!(
        said("schema/*.graphql", "[schema/*.graphql, api/scr/*.graphql]"),
        "error: codegen.yml:1:28: `schema`: no file fits `api/scr/*.graphql`: there is no folder `api/scr`\n  \
         = help: did you mean `api/src/*.graphql`?\n"
    );
    assert_eq!(
        said("operations/**/*.graphql", "web/queries/*.graphql"),
        "error: codegen.yml:2:12: `documents`: no file fits `web/queries/*.graphql`, and it passes by 2 files: \
         `operations/tour/Tour.graphql`, …\n  = help: `operations/**/*.graphql` takes what is there\n"
    );
}

#[test]
fn a_folder_that_was_there_is_missed() {
    let project = project();
    good(&project, "generate");
    std::fs::rename(
        project.path().join("operations/tour"),
        project.path().join("operations/generated/kept"),
    )
    .unwrap();
    let other = CONFIG.replace("operations/**/*.graphql", "queries/*.graphql");
    write(&project, "codegen.yml", &other);
    assert_eq!(
        bad(&project, "check"),
        "error: codegen.yml:2:12: `documents`: no file fits `queries/*.graphql`: there is no folder `queries`\n  \
         = help: make the folder, or correct the pattern\n"
    );
    // Where nothing was generated yet, a project may begin without operations.
    std::fs::remove_file(project.path().join("operations/generated/manifest.json")).unwrap();
    good(&project, "generate");
}

#[test]
fn a_pattern_that_passes_files_by_is_refused_with_one_that_takes_them() {
    assert_eq!(
        said("operations/**/*.graphql", "operations/*.graphql"),
        "error: codegen.yml:2:12: `documents`: no file fits `operations/*.graphql`, and it passes by 2 files: \
         `operations/tour/Tour.graphql`, …\n  = help: `operations/**/*.graphql` takes what is there\n"
    );
    assert_eq!(
        said("operations/**/*.graphql", "operations/**/*.gql"),
        "error: codegen.yml:2:12: `documents`: no file fits `operations/**/*.gql`, and it passes by 2 files: \
         `operations/tour/Tour.graphql`, …\n  = help: `operations/**/*.graphql` takes what is there\n"
    );
    // A pattern among others: what the others take is not what it means.
    assert_eq!(
        said(
            "operations/**/*.graphql",
            "[operations/tour/Tour.graphql, operations/*.graphql]"
        ),
        "error: codegen.yml:2:43: `documents`: no file fits `operations/*.graphql`, and it passes by 1 file: \
         `operations/tour/Tours.graphql`\n  = help: `operations/**/*.graphql` takes what is there\n"
    );
}

#[test]
fn a_folder_without_operations_is_no_mistake() {
    let project = project();
    std::fs::remove_file(project.path().join("operations/tour/Tour.graphql")).unwrap();
    assert!(good(&project, "generate").contains("0 operations"));
    // The schema lies beside, and is not meant by it.
    write(
        &project,
        "codegen.yml",
        &CONFIG.replace("operations/**/*.graphql", "\"*.graphql\""),
    );
    good(&project, "generate");
    write(
        &project,
        "codegen.yml",
        &CONFIG
            .replace("operations/**/*.graphql", "\"**/*.graphql\"")
            .replace("schema/*", "schema/**/*"),
    );
    assert!(
        bad(&project, "generate").contains("schema/schema.graphql"),
        "a schema is no operation"
    );
}

#[test]
fn alternatives_are_written_in_braces() {
    let project = project();
    let braces = CONFIG.replace("operations/**/*.graphql", "\"operations/**/*.{graphql,gql}\"");
    write(&project, "codegen.yml", &braces);
    write(
        &project,
        "operations/tour/Tours.gql",
        &OPERATION.replace("Tour(", "Tours("),
    );
    assert!(good(&project, "generate").contains("2 operations"));
}

#[test]
fn a_pattern_that_takes_everything_leaves_out_what_was_generated() {
    let project = project();
    good(&project, "generate");
    for (narrow, wide) in [
        ("schema/*.graphql", "['**/*.graphql', '!operations/**']"),
        ("operations/**/*.graphql", "['**/*.graphql', '!schema/**']"),
    ] {
        write(&project, "codegen.yml", &CONFIG.replace(narrow, wide));
        assert_eq!(good(&project, "generate"), "nothing changed\n");
        // Editors and other tools keep their copies where they like.
        let copy = std::fs::read_to_string(project.path().join("api/src/generated/schema.graphql")).unwrap();
        write(&project, "web/schema.graphql", &copy);
        assert_eq!(good(&project, "generate"), "nothing changed\n");
    }
}

#[test]
fn what_is_no_pattern_here_is_told_with_what_is_one() {
    assert_eq!(
        said("schema/*.graphql", "http://localhost:4000/graphql"),
        "error: codegen.yml:1:9: `schema`: there is no file `http://localhost:4000/graphql`\n  \
         = help: that is an address: save the schema in a file, as GraphQL or as the JSON answer of an introspection query\n"
    );
    assert_eq!(
        said("schema/*.graphql", "schema/schema.graphql?"),
        "error: codegen.yml:1:9: `schema`: there is no file `schema/schema.graphql?`\n  \
         = help: a pattern has `*`, `**` and `{a,b}`\n"
    );
}
