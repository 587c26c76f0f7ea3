use std::{collections::BTreeSet, time::Instant};

use traitql::{Ctx, Id, RateLimit, Throws, Viewer};
use waypost_api::{GoalInput, ReleaseLift, VisitorInput, field, resolve, role};
use waypost_domain::{change::Changed, lift::store, run::record, site, visitor::visitors};

use crate::{App, caller};

/// The limit per address, so that one caller cannot fill a site's list.
pub(crate) const NEW_EVENT_NAMES: RateLimit = RateLimit {
    field: "Site.events",
    limit: 20,
    window_seconds: 3600,
};

impl resolve::QueryTourLift for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        _viewer: &Viewer<role::Viewer>,
        tour_id: Id,
        site_id: Option<Id>,
        first: i32,
    ) -> Result<Vec<ReleaseLift>, Throws<field::QueryTourLift>> {
        Ok(store::lifts(self.store.late_reader(), &tour_id, site_id.as_ref(), first).await?)
    }
}

impl resolve::MutationGoalRecord for App {
    async fn resolve(
        &self,
        cx: &Ctx,
        site_key: String,
        visitor: VisitorInput,
        goals: Vec<GoalInput>,
    ) -> Result<i32, Throws<field::MutationGoalRecord>> {
        let (live, visitor) = self.reporter("Mutation.goalRecord", cx, &site_key, visitor).await?;
        let site = &live.site;
        let mut tx = self.store.save().await?;
        let now = tx.now;
        let names: BTreeSet<&str> = goals.iter().map(|goal| goal.event.as_str()).collect();
        let names: Vec<&str> = names.into_iter().collect();
        let caller = caller(cx);
        let admit = || self.rates.check(NEW_EVENT_NAMES, &caller, Instant::now()).is_ok();
        if site::store::record_events(tx.conn(), &site.id, &names, admit, now).await? {
            tx.touch(Changed::SiteActivity(site.id.clone()));
        }
        let known = store::goals_of(tx.conn(), &site.id, &goals).await?;
        let counts = |goal: &&GoalInput| {
            known.contains(&goal.event) && now.as_millis() - goal.at.as_millis() <= record::MAX_EVENT_AGE_MS
        };
        // From browsers whose clocks are ahead.
        let reported = goals.iter().filter(counts);
        let reported: Vec<_> = reported
            .map(|goal| (goal.event.as_str(), goal.at.min(now).as_millis()))
            .collect();
        let mut stored = 0;
        if !reported.is_empty()
            && let Some(id) = visitors::upsert_known(tx.conn(), site, &visitor, now).await?
        {
            store::insert_goals(tx.conn(), &id, &reported).await?;
            tx.touch(Changed::Visitor(visitors::browser_id(site, &visitor)));
            tx.touch(Changed::Visitor(id));
            stored = i32::try_from(reported.len()).unwrap_or(i32::MAX);
        }
        tx.commit().await?;
        Ok(stored)
    }
}
