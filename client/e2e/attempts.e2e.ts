// Tours that are live and never show: what the page reports, and what members see.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { send } from './api';
import { expectAccessible } from './axe';
import { expect, test } from './fixtures';
import { OPEN_ROOTS, press } from './foreign-site';
import { expectNotice, signIn } from './people';

test.describe.configure({ timeout: 120_000 });

const pages: Server[] = [];
test.afterAll(() => {
  for (const server of pages.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** Serves a page with the script on another origin. */
async function shopOf(script: string): Promise<string> {
  const html = `<!doctype html><title>Shop</title><h1>Shop</h1><button id="cart">Cart</button>
    <script>(window.waypost ??= []).push(waypost => waypost.identify('ghost-user'))</script>${script}`;
  const server = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.end(html);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  pages.push(server);
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

test('members see that a tour never shows, and which origins are refused', async ({ page, browser, waypost }) => {
  await signIn(page, 'admin', '/w/acme/sites');
  await page.getByRole('button', { name: 'New site' }).first().click();
  await page.getByLabel('Name').fill('Ghost shop');
  await page.getByLabel('Allowed origins').fill('https://ghost.example');
  await page.getByRole('button', { name: 'Create site' }).click();
  const key = await page.getByLabel('Site key').inputValue();
  const siteAddress = page.url();
  const siteId = siteAddress.split('/').at(-1) ?? '';
  const script = `<script async src="${waypost.origin}/embed/v1.js" data-key="${key}"></script>`;
  const shop = await shopOf(script);

  const context = await browser.newContext();
  const visitor = await context.newPage();
  await visitor.addInitScript(OPEN_ROOTS);
  const explained = (slug: string) => visitor.evaluate(`waypost.explain('${slug}')`);

  await test.step('release a tour whose first element does not exist, and one with a gap', async () => {
    const { workspace } = await send(page, 'Sites', { slug: 'acme' });
    const workspaceId = workspace?.['id'];
    const release = async (slug: string, title: string, selectors: readonly string[]) => {
      const { tourCreate } = await send(page, 'TourCreate', { input: { workspaceId, title, slug } });
      const id = tourCreate?.['id'];
      const steps = selectors.map((value, index) => ({
        key: `step-${index}`,
        kind: 'SPOTLIGHT',
        title: `Look at ${value}`,
        target: { by: 'SELECTOR', value },
        waitMs: 200,
      }));
      const start = { trigger: slug === 'ghost' ? 'AUTO' : 'MANUAL', frequency: 'ALWAYS' };
      const { tourSave } = await send(page, 'TourSave', { input: { id, expectedVersion: 1, steps, start } });
      const input = { tourId: id, expectedVersion: tourSave?.['version'], siteIds: [siteId] };
      await send(page, 'TourRelease', { input });
    };
    await release('gaps', 'A tour with a gap', ['#cart', '#wishlist']);
    await release('ghost', 'Ghost', ['#ghost']);
  });

  await test.step('a refused origin is listed, and one press allows it', async () => {
    const refused = visitor.waitForEvent('requestfailed', request => request.url().endsWith('/e/boot'));
    await visitor.goto(shop);
    await refused;
    expect(await explained('ghost')).toBe('NOT_LOADED');
    await page.goto(siteAddress);
    const panel = page.getByRole('region', { name: 'Refused origins' });
    await expect(panel.getByText(shop)).toBeVisible();
    await expect(panel.getByText(/^Refused 1 time, last /)).toBeVisible();
    await expectAccessible(page, 'a site with a refused origin');
    await page.screenshot({ path: test.info().outputPath('refused.png'), fullPage: true });
    await panel.getByRole('button', { name: `Add to allowed origins: ${shop}` }).click();
    await expectNotice(page, `${shop} is allowed now. Its pages show tours when they’re opened again.`);
    await expect(panel).toBeHidden();
    await expect(page.getByLabel('Allowed origins')).toHaveValue(`https://ghost.example\n${shop}`);
  });

  await test.step('the page explains and reports that the element is missing', async () => {
    const reported = visitor.waitForRequest('**/e/attempts');
    await visitor.goto(shop);
    await expect.poll(() => explained('ghost')).toBe('NO_ELEMENT');
    expect(await (await (await reported).response())?.json()).toBe(1);
  });

  await test.step('the list, the insights and the explanation show it', async () => {
    await page.goto('/w/acme/tours');
    const row = page.getByRole('row', { name: /Ghost/ }).or(page.getByRole('listitem').filter({ hasText: 'Ghost' }));
    await expect(row.first()).toContainText('Elements missing');
    await page.goto('/w/acme/tours/ghost/insights');
    await expect(page.getByText('No runs in this date range', { exact: true })).toBeVisible();
    await expect(page.getByText('1 visitor met this tour but saw nothing')).toContainText(
      '“Look at #ghost” wasn’t found',
    );
    await expectAccessible(page, 'insights of a tour that never shows');
    await page.screenshot({ path: test.info().outputPath('never-shown.png'), fullPage: true });
    const { visitors } = await send(page, 'Visitors', { siteId, search: 'ghost-user' });
    const [found] = (visitors?.['nodes'] ?? []) as { id: string }[];
    await page.goto(`/w/acme/visitors/${found?.id}`);
    await expect(page.getByRole('combobox', { name: 'Tour', exact: true })).not.toHaveValue('');
    await page.getByRole('combobox', { name: 'Tour', exact: true }).fill('ghost');
    await page.getByRole('option', { name: 'Ghost' }).click();
    await page.getByRole('button', { name: 'Explain' }).click();
    await expect(
      page.getByRole('heading', { name: 'The element of “Look at #ghost” wasn’t found on the last visit' }),
    ).toBeVisible();
    await expect(page.getByText(/^1\d checks met$/)).toBeVisible();
    await expectAccessible(page, 'an explanation with a missing element');
    await page.screenshot({ path: test.info().outputPath('explained.png'), fullPage: true });
  });

  await test.step('a completed run with a gap is marked, and stop() is not a visitor who closes the tour', async () => {
    const kinds = () => visitor.evaluate<string[]>('window.kinds');
    await visitor.evaluate('window.kinds = []; waypost.on(({ kind, reason }) => window.kinds.push(kind, reason))');
    await visitor.evaluate(`waypost.start('gaps')`);
    await press(visitor, 'Look at #cart', 'Next');
    await expect.poll(kinds).toContain('RUN_COMPLETED');
    await visitor.evaluate(`window.kinds = []; waypost.start('gaps')`);
    await expect.poll(kinds).toContain('STEP_SEEN');
    const sent = visitor.waitForResponse('**/e/record');
    await visitor.evaluate('waypost.stop()');
    await expect.poll(kinds).toContain('PROGRAM');
    await (await sent).finished();
    await page.goto('/w/acme/tours/gaps/insights');
    const figure = (name: string) =>
      page
        .locator('dl > div, dl > *')
        .filter({ hasText: new RegExp(`^${name}`) })
        .first();
    await expect(figure('Completed')).toContainText('1 of them with gaps');
    const outcomes = page.getByRole('list', { name: 'How runs ended' });
    await expect(outcomes.getByRole('listitem').filter({ hasText: 'Stopped' })).toContainText('1');
    await expect(outcomes).not.toContainText('Dismissed');
    await expect(page.getByRole('table', { name: 'Recent runs' })).toContainText('with gaps');
    await expect(page.getByRole('table', { name: 'Recent runs' })).toContainText('stopped by your code');
    await expectAccessible(page, 'insights with gaps');
    await page.screenshot({ path: test.info().outputPath('gaps.png'), fullPage: true });
    await page.getByRole('table', { name: 'Recent runs' }).getByRole('link').first().click();
    await expect(
      page.getByText('Elements missing, so the visitor didn’t see: “Look at #wishlist”.').first(),
    ).toBeAttached();
    await page.screenshot({ path: test.info().outputPath('timeline.png'), fullPage: true });
  });
  await context.close();
});

test('a player that cannot be loaded is explained, reported and loaded again', async ({ page, browser, waypost }) => {
  await signIn(page, 'admin', '/w/acme/sites');
  const { workspace } = await send(page, 'Sites', { slug: 'acme' });
  const workspaceId = workspace?.['id'];
  const body = (key: unknown) =>
    `<script async src="${waypost.origin}/embed/v1.js" data-key="${String(key)}"></script>`;
  const site = { workspaceId, name: 'Blocked shop', origins: ['http://localhost:1'] };
  const { siteCreate } = await send(page, 'SiteCreate', { input: site });
  const shop = await shopOf(body(siteCreate?.['key']));
  const origins = [shop];
  await send(page, 'SiteUpdate', { input: { id: siteCreate?.['id'], expectedVersion: 1, origins } });
  const { tourCreate } = await send(page, 'TourCreate', { input: { workspaceId, title: 'Blocked', slug: 'blocked' } });
  const steps = [{ key: 'hello', kind: 'MODAL', title: 'Hello' }];
  const id = tourCreate?.['id'];
  const { tourSave } = await send(page, 'TourSave', { input: { id, expectedVersion: 1, steps } });
  const release = { tourId: id, expectedVersion: tourSave?.['version'], siteIds: [siteCreate?.['id']] };
  await send(page, 'TourRelease', { input: release });

  const context = await browser.newContext();
  const visitor = await context.newPage();
  await visitor.clock.install();
  await visitor.route('**/embed/player-*', route => route.abort());
  const reported = visitor.waitForRequest('**/e/attempts');
  await visitor.goto(shop);
  await expect.poll(() => visitor.evaluate(`waypost.explain?.('blocked')`)).toBe('PLAYER_FAILED');
  await visitor.clock.fastForward(6000);
  expect((await reported).postData()).toContain('"problem":"PLAYER_FAILED"');
  await (await reported).response();
  await page.goto('/w/acme/tours/blocked/insights');
  await expect(page.getByText('For 1 visitor, the player couldn’t be loaded.')).toBeVisible();
  await visitor.unroute('**/embed/player-*');
  await visitor.clock.fastForward(31_000);
  await expect(visitor.locator('[data-waypost]')).toHaveCount(1);
  await context.close();
});
