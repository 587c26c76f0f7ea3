//! Generated code without an engine: inputs, limits, proofs, errors, constants, and mocks.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use serde_json::{Value, json};
use traitql::{Batch, Code, Ctx, CtxParts, IllegalTransition, Page, Patch, Violation};
use traitql_golden::{
    Album, AlbumInput, Artist, FilterInput, MANIFEST, Node, Release, Resolvers, Role, SDL, Schema, SearchInput, Single,
    State, Subject, TrackInput, args, audit, errors, mock::Mock, role, transition,
};

fn read<T: traitql::Input + traitql::Check>(arguments: Value) -> Result<T, Vec<Violation>> {
    let read: T = traitql::read(&arguments)?;
    traitql::check(&read).map(|()| read)
}

fn problems<T: traitql::Input + traitql::Check>(arguments: Value) -> Vec<String> {
    let violations = read::<T>(arguments).err().unwrap_or_default();
    violations
        .into_iter()
        .map(|v| format!("{}: {} [{}]", v.path, v.problem, v.problem.rule()))
        .collect()
}

fn artist(id: &str) -> Artist {
    Artist {
        id: id.into(),
        name: format!("artist {id}"),
        nicknames: Some(vec![None, Some("Bo".into())]),
    }
}

fn album(id: &str, artist: &str) -> Album {
    Album {
        id: id.into(),
        title: format!("album {id}"),
        at: None,
        state: State::Out,
        notes: Vec::new(),
        cover: None,
        grid: vec![Some(vec![1, 2]), None],
        extra: Some(json!({ "any": ["thing"] })),
        artist_id: artist.into(),
    }
}

fn resolvers(mock: Mock) -> Arc<dyn Schema> {
    Resolvers::new(Arc::new(mock)).schema()
}

fn cx() -> Ctx {
    CtxParts::default().into()
}

#[test]
fn absent_input_fields_have_their_defaults() {
    let args: args::MutationAlbumCreate = read(json!({ "input": { "artist": { "id": 7 }, "title": "Blue" } })).unwrap();
    let artist = traitql_golden::ArtistRefInput::new("7".into());
    let expected = AlbumInput::new(artist, "Blue".into());
    assert_eq!(args.input, expected);
    assert_eq!(expected.tags, Some(vec!["new".to_owned()]));
    assert_eq!(
        expected.tracks,
        [TrackInput {
            title: "Untitled".into(),
            seconds: 180,
            volume: Some(0.5)
        }]
    );
    assert_eq!(expected.at.to_string(), "2026-01-01T00:00:00.000Z");
    assert_eq!((expected.note, expected.extra), (Patch::Keep, Patch::Keep));
}

