import { describe, expect, it } from 'vitest';
import { textColorOn } from './contrast';

describe('the color of text on a background', () => {
  it('is black or white, whichever has the higher contrast', () => {
    expect([textColorOn('#ffffff'), textColorOn('#2f5bea'), textColorOn('#f2b544'), textColorOn('#000000')]).toEqual([
      '#000000',
      '#ffffff',
      '#000000',
      '#ffffff',
    ]);
  });
});
