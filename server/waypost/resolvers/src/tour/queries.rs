use std::time::Duration;

use futures_util::FutureExt;
use traitql::{Ctx, Events, Id, Page, Throws, Viewer};
use waypost_api::{RevisionState, Tour, TourOrder, TourStatus, field, resolve, role};
use waypost_domain::{
    change::Changed,
    store::cursor::{self, decode},
    tour::store,
};

use crate::App;

impl resolve::QueryTours for App {
    async fn resolve(
        &self,
        cx: &Ctx,
        _viewer: &Viewer<role::Viewer>,
        workspace_id: Id,
        search: Option<String>,
        status: Option<TourStatus>,
        draft_state: Option<RevisionState>,
        site_id: Option<Id>,
        built_in: bool,
        order: TourOrder,
        reverse: bool,
        first: i32,
        after: Option<String>,
    ) -> Result<Page<Tour>, Throws<field::QueryTours>> {
        let after = decode(after)?;
        let filter = store::Filter {
            workspace_id: &workspace_id,
            search: search.as_deref(),
            status,
            draft_state,
            site_id: site_id.as_ref(),
            built_in,
            now: self.now(),
        };
        let mut tx = self.store.read().await?;
        let mut tours = store::page(&mut tx, &filter, (order, reverse), &after, first + 1).await?;
        let more = cursor::truncate_page(&mut tours, first);
        let (tours, keys): (Vec<_>, Vec<_>) = tours.into_iter().unzip();
        let mut keys = keys.into_iter();
        let page = Page::new(tours, more, |tour: &Tour| {
            cursor::encode(keys.next().unwrap_or_default(), &tour.id)
        });
        // Counting reads every tour of the filter.
        if cx.selects("totalCount") {
            Ok(page.with_total(store::count(&mut tx, &filter).await?))
        } else {
            Ok(page)
        }
    }
}

impl resolve::QueryTour for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        _viewer: &Viewer<role::Viewer>,
        id: Id,
    ) -> Result<Option<Tour>, Throws<field::QueryTour>> {
        Ok(store::by_id(self.store.reader(), &id).await?)
    }
}

impl resolve::QueryTourBySlug for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        _viewer: &Viewer<role::Viewer>,
        workspace_id: Id,
        slug: String,
    ) -> Result<Option<Tour>, Throws<field::QueryTourBySlug>> {
        Ok(store::by_slug(self.store.reader(), &workspace_id, &slug).await?)
    }
}

impl resolve::SubscriptionTourChanged for App {
    async fn resolve(
        &self,
        cx: &Ctx,
        viewer: &Viewer<role::Viewer>,
        id: Id,
    ) -> Result<Events<Tour, field::SubscriptionTourChanged>, Throws<field::SubscriptionTourChanged>> {
        let live = (&self.live_tours, Changed::Tour(id.clone()), id);
        Ok(self.live(cx, viewer, live, Duration::ZERO, |app, id| {
            async move { store::by_id(app.store.reader(), &id).await }.boxed()
        }))
    }
}
