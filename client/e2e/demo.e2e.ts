/** `waypost demo`, whose identity provider is part of the server. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page, test as base } from '@playwright/test';
import { freePort, startServer } from '../../.scripts/lib/processes.mjs';
import { expectAccessible, expectNoSidewaysScroll } from './axe';
import { watch } from './fixtures';
import { OPEN_ROOTS } from './foreign-site';
import { expectNotice, expectSignedIn, fullNames, type Name, popover, renewSession, signOut } from './people';
import { waypostBinary } from './servers';

const test = base.extend<object, { origin: string }>({
  origin: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures from here
    async ({}, use) => {
      const data = mkdtempSync(join(tmpdir(), 'waypost-demo-'));
      const port = await freePort();
      const origin = `http://localhost:${port}`;
      const env = { PORT: String(port) };
      const server = await startServer(waypostBinary(), ['demo', '--data', data], { env, url: `${origin}/readyz` });
      await use(origin);
      await server.stop();
      rmSync(data, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ origin }, use) => use(origin),
  page: async ({ page }, use) => watch(page, use),
});

const banner = (page: Page) => page.getByRole('complementary', { name: 'Demo', exact: true });
const inThisTab = { name: 'Sign in with Waypost demo', exact: true };

async function choose(page: Page, name: Name): Promise<void> {
  await page.getByRole('button', { name: fullNames[name] }).click();
}

test('a first look: choose an account, take a tour, stay signed in, sign out', async ({ page, context }) => {
  await test.step('each page says that this is a demo', async () => {
    await page.goto('/');
    await expect(banner(page)).toHaveText('Demo: the accounts have no passwords. Do not store real data here.');
    await expect(page.getByRole('button', inThisTab)).toBeVisible();
    await expectAccessible(page, 'the sign-in page of a demo');
    await page.goto('/no-such-page');
    await expect(banner(page)).toBeVisible();
    await page.goto('/');
  });

  await test.step('choose an account', async () => {
    await page.getByRole('button', inThisTab).click();
    await expect(page.getByRole('heading', { name: 'Choose an account' })).toBeVisible();
    await expect(page.getByText('This is a demo: accounts have no passwords')).toBeVisible();
    await expectAccessible(page, 'the page with the accounts');
    await expectNoSidewaysScroll(page, 'the page with the accounts');
    await choose(page, 'admin');
    await expectSignedIn(page, 'admin');
  });

  await test.step('the sample has tours, and Waypost introduces itself', async () => {
    await expect(page.getByRole('table', { name: 'Tours' })).toContainText('Your first order');
    await expect(banner(page)).toBeVisible();
    await popover(page, 'Welcome to Waypost').getByRole('button', { name: 'Close' }).click();
    await expect(popover(page)).toHaveCount(0);
  });

  await test.step('a tour plays on the demo page, which has no banner', async () => {
    await page.getByRole('link', { name: 'Sites', exact: true }).click();
    await page.getByRole('link', { name: 'Demo shop' }).click();
    await context.addInitScript(OPEN_ROOTS);
    const opened = context.waitForEvent('page');
    await page.getByRole('link', { name: /demo page/ }).click();
    const shop = await opened;
    // The holdout of a tour decides which one starts. The second step of one of them has no element here.
    await expect(popover(shop)).toContainText('1 of');
    await popover(shop)
      .getByRole('button', { name: /^(Next|Show me)$/ })
      .click();
    await expect(popover(shop)).toContainText(/[23] of 4/);
    await expect(banner(shop)).toHaveCount(0);
    await shop.close();
  });

  await test.step('the session is renewed with a refresh token and in a hidden frame', async () => {
    await renewSession(page, 'Renew session with refresh token');
    await expectNotice(page, 'Session renewed with the refresh token.');
    await page.keyboard.press('Escape');
    await renewSession(page, 'Renew session in hidden frame');
    await expectNotice(page, 'Session renewed in a hidden frame.');
    await page.keyboard.press('Escape');
  });

  await test.step('signing out also ends the session of the provider', async () => {
    await signOut(page);
    await expect(banner(page)).toBeVisible();
    await page.getByRole('button', inThisTab).click();
    await expect(page.getByRole('heading', { name: 'Choose an account' })).toBeVisible();
  });
});

test('an account is chosen in a window, and another one instead of it', async ({ page }) => {
  await page.goto('/workspaces');
  const opened = page.waitForEvent('popup');
  await page.getByRole('button', { name: /in a new window$/ }).click();
  await choose(await opened, 'viewer');
  await expectSignedIn(page, 'viewer');
  await page.goto('/w/acme/members');
  await expect(page.getByRole('button', { name: /Your role: viewer$/ })).toBeVisible();
});

test('on a phone, pages fit below the banner, whose text wraps', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/');
  await expect(page.getByRole('button', inThisTab)).toBeVisible();
  const height = await banner(page).evaluate(element => element.getBoundingClientRect().height);
  expect(height).toBeGreaterThan(40);
  const pageHeight = () => page.evaluate(() => document.documentElement.scrollHeight);
  await expect.poll(pageHeight).toBe(740);
});

test.describe('in German', () => {
  test.use({ locale: 'de-DE' });

  test('the banner and the accounts are translated', async ({ page }) => {
    await page.goto('/');
    await expect(banner(page)).toHaveText(
      'Demo: Die Konten haben kein Passwort. Speichern Sie hier keine echten Daten.',
    );
    await page
      .getByRole('button', { name: /Waypost demo/ })
      .first()
      .click();
    await expect(page.getByRole('heading', { name: 'Konto auswählen' })).toBeVisible();
    await expect(page.getByRole('button', { name: /Vera Viewer/ })).toContainText('Lesezugriff');
  });
});
