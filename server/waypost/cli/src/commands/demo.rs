//! `waypost demo`: the server with the sample workspace and an identity provider whose accounts have no passwords.

use std::{
    env,
    net::{IpAddr, Ipv4Addr},
    path::{Path, PathBuf},
};

use waypost_auth::Clock;
use waypost_doctor::open_browser;
use waypost_server::{Demo, OidcSettings, Settings, default_public_url, settings_in_environment};

use super::{Exit, Problem, print, report};
use crate::arguments::DemoArgs;

/// Settings that also apply to a demo. The public URL must be that of the demo.
const PERMITTED: [&str; 7] = [
    "PORT",
    "WAYPOST_BIND",
    "WAYPOST_CLIENT",
    "WAYPOST_DATA",
    "WAYPOST_LOG",
    "WAYPOST_LOG_FORMAT",
    "WAYPOST_PUBLIC_URL",
];

const DEFAULT_PORT: u16 = 4000;

/// The workspace of the sample, in which the accounts have the roles of the provider.
const WORKSPACE: &str = "acme";

/// The facts about the machine and the user that a demo depends on.
struct Surroundings {
    /// The names of the server's settings in the environment.
    settings: Vec<String>,
    is_container: bool,
    /// The folder for the data of the user's programs.
    data_home: Option<PathBuf>,
}

#[derive(Debug, PartialEq, Eq)]
struct Place {
    address: IpAddr,
    port: u16,
    data: PathBuf,
}

/// Returns the settings of the server and its identity provider.
///
/// # Errors
/// Reports the problem and returns the exit code.
pub(crate) fn prepare(arguments: DemoArgs) -> Result<(Settings, Demo), Exit> {
    let surroundings = Surroundings::of_process();
    let place = Place::choose(&arguments, &surroundings).map_err(|problems| {
        eprintln!("The demo cannot start:\n  - {}", problems.join("\n  - "));
        Exit::Usage
    })?;
    set_up(arguments, place).map_err(|problem| report(Err(problem)))
}

fn set_up(arguments: DemoArgs, Place { address, port, data }: Place) -> Result<(Settings, Demo), Problem> {
    let url = default_public_url(port);
    let file = waypost_database::open_demo(&data, arguments.reset)
        .map_err(|error| Problem::Local(format!("The demo cannot start: {error}.")))?;
    let provider = waypost_demo::Provider::open(&url, &file, Clock::system()).map_err(|error| {
        Problem::Local(format!(
            "The demo cannot start: {error:#}. Choose the earlier port with --port, another folder with --data, or delete the \
             data of the demo with --reset."
        ))
    })?;
    let text = greeting(
        &url.origin().ascii_serialization(),
        &data,
        arguments.container.then_some(port),
    );
    let opens = arguments.open;
    let issuer = waypost_demo::issuer(&url);
    let on_listening = move || {
        print(&text);
        if opens && !open_browser(&url, &|name| env::var(name).ok()) {
            eprintln!("No browser could be opened.");
        }
    };
    let settings = Settings {
        port: Some(port.to_string()),
        bind: Some(address.to_string()),
        data: Some(data.to_string_lossy().into_owned()),
        sample: Some("history".to_owned()),
        client: arguments.client,
        log: arguments.log.or_else(|| Some("warn".to_owned())),
        log_format: arguments.log_format.or_else(|| Some("text".to_owned())),
        oidc: OidcSettings {
            issuer: Some(issuer),
            client_id: Some(waypost_demo::CLIENT_ID.to_owned()),
            name: Some("Waypost demo".to_owned()),
            resource: Some(waypost_demo::RESOURCE.to_owned()),
            scope: Some(waypost_demo::SCOPE.to_owned()),
            roles_workspace: Some(WORKSPACE.to_owned()),
            ..OidcSettings::default()
        },
        ..Settings::default()
    };
    let demo = Demo {
        provider: provider.router(),
        on_listening: Box::new(on_listening),
    };
    Ok((settings, demo))
}

