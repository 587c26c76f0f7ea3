// Plays a draft on a part of the window, without recording anything.

import { useEffect, useEffectEvent, useRef, type RefObject } from 'react';
import { browserPage, type PageOptions } from '../../player/page';
import { createPlayer, type Player } from '../../player/player';
import { findTarget } from '../../player/target';
import type { PlayStep, PlayTheme, RendererFactory } from '../../player/types';

/** In a preview nobody waits for an element that a real page would bring later. */
const PREVIEW_WAIT_MS = 400;

/** What the author is told beside the tour. */
export type PreviewEvent =
  | { kind: 'shown' }
  /** `step`: the wait that plays, if one does. */
  | { kind: 'waiting'; step: PlayStep | null }
  /** `visitors`: what becomes of the step for them. */
  | { kind: 'missing'; step: string; visitors: PlayStep['missingTarget'] }
  | { kind: 'skipped'; step: string };

export interface PreviewRun {
  root: RefObject<HTMLElement | null>;
  page: Omit<PageOptions, 'root'>;
  steps: readonly PlayStep[];
  theme: PlayTheme;
  /** Index of the step to begin with. */
  startAt: number;
  onPreviewEvent: (event: PreviewEvent) => void;
  /** The element of a step was looked for. */
  onTargetLookup?: (step: PlayStep, found: boolean) => void;
  /** The run is over; `empty` when there was nothing to see in it. */
  onEnd: (empty: boolean) => void;
}

export function usePreviewRun({
  root,
  page: pageOptions,
  steps,
  theme,
  startAt,
  onPreviewEvent,
  onTargetLookup,
  onEnd,
}: PreviewRun): void {
  const player = useRef<Player | null>(null);
  const emit = useEffectEvent(onPreviewEvent);
  const reportLookup = useEffectEvent((step: PlayStep, found: boolean) => onTargetLookup?.(step, found));
  const end = useEffectEvent(onEnd);
  const options = useEffectEvent(() => pageOptions);

  useEffect(() => {
    const container = root.current;
    if (!container) return;
    let live = true;
    void import('../../player/intro-renderer').then(({ introRenderer }) => {
      if (!live) return;
      // A step whose element is not there is shown in the middle: the author wants to see every step. What looks for an element
      // knows the step by its target, so each has one of its own.
      const previewSteps = steps.map((step): PlayStep => ({
        ...step,
        target: step.target && { ...step.target },
        missingTarget: 'SHOW_CENTERED',
      }));
      const nameOf = (step: PlayStep): string => step.title || step.key;
      // Said again with the step that comes in its place.
      let skipped: string | null = null;
      let empty = true;
      const page = browserPage({ root: container, ...options() });
      player.current = createPlayer({
        steps: previewSteps,
        theme,
        renderer: observeWaiting(introRenderer, waits => {
          emit(waits ? { kind: 'waiting', step: null } : { kind: 'shown' });
          if (!waits) empty = false;
        }),
        page: {
          ...page,
          locate: async (target, waitMs, signal) => {
            const element = await page.locate(target, Math.min(waitMs, PREVIEW_WAIT_MS), signal);
            const step = previewSteps.find(each => each.target === target);
            if (live && step && !signal.aborted) reportLookup(step, element !== null);
            return element;
          },
        },
        onEvent: event => {
          if (event.kind !== 'STEP_SEEN' && event.kind !== 'TARGET_MISSING') return;
          const step = steps.find(({ key }) => key === event.stepKey);
          if (!step) return;
          if (step.kind === 'WAIT' && event.kind === 'STEP_SEEN') emit({ kind: 'waiting', step });
          // A beacon stands nowhere without its element.
          if (step.kind === 'HINT' && event.kind === 'TARGET_MISSING') skipped = nameOf(step);
          const hasTarget = step.kind === 'SPOTLIGHT' || step.kind === 'POINTER';
          if (hasTarget && event.kind === 'STEP_SEEN' && (!step.target || !findTarget(container, step.target)))
            emit({ kind: 'missing', step: nameOf(step), visitors: step.missingTarget });
          else if (skipped !== null) emit({ kind: 'skipped', step: skipped });
          if (event.kind === 'STEP_SEEN') skipped = null;
        },
        onEnd: () => {
          if (live) end(empty);
        },
      });
      void player.current.start(Math.min(startAt, Math.max(steps.length - 1, 0)));
    });
    return () => {
      live = false;
      void player.current?.suspend();
      player.current = null;
    };
  }, [root, steps, theme, startAt]);
}

/** A renderer that also tells whether the run goes on without anything to see. */
const observeWaiting =
  (inner: RendererFactory, onWaiting: (waits: boolean) => void): RendererFactory =>
  (steps, theme, onCommand) => {
    const renderer = inner(steps, theme, onCommand);
    return {
      show: view => {
        onWaiting(false);
        return renderer.show(view);
      },
      hide: () => {
        onWaiting(true);
        return renderer.hide();
      },
      showHint: view => {
        onWaiting(false);
        return renderer.showHint(view);
      },
      hideHint: index => renderer.hideHint(index),
      close: () => renderer.close(),
    };
  };
