import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from './axe';
import { expect, test } from './fixtures';
import { hoverNotice, signIn } from './people';

// Long flows with an accessibility check at each stage.
test.describe.configure({ timeout: 180_000 });

const path = '/w/acme/tours/first-order';

const list = (page: Page): Locator => page.getByRole('list', { name: 'Steps in order' });
const inspector = (page: Page, step: number): Locator =>
  page.getByRole('region', { name: `Step ${step}`, exact: true });
const item = (page: Page, title: string): Locator =>
  list(page).getByRole('button', { name: new RegExp(`^\\d+ ${title}`) });
const saved = (page: Page): Promise<void> => expect(page.getByText('All changes saved')).toBeVisible();

const order = (page: Page): Promise<string[]> =>
  list(page)
    .locator('[data-step]')
    .evaluateAll(items => items.map(each => each.querySelector('.font-medium')?.textContent ?? ''));

const expectOrder = (page: Page, titles: readonly string[]) => expect.poll(() => order(page)).toEqual(titles);

async function boxOf(locator: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  const box = await locator.boundingBox();
  if (!box) throw new Error('The element is not on the page.');
  return box;
}

test('steps can be dragged, and edits undone and redone', async ({ page }) => {
  await signIn(page, 'admin', path);
  await expect(item(page, 'Your cart')).toBeVisible();
  const titles = await order(page);
  const [first, second, third, fourth] = titles;
  if (!first || !second || !third || !fourth) throw new Error('The sample tour has four steps.');

  await test.step('a line shows the drop position of a dragged step', async () => {
    const from = await boxOf(item(page, first));
    const to = await boxOf(item(page, third));
    await page.mouse.move(from.x + 60, from.y + 20);
    await page.mouse.down();
    await page.mouse.move(from.x + 60, from.y + 40, { steps: 3 });
    await page.mouse.move(to.x + 60, to.y + to.height - 4, { steps: 6 });
    // The line follows the pointer with a delay.
    await expect.poll(async () => (await boxOf(page.locator('[data-drop-line]'))).y).toBeGreaterThan(to.y);
    await expectAccessible(page, 'the editor while a step is dragged');
    await page.mouse.up();
    await expectOrder(page, [second, third, first, fourth]);
    await expect(page.getByText(`“${first}” is now at position 3 of 4.`)).toBeAttached();
  });

  await test.step('Escape cancels a drag', async () => {
    const from = await boxOf(item(page, second));
    await page.mouse.move(from.x + 60, from.y + 20);
    await page.mouse.down();
    await page.mouse.move(from.x + 60, from.y + 200, { steps: 4 });
    await page.keyboard.press('Escape');
    await expect(page.locator('[data-drop-line]')).toHaveCount(0);
    await page.mouse.up();
    await expectOrder(page, [second, third, first, fourth]);
  });

  await test.step('a long list scrolls while a step is held at its edge', async () => {
    await page.setViewportSize({ width: 1280, height: 394 });
    const box = list(page).locator('..');
    await box.evaluate(each => each.scrollTo(0, 0));
    const shown = await boxOf(box);
    const from = await boxOf(item(page, second));
    await page.mouse.move(from.x + 60, from.y + 20);
    await page.mouse.down();
    await page.mouse.move(from.x + 60, shown.y + shown.height - 6, { steps: 4 });
    const remaining = () => box.evaluate(each => each.scrollHeight - each.clientHeight - each.scrollTop);
    await expect.poll(remaining).toBeLessThan(2);
    await page.mouse.up();
    await expectOrder(page, [third, first, fourth, second]);
    await page.keyboard.press('Control+z');
    await expectOrder(page, [second, third, first, fourth]);
    await page.setViewportSize({ width: 1280, height: 860 });
  });

  await test.step('undo and redo work with shortcuts and buttons, also after saving', async () => {
    await saved(page);
    await page.keyboard.press('Control+z');
    await expectOrder(page, titles);
    await page.getByRole('button', { name: /^Redo: move/ }).click();
    await expectOrder(page, [second, third, first, fourth]);
    await page.getByRole('button', { name: /^Undo: move/ }).click();
    await expectOrder(page, titles);
    await saved(page);
  });

  await test.step('typing is undone as one edit, in the field it was typed in', async () => {
    await item(page, second).click();
    const title = inspector(page, 2).getByLabel('Title');
    // A pause would split the typing.
    await page.clock.setFixedTime(Date.now());
    await title.selectText();
    await page.keyboard.type('Look around');
    await item(page, fourth).click();
    await page.keyboard.press('Control+z');
    await expect(inspector(page, 2).getByLabel('Title')).toHaveValue(second);
    await page.keyboard.press('Control+Shift+z');
    await expect(inspector(page, 2).getByLabel('Title')).toHaveValue('Look around');
    await page.keyboard.press('Control+z');
    await saved(page);
    await page.reload();
    await expectOrder(page, titles);
  });
});

