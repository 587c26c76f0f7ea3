import { expect, test } from './fixtures';
import { enterPassword } from './people';

test.use({ clientId: 'waypost-secret' });

const MESSAGE =
  'responded, but this page can’t read the response. It may be temporarily unavailable: try again in a moment. If it keeps failing, ask your administrator to run “waypost doctor oidc”';

test('a blocked token response is explained, for sign-in in this tab and in a window', async ({ page }) => {
  await page.goto('/workspaces');
  await page.getByRole('button', { name: /^Sign in with .+(?<!new window)$/ }).click();
  await enterPassword(page, 'viewer');
  const alert = page.getByRole('alert');
  await expect(alert).toContainText(MESSAGE);
  await page.getByText('Details', { exact: true }).click();
  await expect(page.getByText('CorsError')).toContainText('CORS');
  // The provider already has a session, so the window closes automatically.
  await page.goto('/workspaces');
  await page.getByRole('button', { name: /in a new window$/ }).click();
  await expect(alert).toContainText(MESSAGE);
});

test('the doctor reports that sign-in is impossible and suggests the relay', async ({ waypost }) => {
  const { code, output } = await waypost.run(['doctor', 'oidc'], { WAYPOST_PUBLIC_URL: waypost.origin });
  expect(code).toBe(1);
  expect(output).toMatch(/WAYPOST_OIDC_RELAY=1/);
});
