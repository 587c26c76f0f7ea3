/** Focus while popovers open and close, as moved by intro.js and the renderer. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { playStep, playTheme } from '../../embed/player/fixtures';
import type { StepView } from '../../embed/player/types';
import { introRenderer } from './intro-renderer';

// happy-dom has no layout.
document.elementsFromPoint = () => [];

beforeEach(() => void vi.useFakeTimers());

afterEach(() => {
  vi.runAllTimers();
  vi.useRealTimers();
  document.body.replaceChildren();
});

const viewOf = (step: StepView['step'], element: Element | null): StepView => ({
  index: 0,
  step,
  element,
  back: false,
  next: true,
  last: true,
  choices: [],
  count: null,
});

function focused(name: 'button' | 'input'): HTMLElement {
  const element = document.createElement(name);
  document.body.append(element);
  element.focus();
  return element;
}

it('focuses the primary button, and returns the focus if the tour is closed immediately', async () => {
  const before = focused('button');
  const step = playStep('a', { missingTarget: 'SHOW_CENTERED' });
  const renderer = introRenderer([step], playTheme, () => undefined);
  await renderer.show(viewOf(step, null));
  expect(document.activeElement?.textContent).toBe('Done');
  await renderer.close();
  expect(document.activeElement).toBe(before);
  await vi.advanceTimersByTimeAsync(50);
  expect(document.activeElement).toBe(before);
});

it('leaves the focus in a field of a usable page', async () => {
  const field = focused('input');
  const step = playStep('a', { kind: 'TOOLTIP' });
  const renderer = introRenderer([step], playTheme, () => undefined);
  await renderer.show(viewOf(step, field));
  await vi.advanceTimersByTimeAsync(50);
  expect(document.activeElement).toBe(field);
  await renderer.close();
});
