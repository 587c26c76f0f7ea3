//! The command line and the environment, as texts. What they mean is decided in `config.rs`, which reports all problems at
//! once; clap would stop at the first.

mod oidc;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

pub use self::oidc::OidcSettings;

/// Guided tours for your own sites: write them in the browser, release them, see who finished.
#[derive(Debug, Parser)]
#[command(
    name = "waypost",
    version,
    args_conflicts_with_subcommands = true,
    max_term_width = 110
)]
#[command(after_help = "Every option of the server is an environment variable too.\n\
                        Further identity providers have a number in their variables: WAYPOST_OIDC_2_ISSUER, \
                        WAYPOST_OIDC_2_CLIENT_ID and so on, up to 9.\n\
                        The commands that ask a server read the access token from WAYPOST_TOKEN, and end with 0 when all is \
                        done, 1 when something failed here, 2 for wrong arguments or files, 3 when there is no answer, 4 when \
                        something else than Waypost answers, 5 when the server refuses, 6 when files and server differ, and 7 \
                        when a tour is saved that cannot be released yet.")]
pub struct Cli {
    /// What to do; without it, the server is started.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The server's settings.
    #[command(flatten)]
    pub settings: Settings,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
#[allow(clippy::large_enum_variant, reason = "there is one value of it per process")]
pub enum Command {
    /// Starts the server (the default).
    Serve(Settings),
    /// Lists the tours of one workspace, or of all that you belong to.
    Tours(ToursArgs),
    /// Releases a tour's draft to a site.
    Release(ReleaseArgs),
    /// Writes the drafts of tours into files, one each, to be kept beside the code.
    Pull(PullArgs),
    /// Saves files as drafts of their tours.
    Push(PushArgs),
    /// Shows how files and drafts differ, and ends with 6 if they do.
    Diff(ContentArgs),
    /// Looks for what is wrong with the surroundings.
    #[command(subcommand)]
    Doctor(Doctor),
}

/// What `waypost doctor` looks at.
#[derive(Debug, Subcommand)]
pub enum Doctor {
    /// The identity providers: what is wrong with each, and what to change where.
    Oidc(DoctorOidcArgs),
}

/// Arguments of `waypost doctor oidc`: the server's settings, which are examined as they are.
#[derive(Debug, Args)]
pub struct DoctorOidcArgs {
    /// The server's settings.
    #[command(flatten)]
    pub settings: Settings,
    /// Print JSON instead of text
    #[arg(long)]
    pub json: bool,
}

/// The server's settings, unread.
#[derive(Debug, Default, Clone, Args)]
#[command(next_help_heading = "Server")]
pub struct Settings {
    /// Port to listen on [default: 4000]
    #[arg(long, env = "PORT", hide_env_values = true)]
    pub port: Option<String>,

    /// Address to listen on [default: 127.0.0.1]
    #[arg(long, env = "WAYPOST_BIND", hide_env_values = true, value_name = "ADDRESS")]
    pub bind: Option<String>,

    /// Folder of the database [default: ./data]
    #[arg(long, env = "WAYPOST_DATA", hide_env_values = true, value_name = "FOLDER")]
    pub data: Option<String>,

    /// PostgreSQL to use instead of SQLite in that folder, as in postgres://user:password@host/database
    #[arg(long, env = "WAYPOST_DATABASE_URL", hide_env_values = true, value_name = "URL")]
    pub database_url: Option<String>,

    /// Where people reach this installation [default: http://localhost:PORT]
    #[arg(long, env = "WAYPOST_PUBLIC_URL", hide_env_values = true, value_name = "URL")]
    pub public_url: Option<String>,

    /// 1: take callers' addresses from X-Forwarded-For; only behind a proxy that every request passes
    #[arg(long, env = "WAYPOST_TRUST_PROXY", hide_env_values = true, value_name = "0|1")]
    pub trust_proxy: Option<String>,

    /// 1: answer any document that fits the schema, not only those of the client; for development
    #[arg(long, env = "WAYPOST_ADHOC", hide_env_values = true, value_name = "0|1")]
    pub adhoc: Option<String>,

    /// 1: an empty database gets a workspace to look around in
    #[arg(long, env = "WAYPOST_SAMPLE", hide_env_values = true, value_name = "0|1")]
    pub sample: Option<String>,

    /// Folder of a built client to use instead of the one inside the binary
    #[arg(long, env = "WAYPOST_CLIENT", hide_env_values = true, value_name = "FOLDER")]
    pub client: Option<String>,

