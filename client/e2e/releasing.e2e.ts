import type { Locator, Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from './axe';
import { expect, test } from './fixtures';
import { expectNotice, openDemo, popover, signIn } from './people';

const SITE = 'Releasing shop';
const releases = '/w/acme/tours/releasing/releases';
const site = (page: Page): Locator => page.getByRole('region', { name: SITE });
const impact = (page: Page): Locator => page.getByRole('region', { name: 'What changes for visitors' });

async function inspect(page: Page, name: string): Promise<void> {
  for (const [size, viewport] of [
    ['desk', { width: 1280, height: 900 }],
    ['phone', { width: 360, height: 900 }],
  ] as const) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await expectAccessible(page, `${name}, ${size}, ${colorScheme}`, { open: true });
    }
    await expectNoSidewaysScroll(page, `${name}, ${size}`);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
}

async function openDialog(page: Page, button: string): Promise<Locator> {
  await site(page).getByRole('button', { name: button, exact: true }).click();
  const dialog = page.getByRole('dialog');
  await expect(impact(page).getByRole('status')).toHaveCount(0);
  return dialog;
}

async function release(page: Page): Promise<Locator> {
  await page.goto(releases);
  await page.getByRole('main').getByRole('button', { name: 'Release', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: /^Release revision/ });
  await dialog.getByRole('checkbox', { name: SITE }).check();
  await expect(impact(page)).toContainText('goes live');
  return dialog;
}

