/** An installation without the sample, as an administrator sees it first. */
import { expectAccessible } from './axe';
import { expect, test } from './fixtures';
import { expectFiveNumbers } from './looks';
import { enterPassword, popover } from './people';

test.use({ settings: { WAYPOST_SAMPLE: 'off' } });

test('the first workspace of an installation starts with the introduction', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: /^Sign in with .+(?<!new window)$/ }).click();
  await enterPassword(page, 'admin');
  await page.getByRole('button', { name: 'New workspace' }).first().click();
  await page.getByLabel('Name').fill('Lamps');
  await expect(page.getByLabel('Slug')).toHaveValue('lamps');
  await page.getByRole('button', { name: 'Create workspace' }).click();
  const introduction = popover(page, 'Welcome to Waypost');
  await expect(introduction).toBeVisible();
  await expectAccessible(page, 'the introduction', { open: true });
  await expectFiveNumbers(page, 'start-here');
  await introduction.getByRole('button', { name: 'Got it' }).click();
  await expect(introduction).toHaveCount(0);

  const steps = page.getByRole('region', { name: 'Get your first tour live' });
  await expect(steps.getByRole('listitem').filter({ hasText: 'Install' })).toContainText('First add your site.');
  await steps.getByRole('link', { name: 'Add your site' }).click();
  const site = page.getByRole('dialog', { name: 'New site' });
  await site.getByLabel('Name').fill('Lamp shop');
  // The copied address of a page.
  await site.getByLabel('Allowed origins').fill('https://Shop.example.com/lamps?color=red#top');
  await site.getByLabel('Name').focus();
  await expect(site.getByLabel('Allowed origins')).toHaveValue('https://shop.example.com');
  await site.getByRole('button', { name: 'Create site' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Lamp shop' })).toBeVisible();

  await steps.getByRole('link', { name: 'Write a tour' }).click();
  const tour = page.getByRole('dialog', { name: 'New tour' });
  await tour.getByLabel('Title').fill('Hello');
  await tour.getByLabel('Language').selectOption({ label: 'French (fr)' });
  await expectAccessible(page, 'a new tour', { open: true });
  await tour.getByRole('button', { name: 'Create tour' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Hello' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});
