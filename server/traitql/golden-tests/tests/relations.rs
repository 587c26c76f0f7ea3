//! `Album.artist` is declared in `traitql.relations`, so that a loader of artists resolves it.
#![allow(clippy::unwrap_used)]

use std::sync::Mutex;

use traitql::{Batch, Ctx, CtxParts, Id, Internal};
use traitql_golden::{Album, Artist, State, load, resolve};

#[derive(Default)]
struct App {
    loaded: Mutex<Vec<Vec<Id>>>,
}

impl load::Artist for App {
    async fn load(&self, _: &Ctx, ids: &[Id]) -> Result<Vec<Artist>, Internal> {
        self.loaded.lock().unwrap().push(ids.to_vec());
        let artist = |id: &Id| Artist {
            id: id.clone(),
            name: format!("artist {}", id.as_str()),
            nicknames: None,
        };
        let known = ids.iter().filter(|id| id.as_str() != "gone");
        Ok(known.map(artist).rev().collect())
    }
}

fn album(id: &str, artist: &str) -> Album {
    Album {
        id: id.into(),
        title: id.to_owned(),
        at: None,
        state: State::Out,
        notes: Vec::new(),
        cover: None,
        grid: Vec::new(),
        extra: None,
        artist_id: artist.into(),
    }
}

#[tokio::test]
async fn a_relation_loads_the_objects_of_all_parents_with_one_call() {
    let app = App::default();
    let cx: Ctx = CtxParts::default().into();
    let albums = [
        album("1", "ann"),
        album("2", "bob"),
        album("3", "gone"),
        album("4", "ann"),
    ];
    let artists = resolve::AlbumArtist::resolve(&app, &cx, Batch::__row(&albums))
        .await
        .unwrap();
    let names: Vec<_> = (0..4)
        .map(|at| artists.get(at).map(|artist| artist.name.as_str()))
        .collect();
    assert_eq!(
        names,
        [Some("artist ann"), Some("artist bob"), None, Some("artist ann")]
    );
    let calls = app.loaded.into_inner().unwrap();
    assert_eq!(calls, [["ann", "bob", "gone"].map(Id::from)]);
}
