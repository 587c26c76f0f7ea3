import { expect, it } from 'vitest';
import { differences } from './difference';
import { defaultStart, changeStep, type DraftContent, moveStep, removeStep } from './draft';
import { draftStep } from './fixtures';
import { formatDifference } from './format-difference';

const step = (key: string) => draftStep(key, { title: key.toUpperCase() });

const base: DraftContent = {
  steps: [step('a'), step('b')],
  start: defaultStart,
  themeId: null,
  locales: ['en'],
};

const format = (mine: DraftContent, theirs: DraftContent) =>
  differences(base, mine, theirs).map(each => {
    const {
      subject,
      field,
      before,
      mine: mineText,
      theirs: theirsText,
    } = formatDifference(each, { base, mine, theirs }, id => id ?? 'none');
    return [subject, field, before, mineText, theirsText];
  });

it('formats values as the editor shows them: names of options, times in seconds', () => {
  const mine = changeStep(base, 'a', { waitMs: 2500, side: 'TOP' });
  expect(format(mine, changeStep(base, 'a', { waitMs: 3000 }))).toEqual([
    ['Step “A”', 'Popover side', 'Automatic', 'Top', 'Automatic'],
    ['Step “A”', 'Wait for element', '8 s', '2.5 s', '3 s'],
  ]);
});

it('describes what each side did to a step that one deleted and the other changed', () => {
  const mine = changeStep(base, 'b', { title: 'Better', body: 'More' });
  expect(format(mine, removeStep(base, 'b'))).toEqual([
    ['Step “Better”', '', null, 'Kept, with changes to title and text', 'Deleted'],
  ]);
});

it('lists the titles for an order, and formats the fields of a start rule', () => {
  const mine = { ...moveStep(base, 'b', 0), start: { ...base.start, page: '/cart', delayMs: 500 } };
  expect(format(mine, { ...base, themeId: 'night' })).toEqual([
    ['Start', 'Only on pages', 'Every page', '/cart', 'Every page'],
    ['Start', 'Delay', 'None', '0.5 s', 'None'],
    ['Theme', '', 'none', 'none', 'night'],
    ['Step order', '', '1. A\n2. B', '1. B\n2. A', '1. A\n2. B'],
  ]);
});
