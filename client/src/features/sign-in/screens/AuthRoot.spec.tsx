import { UserManager } from 'oidc-client-ts';
import { StrictMode } from 'react';
import { expect, it, vi } from 'vitest';
import { render, screen } from '../../../shared/testing';
import { activeProvider } from '../session/session';
import { AuthRoot } from './AuthRoot';

it('StrictMode, which mounts everything twice, gets one start and one manager', async () => {
  const provider = {
    __typename: 'Provider',
    id: 'acme',
    name: 'Acme',
    issuer: 'https://id.example',
    issuerAliases: [],
    clientId: 'waypost',
    scope: 'openid',
    resource: null,
    parameters: [],
    metadataUrl: null,
    token: 'ACCESS_TOKEN',
    tokenPrefix: null,
    renewals: ['FRAME'],
    logout: 'PROVIDER',
    revocation: true,
    monitored: false,
    dpop: false,
  };
  const instance = {
    __typename: 'Instance',
    version: '1',
    demo: false,
    sourceUrl: 'https://source.example',
    ownSiteKey: null,
    tokenStore: 'MEMORY',
    embed: null,
    providers: [provider],
  };
  const fetchInstance = vi.fn<() => Promise<Response>>(async () => Response.json({ data: { instance } }));
  vi.stubGlobal('fetch', fetchInstance);
  // Each manager starts its automatic renewal once.
  const startRenewal = vi.spyOn(UserManager.prototype, 'startSilentRenew');
  render(
    <StrictMode>
      <AuthRoot onReturn={() => {}}>
        <p>The application</p>
      </AuthRoot>
    </StrictMode>,
  );
  await screen.findByText('The application');
  expect(fetchInstance).toHaveBeenCalledOnce();
  expect(startRenewal).toHaveBeenCalledOnce();
  expect(activeProvider()?.provider).toMatchObject({ id: 'acme', tokenStore: 'MEMORY' });
});
