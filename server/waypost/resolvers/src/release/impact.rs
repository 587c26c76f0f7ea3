use traitql::{Ctx, Id, Throws, Viewer};
use waypost_api::{ReleaseImpact, ReleasePlanInput, errors, field, resolve, role};
use waypost_domain::{
    release::{
        allocation::{TrafficSplit, bucket},
        dedup,
        impact::{ReleaseRules, active_runs, audience, is_live_at, visitors},
        store,
    },
    tour::{self, revisions},
};

use crate::App;

impl resolve::QueryReleaseImpact for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        _viewer: &Viewer<role::Viewer>,
        plan: ReleasePlanInput,
    ) -> Result<Vec<ReleaseImpact>, Throws<field::QueryReleaseImpact>> {
        let now = self.now();
        let not_found = |thing: &str| errors::NotFound {
            thing: thing.to_owned(),
        };
        let site_ids = dedup(plan.site_ids);
        let mut tx = self.store.read().await?;
        let tour = tour::store::for_change(&mut tx, &plan.tour_id).await?.row;
        let sites = store::sites_of(&mut tx, &tour.workspace_id, &site_ids).await?;
        if sites.len() < site_ids.len() {
            return Err(not_found("site").into());
        }
        let live = store::open(&mut tx, &tour.id, now).await?;
        let planned = plan.revision_id.value();
        let ids: Vec<Id> = live
            .iter()
            .map(|live| live.revision_id.clone())
            .chain(planned.clone())
            .collect();
        let revisions = revisions::by_ids(tx.db(), &ids).await?;
        let revision = |id: &Id| {
            revisions
                .iter()
                .find(|revision| revision.id == *id && revision.tour_id == tour.id)
        };
        let planned = match &planned {
            None => None,
            Some(id) => Some(revision(id).ok_or_else(|| not_found("revision"))?),
        };
        let planned_rules = planned.map(|planned| ReleaseRules {
            start: &planned.start,
            split: TrafficSplit {
                rollout_percent: plan.rollout_percent,
                holdout_percent: plan.holdout_percent,
            },
            runs_end: plan.end_active_runs,
        });
        let mut impacts = Vec::with_capacity(site_ids.len());
        for site_id in site_ids {
            let live = live.iter().find(|live| live.site_id == site_id);
            let rules = live.filter(|live| is_live_at(live, now));
            let rules = rules.and_then(|live| Some(ReleaseRules::current(live, revision(&live.revision_id)?)));
            let visitors = visitors(&mut tx, &tour.id, &site_id, now).await?;
            let of = |rules: Option<ReleaseRules<'_>>| audience(&visitors, rules, |id| bucket(&site_id, &tour.id, id));
            impacts.push(ReleaseImpact {
                active: active_runs(&mut tx, &tour.id, &site_id, planned, now).await?,
                before: of(rules),
                after: of(planned_rules),
                live_id: live.map(|live| live.id.clone()),
                revision_id: planned.map(|planned| planned.id.clone()),
                site_id,
            });
        }
        Ok(impacts)
    }
}
