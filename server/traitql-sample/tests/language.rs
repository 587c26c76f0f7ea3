//! Corners of the schema language, from the SDL to the answer: parts of pages outside of connections, and the root itself
//! as a value.
#![allow(clippy::unwrap_used)]

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering::SeqCst},
};

use serde_json::{Value, json};
use traitql::{Ctx, CtxParts, Document, Edge, Engine, OperationKind, Page, PageInfo, Rates};
use traitql_sample::{
    Album, AlbumPayload, Artist, Found, Identified, Query, Resolvers, State, Track, engine, mock::Mock,
};

async fn ask(mock: Mock, text: &str) -> Value {
    let engine = engine(&Resolvers::new(Arc::new(mock)), Arc::new(Rates::default()));
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
    let answer = ask(mock, text).await;
    assert_eq!(answer.get("errors"), None, "{answer:#}");
    answer["data"].clone()
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

fn track(id: &str) -> Track {
    Track {
        id: id.into(),
        title: id.to_owned(),
        seconds: 1,
    }
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
async fn connections_may_be_null_and_stand_in_lists() {
    let mock = Mock::default().query_latest(|_| Ok(None)).query_shelves(|_| {
        let page = Page::new(vec![track("t1")], false, |track: &Track| format!("c{}", track.id));
        Ok(Some(vec![Some(page), None]))
    });
    let text = "{ latest { nodes { id } } shelves { nodes { id } pageInfo { endCursor } } }";
    assert_eq!(
        data(mock, text).await,
        json!({ "latest": null, "shelves": [{ "nodes": [{ "id": "t1" }], "pageInfo": { "endCursor": "ct1" } }, null] })
    );
}

#[tokio::test]
async fn an_edge_and_a_page_info_may_stand_outside_of_a_connection() {
    let mock = Mock::default()
        .query_payloads(|_| Ok(vec![payload("x"), payload("y")]))
        .album_payload_edge(|_, payloads| Ok(payloads.map_opt(|_| Ok(Some(edge("b1"))))))
        .album_payload_edges(|_, payloads| Ok(payloads.map_many(|_| Ok(vec![edge("b2"), edge("b3")]))));
    let text =
        "{ payloads { edge { cursor node { title } } edges { cursor } page { endCursor } pages { hasNextPage } } }";
    let answer = data(mock, text).await;
    assert_eq!(
        answer["payloads"][1],
        json!({
            "edge": { "cursor": "cb1", "node": { "title": "album b1" } },
            "edges": [{ "cursor": "cb2" }, { "cursor": "cb3" }],
            "page": { "endCursor": "y" },
            "pages": [null, { "hasNextPage": false }],
        })
    );
}

/// Counts how often the artists are asked for.
fn rooted(asked: &Arc<AtomicUsize>) -> Mock {
    let asked = Arc::clone(asked);
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
            asked.fetch_add(1, SeqCst);
            Ok(vec![Artist {
                id: "a1".into(),
                name: "Ada".to_owned(),
                nicknames: None,
            }])
        })
}

#[tokio::test]
async fn the_root_is_a_value_like_any_other() {
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
async fn a_field_of_the_root_is_asked_once_for_all_parents() {
    let asked = Arc::default();
    let answer = data(rooted(&asked), "{ payloads { query { artists { name } } } }").await;
    let found = json!({ "query": { "artists": [{ "name": "Ada" }] } });
    assert_eq!(answer["payloads"], json!([found, { "query": null }, found]));
    assert_eq!(asked.load(SeqCst), 1);
}

#[tokio::test]
async fn guards_hold_wherever_the_root_is_asked() {
    let answer = ask(rooted(&Arc::default()), "{ relay { myArtist { name } } }").await;
    assert_eq!(answer["errors"][0]["extensions"]["code"], "UNAUTHENTICATED");
    assert_eq!(answer["errors"][0]["path"], json!(["relay", "myArtist"]));
    assert_eq!(answer["data"], json!({ "relay": { "myArtist": null } }));
}

#[tokio::test]
async fn the_schema_can_be_asked_for_below_the_root_as_a_value() {
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
