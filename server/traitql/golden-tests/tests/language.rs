#![allow(clippy::unwrap_used)]

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering::SeqCst},
};

use futures_util::{StreamExt, stream};
use serde_json::{Value, json};
use traitql::{Ctx, CtxParts, Document, Edge, Engine, OperationKind, Page, PageInfo, RateLimits};
use traitql_golden::language::{self, Color, Paint, Pick};
use traitql_golden::{
    Album, AlbumPayload, Artist, Found, Identified, Query, Resolvers, State, Track, engine, mock::Mock,
};

async fn ask(mock: Mock, text: &str) -> Value {
    let engine = engine(&Resolvers::new(Arc::new(mock)), Arc::new(RateLimits::default()));
    let document = Document {
        text: text.to_owned(),
        name: None,
        kind: OperationKind::Query,
        hash: text.to_owned(),
        cost: 0,
        trusted: false,
    };
    let cx: Ctx = CtxParts::default().into();
    let response = engine.execute(&cx, &document, Default::default()).await;
    serde_json::from_slice(&response.body).unwrap()
}

async fn data(mock: Mock, text: &str) -> Value {
    let response = ask(mock, text).await;
    assert_eq!(response.get("errors"), None, "{response:#}");
    response["data"].clone()
}

fn album(id: &str) -> Album {
    Album {
        id: id.into(),
        title: format!("album {id}"),
        at: None,
        state: State::Out,
        notes: Vec::new(),
        cover: None,
        grid: Vec::new(),
        extra: None,
        artist_id: "a1".into(),
    }
}

fn track(id: &str) -> Arc<Track> {
    Arc::new(Track {
        id: id.into(),
        title: id.to_owned(),
        seconds: 1,
    })
}

fn edge(id: &str) -> Edge<Album> {
    Edge {
        cursor: format!("c{id}"),
        node: album(id),
    }
}

fn payload(end: &str) -> AlbumPayload {
    AlbumPayload {
        page: PageInfo {
            end_cursor: Some(end.to_owned()),
            ..PageInfo::default()
        },
        pages: Some(vec![None, Some(PageInfo::default())]),
    }
}

#[tokio::test]
async fn connections_can_be_null_and_entries_of_lists() {
    let mock = Mock::default().query_latest(|_| Ok(None)).query_shelves(|_| {
        let page = Page::new(vec![track("t1")], false, |track: &Arc<Track>| format!("c{}", track.id));
        Ok(Some(vec![Some(page), None]))
    });
    let text = "{ latest { nodes { id } } shelves { nodes { id } pageInfo { endCursor } } }";
    assert_eq!(
        data(mock, text).await,
        json!({ "latest": null, "shelves": [{ "nodes": [{ "id": "t1" }], "pageInfo": { "endCursor": "ct1" } }, null] })
    );
}

#[tokio::test]
async fn edges_and_page_infos_can_be_outside_of_connections() {
    let mock = Mock::default()
        .query_payloads(|_| Ok(vec![payload("x"), payload("y")]))
        .album_payload_edge(|_, payloads| Ok(payloads.map_opt(|_| Ok(Some(edge("b1"))))))
        .album_payload_edges(|_, payloads| Ok(payloads.map_many(|_| Ok(vec![edge("b2"), edge("b3")]))));
    let text =
        "{ payloads { edge { cursor node { title } } edges { cursor } page { endCursor } pages { hasNextPage } } }";
    let response = data(mock, text).await;
    assert_eq!(
        response["payloads"][1],
        json!({
            "edge": { "cursor": "cb1", "node": { "title": "album b1" } },
            "edges": [{ "cursor": "cb2" }, { "cursor": "cb3" }],
            "page": { "endCursor": "y" },
            "pages": [null, { "hasNextPage": false }],
        })
    );
}

fn rooted(calls: &Arc<AtomicUsize>) -> Mock {
    let calls = Arc::clone(calls);
    Mock::default()
        .query_id(|_| Ok("root".into()))
        .query_relay(|_| Ok(Query))
        .query_identified(|_| Ok(Some(Identified::from(Query))))
        .query_search(|_, _, _| Ok(vec![Found::from(Query), Found::from(album("b1"))]))
        .query_payloads(|_| Ok(vec![payload("x"), payload("y"), payload("z")]))
        .album_payload_query(|_, payloads| {
            Ok(payloads.map_opt(|payload| Ok((payload.page.end_cursor.as_deref() != Some("y")).then_some(Query))))
        })
        .query_artists(move |_| {
            calls.fetch_add(1, SeqCst);
            Ok(vec![Artist {
                id: "a1".into(),
                name: "Ada".to_owned(),
                nicknames: None,
            }])
        })
}

