import { describe, expect, it } from 'vitest';
import { playStep } from '../../../embed/player/fixtures';
import type { PlayStep } from '../../../embed/player/types';
import { DEFAULT_AREA, areaBetween, areaAfterKey, stepsOnPicture } from './picture';

const step = (key: string, change: Partial<PlayStep>): PlayStep =>
  playStep(key, { kind: 'SPOTLIGHT', target: { by: 'DATA_TOUR', value: key }, page: '/cart', ...change });
const on = (rule: PlayStep['advance']['on']): Pick<PlayStep, 'advance'> => ({
  advance: { ...step('', {}).advance, on: rule },
});

describe('a tour over a picture', () => {
  it('targets the drawn areas, on every page', () => {
    const [cart, hello] = stepsOnPicture([step('cart', { target: null }), step('hello', { kind: 'MODAL' })], {});
    expect(cart).toMatchObject({ page: null, target: { by: 'SELECTOR', value: '[data-place="cart"]' } });
    expect(hello?.target).toBeNull();
  });

  it('replaces advance rules that a picture cannot fulfill', () => {
    const areas = { there: DEFAULT_AREA };
    const advanceOf = (each: PlayStep) => stepsOnPicture([each], areas)[0]?.advance;
    for (const rule of ['PAGE', 'ELEMENT', 'EVENT'] as const) {
      expect(advanceOf(step('there', on(rule)))?.on).toBe('BUTTON');
      expect(advanceOf(step('there', { kind: 'WAIT', ...on(rule) }))).toMatchObject({ on: 'DELAY', delayMs: 0 });
    }
    expect(advanceOf(step('there', on('TARGET_CLICK')))?.on).toBe('TARGET_CLICK');
    expect(advanceOf(step('nowhere', on('TARGET_CLICK')))?.on).toBe('BUTTON');
    expect(advanceOf(step('there', on('DELAY')))).toMatchObject({ on: 'DELAY', delayMs: 5000 });
  });
});

describe('an area of a picture', () => {
  it('is drawn from any corner, stays on the picture, and ignores clicks', () => {
    expect(areaBetween({ x: 30, y: 40 }, { x: 10, y: 20 })).toEqual({ left: 10, top: 20, width: 20, height: 20 });
    expect(areaBetween({ x: 90, y: 90 }, { x: 130, y: 95 })).toEqual({ left: 90, top: 90, width: 10, height: 5 });
    expect(areaBetween({ x: 30, y: 40 }, { x: 30.4, y: 60 })).toBeNull();
  });

  it('is moved and resized by the arrow keys, and starts in the center', () => {
    expect(areaAfterKey(undefined, 'ArrowLeft', false)).toEqual(DEFAULT_AREA);
    expect(areaAfterKey(DEFAULT_AREA, 'ArrowRight', false)).toEqual({ ...DEFAULT_AREA, left: 41 });
    expect(areaAfterKey(DEFAULT_AREA, 'ArrowDown', true)).toEqual({ ...DEFAULT_AREA, height: 11 });
    expect(areaAfterKey({ ...DEFAULT_AREA, left: 80 }, 'ArrowRight', false)).toEqual({ ...DEFAULT_AREA, left: 80 });
    expect(areaAfterKey({ ...DEFAULT_AREA, width: 1 }, 'ArrowLeft', true)).toEqual({ ...DEFAULT_AREA, width: 1 });
    expect(areaAfterKey(DEFAULT_AREA, 'Enter', false)).toBeNull();
  });
});
