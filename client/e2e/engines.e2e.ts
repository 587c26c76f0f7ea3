import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { installCode } from '../src/features/site/install-texts';
import type { Engine, Window } from './engines/engine';
import { startFirefox } from './engines/firefox';
import { startWebKit } from './engines/webkit';
import { expect, test as base } from './fixtures';
import { startForeignSite, step, theme } from './foreign-site';
import { fullNames, type Name } from './people';

const inThisTab = "//button[starts-with(., 'Sign in with') and not(contains(., 'new window'))]";
const inWindow = "//button[contains(@aria-label, 'in a new window')]";
const heading = (text: string) => `//*[self::h1 or self::h2][contains(., '${text}')]`;
const accountMenu = (name: Name) => `//button[@aria-label='Account menu of ${fullNames[name]}']`;
const menuItem = (text: string) => `//*[@role='menuitem'][contains(., '${text}')]`;

const enterPassword = async (window: Window, name: Name) => {
  await window.type("//input[@type='text' or not(@type)]", name);
  await window.type("//input[@type='password']", name);
  await window.click("//button[contains(., 'Sign in')]");
};

/** `root` is the embed's closed shadow root. */
const shop = (waypost: string) => `<!doctype html><title>Shop</title><script nonce="page">{
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (init) { return (window.root = attach.call(this, init)); };
}</script><p><button id="cart">Cart</button></p><dialog><button id="agree">Agree</button></dialog>
<script async src="${waypost}/embed/v1.js" data-key="wp_pub_test"></script>`;

const engines: Readonly<Record<string, () => Promise<Engine>>> = { Firefox: startFirefox, WebKit: startWebKit };

for (const [name, start] of Object.entries(engines)) {
  const test = base.extend<{ engine: Engine }>({
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures from here
    engine: async ({}, use) => {
      const engine = await start();
      await use(engine);
      await engine.stop();
    },
  });

  test(`${name}: redirect, reload, hidden frame, second tab, and sign-out in both tabs`, async ({
    engine,
    waypost,
  }) => {
    const tab = await engine.open();
    await tab.goto(`${waypost.origin}/workspaces?from=mail`);
    await tab.click(inThisTab);
    await enterPassword(tab, 'viewer');
    await tab.see(accountMenu('viewer'));
    expect(await tab.url()).toBe(`${waypost.origin}/workspaces?from=mail`);

    await tab.reload();
    await tab.see(accountMenu('viewer'));

    await tab.click(accountMenu('viewer'));
    await tab.click(menuItem('Sign-in details'));
    await tab.click("//*[@role='dialog']//button[contains(., 'Renew session in hidden frame')]");
    await tab.see("//*[text()='Session renewed in a hidden frame.']");

    const other = await engine.open();
    await other.goto(`${waypost.origin}/workspaces`);
    await other.see(accountMenu('viewer'));

    await tab.click(accountMenu('viewer'));
    await tab.click(menuItem('Sign out'));
    await tab.see(heading('You are signed out'));
    await other.see(heading('Sign in to Waypost'));
    expect(await other.evaluate('JSON.stringify({ ...sessionStorage })')).not.toContain('access_token');
  });

  test(`${name}: a sign-in in a window keeps the page`, async ({ engine, waypost }) => {
    const tab = await engine.open();
    await tab.goto(`${waypost.origin}/workspaces`);
    await tab.see(inWindow);
    await tab.evaluate("document.body.setAttribute('data-kept', '')");
    const window = await engine.popup(() => tab.click(inWindow));
    await enterPassword(window, 'author');
    await tab.see(accountMenu('author'));
    expect(await tab.evaluate("document.body.hasAttribute('data-kept')")).toBe(true);
  });

  test(`${name}: a page loads while the server does not respond`, async ({ engine }) => {
    const hanging = createServer(() => undefined);
    await new Promise<void>(resolve => hanging.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}`;
    const { script } = installCode({ src: `${origin}/embed/v1.js`, pinnedSrc: '', integrity: '' }, 'wp_pub_test');
    const site = await startForeignSite(
      () => `<!doctype html><title>Shop</title>${script}`,
      () => '',
    );
    const tab = await engine.open();
    try {
      await tab.goto(site.origin);
      await expect.poll(() => tab.evaluate('document.readyState')).toBe('complete');
    } finally {
      hanging.closeAllConnections();
      hanging.close();
      await site.stop();
    }
  });

  test(`${name}: a tour plays on a page of another site`, async ({ engine }) => {
    const site = await startForeignSite(shop);
    site.offer({
      theme,
      steps: [
        step('welcome', null),
        step('cart', '#cart'),
        step('agree', '#agree'),
        step('pay', '#cart', { page: '/pay' }),
      ],
    });
    const tab = await engine.open();
    const card = 'root.querySelector(".card")';
    const see = (title: string) =>
      expect.poll(() => tab.evaluate(`window.root ? ${card}?.querySelector('h2').textContent : null`)).toBe(title);
    /** The button must not be covered. */
    const press = async (button: string) => {
      const at = `(({ x, y, width, height }) => [x + width / 2, y + height / 2])(${card}.querySelector('${button}').getBoundingClientRect())`;
      await expect.poll(() => tab.evaluate(`document.elementFromPoint(...${at}) === root.host`)).toBe(true);
      await tab.evaluate(`root.elementFromPoint(...${at}).click()`);
    };
    try {
      await tab.goto(site.origin);
      await see('About welcome');
      await press('.primary');
      await see('About cart');
      const lefts = ['root.querySelector(".stage")', 'document.querySelector("#cart")'];
      const boxes = `[${lefts.map(each => `${each}.getBoundingClientRect().left`).join(', ')}].map(Math.round)`;
      await expect
        .poll(async () => {
          const [stage = 0, cart = 0] = (await tab.evaluate(boxes)) as number[];
          return cart - stage;
        })
        .toBe(theme.stagePadding);
      await press('.quiet');
      await see('About welcome');
      await press('.primary');
      await see('About cart');
      await tab.evaluate(`document.querySelector('dialog').showModal()`);
      await press('.primary');
      await see('About agree');
      expect(await tab.evaluate(`root.host.parentNode.localName`)).toBe('dialog');
      await press('.primary');
      await tab.evaluate(`document.querySelector('dialog').close()`);
      await tab.evaluate(`history.pushState({}, '', '/pay')`);
      await see('About pay');
      await tab.goto(`${site.origin}/pay`);
      await see('About pay');
      await press('.close');
      await expect.poll(() => tab.evaluate('root.host.isConnected')).toBe(false);
      const kinds = () => site.events.map(({ kind, stepKey = '' }) => `${kind} ${stepKey}`);
      await expect.poll(kinds).toContain('RUN_DISMISSED pay');
      expect(kinds().filter(each => each === 'RUN_STARTED ')).toHaveLength(1);
    } finally {
      await site.stop();
    }
  });
}
