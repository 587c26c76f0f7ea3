use serde_json::{Map, json};
use traitql::Engine;

use crate::{app::cx, document, engines, json_of};

#[tokio::test]
async fn a_resolver_is_called_once_per_field_and_level_at_depth_six() {
    let engines = engines();
    let text = "{ tours(first: 4) { name owner { name tours { id steps(first: 3) { title tour { owner { name boss { id } } } } } } } }";
    let data = engines.data(text).await;
    // Two owners, two tours each, three steps each.
    assert_eq!(
        engines.calls(),
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
    assert_eq!(tours[0]["owner"], tours[2]["owner"]);
    assert_eq!(tours[1]["owner"]["tours"][1]["steps"][2]["title"], "Step 2 of t3");
    assert_eq!(
        tours[1]["owner"]["tours"][1]["steps"][2]["tour"]["owner"]["boss"]["id"],
        "p0"
    );
}

#[tokio::test]
async fn batches_span_interfaces_unions_and_connections() {
    let engines = engines();
    engines
        .data("{ nodes { __typename id owner { id boss { id } } related { id owner { id } } } }")
        .await;
    assert_eq!(
        engines.calls(),
        [
            // `nodes` are two tours and two people, with four owners (of four people) at one path.
            "Person.boss×4",
            "Person.owner×2",
            // At one path, returned at different times.
            "Person.owner×4",
            "Person.related×2",
            "Tour.owner×2",
            "Tour.owner×4",
            "Tour.related×2",
        ]
    );
    let data = engines.data("{ search { __typename ... on Tour { contents { ... on Video { author { name } } } } ... on Named { name } } }").await;
    assert_eq!(
        data["search"],
        json!([
            { "__typename": "Person", "name": "Person p5" },
            null,
            { "__typename": "Tour", "contents": [{}, { "author": { "name": "Person p3" } }], "name": "Tour t3" },
        ])
    );
    engines.calls();
    let data = engines
        .data("{ page(first: 3) { edges { cursor node { owner { name } } } nodes { owner { id } } pageInfo { hasNextPage endCursor } totalCount } }")
        .await;
    assert_eq!(engines.calls(), ["Tour.owner×3", "Tour.owner×3"]);
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
async fn aliases_with_different_arguments_are_separate_columns_and_equal_selections_merge() {
    let engines = engines();
    let text = "{ tours(first: 2) { a: steps(first: 1) { title } b: steps(first: 2) { t: title } a: steps(first: 1) { tour { id } } ...More } }
        fragment More on Tour { ... on Node { id owner { id } } owner { name } b: steps(first: 2) { title } }";
    let data = engines.data(text).await;
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
        engines.calls(),
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
async fn fields_are_in_document_order_for_every_concrete_type() {
    let engines = engines();
    let text = "{ nodes { ... on Person { name boss { id } id } ... on Tour { rating id name } } }";
    let answer = engines.engine.execute(&cx(None), &document(text), Map::new()).await;
    let text = String::from_utf8(answer.body.to_vec()).unwrap();
    assert!(
        text.contains(r#"{"name":"Person p1","boss":{"id":"p0"},"id":"p1"}"#),
        "{text}"
    );
    assert!(text.contains(r#"{"rating":0.5,"id":"t2","name":"Tour t2"}"#), "{text}");
}

#[tokio::test]
async fn root_fields_with_one_response_key_are_resolved_once() {
    let engines = engines();
    let data = engines
        .data("{ tours { id } ...T __typename tours { name } } fragment T on Query { tours { owner { id } } }")
        .await;
    assert_eq!(engines.calls(), ["Query.tours×1", "Tour.owner×3"]);
    assert_eq!(
        data["tours"][0],
        json!({ "id": "t0", "owner": { "id": "p0" }, "name": "Tour t0" })
    );
    assert_eq!(data["__typename"], "Query");
}

#[tokio::test]
async fn skip_and_include_exclude_fields_and_fragments() {
    let engines = engines();
    let text = "query ($yes: Boolean = true, $no: Boolean!) { tours(first: 1) {
        id @include(if: $yes) name @skip(if: $yes) owner @include(if: $no) { id }
        ... @include(if: $no) { steps { title } } ...F @skip(if: $yes) rating @skip(if: false) @include(if: true) } }
        fragment F on Tour { related { id } }";
    let answer = json_of(&engines.execute_as(&cx(None), text, json!({ "no": false })).await);
    assert_eq!(answer, json!({ "data": { "tours": [{ "id": "t0", "rating": 0.5 }] } }));
    assert_eq!(engines.calls(), ["Query.tours×1"]);
}

#[tokio::test]
async fn a_thousand_siblings_are_one_batch() {
    let engines = engines();
    let data = engines
        .data("{ tours(first: 1000) { owner { boss { name } } steps(first: 1) { tour { owner { id } } } } }")
        .await;
    assert_eq!(data["tours"].as_array().unwrap().len(), 1000);
    assert_eq!(
        engines.calls(),
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
fn deep_documents_do_not_overflow_the_stack() {
    let depth = 200;
    let text = format!(
        "{{ node {} }}",
        "{ owner ".repeat(depth) + "{ id }" + &"}".repeat(depth)
    );
    // The stack size of tokio's worker threads.
    let thread = std::thread::Builder::new().stack_size(2 * 1024 * 1024).spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let answer = runtime.block_on(async { engines().execute_as(&cx(None), &text, json!({})).await });
        String::from_utf8(answer.body.to_vec()).unwrap()
    });
    // Deeper than serde_json can parse.
    let found = thread.unwrap().join().unwrap().matches("owner").count();
    assert_eq!(found, depth);
}

#[tokio::test]
async fn a_deep_document_needs_one_call_per_level() {
    let engines = engines();
    let (open, close) = ("owner { ".repeat(100), "} ".repeat(100));
    engines.data(&format!("{{ nodes {{ {open} id {close} }} }}")).await;
    assert_eq!(engines.calls().len(), 101);
}
