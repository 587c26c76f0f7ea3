import { freePort, startServer } from '../../../.scripts/lib/processes.mjs';
import { serverEnvironment } from '../../dev/environment.mjs';
import { enterPassword } from '../people';
import type { IdentityProvider } from './provider';

export async function startDevelopment(origins: readonly string[]): Promise<IdentityProvider> {
  const port = await freePort();
  const issuer = `http://localhost:${port}`;
  const args = ['client/dev/identity-provider.mjs', '--tests', '--port', String(port)];
  for (const origin of origins) args.push('--origin', origin);
  const child = await startServer(process.execPath, args, { url: `${issuer}/.well-known/openid-configuration` });
  const settings = Object.entries(serverEnvironment({ port: 0, providerPort: port, data: '' }));
  return {
    issuer,
    settings: Object.fromEntries(settings.filter(([name]) => name.startsWith('WAYPOST_OIDC_'))),
    otherAudience: { WAYPOST_OIDC_AUDIENCE: 'urn:other:api' },
    continueInNewTab: null,
    enterPassword,
    // The ID token hint suffices, without confirmation.
    confirmSignOut: async () => {},
    isTokenActive: null,
    rotateKeys: async () => {
      const response = await fetch(`${issuer}/test`, { method: 'POST', body: JSON.stringify({ keys: 'replace' }) });
      if (!response.ok) throw new Error(`The identity provider did not replace its keys: status ${response.status}`);
    },
    stop: child.stop,
  };
}
