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
        let _ = cx;
        todo!("resolve Query.id")
    }
}

impl resolve::QueryIdentified for App {
    async fn resolve(
        &self,
        cx: &Ctx,
    ) -> Result<Option<Identified>, Throws<field::QueryIdentified>> {
        let _ = cx;
        todo!("resolve Query.identified")
    }
}

impl resolve::QueryRelay for App {
    async fn resolve(&self, cx: &Ctx) -> Result<Query, Throws<field::QueryRelay>> {
        let _ = cx;
        todo!("resolve Query.relay")
    }
}

impl resolve::QueryLatest for App {
    async fn resolve(
        &self,
        cx: &Ctx,
    ) -> Result<Option<Page<Release>>, Throws<field::QueryLatest>> {
        let _ = cx;
        todo!("resolve Query.latest")
    }
}

impl resolve::QueryShelves for App {
    async fn resolve(
        &self,
        cx: &Ctx,
    ) -> Result<Option<Vec<Option<Page<Arc<Track>>>>>, Throws<field::QueryShelves>> {
        let _ = cx;
        todo!("resolve Query.shelves")
    }
}

impl resolve::QueryPayloads for App {
    async fn resolve(
        &self,
        cx: &Ctx,
    ) -> Result<Vec<AlbumPayload>, Throws<field::QueryPayloads>> {
        let _ = cx;
        todo!("resolve Query.payloads")
    }
}

impl resolve::QueryArtists for App {
    async fn resolve(
        &self,
        cx: &Ctx,
    ) -> Result<Vec<Artist>, Throws<field::QueryArtists>> {
        let _ = cx;
        todo!("resolve Query.artists")
    }
}

impl resolve::QueryNode for App {
    async fn resolve(
        &self,
        cx: &Ctx,
        id: Id,
    ) -> Result<Option<Node>, Throws<field::QueryNode>> {
        let _ = (cx, id);
        todo!("resolve Query.node")
    }
}

impl resolve::QueryNodes for App {
    async fn resolve(
        &self,
        cx: &Ctx,
        ids: Vec<Id>,
    ) -> Result<Vec<Option<Node>>, Throws<field::QueryNodes>> {
        let _ = (cx, ids);
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
        let _ = (cx, by, first);
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
        let _ = (cx, after, first);
        todo!("resolve Query.catalogue")
    }
}

impl resolve::QueryMyArtist for App {
    async fn resolve(
        &self,
        cx: &Ctx,
        viewer: &Viewer<role::SignedIn>,
    ) -> Result<Option<Artist>, Throws<field::QueryMyArtist>> {
        let _ = (cx, viewer);
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
        let _ = (cx, viewer, name);
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
        let _ = (cx, of, grid, names, ids, flag, ratio, share);
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
        let _ = (cx, condition, up_to);
        todo!("resolve Query.offers")
    }
}

impl resolve::QueryPriced for App {
    async fn resolve(
        &self,
        cx: &Ctx,
        conditions: Vec<Condition>,
    ) -> Result<Vec<Priced>, Throws<field::QueryPriced>> {
        let _ = (cx, conditions);
        todo!("resolve Query.priced")
    }
}

impl resolve::QueryGoods for App {
    async fn resolve(
        &self,
        cx: &Ctx,
    ) -> Result<Vec<Option<Goods>>, Throws<field::QueryGoods>> {
        let _ = cx;
        todo!("resolve Query.goods")
    }
}

impl resolve::QueryDisplays for App {
    async fn resolve(
        &self,
        cx: &Ctx,
    ) -> Result<Vec<Display>, Throws<field::QueryDisplays>> {
        let _ = cx;
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
        let _ = (cx, viewer, input);
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
        let _ = (cx, viewer, id);
        todo!("resolve Mutation.albumPublish")
    }
}

impl resolve::MutationOfferWear for App {
    async fn resolve(
        &self,
        cx: &Ctx,
        id: Id,
    ) -> Result<Condition, Throws<field::MutationOfferWear>> {
        let _ = (cx, id);
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
        let _ = (cx, from);
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
        let _ = cx;
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
        let _ = (cx, parents, first, after);
        todo!("resolve Artist.albums")
    }
}

impl resolve::ArtistReleases for App {
    async fn resolve<'b>(
        &self,
        cx: &Ctx,
        parents: Batch<'b, Artist>,
    ) -> Result<Many<'b, Release>, Throws<field::ArtistReleases>> {
        let _ = (cx, parents);
        todo!("resolve Artist.releases")
    }
}

impl resolve::ArtistFriends for App {
    async fn resolve<'b>(
        &self,
        cx: &Ctx,
        parents: Batch<'b, Artist>,
    ) -> Result<Many<'b, Artist>, Throws<field::ArtistFriends>> {
        let _ = (cx, parents);
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
        let _ = (cx, parents, r#type, r#loop);
        todo!("resolve Artist.match")
    }
}

