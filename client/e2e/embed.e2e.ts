import { expect, type Locator, type Page, type Request, test } from '@playwright/test';
import { expectAccessible } from './axe';
import { watch } from './fixtures';
import { type ForeignSite, OPEN_ROOTS, popover, press, startForeignSite, step, theme } from './foreign-site';

const html = (waypost: string) => `<!doctype html><html lang="en"><title>Shop</title>
<style nonce="page">
  * { transition: all 1s !important; }
  div { color: red !important; transform: scale(0.5); }
  body { margin: 0; font: 16px/1.5 Georgia, serif; background: #fdfdfd; color: #222; }
  @media (prefers-color-scheme: dark) { body { background: #14161a; color: #e8e8e8; } }
  header { position: sticky; top: 0; padding: 16px; z-index: 2147483647; background: inherit; border-bottom: 1px solid #8884; }
  main { padding: 16px; max-width: 60rem; margin: auto; }
  button { padding: 8px 14px; border: 1px solid #888; border-radius: 6px; font: inherit; background: inherit; color: inherit; }
  .far { padding-top: 1500px; padding-bottom: 600px; }
</style>
<header><button id="menu">Menu</button> <button data-tour="cart">Cart</button></header>
<main><h1>Welcome</h1><p>Lamps, desks and rugs for every room.</p><my-search></my-search><p id="late"></p>
<dialog><p>Sign up for our letter.</p><button id="agree">Agree</button></dialog>
<p class="far"><button id="far">Imprint</button></p></main>
<script nonce="page">
  customElements.define('my-search', class extends HTMLElement {
    constructor() { super(); const button = document.createElement('button'); button.id = 'search'; button.textContent = 'Search';
      this.attachShadow({ mode: 'open' }).append(button); }
  });
  (window.waypost ??= []).push(waypost => waypost.identify('user-7', { traits: { plan: 'pro' } }));
</script>
<script async src="${waypost}/embed/v1.js" data-key="wp_pub_test"></script></html>`;

let site: ForeignSite;
test.beforeAll(async () => {
  site = await startForeignSite(html);
});
test.afterAll(() => site.stop());

const reported = () => site.events.map(({ kind, stepKey = '' }) => `${kind} ${stepKey}`.trim());

async function open(page: Page, path = '/'): Promise<void> {
  await page.addInitScript(OPEN_ROOTS);
  await page.goto(site.origin + path);
}

test.beforeEach(({ page }) => watch(page, async () => undefined));

