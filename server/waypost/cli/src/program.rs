use std::{env, process::ExitCode};

use clap::Parser;
use waypost_doctor as doctor;
use waypost_server::{Open, Problems, Settings, StartError, unknown_settings};

use crate::{
    arguments::{Cli, Command, Doctor, DoctorOidcArgs},
    commands::{self, Exit},
};

#[tokio::main]
pub async fn run(open: Open) -> ExitCode {
    let Cli { command, settings } = Cli::parse();
    let exit = match command {
        None => start(settings, open).await,
        Some(Command::Serve(settings)) => start(settings, open).await,
        Some(Command::Tours(arguments)) => commands::tours::run(arguments).await,
        Some(Command::Release(arguments)) => commands::release::run(arguments).await,
        Some(Command::Pull(arguments)) => commands::content::pull(arguments).await,
        Some(Command::Push(arguments)) => commands::content::push(arguments).await,
        Some(Command::Diff(arguments)) => commands::content::diff(arguments).await,
        Some(Command::Schema) => commands::content::schema(),
        Some(Command::Translations(command)) => commands::content::translations(command),
        Some(Command::Backup(arguments)) => commands::backup::back_up(arguments).await,
        Some(Command::Restore(arguments)) => commands::backup::restore(arguments).await,
        Some(Command::Doctor(Doctor::Oidc(arguments))) => doctor_oidc(arguments).await,
        Some(Command::Doctor(Doctor::Storage(settings))) => doctor_storage(&settings).await,
    };
    exit.into()
}

async fn start(settings: Settings, open: Open) -> Exit {
    match waypost_server::start(settings, open).await {
        Ok(()) => Exit::Success,
        Err(StartError::Settings(problems)) => invalid_settings(problems),
        Err(error @ StartError::Server(_)) => {
            tracing::error!(%error, "Waypost stopped");
            Exit::Failure
        }
    }
}

async fn doctor_storage(settings: &Settings) -> Exit {
    match doctor::storage(settings).await {
        Ok(outcome) => diagnosed(&outcome),
        Err(problems) => invalid_settings(problems),
    }
}

async fn doctor_oidc(arguments: DoctorOidcArgs) -> Exit {
    let DoctorOidcArgs {
        settings,
        json,
        sign_in,
        write,
        force,
    } = arguments;
    let options = doctor::Options {
        environment: &|name| env::var(name).ok(),
        progress: &|message| eprintln!("{}", commands::printable(message)),
        json,
        sign_in,
        write: write.map(|path| doctor::SettingsFile { path, force }),
    };
    match doctor::oidc(settings, options).await {
        Ok(outcome) => diagnosed(&outcome),
        Err(problems) if json => {
            let problems = problems.with_unknown_settings();
            commands::print(&serde_json::json!({"problems": problems.0}).to_string());
            Exit::Usage
        }
        Err(problems) => invalid_settings(problems),
    }
}

fn diagnosed(outcome: &doctor::Outcome) -> Exit {
    for name in unknown_settings() {
        eprintln!("Warning: {name} is not a setting. Run `waypost --help` for all settings.");
    }
    commands::print(&outcome.text);
    if outcome.is_ok { Exit::Success } else { Exit::Failure }
}

fn invalid_settings(problems: Problems) -> Exit {
    eprintln!("{}", problems.with_unknown_settings());
    Exit::Usage
}
