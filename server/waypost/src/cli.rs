//! The command line and the environment, as texts. What they mean is decided in `config.rs`, which reports all problems at
//! once; clap would stop at the first.

use clap::{Args, Parser, Subcommand};

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
                        `waypost tours` and `waypost release` read the access token from WAYPOST_TOKEN.")]
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

    /// The identity provider.
    #[command(flatten)]
    pub oidc: OidcSettings,
}

/// The identity provider's settings, unread.
#[derive(Debug, Default, Clone, Args)]
#[command(next_help_heading = "Identity provider (OpenID Connect)")]
pub struct OidcSettings {
    /// The issuer, exactly as its discovery document spells it; required
    #[arg(
        long = "oidc-issuer",
        env = "WAYPOST_OIDC_ISSUER",
        hide_env_values = true,
        value_name = "URL"
    )]
    pub issuer: Option<String>,

    /// Client id of the web client at the provider; required
    #[arg(
        long = "oidc-client-id",
        env = "WAYPOST_OIDC_CLIENT_ID",
        hide_env_values = true,
        value_name = "ID"
    )]
    pub client_id: Option<String>,

    /// Whom access tokens must be made for, several separated by commas [default: the resource]
    #[arg(
        long = "oidc-audience",
        env = "WAYPOST_OIDC_AUDIENCE",
        hide_env_values = true,
        value_name = "NAMES"
    )]
    pub audience: Option<String>,

    /// Claim that names the audience: `aud`, or `client_id` for Amazon Cognito [default: aud]
    #[arg(
        long = "oidc-audience-claim",
        env = "WAYPOST_OIDC_AUDIENCE_CLAIM",
        hide_env_values = true,
        value_name = "CLAIM"
    )]
    pub audience_claim: Option<String>,

    /// Scopes that the client asks for [default: openid profile email]
    #[arg(
        long = "oidc-scope",
        env = "WAYPOST_OIDC_SCOPE",
        hide_env_values = true,
        value_name = "SCOPES"
    )]
    pub scope: Option<String>,

    /// Resource indicator of this API (RFC 8707), where the provider wants one
    #[arg(
        long = "oidc-resource",
        env = "WAYPOST_OIDC_RESOURCE",
        hide_env_values = true,
        value_name = "URI"
    )]
    pub resource: Option<String>,

    /// Name of the provider on the sign-in page [default: its host]
    #[arg(
        long = "oidc-name",
        env = "WAYPOST_OIDC_NAME",
        hide_env_values = true,
        value_name = "NAME"
    )]
    pub name: Option<String>,

    /// How tokens are checked: jwt, id_token, introspection or userinfo [default: jwt]
    #[arg(
        long = "oidc-token",
        env = "WAYPOST_OIDC_TOKEN",
        hide_env_values = true,
        value_name = "KIND"
    )]
    pub token: Option<String>,

    /// Scope that every token must have
    #[arg(
        long = "oidc-required-scope",
        env = "WAYPOST_OIDC_REQUIRED_SCOPE",
        hide_env_values = true,
        value_name = "SCOPE"
    )]
    pub required_scope: Option<String>,

    /// Where roles stand in tokens: JSON pointers separated by commas [default: /roles, /realm_access/roles, /groups, /cognito:groups]
    #[arg(
        long = "oidc-roles",
        env = "WAYPOST_OIDC_ROLES",
        hide_env_values = true,
        value_name = "POINTERS"
    )]
    pub roles: Option<String>,

    /// Slug of the workspace in which those roles are granted [default: none, roles are given in Waypost]
    #[arg(
        long = "oidc-roles-workspace",
        env = "WAYPOST_OIDC_ROLES_WORKSPACE",
        hide_env_values = true,
        value_name = "SLUG"
    )]
    pub roles_workspace: Option<String>,

    /// 1: ask the userinfo endpoint for what tokens do not tell (name, e-mail, picture, roles)
    #[arg(
        long = "oidc-userinfo",
        env = "WAYPOST_OIDC_USERINFO",
        hide_env_values = true,
        value_name = "0|1"
    )]
    pub userinfo: Option<String>,

    /// Client id of this server for introspection
    #[arg(
        long = "oidc-introspection-client-id",
        env = "WAYPOST_OIDC_INTROSPECTION_CLIENT_ID",
        hide_env_values = true,
        value_name = "ID"
    )]
    pub introspection_client_id: Option<String>,

    /// Its secret; better given by the environment, because other users of the machine see command lines
    #[arg(
        long = "oidc-introspection-secret",
        env = "WAYPOST_OIDC_INTROSPECTION_SECRET",
        hide_env_values = true,
        value_name = "SECRET"
    )]
    pub introspection_secret: Option<String>,

    /// Introspection endpoint, where discovery does not name it
    #[arg(
        long = "oidc-introspection-url",
        env = "WAYPOST_OIDC_INTROSPECTION_URL",
        hide_env_values = true,
        value_name = "URL"
    )]
    pub introspection_url: Option<String>,
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
    /// A note for the release's history
    #[arg(long)]
    pub note: Option<String>,
}
