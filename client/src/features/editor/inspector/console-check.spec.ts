import { afterEach, expect, it, vi } from 'vitest';
import { consoleCheck } from './console-check';

const scrollIntoView = vi.fn();
const animate = vi.fn(function marked(this: Element) {
  return this.id;
});
// happy-dom has no layout: an element with `data-drawn` counts as visible.
const rects = function rects(this: Element) {
  return ('drawn' in (this as HTMLElement).dataset ? [{}] : []) as unknown as DOMRectList;
};
Object.assign(Element.prototype, { scrollIntoView, animate, getClientRects: rects, checkVisibility: () => true });

afterEach(() => {
  document.body.replaceChildren();
  vi.clearAllMocks();
});

// oxlint-disable-next-line no-eval -- a console evaluates the code in the same way
const evaluate = (code: string): unknown => (0, eval)(code);

it('marks the first visible element and returns the number of matches', () => {
  document.body.innerHTML = '<p id="hidden" class="a"></p><p id="shown" class="a" data-drawn></p>';
  const host = document.body.appendChild(document.createElement('div'));
  host.attachShadow({ mode: 'open' }).innerHTML = '<p id="inner" class="a" data-drawn></p>';
  expect(evaluate(consoleCheck({ by: 'SELECTOR', value: '.a' }))).toBe('.a: 3 found, 2 visible');
  expect(animate.mock.results.map(({ value }) => value as string)).toEqual(['shown']);
  expect(scrollIntoView).toHaveBeenCalledOnce();
});

it('searches frames of the same origin', () => {
  const inner = new DOMParser().parseFromString('<p class="a" data-drawn></p>', 'text/html');
  // happy-dom loads no frames.
  const frame = document.body.appendChild(document.createElement('object'));
  Object.defineProperty(frame, 'contentDocument', { value: inner });
  expect(evaluate(consoleCheck({ by: 'SELECTOR', value: '.a' }))).toBe('.a: 1 found, 1 visible');
});

it('finds the elements of a data-tour name', () => {
  document.body.innerHTML = '<p data-tour="menu" data-drawn></p>';
  expect(evaluate(consoleCheck({ by: 'DATA_TOUR', value: 'menu' }))).toBe('[data-tour="menu"]: 1 found, 1 visible');
});

it('marks nothing if no element matches', () => {
  expect(evaluate(consoleCheck({ by: 'SELECTOR', value: '#none' }))).toBe('#none: 0 found, 0 visible');
  expect(animate).not.toHaveBeenCalled();
});
