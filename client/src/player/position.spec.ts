import { expect, it } from 'vitest';
import { type Box, place } from './position';

const viewport = { width: 1000, height: 600 };
const popover = { width: 320, height: 120 };

function pointed(box: Box): number {
  const { left, top, edge, arrow } = place(box, popover, viewport, 'AUTO', 10);
  return edge === 'left' || edge === 'right' ? top + arrow : left + arrow;
}

it('points at the center of wide elements, and of elements in each corner', () => {
  expect(pointed({ left: 20, top: 100, width: 960, height: 40 })).toBe(500);
  expect(pointed({ left: 600, top: 100, width: 380, height: 40 })).toBe(790);
  for (const left of [4, 1000 - 4 - 32])
    for (const top of [4, 600 - 4 - 32]) expect(pointed({ left, top, width: 32, height: 32 })).toBe(left + 16);
});

it('keeps a distance from the edges of the window if the arrow can point at the center', () => {
  expect(place({ left: 40, top: 100, width: 60, height: 30 }, popover, viewport, 'AUTO', 10)).toEqual({
    left: 12,
    top: 140,
    edge: 'bottom',
    arrow: 58,
  });
});
