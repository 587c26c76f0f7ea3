//! Options of the first identity provider. Additional providers are configured by numbered environment variables only.

use clap::Args;

/// Settings of an identity provider as unparsed strings.
#[derive(Debug, Default, Clone, Args)]
#[command(next_help_heading = "Identity provider (OpenID Connect)")]
pub struct OidcSettings {
    /// Defaults for a provider: entra, google, auth0, okta, cognito, apple, keycloak, zitadel, authentik or gitlab [default: generic]
    #[arg(
        long = "oidc-preset",
        env = "WAYPOST_OIDC_PRESET",
        hide_env_values = true,
        value_name = "NAME"
    )]
    pub preset: Option<String>,

    /// Issuer, exactly as its discovery document spells it; required unless the preset has a fixed issuer
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

    /// Accepted audiences of access tokens, separated by commas [default: the preset's, or the resource]
    #[arg(
        long = "oidc-audience",
        env = "WAYPOST_OIDC_AUDIENCE",
        hide_env_values = true,
        value_name = "NAMES"
    )]
    pub audience: Option<String>,

    /// Claim that contains the audience: `aud`, or `client_id` for Amazon Cognito [default: the preset's, or aud]
    #[arg(
        long = "oidc-audience-claim",
        env = "WAYPOST_OIDC_AUDIENCE_CLAIM",
        hide_env_values = true,
        value_name = "CLAIM"
    )]
    pub audience_claim: Option<String>,

    /// Scopes that the client requests [default: the preset's, or openid profile email]
    #[arg(
        long = "oidc-scope",
        env = "WAYPOST_OIDC_SCOPE",
        hide_env_values = true,
        value_name = "SCOPES"
    )]
    pub scope: Option<String>,

    /// Resource indicator of this API (RFC 8707), if the provider requires one
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

    /// Verification of tokens: jwt, id_token, introspection or userinfo [default: the preset's, or jwt]
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

    /// Claims that contain roles: JSON pointers separated by commas [default: the preset's, or /roles, /realm_access/roles, /groups, /cognito:groups]
    #[arg(
        long = "oidc-roles",
        env = "WAYPOST_OIDC_ROLES",
        hide_env_values = true,
        value_name = "POINTERS"
    )]
    pub roles: Option<String>,

    /// Slug of the workspace in which these roles are granted [default: none; roles are assigned in Waypost]
    #[arg(
        long = "oidc-roles-workspace",
        env = "WAYPOST_OIDC_ROLES_WORKSPACE",
        hide_env_values = true,
        value_name = "SLUG"
    )]
    pub roles_workspace: Option<String>,

    /// 1: request name, e-mail, picture and roles from the userinfo endpoint if tokens lack them [default: the preset's, 1 for introspection, or 0]
    #[arg(
        long = "oidc-userinfo",
        env = "WAYPOST_OIDC_USERINFO",
        hide_env_values = true,
        value_name = "0|1"
    )]
    pub userinfo: Option<String>,

    /// Client id of this server for introspection [default: the web client's, if the preset uses introspection]
    #[arg(
        long = "oidc-introspection-client-id",
        env = "WAYPOST_OIDC_INTROSPECTION_CLIENT_ID",
        hide_env_values = true,
        value_name = "ID"
    )]
    pub introspection_client_id: Option<String>,

    /// Client secret for introspection; prefer the environment variable, because other users can see command lines
    #[arg(
        long = "oidc-introspection-secret",
        env = "WAYPOST_OIDC_INTROSPECTION_SECRET",
        hide_env_values = true,
        value_name = "SECRET"
    )]
    pub introspection_secret: Option<String>,

    /// URL of the introspection endpoint, if the discovery document does not contain it
    #[arg(
        long = "oidc-introspection-url",
        env = "WAYPOST_OIDC_INTROSPECTION_URL",
        hide_env_values = true,
        value_name = "URL"
    )]
    pub introspection_url: Option<String>,

    /// Additional parameters of the authorization request, for example `a=1&b=2`
    #[arg(
        long = "oidc-parameters",
        env = "WAYPOST_OIDC_PARAMETERS",
        hide_env_values = true,
        value_name = "QUERY"
    )]
    pub parameters: Option<String>,

    /// Session renewal methods in order of preference: refresh, frame, both separated by a comma, or click [default: the preset's, or refresh,frame]
    #[arg(
        long = "oidc-renewal",
        env = "WAYPOST_OIDC_RENEWAL",
        hide_env_values = true,
        value_name = "METHODS"
    )]
    pub renewal: Option<String>,

    /// Sign-out method: provider (leaves the page), popup or frame (at the provider, keeping the page open), cognito or local [default: the preset's, or provider]
    #[arg(
        long = "oidc-logout",
        env = "WAYPOST_OIDC_LOGOUT",
        hide_env_values = true,
        value_name = "KIND"
    )]
    pub logout: Option<String>,

    /// 1: signing out at the provider also ends the session in Waypost within seconds; requires a provider on the same site, because frames need its cookies
    #[arg(
        long = "oidc-monitor",
        env = "WAYPOST_OIDC_MONITOR",
        hide_env_values = true,
        value_name = "0|1"
    )]
    pub monitor: Option<String>,

    /// 1: accept sign-outs that the provider reports at /auth/backchannel-logout, which end the session in Waypost within a second
    #[arg(
        long = "oidc-backchannel-logout",
        env = "WAYPOST_OIDC_BACKCHANNEL_LOGOUT",
        hide_env_values = true,
        value_name = "0|1"
    )]
    pub backchannel_logout: Option<String>,

    /// Require a recent sign-in before critical changes: on or off; requires the claim `auth_time` in access tokens [default: off]
    #[arg(
        long = "oidc-step-up",
        env = "WAYPOST_OIDC_STEP_UP",
        hide_env_values = true,
        value_name = "on|off"
    )]
    pub step_up: Option<String>,

    /// Require a sign-in of one of these classes before critical changes: values of the claim `acr` in access tokens, in order of preference, separated by spaces
    #[arg(
        long = "oidc-acr-values",
        env = "WAYPOST_OIDC_ACR_VALUES",
        hide_env_values = true,
        value_name = "VALUES"
    )]
    pub acr_values: Option<String>,

    /// 1: bind access tokens to a key of the browser (DPoP, RFC 9449) and reject others, so that stolen tokens are useless; the provider must support it
    #[arg(
        long = "oidc-dpop",
        env = "WAYPOST_OIDC_DPOP",
        hide_env_values = true,
        value_name = "0|1"
    )]
    pub dpop: Option<String>,

    /// Roles for the provider's groups and roles with other names, for example `staff=acme:viewer; ops=shop:admin`
    #[arg(
        long = "oidc-grants",
        env = "WAYPOST_OIDC_GRANTS",
        hide_env_values = true,
        value_name = "RULES"
    )]
    pub grants: Option<String>,

    /// 1: relay token requests through this server, which adds the client secret; for Google, Apple and providers without CORS
    #[arg(
        long = "oidc-relay",
        env = "WAYPOST_OIDC_RELAY",
        hide_env_values = true,
        value_name = "0|1"
    )]
    pub relay: Option<String>,

    /// Client secret of the web client, for the relay; prefer the environment variable
    #[arg(
        long = "oidc-client-secret",
        env = "WAYPOST_OIDC_CLIENT_SECRET",
        hide_env_values = true,
        value_name = "SECRET"
    )]
    pub client_secret: Option<String>,

    /// Client authentication of the relay: post or basic [default: post]
    #[arg(
        long = "oidc-client-auth",
        env = "WAYPOST_OIDC_CLIENT_AUTH",
        hide_env_values = true,
        value_name = "METHOD"
    )]
    pub client_auth: Option<String>,

    /// Apple team id, for the relay
    #[arg(
        long = "oidc-apple-team-id",
        env = "WAYPOST_OIDC_APPLE_TEAM_ID",
        hide_env_values = true,
        value_name = "ID"
    )]
    pub apple_team_id: Option<String>,

    /// Apple key id, for the relay
    #[arg(
        long = "oidc-apple-key-id",
        env = "WAYPOST_OIDC_APPLE_KEY_ID",
        hide_env_values = true,
        value_name = "ID"
    )]
    pub apple_key_id: Option<String>,

    /// File with the Apple key (.p8), for the relay
    #[arg(
        long = "oidc-apple-key-file",
        env = "WAYPOST_OIDC_APPLE_KEY_FILE",
        hide_env_values = true,
        value_name = "FILE"
    )]
    pub apple_key_file: Option<String>,
}
