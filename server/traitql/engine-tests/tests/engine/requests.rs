use std::sync::{Arc, atomic::Ordering::SeqCst};

use futures_util::StreamExt;
use serde_json::{Map, Value, json};
use traitql::{BIG_INTEGERS, Document, Engine};

use crate::{Engines, app::cx, document, engines, errors, json_of, trusted, variables};

#[tokio::test]
async fn mutations_run_sequentially_and_stop_at_one_that_leaves_no_data() {
    let engines = engines();
    let calls = |engines: &Engines| std::mem::take(&mut *engines.app.calls.lock().unwrap());
    let data = engines
        .data("mutation { a: add(n: 1) b: add(n: 9) c: add(n: 3) a: add(n: 1) }")
        .await;
    assert_eq!(data, json!({ "a": 1, "b": 9, "c": 3 }));
    assert_eq!(
        calls(&engines),
        [
            "add 1 begins×1",
            "add 1 ends×1",
            "add 9 begins×1",
            "add 9 ends×1",
            "add 3 begins×1",
            "add 3 ends×1"
        ]
    );
    let answer = engines
        .execute("mutation { a: addOrFail(n: 1) b: addOrFail(n: 2) c: addOrFail(n: 3) }")
        .await;
    assert_eq!(answer["data"], Value::Null);
    assert_eq!(errors(&answer), ["b NO Two is too many."]);
    assert_eq!(calls(&engines).len(), 4);
}

#[tokio::test]
async fn the_only_root_field_is_marked_in_the_response() {
    let engines = engines();
    let long_key = "a_key_that_is_longer_than_what_is_copied_at_once";
    for (text, expected) in [
        ("mutation { add(n: 1) }".to_owned(), Some("1")),
        (format!("mutation {{ {long_key}: add(n: 1) }}"), Some("1")),
        ("mutation { a: add(n: 1) b: add(n: 9) }".to_owned(), None),
        ("mutation { addOrFail(n: 2) }".to_owned(), None),
        ("{ __typename }".to_owned(), Some("\"Query\"")),
        ("{ echo(at: 18446744073709551616) }".to_owned(), None),
    ] {
        let document = trusted(&text);
        let response = engines.plans(&document).execute(&cx(None), &document, Map::new()).await;
        let root_field = response.root_field.clone().map(|range| &response.body[range]);
        assert_eq!(root_field, expected.map(str::as_bytes), "{text}");
    }
}

#[tokio::test]
async fn ids_of_any_size_are_their_digits() {
    let engines = engines();
    let text = "query ($input: EchoInput) {
        a: echo(input: $input) b: echo(input: { find: { id: 123456789012345678901234567890 } }) }";
    let digits = "18446744073709551616";
    let values =
        json!({ "input": { "find": { "id": 18446744073709551616_f64 } }, BIG_INTEGERS: { "input.find.id": digits } });
    let answer = json_of(&engines.execute_as(&cx(None), text, values).await);
    for (key, expected) in [("a", digits), ("b", "123456789012345678901234567890")] {
        let echo: Value = serde_json::from_str(answer["data"][key].as_str().unwrap()).unwrap();
        assert_eq!(echo["input"]["find"], json!({ "id": expected }));
    }
}

#[tokio::test]
async fn numbers_that_would_be_rounded_are_rejected() {
    let engines = engines();
    let values = json!({ "at": 1e20, BIG_INTEGERS: { "at": "100000000000000000001" } });
    let response = engines
        .execute_as(&cx(None), "query ($at: DateTime) { echo(at: $at) }", values)
        .await;
    let expected = json!([{ "path": "at", "rule": "type", "problem": "must be a number that fits in 64 bits, or a string", "params": { "expected": "NUMBER_SIZE" } }]);
    assert_eq!(json_of(&response)["errors"][0]["extensions"]["violations"], expected);
    let answer = engines.execute("{ echo(at: 18446744073709551616) }").await;
    assert_eq!(answer["errors"][0]["extensions"]["violations"], expected);
}

#[tokio::test]
async fn a_condition_that_is_null_rejects_the_request() {
    let engines = engines();
    let text = "query ($is: Boolean = true) { a: echo @skip(if: $is) b: echo @include(if: $is) }";
    let response = engines.execute_as(&cx(None), text, json!({ "is": null })).await;
    let answer = json_of(&response);
    assert_eq!((response.http, answer.get("data")), (400, None));
    let expected = json!([{ "path": "is", "rule": "required", "problem": "must not be null", "params": {} }]);
    assert_eq!(answer["errors"][0]["extensions"]["violations"], expected);
    let answer = json_of(&engines.execute_as(&cx(None), text, json!({})).await);
    assert_eq!(answer["data"].as_object().unwrap().keys().collect::<Vec<_>>(), ["b"]);
}

