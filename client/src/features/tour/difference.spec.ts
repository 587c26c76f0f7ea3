import { describe, expect, it } from 'vitest';
import { differences, isConflict, merge } from './difference';
import { defaultStart, addStep, changeStep, type DraftContent, moveStep, removeStep } from './draft';
import { draftStep as step } from './fixtures';

const base: DraftContent = {
  steps: [step('a'), step('b'), step('c')],
  start: defaultStart,
  themeId: null,
  locales: ['en'],
};

const mergeSides = (mine: DraftContent, theirs: DraftContent, choices = {}) =>
  merge(mine, theirs, differences(base, mine, theirs), choices);
const titles = (content: DraftContent) => content.steps.map(each => each.title);

describe('merging concurrent changes', () => {
  it('merges changes of different steps without a conflict', () => {
    const mine = changeStep(base, 'a', { title: 'mine' });
    const theirs = changeStep(base, 'b', { title: 'theirs' });
    expect(differences(base, mine, theirs)).toEqual([
      {
        id: 'step:a.title',
        part: { kind: 'field', key: 'a', field: 'title' },
        mine: 'changed',
        theirs: 'same',
        proposal: 'mine',
      },
      {
        id: 'step:b.title',
        part: { kind: 'field', key: 'b', field: 'title' },
        mine: 'same',
        theirs: 'changed',
        proposal: 'theirs',
      },
    ]);
    expect(titles(mergeSides(mine, theirs))).toEqual(['mine', 'theirs', 'c']);
  });

  it('merges changes of different fields of one step without a conflict', () => {
    const mine = changeStep(base, 'a', { title: 'mine' });
    const theirs = changeStep(base, 'a', { body: 'theirs', target: { by: 'DATA_TOUR', value: 'x' } });
    expect(differences(base, mine, theirs).filter(isConflict)).toEqual([]);
    expect(mergeSides(mine, theirs).steps[0]).toMatchObject({
      title: 'mine',
      body: 'theirs',
      target: { by: 'DATA_TOUR', value: 'x' },
    });
  });

  it('takes the chosen side for a field that both changed', () => {
    const mine = changeStep(base, 'a', { title: 'mine' });
    const theirs = changeStep(base, 'a', { title: 'theirs' });
    expect(titles(mergeSides(mine, theirs))).toEqual(['mine', 'b', 'c']);
    expect(titles(mergeSides(mine, theirs, { 'step:a.title': 'theirs' }))).toEqual(['theirs', 'b', 'c']);
  });

  it('keeps steps that either side added, each after its predecessor', () => {
    const mine = addStep(base, step('x'), 1);
    const theirs = addStep(base, step('y'), 3);
    expect(titles(mergeSides(mine, theirs))).toEqual(['a', 'x', 'b', 'c', 'y']);
  });

  it('removes a step that one side removed and the other did not change', () => {
    expect(titles(mergeSides(removeStep(base, 'b'), changeStep(base, 'a', { title: 'theirs' })))).toEqual([
      'theirs',
      'c',
    ]);
    expect(titles(mergeSides(changeStep(base, 'a', { title: 'mine' }), removeStep(base, 'b')))).toEqual(['mine', 'c']);
  });

  it('keeps a changed step that the other side removed, unless the removal is chosen', () => {
    const mine = changeStep(base, 'b', { title: 'mine' });
    const theirs = removeStep(base, 'b');
    expect(titles(mergeSides(mine, theirs))).toEqual(['a', 'mine', 'c']);
    expect(titles(mergeSides(mine, theirs, { 'step:b': 'theirs' }))).toEqual(['a', 'c']);
  });

  it('treats the order, the start rule and the theme as separate parts', () => {
    const mine = { ...moveStep(base, 'c', 0), themeId: 't1' };
    const theirs = { ...base, start: { ...base.start, delayMs: 500 } };
    const merged = mergeSides(mine, theirs);
    expect(titles(merged)).toEqual(['c', 'a', 'b']);
    expect(merged).toMatchObject({ themeId: 't1', start: { delayMs: 500 } });
    expect(titles(mergeSides(mine, theirs, { order: 'theirs' }))).toEqual(['a', 'b', 'c']);
    expect(mergeSides(mine, theirs, { 'start.delayMs': 'mine' }).start.delayMs).toBe(0);
  });

  it('finds no difference if both made the same change', () => {
    const both = changeStep(base, 'a', { title: 'same' });
    expect(differences(base, both, both)).toEqual([]);
  });
});
