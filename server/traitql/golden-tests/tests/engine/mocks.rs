use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use traitql::{
    AcrLevels, Authenticated, Batch, Ctx, CtxParts, Document, Engine, FieldError, OperationKind, Page, Principal,
    RateLimits,
};
use traitql_golden::{
    Album, Artist, Color, Cover, Ensemble, Found, Node, Note, Performer, Release, Resolvers, Single, State, Track,
    engine, mock::Mock,
};

/// Coordinates with the number of parents, in call order.
pub(crate) type Calls = Arc<Mutex<Vec<String>>>;

fn called<P>(calls: &Calls, coordinate: &str, parents: &Batch<'_, P>) {
    calls.lock().unwrap().push(format!("{coordinate}×{}", parents.len()));
}

pub(crate) fn artist(id: impl Into<String>) -> Artist {
    let id = id.into();
    Artist {
        name: format!("artist {id}"),
        id: id.into(),
        nicknames: Some(vec![None, Some("Bo".into())]),
    }
}

pub(crate) fn album(id: impl Into<String>, artist: &str) -> Album {
    let id = id.into();
    Album {
        title: format!("album {id}"),
        id: id.into(),
        at: None,
        state: State::Out,
        notes: vec![Note {
            text: "one".into(),
            answers: None,
        }],
        cover: Some(Cover::Color(Color { r#type: 7 })),
        grid: vec![Some(vec![1, 2]), None],
        extra: Some(json!({ "any": ["thing", null] })),
        artist_id: artist.into(),
    }
}

pub(crate) fn track(id: impl Into<String>) -> Arc<Track> {
    let id = id.into();
    Arc::new(Track {
        title: format!("track {id}"),
        id: id.into(),
        seconds: 180,
    })
}

pub(crate) fn single(id: &str) -> Arc<Single> {
    Arc::new(Single {
        id: id.into(),
        title: format!("single {id}"),
        at: "2026-01-01T00:00:00Z".parse().ok(),
    })
}

pub(crate) fn mock(calls: &Calls) -> Mock {
    macro_rules! counted {
        (|$parents:ident $(, $rest:pat_param)*| $coordinate:literal: $body:expr) => {{
            let calls = Arc::clone(calls);
            move |_: &Ctx, $parents: Batch<'_, _> $(, $rest)*| {
                called(&calls, $coordinate, &$parents);
                $body
            }
        }};
    }
    Mock::default()
        .query_artists(|_| Ok(vec![artist("a1"), artist("a2")]))
        .query_node(|_, id| Ok((id == "a1").then(|| artist("a1").into())))
        .query_nodes(|_, ids| {
            let node = |id: &traitql::Id| match id.as_str().chars().next() {
                Some('a') => Some(Node::from(artist(id.as_str()))),
                Some('t') => Some(track(id.as_str()).into()),
                Some('s') => Some(single(id.as_str()).into()),
                _ => None,
            };
            Ok(ids.iter().map(node).collect())
        })
        .query_search(|_, _, first| {
            let found: [Found; 3] = [album("b1", "a1").into(), artist("a1").into(), album("b2", "a2").into()];
            Ok(found.into_iter().take(first as usize).collect())
        })
        .query_catalogue(|_, _, _| {
            let releases = vec![Release::from(album("b1", "a1")), single("s1").into(), album("b2", "a2").into()];
            Ok(Page::new(releases, false, |_| "c".into()))
        })
        .artist_albums(counted!(|parents, first, _| "Artist.albums": Ok(parents.map(|artist| {
            let albums = (0..first).map(|n| album(format!("{}b{n}", artist.id), artist.id.as_str())).collect();
            Ok(Page::new(albums, true, |album: &Album| format!("after {}", album.id)).with_total(9))
        }))))
        .artist_releases(counted!(|parents| "Artist.releases": Ok(parents.map_many(|artist| {
            Ok(vec![Release::from(album(format!("{}b0", artist.id), artist.id.as_str())), single("s1").into()])
        }))))
        .artist_rating(counted!(|parents| "Artist.rating": Ok(parents.map(|artist| match artist.id.as_str() {
            "a1" => Err(FieldError::new("UNRATED", 404, "a1 has no ratings.")),
            _ => Ok(4.5),
        }))))
        .artist_match(counted!(|parents, kind, this| "Artist.match": Ok(parents.map(|_| Ok(format!("{kind:?} {this}"))))))
        .album_artist(counted!(|parents| "Album.artist": {
            let rows = parents.keys(|album| album.artist_id.clone()).into_iter().map(|id| artist(id.as_str())).collect();
            Ok(parents.join(rows, |artist| artist.id.clone(), |album| album.artist_id.clone()))
        }))
        .single_artist(counted!(|parents| "Single.artist": Ok(parents.map(|_| Ok(artist("a1"))))))
        .album_tracks(counted!(|parents, first| "Album.tracks": Ok(parents.map(|album| {
            let tracks = (0..first).map(|n| track(format!("{}t{n}", album.id))).collect();
            Ok(Page::new(tracks, false, |track: &Arc<Track>| track.id.to_string()))
        }))))
        .track_performers(counted!(|parents| "Track.performers": Ok(parents.map_many(|_| {
            Ok(vec![Performer::from(artist("a1")), Ensemble { id: "e1".into() }.into()])
        }))))
        .ensemble_members(counted!(|parents| "Ensemble.members": Ok(parents.map_many(|_| Ok(vec![artist("a2")])))))
        .ensemble_conductor(counted!(|parents| "Ensemble.conductor": Ok(parents.map_opt(|_| Ok(None)))))
}

pub(crate) struct Bench<E> {
    pub(crate) calls: Calls,
    pub(crate) engine: E,
}

pub(crate) fn bench(change: impl FnOnce(Mock) -> Mock) -> Bench<impl Engine> {
    let calls = Calls::default();
    let resolvers = Resolvers::new(Arc::new(change(mock(&calls))));
    Bench {
        calls,
        engine: engine(&resolvers, Arc::new(RateLimits::default())),
    }
}

pub(crate) fn document(text: &str) -> Document {
    Document {
        text: text.to_owned(),
        name: None,
        kind: OperationKind::Query,
        hash: text.to_owned(),
        cost: 0,
        trusted: false,
    }
}

pub(crate) fn cx(subject: Option<&str>) -> Ctx {
    cx_at(subject, Authenticated::Unchecked, AcrLevels::Unchecked)
}

pub(crate) fn cx_at(subject: Option<&str>, authenticated: Authenticated, acr_levels: AcrLevels) -> Ctx {
    let principal = subject.map(|subject| Principal {
        issuer: "https://id.example".to_owned(),
        subject: subject.to_owned(),
        name: None,
        email: None,
        email_verified: false,
        picture: None,
        roles: Vec::new(),
        roles_known: true,
        issued_at: None,
        expires_at: "2100-01-01T00:00:00Z".parse().unwrap(),
        authenticated,
        acr_levels,
        ..Principal::default()
    });
    CtxParts {
        request_id: "r1".to_owned(),
        principal,
        ..CtxParts::default()
    }
    .into()
}

impl<E: Engine> Bench<E> {
    pub(crate) async fn ask_as(&self, who: Option<&str>, text: &str, variables: Value) -> Value {
        let variables = variables.as_object().cloned().unwrap_or_default();
        let response = self.engine.execute(&cx(who), &document(text), variables).await;
        serde_json::from_slice(&response.body).unwrap()
    }

    pub(crate) async fn data(&self, text: &str) -> Value {
        let response = self.ask_as(None, text, json!({})).await;
        assert_eq!(response.get("errors"), None, "{response:#}");
        response["data"].clone()
    }

    pub(crate) fn calls(&self) -> Vec<String> {
        let mut calls = std::mem::take(&mut *self.calls.lock().unwrap());
        calls.sort();
        calls
    }
}
