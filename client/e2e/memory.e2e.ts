import { expect, test } from './fixtures';
import { expectNotice, expectSignedIn, renewSession, signIn, signOut } from './people';

test.use({ settings: { WAYPOST_TOKEN_STORE: 'memory' } });

test('no storage contains a token, and a reload obtains new ones from the provider’s session', async ({
  page,
  waypost,
}) => {
  const stored = () => page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
  await signIn(page, 'viewer', '/workspaces');
  expect(await stored()).not.toMatch(/eyJ|access_token|refresh_token/);
  await renewSession(page, 'Renew session with refresh token');
  await expectNotice(page, 'Session renewed with the refresh token.');
  await waypost.control({ forget: true });
  await page.reload();
  await expectSignedIn(page, 'viewer');
  expect((await waypost.requests()).find(({ path }) => path === '/auth')).toMatchObject({
    prompt: 'none',
    frame: true,
  });
  expect(await stored()).not.toMatch(/eyJ|access_token|refresh_token/);
  await signOut(page);
  await page.goto('/workspaces');
  await expect(page.getByRole('heading', { name: 'Sign in to Waypost' })).toBeVisible();
});
