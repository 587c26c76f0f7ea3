//! Every rule of the specification is enforced with the code in the table.

use traitql_schema::{Code, Options, load, specification};

#[test]
fn every_rule_of_the_specification_is_enforced() {
    let mut unreported = Vec::new();
    for rule in specification() {
        let found: Vec<String> = match load(&rule.schema, &rule.documents, &Options::lenient_except(rule.code)) {
            Ok(_) => Vec::new(),
            Err(report) => report
                .diagnostics()
                .iter()
                .map(|found| found.code.to_string())
                .collect(),
        };
        if !found.contains(&rule.code.to_string()) {
            unreported.push(format!(
                "{} {}: {} -> {}, but found {found:?}",
                rule.section, rule.title, rule.requirement, rule.code
            ));
        }
    }
    assert!(
        unreported.is_empty(),
        "rules that are not enforced:\n{}",
        unreported.join("\n")
    );
}

#[test]
fn every_specification_code_belongs_to_a_rule() {
    // Findings that apollo-compiler does not produce today, and empty selections, which the grammar of 2026 allows.
    let exceptions = ["G099", "D099", "D021"];
    let rules = specification();
    let known = |code: &Code| rules.iter().any(|rule| rule.code == *code) || exceptions.contains(&code.id);
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
