import type { Page } from '@playwright/test';
import { send } from './api';
import { expectScreenshots, screenshotOptions } from './baselines';
import { expect, test } from './fixtures';
import { close, dialog, lookOf, openScreen } from './looks';
import { openDemo, popover, signIn, signOut } from './people';

test.use(screenshotOptions);
test.describe.configure({ timeout: 240_000 });

const tour = '/w/acme/tours/first-order';

test('around signing in', async ({ page }) => {
  await openScreen(page, '/', 'Sign in to Waypost');
  await expectScreenshots(page, 'sign-in');
  await signIn(page, 'viewer', '/w/acme/tours');
  await signOut(page);
  await expectScreenshots(page, 'signed-out');
  await page.context().route('**/graphql*', route => route.abort());
  await page.goto('/');
  await expect(page.getByText('Can’t reach the server.').first()).toBeVisible();
  await expectScreenshots(page, 'sign-in-offline', ['light', 'phone']);
  // A new tab has no cached data.
  const next = await page.context().newPage();
  await openScreen(next, '/', 'Can’t reach Waypost');
  await expectScreenshots(next, 'unreachable', ['light', 'phone']);
});

test('the screens of a workspace', async ({ page }) => {
  await signIn(page, 'viewer', '/w/acme/tours');
  const screens: readonly [name: string, path: string, heading: string][] = [
    ['workspaces', '/workspaces', 'Workspaces'],
    ['tours', '/w/acme/tours', 'Tours'],
    ['tours-none', '/w/acme/tours?search=no+such+tour', 'Tours'],
    ['themes', '/w/acme/themes', 'Themes'],
    ['sites', '/w/acme/sites', 'Sites'],
    ['visitors', '/w/acme/visitors', 'Visitors'],
    ['members', '/w/acme/members', 'Members'],
    ['settings', '/w/acme/settings', 'Settings'],
  ];
  for (const [name, path, heading] of screens) {
    await openScreen(page, path, heading);
    await expectScreenshots(page, name, name === 'tours-none' ? ['light', 'phone'] : undefined);
  }
  await openScreen(page, '/w/acme/nowhere');
  await expectScreenshots(page, 'not-found');
  await openScreen(page, '/w/acme/themes', 'Themes');
  await page.getByRole('list', { name: 'Themes' }).getByRole('link').first().click();
  await expect(page.getByRole('slider').first()).toBeVisible();
  await expectScreenshots(page, 'theme');
  await openScreen(page, '/w/acme/sites', 'Sites');
  await page.getByRole('list', { name: 'Sites' }).getByRole('link', { name: 'Demo shop' }).click();
  await expect(page.getByLabel('Site key')).toBeVisible();
  await expectScreenshots(page, 'site');
});

test('the screens of a tour', async ({ page }) => {
  await signIn(page, 'viewer', tour);
  await expect(page.getByRole('region', { name: 'Step 1', exact: true })).toBeVisible();
  await expectScreenshots(page, 'editor-viewer', ['light']);
  await openScreen(page, `${tour}/revisions`, 'Review');
  await expectScreenshots(page, 'review');
  await openScreen(page, `${tour}/releases`, 'Releases');
  await expectScreenshots(page, 'releases');
  await openScreen(page, `${tour}/insights`, 'Insights');
  await expectScreenshots(page, 'insights');
});

