//! Queries and subscriptions of tours.

use std::time::Duration;

use futures_util::StreamExt;
use traitql::{Ctx, Events, Id, Page, Throws, Viewer};
use waypost_api::{RevisionState, Tour, TourStatus, field, resolve, role};
use waypost_domain::{
    change::{Changed, while_visible},
    store::cursor::{self, place},
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
        first: i32,
        after: Option<String>,
    ) -> Result<Page<Tour>, Throws<field::QueryTours>> {
        let below = place(after)?;
        let filter = store::Filter {
            workspace_id: &workspace_id,
            search: search.as_deref(),
            status,
            draft_state,
            now: self.now(),
        };
        let mut tx = self.store.read().await?;
        let mut tours = store::page(&mut tx, &filter, &below, first + 1).await?;
        let more = cursor::cut(&mut tours, first);
        let page = Page::new(tours, more, |tour| cursor::of(tour.updated_at.as_millis(), &tour.id));
        // Counting reads every tour that the filter finds.
        match cx.selects("totalCount") {
            true => Ok(page.with_total(store::count(&mut tx, &filter).await?)),
            false => Ok(page),
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
        _cx: &Ctx,
        viewer: &Viewer<role::Viewer>,
        id: Id,
    ) -> Result<Events<Tour, field::SubscriptionTourChanged>, Throws<field::SubscriptionTourChanged>> {
        let (app, account) = (self.clone(), viewer.account.clone());
        let news = self.store.changes().of(Changed::Tour(id.clone()), Duration::ZERO);
        let tours = news.then(move |()| {
            let (app, id, account) = (app.clone(), id.clone(), account.clone());
            async move { store::for_member(app.store.reader(), &id, &account).await }
        });
        Ok(while_visible(tours))
    }
}
