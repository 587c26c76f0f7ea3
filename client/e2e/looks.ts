import { expect, type Locator, type Page } from '@playwright/test';

export async function openScreen(page: Page, path: string, heading: string | RegExp = /./): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('heading', { name: heading }).first()).toBeAttached();
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
  await expect(page.getByRole('status', { name: /^Loading/ })).toHaveCount(0);
}

export const dialog = (page: Page): Locator => page.getByRole('dialog').and(page.locator(':not(.wp-popover)'));

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