test('a tour plays on a page with hostile styles, scripts and policies, and leaves nothing behind', async ({
  page,
}) => {
  const problems: string[] = [];
  page.on('console', message => {
    if (message.type() !== 'log') problems.push(message.text());
  });
  page.on('pageerror', error => problems.push(String(error)));
  site.offer({
    theme,
    steps: [
      step('welcome', null),
      step('cart', '[data-tour="cart"]'),
      step('search', '#search', { kind: 'TOOLTIP' }),
      step('late', '#added'),
      step('dialog', '#agree'),
      step('imprint', '#far'),
    ],
  });
  await open(page);

  await test.step('the popover has the name, the focus and the theme', async () => {
    await expect(popover(page, 'About welcome')).toBeVisible();
    expect(await page.evaluate('window.closedRoots')).toBe(1);
    await expect(page.getByRole('status')).toHaveText('Step 1 of 6');
    await expect(popover(page, 'About welcome').getByRole('button', { name: 'Previous' })).toHaveCount(0);
    await expect(popover(page, 'About welcome').getByRole('button', { name: 'Next' })).toBeFocused();
    await page.keyboard.press('ArrowRight');
    const cart = popover(page, 'About cart');
    await expect(cart).toBeVisible();
    const stage = page.locator('[data-waypost] .stage');
    const target = page.locator('[data-tour="cart"]');
    const box = async (locator: Locator) =>
      locator.evaluate(element => element.getBoundingClientRect().toJSON() as DOMRect);
    await expect.poll(async () => (await box(stage)).left).toBeCloseTo((await box(target)).left - 10, 0);
    const [stageBox, targetBox, cardBox] = [await box(stage), await box(target), await box(cart)];
    expect(stageBox.width).toBeCloseTo(targetBox.width + 20, 0);
    expect(cardBox.top).toBeCloseTo(stageBox.bottom + 10, 0);
    const css = await stage.evaluate(element => {
      const { borderRadius, boxShadow, animationDuration } = getComputedStyle(element);
      return { borderRadius, boxShadow, animationDuration };
    });
    expect(css).toEqual({
      borderRadius: '5px',
      boxShadow: expect.stringMatching(/^rgba\(0, 0, 0, 0\.7\) 0px 0px 0px/),
      animationDuration: '0.4s',
    });
    const arrow = await box(cart.locator('.arrow'));
    expect(arrow.left + arrow.width / 2).toBeCloseTo(targetBox.left + targetBox.width / 2, 0);
  });

  await test.step('Tab stays in the popover and the usable element, and Previous goes back', async () => {
    const focused = () =>
      page.evaluate('(document.activeElement.shadowRoot?.activeElement ?? document.activeElement).textContent');
    const order = [];
    for (let index = 0; index < 6; index++) {
      order.push(await focused());
      await page.keyboard.press('Tab');
    }
    expect(order).toEqual(['Next', 'Cart', '×', 'link', 'Previous', 'Next']);
    await press(page, 'About cart', 'Previous');
    await press(page, 'About welcome', 'Next');
    await press(page, 'About cart', 'Next');
  });

  await test.step('elements in shadow roots, late elements and redrawn elements are found', async () => {
    await press(page, 'About search', 'Next');
    const add = `{ const button = document.createElement('button'); button.id = 'added'; button.textContent = 'New'; document.querySelector('#late').replaceChildren(button); }`;
    await page.evaluate(add);
    await expect(popover(page, 'About late')).toBeVisible();
    await page.evaluate(add);
    await expect(popover(page, 'About late')).toBeVisible();
    await press(page, 'About late', 'Next');
  });

  await test.step('a step works in a modal dialog', async () => {
    await page.evaluate(`document.querySelector('dialog').showModal()`);
    await press(page, 'About dialog', 'Next');
    await page.evaluate(`document.querySelector('dialog').close()`);
  });

  await test.step('an element outside the window is scrolled into view', async () => {
    await expect(popover(page, 'About imprint')).toBeVisible();
    await expect(page.locator('#far')).toBeInViewport();
    await press(page, 'About imprint', 'Done');
    await expect(page.locator('[data-waypost]')).toHaveCount(0);
  });

  await expect.poll(reported).toContain('RUN_COMPLETED');
  expect(reported().filter(each => each.startsWith('STEP_DONE'))).toHaveLength(7);
  expect(site.boots()).toBe(1);
  expect(await page.evaluate('window.shifts')).toBe(0);
  expect(problems).toEqual([]);
});