test('writing', async ({ page }) => {
  await signIn(page, 'publisher', tour);
  const step = page.getByRole('region', { name: 'Step 1', exact: true });
  await expect(step).toBeVisible();
  await expectScreenshots(page, 'editor');
  await page
    .getByRole('list', { name: /in order/ })
    .locator('[data-step]')
    .nth(1)
    .click();
  await expect(page.getByRole('region', { name: 'Step 2', exact: true })).toBeVisible();
  await expectScreenshots(page, 'editor-element', ['light', 'phone']);
  await page.getByRole('button', { name: 'Start and theme' }).click();
  await expectScreenshots(page, 'editor-rules', ['light', 'phone']);
  await page.getByRole('button', { name: 'Languages' }).click();
  await page.getByLabel('Add a language').selectOption('fr');
  await page.getByRole('button', { name: 'Add language' }).click();
  await expect(page.getByText('Texts not translated into fr')).toBeVisible();
  await expectScreenshots(page, 'editor-languages', ['light', 'phone']);
  await page.getByRole('button', { name: 'Undo: new language French (fr)' }).click();
  await expect(page.getByText('Texts not translated into fr')).toHaveCount(0);
  await page.getByRole('button', { name: 'Preview' }).click();
  await expect(popover(page).first()).toBeVisible();
  await expectScreenshots(page, 'preview');
  await page.getByRole('button', { name: 'End preview' }).click();
  await expect(popover(page)).toHaveCount(0);
  await page.getByText('All changes saved').click();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await expectScreenshots(page, 'shortcuts');
  await close(page);
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog', { name: 'Search and commands' }).getByRole('option').first()).toBeVisible();
  await expectScreenshots(page, 'palette');
  await close(page);
  await page.getByRole('button', { name: 'Tour actions' }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await expectScreenshots(page, 'tour-menu', ['phone']);
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await expect(dialog(page)).toBeVisible();
  await expectScreenshots(page, 'tour-duplicate', ['phone']);
});

test('the demo page', async ({ page }) => {
  await openDemo(page);
  await expect(popover(page, 'Welcome to the shop')).toBeVisible();
  await expectScreenshots(page, 'demo');
});

test('steps look the same in the preview as on a page', async ({ page }) => {
  const titles = ['Welcome to the shop', 'Find anything'];
  const looks = async () => {
    const found = [];
    for (const title of titles) {
      await expect(popover(page, title)).toBeVisible();
      found.push(await lookOf(popover(page, title)));
      await popover(page, title)
        .getByRole('button', { name: /^(Show me|Next)$/ })
        .click();
    }
    return found;
  };
  await openDemo(page);
  const onPage = await looks();
  await signIn(page, 'publisher', tour);
  await page.getByRole('button', { name: 'Preview' }).click();
  expect(await looks()).toEqual(onPage);
});

test('branches and hotspots look the same in the preview as on a page', async ({ page, browser, baseURL }) => {
  const looks = async (shown: Page) => {
    const choice = popover(shown, 'What brings you here?');
    await expect(choice).toBeVisible();
    const found = [await lookOf(choice)];
    await choice.getByRole('button', { name: 'Look around' }).click();
    for (const [tip, button] of [
      ['Find anything', 'Got it'],
      ['Ask us', 'Got it'],
    ] as const) {
      // oxlint-disable no-await-in-loop
      await shown.getByRole('button', { name: `Tip: ${tip}` }).click();
      await expect(popover(shown, tip).getByRole('button', { name: button })).toBeFocused();
      found.push(await lookOf(popover(shown, tip)));
      await popover(shown, tip).getByRole('button', { name: button }).click();
      // oxlint-enable no-await-in-loop
    }
    return found;
  };
  await signIn(page, 'admin', '/w/acme/tours');
  await page.getByRole('button', { name: 'New tour' }).first().click();
  await page.getByLabel('Title').fill('Looks');
  await page.getByRole('radio', { name: 'Example: hands-on order' }).check();
  await page.getByRole('button', { name: 'Create tour' }).click();
  await expect(page.getByText('All changes saved')).toBeVisible();
  await page.getByRole('button', { name: 'Preview' }).click();
  const inPreview = await looks(page);

  const { workspace } = await send(page, 'Sites', { slug: 'acme' });
  const input = { workspaceId: workspace?.['id'], name: 'Looks', origins: [baseURL] };
  const { siteCreate: site } = await send(page, 'SiteCreate', { input });
  const { tourBySlug: tour } = await send(page, 'TourEditor', { workspaceId: workspace?.['id'], slug: 'looks' });
  const draft = tour?.['draft'] as { version: number };
  await send(page, 'TourRelease', {
    input: { tourId: tour?.['id'], expectedVersion: draft.version, siteIds: [site?.['id']] },
  });
  const context = await browser.newContext({ ...screenshotOptions, baseURL: baseURL ?? '' });
  const visitor = await context.newPage();
  await openDemo(visitor, String(site?.['key']));
  expect(await looks(visitor)).toEqual(inPreview);
  await context.close();
});
