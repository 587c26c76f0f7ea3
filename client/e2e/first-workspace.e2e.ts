/** An installation without the sample, as an administrator sees it first. */
import { expect, test } from './fixtures';
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
  await expect(popover(page, 'Welcome to Waypost')).toBeVisible();
});
