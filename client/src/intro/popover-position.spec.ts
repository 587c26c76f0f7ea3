/** Position of popovers, as drawn by intro.js with our styles. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { playStep, playTheme } from '../../embed/player/fixtures';
import type { Renderer, StepView } from '../../embed/player/types';
import { introRenderer } from './intro-renderer';

const theme = { ...playTheme, stagePadding: 5 };

const step = playStep('a', {
  kind: 'SPOTLIGHT',
  body: '![a cat](https://a.example/cat.png)',
  side: 'RIGHT',
  missingTarget: 'SHOW_CENTERED',
});

// happy-dom has no layout.
document.elementsFromPoint = () => [];

let renderer: Renderer;

beforeEach(() => {
  vi.useFakeTimers();
  const styles = document.createElement('style');
  styles.textContent = readFileSync(resolve(import.meta.dirname, 'intro.css'), 'utf8');
  document.head.replaceChildren(styles);
  renderer = introRenderer([step], theme, () => undefined);
});

afterEach(async () => {
  await renderer.close();
  vi.runAllTimers();
  vi.useRealTimers();
});

async function drawn(element: Element | null): Promise<HTMLElement> {
  const view: StepView = { index: 0, step, element, back: false, next: true, last: true, choices: [], count: null };
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(300);
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(320);
  await renderer.show(view);
  await vi.advanceTimersByTimeAsync(50);
  const popover = document.querySelector<HTMLElement>('.wp-popover');
  if (!popover) throw new Error('The renderer did not draw a popover.');
  return popover;
}

it('centers the popover by its current height, not by its initial height', async () => {
  const popover = await drawn(null);
  const { position, marginTop } = getComputedStyle(popover);
  expect({ position, marginTop }).toEqual({ position: 'fixed', marginTop: 'auto' });
});

it('points at the center of its element, and keeps its distance if an image cannot be loaded', async () => {
  const element = document.createElement('button');
  document.body.append(element);
  vi.spyOn(element, 'getBoundingClientRect').mockReturnValue(new DOMRect(20, innerHeight - 60, 900, 40));
  const popover = await drawn(element);
  const page = document.documentElement.style;
  const position = () => ['x', 'y', 'arrow'].map(each => page.getPropertyValue(`--wp-${each}`));
  expect(popover.dataset['wpEdge']).toBe('top');
  // The center is at 470 px. The popover is 320 × 300 px, 10 px above the stage, which has a padding of 5 px.
  expect(position()).toEqual(['310px', `${innerHeight - 60 - 5 - 10 - 300}px`, '160px']);
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(100);
  dispatchEvent(new Event('resize'));
  expect(position()).toEqual(['310px', `${innerHeight - 60 - 5 - 10 - 100}px`, '160px']);
  element.remove();
});

it('has no Previous button if there is nothing to go back to', async () => {
  const popover = await drawn(null);
  expect([...popover.querySelectorAll('.introjs-button')].map(each => each.textContent)).toEqual(['Done']);
});
