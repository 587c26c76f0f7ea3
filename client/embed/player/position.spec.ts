import { expect, it } from 'vitest';
import { type Box, place } from './position';

const viewport = { left: 0, top: 0, width: 1000, height: 600 };
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

it('is below a bar that covers the top of the window, on each side of the box', () => {
  const low = { left: 0, top: 44, width: 1000, height: 456 };
  const tops = (['TOP', 'RIGHT', 'BOTTOM', 'LEFT'] as const).flatMap(side =>
    [60, 200, 480].map(top => place({ left: 400, top, width: 100, height: 20 }, popover, low, side, 10).top),
  );
  // The arrow points at the center of the box, 20 px from the corner of the popover.
  expect(Math.min(...tops)).toBe(70 - 20);
  expect(Math.max(...tops)).toBeLessThanOrEqual(500 - popover.height);
  const tall = { width: 320, height: 600 };
  expect(place({ left: 20, top: 60, width: 960, height: 40 }, tall, low, 'AUTO', 10).top).toBe(44 + 12);
});
