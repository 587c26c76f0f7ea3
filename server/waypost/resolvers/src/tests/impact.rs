//! The impact of a planned release on visitors with runs.

use traitql::{Id, Patch};
use waypost_api::{Audience, EventKind, ReleaseImpact, ReleasePlanInput, resolve};
use waypost_domain::{store::new_id, visitor};

use super::{
    rollout::{Fixture, fixture},
    runs::{event, visit},
};
use crate::testing::{NOW, anonymous, code};

impl Fixture {
    async fn impact(&self, change: impl FnOnce(&mut ReleasePlanInput)) -> ReleaseImpact {
        let mut plan = ReleasePlanInput::new(self.tour.id.clone(), vec![self.site.id.clone()]);
        change(&mut plan);
        let impact =
            resolve::QueryReleaseImpact::resolve(&self.test.app, &anonymous(), &self.admin.lower(), plan).await;
        impact.expect("an impact").remove(0)
    }
}

#[tokio::test]
async fn an_impact_counts_each_visitor_once_and_locates_active_runs() {
    let fixture = fixture().await;
    for number in 1..=3 {
        fixture.start_run(&format!("active-{number}")).await;
    }
    let done = new_id();
    let end = event(&done, &fixture.release, 0, EventKind::RunCompleted, Some("c"), NOW);
    fixture.report("has-done-it", vec![end]).await;
    for number in 0..20 {
        visit(&fixture.test, &fixture.site, &format!("new-here-{number}")).await;
    }
    let draft = fixture.test.save(&fixture.admin, &fixture.tour, 3, &["a", "z"]).await;
    let planned = fixture
        .impact(|plan| {
            plan.revision_id = Patch::Set(draft.id.clone());
            plan.rollout_percent = 50;
            plan.holdout_percent = 10;
        })
        .await;
    assert_eq!(planned.live_id, Some(fixture.release.id.clone()));
    let active = &planned.active;
    assert_eq!(
        (active.total, active.stay, active.r#move, active.finish),
        (3, 0, 3, 0),
        "b is gone"
    );
    let sum = |audience: &Audience| {
        audience.active
            + audience.reached
            + audience.cooling_down
            + audience.waiting
            + audience.holdout
            + audience.seen
            + audience.nothing
    };
    let (before, after) = (&planned.before, &planned.after);
    assert_eq!(
        (before.visitors, before.active, before.reached, before.seen),
        (24, 3, 20, 1)
    );
    assert_eq!((after.visitors, sum(after), after.active, after.seen), (24, 24, 3, 1));
    assert!(after.reached > 0 && after.waiting > 0, "{after:?}");
    let nothing = fixture.impact(|_| {}).await;
    assert_eq!(
        (nothing.after.nothing, nothing.active.total, nothing.active.stay),
        (24, 3, 0)
    );
    let same = fixture
        .impact(|plan| plan.revision_id = Patch::Set(fixture.release.revision_id.clone()))
        .await;
    assert_eq!((same.active.stay, same.after), (3, same.before));
    let mut foreign = ReleasePlanInput::new(fixture.tour.id.clone(), vec![new_id()]);
    let ask = async |plan| {
        resolve::QueryReleaseImpact::resolve(&fixture.test.app, &anonymous(), &fixture.admin.lower(), plan).await
    };
    assert_eq!(code(ask(foreign.clone()).await), "NOT_FOUND");
    foreign.site_ids = vec![fixture.site.id.clone()];
    foreign.revision_id = Patch::Set(new_id());
    assert_eq!(code(ask(foreign).await), "NOT_FOUND");
}

#[tokio::test]
async fn an_impact_counts_visitors_in_the_cooldown() {
    let fixture = fixture().await;
    let Fixture { test, site, .. } = &fixture;
    let hour = 3_600_000;
    let other = test.tour(&fixture.admin, "second", &["a"]).await;
    let other = test.release(&fixture.admin, &other, 2, site).await;
    for browser in ["met-the-other", "met-nothing"] {
        visit(test, site, browser).await;
    }
    let run = vec![event(&new_id(), &other, 0, EventKind::RunCompleted, Some("a"), NOW)];
    fixture.report("met-the-other", run).await;
    let audience = async || {
        let impact = fixture.impact(|plan| plan.revision_id = Patch::Set(fixture.release.revision_id.clone()));
        let after = impact.await.after;
        (after.reached, after.cooling_down)
    };
    assert_eq!(audience().await, (1, 1));
    test.advance(i64::from(site.cooldown_hours) * hour);
    assert_eq!(audience().await, (2, 0), "it is over");
}

#[tokio::test]
async fn an_impact_ignores_runs_before_a_reset() {
    let fixture = fixture().await;
    let Fixture { test, site, .. } = &fixture;
    let other = test.tour(&fixture.admin, "second", &["a"]).await;
    let other = test.release(&fixture.admin, &other, 2, site).await;
    fixture.start_run("active").await;
    let done = [&fixture.release, &other].map(|release| {
        let step = if release.id == other.id { "a" } else { "c" };
        event(&new_id(), release, 0, EventKind::RunCompleted, Some(step), NOW)
    });
    fixture.report("has-done-both", done.into()).await;
    let counted = async || {
        let impact = fixture.impact(|plan| plan.revision_id = Patch::Set(fixture.release.revision_id.clone()));
        let impact = impact.await;
        let after = impact.after;
        (
            impact.active.total,
            after.active,
            after.seen,
            after.cooling_down,
            after.reached,
        )
    };
    assert_eq!(counted().await, (1, 1, 1, 0, 0));
    let reset = async |browser, tour: Option<&Id>| {
        let visitor_id = visit(test, site, browser).await.visitor_id;
        let mut tx = test.app.store.save().await.expect("a transaction");
        let now = tx.now;
        visitor::store::reset(tx.conn(), &visitor_id, tour, now)
            .await
            .expect("a reset");
        tx.commit().await.expect("a commit");
    };
    test.advance(1000);
    reset("active", None).await;
    reset("has-done-both", Some(&fixture.tour.id)).await;
    assert_eq!(counted().await, (0, 0, 0, 1, 1), "the other tour was not reset");
    reset("has-done-both", None).await;
    assert_eq!(counted().await, (0, 0, 0, 0, 2));
}
