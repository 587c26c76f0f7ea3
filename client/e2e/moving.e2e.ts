/** Pages that move, replace and hide the elements of a tour, and visitors who click fast. */
import { expect, type Page, test } from '@playwright/test';
import { type ForeignSite, OPEN_ROOTS, popover, press, startForeignSite, step, theme } from './foreign-site';

const html = (waypost: string) => `<!doctype html><html lang="en"><title>Shop</title>
<meta name="viewport" content="width=device-width">
<style nonce="page">
  body { margin: 0; } button { font: 16px sans-serif; height: 40px; }
  main { padding: 40px; } #box { height: 200px; overflow: auto; border: 1px solid; } #box p { margin: 300px 0; }
  #contents { display: contents; } #far { position: absolute; left: 900px; top: 500px; }
</style>
<main><p id="bar"><button id="cart">Cart</button> <button id="menu">Menu</button></p><p id="slot"></p>
<p><span id="contents"><button id="inner">Inner</button></span></p>
<div id="box"><p><button id="clipped">Clipped</button></p></div>
<dialog><button id="ok">OK</button></dialog></main><button id="far">Far</button>
<script nonce="page">
  window.clicks = [];
  addEventListener('click', ({ target }) => target.dataset.waypost === undefined && clicks.push(target.id || target.localName), true);
  window.frames_ = 0;
  const request = requestAnimationFrame;
  window.requestAnimationFrame = callback => { frames_ += 1; return request(callback); };
</script>
<script async src="${waypost}/embed/v1.js" data-key="wp_pub_test"></script></html>`;

let site: ForeignSite;
test.beforeAll(async () => {
  site = await startForeignSite(html);
});
test.afterAll(() => site.stop());

const reported = () => site.events.map(({ kind, stepKey = '' }) => `${kind} ${stepKey}`.trim());

async function open(page: Page, steps: ReturnType<typeof step>[], look: object = {}): Promise<void> {
  site.offer({ theme: { ...theme, ...look }, steps });
  await page.addInitScript(OPEN_ROOTS);
  await page.goto(site.origin);
}

const boxOf = (page: Page, selector: string) =>
  page.locator(selector).evaluate(element => element.getBoundingClientRect().toJSON() as DOMRect);

/** Expects the stage around the element. */
const expectHighlighted = (page: Page, selector: string) =>
  expect
    .poll(async () => {
      const [stage, target] = [await boxOf(page, '.stage'), await boxOf(page, selector)];
      return Math.max(...(['left', 'top'] as const).map(edge => Math.abs(stage[edge] + 10 - target[edge])));
    })
    .toBeLessThan(1);

const onClick = { on: 'TARGET_CLICK', page: null, selector: null, event: null, delayMs: 0 };

