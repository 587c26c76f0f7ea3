import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { introRenderer } from './intro-renderer';
import type { PlayStep, PlayTheme, StepView } from './types';

const drawn = {
  setOptions: vi.fn(),
  setOption: vi.fn(),
  onAfterChange: vi.fn(),
  start: vi.fn(async () => undefined),
  exit: vi.fn(async () => undefined),
};

vi.mock('intro.js', () => ({ default: { tour: () => drawn } }));

const theme = (popoverWidth: number): PlayTheme => ({
  overlayColor: '#000000',
  overlayOpacity: 0.7,
  stagePadding: 10,
  stageRadius: 5,
  popoverOffset: 10,
  animationMs: 400,
  accentColor: '#2f5bea',
  popoverWidth,
});

const step: PlayStep = {
  key: 'a',
  kind: 'MODAL',
  title: 'a',
  body: '',
  target: null,
  side: 'AUTO',
  page: null,
  nextLabel: null,
  backLabel: null,
  doneLabel: null,
  missingTarget: 'SHOW_CENTERED',
  waitMs: 0,
  blockPage: false,
  advance: { on: 'BUTTON', page: null, selector: null, event: null, delayMs: 5000 },
  branches: [],
};

const view: StepView = { index: 0, step, element: null, back: false, next: true, last: true, choices: [], count: null };

const width = () => document.documentElement.style.getPropertyValue('--wp-popover-width');

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('leaves the theme of a tour that has begun meanwhile', async () => {
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