test('a run continues after a navigation, a full load and a return from the back/forward cache', async ({ page }) => {
  site.offer({ theme, steps: [step('one', null), step('two', '#menu', { page: '/cart' }), step('three', null)] });
  await open(page);
  await press(page, 'About one', 'Next');
  await page.evaluate(`history.pushState({}, '', '/cart')`);
  await expect(popover(page, 'About two')).toBeVisible();
  await page.goto(`${site.origin}/cart`);
  await expect(popover(page, 'About two')).toBeVisible();
  await press(page, 'About two', 'Next');
  await page.goto(`${site.origin}/other`);
  await expect(popover(page, 'About three')).toBeVisible();
  await page.goBack();
  await expect(popover(page, 'About three')).toBeVisible();
  // This browser has no back/forward cache while it is automated.
  const before = site.boots();
  await page.evaluate(`dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`);
  await expect.poll(site.boots).toBe(before + 1);
  await expect(popover(page, 'About three')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect.poll(reported).toContain('RUN_DISMISSED three');
  expect(reported().filter(each => each === 'RUN_STARTED')).toHaveLength(1);
  await page.evaluate(`waypost.push(waypost => waypost.track('bought'))`);
  await expect.poll(() => site.goals).toContain('bought');
});

test('a step without a primary button takes the focus, so that no key ends the tour', async ({ page }) => {
  const click = { on: 'TARGET_CLICK', page: null, selector: null, event: null, delayMs: 0 };
  site.offer({ theme, steps: [step('one', '#menu', { advance: click }), step('two', null)] });
  await open(page);
  const first = popover(page, 'About one');
  await expect(first).toBeFocused();
  for (const key of ['Enter', 'Space']) await page.keyboard.press(key);
  await expect(first).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(first.getByRole('link', { name: 'link' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.locator('#menu')).toBeFocused();
  await page.keyboard.press('Enter');
  await press(page, 'About two', 'Done');
  await expect.poll(reported).toContain('RUN_COMPLETED');
});

test('a tour follows a router that keeps its path in the fragment', async ({ page }) => {
  site.offer({ theme, steps: [step('one', null), step('two', '#menu', { page: '/orders' }), step('three', null)] });
  await open(page);
  await press(page, 'About one', 'Next');
  await expect(page.locator('[data-waypost] .card')).toHaveCount(0);
  const route = (path: string) => page.evaluate(`location.hash = '#${path}'; waypost.setPage('${path}')`);
  await route('/orders');
  await expect(popover(page, 'About two')).toBeVisible();
  await route('/cart');
  await expect(popover(page, 'About two')).toHaveCount(0);
  await route('/orders');
  await press(page, 'About two', 'Next');
  await press(page, 'About three', 'Done');
  await expect.poll(reported).toContain('RUN_COMPLETED');
});

test('a tour is shown in the language of the page, and follows a change of it', async ({ page }) => {
  const title = (locale: string, text: string) => ({ locale, field: 'TITLE', source: '', text });
  site.offer({
    theme,
    locales: ['en', 'de', 'ar'],
    steps: [
      step('one', null, { translations: [title('de', 'Eins'), title('ar', 'واحد')] }),
      step('two', null, { translations: [title('de', 'Zwei')] }),
      step('three', null),
    ],
  });
  await open(page);
  const box = page.locator('[data-waypost] .page');
  await expect(popover(page, 'About one')).toBeVisible();
  await expect(box).toHaveAttribute('lang', 'en');

  await page.evaluate(`waypost.setLocale('de-AT')`);
  await expect(popover(page, 'Eins')).toBeVisible();
  await expect(box).toHaveAttribute('lang', 'de');
  await press(page, 'Eins', 'Weiter');
  await expect(popover(page, 'Zwei')).toBeVisible();

  // The run goes on at its step. A text without a translation is the original.
  await page.evaluate(`waypost.setLocale('ar')`);
  await expect(popover(page, 'About two')).toBeVisible();
  await expect(box).toHaveAttribute('dir', 'rtl');
  expect(reported().filter(each => each === 'RUN_STARTED')).toHaveLength(1);
  await page.evaluate(`waypost.setLocale('fr')`);
  await expect(box).toHaveAttribute('dir', 'ltr');
  await expect(popover(page, 'About two')).toBeVisible();
});

test('the page notices nothing if the server is down or wrong, and a later visit sends the events', async ({
  page,
}) => {
  site.offer({ theme, steps: [step('one', null)] });
  await open(page);
  await expect(popover(page, 'About one')).toBeVisible();
  site.state.server = 'down';
  await press(page, 'About one', 'Done');
  const before = site.boots();
  for (const server of ['wrong', 'down'] as const) {
    site.state.server = server;
    const isBoot = (request: Request) => request.url().endsWith('/e/boot');
    const failed =
      server === 'down' ? page.waitForEvent('requestfailed', isBoot) : page.waitForEvent('requestfinished', isBoot);
    await page.goto(site.origin);
    await failed;
    expect(await page.evaluate(`waypost.explain('tour')`)).toBe('NOT_LOADED');
    await expect(page.locator('[data-waypost]')).toHaveCount(0);
  }
  site.state.server = 'up';
  await page.goto(site.origin);
  await expect.poll(reported).toEqual(['RUN_STARTED', 'STEP_SEEN one', 'STEP_DONE one', 'RUN_COMPLETED']);
  await expect.poll(site.boots).toBe(before + 1);
});

test('a tour without elements is reported once, and the page is left alone', async ({ page }) => {
  site.offer({ theme, steps: [step('ghost', '#ghost', { waitMs: 100 })] });
  for (const visit of [1, 2]) {
    await open(page);
    await expect.poll(() => page.evaluate(`waypost.explain('tour')`), `visit ${visit}`).toBe('NO_ELEMENT');
    await expect(page.locator('[data-waypost]')).toHaveCount(0);
  }
  // Leaving the page sends pending reports.
  await page.goto('about:blank');
  await expect.poll(() => site.attempts).toEqual(['ELEMENT_MISSING']);
  expect(reported()).toEqual([]);
});

test('popovers and hotspots are accessible in light and dark, on a desktop and a phone', async ({ page }) => {
  await open(page);
  for (const title of ['first', 'cart', 'hot'] as const) {
    site.offer({
      theme,
      steps: [
        step('first', null),
        step('cart', '[data-tour="cart"]'),
        step('hot', '#menu', { kind: 'HOTSPOT' }),
      ].filter(({ key }) => key === title || title !== 'hot'),
    });
    await page.evaluate('localStorage.clear()');
    await page.reload();
    if (title === 'cart') await press(page, 'About first', 'Next');
    if (title === 'hot') await page.getByRole('button', { name: 'Tip: About hot' }).click();
    await expect(popover(page, `About ${title}`)).toBeVisible();
    for (const width of [1280, 360])
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height: 720 });
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await expectAccessible(page, `${title}, ${width}, ${colorScheme}`, { open: true });
      }
  }
});