#[test]
fn null_differs_from_values_and_absent_fields() {
    let input =
        json!({ "artist": { "id": "a" }, "title": "Blue", "note": null, "tags": null, "type": 3, "extra": [1] });
    let args: args::MutationAlbumCreate = read(json!({ "input": input })).unwrap();
    assert_eq!(
        (args.input.note, args.input.tags, args.input.r#type),
        (Patch::Clear, None, Patch::Set(3))
    );
    assert_eq!(args.input.extra, Patch::Set(json!([1])));
}

#[test]
fn all_violations_are_reported_with_their_paths() {
    let input = json!({
        "artist": { "id": "a" },
        "title": "",
        "tags": ["ok", "Not Ok", "b", "c"],
        "tracks": [{ "title": "t", "seconds": 0, "volume": 2 }, { "title": "x".repeat(41) }],
        "note": "more than ten",
    });
    assert_eq!(
        problems::<args::MutationAlbumCreate>(json!({ "input": input })),
        [
            "input.title: must not be empty [length]",
            "input.tags: must have at most 3 entries [count]",
            "input.tags.1: must be 2 to 40 lowercase letters, digits and single hyphens, starting with a letter [format]",
            "input.tags.2: must be 2 to 40 lowercase letters, digits and single hyphens, starting with a letter [format]",
            "input.tags.3: must be 2 to 40 lowercase letters, digits and single hyphens, starting with a letter [format]",
            "input.note: must have at most 10 characters [length]",
            "input.tracks.0.seconds: must be between 1 and 3600 [range]",
            "input.tracks.0.volume: must be at most 1 [range]",
            "input.tracks.1.title: must have at most 40 characters [length]",
        ]
    );
    let input =
        json!({ "artist": 3, "state": "GONE", "at": "today", "tracks": [{}, null], "color": 1, "note": "a\0b" });
    assert_eq!(
        problems::<args::MutationAlbumCreate>(json!({ "input": input })),
        [
            "input: must not have the field `color` [type]",
            "input.artist: must be an object [type]",
            "input.title: is required [required]",
            "input.state: must be one of DRAFT, OUT, WITHDRAWN [enum]",
            "input.note: must not contain the character U+0000 [type]",
            "input.tracks.0.title: is required [required]",
            "input.tracks.1: must not be null [required]",
            "input.at: must be an RFC 3339 instant such as 2026-11-05T09:30:00.000Z [type]",
        ]
    );
}

#[test]
fn a_one_of_input_has_exactly_one_field() {
    let by = |by| read::<args::QuerySearch>(json!({ "by": by })).map(|args| args.by);
    assert_eq!(by(json!({ "text": "blue" })), Ok(SearchInput::Text("blue".into())));
    assert_eq!(by(json!({ "state": "OUT" })), Ok(SearchInput::State(State::Out)));
    let filter = json!({ "not": { "title": "a" }, "any": { "not": null } });
    let inner = FilterInput {
        title: Patch::Set("a".into()),
        ..FilterInput::default()
    };
    let expected = FilterInput {
        title: Patch::Keep,
        not: Patch::Set(Box::new(inner)),
        any: Patch::Set(vec![FilterInput {
            not: Patch::Clear,
            ..FilterInput::default()
        }]),
    };
    assert_eq!(by(json!({ "filter": filter })), Ok(SearchInput::Filter(expected)));
    for invalid in [
        json!({}),
        json!({ "text": null }),
        json!({ "text": "blue", "state": "OUT" }),
    ] {
        let problem = "by: must have exactly one field, and its value must not be null [type]";
        assert_eq!(problems::<args::QuerySearch>(json!({ "by": invalid })), [problem]);
    }
    assert_eq!(
        problems::<args::QuerySearch>(json!({ "by": { "filter": { "any": [{}, { "title": "" }] } }, "first": 51 })),
        [
            "by.filter.any.1.title: must not be empty [length]",
            "first: must be between 1 and 50 [range]"
        ]
    );
}

#[test]
fn members_convert_to_interfaces_with_accessors_for_common_data() {
    let single = Arc::new(Single {
        id: "s".into(),
        title: "Red".into(),
        at: None,
    });
    let release: Release = single.clone().into();
    assert_eq!(
        (release.id().as_str(), release.title().as_str(), release.at()),
        ("s", "Red", &None)
    );
    assert_eq!(Node::from(single).id(), "s");
    assert_eq!(Node::from(artist("a")).id(), "a");
}

#[test]
fn errors_have_a_message_and_slots() {
    let error = errors::TitleTaken {
        title: "Blue".into(),
        r#type: "album".into(),
    }
    .into_field_error();
    assert_eq!((error.code, error.http), ("TITLE_TAKEN", 409));
    assert_eq!(error.message, "“Blue” exists already; its album.");
    assert_eq!(Value::from(*error.slots), json!({ "title": "Blue", "type": "album" }));
}

#[test]
fn transitions_and_actions_are_constants() {
    assert_eq!(transition::ALBUM_PUBLISH.apply(State::Draft), Ok(State::Out));
    assert_eq!(
        transition::ALBUM_PUBLISH.apply(State::Out),
        Err(IllegalTransition {
            from: State::Out,
            to: State::Out
        })
    );
    assert_eq!(audit::ALBUM_CREATE, "album.create");
}

#[test]
fn enums_convert_to_and_from_graphql_names() {
    assert_eq!(
        State::ALL.iter().map(|state| state.as_graphql()).collect::<Vec<_>>(),
        ["DRAFT", "OUT", "WITHDRAWN"]
    );
    assert_eq!(State::from_graphql("OUT"), Some(State::Out));
    assert_eq!(State::from_graphql("out"), None);
    assert!(Role::Listener < Role::Editor);
}

#[test]
fn the_schema_and_the_manifest_are_constants() {
    assert!(SDL.contains("type Artist implements Node"));
    let manifest: Value = serde_json::from_str(MANIFEST).unwrap();
    assert_eq!(manifest["format"], "apollo-persisted-query-manifest");
    assert_eq!(manifest["operations"][0]["name"], "Artists");
    assert_eq!(manifest["operations"][0]["id"].as_str().unwrap().len(), 64);
}

#[tokio::test]
async fn a_mock_calls_its_closures_and_fails_for_other_fields() {
    let mock = Mock::default()
        .artist_albums(|_, artists, first, after| {
            assert_eq!((first, after), (1, None));
            Ok(artists.map(|artist| {
                let albums = vec![album("1", artist.id.as_str())];
                Ok(Page::new(albums, true, |album| album.id.to_string()).with_total(3))
            }))
        })
        .album_artist(|_, albums| {
            assert_eq!(albums.keys(|album| album.artist_id.clone()), ["a", "b"]);
            Ok(albums.join(
                vec![artist("a")],
                |artist| artist.id.clone(),
                |album| album.artist_id.clone(),
            ))
        });
    let schema = resolvers(mock);
    let artists = [artist("a"), artist("b")];
    let cx = cx();
    let pages = schema
        .artist_albums(&cx, Batch::__row(&artists), 1, None)
        .await
        .unwrap();
    assert_eq!(pages.get(1).unwrap().end_cursor(), Some("1"));
    let albums = [album("1", "a"), album("2", "b"), album("3", "a")];
    let found = schema.album_artist(&cx, Batch::__row(&albums)).await.unwrap();
    assert_eq!(
        [found.get(0), found.get(1), found.get(2)],
        [Some(&artist("a")), None, Some(&artist("a"))]
    );
    let error = schema.query_artists(&cx).await.unwrap_err();
    assert_eq!(
        (error.code, error.message.as_str()),
        ("UNIMPLEMENTED", "the mock has no closure for `Query.artists`")
    );
}

#[tokio::test]
async fn a_mock_grants_configured_roles() {
    let (cx, account) = (cx(), "ann".into());
    let subject = Subject::Album(&account);
    let highest = resolvers(Mock::default())
        .__grant(&cx, &account, subject)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(highest.role, Role::Editor);
    let lower = resolvers(Mock::default().role(Role::Listener))
        .__grant(&cx, &account, subject)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(lower.role, Role::Listener);
    let no_role = Mock::default().grant(|_, _, subject| {
        assert!(matches!(subject, Subject::ArtistByName("Ann")));
        None
    });
    assert_eq!(
        resolvers(no_role)
            .__grant(&cx, &account, Subject::ArtistByName("Ann"))
            .await,
        Ok(None)
    );
    assert!(traitql::__private::granted::<role::Editor>(account.clone(), lower.clone()).is_none());
    let viewer = traitql::__private::granted::<role::Editor>(account.clone(), highest).unwrap();
    let listener = viewer.lower::<role::Listener>();
    assert_eq!((listener.account.as_str(), listener.scope().as_str()), ("ann", "mock"));
}
