import { expect, type Page, test } from '@playwright/test';
import { HOSTILE_TEXTS } from '../embed/renderer/hostile-texts';
import { type ForeignSite, OPEN_ROOTS, popover, press, startForeignSite, step, theme } from './foreign-site';

const tag = (waypost: string, key = 'wp_pub_test') =>
  `<script async src="${waypost}/embed/v1.js" data-key="${key}"></script>`;

/** Each has a button `cart`. `style` and `script` precede the embed. */
interface HostilePage {
  style?: string;
  script?: string;
  body?: string;
  root?: string;
  end?: (waypost: string) => string;
  /** One after the other. Default: one. */
  runs?: number;
  /** Is true while `cart` is highlighted, also after a click into the popover. */
  condition?: string;
}

const onFirstStep = (script: string) =>
  `(window.waypost ??= []).push(waypost => waypost.on(({ kind }) => { if (kind === 'STEP_DONE') { ${script} } }));`;

const PAGES: Readonly<Record<string, HostilePage>> = {
  'resets every property': {
    style: `* { all: unset !important; } ::backdrop { background: red !important; backdrop-filter: blur(9px) !important; }`,
  },
  'transforms, zooms and clips its root': {
    style: `html { zoom: 1.25; filter: blur(0.1px); contain: paint; } body { transform: translate(40px, 30px) scale(0.8); overflow: hidden; pointer-events: none; }`,
  },
  'freezes the prototypes': {
    script: `for (const each of [Object, Array, Function, Promise, Element, EventTarget]) Object.freeze(each.prototype);`,
  },
  'extends the prototypes': {
    script: `Object.prototype.inherited = () => 1; Array.prototype.inherited = () => 1;
      Array.prototype.toJSON = function () { return '[' + this.map(each => JSON.stringify(each)).join(', ') + ']'; };
      String.prototype.toJSON = function () { return String(this); };`,
  },
  'patches the functions of the browser': {
    script: `{
      const { fetch, JSON, Promise } = window;
      window.fetch = (...args) => { const result = fetch(...args); return { then: (...callbacks) => result.then(...callbacks) }; };
      const { stringify } = JSON;
      JSON.stringify = (value, ...rest) => stringify(value, ...rest) + ' ';
      const attach = Element.prototype.attachShadow;
      Element.prototype.attachShadow = function (init) { return attach.call(this, { ...init, delegatesFocus: true }); };
      const add = EventTarget.prototype.addEventListener;
      EventTarget.prototype.addEventListener = function (type, listener, options) {
        return add.call(this, type, typeof listener === 'function' ? function (event) { return listener.call(this, event); } : listener, options);
      };
      Array.from = () => []; Date.parse = text => new Date(text);
    }`,
  },
  'keeps the focus and the clicks in its dialog': {
    style: `#basket { position: fixed; inset: 100px; transform: rotate(1deg); overflow: hidden; }`,
    body: `<div role="dialog" aria-modal="true" aria-label="Basket" id="basket"><p><button>First</button><button id="cart">Cart</button></p></div>`,
    script: `addEventListener('DOMContentLoaded', () => {
      const basket = document.querySelector('#basket');
      document.addEventListener('focus', ({ target }) => { if (!basket.contains(target)) basket.querySelector('button').focus(); }, true);
      for (const type of ['mousedown', 'pointerdown', 'click', 'keydown'])
        document.addEventListener(type, ({ target }) => { if (!basket.querySelector('p').contains(target)) basket.remove(); }, true);
    });`,
  },
  'opens a dialog in a dialog': {
    body: `<dialog id="outer"><p>Basket</p><dialog id="inner"><button id="cart">Cart</button></dialog></dialog>`,
    script: `addEventListener('DOMContentLoaded', () => { document.querySelector('#outer').showModal(); document.querySelector('#inner').showModal(); });`,
  },
  'has its element in a popover': {
    body: `<div popover id="list"><p><button id="cart">Cart</button></p></div>`,
    script: onFirstStep(`document.querySelector('#list').showPopover();`),
    condition: `document.querySelector('#list').matches(':popover-open')`,
  },
  'covers the tour with a message in the top layer': {
    style: '#message { position: fixed; inset: 0; width: auto; height: auto; }',
    body: `<div popover="manual" id="message"><p><button id="cart">Cart</button></p></div>`,
    script: onFirstStep(`document.querySelector('#message').showPopover();`),
  },
  'is shown in full screen': {
    body: `<div id="full"><p><button id="cart">Cart</button></p></div>`,
    script: onFirstStep(`document.querySelector('#full').requestFullscreen();`),
    condition: `document.fullscreenElement !== null`,
  },
  'covers its element with a sticky header': {
    style: 'header { position: sticky; top: 0; height: 200px; background: #eee; } p { margin-block: 100px 2000px; }',
    body: `<header>Shop</header><p><button id="cart">Cart</button></p>`,
    script: onFirstStep(`scrollTo(0, document.querySelector('#cart').offsetTop - 50);`),
    condition: `document.querySelector('#cart').getBoundingClientRect().top > 200`,
  },
  'is in quirks mode, from right to left': { root: '<html lang="ar" dir="rtl">' },
  'has the script twice': { end: waypost => tag(waypost) + tag(waypost) },
  'has two sites': { end: waypost => tag(waypost) + tag(waypost, 'wp_pub_other'), runs: 2 },
  'contains itself in a frame': {
    body: '<iframe name="inner" width="400" height="200"></iframe>',
    script: `addEventListener('load', () => { document.querySelector('iframe').src = '/frame'; });`,
  },
};
const names = Object.keys(PAGES);

