/** Navigation helpers of the visual tests. */
import { expect, type Locator, type Page } from '@playwright/test';

export async function openScreen(page: Page, path: string, heading: string | RegExp = /./): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('heading', { name: heading }).first()).toBeAttached();
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
  await expect(page.getByRole('status', { name: /^Loading/ })).toHaveCount(0);
}

/** A dialog of the application, excluding popovers of tours. */
export const dialog = (page: Page): Locator => page.getByRole('dialog').and(page.locator(':not(.wp-popover)'));

export async function close(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);
  await expect(page.getByRole('menu')).toHaveCount(0);
}
