import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';

/** `top`: an element of the section at the top of the screenshot, instead of the page's. */
export async function takeScreenshot(page: Page, name: string, top?: Locator): Promise<void> {
  if (process.env['WAYPOST_SCREENSHOTS'] !== '1') return;
  if (top) await top.evaluate(element => (element.closest('section') ?? element).scrollIntoView());
  else await page.evaluate(() => window.scrollTo(0, 0));
  await page.screenshot({ path: join(import.meta.dirname, 'screenshots', `${name}.png`), animations: 'disabled' });
}
