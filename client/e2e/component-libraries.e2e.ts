/** Tours on pages with the component libraries that applications use, by mouse and by keyboard alone. */
import { expect, type Page, test } from '@playwright/test';
import { bundle } from './component-libraries/bundle';
import { watch } from './fixtures';
import { type ForeignSite, OPEN_ROOTS, popover, press, startForeignSite, step, theme } from './foreign-site';

const LIBRARIES = {
  Radix: 'radix.tsx',
  'Headless UI': 'headless-ui.tsx',
  'Material UI': 'mui.tsx',
  'Ant Design': 'ant-design.tsx',
  Bootstrap: 'bootstrap.ts',
};

const click = { on: 'TARGET_CLICK', page: null, selector: null, event: null, delayMs: 0 };
const clicked = (key: string, selector: string) => step(key, selector, { advance: click });
/** Ant Design puts the name of the property on an inner element. */
const COLOR = '#color, .color';

interface Way {
  /** Uses the element of a step: a button, a list that is closed, or an item of an open list or menu. */
  use: (page: Page, key: string, selector: string, kind?: 'button' | 'list' | 'item') => Promise<void>;
  next: (page: Page, key: string) => Promise<void>;
}

const byMouse: Way = {
  async use(page, key, selector) {
    await expect(popover(page, `About ${key}`)).toBeVisible();
    await page.locator(selector).first().click();
  },
  next: (page, key) => press(page, `About ${key}`, 'Next'),
};

/** Presses Tab until the focus is on the element, in it or, for an item without a focus, around it. */
async function tabTo(page: Page, selector: string): Promise<void> {
  const hasFocus = `(() => {
    const element = document.querySelector(${JSON.stringify(selector)});
    const focused = document.activeElement;
    const isField = focused.matches('[role=combobox]') && element.closest('.ant-select-item') !== null;
    return isField || element.contains(focused) || (focused.contains(element) && focused.matches('[role=menuitem]'));
  })()`;
  await expect
    .poll(async () => {
      if (await page.evaluate(hasFocus)) return true;
      await page.keyboard.press('Tab');
      return page.evaluate(hasFocus);
    })
    .toBe(true);
}

const byKeys = (keys: { button: string; list: string; item: string }): Way => ({
  async use(page, key, selector, kind = 'button') {
    await expect(popover(page, `About ${key}`)).toBeVisible();
    await tabTo(page, selector);
    // Moving the focus to an element does not use it.
    await expect(popover(page, `About ${key}`)).toBeVisible();
    // A field keeps the focus, and its first option is the active one.
    if (await page.locator('[role=combobox][aria-activedescendant]:focus').count())
      await page.keyboard.press('ArrowDown');
    await page.keyboard.press(keys[kind]);
  },
  async next(page, key) {
    await expect(popover(page, `About ${key}`)).toBeVisible();
    await page.keyboard.press('Enter');
  },
});

const WAYS = (library: string): Readonly<Record<string, Way>> => ({
  'by mouse': byMouse,
  'by Enter and the arrow keys': byKeys({ button: 'Enter', list: 'ArrowDown', item: 'Enter' }),
  'by Space': byKeys({
    button: 'Space',
    list: 'Space',
    // Ant Design's items react to Enter only.
    item: library === 'Ant Design' ? 'Enter' : 'Space',
  }),
});

for (const [library, file] of Object.entries(LIBRARIES))
  test.describe(library, () => {
    let site: ForeignSite;
    test.beforeAll(async () => {
      test.setTimeout(120_000);
      const code = await bundle(file);
      site = await startForeignSite(
        waypost => `<!doctype html><html lang="en"><title>Shop</title><body>
<script async src="${waypost}/embed/v1.js" data-key="wp_pub_test"></script>${code}</body></html>`,
        () => '',
      );
    });
    test.afterAll(() => site.stop());

    for (const [way, { use, next }] of Object.entries(WAYS(library)))
      test(`a tour plays in the menu, the dialog, the list and the popover ${way}`, async ({ page }) => {
        site.offer({
          theme,
          steps: [
            clicked('menu', '#menu'),
            clicked('rename', '#rename'),
            step('behind', '#heading'),
            step('name', '#name'),
            clicked('save', '#save'),
            clicked('color', COLOR),
            clicked('blue', '#blue'),
            clicked('details', '#details'),
            clicked('agree', '#agree'),
            step('end', null),
          ],
        });
        await page.addInitScript(OPEN_ROOTS);
        await watch(page, async () => {
          await page.goto(site.origin);
          const actions = () => page.evaluate('window.actions');
          await use(page, 'menu', '#menu');
          await use(page, 'rename', '#rename', 'item');
          await next(page, 'behind');
          await next(page, 'name');
          expect(await actions()).toEqual([]);
          await use(page, 'save', '#save');
          await use(page, 'color', COLOR, 'list');
          expect(await actions()).toEqual(['submit']);
          await use(page, 'blue', '#blue', 'item');
          await use(page, 'details', '#details');
          expect(await actions()).toEqual(['submit', 'blue']);
          await use(page, 'agree', '#agree');
          await press(page, 'About end', 'Done');
          expect(await actions()).toEqual(['submit', 'blue', 'agree']);
          await expect(page.locator('[data-waypost]')).toHaveCount(0);
          await expect.poll(() => site.events.map(({ kind }) => kind)).toContain('RUN_COMPLETED');
          expect(site.events.filter(({ kind }) => kind === 'TARGET_MISSING')).toEqual([]);
        });
      });
  });
