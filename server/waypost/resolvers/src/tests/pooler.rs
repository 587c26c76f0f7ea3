//! Several processes share a PostgreSQL database through a pooler.

use futures_util::StreamExt;
use traitql::{Events, Viewer};
use waypost_api::{Tour, field, resolve, role};
use waypost_domain::store::PostgresUrl;
use waypost_testkit::{Pooler, create_database};

use crate::{
    App,
    testing::{TestApp, anonymous},
};

fn url(text: &str) -> PostgresUrl {
    text.parse().expect("an address")
}

async fn subscribe(
    app: &App,
    viewer: &Viewer<role::Admin>,
    tour: &Tour,
) -> Events<Tour, field::SubscriptionTourChanged> {
    let changes = resolve::SubscriptionTourChanged::resolve(app, &anonymous(), &viewer.lower(), tour.id.clone()).await;
    let mut changes = changes.expect("a stream");
    assert!(changes.next().await.is_some(), "the initial state");
    changes
}

/// Expects that a subscriber of another process is notified of a change.
async fn notifies(test: &TestApp, other: &App, slug: &str) {
    let admin = test.workspace(slug, "ada").await;
    let tour = test.tour(&admin, "first", &["a"]).await;
    let mut changes = subscribe(other, &admin, &tour).await;
    let (cx, author, id) = (anonymous(), admin.lower(), tour.id.clone());
    let renamed = resolve::MutationTourRename::resolve(&test.app, &cx, &author, id, 1, "New".into()).await;
    assert!(renamed.is_ok());
    loop {
        let sent = changes.next().await.expect("an event").expect("a tour");
        if sent.title == "New" {
            break;
        }
    }
}

#[tokio::test]
async fn processes_notify_each_other_through_a_pooler_in_session_mode() {
    let database = create_database();
    let pooler = Pooler::start("session");
    let test = TestApp::over(Some(pooler.url(&database)), |_| {}).await;
    let other = test.another().await;
    notifies(&test, &other, "team").await;
    assert_eq!(other.notification_problem(), None);
}

#[tokio::test]
async fn a_pooler_in_transaction_mode_is_refused_or_its_missing_notifications_are_replaced() {
    let database = create_database();
    let mut test = TestApp::over(Some(database.clone()), |_| {}).await;
    let pooler = Pooler::start("transaction");
    let pooled = url(&pooler.url(&database));
    if !Pooler::keeps_prepared_statements() {
        let mut config = (*test.app.config).clone();
        config.postgres = Some(pooled);
        let refused = App::open(config)
            .await
            .err()
            .expect("the pooler is refused")
            .to_string();
        assert_eq!(
            refused,
            "a pooler in transaction mode confuses the prepared statements of its clients; set pool_mode to session, or \
             use PgBouncer 1.21 or newer with max_prepared_statements = 200"
        );
        return;
    }
    test.restart(|config| config.postgres = Some(pooled.clone())).await;
    let other = test.reopen(|config| config.postgres = Some(pooled.clone())).await;
    assert!(other.notification_problem().is_some());
    notifies(&test, &other, "team").await;

    let direct = || Some(pooled.clone().with_direct(url(&database)));
    test.restart(|config| config.postgres = direct()).await;
    let other = test.reopen(|config| config.postgres = direct()).await;
    assert_eq!(other.notification_problem(), None);
    notifies(&test, &other, "crew").await;
}

#[tokio::test]
async fn an_empty_database_is_not_migrated_through_a_pooler_in_transaction_mode() {
    if !Pooler::keeps_prepared_statements() {
        return;
    }
    let database = create_database();
    let pooler = Pooler::start("transaction");
    let test = TestApp::new().await;
    let mut config = (*test.app.config).clone();
    config.postgres = Some(url(&pooler.url(&database)));
    let refused = App::open(config)
        .await
        .err()
        .expect("the pooler is refused")
        .to_string();
    assert_eq!(
        refused,
        "a pooler in transaction mode cannot migrate it; set WAYPOST_DATABASE_DIRECT_URL to its address without the pooler"
    );
}

/// Notifications of one database do not reach listeners in another one.
#[tokio::test]
async fn changes_of_other_processes_are_noticed_although_notifications_do_not_arrive() {
    let (database, wrong) = (create_database(), create_database());
    let test = TestApp::over(Some(database.clone()), |_| {}).await;
    let other = test
        .reopen(|config| config.postgres = Some(url(&database).with_direct(url(&wrong))))
        .await;
    assert!(other.notification_problem().is_some());
    notifies(&test, &other, "team").await;
}
