import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { messages as german } from '../src/shared/i18n/de/index';

/** Test data, and words of both languages. */
const ALLOWED = new Set([
  'Welcome',
  'Production',
  'Default',
  'Details',
  'Name',
  'Version',
  'Start',
  'Text',
  'Element',
  'Live',
  'Status',
  'Code',
  'Link',
  'Your cart',
  'Mine',
]);

const catalogues = join(import.meta.dirname, '../src/shared/i18n/en');

async function englishOnly(): Promise<{ texts: string[]; parts: string[] }> {
  const texts = new Set<string>();
  const parts = new Set<string>();
  for (const file of readdirSync(catalogues)) {
    const area = /^(\w+)\.tsx?$/.exec(file)?.[1];
    if (!area || !(area in german) || area === 'templates') continue;
    const { t } = (await import(join(catalogues, file))) as { t: object };
    collect(t, german[area as keyof typeof german], texts, parts);
  }
  return { texts: [...texts].filter(each => !ALLOWED.has(each)), parts: [...parts] };
}

function collect(english: unknown, other: unknown, texts: Set<string>, parts: Set<string>): void {
  if (typeof english === 'string') {
    if (english !== other && english.trim() !== '') texts.add(english.trim());
  } else if (typeof english === 'function') {
    for (const part of betweenSlots(english)) if (!betweenSlots(other).includes(part)) parts.add(part);
  } else if (typeof english === 'object' && english !== null) {
    for (const [key, value] of Object.entries(english)) {
      collect(value, (other as Record<string, unknown> | undefined)?.[key], texts, parts);
    }
  }
}

const SLOT = '\uE000';

/** Returns parts of at least two words, or none if the text needs arguments of another type. */
function betweenSlots(text: unknown): string[] {
  try {
    const result: unknown = (text as (...slots: string[]) => unknown)(SLOT, SLOT, SLOT, SLOT);
    if (typeof result !== 'string') return [];
    return result
      .split(/\uE000|NaN/)
      .map(part => part.trim())
      .filter(part => /\p{L}{2,} \p{L}{2,}/u.test(part));
  } catch {
    return [];
  }
}

export async function expectNoEnglish(page: Page, where: string): Promise<void> {
  const { texts, parts } = await englishOnly();
  const visible = await page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    while (walker.nextNode()) {
      const { parentElement, textContent } = walker.currentNode;
      if (parentElement && !parentElement.closest('script, style, [lang="en"]')) found.push(textContent ?? '');
    }
    for (const element of document.querySelectorAll('[aria-label], [title], [placeholder], [alt]')) {
      for (const name of ['aria-label', 'title', 'placeholder', 'alt']) found.push(element.getAttribute(name) ?? '');
    }
    return found.map(each => each.trim()).filter(Boolean);
  });
  const english = new Set(texts);
  const remaining = visible.filter(each => english.has(each) || parts.some(part => each.includes(part)));
  expect.soft([...new Set(remaining)], `English texts on ${where}`).toEqual([]);
}
