//! The field `tourInsights`.

use traitql::{Ctx, Id, Throws, Viewer};
use waypost_api::{DayRangeInput, TourInsights, field, resolve, role};

use super::{Days, RangeProblem, every_day, funnel, share, store};
use crate::App;

impl From<RangeProblem> for Throws<field::QueryTourInsights> {
    fn from(problem: RangeProblem) -> Self {
        match problem {
            RangeProblem::Backwards(error) => error.into(),
            RangeProblem::TooLong(error) => error.into(),
        }
    }
}

impl resolve::QueryTourInsights for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        _viewer: &Viewer<role::Viewer>,
        tour_id: Id,
        site_id: Option<Id>,
        range: DayRangeInput,
    ) -> Result<TourInsights, Throws<field::QueryTourInsights>> {
        let scope = store::Scope {
            tour_id: &tour_id,
            site_id: site_id.as_ref(),
            days: Days::of(&range)?,
        };
        let mut tx = self.store.read().await?;
        let totals = store::totals(&mut tx, scope, self.now()).await?;
        let median = store::median_active_ms(&mut tx, scope, totals.completed).await?;
        let (revisions, counts) = store::bits(&mut tx, scope).await?;
        let days = store::by_day(&mut tx, scope).await?;
        Ok(TourInsights {
            started: totals.started,
            completed: totals.completed,
            dismissed: totals.dismissed,
            abandoned: totals.abandoned,
            failed: totals.failed,
            participants: totals.participants,
            completion_rate: share(totals.completed, totals.started),
            median_active_ms: median,
            steps: funnel(&revisions, &counts),
            by_day: every_day(scope.days, &days),
        })
    }
}
