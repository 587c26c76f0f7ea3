//! The engine over hand-written wiring: what is asked of resolvers, and what comes out.
#![allow(clippy::unwrap_used)]

mod app;

use std::{collections::HashMap, sync::Arc};

use app::{App, Role, Wired, cx};
use futures_util::StreamExt;
use serde_json::{Map, Value, json};
use traitql::{Ctx, Document, Engine, OperationKind, Rates, Response, engine::GraphqlEngine};

struct Bench {
    app: Arc<App>,
    engine: GraphqlEngine<Wired>,
}

fn bench() -> Bench {
    let roles = HashMap::from([("ada", Role::Admin), ("vic", Role::Viewer)]);
    let app = Arc::new(App {
        roles,
        ..App::default()
    });
    let engine = GraphqlEngine::new(Arc::clone(&app), Arc::new(Rates::default()));
    Bench { app, engine }
}

fn document(text: &str) -> Document {
    Document {
        text: text.to_owned(),
        name: None,
        kind: OperationKind::Query,
        hash: text.to_owned(),
        cost: 0,
        trusted: false,
    }
}

fn variables(value: Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap_or_default()
}

impl Bench {
    async fn ask_as(&self, cx: &Ctx, text: &str, values: Value) -> Response {
        self.engine.execute(cx, &document(text), variables(values)).await
    }

    async fn ask(&self, text: &str) -> Value {
        let response = self.ask_as(&cx(None), text, json!({})).await;
        serde_json::from_slice(&response.body).unwrap()
    }

    /// Asks, and expects no errors.
    async fn data(&self, text: &str) -> Value {
        let mut answer = self.ask(text).await;
        assert_eq!(answer.get("errors"), None, "{answer:#}");
        answer["data"].take()
    }

    fn calls(&self) -> Vec<String> {
        let mut calls = std::mem::take(&mut *self.app.calls.lock().unwrap());
        calls.sort();
        calls
    }
}

fn json_of(response: &Response) -> Value {
    serde_json::from_slice(&response.body).unwrap()
}

/// The errors of an answer, each in one line: path, code, message.
fn errors(answer: &Value) -> Vec<String> {
    let line = |error: &Value| {
        let path = error.get("path").map(|path| {
            let parts = path
                .as_array()
                .unwrap()
                .iter()
                .map(|part| part.as_str().map_or(part.to_string(), str::to_owned));
            parts.collect::<Vec<_>>().join(".")
        });
        let code = error["extensions"]["code"].as_str().unwrap();
        assert_eq!(error["extensions"]["requestId"], "r1");
        format!(
            "{} {code} {}",
            path.unwrap_or_default(),
            error["message"].as_str().unwrap()
        )
    };
    answer["errors"]
        .as_array()
        .map(|errors| errors.iter().map(line).collect())
        .unwrap_or_default()
}

#[tokio::test]
async fn a_resolver_is_called_once_per_field_and_level_at_depth_six() {
    let bench = bench();
    let text = "{ tours(first: 4) { name owner { name tours { id steps(first: 3) { title tour { owner { name boss { id } } } } } } } }";
    let data = bench.data(text).await;
    // Two owners for four tours, two tours each, three steps each; the steps share four tours, those share two owners.
    assert_eq!(
        bench.calls(),
        [
            "Person.boss×2",
            "Person.tours×2",
            "Query.tours×1",
            "Step.tour×12",
            "Tour.owner×4",
            "Tour.owner×4",
            "Tour.steps×4"
        ]
    );
    let tours = data["tours"].as_array().unwrap();
    assert_eq!(tours.len(), 4);
    assert_eq!(tours[0], tours[0].clone());
    assert_eq!(tours[0]["owner"], tours[2]["owner"]);
    assert_eq!(tours[1]["owner"]["tours"][1]["steps"][2]["title"], "Step 2 of t3");
    assert_eq!(
        tours[1]["owner"]["tours"][1]["steps"][2]["tour"]["owner"]["boss"]["id"],
        "p0"
    );
}

