use traitql::{Ctx, Throws};
use waypost_api::{Instance, field, resolve};
use waypost_domain::site;

use crate::App;

impl resolve::QueryInstance for App {
    async fn resolve(&self, _cx: &Ctx) -> Result<Instance, Throws<field::QueryInstance>> {
        let config = &self.config;
        Ok(Instance {
            version: config.version.clone(),
            demo: config.demo,
            source_url: config.source_url.clone(),
            providers: config.providers.clone(),
            token_store: config.token_store,
            embed: config.embed.clone(),
            own_site_key: site::store::own_key(self.store.reader()).await?,
        })
    }
}