impl resolve::ArtistRating for App {
    async fn resolve<'b>(
        &self,
        cx: &Ctx,
        parents: Batch<'b, Artist>,
    ) -> Result<One<'b, f64>, Throws<field::ArtistRating>> {
        let _ = (cx, parents);
        todo!("resolve Artist.rating")
    }
}

impl resolve::AlbumTracks for App {
    async fn resolve<'b>(
        &self,
        cx: &Ctx,
        parents: Batch<'b, Album>,
        first: i32,
    ) -> Result<One<'b, Page<Arc<Track>>>, Throws<field::AlbumTracks>> {
        let _ = (cx, parents, first);
        todo!("resolve Album.tracks")
    }
}

impl resolve::SingleArtist for App {
    async fn resolve<'b>(
        &self,
        cx: &Ctx,
        parents: Batch<'b, Arc<Single>>,
    ) -> Result<One<'b, Artist>, Throws<field::SingleArtist>> {
        let _ = (cx, parents);
        todo!("resolve Single.artist")
    }
}

impl resolve::SingleTrack for App {
    async fn resolve<'b>(
        &self,
        cx: &Ctx,
        parents: Batch<'b, Arc<Single>>,
    ) -> Result<One<'b, Arc<Track>>, Throws<field::SingleTrack>> {
        let _ = (cx, parents);
        todo!("resolve Single.track")
    }
}

impl resolve::TrackPerformers for App {
    async fn resolve<'b>(
        &self,
        cx: &Ctx,
        parents: Batch<'b, Arc<Track>>,
    ) -> Result<Many<'b, Performer>, Throws<field::TrackPerformers>> {
        let _ = (cx, parents);
        todo!("resolve Track.performers")
    }
}

impl resolve::EnsembleMembers for App {
    async fn resolve<'b>(
        &self,
        cx: &Ctx,
        parents: Batch<'b, Ensemble>,
    ) -> Result<Many<'b, Artist>, Throws<field::EnsembleMembers>> {
        let _ = (cx, parents);
        todo!("resolve Ensemble.members")
    }
}

impl resolve::EnsembleConductor for App {
    async fn resolve<'b>(
        &self,
        cx: &Ctx,
        parents: Batch<'b, Ensemble>,
    ) -> Result<One<'b, Artist>, Throws<field::EnsembleConductor>> {
        let _ = (cx, parents);
        todo!("resolve Ensemble.conductor")
    }
}

impl resolve::AlbumPayloadEdge for App {
    async fn resolve<'b>(
        &self,
        cx: &Ctx,
        parents: Batch<'b, AlbumPayload>,
    ) -> Result<One<'b, Edge<Album>>, Throws<field::AlbumPayloadEdge>> {
        let _ = (cx, parents);
        todo!("resolve AlbumPayload.edge")
    }
}

impl resolve::AlbumPayloadEdges for App {
    async fn resolve<'b>(
        &self,
        cx: &Ctx,
        parents: Batch<'b, AlbumPayload>,
    ) -> Result<Many<'b, Edge<Album>>, Throws<field::AlbumPayloadEdges>> {
        let _ = (cx, parents);
        todo!("resolve AlbumPayload.edges")
    }
}

impl resolve::AlbumPayloadQuery for App {
    async fn resolve<'b>(
        &self,
        cx: &Ctx,
        parents: Batch<'b, AlbumPayload>,
    ) -> Result<One<'b, Query>, Throws<field::AlbumPayloadQuery>> {
        let _ = (cx, parents);
        todo!("resolve AlbumPayload.query")
    }
}

impl resolve::OfferSimilar for App {
    async fn resolve<'b>(
        &self,
        cx: &Ctx,
        parents: Batch<'b, Arc<Offer>>,
    ) -> Result<Many<'b, Arc<Offer>>, Throws<field::OfferSimilar>> {
        let _ = (cx, parents);
        todo!("resolve Offer.similar")
    }
}

impl resolve::OfferSeller for App {
    async fn resolve<'b>(
        &self,
        cx: &Ctx,
        parents: Batch<'b, Arc<Offer>>,
    ) -> Result<One<'b, Artist>, Throws<field::OfferSeller>> {
        let _ = (cx, parents);
        todo!("resolve Offer.seller")
    }
}

impl resolve::DisplayVisitors for App {
    async fn resolve<'b>(
        &self,
        cx: &Ctx,
        parents: Batch<'b, Display>,
    ) -> Result<One<'b, i32>, Throws<field::DisplayVisitors>> {
        let _ = (cx, parents);
        todo!("resolve Display.visitors")
    }
}