    /// Where the source code of this version is published [default: the project's repository]
    #[arg(long, env = "WAYPOST_SOURCE_URL", hide_env_values = true, value_name = "URL")]
    pub source_url: Option<String>,

    /// What to log, as in `info,traitql=debug` [default: info]
    #[arg(long, env = "WAYPOST_LOG", hide_env_values = true, value_name = "FILTER")]
    pub log: Option<String>,

    /// How log lines are written: text or json [default: text on a terminal, else json]
    #[arg(long, env = "WAYPOST_LOG_FORMAT", hide_env_values = true, value_name = "FORMAT")]
    pub log_format: Option<String>,

    /// Where browsers keep tokens: session (the tab) or memory (each load of a page asks the provider anew) [default: session]
    #[arg(long, env = "WAYPOST_TOKEN_STORE", hide_env_values = true, value_name = "PLACE")]
    pub token_store: Option<String>,

    /// The identity provider.
    #[command(flatten)]
    pub oidc: OidcSettings,
}

/// Where a server is and who asks.
#[derive(Debug, Args)]
pub struct ServerArgs {
    /// Address of the server
    #[arg(
        long,
        env = "WAYPOST_PUBLIC_URL",
        hide_env_values = true,
        default_value = "http://localhost:4000",
        value_name = "URL"
    )]
    pub server: String,

    /// Access token
    #[arg(long, env = "WAYPOST_TOKEN", hide_env_values = true, hide_default_value = true)]
    pub token: String,
}

/// Arguments of `waypost tours`.
#[derive(Debug, Args)]
pub struct ToursArgs {
    /// Server and token.
    #[command(flatten)]
    pub server: ServerArgs,
    /// Slug of a workspace [default: all of yours]
    #[arg(long)]
    pub workspace: Option<String>,
    /// Print JSON instead of a table
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `waypost release`.
#[derive(Debug, Args)]
pub struct ReleaseArgs {
    /// Slug of the tour
    pub tour: String,
    /// Server and token.
    #[command(flatten)]
    pub server: ServerArgs,
    /// Slug of its workspace
    #[arg(long)]
    pub workspace: String,
    /// Name of the site
    #[arg(long)]
    pub site: String,
    /// Share of the visitors who see it, 0 to 100 [default: 100]
    #[arg(long, value_name = "PERCENT")]
    pub rollout: Option<i32>,
    /// Share of the visitors who never see it, 0 to 50, to compare with [default: 0]
    #[arg(long, value_name = "PERCENT")]
    pub holdout: Option<i32>,
    /// Key of the goal that the tour is meant to lead to
    #[arg(long, value_name = "KEY")]
    pub goal: Option<String>,
    /// When it begins to play, such as 2026-12-01T09:00:00Z [default: at once]
    #[arg(long, value_name = "INSTANT")]
    pub starts_at: Option<String>,
    /// When it ends [default: never]
    #[arg(long, value_name = "INSTANT")]
    pub ends_at: Option<String>,
    /// Lets those who are inside the tour begin again
    #[arg(long)]
    pub end_active_runs: bool,
    /// A note for the release's history
    #[arg(long)]
    pub note: Option<String>,
}

/// What `pull`, `push` and `diff` are about.
#[derive(Debug, Args)]
pub struct ContentArgs {
    /// Slugs of tours [default: all of the workspace that are not archived, or all files]
    pub tours: Vec<String>,
    /// Server and token.
    #[command(flatten)]
    pub server: ServerArgs,
    /// Slug of the workspace
    #[arg(long)]
    pub workspace: String,
    /// Folder of the files, `<slug>.yml` each
    #[arg(long, default_value = "tours", value_name = "FOLDER")]
    pub dir: PathBuf,
}

/// Arguments of `waypost pull`.
#[derive(Debug, Args)]
pub struct PullArgs {
    /// Tours and where they are.
    #[command(flatten)]
    pub content: ContentArgs,
    /// Overwrite files that have changes of their own
    #[arg(long)]
    pub force: bool,
}

/// Arguments of `waypost push`.
#[derive(Debug, Args)]
pub struct PushArgs {
    /// Tours and where they are.
    #[command(flatten)]
    pub content: ContentArgs,
    /// Save nothing: say what would be saved, and end with 6 if anything would
    #[arg(long)]
    pub check: bool,
    /// Save over what others have saved since the file was pulled
    #[arg(long)]
    pub force: bool,
}