#[tokio::test]
async fn batches_come_together_through_interfaces_unions_and_connections() {
    let bench = bench();
    bench
        .data("{ nodes { __typename id owner { id boss { id } } related { id owner { id } } } }")
        .await;
    assert_eq!(
        bench.calls(),
        // `nodes` are two tours and two people. What they are related to is eight objects at one path, four of each type,
        // although two resolvers answered it at different times.
        [
            "Person.boss×2",
            "Person.boss×2",
            "Person.owner×2",
            "Person.owner×4",
            "Person.related×2",
            "Tour.owner×2",
            "Tour.owner×4",
            "Tour.related×2"
        ]
        .iter()
        .map(|call| (*call).to_owned())
        .filter(|call| call != "Person.boss×2")
        .chain(["Person.boss×4".to_owned()])
        .collect::<std::collections::BTreeSet<_>>()
        .into_iter()
        .collect::<Vec<_>>()
    );
    let data = bench.data("{ search { __typename ... on Tour { contents { ... on Video { author { name } } } } ... on Named { name } } }").await;
    assert_eq!(
        data["search"],
        json!([
            { "__typename": "Person", "name": "Person p5" },
            null,
            { "__typename": "Tour", "contents": [{}, { "author": { "name": "Person p3" } }], "name": "Tour t3" },
        ])
    );
    bench.calls();
    let data = bench
        .data("{ page(first: 3) { edges { cursor node { owner { name } } } nodes { owner { id } } pageInfo { hasNextPage endCursor } totalCount } }")
        .await;
    assert_eq!(bench.calls(), ["Tour.owner×3", "Tour.owner×3"]);
    assert_eq!(
        data["page"]["edges"][1],
        json!({ "cursor": "ct1", "node": { "owner": { "name": "Person p1" } } })
    );
    assert_eq!(data["page"]["nodes"][2], json!({ "owner": { "id": "p0" } }));
    assert_eq!(
        data["page"]["pageInfo"],
        json!({ "hasNextPage": true, "endCursor": "ct2" })
    );
    assert_eq!(data["page"]["totalCount"], 9);
}

#[tokio::test]
async fn aliases_with_different_arguments_are_different_columns_and_equal_selections_merge() {
    let bench = bench();
    let text = "{ tours(first: 2) { a: steps(first: 1) { title } b: steps(first: 2) { t: title } a: steps(first: 1) { tour { id } } ...More } }
        fragment More on Tour { ... on Node { id owner { id } } owner { name } b: steps(first: 2) { title } }";
    let data = bench.data(text).await;
    assert_eq!(
        data["tours"][1],
        json!({
            "a": [{ "title": "Step 0 of t1", "tour": { "id": "t1" } }],
            "b": [{ "t": "Step 0 of t1", "title": "Step 0 of t1" }, { "t": "Step 1 of t1", "title": "Step 1 of t1" }],
            "id": "t1",
            "owner": { "id": "p1", "name": "Person p1" },
        })
    );
    assert_eq!(
        bench.calls(),
        [
            "Query.tours×1",
            "Step.tour×2",
            "Tour.owner×2",
            "Tour.steps×2",
            "Tour.steps×2"
        ]
    );
}

