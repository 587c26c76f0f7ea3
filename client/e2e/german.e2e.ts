/** Waypost in German: no English is left on any screen, axe finds nothing, and the longer words have room. */
import type { Page } from '@playwright/test';
import { inspect } from './axe';
import { expect, test } from './fixtures';
import { germanOnly } from './languages';
import { popover, signIn } from './people';

/** What the browser asks for is German; what was chosen by hand comes first. */
test.use({ locale: 'de-DE' });

// Each screen is looked at four times, which takes its time.
test.describe.configure({ timeout: 180_000 });

async function toEnglish(page: Page): Promise<void> {
  await page.goto('/');
  await page.evaluate(() => localStorage.setItem('waypost:language', 'en'));
}

async function chooseGerman(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Appearance' }).first().click();
  await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
}

test('a browser that speaks German is spoken to in German', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Bei Waypost anmelden' })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await germanOnly(page, 'the sign-in page');
  await inspect(page, 'the sign-in page in German');
});

test('the language is chosen in the menu, kept, and changed back', async ({ page }) => {
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
  '/w/acme/tours?search=nichts+heißt+so',
  '/w/acme/tours/first-order',
  '/w/acme/tours/first-order/revisions',
  '/w/acme/tours/first-order/releases',
  '/w/acme/tours/first-order/insights',
  '/w/acme/themes',
  '/w/acme/sites',
  '/w/acme/people',
  '/w/acme/members',
  '/w/acme/audit',
  '/w/acme/settings',
  '/w/acme/nirgends',
  '/play',
];

for (const path of screens) {
  test(`${path} is German, accessible, and has room for its words`, async ({ page }) => {
    await toEnglish(page);
    await signIn(page, 'admin', '/w/acme/tours');
    await chooseGerman(page);
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeAttached();
    await expect(page.getByRole('status', { name: /geladen$/ })).toHaveCount(0);
    await germanOnly(page, path);
    await inspect(page, `${path} in German`);
  });
}

test('menus, dialogs and failures are German', async ({ page }) => {
  await toEnglish(page);
  await signIn(page, 'admin', '/w/acme/tours');
  await chooseGerman(page);
  await page.getByRole('button', { name: 'Neue Tour' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Neue Tour' });
  await dialog.getByRole('button', { name: 'Tour anlegen' }).click();
  await expect(dialog.getByText('Darf nicht leer sein.')).toBeVisible();
  await germanOnly(page, 'the dialog of a new tour');
  // The server's answer, in the words of the client.
  await dialog.getByLabel('Titel').fill('Bestellen');
  await dialog.getByLabel('Slug').fill('first-order');
  await dialog.getByRole('button', { name: 'Tour anlegen' }).click();
  await expect(dialog.getByText('Der Slug „first-order“ ist in diesem Arbeitsbereich bereits vergeben.')).toBeVisible();
  await page.keyboard.press('Escape');

  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: 'Touren, Websites und Befehle suchen' })).toBeFocused();
  await germanOnly(page, 'the command palette');
  await page.keyboard.press('Escape');

  await page.goto('/w/acme/tours/first-order');
  await page.getByRole('list', { name: 'Schritte der Reihe nach' }).locator('[data-step]').first().click();
  await expect(page.getByRole('region', { name: 'Schritt 1', exact: true })).toBeVisible();
  await germanOnly(page, 'the inspector of a step');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Tastenkürzel' })).toBeVisible();
  await germanOnly(page, 'the list of shortcuts');
});

test('a person, a review, the dialogs of a release, and the numbers are German', async ({ page, browser, baseURL }) => {
  const visitor = await browser.newPage({ baseURL: baseURL ?? '' });
  await visitor.goto('/play?key=wp_pub_demo_shop');
  const told = visitor.waitForResponse(response => (response.request().postData() ?? '').includes('RUN_DISMISSED'));
  await expect(popover(visitor, 'Welcome to the shop')).toBeVisible();
  await visitor.keyboard.press('Escape');
  await told;
  await visitor.close();

  await toEnglish(page);
  await signIn(page, 'admin', '/w/acme/tours');
  await chooseGerman(page);
  await page.goto('/w/acme/people');
  await page.getByRole('combobox', { name: 'Website' }).selectOption({ label: 'Demo shop' });
  await page.getByRole('main').getByRole('list').getByRole('link').first().click();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.getByRole('button', { name: 'Löschen' }).click();
  await expect(page.getByRole('dialog')).toContainText('Diesen Besucher löschen?');
  await germanOnly(page, 'the dialog that erases a person');
  await page.keyboard.press('Escape');
  await inspect(page, 'a person in German');
  await germanOnly(page, 'a person');

  await page.goto('/w/acme/tours/first-order/revisions');
  await page.getByRole('button', { name: 'Prüfung anfordern' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await germanOnly(page, 'the dialog that asks for a review');
  await page.keyboard.press('Escape');

  await page.goto('/w/acme/tours/first-order/releases');
  for (const button of ['Veröffentlichen', 'Pausieren', 'Einstellungen bearbeiten', 'Stoppen']) {
    // oxlint-disable no-await-in-loop -- one dialog after the other
    await page.getByRole('main').getByRole('button', { name: button, exact: true }).first().click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await expect(page.getByRole('status', { name: /geladen$/ })).toHaveCount(0);
    await germanOnly(page, `the dialog “${button}”`);
    await page.keyboard.press('Escape');
    // oxlint-enable no-await-in-loop
  }

  await page.goto('/w/acme/tours/first-order/insights');
  await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible();
  await expect(page.getByRole('status', { name: /geladen$/ })).toHaveCount(0);
  await germanOnly(page, 'insights with numbers');
  await inspect(page, 'insights with numbers in German');
});
