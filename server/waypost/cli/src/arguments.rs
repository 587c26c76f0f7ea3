//! Command-line arguments; the doc comments are the help texts.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use waypost_server::Settings;

/// Self-hosted guided tours for your sites: create, release and measure them.
#[derive(Debug, Parser)]
#[command(
    name = "waypost",
    version,
    args_conflicts_with_subcommands = true,
    max_term_width = 110
)]
#[command(after_help = "Every server option can also be set by its environment variable.\n\
                        Additional identity providers use numbered variables: WAYPOST_OIDC_2_ISSUER, \
                        WAYPOST_OIDC_2_CLIENT_ID and so on, up to 9.\n\
                        Commands that call a server read the access token from WAYPOST_TOKEN. Exit codes: 0 success, 1 local \
                        failure, 2 invalid arguments or files, 3 server unreachable, 4 response not from a Waypost server, \
                        5 request rejected by the server, 6 files and server differ, 7 tour saved but not ready for release.")]
pub(crate) struct Cli {
    /// The subcommand; `None` starts the server.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Settings of the server.
    #[command(flatten)]
    pub settings: Settings,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
#[allow(clippy::large_enum_variant, reason = "there is one value of it per process")]
pub(crate) enum Command {
    /// Starts the server (the default).
    Serve(Settings),
    /// Starts a demo on this machine, with a sample workspace and accounts without passwords; needs no settings.
    Demo(DemoArgs),
    /// Lists the tours of one workspace, or of all workspaces that you belong to.
    Tours(ToursArgs),
    /// Releases a tour's draft to a site.
    Release(ReleaseArgs),
    /// Writes drafts of tours to files, one per tour, for version control.
    Pull(PullArgs),
    /// Saves files as drafts of their tours.
    Push(PushArgs),
    /// Shows the differences between files and drafts; exits with 6 if there are any.
    Diff(ContentArgs),
    /// Prints the JSON schema of tour files, with which editors complete and check them.
    Schema,
    /// Exports the texts of tour files for translators, and imports their translations.
    #[command(subcommand)]
    Translations(Translations),
    /// Checks what the server depends on: all parts whose settings are present, or one part.
    Doctor(DoctorArgs),
    /// Checks that the server on this machine is ready; exits with 1 if not. For health checks of containers.
    Healthcheck(HealthcheckArgs),
    /// Writes the SQLite database to a new file and checks it; the server can be running.
    Backup(BackupArgs),
    /// Writes a backup to a data folder without a database; the server must not be running.
    Restore(BackupArgs),
    /// Copies the data between SQLite and PostgreSQL into a database without data; changes after its start are not copied.
    Move(MoveArgs),
}

/// Arguments of `waypost demo`.
#[derive(Debug, Default, Args)]
pub(crate) struct DemoArgs {
    /// Port to listen on [default: 4000]
    #[arg(long, env = "PORT", hide_env_values = true)]
    pub port: Option<String>,
    /// Loopback address to listen on [default: 127.0.0.1]
    #[arg(long, env = "WAYPOST_BIND", hide_env_values = true, value_name = "ADDRESS")]
    pub bind: Option<String>,
    /// Folder of the demo's data [default: waypost-demo in the folder for your data, such as ~/.local/share]
    #[arg(long, env = "WAYPOST_DATA", hide_env_values = true, value_name = "FOLDER")]
    pub data: Option<PathBuf>,
    /// Delete the data of an earlier demo
    #[arg(long)]
    pub reset: bool,
    /// Open the demo in the browser
    #[arg(long)]
    pub open: bool,
    /// Listen on all addresses of the container that the demo runs in. Publish the same port on a loopback address of the host: -p 127.0.0.1:4000:4000
    #[arg(long)]
    pub container: bool,
    /// Must be the URL of the demo, because only this machine can reach it.
    #[arg(long, env = "WAYPOST_PUBLIC_URL", hide = true, hide_env_values = true)]
    pub public_url: Option<String>,
    /// A built client, for developers of Waypost.
    #[arg(long, env = "WAYPOST_CLIENT", hide = true, hide_env_values = true)]
    pub client: Option<String>,
    /// Warnings by default, so that the instructions stay visible.
    #[arg(long, env = "WAYPOST_LOG", hide = true, hide_env_values = true)]
    pub log: Option<String>,
    /// Text by default.
    #[arg(long, env = "WAYPOST_LOG_FORMAT", hide = true, hide_env_values = true)]
    pub log_format: Option<String>,
}

/// The subcommands of `waypost translations`.
#[derive(Debug, Subcommand)]
pub(crate) enum Translations {
    /// Writes `<slug>.<language>.json` next to each tour file, with the original and the translation of each text.
    Export(TranslationsArgs),
    /// Reads these files into the tour files; reports all problems and changes nothing if there are any.
    Import(TranslationsArgs),
}

/// Arguments of `waypost translations`.
#[derive(Debug, Args)]
pub(crate) struct TranslationsArgs {
    /// Language tag, one of `locales` of the tour files
    pub locale: String,
    /// Slugs of tours [default: all files with the language]
    pub tours: Vec<String>,
    /// Folder of the files, named `<slug>.yml`
    #[arg(long, default_value = "tours", value_name = "FOLDER")]
    pub dir: PathBuf,
}

/// Arguments of `waypost doctor`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
#[command(
    after_help = "Nothing is changed, and the server can be running. Each part reads only its own settings; without a part, \
                        those whose settings are missing are skipped.\n\
                        Exit codes: 0 no problems (there can be warnings), 1 problems, 2 invalid settings of the part."
)]
pub(crate) struct DoctorArgs {
    /// The part; `None` checks all.
    #[command(subcommand)]
    pub part: Option<Doctor>,
    /// Settings and format.
    #[command(flatten)]
    pub check: CheckArgs,
}

