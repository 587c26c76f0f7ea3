use std::collections::HashMap;

use futures_util::FutureExt;
use traitql::{Batch, Ctx, Events, Id, Many, Throws, Viewer};
use waypost_api::{
    IdentityMode, RefusedOrigin, Site, SiteCreateInput, SiteEvent, SiteTrait, SiteUpdateInput, Tour, audit, errors,
    field, resolve, role,
};
use waypost_domain::{
    audit::Entry,
    change::Changed,
    identity,
    site::{
        MAX_SITES, NewSite, VISIT_INTERVAL, admits, difference, edit, ensure_own_domains, ensure_secure, new_key,
        normalize_origins, store,
    },
    store::ForChange,
    tour,
    visitor::{
        self,
        traits::{Traits, frequent_traits},
    },
};

use crate::App;

impl resolve::QuerySite for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        _viewer: &Viewer<role::Viewer>,
        id: Id,
    ) -> Result<Option<Site>, Throws<field::QuerySite>> {
        Ok(store::by_id(self.store.reader(), &id).await?)
    }
}

impl resolve::SiteEvents for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        sites: Batch<'b, Site>,
    ) -> Result<Many<'b, SiteEvent>, Throws<field::SiteEvents>> {
        let ids = sites.keys(|site| site.id.clone());
        let mut by_site: HashMap<Id, Vec<SiteEvent>> = HashMap::new();
        for (site, event) in store::events(self.store.reader(), &ids, self.now()).await? {
            by_site.entry(site).or_default().push(event);
        }
        Ok(sites.map_many(|site| Ok(by_site.remove(&site.id).unwrap_or_default())))
    }
}

impl resolve::SiteRefusedOrigins for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        sites: Batch<'b, Site>,
    ) -> Result<Many<'b, RefusedOrigin>, Throws<field::SiteRefusedOrigins>> {
        let ids = sites.keys(|site| site.id.clone());
        let mut by_site: HashMap<Id, Vec<RefusedOrigin>> = HashMap::new();
        for (site, refused) in store::refused_origins(self.store.reader(), &ids, self.now()).await? {
            by_site.entry(site).or_default().push(refused);
        }
        let own_origin = self.own_origin();
        Ok(sites.map_many(|site| {
            let mut refused = by_site.remove(&site.id).unwrap_or_default();
            // Listed in the meantime.
            refused.retain(|refused| !admits(site, &own_origin, Some(&refused.origin)));
            Ok(refused)
        }))
    }
}

impl resolve::SiteTraits for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        sites: Batch<'b, Site>,
    ) -> Result<Many<'b, SiteTrait>, Throws<field::SiteTraits>> {
        let ids = sites.keys(|site| site.id.clone());
        let mut by_site: HashMap<Id, Vec<Traits>> = HashMap::new();
        for (site, traits) in visitor::store::recent_traits(self.store.reader(), &ids).await? {
            by_site.entry(site).or_default().push(traits);
        }
        Ok(sites.map_many(|site| Ok(frequent_traits(&by_site.remove(&site.id).unwrap_or_default()))))
    }
}

impl resolve::SiteBrokenTours for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        sites: Batch<'b, Site>,
    ) -> Result<Many<'b, Tour>, Throws<field::SiteBrokenTours>> {
        let site_ids = sites.keys(|site| site.id.clone());
        let missing = tour::store::missing_elements_on_sites(self.store.reader(), &site_ids, self.now()).await?;
        if missing.is_empty() {
            return Ok(sites.map_many(|_| Ok(Vec::new())));
        }
        let ids: Vec<Id> = missing.iter().map(|element| element.tour_id.clone()).collect();
        let tours = tour::store::by_ids(self.store.reader(), &ids).await?;
        Ok(sites.map_many(|site| {
            let on_site = |tour: &&Tour| {
                let mut missing = missing.iter();
                missing.any(|element| element.site_id == site.id && element.tour_id == tour.id)
            };
            Ok(tours.iter().filter(on_site).cloned().collect())
        }))
    }
}