#[tokio::test]
async fn variables_and_arguments_are_coerced_and_all_violations_are_reported() {
    let engines = engines();
    let text = "query ($at: DateTime, $input: EchoInput, $numbers: [Int!]) {
        all: echo(at: $at, input: $input) literal: echo(input: { numbers: 7, role: VIEWER, find: { id: 5 } }) none: echo(input: { numbers: $numbers }, flag: null) }";
    let values = json!({ "at": "2026-01-01T00:00:00Z", "input": { "text": "hi", "numbers": [1, 2.0] } });
    let answer = json_of(&engines.execute_as(&cx(None), text, values).await);
    let echo = |key: &str| serde_json::from_str::<Value>(answer["data"][key].as_str().unwrap()).unwrap();
    assert_eq!(
        echo("all"),
        json!({ "at": "2026-01-01T00:00:00Z", "input": { "text": "hi", "numbers": [1, 2], "role": "ADMIN" }, "flag": true })
    );
    assert_eq!(
        echo("literal"),
        json!({ "input": { "text": "hello", "numbers": [7], "role": "VIEWER", "find": { "id": "5" } }, "flag": true })
    );
    assert_eq!(
        echo("none"),
        json!({ "input": { "text": "hello", "role": "ADMIN" }, "flag": null })
    );

    let values = json!({ "input": { "text": 1, "numbers": [1, "2", null, 3e9], "role": "KING", "find": { "id": "a", "name": "b" }, "size": 1 } });
    let response = engines.execute_as(&cx(None), text, values).await;
    assert_eq!((response.http, json_of(&response).get("data")), (400, None));
    let violations = &json_of(&response)["errors"][0]["extensions"]["violations"];
    let messages: Vec<_> = violations
        .as_array()
        .unwrap()
        .iter()
        .map(|v| format!("{} {}", v["path"], v["problem"]).replace('"', ""))
        .collect();
    assert_eq!(
        messages,
        [
            "input.text must be a string",
            "input.numbers.1 must be an integer",
            "input.numbers.2 must not be null",
            "input.numbers.3 must be an integer between -2147483648 and 2147483647",
            "input.role must be one of VIEWER, ADMIN",
            "input.find must have exactly one field, and its value must not be null",
            "input must not have the field `size`",
        ]
    );
}

#[tokio::test]
async fn guards_run_once_per_request_and_before_the_rate_limit() {
    let engines = engines();
    let execute = async |who: Option<&str>, text: &str| json_of(&engines.execute_as(&cx(who), text, json!({})).await);
    assert_eq!(
        errors(&execute(None, "{ secret }").await),
        ["secret UNAUTHENTICATED Sign in first."]
    );
    assert_eq!(
        errors(&execute(Some("vic"), "{ secret }").await),
        ["secret FORBIDDEN This needs the ADMIN role."]
    );
    let missing = execute(Some("eve"), "{ secret }").await;
    assert_eq!(
        errors(&missing),
        ["secret NOT_FOUND This workspace does not exist, or you cannot see it."]
    );
    assert_eq!(
        missing["errors"][0]["extensions"]["slots"],
        json!({ "thing": "workspace" })
    );

    engines.app.grants.store(0, SeqCst);
    let answer = execute(Some("ada"), "{ a: secret b: secret c: secret }").await;
    assert_eq!(
        answer,
        json!({ "data": { "a": "for a1", "b": "for a1", "c": "for a1" } })
    );
    assert_eq!(engines.app.grants.load(SeqCst), 1);
    let answer = execute(Some("ada"), "{ secret }").await;
    let messages = errors(&answer);
    assert!(
        messages[0].starts_with("secret RATE_LIMITED Too many requests. Try again in 2"),
        "{messages:?}"
    );
}

