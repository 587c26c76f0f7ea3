//! Stubs in the format that `cargo traitql scaffold --into` appends.

use super::App;

use std::sync::Arc;
use traitql::{Batch, Ctx, Edge, Events, Id, Many, One, Page, Throws, Viewer};
use traitql_golden::{
    Album, AlbumInput, AlbumPayload, Artist, Condition, Display, Ensemble, Found, Goods,
    Identified, LimitsInput, Node, Offer, Performer, Priced, Query, Release, SearchInput,
    Single, Track, field, resolve, role,
};

impl resolve::QueryId for App {
    async fn resolve(&self, cx: &Ctx) -> Result<Id, Throws<field::QueryId>> {
        todo!("resolve Query.id")
    }
}

impl resolve::QueryIdentified for App {
    async fn resolve(
        &self,
        cx: &Ctx,
    ) -> Result<Option<Identified>, Throws<field::QueryIdentified>> {
        todo!("resolve Query.identified")
    }
}

impl resolve::QueryRelay for App {
    async fn resolve(&self, cx: &Ctx) -> Result<Query, Throws<field::QueryRelay>> {
        todo!("resolve Query.relay")
    }
}

impl resolve::QueryLatest for App {
    async fn resolve(
        &self,
        cx: &Ctx,
    ) -> Result<Option<Page<Release>>, Throws<field::QueryLatest>> {
        todo!("resolve Query.latest")
    }
}

impl resolve::QueryShelves for App {
    async fn resolve(
        &self,
        cx: &Ctx,
    ) -> Result<Option<Vec<Option<Page<Arc<Track>>>>>, Throws<field::QueryShelves>> {
        todo!("resolve Query.shelves")
    }
}

impl resolve::QueryPayloads for App {
    async fn resolve(
        &self,
        cx: &Ctx,
    ) -> Result<Vec<AlbumPayload>, Throws<field::QueryPayloads>> {
        todo!("resolve Query.payloads")
    }
}

impl resolve::QueryArtists for App {
    async fn resolve(
        &self,
        cx: &Ctx,
    ) -> Result<Vec<Artist>, Throws<field::QueryArtists>> {
        todo!("resolve Query.artists")
    }
}

impl resolve::QueryNode for App {
    async fn resolve(
        &self,
        cx: &Ctx,
        id: Id,
    ) -> Result<Option<Node>, Throws<field::QueryNode>> {
        todo!("resolve Query.node")
    }
}

impl resolve::QueryNodes for App {
    async fn resolve(
        &self,
        cx: &Ctx,
        ids: Vec<Id>,
    ) -> Result<Vec<Option<Node>>, Throws<field::QueryNodes>> {
        todo!("resolve Query.nodes")
    }
}

impl resolve::QuerySearch for App {
    async fn resolve(
        &self,
        cx: &Ctx,
        by: SearchInput,
        first: i32,
    ) -> Result<Vec<Found>, Throws<field::QuerySearch>> {
        todo!("resolve Query.search")
    }
}

impl resolve::QueryCatalogue for App {
    async fn resolve(
        &self,
        cx: &Ctx,
        after: Option<String>,
        first: i32,
    ) -> Result<Page<Release>, Throws<field::QueryCatalogue>> {
        todo!("resolve Query.catalogue")
    }
}

impl resolve::QueryMyArtist for App {
    async fn resolve(
        &self,
        cx: &Ctx,
        viewer: &Viewer<role::SignedIn>,
    ) -> Result<Option<Artist>, Throws<field::QueryMyArtist>> {
        todo!("resolve Query.myArtist")
    }
}

impl resolve::QueryArtistByName for App {
    async fn resolve(
        &self,
        cx: &Ctx,
        viewer: &Viewer<role::Listener>,
        name: String,
    ) -> Result<Option<Artist>, Throws<field::QueryArtistByName>> {
        todo!("resolve Query.artistByName")
    }
}

impl resolve::QueryLimits for App {
    async fn resolve(
        &self,
        cx: &Ctx,
        of: LimitsInput,
        grid: Vec<Option<Vec<i32>>>,
        names: Option<Vec<Vec<Option<String>>>>,
        ids: Option<Vec<Id>>,
        flag: bool,
        ratio: f64,
        share: Option<f64>,
    ) -> Result<bool, Throws<field::QueryLimits>> {
        todo!("resolve Query.limits")
    }
}

