use crate::project::Project;

const TOUR_RESOLVER: &str = "impl resolve::QueryTour for App {
    async fn resolve(
        &self,
        cx: &Ctx,
        viewer: &Viewer<role::Viewer>,
        id: Id,
    ) -> Result<Option<Tour>, Throws<field::QueryTour>> {
        let _ = (cx, viewer, id);
        todo!(\"resolve Query.tour\")
    }
}
";

#[test]
fn missing_resolvers_are_printed_with_their_imports() {
    let project = Project::new();
    let output = project.succeed(&["scaffold", "Query.tour"]);
    let uses = "use api::{Tour, field, resolve, role};\nuse traitql::{Ctx, Id, Throws, Viewer};\n";
    assert_eq!(output, format!("{uses}\n{TOUR_RESOLVER}"));
    assert_eq!(
        project.git(&["status", "--porcelain"]),
        "",
        "without --into nothing must be written"
    );
}

#[test]
fn existing_text_is_not_changed() {
    let project = Project::new();
    let unix = project.read("app/src/lib.rs");
    for text in [
        unix.clone(),
        unix.trim_end().to_owned(),
        unix.replace('\n', "\r\n"),
        unix.replace('\n', "\r\n").trim_end().to_owned(),
        format!("\u{feff}{unix}"),
        format!("{unix}// The end, in another script: 終わり\t"),
    ] {
        project.write("app/src/lib.rs", &text);
        let output = project.succeed(&["scaffold", "Query", "--into", "app/src/lib.rs"]);
        assert!(
            output.starts_with("appended 2 resolvers to app/src/lib.rs: Query.tour, Query.tours\n"),
            "{output}"
        );
        let after = project.read("app/src/lib.rs");
        let added = after
            .strip_prefix(&text)
            .expect("the new text must start with the previous one");
        assert!(
            !text.contains('\r') || !added.replace("\r\n", "").contains('\n'),
            "line endings are mixed: {added:?}"
        );
        let added = added.replace("\r\n", "\n");
        // Duplicate imports would not compile.
        let expected = "use api::{Tour, role};\nuse traitql::{Id, Viewer};\n\nimpl resolve::QueryTour for App";
        assert!(added.trim_start_matches('\n').starts_with(expected), "{added}");
        assert!(added.contains(TOUR_RESOLVER), "{added}");
    }
    let output = project.succeed(&["scaffold", "Query", "--into", "app/src/lib.rs"]);
    assert_eq!(
        output, "all 3 resolvers already exist\n",
        "a second run must not append anything"
    );
}

#[test]
fn a_new_file_is_created_with_a_note_about_its_module() {
    let project = Project::new();
    let output = project.succeed(&[
        "scaffold",
        "Query.tours",
        "--into",
        "app/src/tours.rs",
        "--for",
        "crate::App",
    ]);
    assert!(output.contains("add `mod tours;` to its parent module"), "{output}");
    let text = project.read("app/src/tours.rs");
    assert!(text.starts_with("use api::{Tour, field, resolve, role};\n"), "{text}");
    assert!(text.contains("impl resolve::QueryTours for crate::App {"), "{text}");
    let output = project.succeed(&["scaffold", "Query.tours"]);
    assert_eq!(output, "Query.tours already has a resolver: app/src/tours.rs:4\n");
}

#[test]
fn an_unknown_implementing_type_is_reported() {
    let project = Project::new();
    project.write("app/src/empty.rs", "");
    let output = project.succeed(&["scaffold", "Query.tour", "--into", "app/src/empty.rs"]);
    assert!(
        output.contains("`App` is not defined in the file; import it"),
        "{output}"
    );
}

#[test]
fn a_field_without_resolver_is_an_error_with_a_reason() {
    let project = Project::new();
    for (what, reason) in [
        ("Tuor", "did you mean `Tour`?"),
        ("Query.tuor", "did you mean `Query.tour`?"),
        ("Tour.title", "`Tour.title` is data: a field of the struct `Tour`"),
        ("Site", "no field of `Site` needs a resolver"),
    ] {
        let output = project.fail(&["scaffold", what]);
        assert!(output.contains(reason), "{what}: {output}");
    }
}

#[test]
fn a_schema_type_named_arc_keeps_its_full_path() {
    let project = Project::new();
    let config = project.read("codegen.yml");
    project.write("codegen.yml", &format!("{config}  shared: [Tour]\n"));
    let arc = "  arc(of: ID!): Arc! @public\n  version: String! @public\n";
    project.schema(&[
        ("  version: String! @public\n", arc),
        ("type Site {", "type Arc {\n  degrees: Int!\n}\n\ntype Site {"),
    ]);
    let output = project.succeed(&["scaffold", "Query"]);
    assert!(output.contains("use std::sync::Arc;\n"), "{output}");
    assert!(
        output.contains("Result<Option<Arc<Tour>>, Throws<field::QueryTour>>"),
        "{output}"
    );
    assert!(output.contains("Result<api::Arc, Throws<field::QueryArc>>"), "{output}");
}

#[test]
fn fields_with_sample_values_are_neither_missing_nor_scaffolded() {
    let project = Project::new();
    project.write(
        "app/src/mocked.rs",
        "use crate::App;\n\ntraitql::mocked! { App:\n    api::field::QueryTour,\n    api::field::QueryTours,\n}\n",
    );
    let output = project.succeed(&["diff"]);
    assert!(
        output.contains("2 fields return sample values") && !output.contains("missing"),
        "{output}"
    );
    assert_eq!(project.json(&["diff"])["resolvers"]["sampled"][1]["line"], 5);
    let output = project.succeed(&["scaffold", "Query.tours", "--into", "app/src/lib.rs"]);
    assert_eq!(
        output,
        "Query.tours is mocked: remove it from app/src/mocked.rs:5 first\n"
    );
    project.schema(&[(
        "  tours(first: Int! = 20 @range(min: 1, max: 50)): [Tour!]! @auth @cost(times: \"first\")\n",
        "",
    )]);
    std::fs::remove_file(project.path("operations/tour/Tours.graphql")).unwrap();
    let output = project.succeed(&["diff"]);
    assert!(
        output.contains("  field::QueryTours in traitql::mocked!  app/src/mocked.rs:5"),
        "{output}"
    );
}

#[test]
fn generated_and_invalid_files_are_not_changed() {
    let project = Project::new();
    let generated = "api/src/generated/mod.rs";
    let before = project.read(generated);
    let output = project.fail(&["scaffold", "Query", "--into", generated]);
    assert!(
        output.contains("this folder may contain only generated files"),
        "{output}"
    );
    assert_eq!(project.read(generated), before);
    project.write("app/src/broken.rs", "fn half(");
    let output = project.fail(&["scaffold", "Query", "--into", "app/src/broken.rs"]);
    assert!(
        output.contains("error: this file cannot be parsed as Rust") && output.contains("\n --> app/src/broken.rs\n"),
        "{output}"
    );
    assert_eq!(project.read("app/src/broken.rs"), "fn half(");
}

#[test]
fn the_implementing_type_must_be_a_rust_type() {
    let project = Project::new();
    assert_eq!(
        project.fail(&["scaffold", "Query", "--for", "my app"]),
        "error: `--for`: `my app` is not a Rust type; use for example `--for App`\n"
    );
    assert!(
        project
            .succeed(&["scaffold", "Query", "--for", "crate::Server"])
            .contains("for crate::Server {")
    );
}
