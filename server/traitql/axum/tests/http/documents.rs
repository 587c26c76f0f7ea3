use serde_json::json;

use crate::fixture::{App, BOOT, FORMER_HELLO, GRAPHQL, HELLO, PAIR, hash};

#[tokio::test]
async fn a_trusted_document_is_found_by_text_and_by_every_form_of_its_hash() {
    let app = App::production();
    let id = hash(HELLO);
    for request in [
        json!({ "query": HELLO }),
        json!({ "query": HELLO, "operationName": "Hello" }),
        json!({ "documentId": id }),
        json!({ "documentId": format!("sha256:{id}") }),
        json!({ "extensions": { "persistedQuery": { "version": 1, "sha256Hash": id } } }),
        json!({ "query": HELLO, "extensions": { "persistedQuery": { "version": 1, "sha256Hash": id } } }),
    ] {
        let answer = app.post(&[GRAPHQL], &request).await;
        assert_eq!(answer.status.as_u16(), 200, "{request}");
    }
    let extensions = json!({ "persistedQuery": { "version": 1, "sha256Hash": id } }).to_string();
    assert_eq!(app.get(&[], &[("extensions", &extensions)]).await.status.as_u16(), 200);
    assert_eq!(app.get(&[], &[("documentId", &id)]).await.status.as_u16(), 200);
    assert_eq!(app.fake.names(), ["Hello"; 8]);
    assert!(app.fake.requests.lock().unwrap().iter().all(|request| request.trusted));
}

#[tokio::test]
async fn the_fragments_of_a_trusted_document_can_be_in_any_order() {
    let app = App::production();
    let [operation, abc, zed] = PAIR;
    let sent = [operation, zed, abc].join("\n\n");
    let with_hash = |hash: String| json!({ "query": sent, "extensions": { "persistedQuery": { "version": 1, "sha256Hash": hash } } });
    for request in [json!({ "query": sent }), with_hash(hash(&sent))] {
        assert_eq!(app.post(&[GRAPHQL], &request).await.status.as_u16(), 200, "{request}");
    }
    assert_eq!(app.fake.names(), ["Pair"; 2]);
    let wrong = app.post(&[GRAPHQL], &with_hash(hash("{ hello }"))).await;
    assert_eq!(wrong.verdict(), (400, "MALFORMED_REQUEST"));
}

#[tokio::test]
async fn clients_of_an_earlier_release_use_their_own_document() {
    let app = App::production();
    let id = hash(FORMER_HELLO);
    for request in [
        json!({ "query": FORMER_HELLO, "operationName": "Hello" }),
        json!({ "extensions": { "persistedQuery": { "version": 1, "sha256Hash": id } } }),
    ] {
        let answer = app.post(&[GRAPHQL], &request).await;
        assert_eq!(answer.status.as_u16(), 200, "{request}");
    }
    assert!(app.fake.requests.lock().unwrap().iter().all(|request| request.trusted));
}

#[tokio::test]
async fn everything_else_is_rejected_with_the_same_response() {
    let app = App::production();
    let refused = [
        json!({ "query": "{ hello }" }),
        json!({ "query": "{ helo }" }),
        json!({ "query": "{ secret }" }),
        json!({ "query": "{ __schema { types { name } } }" }),
        json!({ "query": "this is not even GraphQL {{{" }),
        json!({ "query": format!("{HELLO}\n") }),
        json!({ "query": HELLO.replacen(' ', "  ", 1) }),
        json!({ "query": HELLO.replace("\n", "\r\n") }),
        json!({ "query": format!("\u{feff}{HELLO}") }),
        json!({ "query": format!("{HELLO}\n{BOOT}") }),
        json!({ "query": format!("{HELLO}\n{BOOT}"), "operationName": "Hello" }),
        json!({ "query": "" }),
        json!({ "query": HELLO, "operationName": "Other" }),
        json!({ "query": HELLO, "operationName": "" }),
        json!({ "documentId": hash(HELLO), "operationName": "Boot" }),
        json!({ "documentId": hash("{ secret }") }),
        json!({ "documentId": "" }),
        json!({ "documentId": format!("sha512:{}", hash(HELLO)) }),
        json!({ "documentId": format!("sha256:sha256:{}", hash(HELLO)) }),
        json!({ "documentId": &hash(HELLO)[1..] }),
        json!({ "extensions": { "persistedQuery": { "version": 1, "sha256Hash": "0".repeat(64) } } }),
        // Apollo's automatic persisted queries.
        json!({
            "query": "{ secret }",
            "extensions": { "persistedQuery": { "version": 1, "sha256Hash": hash("{ secret }") } },
        }),
    ];
    for request in &refused {
        let answer = app.post(&[GRAPHQL, ("x-request-id", "same")], request).await;
        let message = "This server answers only the operations that it was built with.";
        let extensions = json!({ "code": "UNKNOWN_OPERATION", "requestId": "same" });
        assert_eq!(
            answer.json,
            json!({ "errors": [{ "message": message, "extensions": extensions }] }),
            "{request}"
        );
        assert_eq!(answer.status.as_u16(), 403);
        let answer = app.post(&[], request).await;
        assert_eq!(
            answer.verdict(),
            (200, "UNKNOWN_OPERATION"),
            "application/json, {request}"
        );
    }
    assert!(app.fake.names().is_empty());
}

