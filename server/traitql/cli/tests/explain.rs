#![allow(clippy::unwrap_used)]

use std::process::{Command, Output};

fn explain(names: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_traitql"));
    command.arg("explain").args(names).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn a_diagnostic_is_explained_with_an_example_and_a_fix() {
    let output = explain(&["T011"]);
    assert!(output.status.success());
    let expected = "T011 access_twice

A root field has both `@auth`, which requires a signed-in account, and `@public`, which allows everyone.

Wrong:

    type Query {
      ping: String @auth @public
    }

Fixed:

    type Query {
      ping: String @auth
    }

https://github.com/waypost/waypost/blob/HEAD/server/traitql/schema/explanations/T011.md
";
    assert_eq!(text(&output.stdout), expected);
}

#[test]
fn a_diagnostic_can_be_specified_by_code_or_name() {
    let by_code = explain(&["D001"]);
    for names in [
        &["unknown_field"][..],
        &["D001", "unknown_field"],
        &["error[D001 unknown_field]"],
    ] {
        let output = explain(names);
        assert_eq!(output, by_code, "{names:?}: {}", text(&output.stderr));
    }
}

#[test]
fn several_diagnostics_can_be_explained_at_once() {
    let output = text(&explain(&["T011", "T012"]).stdout);
    assert!(
        output.starts_with("T011 access_twice\n") && output.contains("\nT012 access_missing\n"),
        "{output}"
    );
}

#[test]
fn a_misspelled_name_is_an_error_with_a_suggestion() {
    let output = explain(&["unknown_feild"]);
    assert!(!output.status.success());
    let output = text(&output.stderr);
    assert_eq!(
        output,
        "error: unknown diagnostic `unknown_feild`; did you mean `unknown_field`?\n"
    );
}

#[test]
fn a_directive_is_explained_with_its_definition_and_diagnostics() {
    let output = text(&explain(&["@public"]).stdout);
    assert!(
        output.starts_with("@public\n\n    directive @public on FIELD_DEFINITION\n\n"),
        "{output}"
    );
    assert!(output.contains("Diagnostics: T011 access_twice"), "{output}");
    let output = explain(&["@pubic"]);
    assert!(!output.status.success());
    let near = "error: unknown directive `@pubic`; did you mean `@public`?\n";
    assert_eq!(text(&output.stderr), near);
}

#[test]
fn without_a_name_all_diagnostics_and_directives_are_listed() {
    let output = text(&explain(&[]).stdout);
    assert!(
        output.starts_with("S001 syntax\n") && output.lines().count() > 100,
        "{output}"
    );
}
