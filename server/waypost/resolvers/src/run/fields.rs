use traitql::{Batch, Ctx, Id, Many, One, Page, Throws, Viewer};
use waypost_api::{Revision, Run, RunEvent, RunFilterInput, Tour, Visitor, field, resolve, role};
use waypost_domain::{
    insights::Days,
    run::store,
    store::cursor::{self, decode},
    tour::{self, revisions},
    visitor,
};

use crate::App;

impl resolve::QueryRuns for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        _viewer: &Viewer<role::Viewer>,
        tour_id: Id,
        filter: Option<RunFilterInput>,
        first: i32,
        after: Option<String>,
    ) -> Result<Page<Run>, Throws<field::QueryRuns>> {
        let (after, now) = (decode(after)?, self.now());
        let filter = filter.unwrap_or_default();
        let days = filter.range.as_ref().value().map(Days::of).transpose()?;
        let mut runs = store::page(self.store.reader(), &tour_id, &filter, days, &after, first + 1, now).await?;
        let more = cursor::truncate_page(&mut runs, first);
        Ok(Page::new(runs, more, |run| {
            cursor::encode(run.started_at.as_millis(), &run.id)
        }))
    }
}

impl resolve::RunTour for App {
    async fn resolve<'b>(&self, _cx: &Ctx, runs: Batch<'b, Run>) -> Result<One<'b, Tour>, Throws<field::RunTour>> {
        let tours = tour::store::by_ids(self.store.reader(), &runs.keys(|run| run.tour_id.clone())).await?;
        Ok(runs.join(tours, |tour| tour.id.clone(), |run| run.tour_id.clone()))
    }
}

impl resolve::RunRevision for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        runs: Batch<'b, Run>,
    ) -> Result<One<'b, Revision>, Throws<field::RunRevision>> {
        let rows = revisions::by_ids(self.store.reader(), &runs.keys(|run| run.revision_id.clone())).await?;
        Ok(runs.join(rows, |revision| revision.id.clone(), |run| run.revision_id.clone()))
    }
}

impl resolve::RunVisitor for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        runs: Batch<'b, Run>,
    ) -> Result<One<'b, Visitor>, Throws<field::RunVisitor>> {
        let rows = visitor::store::by_ids(self.store.reader(), &runs.keys(|run| run.visitor_id.clone())).await?;
        Ok(runs.join(rows, |row| row.id.clone(), |run| run.visitor_id.clone()))
    }
}

impl resolve::RunEvents for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        runs: Batch<'b, Run>,
        first: i32,
    ) -> Result<Many<'b, RunEvent>, Throws<field::RunEvents>> {
        let ids = runs.keys(|run| run.id.clone());
        let events = store::events(self.store.reader(), &ids, first).await?;
        let events = runs.group(events, |(run_id, _)| run_id.clone(), |run| run.id.clone());
        Ok(events.map_rows(|(_, event)| event))
    }
}
