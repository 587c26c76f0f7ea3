use std::collections::HashMap;

use traitql::{Batch, Ctx, Id, Many, One, Throws, Viewer};
use waypost_api::{
    IdentityAlgorithm, IdentityCoverage, IdentityKey, NewIdentityKey, Site, audit, errors, field, resolve, role,
};
use waypost_domain::{
    audit::Entry,
    change::Changed,
    identity::{MAX_KEYS, new_secret, parse_public_key, store},
    site,
};

use crate::App;

impl resolve::SiteIdentityKeys for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        sites: Batch<'b, Site>,
    ) -> Result<Many<'b, IdentityKey>, Throws<field::SiteIdentityKeys>> {
        let ids = sites.keys(|site| site.id.clone());
        let mut by_site: HashMap<Id, Vec<IdentityKey>> = HashMap::new();
        for (site, key) in store::keys(self.store.reader(), &ids).await? {
            by_site.entry(site).or_default().push(key);
        }
        Ok(sites.map_many(|site| Ok(by_site.remove(&site.id).unwrap_or_default())))
    }
}

impl resolve::SiteIdentityCoverage for App {
    async fn resolve<'b>(
        &self,
        _cx: &Ctx,
        sites: Batch<'b, Site>,
    ) -> Result<One<'b, IdentityCoverage>, Throws<field::SiteIdentityCoverage>> {
        let ids = sites.keys(|site| site.id.clone());
        let coverage = store::coverage(self.store.reader(), &ids, self.now()).await?;
        let mut coverage: HashMap<Id, IdentityCoverage> = coverage.into_iter().collect();
        let none = IdentityCoverage {
            identified: 0,
            verified: 0,
        };
        Ok(sites.map(|site| Ok(coverage.remove(&site.id).unwrap_or_else(|| none.clone()))))
    }
}

impl resolve::MutationIdentityKeyCreate for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<role::Admin>,
        site_id: Id,
        public_key: Option<String>,
    ) -> Result<NewIdentityKey, Throws<field::MutationIdentityKeyCreate>> {
        let (algorithm, material) = match public_key {
            None => (IdentityAlgorithm::Hs256, new_secret()),
            Some(text) => (IdentityAlgorithm::Eddsa, parse_public_key(&text)?),
        };
        let mut tx = self.store.write(audit::IDENTITY_KEY_CREATE, &viewer.account).await?;
        let site = site::store::for_change(tx.conn(), &site_id).await?.row;
        let keys = store::keys(tx.conn().db(), std::slice::from_ref(&site_id)).await?;
        if keys.len() >= MAX_KEYS {
            let limit = MAX_KEYS.to_string();
            return Err(errors::TooManyIdentityKeys { limit }.into());
        }
        let now = tx.now();
        store::insert(tx.conn(), &site_id, algorithm, &material, now).await?;
        tx.touch(Changed::Site(site_id));
        let entry = Entry::on(&site.workspace_id, &site.name);
        tx.commit(entry.added("algorithm", algorithm.as_graphql())).await?;
        Ok(NewIdentityKey {
            site,
            secret: (algorithm == IdentityAlgorithm::Hs256).then_some(material),
        })
    }
}

impl resolve::MutationIdentityKeyRevoke for App {
    async fn resolve(
        &self,
        _cx: &Ctx,
        viewer: &Viewer<role::Admin>,
        site_id: Id,
        id: Id,
    ) -> Result<Site, Throws<field::MutationIdentityKeyRevoke>> {
        let mut tx = self.store.write(audit::IDENTITY_KEY_REVOKE, &viewer.account).await?;
        let site = site::store::for_change(tx.conn(), &site_id).await?.row;
        let keys = store::keys(tx.conn().db(), std::slice::from_ref(&site_id)).await?;
        let key = keys.into_iter().find(|(_, key)| key.id == id);
        let (_, key) = key.ok_or_else(|| errors::NotFound {
            thing: "identity key".to_owned(),
        })?;
        store::delete(tx.conn(), &id).await?;
        tx.touch(Changed::Site(site_id));
        let entry = Entry::on(&site.workspace_id, &site.name);
        tx.commit(entry.removed("algorithm", key.algorithm.as_graphql()))
            .await?;
        Ok(site)
    }
}
