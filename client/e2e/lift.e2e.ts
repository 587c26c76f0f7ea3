import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import type { Waypost } from '../embed/packages/browser/src/types';
import { expectAccessible, expectNoSidewaysScroll } from './axe';
import { expect, test } from './fixtures';
import { openDemo, signIn } from './people';

const SITE = 'Goal shop';
const releases = '/w/acme/tours/leading/releases';
const insights = '/w/acme/tours/leading/insights';
const GOAL = 'order_placed';
const VISITORS = 120;

const lift = (page: Page): Locator => page.getByRole('region', { name: 'Lift', exact: true });

interface Manifest {
  readonly operations: readonly { readonly name: string; readonly id: string }[];
}

async function send(page: Page, name: string, variables: Record<string, unknown>): Promise<Record<string, unknown>> {
  const manifest = JSON.parse(await readFile('operations/generated/manifest.json', 'utf8')) as Manifest;
  const documentId = manifest.operations.find(each => each.name === name)?.id;
  return page.evaluate(
    async body => {
      const headers = { 'content-type': 'application/json', accept: 'application/graphql-response+json' };
      const response = await fetch('/graphql', { method: 'POST', headers, body: JSON.stringify(body) });
      return ((await response.json()) as { data: Record<string, unknown> }).data;
    },
    { documentId, variables },
  );
}

