//! Every rule of the specification is checked, and a breach is reported by the code that the table says.

use traitql_schema::{Code, Options, load, specification};

#[test]
fn every_rule_of_the_specification_is_kept() {
    let mut silent = Vec::new();
    for rule in specification() {
        let found: Vec<String> = match load(&rule.schema, &rule.documents, &Options::lenient_but(rule.code)) {
            Ok(_) => Vec::new(),
            Err(report) => report
                .diagnostics()
                .iter()
                .map(|found| found.code.to_string())
                .collect(),
        };
        if !found.contains(&rule.code.to_string()) {
            silent.push(format!(
                "{} {}: {} -> {}, but found {found:?}",
                rule.section, rule.title, rule.wants, rule.code
            ));
        }
    }
    assert!(silent.is_empty(), "rules that are not kept:\n{}", silent.join("\n"));
}

#[test]
fn every_code_about_the_specification_belongs_to_one_of_its_rules() {
    // What apollo-compiler does not report today, and a selection without fields, which the grammar of 2026 lets pass.
    let beside = ["G099", "D099", "D021"];
    let rules = specification();
    let known = |code: &Code| rules.iter().any(|rule| rule.code == *code) || beside.contains(&code.id);
    let areas = ["G", "V", "D"];
    let about = Code::all()
        .iter()
        .filter(|code| areas.iter().any(|area| code.id.starts_with(area)));
    let unknown: Vec<String> = about.filter(|code| !known(code)).map(Code::to_string).collect();
    assert!(
        unknown.is_empty(),
        "add a rule to src/specification.graphql for {unknown:?}"
    );
}
