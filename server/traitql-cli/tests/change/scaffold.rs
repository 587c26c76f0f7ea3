//! What `scaffold` writes, and that it only appends. That it compiles is tested with the sample crate.

use crate::project::Project;

const TOUR_RESOLVER: &str = "impl resolve::QueryTour for App {
    async fn resolve(
        &self,
        cx: &Ctx,
        viewer: &Viewer<role::Viewer>,
        id: Id,
    ) -> Result<Option<Tour>, Throws<field::QueryTour>> {
        todo!(\"resolve Query.tour\")
    }
}
";

#[test]
fn missing_resolvers_are_printed_with_their_imports() {
    let project = Project::new();
    let said = project.good(&["scaffold", "Query.tour"]);
    let uses = "use api::{Tour, field, resolve, role};\nuse traitql::{Ctx, Id, Throws, Viewer};\n";
    assert_eq!(said, format!("{uses}\n{TOUR_RESOLVER}"));
    assert_eq!(
        project.git(&["status", "--porcelain"]),
        "",
        "nothing is written without --into"
    );
}

#[test]
fn what_is_in_a_file_stays_to_the_byte() {
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
        let said = project.good(&["scaffold", "Query", "--into", "app/src/lib.rs"]);
        assert!(
            said.starts_with("appended 2 resolvers to app/src/lib.rs: Query.tour, Query.tours\n"),
            "{said}"
        );
        let after = project.read("app/src/lib.rs");
        let added = after
            .strip_prefix(&text)
            .expect("the former text is the beginning of the new one");
        assert!(
            !text.contains('\r') || !added.replace("\r\n", "").contains('\n'),
            "line breaks are mixed: {added:?}"
        );
        let added = added.replace("\r\n", "\n");
        // `Ctx`, `Throws`, `field` and `resolve` are imported already; twice would not compile.
        let wanted = "use api::{Tour, role};\nuse traitql::{Id, Viewer};\n\nimpl resolve::QueryTour for App";
        assert!(added.trim_start_matches('\n').starts_with(wanted), "{added}");
        assert!(added.contains(TOUR_RESOLVER), "{added}");
    }
    let said = project.good(&["scaffold", "Query", "--into", "app/src/lib.rs"]);
    assert_eq!(
        said, "all 3 resolvers are written already\n",
        "the second time there is nothing to do"
    );
}

#[test]
fn a_new_file_is_made_and_said_how_to_reach() {
    let project = Project::new();
    let said = project.good(&[
        "scaffold",
        "Query.tours",
        "--into",
        "app/src/tours.rs",
        "--for",
        "crate::App",
    ]);
    assert!(
        said.contains("`mod tours;` in the module above makes it known"),
        "{said}"
    );
    let text = project.read("app/src/tours.rs");
    assert!(text.starts_with("use api::{Tour, field, resolve, role};\n"), "{text}");
    assert!(text.contains("impl resolve::QueryTours for crate::App {"), "{text}");
    let said = project.good(&["scaffold", "Query.tours"]);
    assert_eq!(said, "Query.tours is resolved already: app/src/tours.rs:4\n");
}

#[test]
fn a_type_that_resolves_and_is_not_known_there_is_mentioned() {
    let project = Project::new();
    project.write("app/src/empty.rs", "");
    let said = project.good(&["scaffold", "Query.tour", "--into", "app/src/empty.rs"]);
    assert!(
        said.contains("`App` stands for the type that resolves; import it"),
        "{said}"
    );
}

#[test]
fn what_has_no_resolver_is_answered_with_a_reason() {
    let project = Project::new();
    for (what, reason) in [
        ("Tuor", "did you mean `Tour`?"),
        ("Query.tuor", "did you mean `Query.tour`?"),
        ("Tour.title", "`Tour.title` is data: a field of the struct `Tour`"),
        ("Site", "no field of `Site` needs a resolver"),
    ] {
        let said = project.bad(&["scaffold", what]);
        assert!(said.contains(reason), "{what}: {said}");
    }
}

#[test]
fn a_type_that_is_called_like_what_shares_keeps_its_crate() {
    let project = Project::new();
    let config = project.read("codegen.yml");
    project.write("codegen.yml", &format!("{config}  shared: [Tour]\n"));
    let arc = "  arc(of: ID!): Arc! @public\n  version: String! @public\n";
    project.schema(&[
        ("  version: String! @public\n", arc),
        ("type Site {", "type Arc {\n  degrees: Int!\n}\n\ntype Site {"),
    ]);
    let said = project.good(&["scaffold", "Query"]);
    assert!(said.contains("use std::sync::Arc;\n"), "{said}");
    assert!(
        said.contains("Result<Option<Arc<Tour>>, Throws<field::QueryTour>>"),
        "{said}"
    );
    assert!(said.contains("Result<api::Arc, Throws<field::QueryArc>>"), "{said}");
}

#[test]
fn what_is_answered_with_sample_values_is_neither_missing_nor_written() {
    let project = Project::new();
    project.write(
        "app/src/mocked.rs",
        "use crate::App;\n\ntraitql::mocked! { App:\n    api::field::QueryTour,\n    api::field::QueryTours,\n}\n",
    );
    let said = project.good(&["diff"]);
    assert!(
        said.contains("2 fields are answered with sample values") && !said.contains("missing"),
        "{said}"
    );
    assert_eq!(project.json(&["diff"])["resolvers"]["sampled"][1]["line"], 5);
    let said = project.good(&["scaffold", "Query.tours", "--into", "app/src/lib.rs"]);
    assert_eq!(
        said,
        "Query.tours is mocked: take it out of app/src/mocked.rs:5 first\n"
    );
    project.schema(&[(
        "  tours(first: Int! = 20 @range(min: 1, max: 50)): [Tour!]! @auth @cost(times: \"first\")\n",
        "",
    )]);
    std::fs::remove_file(project.path("operations/tour/Tours.graphql")).unwrap();
    let said = project.good(&["diff"]);
    assert!(
        said.contains("  field::QueryTours of traitql::mocked!  app/src/mocked.rs:5"),
        "{said}"
    );
}

#[test]
fn files_that_cannot_take_it_are_left_alone() {
    let project = Project::new();
    let generated = "api/src/generated/mod.rs";
    let before = project.read(generated);
    let said = project.bad(&["scaffold", "Query", "--into", generated]);
    assert!(said.contains("this folder belongs to the generator"), "{said}");
    assert_eq!(project.read(generated), before);
    project.write("app/src/broken.rs", "fn half(");
    let said = project.bad(&["scaffold", "Query", "--into", "app/src/broken.rs"]);
    assert!(said.contains("app/src/broken.rs: this is not Rust yet"), "{said}");
    assert_eq!(project.read("app/src/broken.rs"), "fn half(");
}

#[test]
fn the_type_that_resolves_is_one_of_rust() {
    let project = Project::new();
    assert_eq!(
        project.bad(&["scaffold", "Query", "--for", "my app"]),
        "error: `--for`: `my app` is no type of Rust; write one as in `--for App`\n"
    );
    assert!(
        project
            .good(&["scaffold", "Query", "--for", "crate::Server"])
            .contains("for crate::Server {")
    );
}
