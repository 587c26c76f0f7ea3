/** A provider whose token endpoint lets no page read its answers, and no token relay: what people see, and what the doctor says. */
import { expect, test } from './fixtures';
import { enterPassword } from './people';

test.use({ clientId: 'waypost-secret' });

const SAID =
  'responded, but this page isn’t allowed to read the response. Try again; if it keeps failing, ask your administrator to run “waypost doctor oidc”';

test('in this tab and in a window it is said that the answer may not be read, and what to do', async ({ page }) => {
  await page.goto('/workspaces');
  await page.getByRole('button', { name: /^Sign in with .+(?<!new window)$/ }).click();
  await enterPassword(page, 'viewer');
  const said = page.getByRole('alert');
  await expect(said).toContainText(SAID);
  await page.getByText('Details', { exact: true }).click();
  await expect(page.getByText('UnreadableError')).toContainText('CORS');
  // The provider knows the person by now, so the window closes by itself.
  await page.goto('/workspaces');
  await page.getByRole('button', { name: /in a new window$/ }).click();
  await expect(said).toContainText(SAID);
});

test('the doctor says that nobody can sign in so, and what to use instead', async ({ waypost }) => {
  const { code, printed } = await waypost.run(['doctor', 'oidc'], { WAYPOST_PUBLIC_URL: waypost.origin });
  expect(code).toBe(1);
  expect(printed).toMatch(/WAYPOST_OIDC_RELAY=1/);
});
