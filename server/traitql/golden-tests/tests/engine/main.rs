#![allow(clippy::unwrap_used)]

mod mocks;

use std::sync::Arc;

use futures_util::{StreamExt, stream};
use serde_json::{Map, Value, json};
use traitql::{AcrLevel, AcrLevels, Authenticated, Engine, StepUp, Throws};
use traitql_golden::{Grant, Role, SDL, Subject, errors, field};
use traitql_schema::{Options, SourceText};

use mocks::{album, bench, cx, cx_at, document};

#[tokio::test]
async fn resolvers_are_called_once_per_field_and_level() {
    let bench = bench(|mock| mock);
    let data = bench
        .data(
            "{ artists { albums(first: 2) { edges { node { artist { name }
                tracks(first: 2) { nodes { title performers {
                    ... on Artist { id match(type: 1) releases { title artist { id } } }
                    ... on Ensemble { conductor { id } members { name albums(first: 1) { totalCount edges { node { id } } } } } } } } } } } } }",
        )
        .await;
    assert_eq!(
        bench.calls(),
        [
            "Album.artist×4",
            // Eight performers are artists. Releases are on one path.
            "Album.artist×8",
            "Album.tracks×4",
            "Artist.albums×2",
            "Artist.albums×8",
            "Artist.match×8",
            "Artist.releases×8",
            "Ensemble.conductor×8",
            "Ensemble.members×8",
            "Single.artist×8",
            "Track.performers×8",
        ]
    );
    let node = &data["artists"][1]["albums"]["edges"][1]["node"];
    assert_eq!(node["artist"], json!({ "name": "artist a2" }));
    assert_eq!(node["tracks"]["nodes"][0]["title"], "track a2b1t0");
    assert_eq!(
        node["tracks"]["nodes"][1]["performers"],
        json!([
            {
                "id": "a1",
                "match": "Some(1) true",
                "releases": [
                    { "title": "album a1b0", "artist": { "id": "a1" } },
                    { "title": "single s1", "artist": { "id": "a1" } },
                ],
            },
            {
                "conductor": null,
                "members": [{ "name": "artist a2", "albums": { "totalCount": 9, "edges": [{ "node": { "id": "a2b0" } }] } }],
            },
        ])
    );
}

#[tokio::test]
async fn interface_values_are_grouped_by_type_and_recombined() {
    let bench = bench(|mock| mock);
    let data = bench
        .data("{ catalogue { nodes { __typename title at artist { albums(first: 1) { pageInfo { hasNextPage startCursor } } } } } }")
        .await;
    // The artists of albums and of a single have the same path, so they form one batch.
    assert_eq!(bench.calls(), ["Album.artist×2", "Artist.albums×3", "Single.artist×1"]);
    assert_eq!(
        data["catalogue"]["nodes"][1],
        json!({
            "__typename": "Single",
            "title": "single s1",
            "at": "2026-01-01T00:00:00.000Z",
            "artist": { "albums": { "pageInfo": { "hasNextPage": true, "startCursor": "after a1b0" } } },
        })
    );
    let data = bench
        .data(r#"{ nodes(ids: ["s1", "x", "a1", "t1"]) { id ... on Artist { nicknames } ... on Release { at } } }"#)
        .await;
    assert_eq!(
        data["nodes"],
        json!([{ "id": "s1", "at": "2026-01-01T00:00:00.000Z" }, null, { "id": "a1", "nicknames": [null, "Bo"] }, { "id": "t1" }])
    );
}

/// Returns the maximum number of resolver calls that `cargo traitql cost` shows for an operation, including roots.
fn static_calls(text: &str) -> u32 {
    let schema = [SourceText::new("schema.graphql", SDL)];
    let operation = [SourceText::new("Q.graphql", format!("query Q {text}"))];
    let model =
        traitql_schema::load(&schema, &operation, &Options::lenient()).unwrap_or_else(|report| panic!("{report}"));
    model.operations[0].calls.max
}

#[tokio::test]
async fn the_number_of_calls_matches_the_static_count() {
    for text in [
        "{ artists { albums(first: 2) { edges { node { artist { name } tracks(first: 2) { nodes { performers {
            ... on Artist { id match(type: 1) releases { title artist { id } } }
            ... on Ensemble { conductor { id } members { name albums(first: 1) { totalCount edges { node { id } } } } } } } } } } } } }",
        "{ catalogue { nodes { title artist { albums(first: 1) { totalCount } } } } }",
        // A field with two aliases is called twice, and merged selections once.
        "{ artists { one: albums(first: 1) { totalCount } two: albums(first: 1) { totalCount } rating } }",
        "{ artists { rating } artists { rating albums(first: 1) { totalCount } } }",
    ] {
        let bench = bench(|mock| mock);
        bench.ask_as(None, text, json!({})).await;
        let below = u32::try_from(bench.calls().len()).unwrap();
        assert_eq!(static_calls(text), below + 1, "calls of the root field and nested fields: {text}");
    }
    // Resolvers without parents are not called: these artists have no releases.
    let bench = bench(|mock| mock.query_artists(|_| Ok(Vec::new())));
    let text = "{ artists { releases { artist { id } } } }";
    bench.ask_as(None, text, json!({})).await;
    assert!(bench.calls().len() < static_calls(text) as usize);
}

