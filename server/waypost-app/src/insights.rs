//! The fields of insights.

use std::collections::HashSet;

use traitql::{Ctx, Id, Throws, Viewer};
use waypost_api::{DayRangeInput, TourInsights, field, resolve, role};
use waypost_domain::insights::{
    Bars, Days, by_revision, every_day, funnel, share,
    store::{self, DayCount},
};

use crate::App;

impl resolve::QueryTourInsights for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        _viewer: &Viewer<role::Viewer>,
        tour_id: Id,
        site_id: Option<Id>,
        revision_id: Option<Id>,
        range: DayRangeInput,
    ) -> Result<TourInsights, Throws<field::QueryTourInsights>> {
        let scope = store::Scope {
            tour_id: &tour_id,
            site_id: site_id.as_ref(),
            revision_id: revision_id.as_ref(),
            days: Days::of(&range)?,
        };
        let mut tx = self.store.read().await?;
        let days = store::days(&mut tx, scope).await?;
        let under_way = store::under_way(&mut tx, scope, self.now()).await?;
        let counts = store::steps(&mut tx, scope).await?;
        let times = store::times(&mut tx, scope).await?;
        let played = days.iter().filter(|day| !day.is_nothing()).map(|day| &day.revision_id);
        let met = counts.iter().filter(|step| step.seen + step.done + step.missing > 0);
        let played: HashSet<&Id> = played.chain(met.map(|step| &step.revision_id)).collect();
        let revisions = store::played(&mut tx, &played.into_iter().collect::<Vec<_>>()).await?;
        let sum = |count: fn(&DayCount) -> i32| days.iter().map(count).sum::<i32>();
        let (started, completed) = (sum(|day| day.started), sum(|day| day.completed));
        let mut whole = Bars::default();
        for (_, _, bars) in times.iter().filter(|(_, place, _)| *place < 0) {
            whole.join(bars);
        }
        Ok(TourInsights {
            started,
            completed,
            dismissed: sum(|day| day.dismissed),
            abandoned: sum(|day| day.open) - under_way.iter().map(|each| each.runs).sum::<i32>(),
            failed: sum(|day| day.failed),
            superseded: sum(|day| day.superseded),
            completion_rate: share(completed, started),
            median_active_ms: whole.median(),
            steps: funnel(&revisions, &counts, &under_way, &times),
            by_day: every_day(scope.days, &days),
            by_revision: by_revision(&revisions, &days),
        })
    }
}

impl resolve::QueryTourParticipants for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        _viewer: &Viewer<role::Viewer>,
        tour_id: Id,
        site_id: Option<Id>,
        revision_id: Option<Id>,
        range: DayRangeInput,
    ) -> Result<i32, Throws<field::QueryTourParticipants>> {
        let scope = store::Scope {
            tour_id: &tour_id,
            site_id: site_id.as_ref(),
            revision_id: revision_id.as_ref(),
            days: Days::of(&range)?,
        };
        Ok(store::participants(self.store.reader(), scope).await?)
    }
}
