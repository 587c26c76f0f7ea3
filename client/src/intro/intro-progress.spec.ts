import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { playStep, playTheme } from '../../embed/player/fixtures';
import type { Command, StepView } from '../../embed/player/types';
import { introRenderer } from './intro-renderer';

// happy-dom has no layout.
document.elementsFromPoint = () => [];

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('announces that the next step is loading, keeps its buttons usable, and shows the next step normally', async () => {
  const steps = [playStep('a', { title: 'First' }), playStep('b', { title: 'Second' })];
  const commands: Command[] = [];
  const renderer = introRenderer(steps, playTheme, command => commands.push(command));
  const show = async (index: number) => {
    const step = steps[index] ?? playStep('a');
    const count = { at: index + 1, of: 2 };
    const view: StepView = { index, step, element: null, back: false, next: true, last: false, choices: [], count };
    await renderer.show(view);
    await vi.advanceTimersByTimeAsync(50);
  };
  const popover = (selector: string) => document.querySelector<HTMLElement>(`.wp-popover ${selector}`);
  await show(0);
  renderer.showProgress();
  const status = popover('[role=status]');
  expect(status?.textContent).toBe('Loading the next step…');
  expect(popover('[aria-busy=true]')?.classList).toContain('introjs-tooltiptext');
  expect(status?.closest('[aria-busy]')).toBeNull();
  popover('.introjs-nextbutton')?.click();
  popover('.introjs-skipbutton')?.click();
  expect(commands).toEqual(['next', 'close']);
  for (const index of [0, 1]) {
    await show(index);
    expect(popover('[role=status]')?.textContent).toBe(`${index + 1} of 2`);
    expect(popover('[aria-busy]')).toBeNull();
  }
  expect(document.querySelector('.wp-busy')).toBeNull();
  await renderer.close();
});
