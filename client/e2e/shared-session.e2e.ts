import type { Page } from '@playwright/test';
import { expect, test } from './fixtures';
import {
  expectNotice,
  expectSignedIn,
  openRenewal,
  openSeparateTab,
  renewSession,
  signIn,
  signOut,
  UNTIL_RENEWAL,
} from './people';
import type { Waypost } from './servers';

/** Settings without hidden frames, so that only another tab can continue a session without a click. */
const REFRESH_ONLY = { WAYPOST_OIDC_RENEWAL: 'refresh' };

const signInHeading = { name: 'Sign in to Waypost' };

async function tokenCalls(waypost: Waypost): Promise<(number | null)[]> {
  const requests = await waypost.requests();
  return requests.filter(({ path, method }) => path === '/token' && method === 'POST').map(({ status }) => status);
}

async function openTab(page: Page, path = '/workspaces'): Promise<Page> {
  const tab = await page.context().newPage();
  await tab.goto(path);
  return tab;
}

async function renew(tab: Page): Promise<void> {
  const notice = 'Session renewed with the refresh token.';
  await tab.bringToFront();
  // The notice of an earlier renewal would hide that this one has not ended.
  await expect(tab.getByText(notice, { exact: true })).toHaveCount(0);
  await renewSession(tab, 'Renew session with refresh token');
  await expectNotice(tab, notice);
}

for (const [kind, settings] of [
  ['in the storage of the tab', {}],
  ['in memory', { WAYPOST_TOKEN_STORE: 'memory' }],
  ['bound to a key', { WAYPOST_OIDC_DPOP: '1' }],
] as const) {
  test.describe(`a session whose tokens are ${kind}`, () => {
    test.use({ settings: { ...REFRESH_ONLY, ...settings } });

    test('continues in new, reloaded and duplicated tabs without a click', async ({ page, waypost }) => {
      await signIn(page, 'admin', '/workspaces');
      await waypost.control({ forget: true });
      const second = await openTab(page);
      await expectSignedIn(second, 'admin');
      const opened = page.waitForEvent('popup');
      await page.evaluate(() => void window.open('/workspaces'));
      const copy = await opened;
      await expectSignedIn(copy, 'admin');
      await second.reload();
      await expectSignedIn(second, 'admin');
      expect((await waypost.requests()).map(({ path }) => path)).not.toContain('/auth');
      expect(await tokenCalls(waypost)).toEqual([]);

      // Each refresh token works once, and the provider ends a session whose tokens are used twice.
      for (const tab of [page, copy, second, page]) await renew(tab);
      expect(await tokenCalls(waypost)).toEqual([200, 200, 200, 200]);
      expect(await second.evaluate(() => JSON.stringify({ ...localStorage }))).not.toMatch(/eyJ|token/);

      await page.close();
      await renew(second);
      await signOut(second);
      await copy.bringToFront();
      await expect(copy.getByRole('heading', signInHeading)).toBeVisible();
      const next = await openTab(copy);
      await expect(next.getByRole('heading', signInHeading)).toBeVisible();
    });
  });
}

test.describe('tabs of one session', () => {
  test.use({ settings: REFRESH_ONLY });

  test('renew once, although all of them start at the same time', async ({ page, waypost }) => {
    await signIn(page, 'publisher', '/workspaces');
    const tabs = [page, await openTab(page), await openTab(page)];
    const buttons = [];
    for (const tab of tabs) {
      await expectSignedIn(tab, 'publisher');
      buttons.push(await openRenewal(tab, 'Renew session with refresh token'));
    }
    await waypost.control({ forget: true, slow: 1000 });
    await Promise.all(buttons.map(button => button.evaluate((element: HTMLElement) => element.click())));
    for (const tab of tabs) {
      await tab.bringToFront();
      await expectNotice(tab, 'Session renewed with the refresh token.');
    }
    await waypost.control({ slow: 0 });
    expect(await tokenCalls(waypost)).toEqual([200]);
  });

  test('renew automatically once before the tokens expire', async ({ page, waypost }) => {
    await page.context().clock.install();
    await signIn(page, 'publisher', '/workspaces');
    const second = await openTab(page);
    await expectSignedIn(second, 'publisher');
    await waypost.control({ forget: true });
    await page.context().clock.fastForward(UNTIL_RENEWAL);
    await expect.poll(() => tokenCalls(waypost)).toEqual([200]);
    await renew(second);
    await renew(page);
    expect(await tokenCalls(waypost)).toEqual([200, 200, 200]);
  });

  test('do not delay a new tab if none of them responds', async ({ page, waypost }) => {
    // Like a page that the browser has frozen.
    await page.addInitScript(() => {
      BroadcastChannel.prototype.postMessage = () => {};
    });
    await signIn(page, 'viewer', '/workspaces');
    await waypost.control({ forget: true });
    const next = await openTab(page);
    await expect(next.getByRole('heading', signInHeading)).toBeVisible();
    await expect(next.getByRole('alert')).toBeHidden();
    await next.close();
    await renew(page);
  });
});

test('a tab whose tokens are in memory continues its own session after a reload, and not that of another account', async ({
  serverOf,
  browser,
}) => {
  const waypost = await serverOf('memory', {
    clientId: 'waypost',
    otherProvider: null,
    settings: { ...REFRESH_ONLY, WAYPOST_TOKEN_STORE: 'memory' },
  });
  const context = await browser.newContext({ baseURL: waypost.origin });
  const first = await context.newPage();
  await signIn(first, 'author', '/workspaces');
  await context.clearCookies();
  const separate = await openSeparateTab(context);
  await signIn(separate, 'viewer', '/workspaces');
  const twin = await openTab(first);
  await expectSignedIn(twin, 'author');
  await twin.reload();
  await expectSignedIn(twin, 'author');
  await expectSignedIn(separate, 'viewer');
  await context.close();
});
