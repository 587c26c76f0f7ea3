import { expect, test } from './fixtures';
import { chooseFromSession, signIn } from './people';

test.use({ settings: { WAYPOST_OIDC_LOGOUT: 'popup' } });

test('the window closes, and the provider requires the password again', async ({ page, waypost }) => {
  await signIn(page, 'viewer', '/workspaces');
  await waypost.control({ forget: true });
  const opened = page.waitForEvent('popup');
  await chooseFromSession(page, 'Sign out');
  const popup = await opened;
  if (!popup.isClosed()) await popup.waitForEvent('close');
  await expect(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible();
  expect((await waypost.requests()).map(({ path }) => path)).toContain('/session/end');
  await page.getByRole('button', { name: /^Sign in with .+(?<!new window)$/ }).click();
  await expect(page.getByLabel('Password')).toBeVisible();
});
