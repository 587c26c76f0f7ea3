/**
 * People: found, watched, explained, reset and erased, as a person of each role does it.
 */
import type { Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from './axe';
import { expect, test } from './fixtures';
import { expectNotice, popover, signIn } from './people';

// Long ways, with a look at accessibility at each stop.
test.describe.configure({ timeout: 180_000 });

/** The steps of the sample's tour, and the button that ends each. */
const steps = [
  ['Welcome to the shop', 'Show me'],
  ['Find anything', 'Next'],
  ['Your cart', 'Next'],
  ['Your account', 'Start shopping'],
] as const;

/** A visitor comes to the demo page, and takes the tour that begins there to its end. */
async function visitDemo(page: Page): Promise<void> {
  await page.goto('/play?key=wp_pub_demo_shop');
  // It comes with the last step: each of them has its own time.
  const told = page.waitForResponse(response => (response.request().postData() ?? '').includes('RUN_COMPLETED'), {
    timeout: 0,
  });
  for (const [title, button] of steps) {
    // oxlint-disable-next-line no-await-in-loop
    await popover(page, title).getByRole('button', { name: button }).click();
  }
  await told;
}

test('people are found, explained, reset and erased', async ({ page, browser, baseURL }) => {
  const visitor = await browser.newPage({ baseURL: baseURL ?? '' });
  await visitDemo(visitor);

  await signIn(page, 'author', '/w/acme/people');
  await page.getByRole('combobox', { name: 'Site' }).selectOption({ label: 'Demo shop' });
  const people = page.getByRole('list', { name: /^Visitors of this site/ });
  await expect(people.getByRole('link')).toHaveCount(1);
  await page.getByRole('searchbox', { name: 'Search' }).fill('nobody is called so');
  await expect(page.getByRole('heading', { name: /^No visitors match/ })).toBeVisible();
  await expectAccessible(page, 'people, nobody found');
  await page.getByRole('button', { name: 'Show all visitors' }).click();
  await people.getByRole('link').click();

  await test.step('the timeline tells what happened', async () => {
    const timeline = page.getByRole('region', { name: 'Runs' });
    await timeline.getByText('Your first order, revision 1').click();
    await expect(timeline.getByRole('list', { name: 'Run events' })).toContainText('completed');
  });

  await test.step('the page that they were on last is where the question begins', async () => {
    await expect(page.getByRole('main')).toContainText(`Last page${baseURL}/play`);
    await expect(page.getByRole('main').getByText('Browser', { exact: true })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Why does a tour show or not?' }).getByLabel('Page')).toHaveValue(
      `${baseURL}/play`,
    );
  });

  await test.step('a run in the insights leads to who took it', async () => {
    const person = page.url();
    await page.goto('/w/acme/tours/first-order/insights');
    await page
      .getByRole('region', { name: 'Recent runs' })
      .getByRole('link', { name: /^Anonymous visitor …/ })
      .click();
    await expect(page).toHaveURL(person);
  });

  const explain = page.getByRole('region', { name: 'Why does a tour show or not?' });
  const ask = async () => {
    await explain.getByLabel('Tour').selectOption({ label: 'Your first order' });
    await explain.getByLabel('Page').fill(`${baseURL}/play`);
    await explain.getByRole('button', { name: 'Explain' }).click();
  };

  await test.step('explain names the gate that is closed', async () => {
    await explain.getByLabel('Page').fill('no address');
    await explain.getByRole('button', { name: 'Explain' }).click();
    await expect(explain.getByText('Enter a full address that starts with https://')).toBeVisible();
    await ask();
    await expect(explain.getByText('doesn’t start automatically')).toBeVisible();
    const gates = explain.getByRole('list', { name: /^Eligibility checks/ });
    await expect(gates.getByRole('listitem').filter({ hasText: 'Frequency' })).toContainText('not met');
    await expect(explain.getByText('doesn’t start automatically').locator('xpath=ancestor::p')).toContainText(
      'Already shown as often as allowed.',
    );
    await expect(gates.getByRole('link', { name: /^Choose another frequency/ })).toHaveAttribute(
      'href',
      /\/w\/acme\/tours\/first-order$/,
    );
  });
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await expectAccessible(page, `a person, ${width}, ${colorScheme}`);
    }
    await expectNoSidewaysScroll(page, `a person, ${width}`);
  }
  await page.setViewportSize({ width: 1280, height: 860 });

  await test.step('an author resets their own test participant', async () => {
    await expect(page.getByRole('button', { name: 'Reset' })).toHaveAttribute('aria-disabled', 'true');
    await page.getByRole('button', { name: 'Make test user' }).click();
    await expectNotice(page, 'This visitor is now your test user.');
    await page.getByRole('button', { name: 'Reset' }).click();
    await expectNotice(page, 'Visitor reset. All tours show as if for the first time.');
    await ask();
    await expect(explain.getByText('The tour starts for this visitor on this page.')).toBeVisible();
  });

  await test.step('what they do next appears by itself', async () => {
    await visitDemo(visitor);
    await expect(page.getByRole('region', { name: 'Runs' }).getByText('Your first order, revision 1')).toHaveCount(2);
  });

  await test.step('only an administrator erases', async () => {
    await expect(page.getByRole('button', { name: 'Erase' })).toHaveAttribute('aria-disabled', 'true');
    const address = page.url();
    const admin = await browser.newPage({ baseURL: baseURL ?? '' });
    await signIn(admin, 'admin', new URL(address).pathname);
    await admin.getByRole('button', { name: 'Erase' }).click();
    await admin.getByRole('button', { name: 'Erase permanently' }).click();
    await expectNotice(admin, 'Visitor erased.');
    await expect(admin.getByRole('heading', { name: 'No visitors yet' })).toBeVisible();
    await admin.goto(address);
    await expect(admin.getByRole('heading', { level: 1, name: 'Not found' })).toBeVisible();
    await expectAccessible(admin, 'a person who is gone');
    await admin.goto('/w/acme/audit');
    await expect(admin.getByText('erased the visitor')).toBeVisible();
    await admin.close();
  });
  await visitor.close();
});
