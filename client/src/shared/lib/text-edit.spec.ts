import { describe, expect, it } from 'vitest';
import { addImage, addLink, continueList, toggleList, toggleFormatting, type TextSelection } from './text-edit';

function parse(text: string): TextSelection {
  const caret = text.indexOf('|');
  if (caret >= 0) return { text: text.replace('|', ''), from: caret, to: caret };
  return { text: text.replace(/[‹›]/g, ''), from: text.indexOf('‹'), to: text.indexOf('›') - 1 };
}

function format(at: TextSelection | null): string | null {
  if (!at) return null;
  const { text, from, to } = at;
  return from === to
    ? `${text.slice(0, from)}|${text.slice(from)}`
    : `${text.slice(0, from)}‹${text.slice(from, to)}›${text.slice(to)}`;
}

describe('inline formatting', () => {
  it.each([
    ['a ‹word› here', 'a **‹word›** here'],
    ['a **‹word›** here', 'a ‹word› here'],
    ['a ‹word ›here', 'a **‹word›** here'],
    ['a | here', 'a **|** here'],
    ['a **|** here', 'a | here'],
    ['a **word|** here', 'a **word**| here'],
    ['**a** |', '**a** **|**'],
  ])('%s', (before, after) => {
    expect(format(toggleFormatting(parse(before), '**'))).toBe(after);
  });

  it('is nested in other formatting and not confused with a part of it', () => {
    expect(format(toggleFormatting(parse('**‹word›**'), '*'))).toBe('***‹word›***');
    expect(format(toggleFormatting(parse('*‹word›*'), '*'))).toBe('‹word›');
  });
});

describe('a link', () => {
  it.each([
    ['see ‹the help› now', 'see [the help](‹https://›) now'],
    ['see ‹https://a.example› now', 'see [|](https://a.example) now'],
    ['see |', 'see [|](https://)'],
  ])('%s', (before, after) => {
    expect(format(addLink(parse(before)))).toBe(after);
  });
});

describe('an image', () => {
  it.each([
    ['|', '![The cart](https://a.example/1.png)|'],
    ['See |.', 'See \n![The cart](https://a.example/1.png)|\n.'],
    ['‹The old cart›', '![The cart](https://a.example/1.png)|'],
    ['One\n|\ntwo', 'One\n![The cart](https://a.example/1.png)|\ntwo'],
  ])('%j', (before, after) => {
    const image = { address: ' https://a.example/1.png', description: ' The\ncart' };
    expect(format(addImage(parse(before), image))).toBe(after);
  });
});

describe('a list', () => {
  it('is created from the selected lines, changes its kind, and is removed', () => {
    expect(format(toggleList(parse('a\n‹one\ntwo›\nb'), 'bullets'))).toBe('a\n‹- one\n- two›\nb');
    expect(format(toggleList(parse('‹- one\n- two›'), 'numbers'))).toBe('‹1. one\n2. two›');
    expect(format(toggleList(parse('‹1. one\n2. two›'), 'numbers'))).toBe('‹one\ntwo›');
    expect(format(toggleList(parse('|'), 'bullets'))).toBe('- |');
  });

  it('continues on Enter, and ends on Enter in an empty item', () => {
    expect(format(continueList(parse('- one|')))).toBe('- one\n- |');
    expect(format(continueList(parse('9. nine|')))).toBe('9. nine\n10. |');
    expect(format(continueList(parse('- one\n- |')))).toBe('- one\n|');
    expect(continueList(parse('no list|'))).toBeNull();
    expect(continueList(parse('- ‹one›'))).toBeNull();
  });
});
