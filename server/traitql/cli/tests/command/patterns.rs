//! Probable typos are errors, so that no operations are lost.

use crate::project::{CONFIG, OPERATION, fail, project, state, succeed, write};

fn error_after(before: &str, after: &str) -> String {
    let project = project();
    write(
        &project,
        "operations/tour/Tours.graphql",
        &OPERATION.replace("Tour(", "Tours("),
    );
    succeed(&project, "generate");
    let generated = state(&project);
    write(&project, "codegen.yml", &CONFIG.replace(before, after));
    let error = fail(&project, "check");
    assert_eq!(fail(&project, "generate"), format!("{error}nothing was written\n"));
    for (path, state) in generated.iter().filter(|(path, _)| *path != "codegen.yml") {
        let now = super::project::state(&project);
        assert_eq!(now.get(path), Some(state), "{path} must not change");
    }
    error
}

#[test]
fn a_missing_folder_is_an_error_with_a_suggestion() {
    assert_eq!(
        error_after("operations/**/*.graphql", "operation/**/*.graphql"),
        "error: `documents`: no file matches `operation/**/*.graphql`: the folder `operation` does not exist\n --> codegen.yml:2:12\n  \
         = help: did you mean `operations/**/*.graphql`?\n"
    );
    assert_eq!(
        error_after("schema/*.graphql", "[schema/*.graphql, api/scr/*.graphql]"),
        "error: `schema`: no file matches `api/scr/*.graphql`: the folder `api/scr` does not exist\n --> codegen.yml:1:28\n  \
         = help: did you mean `api/src/*.graphql`?\n"
    );
    assert_eq!(
        error_after("operations/**/*.graphql", "web/queries/*.graphql"),
        "error: `documents`: no file matches `web/queries/*.graphql`; found 2 other files: \
         `operations/tour/Tour.graphql`, …\n --> codegen.yml:2:12\n  = help: use `operations/**/*.graphql` to match them\n"
    );
}

#[test]
fn a_removed_folder_is_an_error_if_operations_were_generated_before() {
    let project = project();
    succeed(&project, "generate");
    std::fs::rename(
        project.path().join("operations/tour"),
        project.path().join("operations/generated/kept"),
    )
    .unwrap();
    let other = CONFIG.replace("operations/**/*.graphql", "queries/*.graphql");
    write(&project, "codegen.yml", &other);
    assert_eq!(
        fail(&project, "check"),
        "error: `documents`: no file matches `queries/*.graphql`: the folder `queries` does not exist\n --> codegen.yml:2:12\n  \
         = help: create the folder, or correct the pattern\n"
    );
    // No operations.
    std::fs::remove_file(project.path().join("operations/generated/manifest.json")).unwrap();
    succeed(&project, "generate");
}

#[test]
fn a_pattern_that_misses_files_is_an_error_with_a_suggestion() {
    assert_eq!(
        error_after("operations/**/*.graphql", "operations/*.graphql"),
        "error: `documents`: no file matches `operations/*.graphql`; found 2 other files: \
         `operations/tour/Tour.graphql`, …\n --> codegen.yml:2:12\n  = help: use `operations/**/*.graphql` to match them\n"
    );
    assert_eq!(
        error_after("operations/**/*.graphql", "operations/**/*.gql"),
        "error: `documents`: no file matches `operations/**/*.gql`; found 2 other files: \
         `operations/tour/Tour.graphql`, …\n --> codegen.yml:2:12\n  = help: use `operations/**/*.graphql` to match them\n"
    );
    // Matched by other patterns.
    assert_eq!(
        error_after(
            "operations/**/*.graphql",
            "[operations/tour/Tour.graphql, operations/*.graphql]"
        ),
        "error: `documents`: no file matches `operations/*.graphql`; found 1 other file: \
         `operations/tour/Tours.graphql`\n --> codegen.yml:2:43\n  = help: use `operations/**/*.graphql` to match them\n"
    );
}

#[test]
fn a_project_without_operations_is_valid() {
    let project = project();
    std::fs::remove_file(project.path().join("operations/tour/Tour.graphql")).unwrap();
    assert!(succeed(&project, "generate").contains("0 operations"));
    // The schema is in the same folder, but must not be suggested.
    write(
        &project,
        "codegen.yml",
        &CONFIG.replace("operations/**/*.graphql", "\"*.graphql\""),
    );
    succeed(&project, "generate");
    write(
        &project,
        "codegen.yml",
        &CONFIG
            .replace("operations/**/*.graphql", "\"**/*.graphql\"")
            .replace("schema/*", "schema/**/*"),
    );
    assert!(
        fail(&project, "generate").contains("schema/schema.graphql"),
        "a schema is not an operation"
    );
}

#[test]
fn braces_contain_alternatives() {
    let project = project();
    let braces = CONFIG.replace("operations/**/*.graphql", "\"operations/**/*.{graphql,gql}\"");
    write(&project, "codegen.yml", &braces);
    write(
        &project,
        "operations/tour/Tours.gql",
        &OPERATION.replace("Tour(", "Tours("),
    );
    assert!(succeed(&project, "generate").contains("2 operations"));
}

#[test]
fn patterns_do_not_match_generated_schemas() {
    let project = project();
    succeed(&project, "generate");
    for (narrow, wide) in [
        ("schema/*.graphql", "['**/*.graphql', '!operations/**']"),
        ("operations/**/*.graphql", "['**/*.graphql', '!schema/**']"),
    ] {
        write(&project, "codegen.yml", &CONFIG.replace(narrow, wide));
        assert_eq!(succeed(&project, "generate"), "nothing changed\n");
        // Copies of the generated schema can be anywhere.
        let copy = std::fs::read_to_string(project.path().join("api/src/generated/schema.graphql")).unwrap();
        write(&project, "web/schema.graphql", &copy);
        assert_eq!(succeed(&project, "generate"), "nothing changed\n");
    }
}

#[test]
fn unsupported_patterns_are_errors_with_help() {
    assert_eq!(
        error_after("schema/*.graphql", "http://localhost:4000/graphql"),
        "error: `schema`: the file `http://localhost:4000/graphql` does not exist\n --> codegen.yml:1:9\n  \
         = help: URLs are not supported: save the schema in a file, as GraphQL or as the JSON response of an introspection query\n"
    );
}

#[test]
fn patterns_can_have_nested_braces_character_classes_and_question_marks() {
    let project = project();
    succeed(&project, "generate");
    for pattern in [
        "'{schema,{more,older}}/*.{graphql,gql}'",
        "'schema/[s-z]*.graphq?'",
        "'sch?ma/{schema,more/{a,b}}.graphql'",
    ] {
        write(&project, "codegen.yml", &CONFIG.replace("schema/*.graphql", pattern));
        assert_eq!(succeed(&project, "generate"), "nothing changed\n", "{pattern}");
    }
}