for (const gap of [0, 150, 400])
  test(`a second click on Next after ${gap} ms does nothing`, async ({ page }) => {
    await page.clock.install();
    await open(page, [
      step('one', '#cart'),
      step('two', '#far', { closeOnOutsideClick: true }),
      step('three', '#menu', { kind: 'TOOLTIP', closeOnOutsideClick: true }),
      step('four', null),
      step('five', null),
    ]);
    for (const [title, following] of [
      ['one', 'two'],
      ['two', 'three'],
      ['four', 'five'],
    ]) {
      if (title === 'four') await press(page, 'About three', 'Next');
      const next = popover(page, `About ${title}`).getByRole('button', { name: 'Next' });
      await expect(next).toBeVisible();
      const { x, y, width, height } = (await next.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
      await page.mouse.move(x + width / 2, y + height / 2);
      const now = await page.evaluate('Date.now()');
      // The test must not depend on how long the browser takes.
      await page.clock.pauseAt(Number(now) + 1000);
      for (const delay of [0, gap]) {
        await page.clock.fastForward(delay);
        await page.mouse.down();
        await page.mouse.up();
      }
      await page.clock.resume();
      await expect(popover(page, `About ${following}`)).toBeVisible();
    }
    expect(await page.evaluate('clicks')).toEqual([]);
    await expect(popover(page, 'About five').getByRole('button', { name: 'Done' })).toBeFocused();
    await expect.poll(reported).toContain('STEP_SEEN five');
    expect(reported().filter(each => /END|DISMISSED|COMPLETED|STEP_DONE five/.test(each))).toEqual([]);
  });

test('a click outside is ignored, or ends the tour if the step says so', async ({ page }) => {
  await open(page, [step('one', '#cart'), step('two', '#menu', { kind: 'TOOLTIP', closeOnOutsideClick: true })]);
  await expect(popover(page, 'About one')).toBeVisible();
  await page.mouse.click(1200, 800);
  await page.mouse.click(1200, 700);
  await page.keyboard.press('Enter');
  await expect(popover(page, 'About two')).toBeVisible();
  await page.locator('#menu').click();
  await expect(popover(page, 'About two')).toBeVisible();
  await expect(async () => {
    await page.mouse.click(1200, 800);
    await expect(page.locator('[data-waypost]')).toHaveCount(0, { timeout: 100 });
  }).toPass();
  await expect.poll(reported).toContain('RUN_DISMISSED two');
});

for (const period of [200, 1000, 2000])
  test(`an element that is replaced every ${period} ms keeps its highlight and can be used`, async ({ page }) => {
    await open(page, [step('cart', '#cart', { advance: onClick }), step('two', null)], { animationMs: 0 });
    await expect(popover(page, 'About cart')).toBeVisible();
    await page.evaluate(`setInterval(() => {
      const old = document.querySelector('#cart');
      old.replaceWith(old.cloneNode(true));
    }, ${period})`);
    const wrong = await page.evaluate(`new Promise(resolve => {
      const root = document.querySelector('[data-waypost]').shadowRoot;
      let [wrong, replaced, last] = [0, 0, null];
      const check = () => {
        const cart = document.querySelector('#cart');
        if (last && cart !== last) replaced += 1;
        last = cart;
        const [stage, target] = [root.querySelector('.stage'), cart].map(each => each.getBoundingClientRect());
        if (Math.abs(stage.left + 10 - target.left) > 1 || Math.abs(stage.top + 10 - target.top) > 1) wrong += 1;
        if (replaced >= 3) resolve(wrong); else requestAnimationFrame(check);
      };
      check();
    })`);
    expect(wrong).toBe(0);
    // The page may replace the element within a click, which the page then loses.
    await expect(async () => {
      await page.locator('#cart').click({ timeout: 500 });
      await expect(popover(page, 'About two')).toBeVisible({ timeout: 200 });
    }).toPass();
    await expect.poll(reported).toEqual(['RUN_STARTED', 'STEP_SEEN cart', 'STEP_DONE cart', 'STEP_SEEN two']);
  });

test('a step draws no frames while nothing moves, and follows each kind of movement', async ({ page }) => {
  await open(page, [step('cart', '#cart'), step('clipped', '#clipped')]);
  await expect(popover(page, 'About cart')).toBeVisible();
  const requested = () => page.evaluate('frames_');
  const rest = async () => {
    let before: unknown = null;
    await expect(async () => {
      before = await requested();
      await page.waitForTimeout(300);
      expect(await requested()).toBe(before);
    }).toPass();
  };
  await rest();
  for (const movement of [
    `document.querySelector('#bar').style.transform = 'translate(100px, 50px)'`,
    `document.querySelector('#bar').animate([{ translate: '0' }, { translate: '200px' }], { duration: 300, fill: 'forwards' })`,
    `document.querySelector('#bar').animate([{ translate: '200px' }, { translate: '50px' }], { delay: 500, duration: 300, fill: 'forwards' })`,
    `document.styleSheets[0].insertRule('#bar { margin-top: 90px; }', document.styleSheets[0].cssRules.length)`,
    `document.styleSheets[0].insertRule('#bar { transition: margin 1s 0.3s; margin-top: 150px !important; }', document.styleSheets[0].cssRules.length)`,
    `document.styleSheets[0].insertRule('#bar button { width: 200px }', document.styleSheets[0].cssRules.length)`,
    `{ const image = new Image(10, 10); image.style.display = 'block'; document.querySelector('#bar').prepend(image); }`,
    `document.querySelector('main').style.paddingTop = '100px'`,
    `{ const root = document.querySelector('main').attachShadow({ mode: 'open' });
      root.append(document.createElement('div')); root.firstChild.style.padding = '30px'; root.firstChild.append(document.createElement('slot')); }`,
    `document.querySelector('main').shadowRoot.firstChild.animate([{}, { translate: '0 70px' }], { duration: 100, fill: 'forwards' })`,
  ]) {
    const before = await boxOf(page, '#cart');
    await page.evaluate(movement);
    await expect.poll(() => boxOf(page, '#cart')).not.toEqual(before);
    await page.evaluate('Promise.all(document.getAnimations().map(each => each.finished))');
    await expectHighlighted(page, '#cart');
    await rest();
  }
  await press(page, 'About cart', 'Next');
  await expectHighlighted(page, '#clipped');
  await page.locator('#box').evaluate(box => box.scrollBy(0, 20));
  await expectHighlighted(page, '#clipped');
  await rest();
});

test('popovers follow the edge of a scroll container that clips their element, and beacons disappear', async ({
  page,
}) => {
  await open(page, [
    step('clipped', '#clipped', { kind: 'TOOLTIP', side: 'RIGHT' }),
    step('hot', '#clipped', { kind: 'HOTSPOT' }),
  ]);
  await expect(popover(page, 'About clipped')).toBeVisible();
  const scroll = (top: number) => page.locator('#box').evaluate((box, to) => box.scrollTo(0, to), top);
  await scroll(0);
  const frame = await boxOf(page, '#box');
  await expect
    .poll(async () => {
      const { top, height } = await boxOf(page, '.stage');
      return [top, height];
    })
    .toEqual([frame.bottom - theme.stagePadding, 2 * theme.stagePadding]);
  await scroll(200);
  await press(page, 'About clipped', 'Done');
  const beacon = page.getByRole('button', { name: 'Tip: About hot' });
  await expect(beacon).toBeVisible();
  await scroll(0);
  await expect(beacon).toBeHidden();
  await scroll(200);
  await beacon.click();
  await expect(popover(page, 'About hot')).toBeVisible();
});

test('an element behind a modal dialog is awaited, and the visitor can use the dialog meanwhile', async ({ page }) => {
  await open(page, [step('ok', '#ok'), step('menu', '#menu', { advance: onClick }), step('three', null)]);
  await expect.poll(() => page.evaluate('Boolean(window.waypost?.explain)')).toBe(true);
  await page.locator('dialog').evaluate((dialog: HTMLDialogElement) => {
    dialog.querySelector('button')?.addEventListener('click', () => dialog.close());
    dialog.showModal();
  });
  await press(page, 'About ok', 'Next');
  await expect(page.getByText('Loading the next step…').first()).toBeVisible();
  await page.locator('#ok').click();
  await expect(popover(page, 'About menu')).toBeVisible();
  await page.locator('#menu').click();
  await expect(popover(page, 'About three')).toBeVisible();
});

test('a tour that waits after a click shows it, and the visitor can use the page or end the tour', async ({ page }) => {
  await open(page, [step('cart', '#cart', { advance: onClick }), step('late', '#late'), step('menu', '#menu')]);
  await expect(popover(page, 'About cart')).toBeVisible();
  await page.locator('#cart').click();
  const waiting = page.locator('.waiting');
  await expect(waiting).toHaveText(/Waiting for the page…/);
  await expect(page.getByRole('status')).toHaveText('Waiting for the page…');
  await expect(page.locator('.card')).toHaveCount(1);
  await page.locator('#menu').click();
  expect(await page.evaluate('clicks')).toEqual(['cart', 'menu']);
  await page.evaluate(
    `document.querySelector('#slot').append(Object.assign(document.createElement('button'), { id: 'late' }))`,
  );
  await expect(popover(page, 'About late')).toBeVisible();
  await expect(waiting).toHaveCount(0);
  await page.evaluate(`document.querySelector('#late').remove()`);
  await expect(waiting).toBeVisible();
  await waiting.getByRole('button', { name: 'Close' }).click();
  await expect(page.locator('[data-waypost]')).toHaveCount(0);
  await expect.poll(() => reported().at(-1)).toBe('RUN_DISMISSED late');
  expect(reported()).not.toContain('TARGET_MISSING late');
});

test('the buttons of a long text stay in sight, and the keyboard scrolls the text', async ({ page }) => {
  await open(page, [step('long', null, { body: 'A long text. '.repeat(150) }), step('two', null)]);
  for (const size of [
    { width: 1280, height: 860 },
    { width: 360, height: 640 },
  ]) {
    await page.setViewportSize(size);
    await expect(popover(page, 'About long').getByRole('button', { name: 'Next' })).toBeInViewport({ ratio: 1 });
    await expect(popover(page, 'About long').getByRole('button', { name: 'Close' })).toBeInViewport({ ratio: 1 });
  }
  const text = page.locator('.card .wp-text');
  await page.keyboard.press('Shift+Tab');
  await expect(text).toBeFocused();
  await page.keyboard.press('End');
  await expect.poll(() => text.evaluate(element => element.scrollTop)).toBeGreaterThan(0);
});

test('an element without a box is highlighted around its content, and prints show no tour', async ({ page }) => {
  await open(page, [step('contents', '#contents')]);
  await expect(popover(page, 'About contents')).toBeVisible();
  await expectHighlighted(page, '#inner');
  await page.emulateMedia({ media: 'print' });
  await expect(page.locator('[data-waypost]')).toBeHidden();
});

test('the focus has a ring only for visitors who use the keyboard', async ({ page }) => {
  await open(page, [step('one', null), step('two', null)]);
  const ring = (title: string, name: string) =>
    popover(page, title)
      .getByRole('button', { name })
      .evaluate(button => getComputedStyle(button).outlineStyle);
  await press(page, 'About one', 'Next');
  await expect(popover(page, 'About two').getByRole('button', { name: 'Done' })).toBeFocused();
  expect(await ring('About two', 'Done')).toBe('none');
  await page.keyboard.press('Tab');
  await expect(popover(page, 'About two').getByRole('button', { name: 'Close' })).toBeFocused();
  expect(await ring('About two', 'Close')).toBe('solid');
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });

  test('popovers are in the part of a wide or zoomed page that the visitor sees', async ({ page }) => {
    await open(page, [step('cart', '#cart'), step('two', null)]);
    await page.evaluate(`document.querySelector('#far').style.left = '374px'`);
    const session = await page.context().newCDPSession(page);
    const expectInside = () =>
      expect
        .poll(() =>
          page.evaluate(`{
            const { offsetLeft, offsetTop, width, height } = visualViewport;
            const { left, top, right, bottom } = document.querySelector('[data-waypost]').shadowRoot.querySelector('.card').getBoundingClientRect();
            left >= offsetLeft && top >= offsetTop && right <= offsetLeft + width + 1 && bottom <= offsetTop + height + 1;
          }`),
        )
        .toBe(true);
    for (const title of ['About cart', 'About two']) {
      await expect(popover(page, title)).toBeVisible();
      for (const pageScaleFactor of [1, 1.4]) {
        await session.send('Emulation.setPageScaleFactor', { pageScaleFactor });
        await expectInside();
      }
      await session.send('Emulation.setPageScaleFactor', { pageScaleFactor: 1 });
      if (title === 'About cart') await press(page, title, 'Next');
    }
  });
});
