import { text } from 'node:stream/consumers';
import type { Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from './axe';
import { expect, test } from './fixtures';
import { expectNotice, openDemo, popover, signIn } from './people';

// Long flows with an accessibility check at each stage.
test.describe.configure({ timeout: 180_000 });

const steps = [
  ['Welcome to the shop', 'Show me'],
  ['Find anything', 'Next'],
  ['Your cart', 'Next'],
  ['Your account', 'Start shopping'],
] as const;

async function visitDemo(page: Page): Promise<void> {
  await openDemo(page);
  // No timeout, because the report follows the last step and each step has its own timeout.
  const reported = page.waitForResponse(response => (response.request().postData() ?? '').includes('RUN_COMPLETED'), {
    timeout: 0,
  });
  for (const [title, button] of steps) {
    await popover(page, title).getByRole('button', { name: button }).click();
  }
  await reported;
}

test('visitors are found, explained, reset and erased', async ({ page, browser, baseURL }) => {
  const visitor = await browser.newPage({ baseURL: baseURL ?? '' });
  await visitDemo(visitor);

  await signIn(page, 'author', '/w/acme/visitors');
  await page.getByRole('combobox', { name: 'Site' }).selectOption({ label: 'Demo shop' });
  const visitors = page.getByRole('table', { name: /^Visitors of this site/ });
  await expect(visitors.getByRole('link')).toHaveCount(1);
  await page.getByRole('searchbox', { name: 'Search' }).fill('no such visitor');
  await expect(page.getByRole('heading', { name: /^No visitors of Demo shop match/ })).toBeVisible();
  await expectAccessible(page, 'visitors without a match');
  await page.getByRole('button', { name: 'Show all visitors' }).click();
  await visitors.getByRole('link').click();

  await test.step('the timeline shows the run events', async () => {
    const timeline = page.getByRole('region', { name: 'Runs' });
    await timeline.getByText('Your first order, revision 1').click();
    await expect(timeline.getByRole('list', { name: 'Run events' })).toContainText('completed');
  });

  await test.step('the explanation defaults to the last visited page', async () => {
    await expect(page.getByRole('main')).toContainText(`Last page${baseURL}/play`);
    await expect(page.getByRole('main').getByText('Browser ID', { exact: true })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Why a tour shows or doesn’t' }).getByLabel('Page')).toHaveValue(
      `${baseURL}/play`,
    );
  });

  await test.step('a run in the insights links to its visitor', async () => {
    const visitorUrl = page.url();
    await page.goto('/w/acme/tours/first-order/insights');
    await page
      .getByRole('region', { name: 'Recent runs' })
      .getByRole('link', { name: /^Anonymous visitor …/ })
      .click();
    await expect(page).toHaveURL(url => url.href.startsWith(`${visitorUrl}?run=`));
    const run = page.getByRole('region', { name: 'Runs' }).getByRole('listitem').first();
    await expect(run.getByRole('list', { name: 'Run events' })).toBeVisible();
  });

  const explain = page.getByRole('region', { name: 'Why a tour shows or doesn’t' });
  const runExplain = async () => {
    const tour = explain.getByRole('combobox', { name: 'Tour' });
    await tour.click();
    await tour.fill('first ord');
    await explain.getByRole('option', { name: 'Your first order' }).click();
    await explain.getByLabel('Page').fill(`${baseURL}/play`);
    await explain.getByRole('button', { name: 'Explain' }).click();
  };

  await test.step('the explanation names the failed check', async () => {
    // The default is the tour of the run that led to this page.
    await expect(explain.getByRole('combobox', { name: 'Tour' })).toHaveValue('Your first order');
    await explain.getByLabel('Page').fill('not an address');
    await explain.getByRole('button', { name: 'Explain' }).click();
    await expect(explain.getByText('Enter a full address that starts with https://')).toBeVisible();
    await runExplain();
    await expect(explain.getByText('doesn’t start automatically')).toBeVisible();
    await expect(explain.getByRole('heading', { name: 'Already shown as often as allowed.' })).toBeVisible();
    await expect(explain.getByRole('link', { name: /^Choose another frequency/ })).toHaveAttribute(
      'href',
      /\/w\/acme\/tours\/first-order$/,
    );
    const met = explain.getByText(/^\d+ checks met$/);
    await expect(explain.getByText('The page belongs to this site.')).toBeHidden();
    await met.click();
    await expect(explain.getByText('The page belongs to this site.')).toBeVisible();
  });
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await expectAccessible(page, `a visitor, ${width}, ${colorScheme}`);
    }
    await expectNoSidewaysScroll(page, `a visitor, ${width}`);
  }
  await page.setViewportSize({ width: 1280, height: 860 });

  await test.step('an author resets their test user', async () => {
    await expect(page.getByRole('button', { name: 'Reset' })).toHaveAttribute('aria-disabled', 'true');
    await page.getByRole('button', { name: 'Make test user' }).click();
    await expectNotice(page, 'This visitor is now your test user.');
    await page.getByRole('button', { name: 'Reset' }).click();
    await expectNotice(page, 'Visitor reset. All tours show as if for the first time.');
    await runExplain();
    await expect(explain.getByText('The tour starts for this visitor on this page.')).toBeVisible();
  });

  await test.step('new activity appears without reloading', async () => {
    await visitDemo(visitor);
    await expect(page.getByRole('region', { name: 'Runs' }).getByText('Your first order, revision 1')).toHaveCount(2);
  });

  const admin = await browser.newPage({ baseURL: baseURL ?? '' });
  await test.step('only an administrator erases', async () => {
    await expect(page.getByRole('button', { name: 'Erase' })).toHaveAttribute('aria-disabled', 'true');
    const address = page.url();
    await signIn(admin, 'admin', new URL(address).pathname);
    await admin.getByRole('button', { name: 'Erase' }).click();
    await admin.getByRole('button', { name: 'Erase permanently' }).click();
    await expectNotice(admin, 'Visitor erased.');
    await expect(admin.getByRole('heading', { name: 'No visitors yet' })).toBeVisible();
    await admin.goto(address);
    await expect(admin.getByRole('heading', { level: 1, name: 'Not found' })).toBeVisible();
    await expectAccessible(admin, 'an erased visitor');
    await admin.goto('/w/acme/audit');
    await expect(admin.getByText('erased the visitor')).toBeVisible();

    await admin.getByLabel('Action').selectOption({ label: 'Erase visitor' });
    await expect(admin.getByRole('list', { name: /^Audit entries/ }).locator('> li')).toHaveCount(1);
    await expect(admin).toHaveURL('/w/acme/audit?action=visitor.erase');
    await expectAccessible(admin, 'a filtered audit log');
    const download = admin.waitForEvent('download');
    await admin.getByRole('button', { name: 'Export CSV' }).click();
    const file = await (await download).createReadStream();
    expect(await text(file)).toMatch(/^at,.*\r\n[^\r]*,visitor\.erase,[^\r]*\r\n$/);
  });

  await test.step('an administrator removes fake visitors', async () => {
    await visitDemo(visitor);
    await admin.goto('/w/acme/visitors');
    await expect(admin.getByRole('table', { name: /^Visitors of this site/ }).getByRole('rowheader')).toHaveCount(1);
    await admin.getByRole('button', { name: 'More actions for visitors' }).click();
    await admin.getByRole('menuitem', { name: 'Remove fake visitors' }).click();
    const dialog = admin.getByRole('dialog');
    await dialog.getByLabel('First visit from').fill('2020-01-01T00:00');
    await dialog.getByLabel('First visit before').fill('2100-01-01T00:00');
    await dialog.getByLabel('Only visitors who completed nothing').uncheck();
    await expect(dialog.getByText('1 visitor matches.')).toBeVisible();
    await expectAccessible(admin, 'the dialog that removes fake visitors', { open: true });
    await dialog.getByRole('button', { name: 'Remove 1 visitor' }).click();
    await expectNotice(admin, '1 visitor removed.');
    await expect(admin.getByRole('heading', { name: 'No visitors yet' })).toBeVisible();
    await admin.close();
  });
  await visitor.close();
});
