import './start-session';
import { expect, it } from 'vitest';
import { Viewer } from '../../../generated/documents/Viewer';
import { authSession } from '../../../shared/api/auth-session';
import { client } from '../../../shared/api/client';
import { provider, userOf } from '../oidc/fixtures';
import { managerOf } from '../oidc/providers';
import { beginSession } from './session';

it('clears the cache when another account signs in', async () => {
  const manager = managerOf(provider);
  await manager.storeUser(userOf('ada', 'ada'));
  await beginSession([provider]);
  client.writeQuery({
    query: Viewer,
    data: {
      viewer: {
        account: { id: 'a', name: 'Ada', email: null, avatarUrl: null },
        mayCreateWorkspaces: true,
        memberships: [],
      },
    },
  });
  const ada = authSession.accountKey();
  expect(JSON.stringify(client.extract())).toContain('Ada');
  await manager.events.load(userOf('bob', 'bob'));
  expect(client.extract()).toEqual({});
  expect(authSession.accountKey()).not.toBe(ada);
});