#[tokio::test]
async fn the_order_of_fields_is_that_of_the_document_in_every_concrete_type() {
    let bench = bench();
    let text = "{ nodes { ... on Person { name boss { id } id } ... on Tour { rating id name } } }";
    let answer = bench.engine.execute(&cx(None), &document(text), Map::new()).await;
    let text = String::from_utf8(answer.body.to_vec()).unwrap();
    assert!(
        text.contains(r#"{"name":"Person p1","boss":{"id":"p0"},"id":"p1"}"#),
        "{text}"
    );
    assert!(text.contains(r#"{"rating":0.5,"id":"t2","name":"Tour t2"}"#), "{text}");
}

#[tokio::test]
async fn root_fields_with_one_response_key_are_resolved_once() {
    let bench = bench();
    let data = bench
        .data("{ tours { id } ...T __typename tours { name } } fragment T on Query { tours { owner { id } } }")
        .await;
    assert_eq!(bench.calls(), ["Query.tours×1", "Tour.owner×3"]);
    assert_eq!(
        data["tours"][0],
        json!({ "id": "t0", "owner": { "id": "p0" }, "name": "Tour t0" })
    );
    assert_eq!(data["__typename"], "Query");
}

#[tokio::test]
async fn skip_and_include_leave_out_fields_and_fragments() {
    let bench = bench();
    let text = "query ($yes: Boolean = true, $no: Boolean!) { tours(first: 1) {
        id @include(if: $yes) name @skip(if: $yes) owner @include(if: $no) { id }
        ... @include(if: $no) { steps { title } } ...F @skip(if: $yes) rating @skip(if: false) @include(if: true) } }
        fragment F on Tour { related { id } }";
    let answer = json_of(&bench.ask_as(&cx(None), text, json!({ "no": false })).await);
    assert_eq!(answer, json!({ "data": { "tours": [{ "id": "t0", "rating": 0.5 }] } }));
    assert_eq!(bench.calls(), ["Query.tours×1"]);
}

#[tokio::test]
async fn one_parent_can_fail_alone_and_null_goes_up_to_the_next_nullable_place() {
    let bench = bench();
    let answer = bench.ask("{ tours { id risky } }").await;
    assert_eq!(
        answer["data"]["tours"],
        json!([{ "id": "t0", "risky": "t0" }, { "id": "t1", "risky": null }, { "id": "t2", "risky": "t2" }])
    );
    assert_eq!(errors(&answer), ["tours.1.risky RISK Tour t1 is risky."]);

    // Nothing between `strict` and the root may be null.
    let answer = bench.ask("{ tours { id strict } }").await;
    assert_eq!(answer["data"], Value::Null);
    assert_eq!(errors(&answer), ["tours.1.strict RISK Tour t1 is risky."]);

    // `boss` and `tour` may, and the entries of `search`.
    let answer = bench
        .ask(r#"{ tour(id: "t1") { id strict } other: tour(id: "t2") { id } }"#)
        .await;
    assert_eq!(answer["data"], json!({ "tour": null, "other": null }));
    assert_eq!(errors(&answer), ["tour.strict RISK Tour t1 is risky."]);
    let answer = bench
        .ask("{ search { ... on Tour { nothing } ... on Person { id } } }")
        .await;
    assert_eq!(answer["data"], json!({ "search": [{ "id": "p5" }, null, null] }));
    assert_eq!(
        errors(&answer),
        ["search.2.nothing INTERNAL Something failed on our side. Reference r1."]
    );
    let answer = bench.ask("{ tours(first: 1) { wrong { tour } } }").await;
    assert_eq!(answer["data"], json!({ "tours": [{ "wrong": null }] }));
    assert_eq!(
        errors(&answer),
        ["tours.0.wrong.0.tour INTERNAL Something failed on our side. Reference r1."]
    );
}

#[tokio::test]
async fn errors_stand_in_the_order_of_the_answer_with_their_own_paths() {
    let bench = bench();
    let answer = bench.ask("{ a: fails tours { risky panics } b: fails nodes { related { ... on Tour { rating owner { boss { id } } } } } }").await;
    assert_eq!(
        errors(&answer),
        [
            "a SOFT It fails softly.",
            "tours.0.panics INTERNAL Something failed on our side. Reference r1.",
            "tours.1.risky RISK Tour t1 is risky.",
            "tours.1.panics INTERNAL Something failed on our side. Reference r1.",
            "tours.2.panics INTERNAL Something failed on our side. Reference r1.",
            "b SOFT It fails softly.",
        ]
    );
    assert_eq!(
        answer["errors"][0]["extensions"],
        json!({ "code": "SOFT", "slots": { "n": "1" }, "requestId": "r1" })
    );
    // An object that several parents share fails once for each of them.
    let answer = bench.ask("{ tours(first: 2) { steps { tour { risky } } } }").await;
    assert_eq!(
        errors(&answer),
        [
            "tours.1.steps.0.tour.risky RISK Tour t1 is risky.",
            "tours.1.steps.1.tour.risky RISK Tour t1 is risky."
        ]
    );
    // Whichever root field is ready first, the first one in the document that leaves no data is told last.
    let answer = bench.ask("{ fails tours { strict } failsHard }").await;
    assert_eq!(answer["data"], Value::Null);
    assert_eq!(
        errors(&answer),
        ["fails SOFT It fails softly.", "tours.1.strict RISK Tour t1 is risky."]
    );
}

#[tokio::test]
async fn the_status_is_that_of_the_first_error_where_there_is_no_data() {
    let bench = bench();
    let status = async |text: &str| bench.ask_as(&cx(None), text, json!({})).await.http;
    assert_eq!(status("{ fails }").await, 200);
    assert_eq!(status("{ failsHard }").await, 500);
    assert_eq!(status("{ secret }").await, 401);
    assert_eq!(
        bench.ask_as(&cx(None), "{ fails secret }", json!({})).await.codes,
        ["SOFT", "UNAUTHENTICATED"]
    );
}

#[tokio::test]
async fn leaves_and_nested_lists_are_written_as_the_schema_says() {
    let bench = bench();
    let answer = bench
        .ask("{ tours(first: 2) { matrix createdAt rating content { __typename ... on Video { seconds } } old } }")
        .await;
    assert_eq!(
        answer["data"]["tours"],
        json!([
            { "matrix": [[1, null], [0]], "createdAt": "1970-01-01T00:00:01.000Z", "rating": 0.5, "content": { "__typename": "Text" }, "old": null },
            { "matrix": [[1, null], [1]], "createdAt": "1970-01-01T00:00:01.000Z", "rating": null, "content": { "__typename": "Video", "seconds": 1 }, "old": null },
        ])
    );
    assert_eq!(
        errors(&answer),
        ["tours.1.rating INTERNAL Something failed on our side. Reference r1."]
    );
}

#[tokio::test]
async fn a_thousand_siblings_are_one_batch() {
    let bench = bench();
    let data = bench
        .data("{ tours(first: 1000) { owner { boss { name } } steps(first: 1) { tour { owner { id } } } } }")
        .await;
    assert_eq!(data["tours"].as_array().unwrap().len(), 1000);
    assert_eq!(
        bench.calls(),
        [
            "Person.boss×2",
            "Query.tours×1",
            "Step.tour×1000",
            "Tour.owner×1000",
            "Tour.owner×1000",
            "Tour.steps×1000"
        ]
    );
}

#[test]
fn deep_documents_need_no_deep_stack() {
    let depth = 200;
    let text = format!(
        "{{ node {} }}",
        "{ owner ".repeat(depth) + "{ id }" + &"}".repeat(depth)
    );
    // The stack of tokio's worker threads.
    let thread = std::thread::Builder::new().stack_size(2 * 1024 * 1024).spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let answer = runtime.block_on(async { bench().ask_as(&cx(None), &text, json!({})).await });
        String::from_utf8(answer.body.to_vec()).unwrap()
    });
    // Deeper than serde_json would read.
    let found = thread.unwrap().join().unwrap().matches("owner").count();
    assert_eq!(found, depth);
}

