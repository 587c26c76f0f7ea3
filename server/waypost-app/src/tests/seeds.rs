//! What installations begin with.

use traitql::Ctx;
use waypost_api::{Access, Instance, ParticipantInput, Role, Subject, resolve};

use crate::{
    App,
    testing::{Bench, nobody, page, principal},
};

async fn instance(app: &App) -> Instance {
    resolve::QueryInstance::resolve(app, &nobody())
        .await
        .expect("the installation")
}

async fn booted(app: &App, cx: &Ctx, key: &str) -> Vec<String> {
    let visitor = ParticipantInput::new("browser-1".into());
    let url = "https://tours.example/play".parse().expect("a URL");
    let boot = resolve::MutationBoot::resolve(app, cx, key.into(), visitor, url)
        .await
        .expect("a boot");
    boot.tours.into_iter().map(|tour| tour.slug).collect()
}

#[tokio::test]
async fn the_first_workspace_gets_waypost_itself_as_a_site() {
    let bench = Bench::new().await;
    assert_eq!(instance(&bench.app).await.own_site_key, None);
    bench.workspace("team", "ada").await;
    let key = instance(&bench.app).await.own_site_key.expect("the own site");
    bench.workspace("other", "bob").await;
    assert_eq!(
        instance(&bench.app).await.own_site_key.as_ref(),
        Some(&key),
        "there is one own site"
    );
    assert_eq!(
        booted(&bench.app, &page("https://tours.example"), &key).await,
        ["welcome"]
    );
}

#[tokio::test]
async fn the_sample_is_added_once_and_welcomes_those_who_claim_a_role() {
    let sample = |config: &mut crate::AppConfig| {
        config.sample = true;
        config.claims_workspace = Some("acme".into());
    };
    let bench = Bench::with(sample).await;
    let app = &bench.app;
    let mut ada = principal("ada");
    ada.roles = vec!["Publisher".into()];
    let ada = app.account_of(&ada).await.expect("an account");
    let grant = app
        .grant(&nobody(), &ada, Subject::WorkspaceBySlug("acme"))
        .await
        .expect("an answer");
    assert_eq!(grant.map(|grant| grant.role), Some(Role::Publisher));
    let shop = page("https://tours.example");
    assert_eq!(booted(app, &shop, "wp_pub_demo_shop").await, ["first-order"]);
    let own = instance(app).await.own_site_key.expect("the own site");
    assert_eq!(booted(app, &shop, &own).await, ["welcome"]);
}

#[tokio::test]
async fn an_installation_that_moves_admits_its_new_address_to_its_own_pages() {
    let sample = |config: &mut crate::AppConfig| config.sample = true;
    let bench = Bench::with(sample).await;
    let moved = bench
        .reopen(|config| {
            config.sample = true;
            config.public_url = "https://tours.example:8443/".parse().expect("a URL");
        })
        .await;
    let cx = page("https://tours.example:8443");
    let visitor = ParticipantInput::new("browser-1".into());
    let own = instance(&moved).await.own_site_key.expect("the own site");
    for key in ["wp_pub_demo_shop", &own] {
        let url = "https://tours.example:8443/play".parse().expect("a URL");
        let boot = resolve::MutationBoot::resolve(&moved, &cx, key.into(), visitor.clone(), url).await;
        assert_eq!(boot.expect("a boot").tours.len(), 1, "{key}");
    }
}
