import { expect, test } from './fixtures';
import { expectNotice, expectSignedIn, renewSession, signIn } from './people';

test.use({ settings: { WAYPOST_OIDC_TOKEN: 'id_token', WAYPOST_OIDC_RESOURCE: '', WAYPOST_OIDC_RENEWAL: 'refresh' } });

test('a sign-in on another device does not end the session of the first', async ({
  page,
  browser,
  baseURL,
  waypost,
}) => {
  await waypost.control({ quirks: { authTime: 'account' } });
  await signIn(page, 'author', '/workspaces');
  const device = await browser.newContext(baseURL === undefined ? {} : { baseURL });
  await signIn(await device.newPage(), 'author', '/workspaces');
  await waypost.control({ forget: true });
  // Two renewals, because the first replaces the refresh token.
  for (let renewals = 0; renewals < 2; renewals += 1) {
    await renewSession(page, 'Renew session with refresh token');
    await expectNotice(page, 'Session renewed with the refresh token.');
    await page.reload();
    await expectSignedIn(page, 'author');
  }
  const calls = (await waypost.requests()).filter(({ path, method }) => path === '/token' && method === 'POST');
  expect(calls.map(({ status }) => status)).toEqual([200, 200]);
  await device.close();
});