test('a release shows its impact, moves active runs, and can be paused, limited, rolled back and stopped', async ({
  page,
  browser,
  baseURL,
}) => {
  test.setTimeout(240_000);
  const context = async () => browser.newContext(baseURL === undefined ? {} : { baseURL });
  await signIn(page, 'admin', '/w/acme/sites');

  const key = await test.step('create a site and a tour', async () => {
    await page.getByRole('button', { name: 'New site' }).first().click();
    await page.getByLabel('Name').fill(SITE);
    await page.getByLabel('Allowed origins').fill(baseURL ?? '');
    await page.getByRole('button', { name: 'Create site' }).click();
    const made = await page.getByLabel('Site key').inputValue();
    await page.goto('/w/acme/tours');
    await page.getByRole('button', { name: 'New tour' }).first().click();
    await page.getByLabel('Title').fill('Releasing');
    await page.getByRole('radio', { name: 'Example: the demo shop' }).check();
    await page.getByRole('button', { name: 'Create tour' }).click();
    await expect(page.getByText('All changes saved')).toBeVisible();
    return made;
  });

  await test.step('the impact of the first release shows that there are no visitors yet', async () => {
    const dialog = await release(page);
    await expect(impact(page)).toContainText('Not live there now. Revision 1 goes live.');
    await expect(impact(page)).toContainText('No known visitors on this site');
    await dialog.getByText('Rollout, goal, and schedule', { exact: true }).click();
    await inspect(page, 'release-dialog');
    await dialog.getByLabel('Ends').fill('2020-01-01T10:00');
    await expect(dialog.getByText('The release would end before it starts.').first()).toBeVisible();
    await dialog.getByLabel('Ends').fill('');
    await dialog.getByRole('button', { name: 'Release', exact: true }).click();
    await expectNotice(page, `“Releasing” is released to ${SITE}. It starts once Waypost is installed there.`);
  });

  const visitor = await context();
  const shop = await visitor.newPage();
  const second = await test.step('a visitor reaches the second step', async () => {
    await openDemo(shop, key);
    await expect(popover(shop)).toBeVisible();
    const reported = shop.waitForResponse(response => (response.request().postData() ?? '').includes('STEP_DONE'));
    await popover(shop).getByRole('button', { name: 'Show me' }).click();
    // The report may arrive before the next step is rendered.
    await expect(popover(shop, 'Find anything')).toBeVisible();
    await reported;
    return 'Find anything';
  });

  await test.step('a second release keeps the visitor on their step', async () => {
    await page.goto('/w/acme/tours/releasing');
    await page.getByRole('region', { name: 'Step 1', exact: true }).getByLabel('Title').fill('Welcome back');
    await expect(page.getByText('All changes saved')).toBeVisible();
    const dialog = await release(page);
    await expect(impact(page)).toContainText('Revision 1 is live there. Revision 2 goes live.');
    await expect(impact(page)).toContainText('1 step changed: “Welcome back”.');
    await expect(impact(page)).toContainText('1 visitor is in the tour now: 1 stays on their current step.');
    await dialog.getByLabel('Note').fill('A warmer welcome');
    await dialog.getByRole('button', { name: 'Release', exact: true }).click();
    await expect(site(page)).toContainText('Revision 2, released by');
    await shop.reload();
    await expect(popover(shop, second)).toBeVisible();
  });

  await test.step('a pause appears immediately in another session and hides the tour', async () => {
    const other = await context();
    const colleague = await other.newPage();
    await signIn(colleague, 'publisher', releases);
    await expect(site(colleague)).toContainText('Released');
    const dialog = await openDialog(page, 'Pause');
    await expect(impact(page)).toContainText('No visitor will see the tour until you resume it.');
    await dialog.getByLabel('Note').fill('A typing error');
    await dialog.getByRole('button', { name: 'Pause', exact: true }).click();
    await expect(site(colleague)).toContainText('Paused');
    await expect(site(colleague)).toContainText('“A typing error”');
    await expect(colleague.getByRole('banner').or(colleague.getByRole('main')).first()).toBeVisible();
    await other.close();
    await shop.reload();
    await expect(shop.getByText('No tour for this visitor right now')).toBeVisible();
  });

  await test.step('after resuming, the visitor continues where they left off', async () => {
    const dialog = await openDialog(page, 'Resume');
    await dialog.getByRole('button', { name: 'Resume', exact: true }).click();
    await expect(site(page)).toContainText('Released');
    await shop.reload();
    await expect(popover(shop, second)).toBeVisible();
  });

  await test.step('limit it to a part of the visitors', async () => {
    const dialog = await openDialog(page, 'Edit settings');
    await dialog.getByRole('spinbutton').first().fill('30');
    await dialog.getByRole('spinbutton').last().fill('10');
    await expect(impact(page)).toContainText('1 visitor is in the tour now: 1 stays');
    await inspect(page, 'release-change');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(site(page)).toContainText('30% of visitors · 10% holdout');
    await shop.reload();
    await expect(popover(shop, second)).toBeVisible();
  });

  await test.step('roll it back after checking the impact', async () => {
    const dialog = await openDialog(page, 'Roll back to revision 1');
    await expect(impact(page)).toContainText('Revision 2 is live there. Revision 1 goes live.');
    await dialog.getByRole('button', { name: 'Roll back to revision 1', exact: true }).click();
    await expectNotice(page, `Revision 1 is live again on ${SITE}.`);
    await expect(page.getByText('Released, not installed: revision 1 (newest: 2)', { exact: true })).toBeVisible();
    const part = (name: string) => page.getByRole('navigation', { name: 'Tour' }).getByRole('link', { name });
    await part('Edit').click();
    await expect(page.getByText('Visitors see an older revision, not this draft.')).toBeVisible();
    await page.getByRole('link', { name: 'Tours', exact: true }).first().click();
    await expect(page.getByRole('row', { name: /Releasing/ })).toContainText(
      'Released, not installed: revision 1 (newest: 2)',
    );
    await page.getByRole('link', { name: /Releasing/ }).click();
    await part('Releases').click();
    await expect(site(page)).toContainText('Revision 1, rolled back by');
    await site(page)
      .getByText(/^History: 4 releases$/)
      .click();
    const history = page.getByRole('list', { name: `Releases on ${SITE}` });
    await expect(history).toContainText('“A warmer welcome”');
    await expect(history).toContainText('Paused');
    await expect(history).toContainText('(settings changed)');
    await expect(history).toContainText('(rollback)');
    await inspect(page, 'release-history');
    const entry = history.getByRole('listitem').filter({ hasText: '“A warmer welcome”' });
    await entry.getByRole('button', { name: 'Roll back to revision 2' }).click();
    const chosen = page.getByRole('dialog');
    await expect(impact(page)).toContainText('Revision 2 goes live.');
    await expect(chosen.getByRole('button', { name: 'Roll back to revision 2' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(chosen).toHaveCount(0);
    await page.goto('/w/acme/tours/releasing/revisions');
    const first = page
      .getByRole('list', { name: 'Revisions' })
      .getByRole('listitem')
      .filter({
        has: page.getByRole('heading', { name: 'Revision 1', exact: true }),
      });
    await expect(first).toContainText(`Live again on ${SITE} after a rollback`);
    await page.goto(releases);
  });

  await test.step('stop it and end active runs', async () => {
    const dialog = await openDialog(page, 'Stop');
    await dialog.getByRole('checkbox', { name: 'End active runs' }).check();
    await expect(impact(page)).toContainText('their runs end');
    await dialog.getByRole('button', { name: 'Stop tour' }).click();
    await expect(site(page)).toContainText('Not currently live here.');
    await expect(page.getByRole('main').getByText('Stopped', { exact: true })).toBeVisible();
    await expect(page.getByText(/Revision \d was live last/)).toBeVisible();
    await shop.reload();
    await expect(shop.getByText('No tour for this visitor right now')).toBeVisible();
  });
  await visitor.close();

  await page.goto('/w/acme/tours');
  await page.getByRole('radiogroup', { name: 'Status' }).getByText('Stopped').click();
  await expect(page.getByRole('table', { name: 'Tours' }).getByRole('rowheader')).toContainText(['Releasing']);
});
