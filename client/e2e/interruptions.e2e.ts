/** What people do in the middle of a sign-in or a renewal: reload, go back, close, wait, sleep, take another tab. */
import { expect, test } from './fixtures';
import { chooseFromSession, enterPassword, expectNotice, expectSignedIn, signIn } from './people';

const inThisTab = /^Sign in with .+(?<!new window)$/;
const inWindow = /in a new window$/;

test.afterEach(async ({ waypost }) => {
  await waypost.control({ slow: 0, outage: false });
});

test('a reload at the provider, and one on the way back, change nothing', async ({ page }) => {
  await page.goto('/workspaces?from=mail');
  await page.getByRole('button', { name: inThisTab }).click();
  await expect(page.getByLabel('Password')).toBeVisible();
  await page.reload();
  // The answer is reloaded before the application takes it.
  let reloaded = 0;
  await page.route('**/token', async route => {
    reloaded += 1;
    if (reloaded > 1) return route.fallback();
    await route.abort();
    return page.reload();
  });
  await enterPassword(page, 'viewer');
  // A code works once, and its verifier is gone with the first try: the provider, which knows the person by now, is asked
  // for another one in a frame.
  await expectSignedIn(page, 'viewer');
  await expect(page).toHaveURL('/workspaces?from=mail');
});

test('back leads to the provider, forward to the session, and neither goes in circles', async ({ page, waypost }) => {
  await signIn(page, 'viewer', '/workspaces');
  await page.goto('/w/acme/tours');
  await waypost.control({ forget: true });
  await page.goBack();
  await expectSignedIn(page, 'viewer');
  expect(new URL(page.url()).pathname).toBe('/workspaces');
  await page.goBack();
  await page.goForward();
  await expectSignedIn(page, 'viewer');
  await page.waitForLoadState('networkidle');
  expect((await waypost.requests()).filter(({ path }) => path === '/token')).toEqual([]);
});

test('a page that is reloaded while its window is open signs in with the next click', async ({ page }) => {
  await page.goto('/workspaces');
  const first = page.waitForEvent('popup');
  await page.getByRole('button', { name: inWindow }).click();
  const window = await first;
  // Before it is there, the window belongs to the page, and goes with it.
  await expect(window.getByLabel('Password')).toBeVisible();
  await page.reload();
  await enterPassword(window, 'author');
  await expect(window.getByText('You can close this window.')).toBeVisible();
  const second = page.waitForEvent('popup');
  await page.getByRole('button', { name: inWindow }).click();
  await second;
  await expectSignedIn(page, 'author');
});

test('a reload during the renewal in a frame keeps the session', async ({ page, waypost }) => {
  await signIn(page, 'viewer', '/workspaces');
  await waypost.control({ slow: 1500 });
  const asked = page.waitForRequest(request => request.url().includes('prompt=none'));
  await chooseFromSession(page, 'Renew session in hidden frame');
  await asked;
  await page.reload();
  await waypost.control({ slow: 0 });
  await expectSignedIn(page, 'viewer');
  await chooseFromSession(page, 'Renew session with refresh token');
  await expectNotice(page, 'Session renewed with the refresh token.');
});

test('a frame that gets no answer is given up, and the session stays', async ({ page, waypost }) => {
  await page.clock.install();
  await signIn(page, 'viewer', '/workspaces');
  await waypost.control({ slow: 60_000, forget: true });
  const asked = page.waitForRequest(request => request.url().includes('prompt=none'));
  await chooseFromSession(page, 'Renew session in hidden frame');
  await asked;
  await page.clock.fastForward(9000);
  const failure = page.getByRole('dialog', { name: 'Session not renewed' });
  await expect(failure.getByRole('alert')).toContainText('isn’t responding');
  await failure.getByText('Details', { exact: true }).click();
  await expect(failure).toContainText('Timeout');
  await page.keyboard.press('Escape');
  await expectSignedIn(page, 'viewer');
});

test('a renewal window that is closed by hand is noticed, and the next one renews', async ({ page, context }) => {
  await signIn(page, 'viewer', '/workspaces');
  const cookies = await context.cookies();
  await context.clearCookies();
  const opened = page.waitForEvent('popup');
  await chooseFromSession(page, 'Renew session in a window');
  const window = await opened;
  await expect(window.getByLabel('Password')).toBeVisible();
  await window.close();
  const failure = page.getByRole('dialog', { name: 'Session not renewed' });
  await expect(failure.getByRole('alert')).toContainText('The sign-in window was closed');
  await context.addCookies(cookies);
  await failure.getByRole('button', { name: inWindow }).click();
  await expect(failure).toBeHidden();
  await expectSignedIn(page, 'viewer');
});

