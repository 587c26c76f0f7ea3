//! The sample workspace of a new installation.

mod history;
pub(crate) mod store;
mod traffic;
mod visits;

use std::time::Instant;

use traitql::{DateTime, Id, Internal};
use waypost_api::{ThemeInput, audit};

use crate::{
    account,
    audit::Entry,
    site,
    store::{Conn, OpenError, Store},
    tour,
    workspace::{self, NewWorkspace},
};
use history::{Created, SampleSite};
use traffic::Traffic;

/// Issuer of Waypost's account and those of the sample's members. No identity provider can have it, so that they
/// cannot sign in.
pub const ISSUER: &str = "urn:waypost";
const SUBJECT: &str = "waypost";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sample {
    /// A site with two tours in an ordinary workspace.
    Tours,
    /// Two sites with tours, members, an audit log, and 30 days of visitors, which an administrator can remove.
    History,
}

/// Creates the sample workspace in an empty database, and allows the demo page on its sites.
pub async fn seed(store: &Store, sample: Sample, own_origin: &str) -> Result<(), OpenError> {
    seed_missing(store, sample, own_origin)
        .await
        .map_err(|error| OpenError::Contents(format!("{error:?}")))
}

async fn seed_missing(store: &Store, sample: Sample, own_origin: &str) -> Result<(), Internal> {
    let mut tx = store.save().await?;
    // An account without a workspace has probably removed the sample workspace, which must not return.
    if workspace::store::count(tx.conn().db()).await? == 0
        && account::store::has_no_accounts(tx.conn().db(), ISSUER).await?
    {
        let now = tx.now;
        let start = Instant::now();
        match sample {
            Sample::Tours => insert_tours(tx.conn(), own_origin, now).await?,
            Sample::History => insert_history(tx.conn(), own_origin, now).await?,
        }
        tracing::info!(elapsed_ms = start.elapsed().as_millis(), "created the sample workspace");
    }
    // Added at each start, because the installation serves the demo page itself and its address may have changed.
    for site in [SampleSite::Shop, SampleSite::Help] {
        site::store::add_origin(tx.conn(), site.key(), own_origin).await?;
    }
    tx.commit().await
}

async fn insert_tours(conn: &mut Conn, own_origin: &str, now: DateTime) -> Result<(), Internal> {
    let (workspace_id, waypost) = insert_workspace(conn, own_origin, now).await?;
    let shop = insert_site(conn, &workspace_id, SampleSite::Shop, own_origin, &waypost, now).await?;
    for built_in in tour::built_in::sample_tours() {
        tour::built_in::add(conn, built_in, &workspace_id, &shop, &waypost, now).await?;
    }
    Ok(())
}

async fn insert_history(conn: &mut Conn, own_origin: &str, now: DateTime) -> Result<(), Internal> {
    let traffic = Traffic::new(now);
    let start = traffic.time_on(0, 7 * 60 * 60 * 1000);
    let (workspace_id, waypost) = insert_workspace(conn, own_origin, start).await?;
    store::mark(conn, &workspace_id).await?;
    let created = Created {
        shop: &insert_site(conn, &workspace_id, SampleSite::Shop, own_origin, &waypost, start).await?,
        help: &insert_site(conn, &workspace_id, SampleSite::Help, own_origin, &waypost, start).await?,
        workspace_id: &workspace_id,
        own_origin,
    };
    history::insert(conn, &created, traffic).await
}

async fn insert_workspace(conn: &mut Conn, own_origin: &str, now: DateTime) -> Result<(Id, Id), Internal> {
    let profile = account::Profile {
        name: "Waypost".to_owned(),
        email: None,
        email_verified: false,
        picture: None,
    };
    let waypost = account::store::upsert(conn, ISSUER, SUBJECT, &profile, now).await?;
    let new = NewWorkspace {
        slug: "acme",
        name: "Acme",
        creator: &waypost,
        default_theme: ThemeInput::new("Default".to_owned()),
        own_origin,
        now,
    };
    let id = workspace::store::insert(conn, &new).await?;
    workspace::seed_workspace(conn, &id, new).await?;
    let entry = Entry::on(&id, "Acme").added("slug", "acme");
    crate::audit::store::insert(conn, audit::WORKSPACE_CREATE, &waypost, now, entry).await?;
    Ok((id, waypost))
}

async fn insert_site(
    conn: &mut Conn,
    workspace_id: &Id,
    site: SampleSite,
    own_origin: &str,
    creator: &Id,
    now: DateTime,
) -> Result<Id, Internal> {
    let new = site::NewSite {
        name: site.name(),
        key: site.key().to_owned(),
        origins: vec![own_origin.to_owned()],
        own: false,
        allow_http: false,
        cooldown_hours: site::default_cooldown_hours(),
    };
    site::store::insert(conn, workspace_id, new, creator, now).await
}
