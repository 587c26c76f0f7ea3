import { useRef } from 'react';
import { expect, it, vi } from 'vitest';
import { playStep, playTheme as theme } from '../../../embed/player/fixtures';
import type { PlayStep, Target } from '../../../embed/player/types';
import { act, render, renderHook, screen, waitFor } from '../../shared/testing';
import { recordTargetLookup, useMissingTargets } from './missing-targets';
import { usePreviewRun, type PreviewEvent } from './use-preview-run';

const at = (value: string): Target => ({ by: 'DATA_TOUR', value });

const step = (key: string, target: Target) => playStep(key, { kind: 'SPOTLIGHT', target });

// happy-dom has no layout.
document.elementsFromPoint = () => [];

function MissingTargets({ steps }: { steps: readonly PlayStep[] }) {
  return (
    <output>
      {steps
        .filter(useMissingTargets('tour'))
        .map(each => each.key)
        .join(' ')}
    </output>
  );
}

it('reports a missing target until it is found or the target changes', () => {
  const cart = step('cart', at('cart'));
  const { rerender } = render(<MissingTargets steps={[cart]} />);
  const missing = () => screen.getByRole('status').textContent;
  expect(missing()).toBe('');
  act(() => {
    recordTargetLookup('another tour', cart, false);
    recordTargetLookup('tour', step('end', at('cart')), false);
  });
  expect(missing()).toBe('');
  act(() => recordTargetLookup('tour', cart, false));
  expect(missing(), 'the tour may be for another page').toBe('');
  act(() => recordTargetLookup('tour', step('search', at('search')), true));
  expect(missing()).toBe('cart');
  rerender(<MissingTargets steps={[step('cart', at('basket'))]} />);
  expect(missing()).toBe('');
  rerender(<MissingTargets steps={[cart]} />);
  act(() => recordTargetLookup('tour', cart, true));
  expect(missing()).toBe('');
});

it('remembers a missing target after a reload', async () => {
  recordTargetLookup('tour', step('cart', at('cart')), false);
  recordTargetLookup('tour', step('help', at('help')), true);
  vi.resetModules();
  const reloaded = await import('./missing-targets');
  const { result } = renderHook(() => reloaded.useMissingTargets('tour'));
  expect(result.current(step('cart', at('cart')))).toBe(true);
  expect(result.current(step('cart', at('search')))).toBe(false);
});

it('a preview reports for each step whether its target was found', async () => {
  const onTargetLookup = vi.fn<(key: string, found: boolean) => void>();
  const onPreviewEvent = vi.fn<(event: PreviewEvent) => void>();
  const search = at('search');
  const steps = [step('cart', at('cart')), step('search', search), step('again', search)];
  function Preview({ startAt }: { startAt: number }) {
    const root = useRef<HTMLElement>(null);
    usePreviewRun({
      root,
      page: { path: () => '/', onPath: () => undefined },
      steps,
      theme,
      startAt,
      onPreviewEvent,
      onTargetLookup: ({ key }, found) => onTargetLookup(key, found),
      onEnd: () => undefined,
    });
    return (
      <section ref={root}>
        <button type="button" data-tour="search">
          Search
        </button>
      </section>
    );
  }
  vi.spyOn(Element.prototype, 'getClientRects').mockReturnValue([new DOMRect()] as unknown as DOMRectList);
  const { rerender } = render(<Preview startAt={0} />);
  await waitFor(() => expect(onTargetLookup).toHaveBeenLastCalledWith('cart', false));
  await waitFor(() =>
    expect(onPreviewEvent).toHaveBeenLastCalledWith({ kind: 'missing', step: 'cart', visitors: 'SKIP_STEP' }),
  );
  rerender(<Preview startAt={2} />);
  await waitFor(() => expect(onTargetLookup).toHaveBeenLastCalledWith('again', true));
});
