import { expect, it } from 'vitest';
import { wordDiff } from './word-diff';

const format = (before: string, after: string) =>
  wordDiff(before, after)
    .map(({ text, change }) => (change === 'same' ? text : change === 'added' ? `{+${text}+}` : `{-${text}-}`))
    .join('');

it('marks added and removed words', () => {
  expect(format('Find your orders here.', 'Find all orders here!')).toBe('Find {-your-}{+all+} orders here{-.-}{+!+}');
  expect(format('', 'New')).toBe('{+New+}');
  expect(format('Same', 'Same')).toBe('Same');
});

it('finds the words of languages without spaces', () => {
  expect(format('このボタンを押してください', 'このリンクを押してください')).toBe(
    'この{-ボタン-}{+リンク+}を押してください',
  );
  expect(format('点击按钮查看订单', '点击链接查看订单')).toBe('点击{-按钮-}{+链接+}查看订单');
});

it('does not interleave texts with little in common', () => {
  expect(format('Your cart (tab one)', 'Cart A')).toBe('{-Your cart (tab one)-}{+Cart A+}');
  expect(format('We answer soon.', 'Ask your team.')).toBe('{-We answer soon.-}{+Ask your team.+}');
  expect(format('Welcome to the shop', 'Welcome back')).toBe('{-Welcome to the shop-}{+Welcome back+}');
});

it('contains both texts completely', () => {
  const [before, after] = ['Grüße, Welt.\n\nZwei  Zeilen', 'Grüße an die Welt.\nEine Zeile'];
  const read = (without: string) =>
    wordDiff(before, after)
      .filter(each => each.change !== without)
      .map(each => each.text)
      .join('');
  expect(read('added')).toBe(before);
  expect(read('removed')).toBe(after);
});

it('does not compare texts that are too long', () => {
  const long = (word: string) => `${word} `.repeat(1000);
  expect(wordDiff(long('old'), long('new')).map(each => each.change)).toEqual(['removed', 'added']);
});
