import { expectAccessible, expectNoSidewaysScroll } from './axe';
import { expect, test } from './fixtures';
import { enterPassword, expectNotice, expectSignedIn, popover, signIn } from './people';
import { takeScreenshot } from './screenshots';

test.use({ settings: { WAYPOST_SAMPLE: 'history' } });

test('a new installation has 30 days of history, until an administrator removes it', async ({
  page,
  browser,
  baseURL,
}) => {
  test.setTimeout(120_000);
  await signIn(page, 'admin', '/w/acme/tours/first-order/insights');
  await expect(page.getByRole('region', { name: 'Funnel' }).getByRole('row')).toHaveCount(6);
  await expect(page.getByText('This workspace contains sample data.')).toBeVisible();
  await takeScreenshot(page, 'insights', page.getByText('How runs ended'));
  await expectAccessible(page, 'the insights of the sample');

  await test.step('the list of tours is sorted by runs and filtered by site, which the address keeps', async () => {
    await page.goto('/w/acme/tours');
    const tours = page.getByRole('table', { name: 'Tours' });
    await tours.getByRole('button', { name: 'Runs' }).click();
    await expect(page).toHaveURL(/sort=RUNS/);
    await expect(tours.getByRole('columnheader', { name: 'Runs' })).toHaveAttribute('aria-sort', 'descending');
    const firstRow = tours.getByRole('row').nth(1);
    await expect(firstRow).toContainText(/\d%/);
    await tours.getByRole('button', { name: 'Runs' }).click();
    await expect(page).toHaveURL(/reverse=true/);
    await expect(firstRow).not.toContainText('%');
    await page.getByRole('combobox', { name: 'Site' }).selectOption({ label: 'Help center' });
    await expect(page).toHaveURL(/site=/);
    await expectAccessible(page, 'the filtered list of tours');
    await expectNoSidewaysScroll(page, 'the filtered list of tours');
  });
  await test.step('the visitors are counted, and listed with their tours', async () => {
    await page.goto('/w/acme/visitors');
    await expect(page.getByText(/visitors in the last 30 days$/)).toBeVisible();
    const visitors = page.getByRole('table', { name: /^Visitors of this site/ });
    await expect(visitors.getByRole('row').nth(1)).toContainText(/completed|dismissed|active/);
    await expectAccessible(page, 'the visitors of the sample');
  });
  await test.step('a missing element is shown in the list and in the tour, and leads to its target', async () => {
    await page.goto('/w/acme/tours');
    const row = page.getByRole('row').filter({ hasText: 'Find products faster' });
    await expect(row).toContainText('Elements missing');
    await expect(row).not.toContainText('suggestion');
    await row.getByRole('link').click();
    await expect(row).toHaveCount(0);
    await expect(page.getByRole('main').getByText('Elements missing')).toBeVisible();
    const problems = page.getByRole('region', { name: 'Problems' });
    await expect(problems.getByRole('button')).toContainText(/was missing on Demo shop in the last 7 days/);
    await page.getByRole('link', { name: 'Insights' }).click();
    await page.getByRole('link', { name: /^element missing \d+ times$/ }).click();
    await expect(page).toHaveURL(/field=target/);
    await expect(page.locator('[data-field="target"] :focus')).toHaveValue('play-filters');
  });
  await test.step('the drop-off of a step leads to the runs that ended there, and a run to its visitor', async () => {
    await page.goto('/w/acme/tours/first-order/insights');
    const dropOff = page.getByRole('region', { name: 'Funnel' }).getByRole('link', { name: /Show \d+ runs? that/ });
    const [count] = /\d+/.exec((await dropOff.first().getAttribute('title')) ?? '') ?? [];
    await dropOff.first().click();
    await expect(page).toHaveURL(/ended=.*#recent-runs$/);
    const runs = page.getByRole('region', { name: 'Recent runs' });
    await expect(runs.getByRole('row')).toHaveCount(Math.min(Number(count), 20) + 1);
    await expect(runs.getByRole('table').getByText('completed', { exact: true })).toHaveCount(0);
    await runs.getByLabel('Status').selectOption('dismissed');
    await expect(page).toHaveURL(/state=DISMISSED/);
    await expect(runs.getByRole('table').getByText('abandoned', { exact: true })).toHaveCount(0);
    await expectAccessible(page, 'the insights with filtered runs');
    await runs.getByRole('link').last().click();
    const run = page.getByRole('region', { name: 'Runs' }).getByRole('listitem').first();
    await expect(run.getByRole('list', { name: 'Run events' })).toContainText('dismissed');
    await page.goto('/w/acme/tours/first-order/insights');
  });

  await page.getByRole('button', { name: 'Remove sample workspace' }).click();
  const dialog = page.getByRole('dialog', { name: 'Remove Acme?' });
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeVisible();
  await expectAccessible(page, 'the dialog that removes the sample');
  const otherContext = await browser.newContext(baseURL === undefined ? {} : { baseURL });
  const other = await otherContext.newPage();
  await signIn(other, 'admin', '/w/acme/tours/find-products');
  await expect(other.getByRole('heading', { level: 1, name: 'Find products faster' })).toBeVisible();

  await dialog.getByRole('button', { name: 'Remove sample workspace' }).click();
  await expect(page.getByText('No workspaces yet')).toBeVisible();
  await expectNotice(page, '“Acme” removed.');
  // The other browser notices the removal without a reload.
  await expect(other.getByRole('heading', { level: 1, name: 'Workspace not found' })).toBeVisible();
  await expect(other.getByRole('navigation', { name: 'Workspace' })).toHaveCount(0);
  await otherContext.close();

  await page.getByRole('button', { name: 'New workspace' }).first().click();
  await page.getByLabel('Name').fill('Team');
  await page.getByRole('button', { name: 'Create workspace' }).click();
  await expect(page).toHaveURL(/\/w\/team\/tours$/);
  await expect(page.getByText('This workspace contains sample data.')).toHaveCount(0);
});

test('the first minutes of an administrator need no reload', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('button', { name: /^Sign in with .+(?<!new window)$/ }).click();
  await enterPassword(page, 'author');
  await expectSignedIn(page, 'author');
  let loads = 0;
  page.on('load', () => (loads += 1));
  await page.getByRole('button', { name: 'New workspace' }).first().click();
  await page.getByLabel('Name').fill('Crew');
  await page.getByRole('button', { name: 'Create workspace' }).click();
  await popover(page, 'Welcome to Waypost').getByRole('button', { name: 'Close' }).click();
  const steps = page.getByRole('region', { name: 'Get your first tour live' });
  await expect(steps.getByRole('listitem')).toHaveCount(4);
  await page.getByRole('navigation', { name: 'Workspace' }).getByRole('link', { name: 'Members' }).click();
  await expect(page.getByRole('list', { name: 'Members' })).toContainText('Otto Author');
  expect(loads).toBe(0);
});