#[tokio::test]
async fn mutations_run_one_after_the_other_and_stop_at_one_that_leaves_no_data() {
    let bench = bench();
    let calls = |bench: &Bench| std::mem::take(&mut *bench.app.calls.lock().unwrap());
    let data = bench
        .data("mutation { a: add(n: 1) b: add(n: 9) c: add(n: 3) a: add(n: 1) }")
        .await;
    assert_eq!(data, json!({ "a": 1, "b": 9, "c": 3 }));
    assert_eq!(
        calls(&bench),
        [
            "add 1 begins×1",
            "add 1 ends×1",
            "add 9 begins×1",
            "add 9 ends×1",
            "add 3 begins×1",
            "add 3 ends×1"
        ]
    );
    let answer = bench
        .ask("mutation { a: addOrFail(n: 1) b: addOrFail(n: 2) c: addOrFail(n: 3) }")
        .await;
    assert_eq!(answer["data"], Value::Null);
    assert_eq!(errors(&answer), ["b NO Two is too many."]);
    assert_eq!(calls(&bench).len(), 4);
}

#[tokio::test]
async fn variables_and_arguments_are_coerced_and_every_problem_is_told() {
    let bench = bench();
    let text = "query ($at: DateTime, $input: EchoInput, $numbers: [Int!]) {
        all: echo(at: $at, input: $input) literal: echo(input: { numbers: 7, role: VIEWER, find: { id: 5 } }) none: echo(input: { numbers: $numbers }, flag: null) }";
    let values = json!({ "at": "2026-01-01T00:00:00Z", "input": { "text": "hi", "numbers": [1, 2.0] } });
    let answer = json_of(&bench.ask_as(&cx(None), text, values).await);
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
    let response = bench.ask_as(&cx(None), text, values).await;
    assert_eq!((response.http, json_of(&response).get("data")), (400, None));
    let violations = &json_of(&response)["errors"][0]["extensions"]["violations"];
    let told: Vec<_> = violations
        .as_array()
        .unwrap()
        .iter()
        .map(|v| format!("{} {}", v["path"], v["problem"]).replace('"', ""))
        .collect();
    assert_eq!(
        told,
        [
            "input.text must be a text",
            "input.numbers.1 must be a whole number of 32 bits",
            "input.numbers.2 must not be null",
            "input.numbers.3 must be a whole number of 32 bits",
            "input.role must be one of VIEWER, ADMIN",
            "input.find must have exactly one field, and its value must not be null",
            "input must not have the field `size`",
        ]
    );
}

