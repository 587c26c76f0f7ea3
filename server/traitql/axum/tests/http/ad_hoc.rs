use serde_json::json;

use crate::fixture::{App, GRAPHQL, HELLO};

#[tokio::test]
async fn a_valid_document_is_executed() {
    let app = App::development();
    assert_eq!(
        app.post(&[GRAPHQL], json!({ "query": "{ hello }" }))
            .await
            .status
            .as_u16(),
        200
    );
    assert_eq!(app.get(&[], &[("query", "{ __typename }")]).await.status.as_u16(), 200);
    assert_eq!(app.post(&[], json!({ "query": HELLO })).await.status.as_u16(), 200);
    let trusted: Vec<_> = app
        .fake
        .requests
        .lock()
        .unwrap()
        .iter()
        .map(|request| request.trusted)
        .collect();
    assert_eq!(trusted, [false, false, true]);
}

#[tokio::test]
async fn an_error_is_reported_with_its_position() {
    let app = App::development();
    let answer = app.post(&[GRAPHQL], json!({ "query": "query {\n  helo\n}" })).await;
    assert_eq!(answer.verdict(), (400, "INVALID_DOCUMENT"));
    assert_eq!(
        answer.json["errors"][0]["locations"],
        json!([{ "line": 2, "column": 3 }])
    );
    assert!(answer.json.get("data").is_none(), "nothing was executed");
    assert_eq!(
        app.post(&[], json!({ "query": "{ helo }" })).await.verdict(),
        (200, "INVALID_DOCUMENT")
    );
    let answer = app
        .post(
            &[],
            json!({ "query": "query A { hello } query B { hello }", "operationName": "C" }),
        )
        .await;
    assert_eq!(answer.problem(), "it has no operation with the name `C`.");
}

#[tokio::test]
async fn a_mutation_by_get_is_rejected_after_validation() {
    let app = App::development();
    let answer = app.get(&[GRAPHQL], &[("query", "mutation { __typename }")]).await;
    assert_eq!(
        (answer.verdict(), answer.header("allow")),
        ((405, "MALFORMED_REQUEST"), "POST")
    );
}

#[tokio::test]
async fn hostile_documents_do_not_reach_the_engine() {
    let app = App::development();
    let bomb = (0..26)
        .map(|n| format!("fragment F{n} on Query {{ ...F{m} ...F{m} }} ", m = n + 1))
        .collect::<String>();
    let bomb = format!("query {{ ...F0 }} {bomb} fragment F26 on Query {{ hello }}");
    assert!(bomb.len() < 1_300, "the document must be small");
    let aliases = (0..1_000).map(|n| format!("a{n}:hello ")).collect::<String>();
    for hostile in [
        bomb,
        format!("{}{}", "{a".repeat(10_000), "}".repeat(10_000)),
        format!("{{{aliases}}}"),
    ] {
        let answer = app.post(&[GRAPHQL], json!({ "query": hostile })).await;
        assert_eq!(answer.verdict(), (400, "INVALID_DOCUMENT"));
    }
    let answer = app
        .post(&[GRAPHQL], json!({ "query": format!("{{{}}}", "a:hello ".repeat(31)) }))
        .await;
    assert_eq!(
        answer.json["errors"][0]["message"],
        "The document exceeds a limit of the server: it has more than 20 fields at its root (`Limits::root_fields`)."
    );
    assert!(app.fake.names().is_empty());
}