impl resolve::QueryOffers for App {
    async fn resolve(
        &self,
        cx: &Ctx,
        condition: Option<Condition>,
        up_to: traitql_golden::shop::Money,
    ) -> Result<Vec<Arc<Offer>>, Throws<field::QueryOffers>> {
        todo!("resolve Query.offers")
    }
}

impl resolve::QueryPriced for App {
    async fn resolve(
        &self,
        cx: &Ctx,
        conditions: Vec<Condition>,
    ) -> Result<Vec<Priced>, Throws<field::QueryPriced>> {
        todo!("resolve Query.priced")
    }
}

impl resolve::QueryGoods for App {
    async fn resolve(
        &self,
        cx: &Ctx,
    ) -> Result<Vec<Option<Goods>>, Throws<field::QueryGoods>> {
        todo!("resolve Query.goods")
    }
}

impl resolve::QueryDisplays for App {
    async fn resolve(
        &self,
        cx: &Ctx,
    ) -> Result<Vec<Display>, Throws<field::QueryDisplays>> {
        todo!("resolve Query.displays")
    }
}

impl resolve::MutationAlbumCreate for App {
    async fn resolve(
        &self,
        cx: &Ctx,
        viewer: &Viewer<role::Editor>,
        input: AlbumInput,
    ) -> Result<Album, Throws<field::MutationAlbumCreate>> {
        todo!("resolve Mutation.albumCreate")
    }
}

impl resolve::MutationAlbumPublish for App {
    async fn resolve(
        &self,
        cx: &Ctx,
        viewer: &Viewer<role::Editor>,
        id: Id,
    ) -> Result<Album, Throws<field::MutationAlbumPublish>> {
        todo!("resolve Mutation.albumPublish")
    }
}

impl resolve::MutationOfferWear for App {
    async fn resolve(
        &self,
        cx: &Ctx,
        id: Id,
    ) -> Result<Condition, Throws<field::MutationOfferWear>> {
        todo!("resolve Mutation.offerWear")
    }
}

impl resolve::SubscriptionCountdown for App {
    async fn resolve(
        &self,
        cx: &Ctx,
        from: i32,
    ) -> Result<
        Events<i32, field::SubscriptionCountdown>,
        Throws<field::SubscriptionCountdown>,
    > {
        todo!("resolve Subscription.countdown")
    }
}

impl resolve::SubscriptionAlbumAdded for App {
    async fn resolve(
        &self,
        cx: &Ctx,
    ) -> Result<
        Events<Album, field::SubscriptionAlbumAdded>,
        Throws<field::SubscriptionAlbumAdded>,
    > {
        todo!("resolve Subscription.albumAdded")
    }
}

impl resolve::ArtistAlbums for App {
    async fn resolve<'b>(
        &self,
        cx: &Ctx,
        parents: Batch<'b, Artist>,
        first: i32,
        after: Option<String>,
    ) -> Result<One<'b, Page<Album>>, Throws<field::ArtistAlbums>> {
        todo!("resolve Artist.albums")
    }
}

impl resolve::ArtistReleases for App {
    async fn resolve<'b>(
        &self,
        cx: &Ctx,
        parents: Batch<'b, Artist>,
    ) -> Result<Many<'b, Release>, Throws<field::ArtistReleases>> {
        todo!("resolve Artist.releases")
    }
}

impl resolve::ArtistFriends for App {
    async fn resolve<'b>(
        &self,
        cx: &Ctx,
        parents: Batch<'b, Artist>,
    ) -> Result<Many<'b, Artist>, Throws<field::ArtistFriends>> {
        todo!("resolve Artist.friends")
    }
}

impl resolve::ArtistMatch for App {
    async fn resolve<'b>(
        &self,
        cx: &Ctx,
        parents: Batch<'b, Artist>,
        r#type: Option<i32>,
        r#loop: bool,
    ) -> Result<One<'b, String>, Throws<field::ArtistMatch>> {
        todo!("resolve Artist.match")
    }
}

impl resolve::ArtistRating for App {
    async fn resolve<'b>(
        &self,
        cx: &Ctx,
        parents: Batch<'b, Artist>,
    ) -> Result<One<'b, f64>, Throws<field::ArtistRating>> {
        todo!("resolve Artist.rating")
    }
}

