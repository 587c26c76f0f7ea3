export const SECRET = 'development only';

export function serverEnvironment({ port, providerPort, data, clientId = 'waypost', sample = 'tours' }) {
  return {
    PORT: String(port),
    WAYPOST_DATA: data,
    // Creates the sample workspace, and grants the provider's roles in it.
    WAYPOST_SAMPLE: sample,
    WAYPOST_OIDC_ROLES_WORKSPACE: 'acme',
    WAYPOST_OIDC_ISSUER: `http://localhost:${providerPort}`,
    WAYPOST_OIDC_NAME: 'Waypost development',
    WAYPOST_OIDC_CLIENT_ID: clientId,
    WAYPOST_OIDC_RESOURCE: 'urn:waypost:api',
    WAYPOST_OIDC_SCOPE: 'openid profile email offline_access',
  };
}