/// `published` is the port of a container.
fn greeting(url: &str, data: &Path, published: Option<u16>) -> String {
    let data = data.display();
    let reach = match published {
        Some(port) => format!("publish its port only on a loopback address of the host (-p 127.0.0.1:{port}:{port})"),
        None => "only this machine can reach it".to_owned(),
    };
    format!(
        "Waypost is ready: {url}

  1. Sign in and choose the account Ada Admin, who may do everything. Waypost introduces itself with a tour.
  2. Open the tour “Your first order”, look at its insights, edit a step, and preview it.
  3. Open the demo page from Sites, take the tour there, and find your visit in Visitors.

This is a demo: its accounts have no passwords; {reach}. Do not store real data in it.
Data folder: {data}. `waypost demo --reset` deletes the data and starts again.
Press Ctrl-C to stop."
    )
}

impl Surroundings {
    fn of_process() -> Self {
        let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty());
        Self {
            settings: settings_in_environment(),
            // Of Podman, Docker, systemd and other runtimes, and Kubernetes.
            is_container: ["/run/.containerenv", "/.dockerenv"]
                .iter()
                .any(|file| Path::new(file).exists())
                || ["container", "KUBERNETES_SERVICE_HOST"]
                    .iter()
                    .any(|name| set(name).is_some()),
            data_home: set("XDG_DATA_HOME")
                .map(PathBuf::from)
                .or_else(|| Some(env::home_dir()?.join(".local/share")))
                .filter(|folder| folder.is_absolute()),
        }
    }
}

impl Place {
    fn choose(arguments: &DemoArgs, surroundings: &Surroundings) -> Result<Self, Vec<String>> {
        let mut problems: Vec<_> = surroundings
            .settings
            .iter()
            .filter(|name| !PERMITTED.contains(&name.as_str()))
            .map(|name| {
                format!(
                    "{name} is set, but a demo has its own identity provider, database and limits. Unset it, or start Waypost \
                     without `demo`."
                )
            })
            .collect();
        let port = present(arguments.port.as_ref())
            .map_or(Some(DEFAULT_PORT), |text| text.parse().ok().filter(|port| *port > 0));
        let port = port.unwrap_or_else(|| {
            problems.push("PORT must be a number from 1 to 65535.".to_owned());
            DEFAULT_PORT
        });
        let url = default_public_url(port);
        if let Some(text) = present(arguments.public_url.as_ref())
            && text.trim_end_matches('/') != url.as_str().trim_end_matches('/')
        {
            let address = url.origin().ascii_serialization();
            problems.push(format!(
                "WAYPOST_PUBLIC_URL is `{text}`, but a demo is only at {address}, because its accounts have no passwords. Unset it."
            ));
        }
        if arguments.container && !surroundings.is_container {
            problems.push(
                "--container is set, but this is not a container. Remove it: other machines could reach a demo that listens on \
                 all addresses."
                    .to_owned(),
            );
        }
        let address = address(arguments, &mut problems);
        let data = arguments.data.clone().filter(|data| !data.as_os_str().is_empty());
        let data = data.or_else(|| Some(surroundings.data_home.as_ref()?.join("waypost-demo")));
        match data {
            Some(data) if problems.is_empty() => Ok(Self { address, port, data }),
            data => {
                if data.is_none() {
                    problems.push(
                        "WAYPOST_DATA is not set. Set it, or --data, to a folder for the data of the demo.".to_owned(),
                    );
                }
                Err(problems)
            }
        }
    }
}

