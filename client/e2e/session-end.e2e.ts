import { expect, test } from './fixtures';
import {
  enterPassword,
  expectNotice,
  expectSignedIn,
  openRenewal,
  renewSession,
  signIn,
  UNTIL_RENEWAL,
} from './people';

test.use({ clientId: 'waypost-frame' });

test.afterEach(async ({ waypost }) => {
  await waypost.control({ life: 300, outage: false });
});

test('a token is renewed in a hidden frame before it expires', async ({ page, waypost }) => {
  await page.clock.install();
  await signIn(page, 'admin');
  await waypost.control({ forget: true });
  await page.clock.fastForward(UNTIL_RENEWAL);
  await expect
    .poll(async () =>
      (await waypost.requests()).some(({ path, frame, prompt }) => path === '/auth' && frame && prompt === 'none'),
    )
    .toBe(true);
  await renewSession(page, 'Renew session in hidden frame');
  await expectNotice(page, 'Session renewed in a hidden frame.');
});

test('without a refresh token, the details explain why renewal with it is unavailable', async ({ page }) => {
  await signIn(page, 'viewer');
  const button = await openRenewal(page, 'Renew session with refresh token');
  await expect(button).toHaveAttribute('aria-disabled', 'true');
  await expect(button).toContainText('didn’t issue a refresh token for this session');
});

test('one warning appears before a session ends, and signing in again in a window keeps the page', async ({
  page,
  context,
}) => {
  await page.clock.install();
  await signIn(page, 'author', '/workspaces');
  // Clearing the cookies ends the provider's session.
  await context.clearCookies();
  await page.clock.fastForward(UNTIL_RENEWAL);
  const warning = page.getByRole('alert').filter({ hasText: 'Your session ends at' });
  await expect(warning).toBeVisible();
  await page.evaluate(() => document.body.setAttribute('data-kept', ''));

  const opened = page.waitForEvent('popup');
  await warning.getByRole('button', { name: 'Stay signed in' }).click();
  await enterPassword(await opened, 'author');
  await expect(warning).toBeHidden();
  await expectSignedIn(page, 'author');
  await expect(page.locator('body')).toHaveAttribute('data-kept', '');
});

test('a session that the frame cannot access is renewed with one click, in a window that closes automatically', async ({
  page,
  context,
  waypost,
}) => {
  await page.clock.install();
  await signIn(page, 'viewer', '/workspaces');
  const cookies = await context.cookies();
  await context.clearCookies();
  await waypost.control({ forget: true });
  await page.clock.fastForward(UNTIL_RENEWAL);
  const warning = page.getByRole('alert').filter({ hasText: 'Your session ends at' });
  await expect(warning).toBeVisible();
  expect((await waypost.requests()).filter(({ frame }) => frame)).toHaveLength(1);
  // Restores the provider's session; only the frame had no access to it.
  await context.addCookies(cookies);
  const opened = page.waitForEvent('popup');
  await warning.getByRole('button', { name: 'Stay signed in' }).click();
  await opened;
  await expect(warning).toBeHidden();
  await expectSignedIn(page, 'viewer');
});

test('when a session has ended, the page stays under a dialog that offers sign-in', async ({
  page,
  context,
  waypost,
}) => {
  await waypost.control({ life: 4 });
  await signIn(page, 'author', '/workspaces');
  await context.clearCookies();
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await expect(dialog).toBeVisible();
  await expect(dialog.getByRole('alert')).toContainText('Sign in again');
  await waypost.control({ life: 300 });
  const opened = page.waitForEvent('popup');
  await dialog.getByRole('button', { name: /in a new window$/ }).click();
  await enterPassword(await opened, 'author');
  await expect(dialog).toBeHidden();
});

test('another account that signs in sees no unsaved work of the previous one, which is kept for its author', async ({
  page,
  context,
  waypost,
}) => {
  const title = page.getByRole('region', { name: 'Step 1', exact: true }).getByLabel('Title');
  let abortedSaves = 0;
  await signIn(page, 'author', '/w/acme/tours/first-order');
  await expect(title).toBeVisible();
  const before = await title.inputValue();
  await page.route('**/graphql', route => {
    const body = route.request().postData() ?? '';
    if (!body.includes('"operationName":"TourSave"')) return route.fallback();
    abortedSaves += 1;
    return route.abort();
  });
  await title.fill('Of Otto');
  await expect.poll(() => abortedSaves).toBeGreaterThan(0);
  await waypost.control({ life: 4 });
  await renewSession(page, 'Renew session in hidden frame');
  await expectNotice(page, 'Session renewed in a hidden frame.');
  await context.clearCookies();
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await expect(dialog).toBeVisible();
  await waypost.control({ life: 300 });
  await page.unroute('**/graphql');
  const opened = page.waitForEvent('popup');
  await dialog.getByRole('button', { name: /in a new window$/ }).click();
  await enterPassword(await opened, 'publisher');
  await expectSignedIn(page, 'publisher');
  await expect(title).toHaveValue(before);
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).toContain('Of Otto');
  // The unsaved work was not saved under the other account's name.
  await page.reload();
  await expectSignedIn(page, 'publisher');
  await expect(title).toHaveValue(before);
});
