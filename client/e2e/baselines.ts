/**
 * How a screen looks, compared with the picture of it in `baselines/`: in light, in dark, and at 360 pixels. A picture holds nothing
 * that differs from day to day or from machine to machine: moments and keys are written over, and all letters are Figtree.
 *
 * Browsers of different versions draw letters differently, so the pictures are compared by the version of Chromium that made them
 * (`baselines/chromium.txt`); with another the screens are walked through, and it is said that nothing was compared.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, type Locator, type Page } from '@playwright/test';

const RENEW = 'npm run looks:renew';

const looks = [
  { name: 'light', width: 1024, height: 720, colorScheme: 'light' },
  { name: 'dark', width: 1024, height: 720, colorScheme: 'dark' },
  { name: 'phone', width: 360, height: 720, colorScheme: 'light' },
] as const;

type Look = (typeof looks)[number]['name'];

/** A window as large as the pictures of a desk, and the page's own styles beside those of the pictures. */
export const forPictures = { viewport: { width: 1024, height: 720 }, bypassCSP: true } as const;

/** Compares the page in each look. What it shows must be there already. */
export async function expectLooks(
  page: Page,
  name: string,
  only: readonly Look[] = ['light', 'dark', 'phone'],
): Promise<void> {
  if (!isComparable(page)) return;
  for (const { name: look, colorScheme, ...size } of looks) {
    if (!only.includes(look)) continue;
    const file = `${name}-${look}.png`;
    const told = `This does not look like client/e2e/baselines/${file} any more. If that is meant: ${RENEW}, and look at what git diff shows.`;
    // oxlint-disable no-await-in-loop -- one window, one look after the other
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.mouse.move(0, 0);
    await page.evaluate(hold);
    await expect.soft(page, told).toHaveScreenshot(file, { mask: changing(page), maskColor: '#888888' });
    // oxlint-enable no-await-in-loop
  }
  await page.setViewportSize(forPictures.viewport);
  await page.emulateMedia({ colorScheme: 'light' });
}

let hasTold = false;

function isComparable(page: Page): boolean {
  const major = (page.context().browser()?.version() ?? '').split('.')[0] ?? '';
  const made = readFileSync(join(import.meta.dirname, 'baselines/chromium.txt'), 'utf8').trim();
  if (major === made || test.info().config.updateSnapshots !== 'none') return true;
  const told = `Not compared: the pictures were made by Chromium ${made}, and this is ${major}. To make them anew: ${RENEW}`;
  test.info().annotations.push({ type: 'looks', description: told });
  // oxlint-disable-next-line no-console -- whoever reads the list of tests must not believe that it was compared
  if (!hasTold) console.warn(told);
  hasTold = true;
  return false;
}

/** Fields whose values differ from day to day. */
const changing = (page: Page): Locator[] => [
  page.locator('input[type=date]:visible, input[type=datetime-local]:visible'),
];

/** Runs in the page: writes over each moment and each random key, now and whenever one is drawn again. */
async function hold(): Promise<void> {
  const month = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)[a-z]*';
  const constant: readonly [RegExp, string][] = [
    [new RegExp(`\\d{1,2} ${month} \\d{4}`, 'g'), '15 May 2026'],
    [new RegExp(`\\d{1,2} ${month}(?! 2026)`, 'g'), '15 May'],
    [/\d{1,2}:\d{2}(:\d{2})?/g, '10:30'],
    [/yesterday|\d+ (?:second|minute|hour|day)s? ago/g, 'just now'],
    [/localhost:\d+/g, 'localhost:4000'],
    [/wp_pub_(?!demo_shop)\w+/g, 'wp_pub_key'],
  ];
  const held = (said: string) => constant.reduce((text, [moment, instead]) => text.replace(moment, instead), said);
  const write = (text: Text) => {
    if (held(text.data) !== text.data) text.data = held(text.data);
  };
  const texts = (root: Node) => {
    if (root instanceof Text) write(root);
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) write(walker.currentNode as Text);
    if (!(root instanceof Element)) return;
    for (const field of root.querySelectorAll<HTMLInputElement>('input[readonly], textarea, input[disabled]')) {
      if (held(field.value) !== field.value) field.value = held(field.value);
    }
  };
  texts(document.body);
  const told = window as unknown as { held?: MutationObserver };
  told.held ??= new MutationObserver(changes => {
    for (const { target, addedNodes } of changes) for (const node of [target, ...addedNodes]) texts(node);
  });
  told.held.observe(document.body, { subtree: true, childList: true, characterData: true });
  await document.fonts.ready;
}
