use traitql::{Id, Patch, Throws, Viewer, with_batch};
use waypost_api::{
    ConditionInput, MatchCount, Segment, SegmentConditionInput, SegmentInput, Site, StartRuleInput, Tour, TourProgress,
    TourTestInput, TraitInput, TraitTestInput, VisitorInput, field, resolve, role,
};
use waypost_domain::store::new_id;

use super::runs::{boot, record, stored_visitor, visitor, whole};
use crate::testing::{NOW, TestApp, anonymous, code, save_input};

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

struct Fixture {
    test: TestApp,
    admin: Viewer<role::Admin>,
    site: Site,
}

async fn fixture() -> Fixture {
    let test = TestApp::new().await;
    let admin = test.workspace("team", "ada").await;
    let site = test.site(&admin, "Shop").await;
    Fixture { test, admin, site }
}

impl Fixture {
    async fn create(&self, when: SegmentConditionInput) -> Result<Segment, Throws<field::MutationSegmentCreate>> {
        let (app, scope) = (&self.test.app, self.admin.scope().clone());
        let input = SegmentInput::new("Customers".into(), when);
        resolve::MutationSegmentCreate::resolve(app, &anonymous(), &self.admin.lower(), scope, input).await
    }

    async fn segment(&self, when: SegmentConditionInput) -> Segment {
        self.create(when).await.expect("a segment")
    }

    async fn update(
        &self,
        segment: &Segment,
        when: SegmentConditionInput,
    ) -> Result<Segment, Throws<field::MutationSegmentUpdate>> {
        let (app, id) = (&self.test.app, segment.id.clone());
        let input = SegmentInput::new("Customers".into(), when);
        let version = segment.version;
        resolve::MutationSegmentUpdate::resolve(app, &anonymous(), &self.admin.lower(), id, version, input).await
    }

    async fn delete(&self, id: &Id) -> Result<Id, Throws<field::MutationSegmentDelete>> {
        resolve::MutationSegmentDelete::resolve(&self.test.app, &anonymous(), &self.admin.lower(), id.clone()).await
    }

    /// Returns the number of visitors in the list of the segment, read in pages of one.
    async fn listed(&self, segment: &Id) -> i32 {
        let (app, cx, viewer) = (&self.test.app, &anonymous(), &self.admin.lower());
        let (mut found, mut after) = (0, None);
        loop {
            let (site, of) = (self.site.id.clone(), Some(segment.clone()));
            let page = resolve::QueryVisitors::resolve(app, cx, viewer, site, None, of, 1, after).await;
            let page = page.expect("a page");
            found += i32::try_from(page.nodes.len()).expect("a small number");
            if !page.has_next_page {
                return found;
            }
            after = page.end_cursor().map(str::to_owned);
        }
    }

    async fn set_audience(
        &self,
        tour: &Tour,
        version: i32,
        when: Option<ConditionInput>,
    ) -> Result<(), Throws<field::MutationTourSave>> {
        let mut save = save_input(tour.id.as_str(), version);
        save.start = Patch::Set(StartRuleInput {
            when: when.map_or(Patch::Clear, Patch::Set),
            ..StartRuleInput::default()
        });
        let saved = resolve::MutationTourSave::resolve(&self.test.app, &anonymous(), &self.admin.lower(), save).await;
        saved.map(drop)
    }

    async fn is_offered(&self, tour: &Tour, browser: &str, plan: &str) -> bool {
        let boot = boot(&self.test, &self.site, with_plan(browser, plan)).await;
        boot.tours.iter().any(|offer| offer.tour_id == tour.id)
    }

    async fn count(&self, when: Option<ConditionInput>) -> MatchCount {
        let (app, site) = (&self.test.app, self.site.id.clone());
        let count = resolve::QueryVisitorMatches::resolve(app, &anonymous(), &self.admin.lower(), site, when).await;
        count.expect("a count")
    }
}

fn plan_is(plan: &str) -> SegmentConditionInput {
    SegmentConditionInput::Trait(TraitTestInput {
        value: plan.into(),
        ..TraitTestInput::new("plan".into())
    })
}

fn with_plan(browser: &str, plan: &str) -> VisitorInput {
    VisitorInput {
        traits: Patch::Set(vec![TraitInput::new("plan".into(), plan.into())]),
        ..visitor(browser, None)
    }
}

#[tokio::test]
async fn a_change_of_a_segment_takes_effect_on_released_tours() {
    let fixture = fixture().await;
    let Fixture { test, admin, site } = &fixture;
    let segment = fixture.segment(plan_is("pro")).await;
    let tour = test.tour(admin, "first", &["a"]).await;
    let audience = ConditionInput::All(vec![
        ConditionInput::Segment(segment.id.clone()),
        ConditionInput::Locale("de".into()),
    ]);
    fixture.set_audience(&tour, 2, Some(audience)).await.expect("saved");
    test.release(admin, &tour, 3, site).await;

    assert!(!fixture.is_offered(&tour, "browser-1", "free").await);
    assert!(fixture.is_offered(&tour, "browser-2", "pro").await);
    // Neither the response nor the bundle contains the segment or its condition.
    let boot = boot(test, site, with_plan("browser-2", "pro")).await;
    let revealed = format!("{:?}", boot.tours[0].start);
    assert!(
        !revealed.contains(segment.id.as_str()) && !revealed.contains("plan"),
        "{revealed}"
    );
    let hash = boot.tours[0].bundle.split(['/', '.']).nth(2).expect("a hash");
    let bundle = test
        .app
        .bundle(hash.into())
        .await
        .expect("a result")
        .expect("the bundle");
    assert!(
        !bundle.contains(segment.id.as_str()) && !bundle.contains("plan"),
        "{bundle}"
    );

    let updated = fixture.update(&segment, plan_is("free")).await.expect("updated");
    assert_eq!(updated.version, 2);
    assert!(fixture.is_offered(&tour, "browser-1", "free").await);
    assert!(!fixture.is_offered(&tour, "browser-2", "pro").await);
    assert_eq!(code(fixture.update(&segment, plan_is("pro")).await), "VERSION_CONFLICT");
}

