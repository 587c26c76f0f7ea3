import { describe, expect, it } from 'vitest';
import { commandsOf } from './lib/handbook.mjs';

describe('the commands of the handbook', () => {
  it('are the blocks of a shell, with the reason why one is not executed', () => {
    const page = [
      'Text.',
      '',
      '```sh',
      'first',
      'second',
      '```',
      '',
      '*Not executed by the tests: it needs root.*',
      '',
      '```sh',
      'third',
      '```',
      '',
      '```js',
      'no command',
      '```',
    ].join('\n');
    expect(commandsOf(page)).toEqual([
      { line: 3, text: 'first\nsecond\n', reason: null },
      { line: 8, text: 'third\n', reason: 'it needs root.' },
    ]);
  });
});