#[tokio::test]
async fn guards_ask_once_per_request_and_come_before_the_rate() {
    let bench = bench();
    let ask = async |who: Option<&str>, text: &str| json_of(&bench.ask_as(&cx(who), text, json!({})).await);
    assert_eq!(
        errors(&ask(None, "{ secret }").await),
        ["secret UNAUTHENTICATED Sign in first."]
    );
    assert_eq!(
        errors(&ask(Some("vic"), "{ secret }").await),
        ["secret FORBIDDEN This needs the ADMIN role."]
    );
    let missing = ask(Some("eve"), "{ secret }").await;
    assert_eq!(
        errors(&missing),
        ["secret NOT_FOUND This workspace does not exist, or you cannot see it."]
    );
    assert_eq!(
        missing["errors"][0]["extensions"]["slots"],
        json!({ "thing": "workspace" })
    );

    bench.app.grants.store(0, std::sync::atomic::Ordering::SeqCst);
    let answer = ask(Some("ada"), "{ a: secret b: secret c: secret }").await;
    assert_eq!(
        answer,
        json!({ "data": { "a": "for a1", "b": "for a1", "c": "for a1" } })
    );
    assert_eq!(bench.app.grants.load(std::sync::atomic::Ordering::SeqCst), 1);
    let answer = ask(Some("ada"), "{ secret }").await;
    let told = errors(&answer);
    assert!(
        told[0].starts_with("secret RATE_LIMITED Too many requests. Try again in 2"),
        "{told:?}"
    );
}

#[tokio::test]
async fn an_abandoned_request_stops_its_resolvers() {
    let bench = bench();
    let (cx, document) = (cx(None), document("{ waits }"));
    let mut request = bench.engine.execute(&cx, &document, Map::new());
    while !bench.app.waiting.load(std::sync::atomic::Ordering::SeqCst) {
        let _ = futures_util::poll!(&mut request);
    }
    drop(request);
    assert!(bench.app.dropped.load(std::sync::atomic::Ordering::SeqCst));
}

#[tokio::test]
async fn subscriptions_answer_each_event_or_refuse_to_begin() {
    let bench = bench();
    let text = "subscription ($until: Int!) { tick: ticks(until: $until) { id owner { name } strict } }";
    let subscribe = |until: i32| {
        bench
            .engine
            .subscribe(cx(None), Arc::new(document(text)), variables(json!({ "until": until })))
    };
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
    assert_eq!(
        bench.calls(),
        ["Tour.owner×1", "Tour.owner×1", "Tour.strict×1", "Tour.strict×1"]
    );

    let refusal = subscribe(-1).await.err().unwrap();
    assert_eq!(
        (refusal.http, errors(&json_of(&refusal))),
        (400, vec!["tick NEVER It never begins.".to_owned()])
    );

    bench.app.dropped.store(false, std::sync::atomic::Ordering::SeqCst);
    let mut stream = subscribe(1_000_000).await.ok().unwrap();
    assert!(stream.next().await.is_some());
    drop(stream);
    assert!(bench.app.dropped.load(std::sync::atomic::Ordering::SeqCst));
}

#[tokio::test]
async fn what_is_no_document_is_refused() {
    let bench = bench();
    let answer = bench.ask("{ tours {").await;
    assert_eq!(answer.get("data"), None);
    assert_eq!(answer["errors"][0]["extensions"]["code"], "INVALID_DOCUMENT");
}
