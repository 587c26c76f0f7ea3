use std::{
    net::{IpAddr, SocketAddr},
    path::PathBuf,
};

use waypost_database::{PostgresUrl, StorageLimits};

use super::{
    Problems,
    reader::{Reader, present},
};
use crate::settings::Settings;

/// The settings of the storage of visits, whose checks need no others.
#[derive(Debug)]
pub struct Storage {
    pub listen: SocketAddr,
    pub data: PathBuf,
    pub postgres: Option<PostgresUrl>,
    pub limits: StorageLimits,
}

impl Storage {
    /// # Errors
    /// Returns the problems of these settings, and ignores all others.
    pub fn read(settings: &Settings) -> Result<Self, Problems> {
        let mut reader = Reader::default();
        let storage = Self::parse(&mut reader, settings);
        if !reader.problems.is_empty() {
            return Err(Problems(reader.problems));
        }
        Ok(storage)
    }

    pub(super) fn parse(reader: &mut Reader, settings: &Settings) -> Self {
        let port = reader.parsed("PORT", settings.port.clone(), "a number from 0 to 65535", |text| {
            text.parse().ok()
        });
        let address = reader.parsed(
            "WAYPOST_BIND",
            settings.bind.clone(),
            "an IP address such as 0.0.0.0",
            parse_address,
        );
        let mut database = |name, url: &Option<String>| database_url(&mut reader.problems, name, url.clone());
        let postgres = database("WAYPOST_DATABASE_URL", &settings.database_url);
        let direct = database("WAYPOST_DATABASE_DIRECT_URL", &settings.database_direct_url);
        let replica = database("WAYPOST_DATABASE_REPLICA_URL", &settings.database_replica_url);
        let postgres = postgres.map(|postgres| {
            let postgres = match direct {
                Some(direct) => postgres.with_direct(direct),
                None => postgres,
            };
            match replica {
                Some(replica) => postgres.with_replica(replica),
                None => postgres,
            }
        });
        let default = StorageLimits::default();
        let number = "a number from 1 to 4294967295";
        let visitors = reader.parsed("WAYPOST_MAX_VISITORS", settings.max_visitors.clone(), number, positive);
        let runs = reader.parsed("WAYPOST_MAX_RUNS", settings.max_runs.clone(), number, positive);
        let min_free_disk = reader.parsed(
            "WAYPOST_MIN_FREE_DISK",
            settings.min_free_disk.clone(),
            "a number of megabytes from 0 to 4294967295",
            |text| text.parse().ok(),
        );
        Self {
            listen: SocketAddr::new(address.unwrap_or(IpAddr::from([127, 0, 0, 1])), port.unwrap_or(4000)),
            data: present(settings.data.clone()).map_or_else(|| PathBuf::from("data"), PathBuf::from),
            postgres,
            limits: StorageLimits {
                visitors: visitors.unwrap_or(default.visitors),
                runs: runs.unwrap_or(default.runs),
                min_free_disk: min_free_disk.unwrap_or(default.min_free_disk),
            },
        }
    }
}

/// Does not repeat the URL in a problem, because it may contain a password.
fn database_url(problems: &mut Vec<String>, name: &str, url: Option<String>) -> Option<PostgresUrl> {
    let parsed = present(url)?.parse::<PostgresUrl>().map_err(|problem| {
        problems.push(format!(
            "{name} must be a URL such as postgres://user:password@host/database: {problem}."
        ));
    });
    parsed.ok()
}

fn positive(text: &str) -> Option<u32> {
    text.parse().ok().filter(|number| *number > 0)
}

fn parse_address(text: &str) -> Option<IpAddr> {
    match text {
        "localhost" => Some(IpAddr::from([127, 0, 0, 1])),
        text => text.trim_start_matches('[').trim_end_matches(']').parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checks_of_the_storage_need_no_identity_provider() {
        let settings = Settings {
            data: Some("/var/lib/waypost".to_owned()),
            min_free_disk: Some("100".to_owned()),
            public_url: Some("https://tours.example.com".to_owned()),
            ..Settings::default()
        };
        let storage = Storage::read(&settings).expect("valid settings");
        assert_eq!(storage.data, PathBuf::from("/var/lib/waypost"));
        assert_eq!(storage.limits.min_free_disk, 100);
        assert_eq!(storage.listen.to_string(), "127.0.0.1:4000");
    }

    #[test]
    fn their_own_settings_must_be_valid() {
        let settings = Settings {
            min_free_disk: Some("much".to_owned()),
            ..Settings::default()
        };
        let problems = Storage::read(&settings).expect_err("an invalid setting");
        assert_eq!(
            problems.0,
            ["WAYPOST_MIN_FREE_DISK is `much`, but must be a number of megabytes from 0 to 4294967295."]
        );
    }
}
