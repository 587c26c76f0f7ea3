/** A provider whose token endpoint wants a secret and answers no page: the server asks in the browser's place. */
import { SECRET } from '../dev/environment.mjs';
import { expect, test } from './fixtures';
import { chooseFromSession, enterPassword, expectNotice, expectSignedIn, signIn, signOut } from './people';

test.use({ clientId: 'waypost-secret', settings: { WAYPOST_OIDC_RELAY: '1', WAYPOST_OIDC_CLIENT_SECRET: SECRET } });

test('sign-in, renewal and sign-out work, and the secret stays on the server', async ({ page, waypost }) => {
  const asked: string[] = [];
  page.on('request', request => asked.push(`${request.method()} ${request.url()} ${request.postData() ?? ''}`));
  await signIn(page, 'viewer');
  const answer = page.waitForResponse(`${waypost.origin}/auth/oidc/oidc/token`);
  await chooseFromSession(page, 'Renew session with refresh token');
  await expectNotice(page, 'Session renewed with the refresh token.');
  expect((await answer).headers()['cache-control']).toBe('no-store');
  asked.push(await (await answer).text());
  await chooseFromSession(page, 'Renew session in hidden frame');
  await expectNotice(page, 'Session renewed in a hidden frame.');

  expect(asked.filter(request => request.startsWith(`POST ${waypost.origin}/auth/oidc/oidc/token`))).toHaveLength(3);
  expect(asked.filter(request => request.startsWith(`POST ${waypost.provider}/token`))).toEqual([]);
  const seen = asked.join('\n');
  expect(seen).not.toContain(SECRET);
  expect(seen).not.toContain(encodeURIComponent(SECRET));
  await signOut(page);
});

test('a sign-in in a window works too', async ({ page }) => {
  await page.goto('/');
  const opened = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'in a new window' }).click();
  await enterPassword(await opened, 'author');
  await expectSignedIn(page, 'author');
});