function html(waypost: string, path: string): string {
  if (path === '/inner') return '<!doctype html><p><button id="inner">Inner</button></p>';
  if (path === '/scaled')
    return `<!doctype html><html lang="en"><title>Shop</title><style nonce="page">
iframe { padding: 20px; border: 7px solid; transform: scale(0.8); }</style><iframe src="/inner"></iframe>${tag(waypost)}</html>`;
  const page = PAGES[names[Number(/\d+/.exec(path)?.[0])] ?? ''] ?? {};
  const { style = '', script = '', body = '', root = '<!doctype html><html lang="en">', end = tag } = page;
  return `${root}<title>Shop</title><style nonce="page">${style}</style><script nonce="page">${script}</script>
<p>Lamps</p>${body.includes('id="cart"') ? '' : '<p><button id="cart">Cart</button></p>'}${body}${end(waypost)}</html>`;
}

let site: ForeignSite;
test.beforeAll(async () => {
  site = await startForeignSite(html);
});
test.afterAll(() => site.stop());

const box = (page: Page, selector: string) =>
  page.locator(selector).evaluate(element => element.getBoundingClientRect().toJSON() as DOMRect);

function problemsOf(page: Page): string[] {
  const problems: string[] = [];
  page.on('console', message => problems.push(message.text()));
  page.on('pageerror', error => problems.push(String(error)));
  return problems;
}

for (const [index, name] of names.entries())
  test(`a tour plays on a page that ${name}`, async ({ page }) => {
    const problems = problemsOf(page);
    const { runs = 1, condition } = PAGES[name] ?? {};
    site.offer({ theme, steps: [step('welcome', null), step('cart', '#cart')] });
    await page.addInitScript(OPEN_ROOTS);
    await page.goto(`${site.origin}/${index}`);
    for (let run = 0; run < runs; run++) {
      await press(page, 'About welcome', 'Next');
      await expect(popover(page, 'About cart')).toBeVisible();
      await expect
        .poll(async () => (await box(page, '.stage')).left)
        .toBeCloseTo((await box(page, '#cart')).left - theme.stagePadding, 0);
      await popover(page, 'About cart').locator('.wp-text').click();
      if (condition) await expect.poll(() => page.evaluate(condition)).toBe(true);
      expect(
        await page.evaluate(`getComputedStyle(document.querySelector('[data-waypost]'), '::backdrop').display`),
      ).toBe('none');
      await page.emulateMedia({ forcedColors: 'active' });
      expect(await page.locator('.stage').evaluate(stage => getComputedStyle(stage).outlineStyle)).toBe('solid');
      await page.emulateMedia({ forcedColors: 'none' });
      for (const frame of page.frames().slice(1)) {
        await frame.waitForFunction(`window.waypost === parent.waypost`);
        expect(await frame.locator('[data-waypost]').count()).toBe(0);
      }
      await press(page, 'About cart', 'Done');
    }
    await expect(page.locator('[data-waypost]')).toHaveCount(0);
    const started = () => site.events.filter(({ kind }) => kind === 'RUN_COMPLETED').length;
    await expect.poll(started).toBe(runs);
    expect(problems).toEqual([]);
  });

test('a tour highlights elements in a frame that the page scales', async ({ page }) => {
  site.offer({ theme, steps: [step('inner', '#inner')] });
  await page.addInitScript(OPEN_ROOTS);
  await page.goto(`${site.origin}/scaled`);
  await expect(popover(page, 'About inner')).toBeVisible();
  const inner = await page.frameLocator('iframe').locator('#inner').boundingBox();
  await expect
    .poll(async () => {
      const { left, top, width } = await box(page, '.stage');
      return [left, top, width].map(Math.round);
    })
    .toEqual([(inner?.x ?? 0) - 10, (inner?.y ?? 0) - 10, (inner?.width ?? 0) + 20].map(Math.round));
});

test('hostile texts of authors run nothing', async ({ page }) => {
  const problems = problemsOf(page);
  const hits: string[] = [];
  await page.exposeFunction('hit', () => hits.push('hit'));
  await page.route('https://example.com/**', route =>
    route.fulfill({ contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' }),
  );
  const text = HOSTILE_TEXTS.join('\n\n');
  const hostile = (key: string, rest: object = {}) =>
    step(key, '#cart', {
      title: `${text} ${key}`,
      body: text,
      nextLabel: text,
      previousLabel: text,
      doneLabel: text,
      ...rest,
    });
  const branches = [null, 'one'].map(to => ({ to, when: null, label: text }));
  site.offer({ theme, steps: [hostile('one'), hostile('two', { branches })] });
  await page.addInitScript(OPEN_ROOTS);
  await page.goto(site.origin);
  for (const key of ['one', 'two']) {
    await expect(page.locator('[data-waypost] h2')).toHaveText(new RegExp(`${key}$`));
    await page.locator('[data-waypost] .primary').dispatchEvent('click');
  }
  await expect(page.locator('[data-waypost]')).toHaveCount(0);
  expect(hits).toEqual([]);
  expect(problems).toEqual([]);
});
