//! Adapter from the application in `waypost-resolvers` to the server in `waypost-server`.

use std::sync::Arc;

use anyhow::Context;
use futures_util::{
    StreamExt,
    future::{BoxFuture, LocalBoxFuture},
    stream::BoxStream,
};
use traitql::{Internal, Principal, RateLimits};
use waypost_api::Resolvers;
use waypost_resolvers::{App, AppConfig, ClaimGrant, OpenError, Sample, Waits};
use waypost_server::{
    Application, Logout, api_providers,
    config::{Config, Provider, SampleWorkspace},
    embed_script, parse_url,
};

struct OpenApp(App);

pub(crate) fn open(config: &Config) -> LocalBoxFuture<'_, anyhow::Result<Arc<dyn Application>>> {
    Box::pin(async {
        let app = App::open(app_config(config)?).await;
        let app = app.with_context(|| match &config.postgres {
            Some(postgres) => format!("The database {postgres} could not be opened"),
            None => format!("The database in {} could not be opened", config.data.display()),
        })?;
        Ok(Arc::new(OpenApp(app)) as Arc<dyn Application>)
    })
}

impl Application for OpenApp {
    fn resolvers(&self) -> Resolvers {
        self.0.resolvers()
    }

    fn rates(&self) -> Arc<RateLimits> {
        self.0.rates()
    }

    fn database_waits(&self) -> [(&'static str, Arc<Waits>); 2] {
        self.0.database_waits()
    }

    fn deletions(&self) -> Vec<(&'static str, &'static str, u64)> {
        self.0.deletions()
    }

    fn check(&self) -> BoxFuture<'_, Result<(), OpenError>> {
        self.0.check()
    }

    fn storage_problem(&self) -> BoxFuture<'_, Result<Option<&'static str>, Internal>> {
        self.0.storage_problem()
    }

    fn notification_problem(&self) -> Option<&'static str> {
        self.0.notification_problem()
    }

    fn uses_replica(&self) -> Option<bool> {
        self.0.uses_replica()
    }

    fn lists_origin(&self, origin: String) -> BoxFuture<'_, bool> {
        self.0.lists_origin(origin)
    }

    fn bundle(&self, hash: String) -> BoxFuture<'_, Result<Option<String>, Internal>> {
        self.0.bundle(hash)
    }

    fn record_logout<'a>(&'a self, logout: &'a Logout) -> BoxFuture<'a, anyhow::Result<bool>> {
        Box::pin(async {
            let stored = waypost_resolvers::Logout {
                issuer: logout.issuer.clone(),
                token_id: logout.id.clone(),
                subject: logout.subject.clone(),
                session: logout.session.clone(),
                issued_at: i64::try_from(logout.issued_at)?,
                expires_at: i64::try_from(logout.expires_at).unwrap_or(i64::MAX),
            };
            let recorded = self.0.record_logout(&stored).await;
            recorded.map_err(|error| anyhow::anyhow!("{error:?}"))
        })
    }

    fn logouts(&self) -> BoxStream<'static, Vec<Logout>> {
        let read = |stored: waypost_resolvers::Logout| Logout {
            issuer: stored.issuer,
            id: stored.token_id,
            subject: stored.subject,
            session: stored.session,
            issued_at: u64::try_from(stored.issued_at).unwrap_or_default(),
            expires_at: u64::try_from(stored.expires_at).unwrap_or_default(),
        };
        let logouts = self.0.logouts();
        logouts
            .map(move |logouts| logouts.into_iter().map(read).collect())
            .boxed()
    }

    fn nonce_key(&self) -> BoxFuture<'_, Result<String, OpenError>> {
        self.0.nonce_key()
    }

    fn access_token<'a>(&'a self, token: &'a str) -> Option<BoxFuture<'a, Result<Option<Principal>, Internal>>> {
        self.0.access_token(token)
    }

    fn loaders<'a>(
        &'a self,
        file: &'a str,
        script: &'a str,
    ) -> BoxFuture<'a, Result<Vec<(String, String)>, OpenError>> {
        self.0.loaders(file, script)
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        self.0.close()
    }
}

fn app_config(config: &Config) -> anyhow::Result<AppConfig> {
    Ok(AppConfig {
        data_dir: config.data.clone(),
        postgres: config.postgres.clone(),
        public_url: parse_url(config.public_url.as_str())?,
        providers: api_providers(config)?,
        token_store: config.token_store,
        source_url: parse_url(config.source_url.as_str())?,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        demo: config.demo,
        embed: embed_script(config)?,
        sample: match config.sample {
            SampleWorkspace::Off => None,
            SampleWorkspace::Tours => Some(Sample::Tours),
            SampleWorkspace::History => Some(Sample::History),
        },
        restricts_workspace_creation: config.restricts_workspace_creation,
        claims_workspace: config.roles_workspace.clone(),
        grants: config.providers.iter().flat_map(claim_grants).collect(),
        storage_limits: config.storage_limits,
    })
}

fn claim_grants(provider: &Provider) -> impl Iterator<Item = ClaimGrant> {
    provider.grants.iter().map(|grant| ClaimGrant {
        issuer: provider.tokens.issuer.clone(),
        claim: grant.claim.clone(),
        workspace: grant.workspace.clone(),
        role: grant.role,
    })
}
