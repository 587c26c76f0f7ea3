use futures_util::future::join_all;
use traitql::Viewer;
use waypost_api::{EventInput, EventKind, Release, Site, Tour, VisitorInput, resolve, role};
use waypost_domain::store::{new_id, scalar, sql};

use super::runs::{event, record, stored_events, stored_visitor, visitor, whole};
use crate::testing::{NOW, TestApp, page};

struct Fixture {
    test: TestApp,
    admin: Viewer<role::Admin>,
    tour: Tour,
    site: Site,
    release: Release,
}

async fn fixture() -> Fixture {
    let test = TestApp::new().await;
    let admin = test.workspace("team", "ada").await;
    let site = test.site(&admin, "Shop").await;
    let tour = test.tour(&admin, "first", &["a", "b"]).await;
    let release = test.release(&admin, &tour, 2, &site).await;
    Fixture {
        test,
        admin,
        tour,
        site,
        release,
    }
}

/// The reports form one batch, because another transaction writes. Returns the number of accepted events of each
/// report, or `None` for a failed one.
async fn send(test: &TestApp, reports: Vec<(&str, VisitorInput, Vec<EventInput>)>) -> Vec<Option<i32>> {
    let busy = test.app.store.save().await.expect("the writer");
    let cx = page("https://shop.example");
    let sent = reports.into_iter().map(|(key, visitor, events)| {
        let answer = resolve::MutationRecord::resolve(&test.app, &cx, key.to_owned(), visitor, events);
        async { answer.await.ok().map(|ack| ack.accepted) }
    });
    let (answers, ()) = tokio::join!(join_all(sent), async {
        tokio::task::yield_now().await;
        drop(busy);
    });
    answers
}

async fn count(test: &TestApp, query: &'static str) -> i64 {
    let number = scalar(query).fetch_one(test.app.store.reader()).await;
    number.expect("a number")
}

#[tokio::test]
async fn a_failing_report_does_not_affect_others() {
    let Fixture {
        test, site, release, ..
    } = fixture().await;
    let refuse = if test.app.store.reader().is_sqlite() {
        "create trigger refused before insert on runs when new.active_ms = 666
         begin select raise(abort, 'refused'); end"
    } else {
        "create trigger refused before insert on runs for each row when (new.active_ms = 666)
         execute function refuse('refused')"
    };
    let mut tx = test.app.store.save().await.expect("the writer");
    sql(refuse).execute(tx.conn()).await.expect("a trigger");
    tx.commit().await.expect("committed");
    for number in 0..5 {
        stored_visitor(&test, &site, &format!("browser-{number}")).await;
    }
    let reports = (0..5).map(|number| {
        let mut events = whole(&new_id(), &release, NOW);
        if number == 3 {
            events[5].active_ms = 666;
        }
        (site.key.as_str(), visitor(&format!("browser-{number}"), None), events)
    });
    let accepted = send(&test, reports.collect()).await;
    assert_eq!(accepted, [Some(6), Some(6), Some(6), None, Some(6)]);
    assert_eq!(stored_events(&test).await.len(), 24);
    assert_eq!(count(&test, "select sum(completed) from tour_days").await, 4);
}

#[tokio::test]
async fn reports_with_and_without_external_id_in_one_batch_are_one_visitor() {
    let Fixture {
        test, site, release, ..
    } = fixture().await;
    let key = site.key.as_str();
    record(
        &test,
        &site,
        visitor("browser-1", Some("ada")),
        whole(&new_id(), &release, NOW),
    )
    .await;
    for browser in ["browser-2", "browser-3"] {
        stored_visitor(&test, &site, browser).await;
    }
    let (own, foreign) = (new_id(), new_id());
    let (run, other) = (whole(&own, &release, NOW), whole(&foreign, &release, NOW));
    let reports = vec![
        (key, visitor("browser-2", None), run[..2].to_vec()),
        (key, visitor("browser-3", None), other[..2].to_vec()),
        (key, visitor("browser-2", Some("ada")), run[2..4].to_vec()),
        // A report without valid events does not merge visitors.
        (
            key,
            visitor("browser-3", Some("ada")),
            vec![event(&new_id(), &release, 0, EventKind::StepSeen, None, NOW)],
        ),
        (key, visitor("browser-3", None), run[4..].to_vec()),
        (key, visitor("browser-2", None), run[4..].to_vec()),
        (key, visitor("browser-3", Some("bob")), other[2..].to_vec()),
    ];
    let accepted = send(&test, reports).await;
    assert_eq!(accepted, [2, 2, 2, 0, 0, 2, 4].map(Some));
    let visitors: Vec<String> = scalar(
        "select p.external_id || ' ' || count(*) from visitors p join runs n on n.visitor_serial = p.serial
         where n.state = 'COMPLETED' group by p.external_id order by p.external_id",
    )
    .fetch_all(test.app.store.reader())
    .await
    .expect("visitors");
    assert_eq!(visitors, ["ada 2", "bob 1"]);
    assert_eq!(count(&test, "select count(*) from visitors").await, 2);
    assert_eq!(
        count(&test, "select count(distinct visitor_serial) from browsers").await,
        2
    );
}

#[tokio::test]
async fn reports_of_several_sites_are_checked_separately() {
    let Fixture {
        test,
        admin,
        tour,
        site: shop,
        release,
    } = fixture().await;
    let docs = test.site(&admin, "Docs").await;
    let elsewhere = test.release(&admin, &tour, 3, &docs).await;
    for site in [&shop, &docs] {
        stored_visitor(&test, site, "browser-1").await;
    }
    let (run, other) = (whole(&new_id(), &release, NOW), whole(&new_id(), &elsewhere, NOW));
    let anonymous_visitor = || visitor("browser-1", None);
    let reports = vec![
        (shop.key.as_str(), anonymous_visitor(), run[..3].to_vec()),
        (docs.key.as_str(), anonymous_visitor(), other[..3].to_vec()),
        (docs.key.as_str(), anonymous_visitor(), run[3..].to_vec()),
        ("wp_pub_nowhere", anonymous_visitor(), run[3..].to_vec()),
        (docs.key.as_str(), anonymous_visitor(), other[3..].to_vec()),
        (shop.key.as_str(), anonymous_visitor(), run[3..].to_vec()),
    ];
    let accepted = send(&test, reports).await;
    assert_eq!(accepted, [Some(3), Some(3), Some(0), None, Some(3), Some(3)]);
    assert_eq!(count(&test, "select count(*) from visitors").await, 2);
    assert_eq!(count(&test, "select sum(completed) from tour_days").await, 2);
    assert_eq!(count(&test, "select count(*) from tour_days").await, 2);
}
