import { join } from 'node:path';
import type { Page } from '@playwright/test';

export async function takeScreenshot(page: Page, name: string): Promise<void> {
  if (process.env['WAYPOST_SCREENSHOTS'] !== '1') return;
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.screenshot({ path: join(import.meta.dirname, 'screenshots', `${name}.png`), animations: 'disabled' });
}
