/** Each step targets an area that the author drew. */

import { traitsOf } from '../../../embed/player/step-kinds';
import type { PlayAdvance, PlayStep } from '../../../embed/player/types';

export interface PictureArea {
  left: number;
  top: number;
  width: number;
  height: number;
}

export type PictureAreas = Readonly<Record<string, PictureArea>>;

/** A smaller rectangle is a click. */
const MIN_SIZE_PERCENT = 1;

/** Step keys contain no characters that need escaping in CSS. */
const areaSelector = (key: string): string => `[data-place="${key}"]`;

export const needsArea = (step: Pick<PlayStep, 'kind'>): boolean => Boolean(traitsOf(step).target);

/** Rules that a picture cannot fulfill become a button; waits complete immediately. */
export function stepsOnPicture(steps: readonly PlayStep[], areas: PictureAreas): PlayStep[] {
  return steps.map(step => ({
    ...step,
    page: null,
    target: needsArea(step) ? { by: 'SELECTOR', value: areaSelector(step.key) } : null,
    advance: advanceOn(step, areas),
  }));
}

function advanceOn(step: PlayStep, areas: PictureAreas): PlayAdvance {
  const { key, advance } = step;
  if (traitsOf(step).waits) return { ...advance, on: 'DELAY', delayMs: 0 };
  const isPossible = advance.on === 'DELAY' || (advance.on === 'TARGET_CLICK' && key in areas);
  return isPossible ? advance : { ...advance, on: 'BUTTON' };
}

/** Returns null if the rectangle is too small to be intended. */
export function areaBetween(a: { x: number; y: number }, b: { x: number; y: number }): PictureArea | null {
  const area = clampArea({
    left: Math.min(a.x, b.x),
    top: Math.min(a.y, b.y),
    width: Math.abs(a.x - b.x),
    height: Math.abs(a.y - b.y),
  });
  return area.width < MIN_SIZE_PERCENT || area.height < MIN_SIZE_PERCENT ? null : area;
}

export const DEFAULT_AREA: PictureArea = { left: 40, top: 45, width: 20, height: 10 };

const MOVES: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Returns null for other keys. */
export function areaAfterKey(area: PictureArea | undefined, key: string, resize: boolean): PictureArea | null {
  const move = MOVES[key];
  if (!move) return null;
  if (!area) return DEFAULT_AREA;
  const [x, y] = move;
  const { left, top, width, height } = area;
  return resize
    ? clampArea({
        left,
        top,
        width: Math.max(MIN_SIZE_PERCENT, width + x),
        height: Math.max(MIN_SIZE_PERCENT, height + y),
      })
    : clampArea({ width, height, left: Math.min(left + x, 100 - width), top: Math.min(top + y, 100 - height) });
}

function clampArea({ left, top, width, height }: PictureArea): PictureArea {
  const [x, y] = [Math.max(0, Math.min(100, left)), Math.max(0, Math.min(100, top))];
  return { left: x, top: y, width: Math.min(width, 100 - x), height: Math.min(height, 100 - y) };
}
