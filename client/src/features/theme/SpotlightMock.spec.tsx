import { beforeEach, expect, it, vi } from 'vitest';
import { render, screen } from '../../shared/testing';
import { SpotlightMock, type MockStep } from './SpotlightMock';
import { defaultThemeStyle } from './theme-style';

const step: MockStep = {
  kind: 'SPOTLIGHT',
  title: 'Your cart',
  body: 'Look:\n\n![A cart](https://a.example/cart.png)',
  side: 'BOTTOM',
  next: 'Next',
  previous: 'Previous',
  back: true,
  count: '2 of 5',
};

let image = 0;
let rest = 0;

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockImplementation(function (this: HTMLElement) {
    return this.tagName === 'IMG' ? image : image + rest;
  });
});

function maxHeight(side: MockStep['side'], ...heights: [image: number, rest: number]): string {
  [image, rest] = heights;
  const { unmount } = render(<SpotlightMock theme={defaultThemeStyle} label="How it looks" step={{ ...step, side }} />);
  const found = screen.getByAltText('A cart').style.maxHeight;
  unmount();
  return found;
}

it('shrinks an image so that the popover fits, down to a minimum height', () => {
  // 520 - 150, minus 10 and 16.
  expect(maxHeight('BOTTOM', 160, 200)).toBe('144px');
  expect(maxHeight('BOTTOM', 140, 200)).toBe('');
  expect(maxHeight('TOP', 160, 300)).toBe('44px');
  expect(maxHeight('TOP', 160, 400)).toBe('24px');
  expect(maxHeight('RIGHT', 300, 200)).toBe('252px');
});
