use traitql::{Ctx, Id, Throws, Viewer};
use waypost_api::{DayRangeInput, TourInsights, field, resolve, role};
use waypost_domain::insights::{
    Days, Histogram, by_revision, every_day, funnel, share,
    store::{self, Counting, Counts, DayCount},
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
        let Counts {
            days,
            active_runs,
            steps: counts,
            times,
            revisions,
        } = self.store.read_late(Counting { scope, now: self.now() }).await?;
        let sum = |count: fn(&DayCount) -> i32| days.iter().map(count).sum::<i32>();
        let active = active_runs.iter().map(|each| each.runs).sum::<i32>();
        let (started, completed) = (sum(|day| day.started), sum(|day| day.completed));
        let mut whole = Histogram::default();
        for (_, _, histogram) in times.iter().filter(|(_, step, _)| *step < 0) {
            whole.join(histogram);
        }
        Ok(TourInsights {
            started,
            completed,
            completed_with_gaps: sum(|day| day.with_gaps),
            dismissed: sum(|day| day.dismissed),
            stopped: sum(|day| day.stopped),
            abandoned: sum(|day| day.open) - active,
            failed: sum(|day| day.failed),
            superseded: sum(|day| day.superseded),
            active,
            attempts_without_element: sum(|day| day.not_found),
            attempts_without_player: sum(|day| day.not_loaded),
            completion_rate: share(completed, started),
            median_active_ms: whole.median(),
            steps: funnel(&revisions, &counts, &active_runs, &times),
            by_day: every_day(scope.days, &days),
            by_revision: by_revision(&revisions, &days, &active_runs),
        })
    }
}

impl resolve::QueryTourVisitors for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        _viewer: &Viewer<role::Viewer>,
        tour_id: Id,
        site_id: Option<Id>,
        revision_id: Option<Id>,
        range: DayRangeInput,
    ) -> Result<i32, Throws<field::QueryTourVisitors>> {
        let scope = store::Scope {
            tour_id: &tour_id,
            site_id: site_id.as_ref(),
            revision_id: revision_id.as_ref(),
            days: Days::of(&range)?,
        };
        Ok(store::visitors(self.store.late_reader(), scope).await?)
    }
}
