use std::time::Duration;

use futures_util::{FutureExt, StreamExt};
use traitql::{DateTime, Events, Viewer, with_batch};
use waypost_api::{GoalInput, Role, Tour, field, resolve, role};
use waypost_domain::site::VISIT_INTERVAL;

use crate::{
    App,
    testing::{NOW, TestApp, anonymous, page},
};

#[tokio::test]
async fn a_tour_is_sent_initially_and_after_each_change() {
    let test = TestApp::new().await;
    let (app, cx) = (&test.app, &anonymous());
    let admin = test.workspace("team", "ada").await;
    let tour = test.tour(&admin, "first", &["a"]).await;
    let other = test.tour(&admin, "second", &["a"]).await;
    let mut changes = resolve::SubscriptionTourChanged::resolve(app, cx, &admin.lower(), tour.id.clone())
        .await
        .expect("a stream");
    let renamed = resolve::MutationTourRename::resolve(app, cx, &admin.lower(), tour.id.clone(), 1, "New".into()).await;
    assert!(renamed.is_ok());
    for _ in 0..2 {
        assert_eq!(changes.next().await.expect("an event").expect("a tour").title, "New");
    }
    test.save(&admin, &other, 2, &["b"]).await;
    assert!(
        changes.next().now_or_never().is_none(),
        "changes of other tours are not sent"
    );
    test.advance(1000);
    test.save(&admin, &tour, 2, &["b"]).await;
    let sent = changes.next().await.expect("an event").expect("a tour");
    assert!(sent.updated_at > tour.updated_at);
    let refused = resolve::MutationTourRename::resolve(app, cx, &admin.lower(), tour.id.clone(), 9, "X".into()).await;
    assert!(refused.is_err());
    assert!(
        changes.next().now_or_never().is_none(),
        "changes that are rolled back are not sent"
    );
}

#[tokio::test]
async fn processes_sharing_a_postgresql_database_notify_each_other() {
    let test = TestApp::over(Some(waypost_testkit::create_database()), |_| {}).await;
    let admin = test.workspace("team", "ada").await;
    let tour = test.tour(&admin, "first", &["a"]).await;
    let (other, cx) = (test.another().await, &anonymous());
    let mut changes = resolve::SubscriptionTourChanged::resolve(&other, cx, &admin.lower(), tour.id.clone())
        .await
        .expect("a stream");
    assert!(changes.next().await.is_some(), "the initial state");
    test.advance(1000);
    test.save(&admin, &tour, 2, &["b"]).await;
    let sent = changes.next().await.expect("an event").expect("a tour");
    assert!(sent.updated_at > tour.updated_at);
}

async fn open_by(app: &App, changes: &mut Events<Tour, field::SubscriptionTourChanged>) -> Vec<String> {
    let event = tokio::time::timeout(Duration::from_secs(10), changes.next()).await;
    let tour = event.expect("an event in time").expect("an event").expect("a tour");
    with_batch(&[tour], async |tours| {
        let column = resolve::TourOpenBy::resolve(app, &anonymous(), tours).await;
        let column = column.expect("accounts");
        column.get(0).iter().map(|account| account.name.clone()).collect()
    })
    .await
}

#[tokio::test]
async fn members_with_a_tour_open_are_announced_in_all_processes() {
    for postgres in [None, Some(waypost_testkit::create_database())] {
        let shared = postgres.is_some();
        let test = TestApp::over(postgres, |_| {}).await;
        let admin = test.workspace("team", "ada").await;
        let bob = Viewer::<role::Viewer>::for_test(test.account("bob").await, admin.scope.clone());
        let tour = test.tour(&admin, "first", &["a"]).await;
        let other = if shared { test.another().await } else { test.app.clone() };
        let cx = &anonymous();
        let mut changes = resolve::SubscriptionTourChanged::resolve(&other, cx, &admin.lower(), tour.id.clone())
            .await
            .expect("a stream");
        assert!(open_by(&other, &mut changes).await.is_empty());
        for viewer in [&bob, &bob, &admin.lower()] {
            let reported = resolve::MutationTourReportOpen::resolve(&test.app, cx, viewer, tour.id.clone()).await;
            assert!(reported.is_ok());
        }
        let mut open = Vec::new();
        while open.len() < 2 {
            open = open_by(&other, &mut changes).await;
        }
        assert_eq!(open, ["bob", "ada"], "each once, in the order of their first reports");
    }
}

