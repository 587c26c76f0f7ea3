import type { Page } from '@playwright/test';
import { inspect } from './axe';
import { expect, test } from './fixtures';
import { expectNoEnglish } from './languages';
import { openDemo, popover, signIn } from './people';

/** The browser prefers German. A language chosen in the menu takes precedence. */
test.use({ locale: 'de-DE' });

// Many screens, each checked four times.
test.describe.configure({ timeout: 300_000 });

async function toEnglish(page: Page): Promise<void> {
  await page.goto('/');
  await page.evaluate(() => localStorage.setItem('waypost:language', 'en'));
}

async function chooseGerman(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Appearance' }).first().click();
  await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
}

test('a browser that prefers German gets German', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Bei Waypost anmelden' })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await expectNoEnglish(page, 'the sign-in page');
  await inspect(page, 'the sign-in page in German');
});

test('the language can be chosen in the menu, persists, and can be changed back', async ({ page }) => {
  await toEnglish(page);
  await signIn(page, 'admin', '/w/acme/tours');
  await chooseGerman(page);
  await expect(page.getByRole('heading', { level: 1, name: 'Touren' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Touren' })).toBeVisible();
  await expect(page).toHaveTitle('Touren · Waypost');
  await page.getByRole('button', { name: 'Darstellung' }).first().click();
  await page.getByRole('menuitemradio', { name: 'English' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Tours' })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
});

const screens = [
  '/workspaces',
  '/w/acme/tours',
  '/w/acme/tours?search=keine+Treffer',
  '/w/acme/tours/first-order',
  '/w/acme/tours/first-order/revisions',
  '/w/acme/tours/first-order/releases',
  '/w/acme/tours/first-order/insights',
  '/w/acme/themes',
  '/w/acme/sites',
  '/w/acme/visitors',
  '/w/acme/members',
  '/w/acme/audit',
  '/w/acme/segments/new',
  '/w/acme/settings',
  '/w/acme/nirgends',
  '/play',
];

test('all screens are German, accessible, and do not overflow', async ({ page }) => {
  await toEnglish(page);
  await signIn(page, 'admin', '/w/acme/tours');
  await chooseGerman(page);
  for (const path of screens) {
    await test.step(path, async () => {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 }).first()).toBeAttached();
      await expect(page.getByRole('status', { name: /geladen$/ })).toHaveCount(0);
      await expectNoEnglish(page, path);
      await inspect(page, `${path} in German`);
    });
  }
});

test('menus, dialogs and errors are German', async ({ page }) => {
  await toEnglish(page);
  await signIn(page, 'admin', '/w/acme/tours');
  await chooseGerman(page);
  await page.getByRole('button', { name: 'Neue Tour' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Neue Tour' });
  await dialog.getByRole('button', { name: 'Tour anlegen' }).click();
  await expect(dialog.getByText('Darf nicht leer sein.')).toBeVisible();
  await expectNoEnglish(page, 'the dialog of a new tour');
  // An error of the server, translated by the client.
  await dialog.getByLabel('Titel').fill('Bestellen');
  await dialog.getByLabel('Slug').fill('first-order');
  await dialog.getByRole('button', { name: 'Tour anlegen' }).click();
  await expect(
    dialog.getByText('Eine andere Tour dieses Arbeitsbereichs hat den Slug „first-order“. Wählen Sie einen anderen.'),
  ).toBeVisible();
  await page.keyboard.press('Escape');

  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: 'Touren, Websites und Befehle suchen' })).toBeFocused();
  await expectNoEnglish(page, 'the command palette');
  await page.keyboard.press('Escape');

  await page.goto('/w/acme/tours/first-order');
  await page.getByRole('list', { name: 'Schritte der Reihe nach' }).locator('[data-step]').first().click();
  await expect(page.getByRole('region', { name: 'Schritt 1', exact: true })).toBeVisible();
  await expectNoEnglish(page, 'the inspector of a step');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Tastenkürzel' })).toBeVisible();
  await expectNoEnglish(page, 'the list of shortcuts');
});

test('a visitor, a review, the release dialogs and insights are German', async ({ page, browser, baseURL }) => {
  const visitor = await browser.newPage({ baseURL: baseURL ?? '' });
  await openDemo(visitor);
  const reported = visitor.waitForResponse(response => (response.request().postData() ?? '').includes('RUN_DISMISSED'));
  await expect(popover(visitor, 'Willkommen im Shop')).toBeVisible();
  await visitor.keyboard.press('Escape');
  await reported;
  await visitor.close();

  await toEnglish(page);
  await signIn(page, 'admin', '/w/acme/tours');
  await chooseGerman(page);
  await page.goto('/w/acme/visitors');
  await page.getByRole('combobox', { name: 'Website' }).selectOption({ label: 'Demo shop' });
  await page.getByRole('main').getByRole('table').getByRole('link').first().click();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.getByRole('button', { name: 'Löschen' }).click();
  await expect(page.getByRole('dialog')).toContainText('Diesen Besucher löschen?');
  await expectNoEnglish(page, 'the dialog that erases a visitor');
  await page.keyboard.press('Escape');
  await inspect(page, 'a visitor in German');
  await expectNoEnglish(page, 'a visitor');

  await page.goto('/w/acme/tours/first-order/revisions');
  await page.getByRole('button', { name: 'Prüfung anfordern' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectNoEnglish(page, 'the dialog that requests a review');
  await page.keyboard.press('Escape');

  await page.goto('/w/acme/tours/first-order/releases');
  for (const button of ['Veröffentlichen', 'Pausieren', 'Einstellungen bearbeiten', 'Stoppen']) {
    await page.getByRole('main').getByRole('button', { name: button, exact: true }).first().click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await expect(page.getByRole('status', { name: /geladen$/ })).toHaveCount(0);
    await expectNoEnglish(page, `the dialog “${button}”`);
    await page.keyboard.press('Escape');
  }

  await page.goto('/w/acme/tours/first-order/insights');
  await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible();
  await expect(page.getByRole('status', { name: /geladen$/ })).toHaveCount(0);
  await expectNoEnglish(page, 'insights with numbers');
  await inspect(page, 'insights with numbers in German');
});