#[tokio::test]
async fn all_kinds_of_data_are_serialized() {
    let bench = bench(|mock| mock);
    let text = r#"{ search(by: { text: "b1" }, first: 1) { ... on Album { state cover { __typename ... on Color { type } } notes { text answers { text } } grid extra } } }"#;
    assert_eq!(
        bench.data(text).await["search"][0],
        json!({
            "state": "OUT",
            "cover": { "__typename": "Color", "type": 7 },
            "notes": [{ "text": "one", "answers": null }],
            "grid": [[1, 2], null],
            "extra": { "any": ["thing", null] },
        })
    );
}

#[tokio::test]
async fn an_error_affects_only_its_parent() {
    let bench = bench(|mock| mock);
    let response = bench.ask_as(None, "{ artists { id rating } }", json!({})).await;
    assert_eq!(
        response,
        json!({
            "data": { "artists": [{ "id": "a1", "rating": null }, { "id": "a2", "rating": 4.5 }] },
            "errors": [{
                "message": "a1 has no ratings.",
                "path": ["artists", 0, "rating"],
                "extensions": { "code": "UNRATED", "requestId": "r1" },
            }],
        })
    );
    let response = bench
        .ask_as(
            None,
            r#"{ node(id: "a1") { ... on Artist { friends { id } } } }"#,
            json!({}),
        )
        .await;
    assert_eq!(response["data"], json!({ "node": { "friends": null } }));
    assert_eq!(
        response["errors"][0]["message"],
        "the mock has no closure for `Artist.friends`"
    );
}

const CREATE: &str = "mutation ($input: AlbumInput!) { albumCreate(input: $input) { id title } }";

#[tokio::test]
async fn a_mutation_checks_sign_in_role_constraints_and_rate_in_order() {
    let bench = bench(|mock| {
        mock.grant(|cx, account, subject| {
            assert_eq!(account, cx.principal()?.subject.as_str());
            let role = match cx.principal()?.subject.as_str() {
                "editor" => Role::Editor,
                _ => Role::Listener,
            };
            let found = matches!(subject, Subject::Artist(id) if *id == "a1");
            found.then(|| Grant {
                scope: "label".into(),
                role,
            })
        })
        .mutation_album_create(|_, viewer, input| {
            assert_eq!(viewer.scope(), "label");
            match input.title.as_str() {
                "taken" => Err(errors::TitleTaken {
                    title: input.title,
                    r#type: "album".into(),
                }
                .into()),
                _ => Ok(album(input.title, "a1")),
            }
        })
    });
    let create = |artist: &str, title: &str| json!({ "input": { "artist": { "id": artist }, "title": title } });
    let ask = async |who: Option<&str>, variables: Value| {
        let response = bench.ask_as(who, CREATE, variables).await;
        let error = &response["errors"][0];
        assert!(
            error.is_null() || error["path"] == json!(["albumCreate"]),
            "{response:#}"
        );
        (
            error["extensions"].clone(),
            error["message"].as_str().unwrap_or_default().to_owned(),
        )
    };
    // Sign-in, role, constraints: only the first failure is reported.
    let (extensions, message) = ask(None, create("a1", "")).await;
    assert_eq!(
        (extensions["code"].as_str(), message.as_str()),
        (Some("UNAUTHENTICATED"), "Sign in to continue.")
    );
    let (extensions, message) = ask(Some("listener"), create("a2", "")).await;
    assert_eq!(
        extensions,
        json!({ "code": "NOT_FOUND", "slots": { "thing": "artist" }, "requestId": "r1" })
    );
    assert_eq!(message, "This artist does not exist.");
    let (extensions, message) = ask(Some("listener"), create("a1", "")).await;
    assert_eq!(
        (extensions["slots"].clone(), message.as_str()),
        (json!({ "role": "EDITOR" }), "This needs the EDITOR role.")
    );
    let (extensions, message) = ask(Some("editor"), create("a1", "")).await;
    assert_eq!(message, "input.title: must not be empty.");
    assert_eq!(
        extensions["violations"],
        json!([{ "path": "input.title", "problem": "must not be empty", "rule": "length", "params": { "min": 1 } }])
    );
    assert_eq!(
        ask(Some("editor"), create("a1", "first")).await,
        (Value::Null, String::new())
    );
    let (extensions, _) = ask(Some("editor"), create("a1", "taken")).await;
    assert_eq!(
        (extensions["code"].as_str(), extensions["slots"].clone()),
        (Some("TITLE_TAKEN"), json!({ "title": "taken", "type": "album" }))
    );
    let (extensions, _) = ask(Some("editor"), create("a1", "third")).await;
    assert_eq!(extensions["code"], "RATE_LIMITED");
}

