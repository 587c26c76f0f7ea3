import { expectAccessible } from './axe';
import { expect, test } from './fixtures';
import { expectNotice, signIn } from './people';

test('an administrator deletes a workspace after entering its name', async ({ page }) => {
  await signIn(page, 'admin', '/w/acme/settings');
  await page.goto('/workspaces');
  await page.getByRole('button', { name: 'New workspace' }).click();
  await page.getByLabel('Name').fill('Old shop');
  await page.getByRole('button', { name: 'Create workspace' }).click();
  await expect(page).toHaveURL(/\/w\/old-shop\/tours$/);
  await page.goto('/w/old-shop/settings');
  await expect(page.getByRole('region', { name: 'About' })).toContainText('Waypost');
  await page.getByRole('region', { name: 'Delete workspace' }).getByRole('button').click();
  const dialog = page.getByRole('dialog', { name: 'Delete Old shop?' });
  await expect(dialog.getByRole('link', { name: 'Export the audit log first' })).toBeVisible();
  const confirm = dialog.getByRole('button', { name: 'Delete this workspace' });
  await expect(confirm).toHaveAccessibleDescription('Enter the name of the workspace first.');
  await dialog.getByLabel('Enter “Old shop” to confirm').fill('old shop');
  await expect(confirm).toHaveAttribute('aria-disabled', 'true');
  await expectAccessible(page, 'the dialog that deletes a workspace', { open: true });
  await dialog.getByLabel('Enter “Old shop” to confirm').fill('Old shop');
  await confirm.click();
  await expectNotice(page, '“Old shop” deleted.');
  await page.goto('/w/old-shop/tours');
  await expect(page.getByRole('heading', { level: 1, name: 'Not found' })).toBeVisible();
  await page.goto('/w/acme/tours');
  await expect(page.getByRole('heading', { level: 1, name: 'Tours' })).toBeVisible();
});

test('the audit log has days, links to the objects, and many equal changes in one line', async ({ page }) => {
  await signIn(page, 'admin', '/w/acme/themes');
  for (const name of ['One', 'Two', 'Three', 'Four']) {
    await page.goto('/w/acme/themes');
    await page.getByRole('button', { name: 'New theme' }).click();
    await page.getByLabel('Name').fill(name);
    await page.getByRole('button', { name: 'Create theme' }).click();
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  }
  await page.goto('/w/acme/audit');
  await expect(page.getByRole('heading', { level: 2 }).first()).toHaveText(/\d{4}/);
  const together = page.getByText('added the theme “Four”, and 3 more like this');
  await together.click();
  const link = page.getByRole('link', { name: 'Two', exact: true });
  await expect(link).toBeVisible();
  await expectAccessible(page, 'the audit log');
  await link.click();
  await expect(page.getByRole('heading', { level: 1, name: 'Two' })).toBeVisible();
});

test('a theme has its own font, corners and step number, and a preview on a dark page', async ({ page }) => {
  await signIn(page, 'admin', '/w/acme/themes');
  await page.goto('/w/acme/themes');
  await page.getByRole('list', { name: 'Themes' }).getByRole('link').first().click();
  const font = page.getByRole('radiogroup', { name: 'Font: source' });
  await font.getByText('Own value').click();
  await page.getByLabel('Font: own value').fill('Georgia');
  await page.getByRole('radiogroup', { name: 'Rounded corners of the popover: source' }).getByText('Own value').click();
  await page.getByRole('checkbox', { name: 'Show the step number' }).uncheck();
  await page.getByText('Dark page').click();
  await expectAccessible(page, 'the theme');
  await page.getByRole('button', { name: 'Save theme' }).click();
  await expectNotice(page, 'Theme saved. Tours that use it now have the new look.');
  await page.reload();
  await expect(page.getByLabel('Font: own value')).toHaveValue('Georgia');
  await expect(page.getByRole('checkbox', { name: 'Show the step number' })).not.toBeChecked();
  await page.goto('/w/acme/tours/first-order');
  await page.getByRole('button', { name: 'Preview' }).click();
  const card = page.getByRole('dialog').first();
  await expect(card).toBeVisible();
  await expect(card).toHaveCSS('font-family', /^Georgia/);
  await expect(card.getByText(/^\d of \d$/)).toHaveCount(0);
});
