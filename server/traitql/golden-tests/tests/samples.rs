#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use futures_util::StreamExt;
use serde_json::Value;
use traitql::{Batch, Ctx, FieldError, Id, Internal, Many, One, RateLimits, Throws, testing::Client};
use traitql_golden::{
    Access, Artist, Display, Grant, Offer, Resolvers, Role, SDL, Subject, engine, field, load, resolve,
    shop::{Money, Wear},
};

#[path = "samples/documents.rs"]
mod documents;

struct App;

/// A field with a resolver.
impl resolve::ArtistRating for App {
    async fn resolve<'b>(
        &self,
        _: &Ctx,
        artists: Batch<'b, Artist>,
    ) -> Result<One<'b, f64>, Throws<field::ArtistRating>> {
        Ok(artists.map(|_| Ok(9.5)))
    }
}

/// Bound types have no sample values, so the fields that return them need resolvers.
impl resolve::QueryOffers for App {
    async fn resolve(&self, _: &Ctx, _: Option<Wear>, _: Money) -> Result<Vec<Arc<Offer>>, Throws<field::QueryOffers>> {
        Ok(Vec::new())
    }
}

impl resolve::QueryDisplays for App {
    async fn resolve(&self, _: &Ctx) -> Result<Vec<Display>, Throws<field::QueryDisplays>> {
        Ok(Vec::new())
    }
}

impl resolve::OfferSimilar for App {
    async fn resolve<'b>(
        &self,
        _: &Ctx,
        offers: Batch<'b, Arc<Offer>>,
    ) -> Result<Many<'b, Arc<Offer>>, Throws<field::OfferSimilar>> {
        Ok(offers.map_many(|_| Ok(Vec::new())))
    }
}

/// Relations have no sample values.
impl load::Artist for App {
    async fn load(&self, _: &Ctx, ids: &[Id]) -> Result<Vec<Artist>, Internal> {
        let artist = |id: &Id| Artist {
            id: id.clone(),
            name: "Ann".to_owned(),
            nicknames: None,
        };
        Ok(ids.iter().map(artist).collect())
    }
}

traitql::mocked! { App:
    field::AlbumPayloadEdge,
    field::AlbumPayloadEdges,
    field::AlbumPayloadQuery,
    field::AlbumTracks,
    field::ArtistAlbums,
    field::ArtistFriends,
    field::ArtistMatch,
    field::ArtistReleases,
    field::DisplayVisitors,
    field::EnsembleConductor,
    field::EnsembleMembers,
    field::MutationAlbumCreate,
    field::MutationAlbumPublish,
    field::MutationOfferWear,
    field::OfferSeller,
    field::QueryArtistByName,
    field::QueryArtists,
    field::QueryCatalogue,
    field::QueryGoods,
    field::QueryLimits,
    field::QueryId,
    field::QueryIdentified,
    field::QueryLatest,
    field::QueryMyArtist,
    field::QueryNode,
    field::QueryNodes,
    field::QueryPayloads,
    field::QueryPriced,
    field::QueryRelay,
    field::QuerySearch,
    field::QueryShelves,
    field::SingleArtist,
    field::SingleTrack,
    field::SubscriptionAlbumAdded,
    field::SubscriptionCountdown,
    field::TrackPerformers,
}

impl Access for App {
    async fn account(&self, _: &Ctx) -> Result<Id, FieldError> {
        Ok("ann".into())
    }

    async fn grant(&self, _: &Ctx, _: &Id, _: Subject<'_>) -> Result<Option<Grant>, FieldError> {
        let role = Role::Editor;
        Ok(Some(Grant {
            scope: "all".into(),
            role,
        }))
    }
}

fn client() -> Client {
    let engine = engine(&Resolvers::new(Arc::new(App)), Arc::new(RateLimits::default()));
    Client::new(engine, SDL).signed_in("ann")
}

async fn ask(text: &str) -> Value {
    let response = client().execute(text, Value::Null).await;
    assert_eq!(response["errors"], Value::Null, "{response:#}");
    response["data"].clone()
}

fn has_null(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(entries) => entries.iter().any(has_null),
        Value::Object(fields) => fields.values().any(has_null),
        _ => false,
    }
}

#[tokio::test]
async fn all_fields_return_values_of_their_types() {
    let data = ask(
        "{ artists { id name nicknames match friends { id } rating releases { __typename title at artist { name } } \
           albums(first: 2) { totalCount pageInfo { hasNextPage } edges { cursor node { ...album } } } } \
           search(by: { text: \"blue\" }) { __typename } catalogue { nodes { title } } \
           relay { payloads { edge { cursor node { id } } page { hasNextPage } query { id } } identified { id } } \
           myArtist { name } artistByName(name: \"Ann\") { name } } \
         fragment album on Album { id state grid extra notes { text } cover { __typename } \
           tracks { nodes { seconds performers { __typename } } } }",
    )
    .await;
    assert!(!has_null(&data), "{data:#}");
    assert_eq!(data["artists"][0]["rating"], 9.5);
    assert_eq!(data["artists"][0]["albums"]["edges"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn an_object_has_the_same_values_on_every_path() {
    let artist = &ask("{ artists { id name } }").await["artists"][1];
    let id = artist["id"].as_str().unwrap();
    let found = ask(&format!(
        "{{ node(id: \"{id}\") {{ __typename id ... on Artist {{ name }} }} nodes(ids: [\"album-7\", \"{id}\"]) {{ __typename id }} }}"
    ))
    .await;
    assert_eq!(found["node"]["__typename"], "Artist");
    assert_eq!(
        (&found["node"]["id"], &found["node"]["name"]),
        (&artist["id"], &artist["name"])
    );
    assert_eq!(found["nodes"][0]["__typename"], "Album");
    assert_eq!(found["nodes"][1]["id"], artist["id"]);
}

#[tokio::test]
async fn mutations_and_subscriptions_return_sample_values() {
    let text = "mutation { albumCreate(input: { artist: { id: \"a\" }, title: \"Blue\" }) { id title } }";
    assert!(!has_null(&ask(text).await));
    let mut events = client()
        .subscribe("subscription { albumAdded { title } }", Value::Null)
        .await;
    let event = events.next().await.unwrap();
    assert!(event["data"]["albumAdded"]["title"].is_string(), "{event}");
}

#[tokio::test]
async fn invalid_documents_return_errors() {
    let response = client().execute("{ artist }", Value::Null).await;
    let message = response["errors"][0]["message"].as_str().unwrap();
    assert!(message.contains("artist"), "{response:#}");
    let mut events = client().subscribe("subscription { nothing }", Value::Null).await;
    assert!(events.next().await.unwrap()["errors"].is_array());
}
