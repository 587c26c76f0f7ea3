import type { Side } from './types';

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

export type Size = Pick<Box, 'width' | 'height'>;

type Edge = 'top' | 'right' | 'bottom' | 'left';

export interface Position {
  left: number;
  top: number;
  /** Null if the popover does not fit next to the box and may cover it. */
  edge: Edge | null;
  /** The distance from the start of the popover to the arrow's center. */
  arrow: number;
}

/** Minimum distance from the edge of the window. */
export const MARGIN = 12;
/** Minimum distance of the arrow's center from a corner of the popover. */
const ARROW_MARGIN = 20;

const OPPOSITE: Record<Edge, Edge> = { top: 'bottom', right: 'left', bottom: 'top', left: 'right' };

function edgesInOrder(side: Side, rtl: boolean): Edge[] {
  const across: Edge[] = rtl ? ['left', 'right'] : ['right', 'left'];
  if (side === 'AUTO') return ['bottom', 'top', ...across];
  const preferred = side.toLowerCase() as Edge;
  return [preferred, OPPOSITE[preferred], ...(['bottom', 'top', ...across] as Edge[])];
}

/** Limits `value` to the range. The start takes precedence if the range is empty. */
export const clamp = (value: number, min: number, max: number) => Math.max(min, Math.min(value, max));

/**
 * Returns the start of the popover along an edge of the box: around the box's center and between `from` and `to`, but
 * always where the arrow can point at the center.
 */
function startAlong(center: number, size: number, from: number, to: number): number {
  const start = clamp(center - size / 2, from + MARGIN, to - MARGIN - size);
  return clamp(clamp(start, center - size + ARROW_MARGIN, center - ARROW_MARGIN), from, to - size);
}

/** Returns the position on the preferred side, or on the first side where the popover fits into the viewport. */
export function place(box: Box, popover: Size, viewport: Box, side: Side, offset: number, rtl = false): Position {
  const { left: minLeft, top: minTop } = viewport;
  const [maxLeft, maxTop] = [minLeft + viewport.width, minTop + viewport.height];
  const middle = { x: box.left + box.width / 2, y: box.top + box.height / 2 };
  const at = {
    top: box.top - offset - popover.height,
    bottom: box.top + box.height + offset,
    left: box.left - offset - popover.width,
    right: box.left + box.width + offset,
  };
  const fits: Record<Edge, boolean> = {
    top: at.top >= minTop + MARGIN,
    left: at.left >= minLeft + MARGIN,
    bottom: at.bottom + popover.height <= maxTop - MARGIN,
    right: at.right + popover.width <= maxLeft - MARGIN,
  };
  const edge = edgesInOrder(side, rtl).find(each => fits[each]) ?? null;
  const left = startAlong(middle.x, popover.width, minLeft, maxLeft);
  const top = startAlong(middle.y, popover.height, minTop, maxTop);
  if (edge === null) {
    // The bottom of the window, so that the start of a large element stays visible.
    return { left, top: Math.max(minTop + MARGIN, maxTop - MARGIN - popover.height), edge, arrow: 0 };
  }
  if (edge === 'top' || edge === 'bottom') {
    const arrow = clamp(middle.x - left, ARROW_MARGIN, popover.width - ARROW_MARGIN);
    return { left, top: at[edge], edge, arrow };
  }
  const arrow = clamp(middle.y - top, ARROW_MARGIN, popover.height - ARROW_MARGIN);
  return { left: at[edge], top, edge, arrow };
}

export const between = (from: Box, to: Box, share: number): Box => ({
  left: from.left + (to.left - from.left) * share,
  top: from.top + (to.top - from.top) * share,
  width: from.width + (to.width - from.width) * share,
  height: from.height + (to.height - from.height) * share,
});
