//! The `waypost` binary: the server of `waypost-serve` over the application of `waypost-app`, and the commands of `waypost-cli`.
//!
//! Nothing is decided here, and little is compiled: what is here is built again after each line in a resolver.

mod application;

use std::{env, process::ExitCode, sync::Arc};

use clap::Parser;
use waypost_cli::{
    arguments::{Cli, Command, Doctor, Settings},
    commands::{self, Exit},
    config::{self, Config},
    doctor, logging,
};
use waypost_serve::Server;

use crate::application::Opened;

#[cfg(feature = "dynamic")]
use waypost_dylib as _;

#[tokio::main]
async fn main() -> ExitCode {
    let Cli { command, settings } = Cli::parse();
    match command {
        None => start(settings).await,
        Some(Command::Serve(settings)) => start(settings).await,
        Some(Command::Tours(arguments)) => commands::tours::run(arguments).await.into(),
        Some(Command::Release(arguments)) => commands::release::run(arguments).await.into(),
        Some(Command::Pull(arguments)) => commands::content::pull(arguments).await.into(),
        Some(Command::Push(arguments)) => commands::content::push(arguments).await.into(),
        Some(Command::Diff(arguments)) => commands::content::diff(arguments).await.into(),
        Some(Command::Doctor(Doctor::Oidc(arguments))) => {
            doctor::oidc(arguments, &|name| env::var(name).ok()).await.into()
        }
    }
}

async fn start(settings: Settings) -> ExitCode {
    let filter = config::log_filter(settings.log.as_deref()).unwrap_or_default();
    let config = match Config::read(settings, &|name| env::var(name).ok()) {
        Ok(config) => config,
        Err(problems) => {
            eprintln!("{problems}");
            return Exit::Usage.into();
        }
    };
    logging::begin(filter, config.log_format);
    for name in config::unknown_settings(env::vars_os().filter_map(|(name, _)| name.into_string().ok())) {
        tracing::warn!(
            name,
            "this variable is no setting of Waypost; `waypost --help` lists them"
        );
    }
    match serve(config).await {
        Ok(()) => Exit::Success.into(),
        Err(error) => {
            tracing::error!(error = format!("{error:#}"), "Waypost stopped");
            Exit::Failure.into()
        }
    }
}

async fn serve(config: Config) -> anyhow::Result<()> {
    let server = Server::new(config)?;
    let app = Opened::new(server.config()).await?;
    server.run(Arc::new(app)).await
}
