import type { Locator, Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from './axe';
import { expect, test } from './fixtures';
import { popover, signIn } from './people';

// Long flows with an accessibility check at each stage.
test.describe.configure({ timeout: 180_000 });

const steps = (page: Page): Locator => page.getByRole('list', { name: 'Steps in order' }).getByRole('listitem');
const inspector = (page: Page, step: number): Locator =>
  page.getByRole('region', { name: `Step ${step}`, exact: true });
const saved = (page: Page): Promise<void> => expect(page.getByText('All changes saved')).toBeVisible();

async function create(page: Page, title: string, template: string): Promise<void> {
  await signIn(page, 'author', '/w/acme/tours');
  await page.getByRole('button', { name: 'New tour' }).first().click();
  await page.getByLabel('Title').fill(title);
  await page.getByRole('radio', { name: template }).check();
  await expectAccessible(page, 'the templates', { open: true });
  await page.getByRole('button', { name: 'Create tour' }).click();
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
}

test('formatted text looks the same in the editor and in the tour', async ({ page }) => {
  await create(page, 'Shop tour', 'Example: the demo shop');
  await expect(steps(page)).toHaveCount(5);
  await saved(page);
  await expect(page.getByText('Ready to release')).toBeVisible();

  const text = inspector(page, 1).getByLabel('Text');
  const mock = page.getByRole('img', { name: 'Preview of step 1' });
  await expect(mock.locator('strong')).toHaveText('furniture that lasts');

  await test.step('formatting works with shortcuts and buttons', async () => {
    await text.fill('Good morning ');
    await page.keyboard.press('Control+b');
    await page.keyboard.type('friend');
    await page.keyboard.press('Control+b');
    await expect(text).toHaveValue('Good morning **friend**');
    await expect(mock.locator('strong')).toHaveText('friend');

    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await inspector(page, 1).getByRole('button', { name: 'List', exact: true }).click();
    await page.keyboard.type('lamps');
    await page.keyboard.press('Enter');
    await page.keyboard.type('the guide');
    await page.keyboard.press('Shift+Home');
    for (let count = 0; count < 2; count += 1) await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Control+Shift+k');
    await page.keyboard.type('https://example.com/guide');
    await expect(text).toHaveValue('Good morning **friend**\n- lamps\n- [the guide](https://example.com/guide)');
    await expect(mock.getByText('the guide')).toBeVisible();
    await expectAccessible(page, 'the text editor');
  });

  await test.step('an image is inserted with its address and description', async () => {
    await text.fill('');
    await inspector(page, 1).getByRole('button', { name: 'Image', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Add image' });
    await dialog.getByLabel('Address').fill('http://example.com/cart.png');
    await dialog.getByRole('button', { name: 'Add image' }).click();
    await expect(dialog.getByLabel('Address')).toHaveAccessibleDescription(/https/);
    await dialog.getByLabel('Address').fill('https://example.com/cart.png');
    await dialog.getByLabel('Image description').fill('The cart');
    await dialog.getByRole('button', { name: 'Add image' }).click();
    await expect(text).toHaveValue('![The cart](https://example.com/cart.png)');
    await text.fill('Good morning **friend**\n- lamps\n- [the guide](https://example.com/guide)');
  });

  await test.step('HTML is shown as text', async () => {
    await page.keyboard.press('Control+End');
    await page.keyboard.type('\n\n<img src=x onerror=alert(1)>');
    await expect(mock.locator('.wp-text')).toContainText('<img src=x onerror=alert(1)>');
    await saved(page);
  });

  await test.step('the preview shows the same formatting', async () => {
    await page.keyboard.press('Control+Shift+Enter');
    const shown = popover(page, 'Welcome to Nordhaus');
    await expect(shown.locator('strong')).toHaveText('friend');
    await expect(shown.getByRole('listitem')).toHaveText(['lamps', 'the guide']);
    await expect(shown.getByRole('link', { name: 'the guide' })).toHaveAttribute('href', 'https://example.com/guide');
    await expect(shown).toContainText('<img src=x onerror=alert(1)>');
    await expect(shown.locator('img')).toHaveCount(0);
    const previewHtml = await shown.locator('.wp-text').innerHTML();
    await expectAccessible(page, 'a popover with formatted text', { open: true });
    await page.keyboard.press('Escape');
    await expect(popover(page)).toHaveCount(0);
    expect(await mock.locator('.wp-text').innerHTML()).toBe(previewHtml);
  });

  await test.step('applying the template can be undone', async () => {
    const undo = page.getByRole('button', { name: /^Undo/ });
    await expect(undo).not.toHaveAttribute('aria-disabled', 'true');
    // The button is disabled when nothing is left to undo.
    await expect(async () => {
      if ((await steps(page).count()) > 0) await undo.click();
      await expect(steps(page)).toHaveCount(0, { timeout: 200 });
    }).toPass();
    await page.getByRole('button', { name: /^Redo: template/ }).click();
    await expect(steps(page)).toHaveCount(5);
  });
});

test('each problem links to the field that fixes it', async ({ page }) => {
  await create(page, 'What is new', 'New feature');
  await expect(steps(page)).toHaveCount(2);
  await saved(page);
  const next = page.getByRole('button', { name: /^2 problems: view next$/ });
  await next.click();
  await expect(inspector(page, 1).getByLabel('data-tour name')).toBeFocused();
  await next.click();
  const target = inspector(page, 2).getByLabel('data-tour name');
  await expect(target).toBeFocused();
  await expect(target).toHaveAccessibleDescription(/has no element/);
  await expectAccessible(page, 'the editor with problems');

  await inspector(page, 2).getByText('Buttons and details').click();
  await inspector(page, 2).getByLabel('Done button label').fill('A label that is much too long for a button');
  await inspector(page, 2).getByLabel('Title').fill('');
  await inspector(page, 2).getByText('Buttons and details').click();
  const problems = page.getByRole('region', { name: 'Problems' });
  await page.getByRole('button', { name: 'Start and theme' }).click();
  await problems
    .getByRole('button', { name: /the done button label of “step_2” must have at most 30 characters/ })
    .click();
  await expect(inspector(page, 2).getByLabel('Done button label')).toBeFocused();
  await problems.getByRole('button', { name: /the title of “step_2” must not be empty/ }).click();
  await expect(inspector(page, 2).getByLabel('Title')).toBeFocused();
  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoSidewaysScroll(page, 'the editor with problems on a phone');
  await page.setViewportSize({ width: 1280, height: 860 });

  for (let count = 0; count < 2; count += 1) await page.keyboard.press('Control+z');
  await inspector(page, 2).getByLabel('data-tour name').fill('play-cart');
  await saved(page);
  await expect(page.getByRole('button', { name: /^1 problem: view$/ })).toBeVisible();
});

test('a tour is duplicated with all its steps', async ({ page }) => {
  await signIn(page, 'author', '/w/acme/tours/first-order');
  await expect(steps(page).first()).toBeVisible();
  const titles = await steps(page).allTextContents();
  await page.getByRole('button', { name: 'Tour actions' }).click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  const dialog = page.getByRole('dialog', { name: 'Duplicate “Your first order”' });
  await expect(dialog.getByLabel('Title')).toHaveValue('Copy of Your first order');
  await expectAccessible(page, 'duplicating a tour', { open: true });
  await dialog.getByRole('button', { name: 'Duplicate tour' }).click();
  await expect(page).toHaveURL(/\/tours\/copy-of-your-first-order$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Copy of Your first order' })).toBeVisible();
  await saved(page);
  await page.reload();
  await expect(steps(page).first()).toBeVisible();
  await expect.poll(() => steps(page).allTextContents()).toEqual(titles);
});

test('several tours are archived, restored and archived again with the keyboard', async ({ page }) => {
  await signIn(page, 'publisher', '/w/acme/tours');
  const row = (title: string) => page.getByRole('row', { name: new RegExp(title) });
  const box = (title: string) => page.getByRole('checkbox', { name: `Select ${title}` });
  const titles = ['First to archive', 'Second to archive'];
  for (const title of titles) {
    await page.goto('/w/acme/tours?new=true');
    await page.getByLabel('Title').fill(title);
    await page.getByRole('button', { name: 'Create tour' }).click();
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  }
  await page.goto('/w/acme/tours');
  const [first = '', second = ''] = titles;

  await test.step('a live tour cannot be archived', async () => {
    await box('Your first order').check();
    await expect(page.getByRole('button', { name: 'Archive' })).toHaveAccessibleDescription(/is live/);
    await expectAccessible(page, 'the selection of tours');
    await box('Your first order').uncheck();
    await expect(page.getByRole('group', { name: 'Selected tours' })).toHaveCount(0);
  });

  await test.step('two tours are archived', async () => {
    await box(second).focus();
    await page.keyboard.press('Space');
    await box(first).focus();
    await page.keyboard.press('Space');
    await expect(page.getByText('2 tours selected')).toBeVisible();
    await page.getByRole('button', { name: 'Archive' }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByText('2 tours archived.')).toBeVisible();
    await expect(row(first)).toContainText('Archived');
    await expect(row(second)).toContainText('Archived');
  });

  await test.step('the notice undoes it', async () => {
    await page.keyboard.press('F8');
    await page.keyboard.press('Enter');
    await expect(page.getByText('2 tours restored.')).toBeVisible();
    await expect(row(first)).toContainText('Draft');
    await expect(row(second)).toContainText('Draft');
  });

  await test.step('archived tours are restored from their list', async () => {
    await box(first).check();
    await page.getByRole('button', { name: 'Archive' }).click();
    await expect(row(first)).toContainText('Archived');
    await page.getByRole('radio', { name: 'Archived' }).check();
    await box(first).check();
    await page.getByRole('button', { name: 'Restore' }).click();
    await expect(page.getByText('1 tour restored.')).toBeVisible();
    await expect(row(first)).toHaveCount(0);
  });
});