impl resolve::AlbumArtist for App {
    async fn resolve<'b>(
        &self,
        cx: &Ctx,
        parents: Batch<'b, Album>,
    ) -> Result<One<'b, Artist>, Throws<field::AlbumArtist>> {
        todo!("resolve Album.artist")
    }
}

impl resolve::AlbumTracks for App {
    async fn resolve<'b>(
        &self,
        cx: &Ctx,
        parents: Batch<'b, Album>,
        first: i32,
    ) -> Result<One<'b, Page<Arc<Track>>>, Throws<field::AlbumTracks>> {
        todo!("resolve Album.tracks")
    }
}

impl resolve::SingleArtist for App {
    async fn resolve<'b>(
        &self,
        cx: &Ctx,
        parents: Batch<'b, Arc<Single>>,
    ) -> Result<One<'b, Artist>, Throws<field::SingleArtist>> {
        todo!("resolve Single.artist")
    }
}

impl resolve::SingleTrack for App {
    async fn resolve<'b>(
        &self,
        cx: &Ctx,
        parents: Batch<'b, Arc<Single>>,
    ) -> Result<One<'b, Arc<Track>>, Throws<field::SingleTrack>> {
        todo!("resolve Single.track")
    }
}

impl resolve::TrackPerformers for App {
    async fn resolve<'b>(
        &self,
        cx: &Ctx,
        parents: Batch<'b, Arc<Track>>,
    ) -> Result<Many<'b, Performer>, Throws<field::TrackPerformers>> {
        todo!("resolve Track.performers")
    }
}

impl resolve::EnsembleMembers for App {
    async fn resolve<'b>(
        &self,
        cx: &Ctx,
        parents: Batch<'b, Ensemble>,
    ) -> Result<Many<'b, Artist>, Throws<field::EnsembleMembers>> {
        todo!("resolve Ensemble.members")
    }
}

impl resolve::EnsembleConductor for App {
    async fn resolve<'b>(
        &self,
        cx: &Ctx,
        parents: Batch<'b, Ensemble>,
    ) -> Result<One<'b, Artist>, Throws<field::EnsembleConductor>> {
        todo!("resolve Ensemble.conductor")
    }
}

impl resolve::AlbumPayloadEdge for App {
    async fn resolve<'b>(
        &self,
        cx: &Ctx,
        parents: Batch<'b, AlbumPayload>,
    ) -> Result<One<'b, Edge<Album>>, Throws<field::AlbumPayloadEdge>> {
        todo!("resolve AlbumPayload.edge")
    }
}

impl resolve::AlbumPayloadEdges for App {
    async fn resolve<'b>(
        &self,
        cx: &Ctx,
        parents: Batch<'b, AlbumPayload>,
    ) -> Result<Many<'b, Edge<Album>>, Throws<field::AlbumPayloadEdges>> {
        todo!("resolve AlbumPayload.edges")
    }
}

impl resolve::AlbumPayloadQuery for App {
    async fn resolve<'b>(
        &self,
        cx: &Ctx,
        parents: Batch<'b, AlbumPayload>,
    ) -> Result<One<'b, Query>, Throws<field::AlbumPayloadQuery>> {
        todo!("resolve AlbumPayload.query")
    }
}

impl resolve::OfferSimilar for App {
    async fn resolve<'b>(
        &self,
        cx: &Ctx,
        parents: Batch<'b, Arc<Offer>>,
    ) -> Result<Many<'b, Arc<Offer>>, Throws<field::OfferSimilar>> {
        todo!("resolve Offer.similar")
    }
}

impl resolve::OfferSeller for App {
    async fn resolve<'b>(
        &self,
        cx: &Ctx,
        parents: Batch<'b, Arc<Offer>>,
    ) -> Result<One<'b, Artist>, Throws<field::OfferSeller>> {
        todo!("resolve Offer.seller")
    }
}

impl resolve::DisplayVisitors for App {
    async fn resolve<'b>(
        &self,
        cx: &Ctx,
        parents: Batch<'b, Display>,
    ) -> Result<One<'b, i32>, Throws<field::DisplayVisitors>> {
        todo!("resolve Display.visitors")
    }
}
