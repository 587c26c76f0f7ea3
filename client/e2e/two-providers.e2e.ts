import type { Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { chooseFromSession, enterPassword, expectNotice, expectSignedIn, renewSession, signOut } from './people';

test.use({ otherProvider: 'Other House' });

async function expectProvider(page: Page, name: string): Promise<void> {
  await chooseFromSession(page, 'Sign-in details');
  const details = page.getByRole('dialog', { name: 'Sign-in details' });
  await expect(details.getByText(name, { exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(details).toHaveCount(0);
}

test('accounts of both providers can sign in, by window and by redirect', async ({ page, context }) => {
  await page.goto('/workspaces');
  const opened = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Sign in with Other House in a new window' }).click();
  await enterPassword(await opened, 'viewer');
  await expectSignedIn(page, 'viewer');
  await expectProvider(page, 'Other House');

  await page.reload();
  await expectSignedIn(page, 'viewer');
  await renewSession(page, 'Renew session with refresh token');
  await expectNotice(page, 'Session renewed with the refresh token.');

  const second = await context.newPage();
  await second.goto('/workspaces');
  await expectSignedIn(second, 'viewer');
  await expectProvider(second, 'Other House');
  await second.close();

  await signOut(page);
  await page.goto('/workspaces');
  await page.getByRole('button', { name: 'Sign in with Waypost development', exact: true }).click();
  await enterPassword(page, 'author');
  await expectSignedIn(page, 'author');
  await expectProvider(page, 'Waypost development');
});
