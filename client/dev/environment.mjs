// How the server is told about the identity provider for development: the only place that knows, for start, dev and
// tests.

/** The secret of the client `waypost-secret`. */
export const SECRET = 'development only';

/** The settings of the server beside the identity provider for development, as environment variables. */
export function serverEnvironment({ port, providerPort, data, clientId = 'waypost' }) {
  return {
    PORT: String(port),
    WAYPOST_DATA: data,
    // The sample workspace, in which the accounts of the provider have the roles that it says.
    WAYPOST_SAMPLE: '1',
    WAYPOST_OIDC_ROLES_WORKSPACE: 'acme',
    WAYPOST_OIDC_ISSUER: `http://localhost:${providerPort}`,
    WAYPOST_OIDC_NAME: 'Waypost development',
    WAYPOST_OIDC_CLIENT_ID: clientId,
    WAYPOST_OIDC_RESOURCE: 'urn:waypost:api',
    WAYPOST_OIDC_SCOPE: 'openid profile email offline_access',
  };
}
