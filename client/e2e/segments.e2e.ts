import { expectAccessible, expectNoSidewaysScroll } from './axe';
import { expect, test } from './fixtures';
import { expectNotice, signIn } from './people';

test.describe.configure({ timeout: 120_000 });

test('a segment decides who sees a released tour', async ({ page, browser, baseURL }) => {
  await signIn(page, 'admin', '/w/acme/sites');
  await page.getByRole('button', { name: 'New site' }).first().click();
  await page.getByLabel('Name').fill('Subscriptions');
  await page.getByLabel('Allowed origins').fill(baseURL ?? '');
  await page.getByRole('button', { name: 'Create site' }).click();
  const key = await page.getByLabel('Site key').inputValue();

  const visit = async (plan: string) => {
    const context = await browser.newContext({ baseURL: baseURL ?? '' });
    const shop = await context.newPage();
    const body = `<!doctype html><title>Shop</title><body>
      <script>(window.waypost ??= []).push(waypost => waypost.identify('${plan}', { traits: { plan: '${plan}' } }))</script>
      <script async src="/embed/v1.js" data-key="${key}"></script></body>`;
    await shop.route('**/play', route => route.fulfill({ contentType: 'text/html', body }));
    const booted = shop.waitForResponse('**/e/boot');
    await shop.goto('/play');
    const response = await (await booted).text();
    await context.close();
    return response;
  };
  await visit('gold');
  await visit('basic');

  await test.step('define the segment, with the number of visitors', async () => {
    await page.goto('/w/acme/visitors');
    await page.getByRole('navigation', { name: 'Workspace' }).getByRole('link', { name: 'Segments' }).click();
    await page.getByRole('link', { name: 'New segment' }).first().click();
    await page.getByLabel('Name').fill('Gold customers');
    await page.getByLabel('Value').fill('gold');
    await page.getByRole('combobox', { name: 'Count visitors of' }).selectOption({ label: 'Subscriptions' });
    await expect(page.getByText('Matches 1 of 2 visitors of the last 30 days.')).toBeVisible();
    await page.getByLabel('Operator').selectOption({ label: 'has no value' });
    await expect(page.getByText('Matches 0 of 2 visitors of the last 30 days.')).toBeVisible();
    await page.getByLabel('Operator').selectOption({ label: 'is' });
    await expectAccessible(page, 'the editor of a segment');
    await page.getByRole('button', { name: 'Create segment' }).click();
    await expectNotice(page, '“Gold customers” created.');
    await expect(page.getByRole('link', { name: /Gold customers plan is gold/ })).toContainText('Not used by a tour');
  });

  await test.step('list its visitors', async () => {
    await page.goto('/w/acme/visitors');
    await page.getByRole('combobox', { name: 'Site' }).selectOption({ label: 'Subscriptions' });
    const visitors = page.getByRole('table', { name: /^Visitors of this site/ });
    await expect(visitors.getByRole('rowheader')).toHaveCount(2);
    await page.getByRole('combobox', { name: 'Segment' }).selectOption({ label: 'Gold customers' });
    await expect(page.getByText('Matches 1 of 2 visitors of the last 30 days.')).toBeVisible();
    await expect(visitors.getByRole('rowheader')).toHaveCount(1);
    await expect(visitors).toContainText('plan: gold');
    await expectAccessible(page, 'the visitors of a segment');
  });

  await test.step('choose it as the audience of a tour', async () => {
    await page.goto('/w/acme/tours');
    await page.getByRole('button', { name: 'New tour' }).first().click();
    await page.getByLabel('Title').fill('For gold customers');
    await page.getByRole('radio', { name: 'Blank' }).check();
    await page.getByRole('button', { name: 'Create tour' }).click();
    await page.getByRole('button', { name: 'Add step' }).first().click();
    await page.getByRole('region', { name: 'Step 1', exact: true }).getByLabel('Title').fill('Thank you');
    await page.getByRole('button', { name: 'Start and theme' }).click();
    await page.getByLabel('Who sees it').selectOption({ label: 'Gold customers' });
    await page.getByRole('combobox', { name: 'Count visitors of' }).selectOption({ label: 'Subscriptions' });
    await expect(page.getByText('Matches 1 of 2 visitors of the last 30 days.')).toBeVisible();
    await expect(page.getByText(/^Starts automatically .* if the visitor is in Gold customers\.$/)).toBeVisible();
    await page.setViewportSize({ width: 360, height: 740 });
    await expectNoSidewaysScroll(page, 'the audience of a tour');
    await page.setViewportSize({ width: 1280, height: 800 });
    await expect(page.getByText('All changes saved')).toBeVisible();
  });

  await test.step('release it: only visitors in the segment get the tour, and no page learns why', async () => {
    await page.getByRole('navigation', { name: 'Tour' }).getByRole('link', { name: 'Releases' }).click();
    await page.getByRole('main').getByRole('button', { name: 'Release' }).click();
    const dialog = page.getByRole('dialog', { name: /^Release revision/ });
    await dialog.getByRole('checkbox', { name: 'Subscriptions' }).check();
    await dialog.getByRole('button', { name: 'Release' }).click();
    await expectNotice(
      page,
      '“For gold customers” is released to Subscriptions. It starts once Waypost is installed there.',
    );
    const gold = await visit('gold');
    expect(gold).toContain('"slug":"for-gold-customers"');
    expect(await visit('basic')).toContain('"tours":[]');
    const { tours } = JSON.parse(gold) as { tours: { bundle: string; start: { when: unknown } }[] };
    expect(tours[0]?.start.when).toBeNull();
    const bundle = await page.request.get(tours[0]?.bundle ?? '');
    expect(gold + (await bundle.text())).not.toMatch(/plan|"gold"|Gold customers"|basic/);
  });

  await test.step('a change of the segment takes effect on the released tour', async () => {
    await page.goto('/w/acme/segments');
    await page.getByRole('link', { name: /Gold customers/ }).click();
    await expect(page.getByRole('region', { name: 'Tours with this segment' })).toContainText('For gold customers');
    await page.getByLabel('Value').fill('basic');
    await page.getByRole('button', { name: 'Save segment' }).click();
    await expectNotice(page, 'Segment saved. Released tours use it now.');
    expect(await visit('gold')).toContain('"tours":[]');
    expect(await visit('basic')).toContain('"slug":"for-gold-customers"');
  });

  await test.step('a segment in use cannot be deleted', async () => {
    await page.getByRole('button', { name: 'Delete' }).click();
    const confirm = page.getByRole('dialog', { name: 'Delete “Gold customers”?' });
    await confirm.getByRole('button', { name: 'Delete segment' }).click();
    await expect(confirm).toContainText('used by these tours: For gold customers.');
    await page.goto('/w/acme/audit');
    const entries = page.getByRole('list', { name: /^Audit entries/ });
    await expect(entries).toContainText('changed the segment “Gold customers”');
    await expect(entries).toContainText('plan is basic');
  });
});
