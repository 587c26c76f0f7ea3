import type { BrowserContext, Page, Route } from '@playwright/test';
import { expect, test } from './fixtures';
import {
  enterPassword,
  expectNotice,
  expectSignedIn,
  openSeparateTab,
  renewSession,
  signIn,
  UNTIL_RENEWAL,
} from './people';

const inThisTab = /^Sign in with .+(?<!new window)$/;
const inWindow = /in a new window$/;

test.afterEach(async ({ waypost }) => {
  await waypost.control({ life: 300, outage: false, isolated: false, roles: { author: ['author'] } });
});

/** The page does not check signatures, because it trusts TLS. */
async function forgeIdTokens(context: BrowserContext, change: Record<string, unknown>): Promise<void> {
  await context.route('**/token', async (route: Route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { id_token: string };
    const [head, payload = '', signature] = body.id_token.split('.');
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const forged = Buffer.from(JSON.stringify({ ...(claims as object), ...change })).toString('base64url');
    await route.fulfill({ response, json: { ...body, id_token: [head, forged, signature].join('.') } });
  });
}

const storedTokens = (page: Page) =>
  page.evaluate(() => JSON.stringify({ ...sessionStorage }).includes('access_token'));

for (const [what, change, reason] of [
  ['nonce', { nonce: 'other' }, 'stopped to protect your account'],
  ['issuer', { iss: 'https://evil.example' }, 'stopped to protect your account'],
  ['audience', { aud: 'other' }, 'stopped to protect your account'],
  ['expiry', { exp: 1 }, 'clocks of this computer and of Waypost development differ'],
] as const) {
  test(`an ID token with a forged ${what} is rejected with a reason`, async ({ page, context }) => {
    await forgeIdTokens(context, change);
    await page.goto('/');
    await page.getByRole('button', { name: inThisTab }).click();
    await enterPassword(page, 'viewer');
    await expect(page.getByRole('heading', { name: 'Sign-in failed' })).toBeVisible();
    await expect(page.getByRole('alert')).toContainText(reason);
    await page.getByText('Details', { exact: true }).click();
    await expect(page.locator('details')).not.toContainText('eyJ');
    expect(await storedTokens(page)).toBe(false);
    await context.unroute('**/token');
    await page.getByRole('button', { name: inThisTab }).click();
    await expectSignedIn(page, 'viewer');
  });
}

test('a response of another provider is rejected before its code is sent', async ({ page, waypost }) => {
  await page.addInitScript(() => {
    const url = new URL(location.href);
    if (!url.searchParams.has('iss')) return;
    url.searchParams.set('iss', 'https://evil.example');
    history.replaceState(null, '', url);
  });
  await page.goto('/');
  await waypost.control({ forget: true });
  await page.getByRole('button', { name: inThisTab }).click();
  await enterPassword(page, 'viewer');
  await expect(page.getByRole('alert')).toContainText('a different provider');
  expect((await waypost.requests()).map(({ path }) => path)).not.toContain('/token');
});

test('sign-in works in an isolated window', async ({ page, waypost }) => {
  await waypost.control({ isolated: true });
  await page.goto('/workspaces');
  const opened = page.waitForEvent('popup');
  await page.getByRole('button', { name: inWindow }).click();
  // The isolated window appears closed to this page.
  await expect(page.getByText('Continue in this tab. You’ll return')).toBeVisible();
  await enterPassword(await opened, 'author');
  await expectSignedIn(page, 'author');
  expect(new URL(page.url()).pathname).toBe('/workspaces');
});

test('a renewal does not switch to another account at the provider', async ({ page, context }) => {
  await signIn(page, 'publisher', '/workspaces');
  await context.clearCookies();
  const other = await openSeparateTab(context);
  await signIn(other, 'viewer', '/workspaces');
  await renewSession(page, 'Renew session in hidden frame');
  const failure = page.getByRole('dialog', { name: 'Session not renewed' });
  await expect(failure.getByRole('alert')).toContainText('no longer signed in with');
  await failure.getByText('Details', { exact: true }).click();
  await expect(failure).toContainText('login_required');
  await page.keyboard.press('Escape');
  await expectSignedIn(page, 'publisher');
  await other.close();
});

