/** Pictures for the README: written when `WAYPOST_SCREENSHOTS=1` is set, so that an ordinary run changes no file. */
import { join } from 'node:path';
import type { Page } from '@playwright/test';

export async function picture(page: Page, name: string): Promise<void> {
  if (process.env['WAYPOST_SCREENSHOTS'] !== '1') return;
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.screenshot({ path: join(import.meta.dirname, 'screenshots', `${name}.png`), animations: 'disabled' });
}
