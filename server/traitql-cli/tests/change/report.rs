//! The table of operations, and what of it changes.

use serde_json::json;

use crate::project::{Project, plain};

#[test]
fn every_operation_is_measured_the_dearest_first() {
    let project = Project::new();
    let lines: Vec<String> = project.good(&["report"]).lines().map(str::to_owned).collect();
    assert_eq!(
        lines[..3],
        [
            "operation         cost  depth  calls  bytes  who               rate  hash",
            "Tours      query    21      3    ≤ 2     95  signed in               d4ddbd3d",
            "Tour       query     1      2      1     78  VIEWER and above        77a027a8",
        ]
    );
    assert_eq!(lines.last().unwrap(), "2 operations, 173 bytes, cost at most 21");
    let object = project.json(&["report"]);
    assert_eq!(object["operations"][1]["roles"], json!(["VIEWER", "ADMIN"]));
    assert_eq!(
        object["operations"][0]["calls"],
        json!({ "most": 2, "constant": false })
    );
}

#[test]
fn a_comparison_shows_the_numbers_that_changed() {
    let project = Project::new();
    assert!(
        project
            .good(&["report", "HEAD"])
            .starts_with("no operation costs more or less than at HEAD")
    );
    project.schema(&[
        ("first: Int! = 20", "first: Int! = 30"),
        ("role: VIEWER", "role: ADMIN"),
    ]);
    project.write("operations/Version.graphql", "query Version {\n  version\n}\n");
    let said = plain(&project.good(&["report", "HEAD"]));
    assert_eq!(
        said,
        "operation  what                                       before    now
Tours      cost                                           21     31
Tour       who                              VIEWER and above  ADMIN
Version    new: cost 1, calls 1, everybody

3 operations, 200 bytes, cost at most 31; at HEAD (…): 2 operations, 173 bytes, cost at most 21
"
    );
    let page = project.good(&["report", "HEAD", "--format", "github"]);
    assert!(page.contains("| `Tours` | cost | 21 | 31 |"), "{page}");
    let object = project.json(&["report", "HEAD"]);
    assert_eq!(object["changed"][0]["before"]["cost"], 21);
    assert_eq!(object["changed"][2]["before"], serde_json::Value::Null);
}
