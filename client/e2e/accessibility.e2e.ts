import { expectAccessible, inspect } from './axe';
import { expect, test } from './fixtures';
import { openScreen } from './looks';
import { signIn, signOut } from './people';

// Many screens, each checked four times.
test.describe.configure({ timeout: 300_000 });

const screens: readonly [path: string, heading: string | RegExp][] = [
  ['/workspaces', 'Workspaces'],
  ['/w/acme/tours', 'Tours'],
  ['/w/acme/tours?search=no+such+tour', 'Tours'],
  ['/w/acme/tours/first-order', 'Your first order'],
  ['/w/acme/tours/first-order/revisions', 'Review'],
  ['/w/acme/tours/first-order/releases', 'Releases'],
  ['/w/acme/tours/first-order/insights', 'Insights'],
  ['/w/acme/themes', 'Themes'],
  ['/w/acme/sites', 'Sites'],
  ['/w/acme/visitors', 'Visitors'],
  ['/w/acme/members', 'Members'],
  ['/w/acme/audit', 'Audit log'],
  ['/w/acme/settings', 'Settings'],
  ['/w/acme/nowhere', /./],
];

test('the screens of a workspace are accessible', async ({ page }) => {
  await signIn(page, 'admin', '/w/acme/tours');
  for (const [path, heading] of screens) {
    await test.step(path, async () => {
      await openScreen(page, path, heading);
      await inspect(page, path);
    });
  }
  await test.step('a theme', async () => {
    await openScreen(page, '/w/acme/themes');
    await page.getByRole('list', { name: 'Themes' }).getByRole('link').first().click();
    await expect(page.getByRole('slider').first()).toBeVisible();
    await inspect(page, 'a theme');
  });
  await test.step('a site', async () => {
    await openScreen(page, '/w/acme/sites');
    await page.getByRole('list', { name: 'Sites' }).getByRole('link').first().click();
    await expect(page.getByLabel('Site key')).toBeVisible();
    await inspect(page, 'a site');
  });
});

test('the pages around signing in are accessible', async ({ page, waypost }) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Sign in to Waypost' })).toBeVisible();
  await inspect(page, 'sign-in');
  await page.getByRole('button', { name: /^Sign in with .+(?<!new window)$/ }).click();
  await expect(page.getByLabel('Password')).toBeVisible();
  await inspect(page, 'the identity provider');
  await waypost.control({});
  await signIn(page, 'viewer');
  await page.getByRole('button', { name: /^Account menu of/ }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await expectAccessible(page, 'the session menu', { open: true });
  await page.keyboard.press('Escape');
  await signOut(page);
  await inspect(page, 'signed out');
});

test('the demo page is accessible', async ({ page }) => {
  await page.goto('/play');
  await expect(page.getByRole('heading', { level: 1 })).toBeAttached();
  await inspect(page, 'the demo page');
});

test('colors change at once for people who prefer reduced motion', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await signIn(page, 'viewer', '/w/acme/tours');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await background();
  const transitions = await page.evaluateHandle(() => {
    const elements: string[] = [];
    document.addEventListener('transitionrun', ({ target }) => elements.push((target as Element).outerHTML));
    return elements;
  });
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(background).not.toBe(light);
  await page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  expect(await transitions.jsonValue()).toEqual([]);
});