#[tokio::test]
async fn the_root_can_be_a_value() {
    let mock = rooted(&Arc::default());
    let text = r#"{ id relay { id again: relay { artists { name } } } identified { __typename id }
        search(by: { text: "xy" }) { __typename ... on Query { artists { id } } } }"#;
    assert_eq!(
        data(mock, text).await,
        json!({
            "id": "root",
            "relay": { "id": "root", "again": { "artists": [{ "name": "Ada" }] } },
            "identified": { "__typename": "Query", "id": "root" },
            "search": [{ "__typename": "Query", "artists": [{ "id": "a1" }] }, { "__typename": "Album" }],
        })
    );
}

#[tokio::test]
async fn a_root_field_is_called_once_for_all_parents() {
    let calls = Arc::default();
    let response = data(rooted(&calls), "{ payloads { query { artists { name } } } }").await;
    let found = json!({ "query": { "artists": [{ "name": "Ada" }] } });
    assert_eq!(response["payloads"], json!([found, { "query": null }, found]));
    assert_eq!(calls.load(SeqCst), 1);
}

#[tokio::test]
async fn guards_apply_on_every_path_to_the_root() {
    let response = ask(rooted(&Arc::default()), "{ relay { myArtist { name } } }").await;
    assert_eq!(response["errors"][0]["extensions"]["code"], "UNAUTHENTICATED");
    assert_eq!(response["errors"][0]["path"], json!(["relay", "myArtist"]));
    assert_eq!(response["data"], json!({ "relay": { "myArtist": null } }));
}

#[tokio::test]
async fn introspection_works_on_the_root_as_a_value() {
    let text =
        r#"{ relay { s: __schema { queryType { name } } relay { __type(name: "State") { enumValues { name } } } } }"#;
    assert_eq!(
        data(rooted(&Arc::default()), text).await,
        json!({ "relay": {
            "s": { "queryType": { "name": "Query" } },
            "relay": { "__type": { "enumValues": [{ "name": "DRAFT" }, { "name": "OUT" }] } },
        } })
    );
}

/// Roots are Reads, Writes and Events.
async fn ask_language(mock: language::mock::Mock, text: &str, variables: Value) -> Value {
    let resolvers = language::Resolvers::new(Arc::new(mock));
    let engine = language::engine(&resolvers, Arc::new(RateLimits::default()));
    let documents = traitql::AdHoc::new(language::SDL, traitql::Limits::default()).unwrap();
    let document = documents.check(text, None).unwrap();
    let cx: Ctx = CtxParts::default().into();
    let variables = variables.as_object().cloned().unwrap_or_default();
    let response = engine.execute(&cx, &document, variables).await;
    serde_json::from_slice(&response.body).unwrap()
}

/// Compares the engine's defaults with the generated Rust.
fn plain() -> language::mock::Mock {
    language::mock::Mock::default().reads_is_plain(|_, paint, of, colors, old| {
        let of_default = of == Some(Pick::Color(Color::DeepBlue)) && colors == [Color::Red, Color::Type];
        Ok(paint == Paint::default() && of_default && old.is_none())
    })
}

#[tokio::test]
async fn defaults_of_every_kind_are_the_same_in_the_engine_and_in_rust() {
    let wholly = ask_language(plain(), "{ isPlain }", json!({})).await;
    assert_eq!(wholly, json!({ "data": { "isPlain": true } }));
    let empty = ask_language(plain(), "{ isPlain(paint: {}) }", json!({})).await;
    assert_eq!(empty["data"]["isPlain"], true);
    let written = "query ($p: Paint! = { whole: 3, many: [4], id: \"42\", grid: [[GREEN]] }) { isPlain(paint: $p) }";
    assert_eq!(ask_language(plain(), written, json!({})).await["data"]["isPlain"], true);
    let sent = json!({ "p": { "whole": 3, "exact": 25, "nothing": null, "nested": {
        "pick": { "names": ["a", null] }, "again": { "size": 2, "again": null }, "list": [{ "size": 1 }, {}] } } });
    let text = "query ($p: Paint!) { isPlain(paint: $p, colors: [RED, type]) }";
    assert_eq!(ask_language(plain(), text, sent).await["data"]["isPlain"], true);
    let other = ask_language(plain(), "{ isPlain(paint: { exact: null }) }", json!({})).await;
    assert_eq!(other["data"]["isPlain"], false);
}

