use traitql::Ctx;
use waypost_api::{Access, Instance, Role, Subject, VisitorInput, resolve};

use crate::{
    App,
    testing::{TestApp, anonymous, page, principal},
};

async fn instance(app: &App) -> Instance {
    resolve::QueryInstance::resolve(app, &anonymous())
        .await
        .expect("the installation")
}

async fn booted(app: &App, cx: &Ctx, key: &str) -> Vec<String> {
    let visitor = VisitorInput::new("browser-1".into());
    let url = "https://tours.example/play".parse().expect("a URL");
    let boot = resolve::MutationBoot::resolve(app, cx, key.into(), visitor, url)
        .await
        .expect("a boot");
    boot.tours.into_iter().map(|tour| tour.slug).collect()
}

#[tokio::test]
async fn the_first_workspace_has_a_site_for_waypost_itself() {
    let test = TestApp::new().await;
    assert_eq!(instance(&test.app).await.own_site_key, None);
    test.workspace("team", "ada").await;
    let key = instance(&test.app).await.own_site_key.expect("the own site");
    test.workspace("other", "bob").await;
    assert_eq!(
        instance(&test.app).await.own_site_key.as_ref(),
        Some(&key),
        "there is only one own site"
    );
    assert_eq!(
        booted(&test.app, &page("https://tours.example"), &key).await,
        ["welcome"]
    );
}

#[tokio::test]
async fn the_sample_is_created_once_and_applies_role_claims() {
    let sample = |config: &mut crate::AppConfig| {
        config.sample = Some(crate::Sample::Tours);
        config.claims_workspace = Some("acme".into());
    };
    let test = TestApp::with(sample).await;
    let app = &test.app;
    let mut ada = principal("ada");
    ada.roles = vec!["Publisher".into()];
    let ada = app.account_of(&ada).await.expect("an account");
    let grant = app
        .grant(&anonymous(), &ada, Subject::WorkspaceBySlug("acme"))
        .await
        .expect("a result");
    assert_eq!(grant.map(|grant| grant.role), Some(Role::Publisher));
    let shop = page("https://tours.example");
    assert_eq!(booted(app, &shop, "wp_pub_demo_shop").await, ["first-order"]);
    let own = instance(app).await.own_site_key.expect("the own site");
    assert_eq!(booted(app, &shop, &own).await, ["welcome"]);
}

#[tokio::test]
async fn the_own_site_allows_the_new_origin_after_a_move() {
    let sample = |config: &mut crate::AppConfig| config.sample = Some(crate::Sample::Tours);
    let mut test = TestApp::with(sample).await;
    test.restart(|config| {
        config.sample = Some(crate::Sample::Tours);
        config.public_url = "https://tours.example:8443/".parse().expect("a URL");
    })
    .await;
    let moved = &test.app;
    let cx = page("https://tours.example:8443");
    let visitor = VisitorInput::new("browser-1".into());
    let own = instance(moved).await.own_site_key.expect("the own site");
    for key in ["wp_pub_demo_shop", &own] {
        let url = "https://tours.example:8443/play".parse().expect("a URL");
        let boot = resolve::MutationBoot::resolve(moved, &cx, key.into(), visitor.clone(), url).await;
        assert_eq!(boot.expect("a boot").tours.len(), 1, "{key}");
    }
}
