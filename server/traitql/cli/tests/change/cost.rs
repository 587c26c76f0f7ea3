use serde_json::json;

use crate::project::{Project, plain};

#[test]
fn operations_are_sorted_by_descending_cost() {
    let project = Project::new();
    let lines: Vec<String> = project.succeed(&["cost"]).lines().map(str::to_owned).collect();
    assert_eq!(
        lines[..3],
        [
            "operation         cost  depth  calls  bytes  access            rate  hash",
            "Tours      query    21      3    ≤ 2     95  signed in               d4ddbd3d",
            "Tour       query     1      2      1     78  VIEWER and above        77a027a8",
        ]
    );
    assert_eq!(lines.last().unwrap(), "2 operations, 173 bytes, cost at most 21");
    let object = project.json(&["cost"]);
    assert_eq!(object["operations"][1]["roles"], json!(["VIEWER", "ADMIN"]));
    assert_eq!(object["operations"][0]["calls"], json!({ "max": 2, "constant": false }));
}

#[test]
fn a_comparison_shows_only_changed_metrics() {
    let project = Project::new();
    assert!(
        project
            .succeed(&["cost", "HEAD"])
            .starts_with("no metric of an operation changed since HEAD")
    );
    project.schema(&[
        ("first: Int! = 20", "first: Int! = 30"),
        ("role: VIEWER", "role: ADMIN"),
    ]);
    project.write("operations/Version.graphql", "query Version {\n  version\n}\n");
    let output = plain(&project.succeed(&["cost", "HEAD"]));
    assert_eq!(
        output,
        "operation  metric                                  before    now
Tours      cost                                        21     31
Tour       access                        VIEWER and above  ADMIN
Version    new: cost 1, calls 1, public

3 operations, 200 bytes, cost at most 31; at HEAD (…): 2 operations, 173 bytes, cost at most 21
"
    );
    let page = project.succeed(&["cost", "HEAD", "--format", "github"]);
    assert!(page.contains("| `Tours` | cost | 21 | 31 |"), "{page}");
    let object = project.json(&["cost", "HEAD"]);
    assert_eq!(object["changed"][0]["before"]["cost"], 21);
    assert_eq!(object["changed"][2]["before"], serde_json::Value::Null);
}