test('the step list works with the keyboard and never loses the focus', async ({ page }) => {
  await signIn(page, 'author', path);
  await expect(item(page, 'Your cart')).toBeVisible();
  const titles = await order(page);
  const [first, second, third, fourth] = titles;
  if (!first || !second || !third || !fourth) throw new Error('The sample tour has four steps.');
  await item(page, first).focus();

  await page.keyboard.press('ArrowDown');
  await expect(item(page, second)).toBeFocused();
  await page.keyboard.press('Alt+ArrowUp');
  await expectOrder(page, [second, first, third, fourth]);
  await expect(item(page, second)).toBeFocused();
  await expect(page.getByText(`“${second}” is now at position 1 of 4.`)).toBeAttached();
  await page.keyboard.press('Control+z');
  await expectOrder(page, titles);
  await expect(item(page, second)).toBeFocused();

  await page.keyboard.press('Delete');
  await hoverNotice(page, `Step “${second}” deleted.`);
  await expectOrder(page, [first, third, fourth]);
  await expect(item(page, third)).toBeFocused();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expectOrder(page, titles);
  await expect(item(page, second)).toBeFocused();

  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+d');
  await expectOrder(page, [first, second, second, third, fourth]);
  await page.keyboard.press('Control+z');
  await expectOrder(page, titles);

  await test.step('changing the key of a step keeps the focus', async () => {
    await item(page, second).click();
    const region = inspector(page, 2);
    await region.getByText('Buttons and details').click();
    const key = region.getByLabel('Key');
    const former = await key.inputValue();
    await key.fill('look_around');
    await page.keyboard.press('Shift+Tab');
    await expect(region.getByRole('checkbox', { name: 'End on a click outside' })).toBeFocused();
    await expect(key).toHaveValue('look_around');
    await saved(page);
    await page.keyboard.press('Control+z');
    await expect(key).toHaveValue(former);
    await expect(key).toBeFocused();
    await saved(page);
  });
});

test('commands can be searched, and shortcuts are listed', async ({ page }) => {
  await signIn(page, 'admin', path);
  await expect(item(page, 'Your cart')).toBeVisible();
  await inspector(page, 1).getByLabel('Title').focus();

  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Search and commands' });
  const search = palette.getByRole('combobox', { name: 'Search tours, sites, and commands' });
  await expect(search).toBeFocused();
  await expectAccessible(page, 'the command palette', { open: true });
  await search.fill('cart');
  await expect(palette.getByRole('option', { selected: true })).toHaveText('Step 3: Your cart');
  await page.keyboard.press('Enter');
  await expect(palette).toHaveCount(0);
  await expect(inspector(page, 3).getByLabel('Title')).toBeFocused();

  await page.keyboard.press('Control+k');
  await expect(search).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(inspector(page, 3).getByLabel('Title')).toBeFocused();

  await page.keyboard.press('Control+k');
  await search.fill('after');
  await palette.getByRole('option', { name: /After/ }).click();
  await expect(page).toHaveURL(/\/tours\/after-the-order$/);
  await page.keyboard.press('Control+k');
  await search.fill('nothing at all');
  await expect(palette).toContainText('No results for');
  await page.keyboard.press('Escape');

  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('?');
  const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(shortcuts.getByRole('region', { name: 'Edit this tour' })).toContainText('Undo');
  await expect(shortcuts.getByLabel('Single-key shortcuts')).toBeVisible();
  await expectAccessible(page, 'the shortcuts', { open: true });
  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoSidewaysScroll(page, 'the shortcuts on a phone');
  await page.setViewportSize({ width: 1280, height: 860 });
  await shortcuts.getByLabel('Single-key shortcuts').uncheck();
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await expect(shortcuts).toHaveCount(0);
});

