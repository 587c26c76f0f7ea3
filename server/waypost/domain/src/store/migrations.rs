//! Compiles the migrations of both databases into the binary. `sqlx::migrate!` would compile sqlx, both drivers and
//! SQLite a second time for the host.

use std::sync::LazyLock;

use sqlx::{
    SqlSafeStr,
    migrate::{Migration, MigrationType, Migrator},
};

/// Embeds files by their names without `.sql`.
macro_rules! migrations {
    ($folder:literal: $($name:literal),+) => {
        LazyLock::new(|| {
            Migrator::with_migrations(vec![
                $(migration($name, include_str!(concat!("../../", $folder, "/", $name, ".sql"))),)+
            ])
        })
    };
}

pub(super) static SQLITE: LazyLock<Migrator> = migrations!("migrations": "0001_baseline", "0002_attempts", "0003_access_tokens_of_members", "0005_theme_look", "0006_retention", "0007_expiring_runs");

pub(super) static POSTGRES: LazyLock<Migrator> = migrations!("migrations-postgres": "0001_baseline", "0002_attempts", "0003_access_tokens_of_members", "0005_theme_look", "0006_retention", "0007_expiring_runs");

/// Computes version, description and checksum like sqlx.
fn migration(name: &'static str, text: &'static str) -> Migration {
    let (version, description) = name.split_once('_').expect("a number, an underscore and a description");
    let version = version.parse().expect("the name begins with a number");
    let description = description.replace('_', " ").into();
    Migration::new(version, description, MigrationType::Simple, text.into_sql_str(), false)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[tokio::test]
    async fn lists_match_the_folders() {
        for (folder, listed) in [("migrations", &SQLITE), ("migrations-postgres", &POSTGRES)] {
            let read = Migrator::new(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder))
                .await
                .expect("the folder can be read");
            let key = |each: &Migration| (each.version, each.description.clone(), each.checksum.clone());
            assert_eq!(
                listed.iter().map(key).collect::<Vec<_>>(),
                read.iter().map(key).collect::<Vec<_>>(),
                "add the new file of {folder} to store/migrations.rs"
            );
        }
    }
}