impl resolve::MutationSiteCreate for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<role::Admin>,
        input: SiteCreateInput,
    ) -> Result<Site, Throws<field::MutationSiteCreate>> {
        let mut tx = self.store.write(audit::SITE_CREATE, &viewer.account).await?;
        if store::count(tx.conn(), &input.workspace_id).await? >= MAX_SITES {
            return Err(errors::LimitReached {
                limit: MAX_SITES.to_string(),
                things: "sites".to_owned(),
            }
            .into());
        }
        let origins = normalize_origins(&input.origins);
        ensure_secure(&origins, input.allow_http)?;
        ensure_own_domains(&origins)?;
        let new = NewSite {
            name: &input.name,
            key: new_key(),
            origins,
            allow_http: input.allow_http,
            own: false,
            cooldown_hours: input.cooldown_hours,
        };
        let now = tx.now();
        let id = store::insert(tx.conn(), &input.workspace_id, new, &viewer.account, now).await?;
        tx.touch(Changed::Site(id.clone()));
        let site = store::for_change(tx.conn(), &id).await?.row;
        let entry = Entry::on(&site.workspace_id, &site.name).added("origins", site.origins.join(" "));
        tx.commit(entry).await?;
        Ok(site)
    }
}

impl resolve::MutationSiteUpdate for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<role::Admin>,
        input: SiteUpdateInput,
    ) -> Result<Site, Throws<field::MutationSiteUpdate>> {
        let mut tx = self.store.write(audit::SITE_UPDATE, &viewer.account).await?;
        let ForChange {
            row: before,
            changed_by: person,
        } = store::for_change(tx.conn(), &input.id).await?;
        if before.version != input.expected_version {
            return Err(errors::VersionConflict { person }.into());
        }
        let after = edit(&before, input);
        ensure_secure(&after.origins, after.allow_http)?;
        if after.origins != before.origins {
            ensure_own_domains(&after.origins)?;
        }
        if after.identity_mode != before.identity_mode && after.identity_mode != IdentityMode::Off {
            let keys = identity::store::keys(tx.conn().db(), std::slice::from_ref(&after.id)).await?;
            if keys.is_empty() {
                return Err(errors::IdentityKeyMissing {}.into());
            }
        }
        store::update(tx.conn(), &after, &viewer.account).await?;
        tx.touch(Changed::Site(after.id.clone()));
        let entry = Entry::on(&before.workspace_id, &before.name);
        tx.commit(difference(entry, &before, &after)).await?;
        Ok(after)
    }
}

impl resolve::MutationSiteKeyRotate for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<role::Admin>,
        id: Id,
    ) -> Result<Site, Throws<field::MutationSiteKeyRotate>> {
        let mut tx = self.store.write(audit::SITE_KEY_ROTATE, &viewer.account).await?;
        let before = store::for_change(tx.conn(), &id).await?.row;
        let after = Site {
            key: new_key(),
            version: before.version + 1,
            ..before.clone()
        };
        store::update(tx.conn(), &after, &viewer.account).await?;
        tx.touch(Changed::Site(id));
        let entry = Entry::on(&before.workspace_id, &before.name);
        tx.commit(entry.changed("key", &before.key, &after.key)).await?;
        Ok(after)
    }
}

impl resolve::SubscriptionSiteChanged for App {
    async fn resolve(
        &self,
        cx: &Ctx,
        viewer: &Viewer<role::Viewer>,
        id: Id,
    ) -> Result<Events<Site, field::SubscriptionSiteChanged>, Throws<field::SubscriptionSiteChanged>> {
        let live = (&self.live_sites, Changed::Site(id.clone()), id);
        Ok(self.live(cx, viewer, live, VISIT_INTERVAL, |app, id| {
            async move { store::by_id(app.store.reader(), &id).await }.boxed()
        }))
    }
}