#[tokio::test]
async fn a_segment_in_use_cannot_be_deleted() {
    let fixture = fixture().await;
    let Fixture { test, admin, site } = &fixture;
    let segment = fixture.segment(plan_is("pro")).await;
    let tour = test.tour(admin, "first", &["a"]).await;
    let audience = || Some(ConditionInput::Segment(segment.id.clone()));
    fixture.set_audience(&tour, 2, audience()).await.expect("saved");
    let error = fixture.delete(&segment.id).await.expect_err("in use").into_error();
    assert_eq!(
        error.message,
        "The segment “Customers” is used by these tours: Tour first. Choose another audience for them first."
    );
    let titles = with_batch(std::slice::from_ref(&segment), async |segments| {
        let tours = resolve::SegmentTours::resolve(&test.app, &anonymous(), segments).await;
        let tours = tours.expect("the tours");
        tours.get(0).iter().map(|tour| tour.title.clone()).collect::<Vec<_>>()
    })
    .await;
    assert_eq!(titles, ["Tour first"]);

    let first = test.release(admin, &tour, 3, site).await;
    fixture.set_audience(&tour, 4, None).await.expect("saved");
    assert_eq!(
        code(fixture.delete(&segment.id).await),
        "SEGMENT_IN_USE",
        "by the release"
    );
    let second = test.release(admin, &tour, 5, site).await;
    fixture.delete(&segment.id).await.expect("deleted");
    assert_eq!(code(fixture.delete(&segment.id).await), "NOT_FOUND");

    // The earlier revision has an audience that no visitor belongs to.
    let (app, cx, to) = (&test.app, &anonymous(), Some(first.id));
    let publisher = admin.lower();
    let rollback = resolve::MutationReleaseRollback::resolve(app, cx, &publisher, second.id, to, false, None);
    assert_eq!(code(rollback.await), "SEGMENT_DELETED");
    assert_eq!(code(fixture.set_audience(&tour, 6, audience()).await), "NOT_FOUND");
}

#[tokio::test]
async fn segments_and_tours_of_other_workspaces_are_not_accepted() {
    let fixture = fixture().await;
    let Fixture { test, admin, .. } = &fixture;
    let tour = test.tour(admin, "first", &["a"]).await;
    let segment = fixture.segment(plan_is("pro")).await;
    let stranger = Fixture {
        admin: test.workspace("other", "bob").await,
        test: fixture.test,
        site: fixture.site.clone(),
    };
    let other = stranger.test.tour(&stranger.admin, "second", &["a"]).await;
    let audience = ConditionInput::Segment(segment.id.clone());
    assert_eq!(
        code(stranger.set_audience(&other, 2, Some(audience)).await),
        "NOT_FOUND"
    );
    let completed = SegmentConditionInput::Tour(TourTestInput::new(tour.id.clone()));
    assert_eq!(code(stranger.create(completed).await), "NOT_FOUND");
}

#[tokio::test]
async fn visitors_who_match_are_counted() {
    let fixture = fixture().await;
    let Fixture { test, admin, site } = &fixture;
    let tour = test.tour(admin, "first", &["a", "b"]).await;
    let release = test.release(admin, &tour, 2, site).await;
    stored_visitor(test, site, "browser-0").await;
    test.advance(31 * DAY_MS);
    for (browser, plan) in [("browser-1", "pro"), ("browser-2", "pro"), ("browser-3", "free")] {
        boot(test, site, with_plan(browser, plan)).await;
    }
    let run = whole(&new_id(), &release, NOW + 31 * DAY_MS);
    assert_eq!(record(test, site, with_plan("browser-1", "pro"), run).await.accepted, 6);

    let everyone = fixture.count(None).await;
    assert_eq!(
        (everyone.matching, everyone.visitors, everyone.is_partial),
        (3, 3, false)
    );
    let tour_is = |progress| {
        SegmentConditionInput::Tour(TourTestInput {
            progress,
            ..TourTestInput::new(tour.id.clone())
        })
    };
    let segments = [
        (plan_is("pro"), 2),
        (SegmentConditionInput::Verified(true), 0),
        (tour_is(TourProgress::Completed), 1),
        (tour_is(TourProgress::NeverStarted), 2),
        (
            SegmentConditionInput::All(vec![plan_is("pro"), tour_is(TourProgress::NeverStarted)]),
            1,
        ),
    ];
    for (when, expected) in segments {
        let segment = fixture.segment(when.clone()).await;
        assert_eq!(fixture.listed(&segment.id).await, expected, "{when:?}");
        let count = fixture.count(Some(ConditionInput::Segment(segment.id))).await;
        assert_eq!((count.matching, count.is_maximum), (expected, false), "{when:?}");
    }
    assert_eq!(fixture.listed(&new_id()).await, 0, "an unknown segment");
    let on_page = ConditionInput::Page("/cart".into());
    let count = fixture.count(Some(on_page)).await;
    assert_eq!((count.matching, count.is_maximum), (3, true), "the page decides");

    let traits = with_batch(std::slice::from_ref(site), async |sites| {
        let traits = resolve::SiteTraits::resolve(&test.app, &anonymous(), sites).await;
        traits.expect("the traits").get(0).to_vec()
    })
    .await;
    assert_eq!(traits.len(), 1);
    assert_eq!(
        (traits[0].key.as_str(), traits[0].values.join(" ")),
        ("plan", "pro free".to_owned())
    );
}
