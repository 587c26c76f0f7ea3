import { readFileSync } from 'node:fs';
import { inspect } from './axe';
import { expect, test } from './fixtures';
import { openDemo, signIn } from './people';

test('an administrator shortens the retention, and sees what is deleted', async ({ page }) => {
  await signIn(page, 'admin', '/w/acme/settings');
  const panel = page.getByRole('region', { name: 'Data retention' });
  const visitors = panel.getByLabel('Delete visitors after (days without a visit)');
  await expect(visitors).toHaveValue('400');
  await expect(panel.getByRole('status')).toHaveText('Nothing is old enough to be deleted now.');
  await visitors.fill('10');
  await visitors.blur();
  await expect(panel.getByText('Must be between 30 and 3650.')).toBeVisible();
  await visitors.fill('100');
  // The audit log of the sample begins 30 days ago.
  await panel.getByLabel('Delete audit entries after (days)').fill('90');
  await expect(panel.getByRole('status')).toHaveText('Nothing is old enough to be deleted now.');
  await inspect(page, 'the settings');
  await panel.getByRole('button', { name: 'Save retention' }).click();
  await expect(page.getByText('Data retention saved.')).toBeVisible();
  await page.reload();
  await expect(visitors).toHaveValue('100');
});

test('a retention whose effect is not counted yet is confirmed', async ({ page }) => {
  await page.route('**/graphql', route =>
    route.request().postData()?.includes('RetentionPreview') === true ? undefined : route.fallback(),
  );
  await signIn(page, 'admin', '/w/acme/settings');
  const panel = page.getByRole('region', { name: 'Data retention' });
  await panel.getByLabel('Delete run events after (days without activity)').fill('200');
  await panel.getByRole('button', { name: 'Save retention' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete older data?' });
  await expect(dialog).toContainText('all data that is older than these days');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('Data retention saved.')).toHaveCount(0);
});

test('an administrator downloads everything that is stored about a visitor', async ({ page, browser, baseURL }) => {
  const visitor = await browser.newPage({ baseURL: baseURL ?? '' });
  const booted = visitor.waitForResponse(response => response.url().endsWith('/e/boot'));
  await openDemo(visitor);
  await booted;
  await signIn(page, 'admin', '/w/acme/visitors');
  await page
    .getByRole('link', { name: /^Anonymous visitor …/ })
    .first()
    .click();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export data' }).click();
  const file = await (await download).path();
  const document: unknown = JSON.parse(readFileSync(file, 'utf8'));
  expect(document).toMatchObject({ format: 'waypost-visitor', version: 1, visitor: { id: expect.any(String) } });
});