async function editSettings(page: Page, fill: (dialog: Locator) => Promise<void>): Promise<void> {
  await page.goto(releases);
  await page.getByRole('region', { name: SITE }).getByRole('button', { name: 'Edit settings', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await fill(dialog);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
}

test('a release with a goal and a holdout shows its lift once there is enough data', async ({
  page,
  browser,
  waypost,
}) => {
  test.setTimeout(240_000);
  const baseURL = waypost.origin;
  await signIn(page, 'admin', '/w/acme/sites');

  const key = await test.step('release a tour without a goal', async () => {
    await page.getByRole('button', { name: 'New site' }).first().click();
    await page.getByLabel('Name').fill(SITE);
    await page.getByLabel('Allowed origins').fill(baseURL);
    await page.getByRole('button', { name: 'Create site' }).click();
    const made = await page.getByLabel('Site key').inputValue();
    await page.goto('/w/acme/tours');
    await page.getByRole('button', { name: 'New tour' }).first().click();
    await page.getByLabel('Title').fill('Leading');
    await page.getByRole('radio', { name: 'Example: the demo shop' }).check();
    await page.getByRole('button', { name: 'Create tour' }).click();
    await expect(page.getByText('All changes saved')).toBeVisible();
    await page.goto(releases);
    await page.getByRole('main').getByRole('button', { name: 'Release', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: /^Release revision/ });
    await dialog.getByRole('checkbox', { name: SITE }).check();
    await dialog.getByRole('button', { name: 'Release', exact: true }).click();
    await expect(dialog).toBeHidden();
    await page.goto(insights);
    await expect(lift(page)).toContainText('No release has a goal yet.');
    await lift(page).getByRole('link', { name: 'Go to Releases' }).click();
    await expect(page).toHaveURL(new RegExp(releases));
    return made;
  });

  await test.step('a goal must be a valid event name', async () => {
    await editSettings(page, async dialog => {
      await dialog.getByLabel('Goal').fill('Order placed!');
      await expect(dialog.getByText(/^Must be 1 to 40 lowercase letters/)).toBeVisible();
      await dialog.getByLabel('Goal').fill('order_plaecd');
      await expect(dialog.getByText('We haven’t received this event in 90 days.')).toBeVisible();
      await dialog.getByLabel('Goal').fill(GOAL);
      await expect(dialog.getByText(`detail: '${GOAL}'`)).toBeVisible();
    });
    await expect(page.getByRole('region', { name: SITE })).toContainText(`Goal: ${GOAL}`);
    await page.goto(insights);
    await expect(lift(page)).toContainText('There’s no holdout to compare with.');
  });

  await test.step('with a holdout, lift waits for visitors', async () => {
    await editSettings(page, async dialog => dialog.getByRole('spinbutton').last().fill('50'));
    await page.goto(insights);
    await expect(lift(page)).toContainText(
      'Not enough data yet: 0 visitors were offered the tour, and 0 are in the holdout.',
    );
  });

  const visitor = await browser.newContext({ baseURL });
  const shop = await visitor.newPage();
  // The queue of the snippet, so that the script reports an event from before it has loaded.
  const track = (event: string) =>
    shop.evaluate(name => {
      const call = (waypost: Waypost) => waypost.track(name);
      if (window.waypost) window.waypost.push(call);
      else window.waypost = [call];
    }, event);
  await test.step('a page sends a goal event even before the boot response', async () => {
    await openDemo(shop, key);
    await expect(shop.getByRole('heading', { name: 'Demo page' })).toBeVisible();
    const reported = shop.waitForRequest(request => (request.postData() ?? '').includes(`"event":"${GOAL}"`));
    await track(GOAL);
    const stored = await (await reported).response();
    expect(await stored?.json()).toBe(1);
  });

  await test.step('other events are sent once a day and are offered as goals', async () => {
    const isReport = (request: { postData(): string | null }) =>
      (request.postData() ?? '').includes('"event":"searched"');
    const [reported] = await Promise.all([shop.waitForRequest(isReport), track('searched')]);
    await reported.response();
    const again: unknown[] = [];
    shop.on('request', request => (isReport(request) ? again.push(request) : undefined));
    await shop.reload();
    await expect(shop.getByRole('heading', { name: 'Demo page' })).toBeVisible();
    await track('searched');
    // Leaving the page sends queued events.
    await shop.goto('about:blank');
    expect(again).toEqual([]);
    await page.goto(releases);
    await page.getByRole('region', { name: SITE }).getByRole('button', { name: 'Edit settings', exact: true }).click();
    const goal = page.getByRole('dialog').getByLabel('Goal');
    await goal.fill('searched');
    await expect(page.getByRole('dialog').getByText('Your site has sent this event.')).toBeVisible();
    const offered = await goal.evaluate((input: HTMLInputElement) =>
      [...(input.list?.options ?? [])].map(each => each.value),
    );
    expect(offered).toEqual(expect.arrayContaining([GOAL, 'searched']));
    await page.keyboard.press('Escape');
    await page.goto('/w/acme/sites');
    await page.getByRole('link', { name: new RegExp(SITE) }).click();
    const events = page.getByRole('list', { name: 'Events' }).getByRole('listitem');
    await expect(events).toHaveCount(2);
    await expectAccessible(page, 'events of a site');
    await openDemo(shop, key);
  });

  await test.step('more visitors who were offered the tour reach the goal', async () => {
    for (let number = 0; number < VISITORS; number += 1) {
      const visitor = { anonymousId: `visitor-${number}` };
      const url = `${baseURL}/play`;
      const { boot } = (await send(shop, 'Boot', { siteKey: key, visitor, url })) as {
        boot: { tours: unknown[]; serverTime: string };
      };
      if (boot.tours.length > 0 ? number % 4 === 0 : number % 40 !== 0) continue;
      const goals = [{ event: GOAL, at: boot.serverTime }];
      await send(shop, 'GoalRecord', { siteKey: key, visitor, goals });
    }
    await page.goto(insights);
    await expect(lift(page)).toContainText(`More visitors reach “${GOAL}”:`);
    const rows = lift(page).getByRole('row');
    await expect(rows).toHaveCount(3);
    await expect(rows.nth(1)).toContainText(/\d%\d+ of \d+/);
    await expect(rows.nth(2)).toContainText('no visitors');
  });

  await test.step('lift is accessible', async () => {
    for (const [size, viewport] of [
      ['desktop', { width: 1280, height: 900 }],
      ['phone', { width: 360, height: 900 }],
    ] as const) {
      await page.setViewportSize(viewport);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await expectAccessible(page, `lift, ${size}, ${colorScheme}`);
      }
      await expectNoSidewaysScroll(page, `lift, ${size}`);
    }
    await lift(page).getByRole('group', { name: 'Lift' }).focus();
    await expect(lift(page).getByRole('group', { name: 'Lift' })).toBeFocused();
  });

  await test.step('lift can be exported', async () => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      lift(page).getByRole('button', { name: 'Export lift as CSV' }).click(),
    ]);
    const rows = (await readFile(await file.path(), 'utf8')).trim().split('\r\n');
    expect(rows[0]).toContain('holdout_reached,difference,low,high,relative');
    expect(rows[1]).toMatch(new RegExp(`^${SITE},1,.*,${GOAL},50,`));
    expect(rows).toHaveLength(3);
  });
  await visitor.close();
});
