import type { BrowserContext } from '@playwright/test';
import { expect, test } from './fixtures';
import {
  chooseFromSession,
  enterPassword,
  expectNotice,
  expectSignedIn,
  openSeparateTab,
  renewSession,
  signIn,
} from './people';

const inThisTab = /^Sign in with .+(?<!new window)$/;
const inWindow = /in a new window$/;

test.afterEach(async ({ waypost }) => {
  await waypost.control({ slow: 0, outage: false });
});

test('reloads at the provider and at the callback do not break the sign-in', async ({ page }) => {
  await page.goto('/workspaces?from=mail');
  await page.getByRole('button', { name: inThisTab }).click();
  await expect(page.getByLabel('Password')).toBeVisible();
  await page.reload();
  // Reloads the callback page before the application processes the response.
  let reloaded = 0;
  await page.route('**/token', async route => {
    reloaded += 1;
    if (reloaded > 1) return route.fallback();
    await route.abort();
    return page.reload();
  });
  await enterPassword(page, 'viewer');
  // A code works once. The application requests another one in a frame.
  await expectSignedIn(page, 'viewer');
  await expect(page).toHaveURL('/workspaces?from=mail');
});

test('back and forward keep the session without redirect loops', async ({ page, waypost }) => {
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

test('if the page was reloaded meanwhile, its sign-in window continues in the application', async ({ page }) => {
  await page.goto('/workspaces');
  const first = page.waitForEvent('popup');
  await page.getByRole('button', { name: inWindow }).click();
  const window = await first;
  // Reloading the opener would close the window before.
  await expect(window.getByLabel('Password')).toBeVisible();
  await page.reload();
  await enterPassword(window, 'author');
  // The window must not end on an empty page.
  await expectSignedIn(window, 'author');
  const second = page.waitForEvent('popup');
  await page.getByRole('button', { name: inWindow }).click();
  await second;
  await expectSignedIn(page, 'author');
});

/**
 * Keeps one pending request per browser, as some providers do: shows the form also in a frame, and answers the first
 * request instead of a later one.
 */
async function rememberFirstRequest(context: BrowserContext, provider: string): Promise<void> {
  let first: string | null = null;
  await context.route(
    url => url.href.startsWith(`${provider}/auth?`),
    route => {
      const url = new URL(route.request().url());
      url.searchParams.delete('prompt');
      first ??= url.href;
      return route.fulfill({ status: 302, headers: { location: first } });
    },
  );
}

test('a form in the hidden frame is no error, and its response signs in the tab', async ({
  page,
  context,
  waypost,
}) => {
  await signIn(page, 'author', '/workspaces');
  await context.clearCookies();
  const tab = await openSeparateTab(context);
  await tab.clock.install();
  await rememberFirstRequest(context, waypost.provider);
  const form = tab.waitForResponse(response => response.url().includes('/sign-in/'));
  await tab.goto('/workspaces');
  await form;
  await tab.clock.fastForward(4000);
  await tab.getByRole('button', { name: inThisTab }).click();
  await expect(tab.getByRole('alert')).toHaveCount(0);
  await enterPassword(tab, 'author');
  await expectSignedIn(tab, 'author');
  expect(new URL(tab.url()).pathname).toBe('/workspaces');
});

test('a window that receives the response to the request of a closed window signs in the page', async ({
  page,
  context,
  waypost,
}) => {
  await page.goto('/workspaces');
  await rememberFirstRequest(context, waypost.provider);
  const first = page.waitForEvent('popup');
  await page.getByRole('button', { name: inWindow }).click();
  await expect((await first).getByLabel('Password')).toBeVisible();
  await (await first).close();
  await page.getByRole('button', { name: 'Cancel' }).click();
  const second = page.waitForEvent('popup');
  await page.getByRole('button', { name: inWindow }).click();
  await enterPassword(await second, 'author');
  await expectSignedIn(page, 'author');
  await expect.poll(async () => (await second).isClosed()).toBe(true);
});

test('a provider that never responds is reported in every tab, and every tab recovers without a reload', async ({
  page,
  context,
  waypost,
}) => {
  await signIn(page, 'viewer', '/workspaces');
  const tabs = [page, await context.newPage()];
  for (const tab of tabs) {
    await tab.clock.install();
    await tab.goto('/workspaces');
    await expectSignedIn(tab, 'viewer');
  }
  await waypost.control({ slow: 3_600_000 });
  for (const tab of tabs) {
    const sent = tab.waitForRequest(request => request.url().startsWith(waypost.provider));
    // Past the end of the session.
    await tab.clock.fastForward('06:00');
    await sent;
    await tab.clock.fastForward(10_000);
    await expect(tab.getByRole('dialog').getByRole('alert')).toContainText('isn’t responding');
  }
  await waypost.control({ slow: 0 });
  for (const tab of tabs) {
    let advances = 0;
    await expect(async () => {
      advances += 1;
      await tab.clock.fastForward(15_000);
      await expect(tab.getByRole('dialog')).toHaveCount(0, { timeout: 10_000 });
    }).toPass();
    // An attempt that is pending, and the check of the provider after it, end without a response first.
    expect(advances).toBeLessThanOrEqual(3);
    await expectSignedIn(tab, 'viewer');
  }
});

test('a response to the request of a closed window signs in the tab that continued', async ({
  page,
  context,
  waypost,
}) => {
  await page.goto('/workspaces');
  await rememberFirstRequest(context, waypost.provider);
  const opened = page.waitForEvent('popup');
  await page.getByRole('button', { name: inWindow }).click();
  const window = await opened;
  await expect(window.getByLabel('Password')).toBeVisible();
  await window.close();
  await page.getByRole('button', { name: 'Continue in this tab' }).click();
  await enterPassword(page, 'author');
  await expectSignedIn(page, 'author');
  expect(new URL(page.url()).pathname).toBe('/workspaces');
});

test('a reload during renewal in a frame keeps the session', async ({ page, waypost }) => {
  await signIn(page, 'viewer', '/workspaces');
  await waypost.control({ slow: 1500 });
  const renewalRequest = page.waitForRequest(request => request.url().includes('prompt=none'));
  await renewSession(page, 'Renew session in hidden frame');
  await renewalRequest;
  await page.reload();
  await waypost.control({ slow: 0 });
  await expectSignedIn(page, 'viewer');
  await renewSession(page, 'Renew session with refresh token');
  await expectNotice(page, 'Session renewed with the refresh token.');
});

test('renewal in a frame times out without ending the session', async ({ page, waypost }) => {
  await page.clock.install();
  await signIn(page, 'viewer', '/workspaces');
  await waypost.control({ slow: 60_000, forget: true });
  const renewalRequest = page.waitForRequest(request => request.url().includes('prompt=none'));
  await renewSession(page, 'Renew session in hidden frame');
  await renewalRequest;
  await page.clock.fastForward(9000);
  const failure = page.getByRole('dialog', { name: 'Session not renewed' });
  await expect(failure.getByRole('alert')).toContainText('isn’t responding');
  await failure.getByText('Details', { exact: true }).click();
  await expect(failure).toContainText('Timeout');
  await page.keyboard.press('Escape');
  await expectSignedIn(page, 'viewer');
});

test('a closed renewal window is detected, and the next one renews', async ({ page, context }) => {
  await signIn(page, 'viewer', '/workspaces');
  const cookies = await context.cookies();
  await context.clearCookies();
  const opened = page.waitForEvent('popup');
  await renewSession(page, 'Renew session in a window');
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

test('the later of two windows is used, and two tabs can each have one', async ({ page, context }) => {
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
  // The provider shows none once it has a session.
  await expect(other.getByLabel('Password')).toBeVisible();
  await enterPassword(late, 'author');
  await expectSignedIn(page, 'author');
  await enterPassword(other, 'author');
  await expectSignedIn(tab, 'author');
  if (!early.isClosed()) await early.close();
  for (const each of [page, tab]) {
    await renewSession(each, 'Renew session with refresh token');
    await expectNotice(each, 'Session renewed with the refresh token.');
  }
});

test('another account in another tab does not affect this tab', async ({ page, context }) => {
  await signIn(page, 'admin', '/w/acme/members');
  await expect(page.getByRole('button', { name: /Invite|Add/ }).first()).toBeVisible();
  await context.clearCookies();
  await page.evaluate(() => localStorage.removeItem('waypost.provider'));
  const tab = await openSeparateTab(context);
  await signIn(tab, 'viewer', '/workspaces');
  await page.bringToFront();
  await renewSession(page, 'Renew session with refresh token');
  await expectNotice(page, 'Session renewed with the refresh token.');
  for (const [each, name] of [
    [page, 'admin'],
    [tab, 'viewer'],
  ] as const) {
    await each.reload();
    await expectSignedIn(each, name);
  }
  // Signing out in the other tab does not end this session.
  await chooseFromSession(tab, 'Sign out');
  await expect(tab.getByRole('heading', { name: 'You are signed out' })).toBeVisible();
  await expectSignedIn(page, 'admin');
});

test('after sleeping past the refresh token’s end, the session is renewed in a frame', async ({
  page,
  request,
  waypost,
}) => {
  await page.clock.install();
  await signIn(page, 'viewer', '/workspaces');
  const stored = await page.evaluate(
    () => Object.entries({ ...sessionStorage }).find(([key]) => key.startsWith('waypost.user.user:'))?.[1],
  );
  const { refresh_token: token = '' } = JSON.parse(stored ?? '{}') as { refresh_token?: string };
  const revoked = await request.post(`${waypost.provider}/token/revocation`, { form: { token, client_id: 'waypost' } });
  expect(revoked.ok()).toBe(true);
  await waypost.control({ forget: true });
  const rejected = page.waitForResponse(
    answer => answer.url() === `${waypost.provider}/token` && answer.status() === 400,
  );
  await page.clock.fastForward('08:00');
  expect(await (await rejected).json()).toMatchObject({ error: 'invalid_grant' });
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

// HTTP parsers and proxies respond like this: a status without a body.
test('an empty error response after sleep is explained, loses nothing, and the next attempt works', async ({
  page,
  waypost,
}) => {
  await page.clock.install();
  await signIn(page, 'viewer', '/workspaces');
  let requestCount = 0;
  await page.route(`${waypost.provider}/**`, route => {
    requestCount += 1;
    return route.fulfill({ status: 400, headers: { 'access-control-allow-origin': '*' }, body: '' });
  });
  await page.clock.fastForward('08:00');
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  const alert = dialog.getByRole('alert');
  await expect(alert).toContainText('returned an unexpected sign-in response. Try again');
  await expect(alert).not.toContainText('400');
  await dialog.getByText('Details', { exact: true }).click();
  await expect(dialog).toContainText('Bad Request (400)');
  // The timer, visibility and online listeners share one renewal.
  expect(requestCount).toBeLessThanOrEqual(3);
  await page.unroute(`${waypost.provider}/**`);
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await expect(dialog).toBeHidden();
  await expectSignedIn(page, 'viewer');
});

test('after sleeping past the session’s end, one renewal is sent', async ({ page, waypost }) => {
  await page.clock.install();
  await signIn(page, 'viewer', '/workspaces');
  await waypost.control({ forget: true });
  // The provider's clock does not move.
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
