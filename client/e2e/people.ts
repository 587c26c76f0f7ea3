import { type BrowserContext, expect, type Locator, type Page } from '@playwright/test';
import { OPEN_ROOTS } from './foreign-site';

export type Name = 'admin' | 'publisher' | 'author' | 'viewer';

export const fullNames: Readonly<Record<Name, string>> = {
  admin: 'Ada Admin',
  publisher: 'Pia Publisher',
  author: 'Otto Author',
  viewer: 'Vera Viewer',
};

/** About a minute before a five-minute session ends. */
export const UNTIL_RENEWAL = 245_000;

export async function enterPassword(page: Page, name: Name): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Password').fill(name);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

export async function openDemo(page: Page, siteKey = 'wp_pub_demo_shop'): Promise<void> {
  await page.addInitScript(OPEN_ROOTS);
  await page.goto(`/play?key=${encodeURIComponent(siteKey)}`);
}

/** The popover of a tour step: of Waypost's own tour (`.wp-popover`), or in a preview and on the demo page (`.card`). */
export const popover = (page: Page, title?: string): Locator =>
  page.getByRole('dialog', title === undefined ? {} : { name: title }).and(page.locator('.wp-popover, .card'));

/** By name and origin: it starts once per account. */
const closedIntroduction = new Set<string>();

/** Closes Waypost's own tour, which starts on the list of tours. */
export async function signIn(page: Page, name: Name, path = '/'): Promise<void> {
  // Previews draw in closed shadow roots.
  await page.addInitScript(OPEN_ROOTS);
  await page.goto(path);
  await page.getByRole('button', { name: /^Sign in with .+(?<!new window)$/ }).click();
  await enterPassword(page, name);
  await expectSignedIn(page, name);
  // Home redirects to a workspace, where the tour starts.
  await page.waitForURL(url => url.pathname !== '/');
  const { origin, pathname } = new URL(page.url());
  const [workspace] = /^\/w\/[^/]+/.exec(pathname) ?? [];
  if (workspace === undefined || closedIntroduction.has(`${name} ${origin}`)) return;
  closedIntroduction.add(`${name} ${origin}`);
  const list = `${workspace}/tours`;
  if (pathname !== list) await page.goto(list);
  const introduction = popover(page, 'Welcome to Waypost');
  const close = introduction.getByRole('button', { name: 'Close' });
  // Each wait has its own timeout.
  await close.waitFor();
  const reported = page.waitForResponse(response => (response.request().postData() ?? '').includes('RUN_DISMISSED'));
  await close.click();
  await reported;
  await expect(introduction).toHaveCount(0);
  if (pathname !== list) await page.goto(path);
}

export async function expectSignedIn(page: Page, name: Name): Promise<void> {
  await expect(page.getByRole('button', { name: `Account menu of ${fullNames[name]}` })).toBeVisible();
}

export async function chooseFromSession(page: Page, item: 'Sign-in details' | 'Sign out'): Promise<void> {
  // Background tabs are not rendered.
  await page.bringToFront();
  // The name is not always known.
  await page.getByRole('button', { name: /^Account menu/ }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

export type RenewalButton =
  | 'Renew session in hidden frame'
  | 'Renew session with refresh token'
  | 'Renew session in a window';

/** Returns the button of a renewal in the details of the sign-in, which it opens. */
export async function openRenewal(page: Page, button: RenewalButton): Promise<Locator> {
  await chooseFromSession(page, 'Sign-in details');
  return page.getByRole('dialog', { name: 'Sign-in details' }).getByRole('button', { name: button });
}

export async function renewSession(page: Page, button: RenewalButton): Promise<void> {
  await (await openRenewal(page, button)).click();
}

export async function signOut(page: Page): Promise<void> {
  await chooseFromSession(page, 'Sign out');
  await expect(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible();
}

export async function expectNotice(page: Page, text: string): Promise<void> {
  await expect(page.getByText(text, { exact: true }).first()).toBeVisible();
}

export async function expectNoticesCoverNothing(page: Page, part: 'main' | 'header' = 'main'): Promise<void> {
  const covered = await page.locator(`${part} :is(a, button, input, select, textarea)`).evaluateAll(controls => {
    const notices = [...document.querySelectorAll('[data-notice]')].map(each => each.getBoundingClientRect());
    const isCovered = ({ left, right, top, bottom }: DOMRect) =>
      notices.some(each => left < each.right && right > each.left && top < each.bottom && bottom > each.top);
    return notices.length === 0
      ? ['no toast is shown']
      : controls.filter(each => isCovered(each.getBoundingClientRect())).map(each => each.textContent);
  });
  expect(covered).toEqual([]);
}

export async function hoverNotice(page: Page, text: string): Promise<void> {
  await page.getByText(text, { exact: true }).first().hover();
}

/** Opens a tab that receives no session from the other tabs, as if the browser had frozen them. */
export async function openSeparateTab(context: BrowserContext): Promise<Page> {
  const tab = await context.newPage();
  await tab.addInitScript(() => {
    const Original = BroadcastChannel;
    window.BroadcastChannel = class extends Original {
      constructor(name: string) {
        super(name === 'waypost.session' ? 'separate' : name);
      }
    };
  });
  return tab;
}
