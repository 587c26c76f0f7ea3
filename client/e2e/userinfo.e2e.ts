/** The name of the user in the menu, from a provider whose ID tokens have none. */
import { SECRET } from '../dev/environment.mjs';
import { expect, test } from './fixtures';
import { enterPassword, expectSignedIn, signIn } from './people';

const ID_TOKEN = { WAYPOST_OIDC_RESOURCE: '', WAYPOST_OIDC_TOKEN: 'id_token' };

test.describe('directly', () => {
  test.use({ settings: ID_TOKEN });

  test('the menu has the name that only userinfo contains, also after a reload', async ({ page, waypost }) => {
    await waypost.control({ quirks: { names: 'userinfo' } });
    await signIn(page, 'author');
    await page.reload();
    await expectSignedIn(page, 'author');
  });

  for (const quirks of [{ unavailable: 'userinfo' }, { hangs: 'userinfo' }, { userinfoSubject: 'different' }])
    test(`a sign-in works without a name: ${Object.entries(quirks).flat().join(' ')}`, async ({ page, waypost }) => {
      await waypost.control({ quirks: { names: 'userinfo', ...quirks } });
      const requested = page.waitForRequest(`${waypost.provider}/me`);
      await page.goto('/');
      await page.getByRole('button', { name: /^Sign in with .+(?<!new window)$/ }).click();
      await enterPassword(page, 'author');
      await requested;
      await expect(page.getByRole('button', { name: 'Account menu', exact: true })).toBeVisible();
      await expect(page.getByRole('alert')).toHaveCount(0);
    });
});

test.describe('through the relay', () => {
  const settings = { ...ID_TOKEN, WAYPOST_OIDC_RELAY: '1', WAYPOST_OIDC_CLIENT_SECRET: SECRET };
  test.use({ clientId: 'waypost-secret', settings });

  test('the menu has the name that only userinfo contains', async ({ page, waypost }) => {
    await waypost.control({ quirks: { names: 'userinfo', withoutCors: 'userinfo' } });
    await signIn(page, 'author');
  });
});
