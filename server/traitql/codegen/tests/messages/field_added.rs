// The schema has a new field without a resolver: `Tour.steps`. All other resolvers exist.
// Fix: add the `impl` that the note shows, or let `cargo traitql scaffold` append it.
use std::sync::Arc;

use api::{Access, Grant, Node, Person, Resolvers, Subject, Tour, TourChangeInput, field, resolve, role};
use traitql::{Batch, Ctx, Events, FieldError, Id, One, Page, Throws, Viewer};

pub struct App;

impl Access for App {
    async fn account(&self, _: &Ctx) -> Result<Id, FieldError> {
        todo!()
    }

    async fn grant(&self, _: &Ctx, _: &Id, _: Subject<'_>) -> Result<Option<Grant>, FieldError> {
        todo!()
    }
}

impl resolve::QueryTours for App {
    async fn resolve(&self, _: &Ctx, _: i32) -> Result<Vec<Tour>, Throws<field::QueryTours>> {
        todo!()
    }
}

impl resolve::QueryNode for App {
    async fn resolve(&self, _: &Ctx, _: Id) -> Result<Option<Node>, Throws<field::QueryNode>> {
        todo!()
    }
}

impl resolve::MutationTourRename for App {
    async fn resolve(
        &self,
        _: &Ctx,
        _: &Viewer<role::Author>,
        _: Id,
        _: String,
    ) -> Result<Tour, Throws<field::MutationTourRename>> {
        todo!()
    }
}

impl resolve::QueryPage for App {
    async fn resolve(&self, _: &Ctx, _: i32) -> Result<Page<Tour>, Throws<field::QueryPage>> {
        todo!()
    }
}

impl resolve::MutationTourChange for App {
    async fn resolve(&self, _: &Ctx, _: TourChangeInput) -> Result<Tour, Throws<field::MutationTourChange>> {
        todo!()
    }
}

impl resolve::SubscriptionTourChanged for App {
    async fn resolve(
        &self,
        _: &Ctx,
    ) -> Result<Events<Tour, field::SubscriptionTourChanged>, Throws<field::SubscriptionTourChanged>> {
        todo!()
    }
}

impl resolve::TourAuthor for App {
    async fn resolve<'b>(&self, _: &Ctx, _: Batch<'b, Tour>) -> Result<One<'b, Person>, Throws<field::TourAuthor>> {
        todo!()
    }
}

pub fn wire() -> Resolvers {
    Resolvers::new(Arc::new(App))
}
