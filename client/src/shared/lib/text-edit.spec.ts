import { describe, expect, it } from 'vitest';
import { addImage, addLink, nextItem, toggleList, toggleMark, type Selected } from './text-edit';

/** `‹` and `›` are the ends of a selection, `|` is a caret. */
function read(text: string): Selected {
  const caret = text.indexOf('|');
  if (caret >= 0) return { text: text.replace('|', ''), from: caret, to: caret };
  return { text: text.replace(/[‹›]/g, ''), from: text.indexOf('‹'), to: text.indexOf('›') - 1 };
}

function written(at: Selected | null): string | null {
  if (!at) return null;
  const { text, from, to } = at;
  return from === to
    ? `${text.slice(0, from)}|${text.slice(from)}`
    : `${text.slice(0, from)}‹${text.slice(from, to)}›${text.slice(to)}`;
}

describe('a mark', () => {
  it.each([
    ['a ‹word› here', 'a **‹word›** here'],
    ['a **‹word›** here', 'a ‹word› here'],
    ['a ‹word ›here', 'a **‹word›** here'],
    ['a | here', 'a **|** here'],
    ['a **|** here', 'a | here'],
    ['a **word|** here', 'a **word**| here'],
    ['**a** |', '**a** **|**'],
  ])('%s', (before, after) => {
    expect(written(toggleMark(read(before), '**'))).toBe(after);
  });

  it('is put inside another one, not taken for a half of it', () => {
    expect(written(toggleMark(read('**‹word›**'), '*'))).toBe('***‹word›***');
    expect(written(toggleMark(read('*‹word›*'), '*'))).toBe('‹word›');
  });
});

describe('a link', () => {
  it.each([
    ['see ‹the help› now', 'see [the help](‹https://›) now'],
    ['see ‹https://a.example› now', 'see [|](https://a.example) now'],
    ['see |', 'see [|](https://)'],
  ])('%s', (before, after) => {
    expect(written(addLink(read(before)))).toBe(after);
  });
});

describe('an image', () => {
  it.each([
    ['|', '![What it shows](‹https://›)'],
    ['See |.', 'See \n![What it shows](‹https://›)\n.'],
    ['‹The cart›', '![The cart](‹https://›)'],
    ['One\n|\ntwo', 'One\n![What it shows](‹https://›)\ntwo'],
  ])('%j', (before, after) => {
    expect(written(addImage(read(before), 'What it shows'))).toBe(after);
  });
});

describe('a list', () => {
  it('is made of the selected lines, becomes the other kind, and lines again', () => {
    expect(written(toggleList(read('a\n‹one\ntwo›\nb'), 'bullets'))).toBe('a\n‹- one\n- two›\nb');
    expect(written(toggleList(read('‹- one\n- two›'), 'numbers'))).toBe('‹1. one\n2. two›');
    expect(written(toggleList(read('‹1. one\n2. two›'), 'numbers'))).toBe('‹one\ntwo›');
    expect(written(toggleList(read('|'), 'bullets'))).toBe('- |');
  });

  it('goes on with Enter, and ends with Enter in an empty item', () => {
    expect(written(nextItem(read('- one|')))).toBe('- one\n- |');
    expect(written(nextItem(read('9. nine|')))).toBe('9. nine\n10. |');
    expect(written(nextItem(read('- one\n- |')))).toBe('- one\n|');
    expect(nextItem(read('no list|'))).toBeNull();
    expect(nextItem(read('- ‹one›'))).toBeNull();
  });
});
