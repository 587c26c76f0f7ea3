//! Subscriptions.

use futures_util::{FutureExt, StreamExt};
use traitql::{DateTime, Viewer};
use waypost_api::{GoalInput, Role, resolve, role};
use waypost_domain::site::PULSE;

use crate::testing::{Bench, NOW, nobody, page};

#[tokio::test]
async fn a_tour_is_sent_as_it_is_and_after_each_change_to_it() {
    let bench = Bench::new().await;
    let (app, cx) = (&bench.app, &nobody());
    let admin = bench.workspace("team", "ada").await;
    let tour = bench.tour(&admin, "first", &["a"]).await;
    let other = bench.tour(&admin, "second", &["a"]).await;
    let mut news = resolve::SubscriptionTourChanged::resolve(app, cx, &admin.lower(), tour.id.clone())
        .await
        .expect("a stream");
    // What happens before the first state is read is in it, and news as well.
    let renamed = resolve::MutationTourRename::resolve(app, cx, &admin.lower(), tour.id.clone(), 1, "New".into()).await;
    assert!(renamed.is_ok());
    for _ in 0..2 {
        assert_eq!(news.next().await.expect("an event").expect("a tour").title, "New");
    }
    bench.save(&admin, &other, 2, &["b"]).await;
    assert!(news.next().now_or_never().is_none(), "another tour is no news");
    bench.pass(1000);
    bench.save(&admin, &tour, 2, &["b"]).await;
    let sent = news.next().await.expect("an event").expect("a tour");
    assert!(sent.updated_at > tour.updated_at);
    let refused = resolve::MutationTourRename::resolve(app, cx, &admin.lower(), tour.id.clone(), 9, "X".into()).await;
    assert!(refused.is_err());
    assert!(news.next().now_or_never().is_none(), "what was rolled back is no news");
}

#[tokio::test]
async fn processes_with_one_postgresql_hear_of_each_other() {
    let bench = Bench::over(Some(waypost_testbed::database()), |_| {}).await;
    let admin = bench.workspace("team", "ada").await;
    let tour = bench.tour(&admin, "first", &["a"]).await;
    let (other, cx) = (bench.another().await, &nobody());
    let mut news = resolve::SubscriptionTourChanged::resolve(&other, cx, &admin.lower(), tour.id.clone())
        .await
        .expect("a stream");
    assert!(news.next().await.is_some(), "as it is");
    bench.pass(1000);
    bench.save(&admin, &tour, 2, &["b"]).await;
    let sent = news.next().await.expect("an event").expect("a tour");
    assert!(sent.updated_at > tour.updated_at);
}

#[tokio::test]
async fn a_stream_ends_when_its_listener_is_removed() {
    let bench = Bench::new().await;
    let (app, cx) = (&bench.app, &nobody());
    let admin = bench.workspace("team", "ada").await;
    let bob = Viewer::<role::Viewer>::for_test(bench.account("bob").await, admin.scope.clone());
    let email = "bob@example.com".to_owned();
    let member = resolve::MutationMemberAdd::resolve(app, cx, &admin, admin.scope().clone(), email, Role::Viewer).await;
    let tour = bench.tour(&admin, "first", &["a"]).await;
    let mut news = resolve::SubscriptionTourChanged::resolve(app, cx, &bob, tour.id.clone())
        .await
        .expect("a stream");
    assert!(news.next().await.is_some(), "as it is");
    bench.save(&admin, &tour, 2, &["b"]).await;
    assert!(news.next().await.is_some());
    resolve::MutationMemberRemove::resolve(app, cx, &admin, member.expect("a member").id)
        .await
        .expect("removed");
    bench.save(&admin, &tour, 3, &["c"]).await;
    assert!(
        news.next().await.is_none(),
        "what a removed member may not see is not sent"
    );
}

#[tokio::test]
async fn a_site_is_sent_when_one_of_its_pages_is_heard_of() {
    let bench = Bench::new().await;
    let (app, cx) = (&bench.app, &nobody());
    let admin = bench.workspace("team", "ada").await;
    let site = bench.site(&admin, "Shop").await;
    let mut news = resolve::SubscriptionSiteChanged::resolve(app, cx, &admin.lower(), site.id.clone())
        .await
        .expect("a stream");
    assert!(news.next().await.is_some(), "as it is");
    super::runs::visit(&bench, &site, "browser-1").await;
    let sent = news.next().await.expect("an event").expect("a site");
    assert!(sent.installed_at.is_some() && sent.last_seen_at.is_some());
    let tell = async || {
        let (key, who) = (site.key.clone(), super::runs::visitor("browser-1", None));
        let told = vec![GoalInput::new(
            "searched".into(),
            DateTime::from_millis(NOW).expect("an instant"),
        )];
        let shop = page("https://shop.example");
        let stored = resolve::MutationGoalRecord::resolve(app, &shop, key, who, told).await;
        assert_eq!(stored.expect("an answer"), 0, "it is no goal");
    };
    tell().await;
    assert!(news.next().await.is_some(), "an event of another name");
    tell().await;
    // Longer than what is announced waits for.
    let more = tokio::time::timeout(2 * PULSE, news.next()).await;
    assert!(more.is_err(), "known already");
}
