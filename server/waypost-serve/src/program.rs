//! The program: parses the command line, runs the command and returns the exit code.

use std::{env, process::ExitCode, sync::Arc};

use clap::Parser;
use futures_util::future::LocalBoxFuture;
use waypost_cli::{
    arguments::{Cli, Command, Doctor, Settings},
    commands::{self, Exit},
    config::{self, Config},
    doctor, logging,
};

use crate::{Application, Server};

/// A function that opens the application with these settings.
pub type Open = fn(&Config) -> LocalBoxFuture<'_, anyhow::Result<Arc<dyn Application>>>;

/// Runs the program: starts the server, or runs a command that calls a server.
#[tokio::main]
pub async fn run(open: Open) -> ExitCode {
    let Cli { command, settings } = Cli::parse();
    match command {
        None => start(settings, open).await,
        Some(Command::Serve(settings)) => start(settings, open).await,
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

async fn start(settings: Settings, open: Open) -> ExitCode {
    let filter = config::log_filter(settings.log.as_deref()).unwrap_or_default();
    let config = match Config::read(settings, &|name| env::var(name).ok()) {
        Ok(config) => config,
        Err(problems) => {
            eprintln!("{problems}");
            return Exit::Usage.into();
        }
    };
    logging::init(filter, config.log_format);
    for name in config::unknown_settings(env::vars_os().filter_map(|(name, _)| name.into_string().ok())) {
        tracing::warn!(
            name,
            "unknown setting in the environment; run `waypost --help` for all settings"
        );
    }
    match serve(config, open).await {
        Ok(()) => Exit::Success.into(),
        Err(error) => {
            tracing::error!(error = format!("{error:#}"), "Waypost stopped");
            Exit::Failure.into()
        }
    }
}

async fn serve(config: Config, open: Open) -> anyhow::Result<()> {
    let server = Server::new(config)?;
    let app = open(server.config()).await?;
    server.run(app).await
}
