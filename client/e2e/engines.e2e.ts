/** The main flows of sign-in in Firefox and in WebKit, the engine of Safari. All other tests run in Chromium. */
import type { Engine, Window } from './engines/engine';
import { startFirefox } from './engines/firefox';
import { startWebKit } from './engines/webkit';
import { expect, test as base } from './fixtures';
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
    await tab.click(menuItem('Renew session in hidden frame'));
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
}
