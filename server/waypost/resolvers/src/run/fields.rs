use traitql::{Batch, Ctx, Id, Many, Page, Throws, Viewer};
use waypost_api::{Run, RunEvent, RunFilterInput, field, resolve, role};
use waypost_domain::{
    insights::Days,
    run::store,
    store::cursor::{self, decode},
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
