/**
 * Compares with `baselines/`. Times and keys are overwritten, and text is in Figtree.
 *
 * Only in the headless shell that took them (`baselines/chromium.txt`), because text rendering differs. Others only
 * visit the screens, with a warning.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, type Locator, type Page } from '@playwright/test';
import { findHeadlessShell } from '../../.scripts/lib/browser.mjs';

const UPDATE_COMMAND = 'npm run test:baselines';

const variants = [
  { name: 'light', width: 1024, height: 720, colorScheme: 'light' },
  { name: 'dark', width: 1024, height: 720, colorScheme: 'dark' },
  { name: 'phone', width: 360, height: 720, colorScheme: 'light' },
] as const;

type Variant = (typeof variants)[number]['name'];

/** Bypasses CSP so that `baselines.css` applies. */
export const screenshotOptions = { viewport: { width: 1024, height: 720 }, bypassCSP: true } as const;

/** The page must have finished loading. */
export async function expectScreenshots(
  page: Page,
  name: string,
  only: readonly Variant[] = ['light', 'dark', 'phone'],
): Promise<void> {
  if (!isComparable(page)) return;
  for (const { name: variant, colorScheme, ...size } of variants) {
    if (!only.includes(variant)) continue;
    const file = `${name}-${variant}.png`;
    const message = `The page differs from client/e2e/baselines/${file}. If this is intended, run ${UPDATE_COMMAND} and review the git diff.`;
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.mouse.move(0, 0);
    // The focus may have scrolled a page that is wider or narrower now.
    await page.evaluate(() => window.scrollTo(0, 0));
    await page.evaluate(freezeValues);
    await expect.soft(page, message).toHaveScreenshot(file, { mask: changing(page), maskColor: '#888888' });
  }
  await page.setViewportSize(screenshotOptions.viewport);
  await page.emulateMedia({ colorScheme: 'light' });
}

let hasWarned = false;

function isComparable(page: Page): boolean {
  const major = (page.context().browser()?.version() ?? '').split('.')[0] ?? '';
  const baselineVersion = readFileSync(join(import.meta.dirname, 'baselines/chromium.txt'), 'utf8').trim();
  const isShell = findHeadlessShell() !== null;
  if ((isShell && major === baselineVersion) || test.info().config.updateSnapshots !== 'none') return true;
  const browser = `Chromium ${major}${isShell ? '' : ' with windows'}`;
  const warning = `Screenshots not compared: baselines are from the headless shell of Chromium ${baselineVersion}, this is ${browser}. To update them, run ${UPDATE_COMMAND}.`;
  test.info().annotations.push({ type: 'looks', description: warning });
  // oxlint-disable-next-line no-console -- the test output must show that nothing was compared
  if (!hasWarned) console.warn(warning);
  hasWarned = true;
  return false;
}

const changing = (page: Page): Locator[] => [
  page.locator('input[type=date]:visible, input[type=datetime-local]:visible'),
];

async function freezeValues(): Promise<void> {
  const month = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)[a-z]*';
  const constant: readonly [RegExp, string][] = [
    [new RegExp(`\\d{1,2} ${month} \\d{4}`, 'g'), '15 May 2026'],
    [new RegExp(`\\d{1,2} ${month}(?! 2026)`, 'g'), '15 May'],
    [/\d{1,2}:\d{2}(:\d{2})?/g, '10:30'],
    [/yesterday|\d+ (?:second|minute|hour|day)s? ago/g, 'just now'],
    [/localhost:\d+/g, 'localhost:4000'],
    [/wp_pub_(?!demo_shop)\w+/g, 'wp_pub_key'],
  ];
  const frozen = (original: string) =>
    constant.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), original);
  const write = (text: Text) => {
    if (frozen(text.data) !== text.data) text.data = frozen(text.data);
  };
  /** Also when React sets the value again, which changes no node. */
  const freezeField = (field: HTMLInputElement & { frozen?: true }) => {
    if (field.frozen) return;
    field.frozen = true;
    const own = Object.getOwnPropertyDescriptor(field, 'value');
    const property = own ?? Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field) as object, 'value') ?? {};
    const set = (value: string) => property.set?.call(field, frozen(value));
    Object.defineProperty(field, 'value', { ...property, set });
    if (frozen(field.value) !== field.value) field.value = frozen(field.value);
  };
  const texts = (root: Node) => {
    if (root instanceof Text) write(root);
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) write(walker.currentNode as Text);
    if (!(root instanceof Element)) return;
    for (const field of root.querySelectorAll<HTMLInputElement>('input[readonly], textarea, input[disabled]')) {
      freezeField(field);
    }
  };
  texts(document.body);
  const global = window as unknown as { freezeObserver?: MutationObserver };
  global.freezeObserver ??= new MutationObserver(changes => {
    for (const { target, addedNodes } of changes) for (const node of [target, ...addedNodes]) texts(node);
  });
  global.freezeObserver.observe(document.body, { subtree: true, childList: true, characterData: true });
  await document.fonts.ready;
}
