/** Signing in and out, as a person does it. */
import { expect, type Locator, type Page } from '@playwright/test';

export type Name = 'admin' | 'publisher' | 'author' | 'viewer';

export const fullNames: Readonly<Record<Name, string>> = {
  admin: 'Ada Admin',
  publisher: 'Pia Publisher',
  author: 'Otto Author',
  viewer: 'Vera Viewer',
};

/** After so long, in milliseconds, a session of five minutes is due for its renewal, a minute before the end. */
export const UNTIL_RENEWAL = 245_000;

/** Fills in the form of the identity provider. */
export async function enterPassword(page: Page, name: Name): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Password').fill(name);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** What a tour shows: in the preview, on a visited site, and when Waypost introduces itself. */
export const popover = (page: Page, title?: string): Locator =>
  page.getByRole('dialog', title === undefined ? {} : { name: title }).and(page.locator('.wp-popover'));

/** Who has met Waypost's own tour already, at which address: it comes once to each account. */
const introduced = new Set<string>();

/** Opens `path` and signs in by a full-page redirect. Closes Waypost's own tour, which comes at the first list of tours. */
export async function signIn(page: Page, name: Name, path = '/'): Promise<void> {
  await page.goto(path);
  await page.getByRole('button', { name: /^Sign in with .+(?<!new window)$/ }).click();
  await enterPassword(page, name);
  await expectSignedIn(page, name);
  // Home is no screen of its own: it leads on, to the workspace where the tour is.
  await page.waitForURL(url => url.pathname !== '/');
  const { origin, pathname } = new URL(page.url());
  const [workspace] = /^\/w\/[^/]+/.exec(pathname) ?? [];
  if (workspace === undefined || introduced.has(`${name} ${origin}`)) return;
  introduced.add(`${name} ${origin}`);
  const list = `${workspace}/tours`;
  if (pathname !== list) await page.goto(list);
  const introduction = popover(page, 'Welcome to Waypost');
  const end = introduction.getByRole('button', { name: 'Close' });
  // The wait for the answer does not begin with the wait for the tour.
  await end.waitFor();
  const told = page.waitForResponse(response => (response.request().postData() ?? '').includes('RUN_DISMISSED'));
  await end.click();
  await told;
  await expect(introduction).toHaveCount(0);
  if (pathname !== list) await page.goto(path);
}

export async function expectSignedIn(page: Page, name: Name): Promise<void> {
  await expect(page.getByRole('button', { name: `Account menu of ${fullNames[name]}` })).toBeVisible();
}

export async function chooseFromSession(page: Page, item: string): Promise<void> {
  // Behind another tab nothing is drawn, and a click waits for that.
  await page.bringToFront();
  await page.getByRole('button', { name: /^Account menu of/ }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

export async function signOut(page: Page): Promise<void> {
  await chooseFromSession(page, 'Sign out');
  await expect(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible();
}

/** A short notice of the application. */
export async function expectNotice(page: Page, text: string): Promise<void> {
  await expect(page.getByText(text, { exact: true }).first()).toBeVisible();
}

/** No notice lies on a control of the screen. */
export async function expectNothingBelowNotices(page: Page): Promise<void> {
  const covered = await page.locator('main :is(a, button, input, select, textarea)').evaluateAll(controls => {
    const notices = [...document.querySelectorAll('[data-notice]')].map(each => each.getBoundingClientRect());
    const isBelow = ({ left, right, top, bottom }: DOMRect) =>
      notices.some(each => left < each.right && right > each.left && top < each.bottom && bottom > each.top);
    return notices.length === 0
      ? ['no notice']
      : controls.filter(each => isBelow(each.getBoundingClientRect())).map(each => each.textContent);
  });
  expect(covered).toEqual([]);
}

/** The same, of a notice with something to press: it stays for as long as the pointer is on it. */
export async function holdNotice(page: Page, text: string): Promise<void> {
  await page.getByText(text, { exact: true }).first().hover();
}