#[tokio::test]
async fn invalid_variables_are_rejected_before_any_resolver_is_called() {
    let bench = bench(|mock| mock);
    let response = bench
        .ask_as(None, CREATE, json!({ "input": { "title": 3, "tracks": [{}] } }))
        .await;
    assert_eq!(response.get("data"), None);
    let violations: Vec<_> = response["errors"][0]["extensions"]["violations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|v| v["path"].as_str().unwrap())
        .collect();
    assert_eq!(violations, ["input.artist", "input.title", "input.tracks.0.title"]);
}

#[tokio::test]
async fn streams_of_objects_and_of_leaves() {
    let bench = bench(|mock| {
        mock.subscription_countdown(|_, from| Ok(stream::iter((0..from).rev().map(Ok)).boxed()))
            .subscription_album_added(|_| {
                let gone = Throws::<field::SubscriptionAlbumAdded>::from(traitql::Internal::new("the disk is gone"));
                Ok(stream::iter([Ok(album("b1", "a1")), Err(gone), Ok(album("b2", "a2"))]).boxed())
            })
    });
    let subscribe = async |text: &str| {
        let stream = bench
            .engine
            .subscribe(cx(None), Arc::new(document(text)), Map::new())
            .await
            .ok()
            .unwrap();
        let parse = |response: traitql::Response| serde_json::from_slice::<Value>(&response.body).unwrap();
        stream.map(parse).collect::<Vec<_>>().await
    };
    let responses = subscribe("subscription { n: countdown(from: 2) }").await;
    assert_eq!(
        responses,
        [json!({ "data": { "n": 1 } }), json!({ "data": { "n": 0 } })]
    );
    let responses = subscribe("subscription { albumAdded { title artist { name } } }").await;
    assert_eq!(
        responses[0],
        json!({ "data": { "albumAdded": { "title": "album b1", "artist": { "name": "artist a1" } } } })
    );
    assert_eq!(
        responses[1],
        json!({
            "data": null,
            "errors": [{
                "message": "Something failed on our side. Reference r1.",
                "path": ["albumAdded"],
                "extensions": { "code": "INTERNAL", "slots": { "id": "r1" }, "requestId": "r1" },
            }],
        })
    );
    assert_eq!(responses[2]["data"]["albumAdded"]["artist"]["name"], "artist a2");
}

#[tokio::test]
async fn a_field_can_require_a_recent_and_strong_authentication() {
    let bench = bench(|mock| mock.query_my_artist(|_, _| Ok(None)));
    let minutes_ago =
        |minutes: i64| Authenticated::At(jiff::Timestamp::now() - jiff::SignedDuration::from_mins(minutes));
    let strong = |is_reached| {
        AcrLevels::Known(vec![AcrLevel {
            name: "strong",
            acr_values: ["phrh", "phr"].map(str::to_owned).into(),
            is_reached,
        }])
    };
    // The missing requirements, which one further authentication must meet together.
    let (age, class) = (Some(300), Some("phrh phr"));
    for (authenticated, levels, missing) in [
        (minutes_ago(1), strong(true), None),
        (minutes_ago(1), AcrLevels::Unchecked, None),
        (Authenticated::Unchecked, strong(true), None),
        (minutes_ago(10), strong(true), Some((age, class))),
        (minutes_ago(1), strong(false), Some((age, class))),
        (Authenticated::Unknown, AcrLevels::Unchecked, Some((age, None))),
        (Authenticated::Unchecked, strong(false), Some((None, class))),
        (minutes_ago(1), AcrLevels::Unknown, Some((age, None))),
    ] {
        let cx = cx_at(Some("ann"), authenticated, levels);
        let request = document("{ myArtist { id } }");
        let response = bench.engine.execute(&cx, &request, serde_json::Map::new()).await;
        assert_eq!(response.codes.first().copied(), missing.map(|_| "STEP_UP_REQUIRED"));
        let challenge = missing.map(|(max_age, acr_values)| StepUp {
            max_age,
            acr_values: acr_values.map(str::to_owned),
        });
        assert_eq!(response.step_up, challenge);
        let body: Value = serde_json::from_slice(&response.body).unwrap();
        let slots = &body["errors"][0]["extensions"]["slots"];
        let (seconds, acr) = missing.unwrap_or_default();
        assert_eq!(slots["seconds"].as_str(), seconds.map(|_| "300"));
        assert_eq!(slots["acr"].as_str(), acr);
    }
    let response = bench.ask_as(None, "{ myArtist { id } }", json!({})).await;
    assert_eq!(response["errors"][0]["extensions"]["code"], "UNAUTHENTICATED");
}
