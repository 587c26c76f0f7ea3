//! Unparsed strings. `config` reports all problems at once, while clap stops at the first.

mod oidc;

use clap::Args;

pub use self::oidc::OidcSettings;

/// The server's settings as unparsed strings.
#[derive(Debug, Default, Clone, Args)]
#[command(next_help_heading = "Server")]
pub struct Settings {
    /// Port to listen on [default: 4000]
    #[arg(long, env = "PORT", hide_env_values = true)]
    pub port: Option<String>,

    /// Address to listen on [default: 127.0.0.1]
    #[arg(long, env = "WAYPOST_BIND", hide_env_values = true, value_name = "ADDRESS")]
    pub bind: Option<String>,

    /// Address and port of `/metrics` for Prometheus, such as 127.0.0.1:9464 [default: none]
    #[arg(
        long,
        env = "WAYPOST_METRICS_BIND",
        hide_env_values = true,
        value_name = "ADDRESS:PORT"
    )]
    pub metrics_bind: Option<String>,

    /// Folder of the SQLite database [default: ./data]
    #[arg(long, env = "WAYPOST_DATA", hide_env_values = true, value_name = "FOLDER")]
    pub data: Option<String>,

    /// PostgreSQL database to use instead of SQLite, for example postgres://user:password@host/database. Pass a password
    /// in the environment, because other users of the machine can read the arguments
    #[arg(long, env = "WAYPOST_DATABASE_URL", hide_env_values = true, value_name = "URL")]
    pub database_url: Option<String>,

    /// Address of the PostgreSQL database without the pooler of WAYPOST_DATABASE_URL, for notifications and migrations
    #[arg(
        long,
        env = "WAYPOST_DATABASE_DIRECT_URL",
        hide_env_values = true,
        value_name = "URL"
    )]
    pub database_direct_url: Option<String>,

    /// Address of a standby of the PostgreSQL database, for reads that may be a second late
    #[arg(
        long,
        env = "WAYPOST_DATABASE_REPLICA_URL",
        hide_env_values = true,
        value_name = "URL"
    )]
    pub database_replica_url: Option<String>,

    /// Public URL of this installation [default: http://localhost:PORT]
    #[arg(long, env = "WAYPOST_PUBLIC_URL", hide_env_values = true, value_name = "URL")]
    pub public_url: Option<String>,

    /// 1: use client addresses from X-Forwarded-For; only if every request passes through a trusted proxy; required with an
    /// https public URL
    #[arg(long, env = "WAYPOST_TRUST_PROXY", hide_env_values = true, value_name = "0|1")]
    pub trust_proxy: Option<String>,

    /// 1: accept ad-hoc documents, not only the trusted documents of the client; for development
    #[arg(long, env = "WAYPOST_ADHOC", hide_env_values = true, value_name = "0|1")]
    pub adhoc: Option<String>,

    /// Sample workspace for an empty database: off, tours, or history (with visitors of the last 30 days) [default: off]
    #[arg(
        long,
        env = "WAYPOST_SAMPLE",
        hide_env_values = true,
        value_name = "off|tours|history"
    )]
    pub sample: Option<String>,

    /// Accounts that may create workspaces: everyone, or administrators of a workspace [default: everyone]
    #[arg(
        long,
        env = "WAYPOST_WORKSPACE_CREATION",
        hide_env_values = true,
        value_name = "everyone|administrators"
    )]
    pub workspace_creation: Option<String>,

    /// Maximum number of visitors of a workspace [default: 2000000]
    #[arg(long, env = "WAYPOST_MAX_VISITORS", hide_env_values = true, value_name = "NUMBER")]
    pub max_visitors: Option<String>,

    /// Maximum number of runs of a workspace [default: 5000000]
    #[arg(long, env = "WAYPOST_MAX_RUNS", hide_env_values = true, value_name = "NUMBER")]
    pub max_runs: Option<String>,

    /// Free space of the disk with the SQLite database, in megabytes, below which pages store nothing; 0: not checked
    /// [default: 500]
    #[arg(
        long,
        env = "WAYPOST_MIN_FREE_DISK",
        hide_env_values = true,
        value_name = "MEGABYTES"
    )]
    pub min_free_disk: Option<String>,

    /// Folder of a built client to serve instead of the embedded one
    #[arg(long, env = "WAYPOST_CLIENT", hide_env_values = true, value_name = "FOLDER")]
    pub client: Option<String>,

    /// URL of the source code of this version [default: the project's repository]
    #[arg(long, env = "WAYPOST_SOURCE_URL", hide_env_values = true, value_name = "URL")]
    pub source_url: Option<String>,

    /// Log filter, for example `info,traitql=debug` [default: info]
    #[arg(long, env = "WAYPOST_LOG", hide_env_values = true, value_name = "FILTER")]
    pub log: Option<String>,

    /// Log format: text or json [default: text on a terminal, otherwise json]
    #[arg(long, env = "WAYPOST_LOG_FORMAT", hide_env_values = true, value_name = "FORMAT")]
    pub log_format: Option<String>,

    /// Token storage in browsers: session (for the tab) or memory (every page load requests new tokens) [default: session]
    #[arg(long, env = "WAYPOST_TOKEN_STORE", hide_env_values = true, value_name = "STORE")]
    pub token_store: Option<String>,

    /// Settings of the first identity provider.
    #[command(flatten)]
    pub oidc: OidcSettings,
}
