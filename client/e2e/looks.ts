import { expect, type Locator, type Page } from '@playwright/test';

export async function openScreen(page: Page, path: string, heading: string | RegExp = /./): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('heading', { name: heading }).first()).toBeAttached();
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
  await expect(page.getByRole('status', { name: /^Loading/ })).toHaveCount(0);
}

export const dialog = (page: Page): Locator => page.getByRole('dialog').and(page.locator(':not(.wp-popover, .card)'));

export async function close(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toHaveCount(0);
  await expect(page.getByRole('menu')).toHaveCount(0);
}

export const lookOf = (popover: Locator): Promise<object[]> =>
  popover.evaluate(card => {
    const outer = card.getBoundingClientRect();
    const look = (part: Element, names: readonly (keyof CSSStyleDeclaration)[]) => {
      const style = getComputedStyle(part);
      const range = document.createRange();
      range.selectNodeContents(part);
      const { left, top, width } = part === card ? outer : range.getBoundingClientRect();
      const box = part === card ? [width, outer.height] : [left - outer.left, top - outer.top, width];
      return { text: part.textContent.trim(), box: box.map(Math.round), style: names.map(name => style[name]) };
    };
    const text = ['fontFamily', 'fontSize', 'fontWeight', 'color'] as const;
    const parts = card.querySelectorAll('.wp-text > p, .count, .introjs-helperNumberLayer, h2, h1');
    const texts = [...parts].filter(each => each.textContent !== '');
    const buttons = [...card.querySelectorAll('button, [role=button]')];
    return [
      look(card, ['backgroundColor', 'borderRadius', 'boxShadow']),
      ...texts.map(each => look(each, text)),
      ...buttons.map(each => look(each, [...text, 'backgroundColor', 'borderRadius', 'borderColor'])),
    ].toSorted((one, other) => one.text.localeCompare(other.text));
  });

/**
 * Expects the default theme as rendered, in a preview or by intro.js: overlay 0.7, padding 10, radius 5, offset 10,
 * animation 400 ms.
 */
export async function expectFiveNumbers(page: Page, target: string): Promise<void> {
  // The stage moves for 400 ms, so poll until the final values are reached.
  const rendered = () =>
    page.evaluate(name => {
      const root = document.querySelector('[data-waypost]')?.shadowRoot ?? document;
      const stage = root.querySelector('.stage, .wp-stage');
      const card = root.querySelector('.card, .wp-popover');
      const element = document.querySelector(`[data-tour="${name}"]`)?.getBoundingClientRect();
      if (!stage || !card || !element) return null;
      const { boxShadow, borderRadius, transitionDuration, animationDuration } = getComputedStyle(stage);
      const [around, popoverBox] = [stage.getBoundingClientRect(), card.getBoundingClientRect()];
      const gaps = [
        popoverBox.top - around.bottom,
        around.top - popoverBox.bottom,
        popoverBox.left - around.right,
        around.left - popoverBox.right,
      ];
      // A tooltip does not dim the page.
      const overlay = `${boxShadow} ${document.documentElement.style.getPropertyValue('--wp-overlay')}`;
      return {
        overlay: /rgba\(0, 0, 0, ([\d.]+)\)/.exec(overlay)?.[1],
        padding: [
          element.left - around.left,
          element.top - around.top,
          around.right - element.right,
          around.bottom - element.bottom,
        ].map(Math.round),
        radius: borderRadius,
        offset: Math.round(Math.max(...gaps)),
        animation: root === document ? transitionDuration : animationDuration,
      };
    }, target);
  await expect
    .poll(rendered)
    .toEqual({ overlay: '0.7', padding: [10, 10, 10, 10], radius: '5px', offset: 10, animation: '0.4s' });
}