#[tokio::test]
async fn a_one_of_input_needs_exactly_one_field() {
    for of in [json!({}), json!({ "id": "a", "names": [] }), json!({ "id": null })] {
        let response = ask_language(plain(), "query ($of: Pick) { isPlain(of: $of) }", json!({ "of": of })).await;
        assert_eq!(
            response["errors"][0]["extensions"]["code"], "INVALID_INPUT",
            "{response:#}"
        );
    }
    let text = "query ($of: Pick) { isPlain(of: $of) }";
    let response = ask_language(plain(), text, json!({ "of": { "names": "one" } })).await;
    assert_eq!(response["data"]["isPlain"], false);
}

#[tokio::test]
async fn interface_hierarchies_and_rust_keywords_are_supported() {
    let circle = || language::Circle {
        id: "c".into(),
        nick: None,
        radius: 1.5,
    };
    let mock = language::mock::Mock::default()
        .reads_shapes(move |_| Ok(vec![circle().into(), language::Square { id: "s".into() }.into()]))
        .reads_named(move |_| Ok(Some(circle().into())))
        .reads_match(|_, this, kind| Ok(Some(json!({ "self": this, "type": kind }))))
        .circle_name(|_, circles, short, padded| {
            Ok(circles.map(|circle| Ok(format!("{} {short:?} {padded:?}", circle.id))))
        });
    let text = r#"query Find @client @client(always: false) {
        shapes { __typename ... on Node { id } ... on Measured { radius } ...Parts @client }
        named { name(short: true) }
        match(self: 3)
    }
    "Describes the fragment."
    fragment Parts on Named @client { name nick }"#;
    let response = ask_language(mock, text, json!({})).await;
    assert_eq!(
        response,
        json!({ "data": {
            "shapes": [
                { "__typename": "Circle", "id": "c", "radius": 1.5, "name": "c Some(false) None", "nick": null },
                { "__typename": "Square", "id": "s" },
            ],
            "named": { "name": "c Some(true) None" },
            "match": { "self": 3, "type": [[1], null] },
        } })
    );
}

#[tokio::test]
async fn roots_can_have_other_names() {
    let mock = language::mock::Mock::default().writes_paint(|_, with| Ok(Some(with.color)));
    let response = ask_language(mock, "mutation { paint(with: { color: deep_blue }) }", json!({})).await;
    assert_eq!(response, json!({ "data": { "paint": "deep_blue" } }));

    let mock = language::mock::Mock::default().events_ticks(|_, until| Ok(stream::iter((0..until).map(Ok)).boxed()));
    let resolvers = language::Resolvers::new(Arc::new(mock));
    let engine = language::engine(&resolvers, Arc::new(RateLimits::default()));
    let documents = traitql::AdHoc::new(language::SDL, traitql::Limits::default()).unwrap();
    let document = documents.check("subscription { ticks }", None).unwrap();
    let events = engine
        .subscribe(CtxParts::default().into(), document, Default::default())
        .await;
    let events: Vec<Value> = events
        .ok()
        .unwrap()
        .map(|event| serde_json::from_slice(&event.body).unwrap())
        .collect()
        .await;
    assert_eq!(
        events,
        [json!({ "data": { "ticks": 0 } }), json!({ "data": { "ticks": 1 } })]
    );
}