#[tokio::test]
async fn a_hash_that_does_not_match_the_text_is_rejected() {
    let app = App::production();
    for request in [
        json!({ "query": HELLO, "documentId": hash("{ other }") }),
        json!({ "query": HELLO, "documentId": hash(BOOT) }),
        json!({ "query": "{ other }", "documentId": hash(HELLO) }),
        json!({ "query": format!("{HELLO} "), "extensions": { "persistedQuery": { "sha256Hash": hash(HELLO) } } }),
    ] {
        let answer = app.post(&[], &request).await;
        assert_eq!(answer.verdict(), (400, "MALFORMED_REQUEST"), "{request}");
        assert_eq!(answer.problem(), "the given hash is not the SHA-256 of `query`");
    }
    assert!(app.fake.names().is_empty());
}

#[tokio::test]
async fn a_text_may_use_any_json_escapes() {
    let app = App::production();
    let text = HELLO.replace('\n', "\\u000A").replace('H', "\\u0048");
    let id = hash(HELLO).to_uppercase();
    for body in [
        format!(r#"{{"query":"{text}"}}"#),
        format!(r#"{{"\u0071uery":"{text}","documentId":"sha256:{id}"}}"#),
    ] {
        assert_eq!(app.post(&[GRAPHQL], &body).await.status.as_u16(), 200, "{body}");
    }
}

#[tokio::test]
async fn production_does_not_request_the_text_for_an_unknown_hash() {
    let app = App::production();
    let extensions = json!({ "persistedQuery": { "version": 1, "sha256Hash": hash("{ hello }") } });
    let answer = app.post(&[], json!({ "extensions": extensions })).await;
    assert_eq!(answer.verdict(), (200, "UNKNOWN_OPERATION"));
}

#[tokio::test]
async fn development_requests_the_text_for_an_unknown_hash() {
    let app = App::development();
    let extensions = json!({ "persistedQuery": { "version": 1, "sha256Hash": hash("{ hello }") } });
    for (accept, status) in [(GRAPHQL, 404), (("accept", "*/*"), 200)] {
        let answer = app.post(&[accept], json!({ "extensions": extensions })).await;
        assert_eq!(answer.verdict(), (status, "PERSISTED_QUERY_NOT_FOUND"));
        assert_eq!(answer.json["errors"][0]["message"], "PersistedQueryNotFound");
        let answer = app
            .post(&[accept], json!({ "query": "{ hello }", "extensions": extensions }))
            .await;
        assert_eq!(answer.status.as_u16(), 200);
    }
    let answer = app
        .post(&[GRAPHQL], json!({ "query": "{ boot }", "extensions": extensions }))
        .await;
    assert_eq!(answer.verdict(), (400, "MALFORMED_REQUEST"));
    let answer = app
        .post(
            &[GRAPHQL],
            json!({ "documentId": hash(HELLO), "operationName": "Other" }),
        )
        .await;
    assert_eq!(answer.verdict(), (403, "UNKNOWN_OPERATION"));
}
