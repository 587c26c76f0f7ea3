import { expect, test } from './fixtures';
import { enterPassword, expectNotice, renewSession, signIn, signOut } from './people';

test('no token appears in an address, a log, localStorage, the page or an error report', async ({
  page,
  context,
  waypost,
}) => {
  const secrets = new Set<string>();
  const seen: string[] = [];
  context.on('request', request => {
    const url = new URL(request.url());
    // The ID token identifies the session (OpenID Connect RP-Initiated Logout).
    if (url.origin === waypost.provider) url.searchParams.delete('id_token_hint');
    seen.push(url.href);
  });
  context.on('console', message => seen.push(message.text()));
  const collectTokens = async (text: string) => {
    const { access_token, refresh_token, id_token } = JSON.parse(text) as Record<string, string | undefined>;
    for (const token of [access_token, refresh_token, id_token]) if (token) secrets.add(token);
  };
  page.on('response', response => {
    if (response.url() === `${waypost.provider}/token` && response.request().method() === 'POST') {
      void response.text().then(collectTokens, () => {});
    }
  });
  await signIn(page, 'author', '/workspaces');
  await renewSession(page, 'Renew session with refresh token');
  await expectNotice(page, 'Session renewed with the refresh token.');
  await renewSession(page, 'Renew session in hidden frame');
  await expectNotice(page, 'Session renewed in a hidden frame.');
  await expect.poll(() => secrets.size).toBeGreaterThanOrEqual(8);

  // A failed renewal with its details, and an error on the page with its report.
  await waypost.control({ outage: true });
  await renewSession(page, 'Renew session with refresh token');
  const failure = page.getByRole('dialog', { name: 'Session not renewed' });
  await failure.getByText('Details', { exact: true }).click();
  seen.push(await page.content());
  await waypost.control({ outage: false });
  await page.keyboard.press('Escape');
  await page.route('**/graphql', route => {
    if (!(route.request().postData() ?? '').includes('"operationName":"Members"')) return route.fallback();
    return route.fulfill({ status: 500, contentType: 'text/html', body: '<h1>Broken</h1>' });
  });
  await page.goto('/w/acme/members');
  await expect(page.locator('[data-error-kind="protocol"]')).toBeVisible({ timeout: 20_000 });
  seen.push(await page.content());
  await page.unroute('**/graphql');

  seen.push(await page.evaluate(() => JSON.stringify([{ ...localStorage }, document.cookie])), waypost.printed());
  await page.goto('/workspaces');
  await signOut(page);
  seen.push(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }])), page.url());
  for (const secret of secrets) expect(seen.filter(text => text.includes(secret))).toEqual([]);
});

test('authorization responses and refresh tokens cannot be reused after signing out', async ({ page, waypost }) => {
  const responses: string[] = [];
  page.on('request', request => {
    if (request.url().startsWith(`${waypost.origin}/auth/callback?`)) responses.push(request.url());
  });
  await signIn(page, 'viewer', '/workspaces');
  const refreshToken = await page.evaluate(() => {
    const stored = Object.entries({ ...sessionStorage }).find(([key]) => key.startsWith('waypost.user.user:'))?.[1];
    return (JSON.parse(stored ?? '{}') as { refresh_token?: string }).refresh_token;
  });
  await signOut(page);
  expect(refreshToken).toBeTruthy();
  const form = { grant_type: 'refresh_token', client_id: 'waypost', refresh_token: refreshToken ?? '' };
  const refused = await fetch(`${waypost.provider}/token`, { method: 'POST', body: new URLSearchParams(form) });
  expect(refused.status).toBe(400);
  await page.goto(responses[0] ?? 'no authorization response was recorded');
  await expect(page.getByRole('heading', { name: 'Sign in to Waypost' })).toBeVisible();
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain('access_token');
});

test('an unknown state is rejected', async ({ page }) => {
  await page.addInitScript(() => {
    const url = new URL(location.href);
    if (!url.searchParams.has('code')) return;
    url.searchParams.set('state', 'unknown-state');
    history.replaceState(null, '', url);
  });
  await page.goto('/workspaces');
  await page.getByRole('button', { name: /^Sign in with .+(?<!new window)$/ }).click();
  await enterPassword(page, 'viewer');
  await expect(page.getByRole('heading', { name: 'Sign in to Waypost' })).toBeVisible();
  expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain('access_token');
});
