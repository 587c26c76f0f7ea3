import { describe, expect, it } from 'vitest';
import { textOn } from './theme-style';

describe('text on a colour', () => {
  it('is black or white, whichever can be read', () => {
    expect([textOn('#ffffff'), textOn('#2f5bea'), textOn('#f2b544'), textOn('#000000')]).toEqual([
      '#000000',
      '#ffffff',
      '#000000',
      '#ffffff',
    ]);
  });
});
