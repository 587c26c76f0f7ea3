import { describe, expect, it } from 'vitest';
import { textOn } from './theme-style';

describe('the color of text on a background', () => {
  it('is black or white, whichever has the higher contrast', () => {
    expect([textOn('#ffffff'), textOn('#2f5bea'), textOn('#f2b544'), textOn('#000000')]).toEqual([
      '#000000',
      '#ffffff',
      '#000000',
      '#ffffff',
    ]);
  });
});
