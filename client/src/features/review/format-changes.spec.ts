import { expect, it } from 'vitest';
import { showLanguage } from '../../shared/i18n/language';
import { addStep, changeStep, defaultStart, moveStep, newStep, removeStep, type DraftContent } from '../tour/draft';
import { formatChanges, longestIncreasingIndices } from './format-changes';

const step = (key: string) => ({ ...newStep([newStep([])]), key, title: key.toUpperCase() });

const base: DraftContent = {
  steps: ['a', 'b', 'c', 'd'].map(step),
  start: defaultStart,
  themeId: null,
  locales: ['en'],
};

const sentences = (after: DraftContent, before = base) =>
  formatChanges(before, after, id => id ?? 'Default theme').map(({ subject, changes }) => [
    subject,
    ...changes.map(each => each.sentence),
  ]);

it('reports no change for equal contents', () => {
  expect(sentences(structuredClone(base))).toEqual([]);
});

it('reports the previous and the new value', () => {
  const after = changeStep(changeStep(base, 'b', { title: 'Pay', side: 'TOP' }), 'd', { nextLabel: 'Go' });
  expect(sentences(after)).toEqual([
    ['Step 2 “Pay”', 'Title changed from “B” to “Pay”.', 'Popover side changed from “Automatic” to “Top”.'],
    ['Step 4 “D”', 'Next button label added: “Go”.'],
  ]);
  expect(sentences(base, after)[1]).toEqual(['Step 4 “D”', 'Next button label removed (was “Go”).']);
});

it('names the target step of a branch', () => {
  const after = changeStep(base, 'a', { branches: [{ to: 'c', label: 'Skip', when: null }] });
  expect(sentences(after)[0]?.[1]).toBe('Branches added: ““Skip” › C”.');
});

it('adds no period after a quoted text that ends with one', async () => {
  const before = changeStep(base, 'b', { body: 'Pay now.' });
  expect(sentences(before)[0]?.[1]).toBe('Text added: “Pay now.”');
  expect(sentences(base, before)[0]?.[1]).toBe('Text removed (was “Pay now.”).');
  expect(sentences(changeStep(base, 'b', { body: 'Really?' }), before)[0]?.[1]).toBe(
    'Text changed from “Pay now.” to “Really?”',
  );
  await showLanguage('de');
  expect(sentences(before)[0]?.[1]).toBe('Text hinzugefügt: „Pay now.“');
  expect(sentences(base, before)[0]?.[1]).toBe('Text entfernt (vorher „Pay now.“).');
  expect(sentences(changeStep(base, 'b', { body: 'Pay' }), before)[0]?.[1]).toBe(
    'Text geändert von „Pay now.“ zu „Pay“.',
  );
  await showLanguage('en');
});

it('lists the start rule and the theme first', () => {
  const after = {
    ...changeStep(base, 'a', { title: 'Hi' }),
    themeId: 'Night',
    start: { ...base.start, page: '/billing*' },
  };
  expect(sentences(after)).toEqual([
    ['Start', 'Starts on /billing* instead of all pages.'],
    ['Theme', 'Theme changed from “Default theme” to “Night”.'],
    ['Step 1 “Hi”', 'Title changed from “A” to “Hi”.'],
  ]);
});

it('reports only the moved steps of a new order', () => {
  expect(sentences(moveStep(base, 'd', 2))).toEqual([['Step 3 “D”', 'Moved from position 4 to before “C”.']]);
  expect(sentences(moveStep(base, 'a', 3))).toEqual([['Step 4 “A”', 'Moved from position 1 to the end.']]);
});

it('does not report moves for added and removed steps', () => {
  const after = addStep(removeStep(base, 'b'), { ...step('x'), body: 'New here.' }, 0);
  expect(sentences(after)).toEqual([
    ['Step 1 “X”', 'Added.'],
    ['Step 2 “B”', 'Removed.'],
  ]);
  const [added] = formatChanges(base, after, () => '');
  expect(added?.changes[0]?.details).toEqual(['Kind: Spotlight', 'Text: New here.']);
});

it('provides both texts of a long text change for a word diff', () => {
  const long = 'Put what you like into the cart, and pay when you are done.';
  const before = changeStep(base, 'a', { body: long });
  const [part] = formatChanges(before, changeStep(base, 'a', { body: `${long} Really.` }), () => '');
  expect(part?.changes[0]?.textChange).toEqual({ field: 'Text', before: long, after: `${long} Really.` });
});

it('finds a longest increasing subsequence', () => {
  const longest = (row: number[]) => [...longestIncreasingIndices(row)].map(index => row[index]);
  expect(longest([])).toEqual([]);
  expect(longest([3, 0, 1, 2])).toEqual([0, 1, 2]);
  expect(longest([0, 4, 1, 3, 2])).toHaveLength(3);
});
