import { SECRET } from '../dev/environment.mjs';
import { expect, test } from './fixtures';
import { enterPassword, expectNotice, expectSignedIn, renewSession, signIn, signOut } from './people';

test.use({ clientId: 'waypost-secret', settings: { WAYPOST_OIDC_RELAY: '1', WAYPOST_OIDC_CLIENT_SECRET: SECRET } });

test('sign-in, renewal and sign-out work, and the secret stays on the server', async ({ page, waypost }) => {
  const requests: string[] = [];
  page.on('request', request => requests.push(`${request.method()} ${request.url()} ${request.postData() ?? ''}`));
  await signIn(page, 'viewer');
  const response = page.waitForResponse(`${waypost.origin}/auth/oidc/oidc/token`);
  await renewSession(page, 'Renew session with refresh token');
  await expectNotice(page, 'Session renewed with the refresh token.');
  expect((await response).headers()['cache-control']).toBe('no-store');
  requests.push(await (await response).text());
  await renewSession(page, 'Renew session in hidden frame');
  await expectNotice(page, 'Session renewed in a hidden frame.');

  expect(requests.filter(request => request.startsWith(`POST ${waypost.origin}/auth/oidc/oidc/token`))).toHaveLength(3);
  expect(requests.filter(request => request.startsWith(`POST ${waypost.provider}/token`))).toEqual([]);
  const seen = requests.join('\n');
  expect(seen).not.toContain(SECRET);
  expect(seen).not.toContain(encodeURIComponent(SECRET));
  await signOut(page);
});

test('a sign-in in a window works', async ({ page }) => {
  await page.goto('/');
  const opened = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'in a new window' }).click();
  await enterPassword(await opened, 'author');
  await expectSignedIn(page, 'author');
});