test('of two windows the later one counts, and both tabs of a person can have one', async ({ page, context }) => {
  await page.goto('/workspaces');
  const first = page.waitForEvent('popup');
  await page.getByRole('button', { name: inWindow }).click();
  const early = await first;
  await page.getByRole('button', { name: 'Cancel' }).click();
  const second = page.waitForEvent('popup');
  await page.getByRole('button', { name: inWindow }).click();
  const late = await second;
  const tab = await context.newPage();
  await tab.goto('/workspaces');
  const third = tab.waitForEvent('popup');
  await tab.getByRole('button', { name: inWindow }).click();
  const other = await third;
  // Had the provider known the person by then, it would not ask here.
  await expect(other.getByLabel('Password')).toBeVisible();
  await enterPassword(late, 'author');
  await expectSignedIn(page, 'author');
  await enterPassword(other, 'author');
  await expectSignedIn(tab, 'author');
  if (!early.isClosed()) await early.close();
  for (const each of [page, tab]) {
    await chooseFromSession(each, 'Renew session with refresh token');
    await expectNotice(each, 'Session renewed with the refresh token.');
  }
});

test('another account in another tab stays there', async ({ page, context }) => {
  await signIn(page, 'admin', '/w/acme/members');
  await expect(page.getByRole('button', { name: /Invite|Add/ }).first()).toBeVisible();
  await context.clearCookies();
  await page.evaluate(() => localStorage.removeItem('waypost.provider'));
  const tab = await context.newPage();
  await signIn(tab, 'viewer', '/workspaces');
  await page.bringToFront();
  await chooseFromSession(page, 'Renew session with refresh token');
  await expectNotice(page, 'Session renewed with the refresh token.');
  for (const [each, name] of [
    [page, 'admin'],
    [tab, 'viewer'],
  ] as const) {
    await each.reload();
    await expectSignedIn(each, name);
  }
  // Signing out there is not signing out here.
  await chooseFromSession(tab, 'Sign out');
  await expect(tab.getByRole('heading', { name: 'You are signed out' })).toBeVisible();
  await expectSignedIn(page, 'admin');
});

test('a laptop that slept past the end of its refresh token goes on in a frame', async ({ page, request, waypost }) => {
  await page.clock.install();
  await signIn(page, 'viewer', '/workspaces');
  const kept = await page.evaluate(
    () => Object.entries({ ...sessionStorage }).find(([key]) => key.startsWith('waypost.user.'))?.[1],
  );
  const { refresh_token: token = '' } = JSON.parse(kept ?? '{}') as { refresh_token?: string };
  const revoked = await request.post(`${waypost.provider}/token/revocation`, { form: { token, client_id: 'waypost' } });
  expect(revoked.ok()).toBe(true);
  await waypost.control({ forget: true });
  const refused = page.waitForResponse(
    answer => answer.url() === `${waypost.provider}/token` && answer.status() === 400,
  );
  await page.clock.fastForward('08:00');
  expect(await (await refused).json()).toMatchObject({ error: 'invalid_grant' });
  await expect
    .poll(async () =>
      (await waypost.requests())
        .filter(({ path, method }) => path === '/token' && method === 'POST')
        .map(({ status }) => status),
    )
    .toEqual([400, 200]);
  await expectSignedIn(page, 'viewer');
  await expect(page.getByRole('alert')).toHaveCount(0);
});

// A parser of HTTP and a proxy answer so: a status, and nothing that says why.
test('an answer without a reason after sleep is said in a sentence, loses nothing, and the next attempt works', async ({
  page,
  waypost,
}) => {
  await page.clock.install();
  await signIn(page, 'viewer', '/workspaces');
  let asked = 0;
  await page.route(`${waypost.provider}/**`, route => {
    asked += 1;
    return route.fulfill({ status: 400, headers: { 'access-control-allow-origin': '*' }, body: '' });
  });
  await page.clock.fastForward('08:00');
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  const said = dialog.getByRole('alert');
  await expect(said).toContainText('returned an unexpected sign-in response. Try again');
  await expect(said).not.toContainText('400');
  await dialog.getByText('Details', { exact: true }).click();
  await expect(dialog).toContainText('Bad Request (400)');
  // Timers, the tab that comes to sight and the network that is back ask for one renewal together.
  expect(asked).toBeLessThanOrEqual(3);
  await page.unroute(`${waypost.provider}/**`);
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await expect(dialog).toBeHidden();
  await expectSignedIn(page, 'viewer');
});

test('a laptop that slept past the end wakes up with one renewal', async ({ page, waypost }) => {
  await page.clock.install();
  await signIn(page, 'viewer', '/workspaces');
  await waypost.control({ forget: true });
  // Longer than the session lasts. The provider's clock has not moved, so it may not be as long as one likes.
  await page.clock.fastForward('08:00');
  await expect
    .poll(
      async () =>
        (await waypost.requests()).filter(({ path, method }) => path === '/token' && method === 'POST').length,
    )
    .toBe(1);
  await expectSignedIn(page, 'viewer');
  await page.goto('/w/acme/tours');
  await expect(page.getByRole('heading', { name: 'Tours', level: 1 })).toBeVisible();
});