#[tokio::test]
async fn a_resolver_knows_the_selection() {
    let engines = engines();
    engines
        .data(
            "query ($no: Boolean! = false) {
                tour(id: \"selected\") { known: id ...T old @include(if: $no) ... on Node { owner { id } } }
            }
            fragment T on Tour { owner { name } name @skip(if: true) }",
        )
        .await;
    assert_eq!(engines.calls(), [r#"{"id", "owner"}, owner.name: true×1"#]);
    engines.data("{ tour(id: \"selected\") { owner { id } } }").await;
    assert_eq!(engines.calls(), [r#"{"owner"}, owner.name: false×1"#]);
}

#[tokio::test]
async fn a_cancelled_request_stops_its_resolvers() {
    let engines = engines();
    let (cx, document) = (cx(None), trusted("{ waits }"));
    let planned = engines.plans(&document);
    for (engine, app) in [
        (&engines.engine as &dyn Engine, &engines.app),
        (&planned, &engines.planned),
    ] {
        let mut request = engine.execute(&cx, &document, Map::new());
        while !app.waiting.load(SeqCst) {
            let _ = futures_util::poll!(&mut request);
        }
        drop(request);
        assert!(app.dropped.load(SeqCst));
    }
}

#[tokio::test]
async fn subscriptions_respond_to_each_event_or_fail_to_start() {
    let engines = engines();
    let text = "subscription ($until: Int!) { tick: ticks(until: $until) { id owner { name } strict } }";
    let planned = engines.plans(&trusted(text));
    for (engine, app) in [
        (&engines.engine as &dyn Engine, &engines.app),
        (&planned, &engines.planned),
    ] {
        let subscribe =
            |until: i32| engine.subscribe(cx(None), Arc::new(trusted(text)), variables(json!({ "until": until })));
        let answers: Vec<_> = subscribe(3).await.ok().unwrap().collect().await;
        let answers: Vec<_> = answers.iter().map(json_of).collect();
        assert_eq!(answers.len(), 3);
        assert_eq!(
            answers[0],
            json!({ "data": { "tick": { "id": "t0", "owner": { "name": "Person p0" }, "strict": "t0" } } })
        );
        assert_eq!(answers[1]["data"], Value::Null);
        assert_eq!(errors(&answers[1]), ["tick TICK The second tick is lost."]);
        assert_eq!(answers[2]["data"]["tick"]["id"], "t2");
        let mut calls = std::mem::take(&mut *app.calls.lock().unwrap());
        calls.sort();
        assert_eq!(
            calls,
            ["Tour.owner×1", "Tour.owner×1", "Tour.strict×1", "Tour.strict×1"]
        );

        let rejection = subscribe(-1).await.err().unwrap();
        assert_eq!(
            (rejection.http, errors(&json_of(&rejection))),
            (400, vec!["tick NEVER It never starts.".to_owned()])
        );

        app.dropped.store(false, SeqCst);
        let mut stream = subscribe(1_000_000).await.ok().unwrap();
        assert!(stream.next().await.is_some());
        drop(stream);
        assert!(app.dropped.load(SeqCst));
    }
}

#[tokio::test]
async fn a_shared_event_is_executed_once_also_for_later_subscribers() {
    let engines = engines();
    let document = trusted("subscription ($until: Int!) { ticks(until: $until) { id owner { name } } }");
    let planned = engines.plans(&document);
    engines.planned.shares_ticks.store(true, SeqCst);
    let document = Arc::new(document);
    for _ in 0..2 {
        let begun = planned.subscribe(cx(None), Arc::clone(&document), variables(json!({ "until": 1 })));
        let events: Vec<_> = begun.await.ok().unwrap().map(|event| json_of(&event)).collect().await;
        assert_eq!(
            events,
            [json!({ "data": { "ticks": { "id": "t0", "owner": { "name": "Person p0" } } } })]
        );
    }
    assert_eq!(*engines.planned.calls.lock().unwrap(), ["Tour.owner×1"]);
}

#[tokio::test]
async fn a_subscription_whose_field_is_skipped_is_rejected() {
    let engines = engines();
    let text = "subscription ($no: Boolean!) { ticks(until: 1) @skip(if: $no) { id } }";
    let planned = engines.plans(&trusted(text));
    for engine in [&engines.engine as &dyn Engine, &planned] {
        let begun = engine.subscribe(cx(None), Arc::new(trusted(text)), variables(json!({ "no": true })));
        let rejection = begun.await.err().unwrap();
        assert_eq!((rejection.http, &rejection.codes[..]), (400, &["INVALID_DOCUMENT"][..]));
    }
}

#[tokio::test]
async fn an_operation_is_selected_by_its_name() {
    let engines = engines();
    let text = "query One { tours(first: 1) { id } } query Two { search { __typename } }";
    let named = |name: Option<&str>| Document {
        name: name.map(str::to_owned),
        ..document(text)
    };
    let execute =
        async |name: Option<&str>| json_of(&engines.engine.execute(&cx(None), &named(name), Map::new()).await);
    assert_eq!(
        execute(Some("One")).await,
        json!({ "data": { "tours": [{ "id": "t0" }] } })
    );
    assert_eq!(execute(Some("Two")).await["data"]["search"][1], Value::Null);
    assert_eq!(
        execute(Some("Three")).await["errors"][0]["extensions"]["code"],
        "INVALID_DOCUMENT"
    );
    assert_eq!(
        execute(None).await["errors"][0]["extensions"]["code"],
        "INVALID_DOCUMENT"
    );
}

#[tokio::test]
async fn invalid_documents_are_rejected() {
    let engines = engines();
    let answer = engines.execute("{ tours {").await;
    assert_eq!(answer.get("data"), None);
    assert_eq!(answer["errors"][0]["extensions"]["code"], "INVALID_DOCUMENT");
}