test('an outage during renewal is reported, and one click renews afterwards', async ({ page, waypost }) => {
  await page.clock.install();
  await signIn(page, 'viewer', '/workspaces');
  await waypost.control({ outage: true });
  await page.clock.fastForward(UNTIL_RENEWAL);
  const warning = page.getByRole('alert').filter({ hasText: 'could not be renewed' });
  await expect(warning).toBeVisible();
  await warning.getByText('Details', { exact: true }).click();
  await expect(warning).toContainText('Failed to fetch');
  await waypost.control({ outage: false });
  const opened = page.waitForEvent('popup');
  await warning.getByRole('button', { name: 'Stay signed in' }).click();
  await opened;
  await expect(warning).toBeHidden();
  await expectSignedIn(page, 'viewer');
});

test('a duplicated tab shares the session of the original, and both tabs can renew', async ({ page, waypost }) => {
  await signIn(page, 'admin', '/workspaces');
  const opened = page.waitForEvent('popup');
  // A child window starts with a copy of this tab's sessionStorage.
  await page.evaluate(() => void window.open('/workspaces'));
  const copy = await opened;
  await expectSignedIn(copy, 'admin');
  await waypost.control({ forget: true });
  for (const tab of [page, copy, page]) {
    await tab.bringToFront();
    await renewSession(tab, 'Renew session with refresh token');
    await expectNotice(tab, 'Session renewed with the refresh token.');
    await tab.reload();
    await expectSignedIn(tab, 'admin');
  }
  const calls = (await waypost.requests()).filter(({ path, method }) => path === '/token' && method === 'POST');
  expect(calls.map(({ status }) => status)).toEqual([200, 200, 200]);
});

for (const minutes of [-5, 5]) {
  test(`a clock that is ${minutes} minutes off does not affect renewal`, async ({ page, waypost }) => {
    await page.clock.install({ time: Date.now() + minutes * 60_000 });
    await signIn(page, 'admin', '/workspaces');
    await waypost.control({ forget: true });
    await renewSession(page, 'Renew session with refresh token');
    await expectNotice(page, 'Session renewed with the refresh token.');
    await renewSession(page, 'Renew session in hidden frame');
    await expectNotice(page, 'Session renewed in a hidden frame.');
    const calls = (await waypost.requests()).filter(({ path, method }) => path === '/token' && method === 'POST');
    expect(calls.map(({ status }) => status)).toEqual([200, 200]);
  });
}

test('a role that the provider revokes is gone with the next token', async ({ page, waypost }) => {
  await signIn(page, 'author', '/w/acme/tours');
  const create = page.getByRole('button', { name: 'New tour' }).first();
  await expect(create).not.toHaveAttribute('aria-disabled', 'true');
  await waypost.control({ roles: { author: ['viewer'] } });
  await renewSession(page, 'Renew session with refresh token');
  await expectNotice(page, 'Session renewed with the refresh token.');
  await page.reload();
  await expect(create).toHaveAttribute('aria-disabled', 'true');
});

test('a server that rejects every token causes no request storm', async ({ page, waypost }) => {
  await signIn(page, 'admin', '/workspaces');
  await waypost.control({ forget: true });
  let requestCount = 0;
  await page.route('**/graphql', route => {
    if ((route.request().postData() ?? '').includes('"operationName":"Instance"')) return route.continue();
    requestCount += 1;
    const errors = [{ message: 'Sign in.', extensions: { code: 'UNAUTHENTICATED' } }];
    return route.fulfill({ status: 401, json: { data: null, errors } });
  });
  await page.reload();
  await expect(page.getByText('Sign in to continue').first()).toBeVisible();
  await page.waitForLoadState('networkidle');
  const paths = (await waypost.requests()).map(({ path }) => path);
  expect(paths.filter(path => path === '/token').length).toBeLessThanOrEqual(1);
  expect(paths).not.toContain('/auth');
  expect(requestCount).toBeLessThanOrEqual(8);
});
