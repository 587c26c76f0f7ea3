import { expect, test } from './fixtures';
import { enterPassword, expectSignedIn, signIn, signOut } from './people';

test.use({ settings: { WAYPOST_OIDC_LOGOUT: 'frame' } });

test('the provider requires the password after signing out', async ({ page, waypost }) => {
  await signIn(page, 'viewer', '/workspaces');
  await waypost.control({ forget: true });
  await signOut(page);
  const ended = (await waypost.requests()).find(({ path }) => path === '/session/end');
  expect(ended).toMatchObject({ frame: true });
  await page.getByRole('button', { name: /^Sign in with .+(?<!new window)$/ }).click();
  await expect(page.getByLabel('Password')).toBeVisible();
  await enterPassword(page, 'author');
  await expectSignedIn(page, 'author');
});
