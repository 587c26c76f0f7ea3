import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { playStep, playTheme } from '../../embed/player/fixtures';
import type { StepView } from '../../embed/player/types';
import { introRenderer } from './intro-renderer';

const drawn = {
  setOptions: vi.fn(),
  setOption: vi.fn(),
  onAfterChange: vi.fn(),
  start: vi.fn(async () => undefined),
  exit: vi.fn(async () => undefined),
};

vi.mock('intro.js', () => ({ default: { tour: () => drawn } }));

const theme = (popoverWidth: number) => ({ ...playTheme, animationMs: 400, popoverWidth });

const step = playStep('a', { missingTarget: 'SHOW_CENTERED' });

const view: StepView = { index: 0, step, element: null, back: false, next: true, last: true, choices: [], count: null };

const width = () => document.documentElement.style.getPropertyValue('--wp-width');

// happy-dom has no layout.
document.elementsFromPoint = () => [];

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('keeps the theme of a tour that starts while the previous one is closing', async () => {
  const first = introRenderer([step], theme(320), () => undefined);
  await first.show(view);
  await first.close();
  const second = introRenderer([step], theme(400), () => undefined);
  await second.show(view);
  vi.runAllTimers();
  expect(width()).toBe('400px');
  await second.close();
  vi.runAllTimers();
  expect(width()).toBe('');
});