#[tokio::test]
async fn a_stream_ends_when_its_subscriber_is_removed() {
    let test = TestApp::new().await;
    let (app, cx) = (&test.app, &anonymous());
    let admin = test.workspace("team", "ada").await;
    let bob = Viewer::<role::Viewer>::for_test(test.account("bob").await, admin.scope.clone());
    let member = test.member(&admin, "bob", Role::Viewer).await;
    let tour = test.tour(&admin, "first", &["a"]).await;
    let mut changes = resolve::SubscriptionTourChanged::resolve(app, cx, &bob, tour.id.clone())
        .await
        .expect("a stream");
    assert!(changes.next().await.is_some(), "the initial state");
    test.save(&admin, &tour, 2, &["b"]).await;
    assert!(changes.next().await.is_some());
    resolve::MutationMemberRemove::resolve(app, cx, &admin, member.id)
        .await
        .expect("removed");
    assert!(changes.next().await.is_none(), "the removed member receives nothing");
}

/// A few reads suffice.
#[tokio::test]
async fn subscribers_of_an_object_share_its_reads() {
    let test = TestApp::new().await;
    let (app, cx) = (&test.app, anonymous());
    let admin = test.workspace("team", "ada").await;
    let tour = test.tour(&admin, "first", &["a"]).await;
    let mut subscribers = Vec::new();
    for _ in 0..1000 {
        let stream = resolve::SubscriptionTourChanged::resolve(app, &cx, &admin.lower(), tour.id.clone()).await;
        subscribers.push(stream.expect("a stream"));
    }
    for version in [2, 3] {
        let before = crate::live::reads();
        let next = subscribers.iter_mut().map(StreamExt::next);
        let sent = futures_util::future::join_all(next).await;
        assert!(sent.iter().all(|event| matches!(event, Some(Ok(_)))));
        assert!(crate::live::reads() - before < 500);
        test.save(&admin, &tour, version, &["b"]).await;
    }
}

#[tokio::test]
async fn a_site_is_sent_when_one_of_its_pages_reports() {
    let test = TestApp::new().await;
    let (app, cx) = (&test.app, &anonymous());
    let admin = test.workspace("team", "ada").await;
    let site = test.site(&admin, "Shop").await;
    let mut changes = resolve::SubscriptionSiteChanged::resolve(app, cx, &admin.lower(), site.id.clone())
        .await
        .expect("a stream");
    assert!(changes.next().await.is_some(), "the initial state");
    super::runs::visit(&test, &site, "browser-1").await;
    app.presence.write_or_log(&app.store).await;
    let sent = changes.next().await.expect("an event").expect("a site");
    assert!(sent.installed_at.is_some() && sent.last_seen_at.is_some());
    let report = async || {
        let (key, who) = (site.key.clone(), super::runs::visitor("browser-1", None));
        let goals = vec![GoalInput::new(
            "searched".into(),
            DateTime::from_millis(NOW).expect("a valid time"),
        )];
        let shop = page("https://shop.example");
        let stored = resolve::MutationGoalRecord::resolve(app, &shop, key, who, goals).await;
        assert_eq!(stored.expect("a result"), 0, "the event is not a goal");
    };
    report().await;
    assert!(changes.next().await.is_some(), "a new event name");
    report().await;
    // Longer than the interval between announcements.
    let more = tokio::time::timeout(2 * VISIT_INTERVAL, changes.next()).await;
    assert!(more.is_err(), "the event name is known");
}
