// Writes the styles that change while something moves.

import type { Box } from '../player/position';

/** The values that were set, by property. */
const written = new WeakMap<HTMLElement, Map<string, string>>();

export const round = (pixels: number) => Math.round(pixels * 100) / 100;

export class Styles {
  /** True if the current frame has changed anything. */
  hasChanged = false;

  /** Writes only changes, because this runs in each frame and each new value makes the browser compute styles. */
  set(element: HTMLElement, name: string, value: string): void {
    // The browser changes the spelling of values.
    const values = written.get(element) ?? new Map<string, string>();
    written.set(element, values);
    if (values.get(name) === value) return;
    values.set(name, value);
    element.style.setProperty(name, value);
    this.hasChanged = true;
  }

  /** Uses a translation, which is not a layout shift of the page (Cumulative Layout Shift). */
  move(element: HTMLElement, { left, top }: Pick<Box, 'left' | 'top'>): void {
    this.set(element, 'translate', `${round(left)}px ${round(top)}px`);
  }
}