test('concurrent edits are merged, and conflicts are resolved by choice', async ({ page, browser, baseURL }) => {
  await signIn(page, 'admin', path);
  await expect(item(page, 'Your cart')).toBeVisible();
  const other = await (await browser.newContext(baseURL === undefined ? {} : { baseURL })).newPage();
  await signIn(other, 'author', path);
  await expect(item(other, 'Your cart')).toBeVisible();

  await test.step('edits to different fields of one step are merged automatically', async () => {
    await page.context().setOffline(true);
    await inspector(page, 1).getByLabel('Title').fill('Hello');
    await expect(page.getByText(/Saved on this device only/)).toBeVisible();
    await expectAccessible(page, 'the editor offline');
    await inspector(other, 1).getByLabel('Text').fill('Written by Otto.');
    await saved(other);
    await page.context().setOffline(false);
    await expect(
      page.getByText('Otto Author saved changes in the meantime. They’ve been merged with yours.'),
    ).toBeVisible();
    await expect(inspector(page, 1).getByLabel('Text')).toHaveValue('Written by Otto.');
    await saved(page);
    await expect(inspector(other, 1).getByLabel('Title')).toHaveValue('Hello');
  });

  await test.step('edits to the same field show both versions and the original, and a choice', async () => {
    await page.context().setOffline(true);
    await inspector(page, 1).getByLabel('Text').fill('In Ada’s own words.');
    await inspector(page, 1).getByLabel('Title').fill('Hello there');
    await expect(page.getByText(/Saved on this device only/)).toBeVisible();
    await inspector(other, 1).getByLabel('Text').fill('Written by Otto, again.');
    await item(other, 'Your cart').click();
    await inspector(other, 3).getByLabel('Title').fill('The cart');
    await saved(other);
    await page.context().setOffline(false);
    const dialog = page.getByRole('dialog', { name: 'Otto Author saved a newer version' });
    const text = dialog.getByRole('group', { name: 'Step “Hello there” · Text' });
    await expect(text).toContainText('Before: Written by Otto.');
    await expect(text.getByRole('radio', { name: /^Mine/ })).toBeChecked();
    await expectAccessible(page, 'the conflict dialog', { open: true });
    await dialog.getByText(/2 other changes merged automatically/).click();
    await expect(dialog.getByRole('list', { name: 'Merged automatically' })).toContainText('The cart');
    await expectAccessible(page, 'the expanded conflict dialog', { open: true });
    await page.setViewportSize({ width: 360, height: 740 });
    await expectNoSidewaysScroll(page, 'the conflict dialog on a phone');
    await page.setViewportSize({ width: 1280, height: 860 });
    await text.getByRole('radio', { name: /^Otto/ }).check();
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await saved(page);
    await expect(inspector(page, 1).getByLabel('Title')).toHaveValue('Hello there');
    await expect(inspector(page, 1).getByLabel('Text')).toHaveValue('Written by Otto, again.');
    await expect(item(page, 'The cart')).toBeVisible();
  });

  await test.step('the discarded version can be restored with undo', async () => {
    await page.keyboard.press('Control+z');
    await expect(inspector(page, 1).getByLabel('Text')).toHaveValue('In Ada’s own words.');
    await expect(item(page, 'The cart')).toBeVisible();
    await saved(page);
  });
  await other.context().close();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('a deleted step can be restored from its toast', async ({ page }) => {
  await signIn(page, 'publisher', '/w/acme/tours/after-the-order');
  const items = list(page).getByRole('listitem');
  await expect(items.first()).toBeVisible();
  const titles = await order(page);
  await items.first().getByRole('button', { name: 'Actions for step 1' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await hoverNotice(page, `Step “${titles[0]}” deleted.`);
  await expectOrder(page, titles.slice(1));
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expectOrder(page, titles);
  await saved(page);
});

test('the server and the browser agree about selectors, and a rejected one is listed as a problem', async ({
  page,
}) => {
  const file = await readFile('server/waypost/domain/content/selectors.json', 'utf8');
  const selectors = JSON.parse(file) as { valid: string[]; invalid: string[]; invalidOnlyInBrowsers: string[] };
  const agreed = await page.evaluate(
    lists =>
      lists.map(list =>
        list.filter(selector => {
          try {
            document.querySelector(selector);
            return true;
          } catch {
            return false;
          }
        }),
      ),
    [selectors.valid, selectors.invalid, selectors.invalidOnlyInBrowsers],
  );
  expect(agreed).toEqual([selectors.valid, [], []]);

  await page.setViewportSize({ width: 1280, height: 500 });
  await signIn(page, 'author', path);
  await expect(item(page, 'Your account')).toBeVisible();
  const titles = await order(page);
  const at = titles.indexOf('Your account') + 1;
  await item(page, 'Your account').click();
  await inspector(page, at).getByLabel('Find element by').selectOption('CSS selector');
  await inspector(page, at).getByLabel('CSS selector', { exact: true }).fill('ledger-menu >>> #account');
  await saved(page);
  await expect(
    page.getByRole('button', { name: /ledger-menu >>> #account, which is not a CSS selector/ }),
  ).toBeVisible();
  await expect(item(page, 'Your account')).toContainText('has a problem');
  // In view, although the page is scrolled.
  await item(page, titles[0] ?? '').focus();
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await item(page, titles[0] ?? '').evaluate((element: HTMLElement) => element.click());
  await expect(inspector(page, 1).getByRole('heading').first()).toBeInViewport();
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await saved(page);
});

test('a selected step begins at its heading, although the page was scrolled', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 700 });
  await signIn(page, 'author', '/w/acme/tours/after-the-order');
  const items = list(page).locator('[data-step]');
  await items.first().click();
  await inspector(page, 1).getByText('Buttons and details').click();
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await expect(inspector(page, 1).getByRole('heading').first()).not.toBeInViewport();
  await items.last().click();
  await expect(
    inspector(page, await items.count())
      .getByRole('heading')
      .first(),
  ).toBeInViewport();
});

test('on a phone, a selected step scrolls into view', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await signIn(page, 'author', '/w/acme/tours/after-the-order');
  const items = list(page).locator('[data-step]');
  await items.last().click();
  await expect(inspector(page, await items.count()).getByLabel('Title')).toBeInViewport();
  await expectNoSidewaysScroll(page, 'the editor on a phone');
  await expectAccessible(page, 'the editor on a phone');
});
