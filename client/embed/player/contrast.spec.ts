import { describe, expect, it } from 'vitest';
import { rgbOf, textColorOn } from './contrast';

describe('the color of text on a background', () => {
  it('is white if it has enough contrast, otherwise black', () => {
    const colors = ['#ffffff', '#2f5bea', '#0d6efd', '#f2b544', '#000000'].map(color => textColorOn(rgbOf(color)));
    expect(colors).toEqual(['#000000', '#ffffff', '#ffffff', '#000000', '#ffffff']);
  });
});