#[tokio::test]
async fn introspection_returns_the_complete_schema() {
    let text = r#"{
        __schema { description subscriptionType { name } directives { name isRepeatable args(includeDeprecated: true) { name description isDeprecated defaultValue } } }
        uuid: __type(name: "Uuid") { specifiedByURL description }
        pick: __type(name: "Pick") { isOneOf inputFields { name } all: inputFields(includeDeprecated: true) { name } }
        paint: __type(name: "Paint") { inputFields { name defaultValue } }
        color: __type(name: "Color") { enumValues(includeDeprecated: true) { name description deprecationReason } }
        named: __type(name: "Named") { interfaces { name } possibleTypes { name } fields(includeDeprecated: true) { name } }
    }"#;
    let schema = ask_language(plain(), text, json!({})).await["data"].take();
    assert_eq!(schema["__schema"]["subscriptionType"]["name"], "Events");
    assert!(
        schema["__schema"]["description"]
            .as_str()
            .unwrap()
            .starts_with("All features")
    );
    let directives = schema["__schema"]["directives"].as_array().unwrap();
    let note = directives.iter().find(|directive| directive["name"] == "note").unwrap();
    assert_eq!(note["isRepeatable"], true);
    assert_eq!(
        note["args"][1],
        json!({ "name": "old", "description": "A deprecated argument.", "isDeprecated": true, "defaultValue": "3" })
    );
    assert_eq!(
        schema["uuid"]["specifiedByURL"],
        "https://www.rfc-editor.org/rfc/rfc9562"
    );
    let description = "A block of text with \"quotes\", with \"\"\" three of them, and\n\n  with an indented line.";
    assert_eq!(schema["uuid"]["description"], description);
    assert_eq!(schema["pick"]["isOneOf"], true);
    let names = |list: &Value| {
        list.as_array()
            .unwrap()
            .iter()
            .map(|of| of["name"].to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(names(&schema["pick"]["inputFields"]).len(), 3);
    assert_eq!(names(&schema["pick"]["all"]).len(), 4);
    let defaults = schema["paint"]["inputFields"].as_array().unwrap();
    assert_eq!(defaults.last().unwrap()["name"], "nested");
    assert_eq!(
        schema["color"]["enumValues"][0],
        json!({ "name": "RED", "description": null, "deprecationReason": "No longer supported" })
    );
    assert_eq!(names(&schema["named"]["interfaces"]), ["\"Node\""]);
    assert_eq!(names(&schema["named"]["possibleTypes"]), ["\"Circle\""]);
    assert_eq!(names(&schema["named"]["fields"]).len(), 3);
}

#[tokio::test]
async fn colliding_rust_names_do_not_affect_clients() {
    use language::{Hue, Meet, Meeting, Meeting2, Met, ReadsMet, SchemaType, Titled, Wish};

    let meeting = || Meeting {
        // The interface declares `full_title`, so the other field is renamed.
        full_title: Some("another".to_owned()),
        full_title_2: Some("one".to_owned()),
        hue: Hue::Chosen,
    };
    let mock = language::mock::Mock::default()
        .reads_met(move |_, meet, number| {
            let given = Meet {
                hue_of: Hue::FooBar2,
                hue_of_2: vec![Hue::Chosen],
                wish: Some(Box::new(Wish::AB(1))),
            };
            let is_expected = meet == given && number == Some(3);
            let schema = SchemaType {
                step1: Some(1),
                step_1: is_expected.then_some(2),
            };
            let full_title = (meet == Meet::default()).then(|| "defaults".to_owned());
            Ok(vec![
                Met::Meeting(meeting()),
                Meeting2 { full_title }.into(),
                schema.into(),
            ])
        })
        .reads_titled(move |_| {
            let titled: Titled = meeting().into();
            assert_eq!(titled.full_title().as_deref(), Some("another"));
            Ok(Some(titled))
        })
        .reads_met_again2(|_| Ok(Some(ReadsMet {})))
        .reads_met_again(|_, parents, size| Ok(parents.map_opt(|_| Ok(size))))
        .meeting_profile_picture(
            |_, parents, size| Ok(parents.map_opt(|_| Ok(size.map(|size| format!("size {size}"))))),
        )
        .meeting_scaled_picture(|_, parents, _, a, b| Ok(parents.map(|_| Ok(format!("{a:?} {b:?}")))));
    let text = "{
        met(meet: { hueOf: FooBar, hue_of: fooBar, wish: { aB: 1 } }, Meet: 3) {
            ... on Meeting { fullTitle full_title hue profilePicture(size: 4) profile_picture(size_of: 5, sizeOf: 6) }
            ... on meeting { full_title }
            ... on Schema { step1 step_1 }
        }
        plain: met { ... on meeting { full_title } }
        titled { __typename full_title }
        metAgain { again(size: 7) }
    }";
    assert_eq!(
        ask_language(mock, text, json!({})).await,
        json!({ "data": {
            "met": [
                { "fullTitle": "one", "full_title": "another", "hue": "fooBar", "profilePicture": "size 4",
                    "profile_picture": "Some(5) Some(6)" },
                { "full_title": null },
                { "step1": 1, "step_1": 2 },
            ],
            "plain": [{}, { "full_title": "defaults" }, {}],
            "titled": { "__typename": "Meeting", "full_title": "another" },
            "metAgain": { "again": 7 },
        } })
    );
}
