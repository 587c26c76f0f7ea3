//! The generated client compiles, requests the fields of its operations, and reads their responses.
#![allow(clippy::unwrap_used)]

// Independent of the installed rustfmt.
#[rustfmt::skip]
#[allow(dead_code, unreachable_pub, reason = "the module is not exported, and the tests read some of the fields")]
mod generated;

use std::{collections::BTreeSet, fs, path::Path};

use cynic::{MutationBuilder, Operation, QueryBuilder, SubscriptionBuilder};
use generated::{
    AlbumCreate, AlbumCreateVariables, AlbumInput, AlbumPage, AlbumPageVariables, Day, Defaulted, FilterInput, Genre,
    Optional, Place, Played, Search, SearchVariables, Works, WorksVariables, search, works,
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use traitql_schema::{
    Options, SourceText, Style, load,
    model::{Model, Operation as Lowered},
};

fn model(documents: &[SourceText]) -> Model {
    let schema = fs::read_to_string(folder().join("schema.graphql")).unwrap();
    let schema = [SourceText::new("schema.graphql", schema)];
    load(&schema, documents, &Options::lenient()).unwrap_or_else(|report| panic!("{}", report.render(Style::Plain)))
}

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("client")
}

fn operations() -> Model {
    let files = fs::read_dir(folder().join("operations"))
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let source = |path: std::path::PathBuf| {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        SourceText::new(name, fs::read_to_string(path).unwrap())
    };
    model(&files.map(source).collect::<Vec<_>>())
}

#[test]
fn cynic_requests_the_fields_and_arguments_of_each_operation() {
    let page = AlbumPage::build(AlbumPageVariables::new("1".into(), true));
    let search = Search::build(SearchVariables::new("x".to_owned()));
    let create = AlbumCreate::build(AlbumCreateVariables {
        input: AlbumInput::new("x".to_owned()),
    });
    let printed = [
        page.query,
        search.query,
        Works::build(WorksVariables::default()).query,
        create.query,
        Played::build(()).query().to_owned(),
    ];
    let expected = operations();
    assert_eq!(printed.len(), expected.operations.len(), "build each operation here");
    for text in printed {
        let model = model(&[SourceText::new("Printed.graphql", text)]);
        let [printed] = &model.operations[..] else {
            panic!("one operation")
        };
        let wanted = expected
            .operations
            .iter()
            .find(|operation| operation.name == printed.name)
            .unwrap();
        assert_eq!(printed.kind, wanted.kind);
        // cynic selects a field of an interface on each object type.
        let fields = |operation: &Lowered| {
            let names = operation
                .coordinates
                .iter()
                .map(|coordinate| coordinate.split('.').next_back().map(str::to_owned));
            names.collect::<BTreeSet<_>>()
        };
        assert_eq!(fields(printed), fields(wanted), "{}", printed.body);
        let inputs = |operation: &Lowered| operation.given_inputs.iter().cloned().collect::<BTreeSet<_>>();
        assert_eq!(inputs(printed), inputs(wanted), "{}", printed.body);
    }
}

/// Reads the data of a response.
fn read<T: DeserializeOwned, V>(_: &Operation<T, V>, data: Value) -> T {
    serde_json::from_value(data).unwrap()
}

#[test]
fn fragments_share_a_type_and_fields_under_directives_are_optional() {
    let album = json!({
        "id": "1",
        "title": "Blue",
        "genre": "new_wave",
        "released": "1957-01-01",
        "artist": { "id": "7", "name": "C", "years": [[1957], null] },
        "tracks": [{ "title": "One", "type": null }],
        "second": [{ "id": "t1" }],
        "secondToo": [],
    });
    let page = AlbumPage::build(AlbumPageVariables::new("1".into(), true));
    let read_album = read(&page, json!({ "album": album })).album.unwrap();
    assert_eq!(read_album.album_row_album.genre, Genre::NewWave);
    assert_eq!(read_album.album_row_album.released, Some(Day("1957-01-01".to_owned())));
    assert_eq!(read_album.artist.unwrap().years, Some(vec![Some(vec![1957]), None]));
    assert_eq!(read_album.album_tracks_album.tracks[0].r#type, None);
    assert_eq!((read_album.second.len(), read_album.secondToo.len()), (1, 0));

    let create = AlbumCreate::build(AlbumCreateVariables {
        input: AlbumInput::new("x".to_owned()),
    });
    let created = read(&create, json!({ "albumCreate": album })).album_create;
    assert_eq!(created.artist.id.inner(), "7");
}

#[test]
fn members_of_unions_are_variants_with_an_unknown_case() {
    let data = json!({ "search": [
        { "__typename": "Album", "id": "1", "title": "A", "genre": "JAZZ", "released": null, "artist": { "id": "7" } },
        { "__typename": "Track", "title": "T", "seconds": 3 },
        { "__typename": "Artist" },
        { "__typename": "Label" },
        null,
    ] });
    let found = read(&Search::build(SearchVariables::new("x".to_owned())), data).search;
    let [
        Some(search::Found::Album(album)),
        Some(search::Found::Track(track)),
        artist,
        label,
        None,
    ] = &found[..]
    else {
        panic!("{found:?}");
    };
    assert_eq!((album.title.as_str(), album.album_row_album.id.inner()), ("A", "1"));
    assert_eq!((track.title.as_str(), track.seconds), ("T", 3));
    assert!(matches!(artist, Some(search::Found::Unknown)));
    assert!(matches!(label, Some(search::Found::Unknown)));

    let data = json!({
        "works": [{ "__typename": "Album", "id": "1", "genre": "R2D2" }, { "__typename": "Track", "id": "2" }],
        "titles": [{ "title": "T" }],
    });
    let works = read(&Works::build(WorksVariables::default()), data);
    let [works::Work::Album(album), works::Work::Track(track)] = &works.works[..] else {
        panic!("{works:?}");
    };
    assert_eq!((album.genre, track.id.inner()), (Genre::R2d2, "2"));
    assert_eq!(works.titles[0].title, "T");
}

#[test]
fn absent_values_are_not_sent_and_null_is() {
    let absent = AlbumInput::new("x".to_owned());
    assert_eq!(serde_json::to_value(&absent).unwrap(), json!({ "title": "x" }));
    let hall = |inside: Optional<Box<Place>>| Place {
        r#in: inside,
        ..Place::new("main".to_owned())
    };
    let given = AlbumInput {
        genre: Defaulted::Value(Genre::NewWave),
        released: Optional::Null,
        tags: Optional::Value(vec!["a".to_owned()]),
        r#where: Optional::Value(hall(Optional::Value(Box::new(hall(Optional::Null))))),
        ..absent
    };
    assert_eq!(
        serde_json::to_value(AlbumCreateVariables { input: given }).unwrap(),
        json!({ "input": {
            "title": "x",
            "genre": "new_wave",
            "released": null,
            "tags": ["a"],
            "where": { "hall": "main", "in": { "hall": "main", "in": null } },
        } })
    );
    let filter = FilterInput::Not(Box::new(FilterInput::All(vec![FilterInput::ArtistId("7".into())])));
    let variables = WorksVariables {
        filter: Optional::Value(filter),
        genre: Optional::Null,
        first: Defaulted::Absent,
    };
    assert_eq!(
        serde_json::to_value(variables).unwrap(),
        json!({ "filter": { "not": { "all": [{ "artistId": "7" }] } }, "genre": null })
    );
}
