use std::{env, process::ExitCode};

use clap::Parser;
use waypost_database::Migrations;
use waypost_doctor::{self as doctor, Part};
use waypost_server::{Demo, Open, Problems, Settings, StartError, config::Storage, unknown_settings};

use crate::{
    arguments::{CheckArgs, Cli, Command, Doctor, DoctorArgs, DoctorOidcArgs, HealthcheckArgs},
    commands::{self, Exit},
};

/// Runs the command of the arguments. `migrations` are those of this version, for commands that create a database.
#[tokio::main]
pub async fn run(open: Open, migrations: Migrations) -> ExitCode {
    let Cli { command, settings } = Cli::parse();
    let exit = match command {
        None => start(settings, None, open).await,
        Some(Command::Serve(settings)) => start(settings, None, open).await,
        Some(Command::Demo(arguments)) => match commands::demo::prepare(arguments) {
            Ok((settings, demo)) => start(settings, Some(demo), open).await,
            Err(exit) => exit,
        },
        Some(Command::Tours(arguments)) => commands::tours::run(arguments).await,
        Some(Command::Release(arguments)) => commands::release::run(arguments).await,
        Some(Command::Pull(arguments)) => commands::content::pull(arguments).await,
        Some(Command::Push(arguments)) => commands::content::push(arguments).await,
        Some(Command::Diff(arguments)) => commands::content::diff(arguments).await,
        Some(Command::Schema) => commands::content::schema(),
        Some(Command::Translations(command)) => commands::content::translations(command),
        Some(Command::Healthcheck(arguments)) => healthcheck(arguments).await,
        Some(Command::Backup(arguments)) => commands::backup::back_up(arguments).await,
        Some(Command::Restore(arguments)) => commands::backup::restore(arguments).await,
        Some(Command::Move(arguments)) => commands::transfer::run(arguments, migrations).await,
        Some(Command::Doctor(arguments)) => diagnose(arguments, migrations).await,
    };
    exit.into()
}

async fn start(settings: Settings, demo: Option<Demo>, open: Open) -> Exit {
    match waypost_server::start(settings, demo, open).await {
        Ok(()) => Exit::Success,
        Err(StartError::Settings(problems)) => invalid_settings(problems),
        Err(error @ StartError::Server(_)) => {
            tracing::error!(%error, "Waypost stopped");
            Exit::Failure
        }
    }
}

async fn healthcheck(HealthcheckArgs { port, bind }: HealthcheckArgs) -> Exit {
    let settings = Settings {
        port,
        bind,
        ..Settings::default()
    };
    match Storage::read(&settings) {
        Ok(Storage { listen, .. }) => commands::healthcheck::run(listen).await,
        Err(problems) => invalid_settings(problems),
    }
}

async fn diagnose(DoctorArgs { part, check }: DoctorArgs, migrations: Migrations) -> Exit {
    let (part, check) = match part {
        None => (None, check),
        Some(Doctor::Database(check)) => (Some(Part::Database), check),
        Some(Doctor::Storage(check)) => (Some(Part::Storage), check),
        Some(Doctor::Proxy(check)) => (Some(Part::Proxy), check),
        Some(Doctor::Tls(check)) => (Some(Part::Tls), check),
        Some(Doctor::Clock(check)) => (Some(Part::Clock), check),
        Some(Doctor::Oidc(DoctorOidcArgs {
            check,
            sign_in: Some(provider),
            write,
            force,
        })) => {
            let options = doctor::SignInOptions {
                environment: &environment,
                progress: &|message| eprintln!("{}", commands::printable(message)),
                json: check.json,
                provider,
                write: write.map(|path| doctor::SettingsFile { path, force }),
            };
            return diagnosed(doctor::sign_in_at(check.settings, options).await, check.json);
        }
        Some(Doctor::Oidc(DoctorOidcArgs { check, .. })) => (Some(Part::Oidc), check),
    };
    let CheckArgs { settings, json } = check;
    let context = doctor::Context {
        settings: &settings,
        environment: &environment,
        migrations,
    };
    diagnosed(doctor::check(part, &context, json).await, json)
}

fn environment(name: &str) -> Option<String> {
    env::var(name).ok()
}

fn diagnosed(outcome: Result<doctor::Outcome, Problems>, json: bool) -> Exit {
    match outcome {
        Ok(outcome) => {
            for name in unknown_settings() {
                eprintln!("Warning: {name} is not a setting. Run `waypost --help` for all settings.");
            }
            commands::print(&outcome.text);
            if outcome.is_ok { Exit::Success } else { Exit::Failure }
        }
        Err(problems) if json => {
            let problems = problems.with_unknown_settings();
            commands::print(&serde_json::json!({"problems": problems.0}).to_string());
            Exit::Usage
        }
        Err(problems) => invalid_settings(problems),
    }
}

fn invalid_settings(problems: Problems) -> Exit {
    eprintln!("{}", problems.with_unknown_settings());
    Exit::Usage
}