fn address(arguments: &DemoArgs, problems: &mut Vec<String>) -> IpAddr {
    let default = if arguments.container {
        Ipv4Addr::UNSPECIFIED
    } else {
        Ipv4Addr::LOCALHOST
    };
    let Some(text) = present(arguments.bind.as_ref()) else {
        return default.into();
    };
    let address: Option<IpAddr> = match text {
        "localhost" => Some(Ipv4Addr::LOCALHOST.into()),
        text => text.trim_start_matches('[').trim_end_matches(']').parse().ok(),
    };
    match address {
        Some(address) if address.is_loopback() || (arguments.container && address.is_unspecified()) => address,
        _ => {
            problems.push(format!(
                "WAYPOST_BIND is `{text}`, but a demo listens on a loopback address only, such as 127.0.0.1 or ::1, because its \
                 accounts have no passwords. Unset it; in a container, add --container."
            ));
            default.into()
        }
    }
}

fn present(text: Option<&String>) -> Option<&str> {
    text.map(String::as_str).map(str::trim).filter(|text| !text.is_empty())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn choose(change: impl FnOnce(&mut DemoArgs, &mut Surroundings)) -> Result<(String, PathBuf), String> {
        let mut arguments = DemoArgs::default();
        let mut surroundings = Surroundings {
            settings: vec!["PORT".to_owned()],
            is_container: false,
            data_home: Some("/home/ada/.local/share".into()),
        };
        change(&mut arguments, &mut surroundings);
        let place = Place::choose(&arguments, &surroundings).map_err(|problems| problems.join(" "))?;
        Ok((format!("{}:{}", place.address, place.port), place.data))
    }

    #[test]
    fn a_demo_listens_on_loopback_with_its_own_data_folder() {
        let own = PathBuf::from("/home/ada/.local/share/waypost-demo");
        assert_eq!(choose(|_, _| {}), Ok(("127.0.0.1:4000".to_owned(), own.clone())));
        let other = choose(|arguments, _| {
            arguments.port = Some("4100".to_owned());
            arguments.bind = Some("[::1]".to_owned());
            arguments.public_url = Some("http://localhost:4100/".to_owned());
            arguments.data = Some("/srv/demo".into());
        });
        assert_eq!(other, Ok(("::1:4100".to_owned(), "/srv/demo".into())));
        let container = choose(|arguments, surroundings| {
            arguments.container = true;
            surroundings.is_container = true;
        });
        assert_eq!(container, Ok(("0.0.0.0:4000".to_owned(), own)));
    }

    #[test]
    fn a_demo_that_other_machines_could_reach_is_refused() {
        type Change = fn(&mut DemoArgs, &mut Surroundings);
        let cases: [(Change, &str); 8] = [
            (
                |arguments, _| arguments.bind = Some("0.0.0.0".to_owned()),
                "WAYPOST_BIND is `0.0.0.0`, but",
            ),
            (
                |arguments, _| arguments.bind = Some("192.168.0.7".to_owned()),
                "WAYPOST_BIND is `192.168.0.7`, but",
            ),
            (
                |arguments, _| arguments.container = true,
                "--container is set, but this is not a container.",
            ),
            (
                |arguments, surroundings| {
                    arguments.container = true;
                    surroundings.is_container = true;
                    arguments.bind = Some("192.168.0.7".to_owned());
                },
                "WAYPOST_BIND is `192.168.0.7`, but",
            ),
            (
                |arguments, _| arguments.public_url = Some("https://tours.example.com".to_owned()),
                "WAYPOST_PUBLIC_URL is `https://tours.example.com`, but",
            ),
            (
                |_, surroundings| surroundings.settings.push("WAYPOST_OIDC_ISSUER".to_owned()),
                "WAYPOST_OIDC_ISSUER is set, but",
            ),
            (
                |_, surroundings| surroundings.settings.push("WAYPOST_DATABASE_URL".to_owned()),
                "WAYPOST_DATABASE_URL is set, but",
            ),
            (
                |_, surroundings| surroundings.data_home = None,
                "WAYPOST_DATA is not set.",
            ),
        ];
        for (change, expected) in cases {
            let refused = choose(change).unwrap_err();
            assert!(refused.starts_with(expected), "{refused}");
        }
    }
}
