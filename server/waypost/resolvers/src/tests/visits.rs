//! The stored site, visitor and browser of a page view.

use waypost_api::{SiteCreateInput, resolve};
use waypost_domain::store::scalar;

use super::runs::{Fixture, SHOP, boot, fixture, visit, visitor};
use crate::testing::{NOW, TestApp, anonymous, page};

#[tokio::test]
async fn visits_are_written_together() {
    let Fixture { test, site, .. } = fixture().await;
    let app = &test.app;
    let seen = async || -> Vec<String> {
        scalar(
            "select coalesce(installed_at, 0) || ' ' || coalesce(last_seen_at, 0) || ' ' || coalesce(last_page, '-')
             from sites where key = ?",
        )
        .bind(&site.key)
        .fetch_all(app.store.reader())
        .await
        .expect("the site")
    };
    visit(&test, &site, "browser-1").await;
    assert_eq!(seen().await, ["0 0 -"]);
    app.presence.write_or_log(&app.store).await;
    assert_eq!(seen().await, [format!("{NOW} {NOW} {SHOP}/cart")]);
    test.advance(1000);
    visit(&test, &site, "browser-1").await;
    app.presence.write_or_log(&app.store).await;
    assert_eq!(seen().await, [format!("{NOW} {} {SHOP}/cart", NOW + 1000)]);
}

#[tokio::test]
async fn a_demo_page_does_not_make_a_site_installed() {
    let test = TestApp::new().await;
    let admin = test.workspace("team", "ada").await;
    let own = "https://tours.example";
    let input = SiteCreateInput::new(admin.scope().clone(), "Shop".into(), vec![own.into(), SHOP.into()]);
    let site = resolve::MutationSiteCreate::resolve(&test.app, &anonymous(), &admin, input).await;
    let site = site.expect("a site");
    for (origin, installed) in [(own, false), (SHOP, true)] {
        let (key, who) = (site.key.clone(), visitor("browser-1", None));
        let url = format!("{origin}/play").parse().expect("a URL");
        let booted = resolve::MutationBoot::resolve(&test.app, &page(origin), key, who, url).await;
        booted.expect("a boot");
        test.app.presence.write_or_log(&test.app.store).await;
        let (cx, viewer) = (anonymous(), admin.lower());
        let found = resolve::QuerySite::resolve(&test.app, &cx, &viewer, site.id.clone()).await;
        let found = found.expect("a result").expect("the site");
        let seen = (
            found.installed_at.is_some(),
            found.last_seen_at.is_some(),
            found.last_page.is_some(),
        );
        assert_eq!(seen, (installed, installed, installed), "{origin}");
    }
}

#[tokio::test]
async fn a_visitor_without_a_tour_is_not_stored_and_keeps_the_allocation() {
    let test = TestApp::new().await;
    let admin = test.workspace("team", "ada").await;
    let site = test.site(&admin, "Shop").await;
    let rows = async || -> i64 {
        scalar("select (select count(*) from visitors) + (select count(*) from browsers)")
            .fetch_one(test.app.store.reader())
            .await
            .expect("a count")
    };
    let first = visit(&test, &site, "browser-1").await.visitor_id;
    assert_eq!(visit(&test, &site, "browser-1").await.visitor_id, first);
    assert_ne!(visit(&test, &site, "browser-2").await.visitor_id, first);
    let named = boot(&test, &site, visitor("browser-1", Some("ada"))).await.visitor_id;
    assert_ne!(named, first);
    test.app.presence.write_or_log(&test.app.store).await;
    assert_eq!(rows().await, 0);

    let tour = test.tour(&admin, "first", &["a", "b"]).await;
    test.release(&admin, &tour, 2, &site).await;
    let stored = visit(&test, &site, "browser-1").await;
    assert_eq!((stored.visitor_id, stored.tours.len()), (first, 1));
    assert_eq!(rows().await, 2);
}

#[tokio::test]
async fn a_visitor_has_at_most_three_browsers() {
    let Fixture { test, site, .. } = fixture().await;
    for number in 10..35 {
        boot(&test, &site, visitor(&format!("browser-{number}"), Some("ada"))).await;
        test.advance(1);
    }
    let browsers: Vec<String> = scalar("select anonymous_id from browsers order by anonymous_id")
        .fetch_all(test.app.store.reader())
        .await
        .expect("browsers");
    assert_eq!(browsers, ["browser-32", "browser-33", "browser-34"]);
}
