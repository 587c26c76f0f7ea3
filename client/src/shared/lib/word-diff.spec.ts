import { expect, it } from 'vitest';
import { wordDiff } from './word-diff';

const told = (before: string, after: string) =>
  wordDiff(before, after)
    .map(({ text, change }) => (change === 'same' ? text : change === 'added' ? `{+${text}+}` : `{-${text}-}`))
    .join('');

it('marks the words that came and went, and leaves the rest', () => {
  expect(told('Find your orders here.', 'Find all orders here!')).toBe('Find {-your-}{+all+} orders here{-.-}{+!+}');
  expect(told('', 'New')).toBe('{+New+}');
  expect(told('Same', 'Same')).toBe('Same');
});

it('texts with little in common are told one after the other', () => {
  expect(told('Your cart (tab one)', 'Cart A')).toBe('{-Your cart (tab one)-}{+Cart A+}');
  expect(told('We answer soon.', 'Ask your team.')).toBe('{-We answer soon.-}{+Ask your team.+}');
  expect(told('Welcome to the shop', 'Welcome back')).toBe('{-Welcome to the shop-}{+Welcome back+}');
});

it('both texts can be read from it again', () => {
  const [before, after] = ['Grüße, Welt.\n\nZwei  Zeilen', 'Grüße an die Welt.\nEine Zeile'];
  const read = (without: string) =>
    wordDiff(before, after)
      .filter(each => each.change !== without)
      .map(each => each.text)
      .join('');
  expect(read('added')).toBe(before);
  expect(read('removed')).toBe(after);
});

it('a text too long to compare is shown whole, before and after', () => {
  const long = (word: string) => `${word} `.repeat(1000);
  expect(wordDiff(long('old'), long('new')).map(each => each.change)).toEqual(['removed', 'added']);
});
