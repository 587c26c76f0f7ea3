import './start-session';
import { User } from 'oidc-client-ts';
import { expect, it } from 'vitest';
import { Viewer } from '../../generated/documents/Viewer';
import { authSession } from '../../shared/api/auth-session';
import { client } from '../../shared/api/client';
import { managerOf, type Provider } from './providers';
import { beginSession } from './session';

const provider: Provider = {
  id: 'acme',
  name: 'Acme',
  issuer: 'https://id.example',
  clientId: 'waypost',
  scope: 'openid',
};

const userNamed = (sub: string) =>
  new User({
    access_token: sub,
    token_type: 'Bearer',
    profile: { iss: provider.issuer, aud: 'waypost', sub, exp: 0, iat: 0 },
    expires_at: Math.floor(Date.now() / 1000) + 300,
  });

it('the next person at a tab finds an empty cache', async () => {
  const manager = managerOf(provider);
  await manager.storeUser(userNamed('ada'));
  await beginSession([provider]);
  client.writeQuery({
    query: Viewer,
    data: { viewer: { account: { id: 'a', name: 'Ada', email: null, avatarUrl: null }, memberships: [] } },
  });
  const ada = authSession.person();
  expect(JSON.stringify(client.extract())).toContain('Ada');
  await manager.events.load(userNamed('bob'));
  expect(client.extract()).toEqual({});
  expect(authSession.person()).not.toBe(ada);
});
