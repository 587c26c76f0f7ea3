/** The script on pages while the server is slow, in earlier browsers, and through two addresses of one server. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, type Page, test } from '@playwright/test';
import { installCode } from '../src/features/site/install-texts';
import { watch } from './fixtures';
import { type ForeignSite, OPEN_ROOTS, popover, press, startForeignSite, step, theme } from './foreign-site';

const KEY = 'wp_pub_test';
const codeOf = (origin: string) =>
  installCode({ src: `${origin}/embed/v1.js`, pinnedSrc: `${origin}/embed/v1.js`, integrity: '' }, KEY);
const pageWith = (code: string) =>
  `<!doctype html><html lang="en"><title>Shop</title><p><button id="cart">Cart</button></p>${code}</html>`;

const reported = (site: ForeignSite) => site.events.map(({ kind, stepKey = '' }) => `${kind} ${stepKey}`.trim());
const COMPLETE = ['RUN_STARTED', 'STEP_SEEN one', 'STEP_DONE one', 'STEP_SEEN two', 'STEP_DONE two', 'RUN_COMPLETED'];

async function playTwoSteps(page: Page, site: ForeignSite): Promise<void> {
  site.offer({ theme, steps: [step('one', null), step('two', '#cart')] });
  await page.addInitScript(OPEN_ROOTS);
  await watch(page, async () => {
    await page.goto(site.origin);
    await press(page, 'About one', 'Next');
    await press(page, 'About two', 'Done');
    await expect.poll(() => reported(site)).toEqual(COMPLETE);
    await expect(page.locator('[data-waypost]')).toHaveCount(0);
  });
}

async function withSite(
  options: Parameters<typeof startForeignSite>,
  use: (site: ForeignSite) => Promise<void>,
): Promise<void> {
  const site = await startForeignSite(...options);
  try {
    await use(site);
  } finally {
    await site.stop();
  }
}

/** Does not respond before the end of the test. */
async function startHangingServer() {
  const server = createServer(() => undefined);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

for (const variant of ['script', 'pinned'] as const)
  test(`a page loads while the server of the ${variant} code does not respond`, async ({ page }) => {
    const hanging = await startHangingServer();
    await withSite([() => pageWith(codeOf(hanging.origin)[variant]), () => ''], async site => {
      const asked = page.waitForRequest(`${hanging.origin}/embed/v1.js`);
      await page.goto(site.origin, { waitUntil: 'load', timeout: 30_000 });
      await asked;
      expect(await page.evaluate('document.readyState')).toBe('complete');
    });
    hanging.stop();
  });

test('a page loads while the player does not respond', async ({ page }) => {
  await withSite([waypost => pageWith(codeOf(waypost).script), () => ''], async site => {
    site.offer({ theme, steps: [step('one', null)] });
    let release = () => {};
    const released = new Promise<void>(resolve => (release = resolve));
    await page.route('**/embed/player-*', async route => {
      await released;
      await route.continue();
    });
    await page.addInitScript(OPEN_ROOTS);
    await page.goto(site.origin, { waitUntil: 'load' });
    release();
    await expect(popover(page, 'About one')).toBeVisible();
  });
});

const nonce = (code: string) => code.replaceAll('<script', '<script nonce="page"');
const POLICIES: Readonly<Record<string, { code: (waypost: string) => string; policy: (waypost: string) => string }>> = {
  'the addresses of the server, without inline scripts': {
    code: waypost => codeOf(waypost).tag,
    policy: waypost => codeOf(waypost).policy.replaceAll('\n', ' '),
  },
  'a nonce': {
    code: waypost => nonce(codeOf(waypost).script),
    policy: waypost => `script-src 'nonce-page'; connect-src ${waypost}`,
  },
  'a nonce and strict-dynamic': {
    code: waypost => nonce(codeOf(waypost).script),
    policy: waypost =>
      `script-src 'nonce-page' 'strict-dynamic'; connect-src ${waypost}; require-trusted-types-for 'script'; trusted-types 'none'`,
  },
  'a nonce and strict-dynamic, and a pinned version': {
    code: waypost => nonce(codeOf(waypost).pinned),
    policy: waypost => `script-src 'nonce-page' 'strict-dynamic'; connect-src ${waypost}`,
  },
};

for (const [name, { code, policy }] of Object.entries(POLICIES))
  test(`the code for a page whose policy has ${name} plays a tour`, async ({ page }) => {
    const full = (waypost: string) => `default-src 'none'; ${policy(waypost)}`;
    await withSite([waypost => pageWith(code(waypost)), full], site => playTwoSteps(page, site));
  });

test('a tour plays and is recorded in a browser without newer functions', async ({ page }) => {
  await page.addInitScript(`{
    for (const name of ['timeout', 'any']) delete AbortSignal[name];
    for (const name of ['toSorted', 'toReversed', 'toSpliced', 'with']) delete Array.prototype[name];
    for (const name of ['popover', 'showPopover', 'hidePopover', 'togglePopover']) delete HTMLElement.prototype[name];
    for (const name of ['checkVisibility', 'currentCSSZoom']) delete Element.prototype[name];
    delete ShadowRoot.prototype.adoptedStyleSheets;
    delete window.navigation;
    window.CSSStyleSheet = undefined;
    CSS.supports = () => false;
    for (const { prototype } of [Document, Element])
      for (const name of ['querySelector', 'querySelectorAll', 'matches']) {
        const original = prototype[name];
        if (original) prototype[name] = function (selector) {
          if (/:(modal|popover-open)/.test(selector)) throw new SyntaxError(selector);
          return original.call(this, selector);
        };
      }
  }`);
  await withSite([waypost => pageWith(codeOf(waypost).tag), () => ''], site => playTwoSteps(page, site));
});

test('a tour plays once on a page with the script from two addresses of one server', async ({ page }) => {
  const other = (waypost: string) => waypost.replace('127.0.0.1', 'localhost');
  await withSite([waypost => pageWith(codeOf(waypost).tag + codeOf(other(waypost)).tag), () => ''], async site => {
    await playTwoSteps(page, site);
    expect(site.boots()).toBe(1);
  });
});
