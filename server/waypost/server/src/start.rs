use std::{env, fmt, sync::Arc};

use futures_util::future::LocalBoxFuture;

use crate::{
    Application, Demo, Server,
    config::{self, Config, Problems},
    logging::{self, LostLines},
    metrics::Requests,
    settings::Settings,
};

pub type Open = fn(&Config) -> LocalBoxFuture<'_, anyhow::Result<Arc<dyn Application>>>;

#[derive(Debug)]
pub enum StartError {
    /// Logging has not been initialized.
    Settings(Problems),
    /// The server failed at start or later.
    Server(anyhow::Error),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Settings(problems) => problems.fmt(f),
            Self::Server(error) => write!(f, "{error:#}"),
        }
    }
}

/// Initializes logging, and runs the server, or a demo, until a signal stops it.
///
/// # Errors
/// Fails if the settings are invalid, the application cannot be opened, or the server fails.
pub async fn start(settings: Settings, demo: Option<Demo>, open: Open) -> Result<(), StartError> {
    let filter = config::log_filter(settings.log.as_deref()).unwrap_or_default();
    let config = Config::read(settings, &|name| env::var(name).ok()).map_err(StartError::Settings)?;
    let config = Config {
        demo: demo.is_some(),
        ..config
    };
    let requests = Requests::default();
    let lost_lines = logging::init(filter, config.log_format, config.metrics.map(|_| &requests));
    for name in config::unknown_settings() {
        tracing::warn!(
            name,
            "unknown setting in the environment; run `waypost --help` for all settings"
        );
    }
    serve(config, demo, requests, lost_lines, open)
        .await
        .map_err(StartError::Server)
}

async fn serve(
    config: Config,
    demo: Option<Demo>,
    requests: Requests,
    lost_lines: LostLines,
    open: Open,
) -> anyhow::Result<()> {
    if demo.is_none() && config.postgres.is_none() {
        waypost_database::refuse_demo(&config.data)?;
    }
    let server = Server::new(config, demo, requests, lost_lines)?;
    let app = open(server.config()).await?;
    server.run(app).await
}
