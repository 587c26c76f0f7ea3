// Plays a draft on a part of the window, without recording anything.

import { useEffect, useEffectEvent, useRef, type RefObject } from 'react';
import { browserPage, type PageOptions } from '../../player/page';
import { createPlayer, type Player } from '../../player/player';
import { findTarget } from '../../player/target';
import type { PlayStep, PlayTheme, RendererFactory } from '../../player/types';

/** In a preview nobody waits for an element that a real page would bring later. */
const PREVIEW_WAIT_MS = 400;

/** What the author is told beside the tour. */
export type PreviewNews =
  | { kind: 'shown' }
  /** `step`: the wait that plays, if one does. */
  | { kind: 'waits'; step: PlayStep | null }
  /** `visitors`: what becomes of the step for them. */
  | { kind: 'missing'; step: string; visitors: PlayStep['missingTarget'] }
  | { kind: 'passed'; step: string };

export interface PreviewRun {
  root: RefObject<HTMLElement | null>;
  page: Omit<PageOptions, 'root'>;
  steps: readonly PlayStep[];
  theme: PlayTheme;
  /** Index of the step to begin with. */
  startAt: number;
  onNews: (news: PreviewNews) => void;
  /** The element of a step was looked for. */
  onLooked?: (step: PlayStep, found: boolean) => void;
  /** The run is over; `empty` when there was nothing to see in it. */
  onEnd: (empty: boolean) => void;
}

export function usePreviewRun({
  root,
  page: pageOptions,
  steps,
  theme,
  startAt,
  onNews,
  onLooked,
  onEnd,
}: PreviewRun): void {
  const player = useRef<Player | null>(null);
  const news = useEffectEvent(onNews);
  const looked = useEffectEvent((step: PlayStep, found: boolean) => onLooked?.(step, found));
  const end = useEffectEvent(onEnd);
  const options = useEffectEvent(() => pageOptions);

  useEffect(() => {
    const surface = root.current;
    if (!surface) return;
    let live = true;
    void import('../../player/intro-renderer').then(({ introRenderer }) => {
      if (!live) return;
      // A step whose element is not there is shown in the middle: the author wants to see every step. What looks for an element
      // knows the step by its target, so each has one of its own.
      const shown = steps.map((step): PlayStep => ({
        ...step,
        target: step.target && { ...step.target },
        missingTarget: 'SHOW_CENTERED',
      }));
      const nameOf = (step: PlayStep): string => step.title || step.key;
      // Said again with the step that comes in its place.
      let passed: string | null = null;
      let empty = true;
      const page = browserPage({ root: surface, ...options() });
      player.current = createPlayer({
        steps: shown,
        theme,
        renderer: telling(introRenderer, waits => {
          news(waits ? { kind: 'waits', step: null } : { kind: 'shown' });
          if (!waits) empty = false;
        }),
        page: {
          ...page,
          locate: async (target, waitMs, signal) => {
            const element = await page.locate(target, Math.min(waitMs, PREVIEW_WAIT_MS), signal);
            const step = shown.find(each => each.target === target);
            if (live && step && !signal.aborted) looked(step, element !== null);
            return element;
          },
        },
        onEvent: event => {
          if (event.kind !== 'STEP_SEEN' && event.kind !== 'TARGET_MISSING') return;
          const step = steps.find(({ key }) => key === event.stepKey);
          if (!step) return;
          if (step.kind === 'WAIT' && event.kind === 'STEP_SEEN') news({ kind: 'waits', step });
          // A beacon stands nowhere without its element.
          if (step.kind === 'HINT' && event.kind === 'TARGET_MISSING') passed = nameOf(step);
          const pointing = step.kind === 'SPOTLIGHT' || step.kind === 'POINTER';
          if (pointing && event.kind === 'STEP_SEEN' && (!step.target || !findTarget(surface, step.target)))
            news({ kind: 'missing', step: nameOf(step), visitors: step.missingTarget });
          else if (passed !== null) news({ kind: 'passed', step: passed });
          if (event.kind === 'STEP_SEEN') passed = null;
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
const telling =
  (inner: RendererFactory, setWaits: (waits: boolean) => void): RendererFactory =>
  (steps, theme, onCommand) => {
    const renderer = inner(steps, theme, onCommand);
    return {
      show: view => {
        setWaits(false);
        return renderer.show(view);
      },
      hide: () => {
        setWaits(true);
        return renderer.hide();
      },
      showHint: view => {
        setWaits(false);
        return renderer.showHint(view);
      },
      hideHint: index => renderer.hideHint(index),
      close: () => renderer.close(),
    };
  };
