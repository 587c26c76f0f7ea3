/** Puppeteer, WebDriver BiDi. Playwright requires its own build. */
import { launch, type Page } from 'puppeteer-core';
import { findFirefox } from '../../../.scripts/lib/browser.mjs';
import { type Engine, TIMEOUT_MS, type Window } from './engine';

export async function startFirefox(): Promise<Engine> {
  const browser = await launch({
    browser: 'firefox',
    executablePath: findFirefox(),
    headless: true,
    // In Firefox's 800 pixels, a notification covers the account menu.
    defaultViewport: { width: 1280, height: 860 },
  });
  return {
    open: async () => windowOf(await browser.newPage()),
    popup: async action => {
      const [opened] = await Promise.all([
        new Promise<Page | null>(resolve => {
          browser.once('targetcreated', target => void target.page().then(resolve));
        }),
        action(),
      ]);
      if (opened === null) throw new Error('The new window of Firefox has no page.');
      return windowOf(opened);
    },
    stop: () => browser.close(),
  };
}

function windowOf(page: Page): Window {
  const locate = async (xpath: string) => {
    const element = await page.waitForSelector(`xpath/${xpath}`, { visible: true, timeout: TIMEOUT_MS });
    if (element === null) throw new Error(`There is no element ${xpath}.`);
    return element;
  };
  return {
    goto: async url => {
      await page.goto(url);
    },
    reload: async () => {
      await page.reload();
    },
    url: async () => page.url(),
    see: async xpath => {
      await locate(xpath);
    },
    click: async xpath => {
      // A background tab renders no frames.
      await page.bringToFront();
      await (await locate(xpath)).click();
    },
    type: async (xpath, text) => (await locate(xpath)).type(text),
    evaluate: expression => page.evaluate(expression),
  };
}
