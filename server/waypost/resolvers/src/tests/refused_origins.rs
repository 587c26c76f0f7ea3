//! Origins that a site does not allow, whose pages send its key.

use traitql::{Patch, with_batch};
use waypost_api::{Site, SiteUpdateInput, resolve};

use super::{
    limits::{DAY_MS, SHOP, page_from},
    runs::visitor,
};
use crate::{
    run::resolvers::NEW_REFUSED_ORIGINS,
    testing::{TestApp, anonymous, code},
};

async fn boot(test: &TestApp, site: &Site, origin: &str, address: &str) -> &'static str {
    let url = "https://shop.example/cart".parse().expect("a URL");
    let (cx, who) = (page_from(origin, address), visitor("browser-1", None));
    code(resolve::MutationBoot::resolve(&test.app, &cx, site.key.clone(), who, url).await)
}

async fn refused(test: &TestApp, site: &Site) -> Vec<(String, i32)> {
    test.app.presence.write_or_log(&test.app.store).await;
    let sites = std::slice::from_ref(site);
    with_batch(sites, async |sites| {
        let column = resolve::SiteRefusedOrigins::resolve(&test.app, &anonymous(), sites).await;
        let column = column.expect("origins");
        let refused = column.get(0).iter();
        refused.map(|refused| (refused.origin.clone(), refused.count)).collect()
    })
    .await
}

#[tokio::test]
async fn origins_are_listed_until_they_are_allowed() {
    let test = TestApp::new().await;
    let admin = test.workspace("team", "ada").await;
    let site = test.site(&admin, "Shop").await;
    for origin in [
        "https://staging.example",
        "https://staging.example",
        "http://localhost:3000",
    ] {
        assert_eq!(boot(&test, &site, origin, "10.0.0.1").await, "ORIGIN_NOT_ALLOWED");
        test.advance(1);
    }
    for origin in [
        "null",
        "chrome-extension://abc",
        "https://staging.example/path",
        "https://x.example:443",
    ] {
        assert_eq!(boot(&test, &site, origin, "10.0.0.2").await, "ORIGIN_NOT_ALLOWED");
    }
    assert_eq!(boot(&test, &site, SHOP, "10.0.0.2").await, "no error");
    let (staging, local) = ("https://staging.example".to_owned(), "http://localhost:3000".to_owned());
    assert_eq!(refused(&test, &site).await, [(local.clone(), 1), (staging.clone(), 2)]);
    assert_eq!(boot(&test, &site, &staging, "10.0.0.1").await, "ORIGIN_NOT_ALLOWED");
    test.advance(1);
    assert_eq!(refused(&test, &site).await[0], (staging.clone(), 3));
    let mut input = SiteUpdateInput::new(site.id.clone(), site.version);
    input.origins = Patch::Set(vec![SHOP.to_owned(), staging]);
    let site = resolve::MutationSiteUpdate::resolve(&test.app, &anonymous(), &admin, input).await;
    let site = site.expect("updated");
    assert_eq!(refused(&test, &site).await, [(local, 1)]);
    test.advance(31 * DAY_MS);
    assert_eq!(refused(&test, &site).await, []);
}

#[tokio::test]
async fn one_caller_cannot_fill_the_list() {
    let test = TestApp::new().await;
    let admin = test.workspace("team", "ada").await;
    let site = test.site(&admin, "Shop").await;
    for number in 0..20 {
        boot(&test, &site, &format!("https://{number}.example"), "10.0.0.1").await;
    }
    let limit = usize::try_from(NEW_REFUSED_ORIGINS.limit).expect("a number");
    assert_eq!(refused(&test, &site).await.len(), limit);
    for number in 20..40 {
        boot(
            &test,
            &site,
            &format!("https://{number}.example"),
            &format!("10.0.1.{number}"),
        )
        .await;
    }
    assert_eq!(refused(&test, &site).await.len(), 10);
    boot(&test, &site, "https://real.example", "10.0.0.9").await;
    let names = async || -> Vec<String> {
        refused(&test, &site)
            .await
            .into_iter()
            .map(|(origin, _)| origin)
            .collect()
    };
    assert!(!names().await.contains(&"https://real.example".to_owned()));
    test.advance(DAY_MS + 1);
    boot(&test, &site, "https://real.example", "10.0.0.9").await;
    assert_eq!(
        names().await[0],
        "https://real.example",
        "origins that are no longer refused make room"
    );
    assert_eq!(names().await.len(), 10);
}
