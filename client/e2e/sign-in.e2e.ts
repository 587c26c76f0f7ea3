import { expect, test } from './fixtures';
import { enterPassword, expectNotice, expectSignedIn, openRenewal, renewSession, signIn, signOut } from './people';

const inThisTab = /^Sign in with .+(?<!new window)$/;
const inWindow = /in a new window$/;

test('a full-page sign-in returns to the requested page', async ({ page }) => {
  await page.goto('/workspaces?from=mail#top');
  await page.getByRole('button', { name: inThisTab }).click();
  await enterPassword(page, 'admin');
  await expectSignedIn(page, 'admin');
  await expect(page).toHaveURL('/workspaces?from=mail#top');
  await page.reload();
  await expectSignedIn(page, 'admin');
});

test('a wrong password shows an error and keeps the name', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: inThisTab }).click();
  await page.getByLabel('Name', { exact: true }).fill('admin');
  await page.getByLabel('Password').fill('wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).toContainText('No account has this name and password');
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('admin');
});

test('a sign-in in a window keeps the page', async ({ page }) => {
  await page.goto('/workspaces');
  const [popup] = await Promise.all([page.waitForEvent('popup'), page.getByRole('button', { name: inWindow }).click()]);
  await expect(page.getByText(/in the new window/)).toBeVisible();
  const closed = popup.waitForEvent('close');
  await enterPassword(popup, 'author');
  await closed;
  await expectSignedIn(page, 'author');
  expect(new URL(page.url()).pathname).toBe('/workspaces');
});

test('sign-in can continue in the tab after the window was closed', async ({ page }) => {
  await page.goto('/');
  const [popup] = await Promise.all([page.waitForEvent('popup'), page.getByRole('button', { name: inWindow }).click()]);
  await popup.close();
  await page.getByRole('button', { name: 'Continue in this tab' }).click();
  await enterPassword(page, 'viewer');
  await expectSignedIn(page, 'viewer');
});

test('a token is renewed with the refresh token and in a hidden frame', async ({ page, waypost }) => {
  await signIn(page, 'admin');
  await waypost.control({ forget: true });
  await renewSession(page, 'Renew session with refresh token');
  await expectNotice(page, 'Session renewed with the refresh token.');
  expect((await waypost.requests()).map(({ path }) => path)).not.toContain('/auth');

  await waypost.control({ forget: true });
  await renewSession(page, 'Renew session in hidden frame');
  await expectNotice(page, 'Session renewed in a hidden frame.');
  const request = (await waypost.requests()).find(({ path }) => path === '/auth');
  expect(request).toMatchObject({ prompt: 'none', frame: true });
});

test('four concurrent renewals send one request', async ({ page, waypost }) => {
  await signIn(page, 'admin');
  await waypost.control({ forget: true });
  const button = await openRenewal(page, 'Renew session with refresh token');
  await button.evaluate((element: HTMLElement) => {
    for (let clicks = 0; clicks < 4; clicks += 1) element.click();
  });
  await expectNotice(page, 'Session renewed with the refresh token.');
  const calls = (await waypost.requests()).filter(({ path, method }) => path === '/token' && method === 'POST');
  expect(calls.map(({ status }) => status)).toEqual([200]);
});

test('a sign-out ends the session in this tab, in other tabs and at the provider', async ({ page, context }) => {
  await signIn(page, 'publisher');
  const other = await context.newPage();
  await other.goto('/');
  // From the first tab, without a click.
  await expectSignedIn(other, 'publisher');
  await signOut(page);
  await expect(other.getByRole('heading', { name: 'Sign in to Waypost' })).toBeVisible();
  await page.goto('/');
  await page.getByRole('button', { name: inThisTab }).click();
  await expect(page.getByLabel('Password')).toBeVisible();
});

test('a sign-out works while the provider is down', async ({ page, waypost }) => {
  await signIn(page, 'author');
  await waypost.control({ outage: true });
  await signOut(page);
  await waypost.control({ outage: false });
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain('access_token');
});

test('a provider outage is reported, and the next attempt works', async ({ page, waypost }) => {
  await page.goto('/');
  await expect(page.getByRole('button', { name: inThisTab })).toBeVisible();
  await waypost.control({ outage: true });
  await page.getByRole('button', { name: inThisTab }).click();
  await expect(page.getByRole('alert')).toContainText('isn’t responding');
  await waypost.control({ outage: false });
  await page.getByRole('button', { name: inThisTab }).click();
  await enterPassword(page, 'viewer');
  await expectSignedIn(page, 'viewer');
});

test('tokens are neither in localStorage nor in the address or the page', async ({ page }) => {
  await signIn(page, 'admin');
  const stored = await page.evaluate(() => JSON.stringify({ ...localStorage }));
  expect(stored).not.toMatch(/eyJ|token/);
  expect(page.url()).not.toMatch(/code=|token/);
  expect(await page.content()).not.toContain('eyJ');
});

test('an old authorization response in the address redirects home without an error', async ({ page }) => {
  await signIn(page, 'admin');
  await page.goto('/auth/callback?code=used&state=unknown');
  await expectSignedIn(page, 'admin');
  await expect.poll(() => new URL(page.url()).search).toBe('');
});
