import { expect, it } from 'vitest';
import { differences } from './difference';
import { freshStart, changeStep, type DraftContent, moveStep, removeStep } from './draft';
import { draftStep } from './fixtures';
import { formatDifference } from './format-difference';

const step = (key: string) => draftStep(key, { title: key.toUpperCase() });

const base: DraftContent = {
  steps: [step('a'), step('b')],
  start: freshStart,
  themeId: null,
};

const words = (mine: DraftContent, theirs: DraftContent) =>
  differences(base, mine, theirs).map(each => {
    const {
      where,
      what,
      before,
      mine: my,
      theirs: their,
    } = formatDifference(each, { base, mine, theirs }, id => id ?? 'none');
    return [where, what, before, my, their];
  });

it('a field is quoted as its control shows it: names for choices, seconds for times', () => {
  const mine = changeStep(base, 'a', { waitMs: 2500, side: 'TOP' });
  expect(words(mine, changeStep(base, 'a', { waitMs: 3000 }))).toEqual([
    ['Step “A”', 'Popover side', 'Automatic', 'Top', 'Automatic'],
    ['Step “A”', 'Wait for element', '8 s', '2.5 s', '3 s'],
  ]);
});

it('a step that one deleted and the other changed is told as what each did', () => {
  const mine = changeStep(base, 'b', { title: 'Better', body: 'More' });
  expect(words(mine, removeStep(base, 'b'))).toEqual([
    ['Step “Better”', '', null, 'Kept, with changes to title and text', 'Deleted'],
  ]);
});

it('an order is the titles in that order, and a start rule is in words', () => {
  const mine = { ...moveStep(base, 'b', 0), start: { ...base.start, page: '/cart', delayMs: 500 } };
  expect(words(mine, { ...base, themeId: 'night' })).toEqual([
    ['Start', 'Only on pages', 'Every page', '/cart', 'Every page'],
    ['Start', 'Delay', 'None', '0.5 s', 'None'],
    ['Theme', '', 'none', 'none', 'night'],
    ['Step order', '', '1. A\n2. B', '1. B\n2. A', '1. A\n2. B'],
  ]);
});