/// The parts of `waypost doctor`.
#[derive(Debug, Subcommand)]
#[allow(clippy::large_enum_variant, reason = "there is one value of it per process")]
pub(crate) enum Doctor {
    /// Checks that the database can be reached and written, its schema, size and vacuum, and poolers.
    Database(CheckArgs),
    /// Checks the free disk space and the permissions of the data folder, and the server if it is running; exits with 1 if some visits are not stored.
    Storage(CheckArgs),
    /// Checks through the public URL that addresses, hosts, WebSockets, streams and large requests pass the proxy.
    Proxy(CheckArgs),
    /// Checks the certificate of the public URL, and that browsers use TLS only.
    Tls(CheckArgs),
    /// Compares this machine's clock with those of the identity providers and of PostgreSQL.
    Clock(CheckArgs),
    /// Checks the identity providers and reports what to change and where.
    Oidc(DoctorOidcArgs),
}

/// Arguments of each part of `waypost doctor`.
#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// Settings of the server, which are checked.
    #[command(flatten)]
    pub settings: Settings,
    /// Print JSON instead of text
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `waypost healthcheck`, which are those of the server.
#[derive(Debug, Args)]
pub(crate) struct HealthcheckArgs {
    /// Port of the server [default: 4000]
    #[arg(long, env = "PORT", hide_env_values = true)]
    pub port: Option<String>,
    /// Address that the server listens on [default: 127.0.0.1]
    #[arg(long, env = "WAYPOST_BIND", hide_env_values = true, value_name = "ADDRESS")]
    pub bind: Option<String>,
}

/// Arguments of `waypost backup` and `waypost restore`.
#[derive(Debug, Args)]
pub(crate) struct BackupArgs {
    /// File of the backup
    pub file: PathBuf,

    /// Data folder of the server
    #[arg(
        long,
        env = "WAYPOST_DATA",
        hide_env_values = true,
        default_value = "data",
        value_name = "FOLDER"
    )]
    pub data: PathBuf,

    /// Used to recognize a server with PostgreSQL, whose data is not in the folder.
    #[arg(long, env = "WAYPOST_DATABASE_URL", hide = true, hide_env_values = true)]
    pub database_url: Option<String>,
}

/// Arguments of `waypost move`.
#[derive(Debug, Args)]
pub(crate) struct MoveArgs {
    /// The database that receives the data of the other one
    #[arg(value_enum)]
    pub to: MoveTarget,

    /// Data folder with the SQLite database
    #[arg(
        long,
        env = "WAYPOST_DATA",
        hide_env_values = true,
        default_value = "data",
        value_name = "FOLDER"
    )]
    pub data: PathBuf,

    /// Address of the PostgreSQL database
    #[arg(long, env = "WAYPOST_DATABASE_URL", hide_env_values = true, value_name = "URL")]
    pub database_url: String,

    /// Replaces the address if a pooler is in between.
    #[arg(long, env = "WAYPOST_DATABASE_DIRECT_URL", hide = true, hide_env_values = true)]
    pub database_direct_url: Option<String>,
}

