//! The sample workspace of a fresh installation, and what depends on the address of the installation.

use traitql::Internal;
use waypost_api::{ThemeInput, audit};

use crate::{
    account,
    audit::Entry,
    site,
    store::{OpenError, Store},
    tour,
    workspace::{self, Founding},
};

/// Key of the site "Demo shop": the demo page `/play` sends it when it is asked for no other.
const DEMO_KEY: &str = "wp_pub_demo_shop";
/// The account in whose name Waypost itself acts. No provider can issue this.
pub const ISSUER: &str = "urn:waypost";
const SUBJECT: &str = "waypost";

/// Adds what is wanted and not there yet.
pub async fn settle(store: &Store, own_origin: &str) -> Result<(), OpenError> {
    fill(store, own_origin)
        .await
        .map_err(|error| OpenError::Contents(format!("{error:?}")))
}

async fn fill(store: &Store, own_origin: &str) -> Result<(), Internal> {
    if workspace::store::count(store.reader()).await? == 0 {
        acme(store, own_origin).await?;
    }
    // The demo page is served by the installation itself, whose address may be another one than last time.
    let mut tx = store.save().await?;
    site::store::admit(tx.conn(), DEMO_KEY, own_origin).await?;
    tx.commit().await
}

async fn acme(store: &Store, own_origin: &str) -> Result<(), Internal> {
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
    let founding = Founding {
        slug: "acme",
        name: "Acme",
        founder: &waypost,
        default_theme: ThemeInput::new("Default".to_owned()),
        own_origin,
        now,
    };
    let id = workspace::store::insert(tx.conn(), &founding).await?;
    workspace::furnish(tx.conn(), &id, founding).await?;
    let shop = site::NewSite {
        name: "Demo shop",
        key: DEMO_KEY.to_owned(),
        origins: vec![own_origin.to_owned()],
        own: false,
        quiet_hours: site::usual_quiet_hours(),
    };
    let shop = site::store::insert(tx.conn(), &id, shop, &waypost, now).await?;
    for prepared in tour::prepared::sample() {
        tour::prepared::add(tx.conn(), prepared, &id, &shop, &waypost, now).await?;
    }
    tx.commit(Entry::on(&id, "Acme").added("slug", "acme")).await
}
