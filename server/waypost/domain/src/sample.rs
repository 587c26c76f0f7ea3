//! The sample workspace of a new installation.

use traitql::Internal;
use waypost_api::{ThemeInput, audit};

use crate::{
    account,
    audit::Entry,
    site,
    store::{OpenError, Store},
    tour,
    workspace::{self, NewWorkspace},
};

/// The key of the site "Demo shop", which the demo page `/play` uses by default.
const DEMO_KEY: &str = "wp_pub_demo_shop";
/// The issuer of the account that Waypost uses for its own changes. No identity provider can have this issuer.
pub const ISSUER: &str = "urn:waypost";
const SUBJECT: &str = "waypost";

/// Creates the sample workspace if the database has no workspaces, and allows the demo page on its site.
pub async fn seed(store: &Store, own_origin: &str) -> Result<(), OpenError> {
    seed_missing(store, own_origin)
        .await
        .map_err(|error| OpenError::Contents(format!("{error:?}")))
}

async fn seed_missing(store: &Store, own_origin: &str) -> Result<(), Internal> {
    if workspace::store::count(store.reader()).await? == 0 {
        insert_acme(store, own_origin).await?;
    }
    // Added at each start, because the installation serves the demo page itself and its address may have changed.
    let mut tx = store.save().await?;
    site::store::add_origin(tx.conn(), DEMO_KEY, own_origin).await?;
    tx.commit().await
}

async fn insert_acme(store: &Store, own_origin: &str) -> Result<(), Internal> {
    let profile = account::Profile {
        name: "Waypost".to_owned(),
        email: None,
        email_verified: false,
        picture: None,
    };
    let mut tx = store.save().await?;
    let now = tx.now;
    let waypost = account::store::upsert(tx.conn(), ISSUER, SUBJECT, &profile, now).await?;
    tx.commit().await?;

    let mut tx = store.write(audit::WORKSPACE_CREATE, &waypost).await?;
    let new = NewWorkspace {
        slug: "acme",
        name: "Acme",
        creator: &waypost,
        default_theme: ThemeInput::new("Default".to_owned()),
        own_origin,
        now,
    };
    let id = workspace::store::insert(tx.conn(), &new).await?;
    workspace::seed_workspace(tx.conn(), &id, new).await?;
    let shop = site::NewSite {
        name: "Demo shop",
        key: DEMO_KEY.to_owned(),
        origins: vec![own_origin.to_owned()],
        own: false,
        cooldown_hours: site::default_cooldown_hours(),
    };
    let shop = site::store::insert(tx.conn(), &id, shop, &waypost, now).await?;
    for built_in in tour::built_in::sample_tours() {
        tour::built_in::add(tx.conn(), built_in, &id, &shop, &waypost, now).await?;
    }
    tx.commit(Entry::on(&id, "Acme").added("slug", "acme")).await
}
