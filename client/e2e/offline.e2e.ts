import { appendFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { popover, signIn } from './people';

// Modified to simulate a new version.
const client = mkdtempSync(join(tmpdir(), 'waypost-client-'));
cpSync(join(import.meta.dirname, '../dist'), client, { recursive: true });
test.use({ serviceWorkers: 'allow', settings: { WAYPOST_CLIENT: client } });
test.afterAll(() => rmSync(client, { recursive: true, force: true }));

const compressed = ['service-worker.js.br', 'service-worker.js.gz'];
const remove = (...names: string[]) => names.forEach(name => rmSync(join(client, name), { force: true }));

const tour = '/w/acme/tours/after-the-order';
const title = (page: Page) => page.getByRole('region', { name: 'Step 1', exact: true }).getByLabel('Title');

const isCached = (page: Page) => page.evaluate(async () => Boolean((await navigator.serviceWorker.ready).active));

test('the editor reopens offline with unsaved edits and saves them after reconnecting', async ({ page, context }) => {
  await signIn(page, 'author', tour);
  await expect(title(page)).toBeVisible();
  expect(await isCached(page)).toBe(true);
  await context.setOffline(true);
  await title(page).fill('Written on a train');
  await expect(page.getByText(/kept on this device/).first()).toBeVisible();
  await page.reload();
  await expect(title(page)).toHaveValue('Written on a train');
  await expect(page.getByText('You are offline.').first()).toBeVisible();
  // A screen that was not opened before loads too, but reports that its data is missing.
  await page.getByRole('link', { name: 'Members' }).click();
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible();
  await page.goBack();
  await expect(title(page)).toHaveValue('Written on a train');
  await context.setOffline(false);
  // Saved automatically, without a click.
  await expect(page.getByText('All changes saved')).toBeVisible();
  await page.reload();
  await expect(title(page)).toHaveValue('Written on a train');
});

test('without a session, the sign-in page explains that signing in requires the server', async ({ page, context }) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Sign in to Waypost' })).toBeVisible();
  expect(await isCached(page)).toBe(true);
  await context.setOffline(true);
  const next = await context.newPage();
  await next.goto('/w/acme/tours');
  await expect(next.getByRole('heading', { name: 'Can’t reach Waypost' })).toBeVisible();
  await expect(next.getByText(/you need both the server and your identity provider/)).toBeVisible();
});

test('the service worker caches neither API responses nor sign-in pages', async ({ page }) => {
  await signIn(page, 'author', '/w/acme/tours');
  await expect(popover(page)).toHaveCount(0);
  await isCached(page);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Tours' })).toBeVisible();
  const paths = await page.evaluate(async () => {
    const requests = (
      await Promise.all((await caches.keys()).map(async name => (await caches.open(name)).keys()))
    ).flat();
    return requests.map(({ url }) => new URL(url).pathname);
  });
  expect(paths).toContain('/');
  expect(paths.filter(path => path !== '/' && !path.startsWith('/assets/'))).toEqual([]);
});

test('a new version is announced and activated on request', async ({ page }) => {
  await page.goto('/');
  await isCached(page);
  remove(...compressed);
  appendFileSync(join(client, 'service-worker.js'), '// New version.\n');
  await page.reload();
  await page.getByRole('button', { name: 'Reload' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in to Waypost' })).toBeVisible();
  await expect(page.getByText('A new version is available.')).toHaveCount(0);
  // The old page may still be evaluated while it unloads.
  const waiting = () =>
    page
      .evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting ?? null)
      .catch(() => 'the page reloads');
  await expect.poll(waiting).toBeNull();
});

test('a server without a service worker removes the previous one and its caches', async ({ page }) => {
  await page.goto('/');
  await isCached(page);
  remove('service-worker.js', ...compressed);
  await page.reload();
  const remaining = () =>
    page.evaluate(async () => [...(await navigator.serviceWorker.getRegistrations()), ...(await caches.keys())].length);
  await expect.poll(remaining).toBe(0);
});