test('F6 moves the focus to a tooltip while the visitor types, and back without the page noticing', async ({
  page,
}) => {
  site.offer({ theme, steps: [step('one', '#menu', { kind: 'TOOLTIP' }), step('two', '#menu', { kind: 'TOOLTIP' })] });
  await page.addInitScript(`{
    window.focusEvents = [];
    addEventListener('DOMContentLoaded', () => {
      const add = name => { const input = document.createElement('input'); input.name = name; document.body.prepend(input); return input; };
      add('other');
      add('search').focus();
      for (const type of ['focus', 'blur', 'focusin', 'focusout'])
        document.addEventListener(type, ({ target }) => window.focusEvents.push(type + ' ' + target.name), true);
    });
  }`);
  await open(page);
  const search = page.locator('[name=search]');
  const next = (title: string) => popover(page, title).getByRole('button', { name: 'Next' });
  await expect(popover(page, 'About one')).toHaveAttribute('aria-keyshortcuts', 'F6');
  await expect(page.getByRole('status')).toHaveText(
    'Step 1 of 2. About one. Press F6 to go to the tour, and again to go back',
  );
  await expect(search).toBeFocused();
  await page.keyboard.press('F6');
  await expect(next('About one')).toBeFocused();
  await page.keyboard.press('F6');
  await expect(search).toBeFocused();
  await page.keyboard.type('lamp');
  await expect(search).toHaveValue('lamp');
  await page.keyboard.press('F6');
  await page.keyboard.press('Enter');
  await expect(popover(page, 'About two')).toBeVisible();
  expect(await page.evaluate('window.focusEvents')).toEqual([]);
  // The page notices that the field has lost the focus when another one gets it.
  await page.locator('[name=other]').click();
  expect(await page.evaluate('window.focusEvents')).toEqual([
    'blur search',
    'focusout search',
    'focus other',
    'focusin other',
  ]);
  await page.evaluate(
    `document.addEventListener('keydown', event => { if (event.key === 'F6') event.preventDefault(); })`,
  );
  await page.keyboard.press('F6');
  await expect(page.locator('[name=other]')).toBeFocused();
});

test('F6 moves the focus to a hotspot and back', async ({ page }) => {
  site.offer({ theme, steps: [step('hot', '#far', { kind: 'HOTSPOT' })] });
  await open(page);
  const beacon = page.getByRole('button', { name: 'Tip: About hot' });
  await expect(page.getByRole('status')).toHaveText('Tip: About hot. Press F6 to go to the tour, and again to go back');
  await page.locator('#menu').focus();
  await page.keyboard.press('F6');
  await expect(beacon).toBeFocused();
  await expect(page.locator('#far')).toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(popover(page, 'About hot')).toBeVisible();
  await page.keyboard.press('F6');
  await expect(page.locator('#menu')).toBeFocused();
  await page.keyboard.press('F6');
  await expect(popover(page, 'About hot').getByRole('button', { name: 'Got it' })).toBeFocused();
});