/// The databases to which `waypost move` copies.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum MoveTarget {
    Postgres,
    Sqlite,
}

/// Arguments of `waypost doctor oidc`.
#[derive(Debug, Args)]
pub(crate) struct DoctorOidcArgs {
    /// Settings and format.
    #[command(flatten)]
    pub check: CheckArgs,
    /// Sign in with a browser, and print the settings that work. PROVIDER is oidc-2 and so on for additional providers. Waypost must not be running, because the doctor listens at its address [default: oidc]
    #[arg(long, value_name = "PROVIDER", num_args = 0..=1, default_missing_value = "oidc", hide_default_value = true)]
    pub sign_in: Option<String>,
    /// Write the settings that work to this new file, which only its owner can read
    #[arg(long, value_name = "FILE", requires = "sign_in")]
    pub write: Option<PathBuf>,
    /// Replace an existing file
    #[arg(long, requires = "write")]
    pub force: bool,
}

/// The server to call and the access token.
#[derive(Debug, Args)]
pub(crate) struct ServerArgs {
    /// URL of the server
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
    pub token: Option<String>,
}

/// Arguments of `waypost tours`.
#[derive(Debug, Args)]
pub(crate) struct ToursArgs {
    /// Server and token.
    #[command(flatten)]
    pub server: ServerArgs,
    /// Slug of a workspace [default: all workspaces that you belong to]
    #[arg(long)]
    pub workspace: Option<String>,
    /// Print JSON instead of a table
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `waypost release`.
#[derive(Debug, Args)]
pub(crate) struct ReleaseArgs {
    /// Slug of the tour
    pub tour: String,
    /// Server and token.
    #[command(flatten)]
    pub server: ServerArgs,
    /// Slug of the tour's workspace
    #[arg(long)]
    pub workspace: String,
    /// Name of the site
    #[arg(long)]
    pub site: String,
    /// Percentage of visitors who can see the tour, 0 to 100 [default: as in the current release, otherwise 100]
    #[arg(long, value_name = "PERCENT")]
    pub rollout: Option<i32>,
    /// Percentage of visitors in the holdout, who never see the tour, 0 to 50 [default: as in the current release, otherwise 0]
    #[arg(long, value_name = "PERCENT")]
    pub holdout: Option<i32>,
    /// Key of the goal that the tour should increase [default: as in the current release, otherwise none]
    #[arg(long, value_name = "KEY")]
    pub goal: Option<String>,
    /// Remove the goal of the current release
    #[arg(long, conflicts_with = "goal")]
    pub no_goal: bool,
    /// Start of the release, for example 2026-12-01T09:00:00Z, or `now` [default: as in the current release, otherwise now]
    #[arg(long, value_name = "INSTANT")]
    pub starts_at: Option<String>,
    /// End of the release, or `never` [default: as in the current release, otherwise never]
    #[arg(long, value_name = "INSTANT")]
    pub ends_at: Option<String>,
    /// Ends active runs, so that these visitors start again
    #[arg(long)]
    pub end_active_runs: bool,
    /// Note for the release history
    #[arg(long)]
    pub note: Option<String>,
    /// Release without confirmation; required in a terminal
    #[arg(long)]
    pub yes: bool,
}

/// Common arguments of `pull`, `push` and `diff`.
#[derive(Debug, Args)]
pub(crate) struct ContentArgs {
    /// Slugs of tours [default: for pull, all tours of the workspace that are not archived; otherwise all files]
    pub tours: Vec<String>,
    /// Server and token.
    #[command(flatten)]
    pub server: ServerArgs,
    /// Slug of the workspace
    #[arg(long)]
    pub workspace: String,
    /// Folder of the files, named `<slug>.yml`
    #[arg(long, default_value = "tours", value_name = "FOLDER")]
    pub dir: PathBuf,
}

/// Arguments of `waypost pull`.
#[derive(Debug, Args)]
pub(crate) struct PullArgs {
    /// Common arguments.
    #[command(flatten)]
    pub content: ContentArgs,
    /// Overwrite files that were changed locally
    #[arg(long)]
    pub force: bool,
}

/// Arguments of `waypost push`.
#[derive(Debug, Args)]
pub(crate) struct PushArgs {
    /// Common arguments.
    #[command(flatten)]
    pub content: ContentArgs,
    /// Dry run: list what would be saved; exits with 6 if there is anything to save
    #[arg(long)]
    pub check: bool,
    /// Overwrite drafts that were changed since the file was pulled
    #[arg(long)]
    pub force: bool,
}
