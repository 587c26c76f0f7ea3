/**
 * Waypost and the provider are on different sites. The headless shell ignores the settings page, so profiles have the
 * preference.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium } from '@playwright/test';
import { findBrowser } from '../../.scripts/lib/browser.mjs';
import { expect, test as base } from './fixtures';
import { expectNotice, expectSignedIn, openSeparateTab, renewSession, signIn, UNTIL_RENEWAL } from './people';
import { crossSiteOrigin } from './servers';

const MODES = { allowed: 0, blocked: 1 } as const;

const test = base.extend<{ profile: (mode: keyof typeof MODES) => Promise<BrowserContext> }>({
  profile: async ({ launchOptions, viewport, locale }, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'waypost-profile-'));
    const contexts: BrowserContext[] = [];
    await use(async mode => {
      const profilePath = join(folder, mode);
      mkdirSync(join(profilePath, 'Default'), { recursive: true });
      const profile = { cookie_controls_mode: MODES[mode], block_third_party_cookies: mode === 'blocked' };
      writeFileSync(join(profilePath, 'Default/Preferences'), JSON.stringify({ profile }));
      const context = await chromium.launchPersistentContext(profilePath, {
        ...launchOptions,
        executablePath: findBrowser(),
        viewport,
        ...(locale ? { locale } : {}),
      });
      contexts.push(context);
      return context;
    });
    await Promise.all(contexts.map(context => context.close()));
    rmSync(folder, { recursive: true, force: true });
  },
});

test.use({ clientId: 'waypost-frame' });

test.beforeEach(({ waypost }) => waypost.control({ crossSite: true, forget: true }));

test('with third-party cookies allowed, the hidden frame renews the session', async ({ profile, waypost }) => {
  const page = await (await profile('allowed')).newPage();
  await signIn(page, 'viewer', `${crossSiteOrigin(waypost.origin)}/workspaces`);
  await renewSession(page, 'Renew session in hidden frame');
  await expectNotice(page, 'Session renewed in a hidden frame.');
});

test('with third-party cookies blocked, one frame is tried, and one click renews in a window that closes automatically', async ({
  profile,
  waypost,
}) => {
  const page = await (await profile('blocked')).newPage();
  await page.clock.install();
  await signIn(page, 'viewer', `${crossSiteOrigin(waypost.origin)}/workspaces`);
  await page.clock.fastForward(UNTIL_RENEWAL);
  const warning = page.getByRole('alert').filter({ hasText: 'Your session ends at' });
  await expect(warning).toBeVisible();
  await warning.getByText('Details', { exact: true }).click();
  await expect(warning).toContainText('login_required');
  const opened = page.waitForEvent('popup');
  await warning.getByRole('button', { name: 'Stay signed in' }).click();
  await opened;
  await expect(warning).toBeHidden();
  await expectSignedIn(page, 'viewer');
  expect((await waypost.requests()).filter(({ frame }) => frame)).toHaveLength(1);
});

test('with third-party cookies blocked, a new tab tries one frame and then shows the sign-in page', async ({
  profile,
  waypost,
}) => {
  const context = await profile('blocked');
  const page = await context.newPage();
  await signIn(page, 'viewer', `${crossSiteOrigin(waypost.origin)}/workspaces`);
  await waypost.control({ forget: true });
  const tab = await openSeparateTab(context);
  await tab.goto(`${crossSiteOrigin(waypost.origin)}/workspaces`);
  await expect(tab.getByRole('heading', { name: 'Sign in to Waypost' })).toBeVisible();
  await tab.waitForLoadState('networkidle');
  expect((await waypost.requests()).filter(({ frame }) => frame)).toHaveLength(1);
  // The provider already has a session, so one click is enough.
  await tab.getByRole('button', { name: /^Sign in with .+(?<!new window)$/ }).click();
  await expectSignedIn(tab, 'viewer');
});
