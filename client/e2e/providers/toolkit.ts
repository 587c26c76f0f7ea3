/** toolkit/app.py. Opaque tokens are introspected. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startServer } from '../../../.scripts/lib/processes.mjs';
import { requireToolkit, TOOLKIT } from '../../../.scripts/lib/toolkit.mjs';
import { ACCOUNTS } from '../../dev/accounts.mjs';
import { newRsaKey } from '../../dev/signing-keys.mjs';
import { callbacks, type IdentityProvider, signedOutPages } from './provider';

const CLIENT = 'waypost';

/** May introspect tokens. */
const SERVER = { id: 'waypost-server', secret: 'for tests only' };

export async function startToolkit(origins: readonly string[]): Promise<IdentityProvider> {
  const python = await requireToolkit();
  const port = await freePort();
  const issuer = `http://localhost:${port}/o`;
  const folder = mkdtempSync(join(tmpdir(), 'waypost-toolkit-'));
  const clients = [
    { id: CLIENT, secret: null, redirects: callbacks(origins), afterSignOut: signedOutPages(origins), origins },
    { ...SERVER, redirects: [], afterSignOut: [], origins: [] },
  ];
  const startProvider = () => {
    const input = { port, database: join(folder, 'toolkit.db'), key: newKey(), accounts: ACCOUNTS, clients };
    const url = `${issuer}/.well-known/openid-configuration`;
    // Allows http, which oauthlib rejects by default.
    const environment = { PYTHONDONTWRITEBYTECODE: '1', OAUTHLIB_INSECURE_TRANSPORT: '1' };
    return startServer(python, [join(TOOLKIT, 'app.py')], { env: environment, url, input: JSON.stringify(input) });
  };
  let child = await startProvider();
  return {
    issuer,
    settings: {
      WAYPOST_OIDC_ISSUER: issuer,
      WAYPOST_OIDC_NAME: 'Django',
      WAYPOST_OIDC_CLIENT_ID: CLIENT,
      WAYPOST_OIDC_SCOPE: 'openid profile email',
      WAYPOST_OIDC_TOKEN: 'introspection',
      WAYPOST_OIDC_INTROSPECTION_CLIENT_ID: SERVER.id,
      WAYPOST_OIDC_INTROSPECTION_SECRET: SERVER.secret,
      // Discovery lacks the endpoint, and its responses contain the client but no roles.
      WAYPOST_OIDC_INTROSPECTION_URL: `${issuer}/introspect/`,
      WAYPOST_OIDC_AUDIENCE_CLAIM: 'client_id',
      WAYPOST_OIDC_AUDIENCE: CLIENT,
      WAYPOST_OIDC_USERINFO: '1',
    },
    otherAudience: { WAYPOST_OIDC_AUDIENCE: 'another-client' },
    continueInNewTab: null,
    enterPassword: async (page, name) => {
      await page.getByLabel('Username').fill(name);
      await page.getByLabel('Password').fill(name);
      await page.getByRole('button', { name: 'Sign in' }).click();
    },
    // The ID token hint suffices, without confirmation.
    confirmSignOut: async () => {},
    isTokenActive: async token => {
      const response = await fetch(`${issuer}/introspect/`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`${SERVER.id}:${SERVER.secret}`)}` },
        body: new URLSearchParams({ token }),
      });
      return ((await response.json()) as { active: boolean }).active;
    },
    rotateKeys: async () => {
      await child.stop();
      child = await startProvider();
    },
    stop: async () => {
      await child.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function newKey(): string {
  return newRsaKey().export({ type: 'pkcs8', format: 'pem' }).toString();
}
