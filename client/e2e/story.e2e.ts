import type { Page } from '@playwright/test';
import { expectAccessible } from './axe';
import { expect, test } from './fixtures';
import { expectFiveNumbers } from './looks';
import { expectNotice, openDemo, popover, signIn, signOut } from './people';
import { takeScreenshot } from './screenshots';

const steps = [
  { title: 'Welcome to the shop', text: 'Three things to know.' },
  { title: 'Find anything', text: 'Type what you are looking for.', target: 'play-search' },
  { title: 'Your cart', text: 'What you chose waits here.', target: 'play-cart' },
] as const;

test('a tour is written, previewed, released, taken by a visitor, measured and rolled back', async ({
  page,
  browser,
  baseURL,
}) => {
  test.setTimeout(180_000);
  await signIn(page, 'admin', '/w/acme/tours');

  const key = await test.step('create a site', async () => {
    await page.getByRole('link', { name: 'Sites' }).click();
    await page.getByRole('button', { name: 'New site' }).first().click();
    await page.getByLabel('Name').fill('Story shop');
    await page.getByLabel('Allowed origins').fill(baseURL ?? '');
    await page.getByRole('button', { name: 'Create site' }).click();
    return page.getByLabel('Site key').inputValue();
  });

  await test.step('write three steps', async () => {
    await page.getByRole('link', { name: 'Tours' }).first().click();
    await page.getByRole('button', { name: 'New tour' }).first().click();
    await page.getByLabel('Title').fill('First steps');
    await expect(page.getByLabel('Slug')).toHaveValue('first-steps');
    await page.getByRole('button', { name: 'Create tour' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'First steps' })).toBeVisible();
    for (const [index, step] of steps.entries()) {
      await page.getByRole('button', { name: 'Add step' }).click();
      const inspector = page.getByRole('region', { name: `Step ${index + 1}`, exact: true });
      await inspector.getByLabel('Title').fill(step.title);
      await inspector.getByLabel('Text').fill(step.text);
      if ('target' in step) await inspector.getByLabel('data-tour name').fill(step.target);
    }
    await expect(page.getByRole('list', { name: 'Steps in order' }).getByRole('listitem')).toHaveCount(3);
    await expect(page.getByText('All changes saved')).toBeVisible();
    await takeScreenshot(page, 'editor');
    await expectAccessible(page, 'the editor with steps');
  });

  await test.step('preview it and check the five theme numbers', async () => {
    await page.getByRole('button', { name: /^1 Welcome to the shop/ }).click();
    await page.getByRole('button', { name: 'Preview' }).click();
    await expect(popover(page, steps[0].title)).toContainText(steps[0].text);
    await popover(page).getByRole('button', { name: 'Next' }).click();
    await expect(popover(page, steps[1].title)).toBeVisible();
    await expectFiveNumbers(page, steps[1].target);
    await takeScreenshot(page, 'preview');
    await popover(page).getByRole('button', { name: 'Next' }).click();
    await expect(popover(page, steps[2].title)).toBeVisible();
    await popover(page).getByRole('button', { name: 'Previous' }).click();
    await expect(popover(page, steps[1].title)).toBeVisible();
    await popover(page).getByRole('button', { name: 'Close' }).click();
    await expect(popover(page)).toHaveCount(0);
    await expect(page.getByText('All changes saved')).toBeVisible();
  });

  await test.step('release it', async () => {
    await release(page);
    await expectNotice(page, '“First steps” is released to Story shop. It starts once Waypost is installed there.');
  });

  await test.step('a visitor takes the tour', async () => {
    const visitor = await browser.newContext(baseURL === undefined ? {} : { baseURL });
    const shop = await visitor.newPage();
    await openDemo(shop, key);
    // A new tour starts automatically, once per visitor.
    await expect(popover(shop, steps[0].title)).toBeVisible();
    await popover(shop).getByRole('button', { name: 'Next' }).click();
    await expect(popover(shop, steps[1].title)).toBeVisible();
    await popover(shop).getByRole('button', { name: 'Next' }).click();
    const counted = shop.waitForResponse(
      response =>
        response.url().endsWith('/e/record') && (response.request().postData() ?? '').includes('RUN_COMPLETED'),
    );
    await popover(shop, steps[2].title).getByRole('button', { name: 'Done' }).click();
    expect((await counted).ok()).toBe(true);
    await expect(popover(shop)).toHaveCount(0);
    await visitor.close();
  });

  await test.step('the funnel shows 1 started, 1 completed', async () => {
    await page.getByRole('navigation', { name: 'Tour' }).getByRole('link', { name: 'Insights' }).click();
    await expect(figure(page, 'Started')).toContainText('1');
    await expect(figure(page, 'Completed')).toContainText('1');
    await expect(figure(page, 'Completed')).toContainText('100%');
    const funnel = page.getByRole('region', { name: 'Funnel' });
    await expect(funnel.getByRole('row')).toHaveCount(steps.length + 2);
    for (const { title } of steps) await expect(funnel.getByRole('row', { name: title })).toContainText('1100%');
  });

  await test.step('release a second revision and roll it back', async () => {
    await page.getByRole('navigation', { name: 'Tour' }).getByRole('link', { name: 'Edit' }).click();
    await page.getByRole('region', { name: 'Step 1', exact: true }).getByLabel('Title').fill('Welcome back');
    await expect(page.getByText('All changes saved')).toBeVisible();
    await release(page);
    const site = page.getByRole('region', { name: 'Story shop' });
    await expect(site).toContainText('Revision 2');
    await site.getByRole('button', { name: 'Roll back' }).click();
    await page
      .getByRole('alertdialog')
      .or(page.getByRole('dialog'))
      .getByRole('button', { name: 'Roll back to revision 1' })
      .click();
    await expectNotice(page, 'Revision 1 is live again on Story shop.');
    await expect(site).toContainText('Revision 1, rolled back by');
  });

  await test.step('sign out', () => signOut(page));
});

async function release(page: Page): Promise<void> {
  await page.getByRole('navigation', { name: 'Tour' }).getByRole('link', { name: 'Releases' }).click();
  await page.getByRole('main').getByRole('button', { name: 'Release' }).click();
  const dialog = page.getByRole('dialog', { name: /^Release revision/ });
  await dialog.getByRole('checkbox', { name: 'Story shop' }).check();
  await dialog.getByRole('button', { name: 'Release' }).click();
  await expect(dialog).toBeHidden();
}

const figure = (page: Page, name: string) =>
  page.locator('dl > *').filter({ has: page.getByRole('term').filter({ hasText: new RegExp(`^${name}$`) }) });
