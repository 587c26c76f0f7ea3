/** Reports no run events. */

import { useEffect, useEffectEvent, useRef, type RefObject } from 'react';
import { browserPage, type PageOptions } from '../../../embed/player/page';
import { createPlayer, type Player } from '../../../embed/player/player';
import { traitsOf } from '../../../embed/player/step-kinds';
import { findTarget } from '../../../embed/player/target';
import type { PlayStep, PlayTheme, RendererFactory, TourLanguage } from '../../../embed/player/types';
import { findPreviewBar } from './PreviewBar';

/** A preview loads no elements later. */
const PREVIEW_WAIT_MS = 400;

export type PreviewEvent =
  | { kind: 'shown' }
  /** `step` is the active wait. */
  | { kind: 'waiting'; step: PlayStep | null }
  /** `visitors`: the behavior on a real page. */
  | { kind: 'missing'; step: string; visitors: PlayStep['missingTarget'] }
  | { kind: 'skipped'; step: string };

export interface PreviewRun {
  root: RefObject<HTMLElement | null>;
  page: Omit<PageOptions, 'root'>;
  steps: readonly PlayStep[];
  language?: TourLanguage | null;
  theme: PlayTheme;
  startAt: number;
  onPreviewEvent: (event: PreviewEvent) => void;
  onTargetLookup?: (step: PlayStep, found: boolean) => void;
  /** `empty` if nothing was shown. */
  onEnd: (empty: boolean) => void;
}

export function usePreviewRun({
  root,
  page: pageOptions,
  steps,
  language = null,
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
    void Promise.all([import('../../../embed/renderer/renderer'), import('../../../embed/renderer/texts')]).then(
      ([{ embedRenderer }, { textsOf }]) => {
        if (!live) return;
        const texts = textsOf(document.documentElement.lang);
        // In the center, because the author wants to see every step. Cloned, because `locate` compares identities.
        const previewSteps = steps.map((step): PlayStep => ({
          ...step,
          target: step.target && { ...step.target },
          missingTarget: 'SHOW_CENTERED',
        }));
        const nameOf = (step: PlayStep): string => step.title || step.key;
        let skipped: string | null = null;
        let empty = true;
        const page = browserPage({ root: container, ...options() });
        player.current = createPlayer({
          steps: previewSteps,
          language,
          theme,
          renderer: observeWaiting(embedRenderer(texts, findPreviewBar), waits => {
            emit(waits ? { kind: 'waiting', step: null } : { kind: 'shown' });
            if (!waits) empty = false;
          }),
          page: {
            ...page,
            locate: async (target, waitMs, signal, mustBeUsable) => {
              const element = await page.locate(target, Math.min(waitMs, PREVIEW_WAIT_MS), signal, mustBeUsable);
              const step = previewSteps.find(each => each.target === target);
              if (live && step && !signal.aborted) reportLookup(step, element !== null);
              return element;
            },
          },
          onEvent: event => {
            if (event.kind !== 'STEP_SEEN' && event.kind !== 'TARGET_MISSING') return;
            const step = steps.find(({ key }) => key === event.stepKey);
            if (!step) return;
            const { back, target, waits, together } = traitsOf(step);
            if (waits && event.kind === 'STEP_SEEN') emit({ kind: 'waiting', step });
            // Needs its target.
            if (together && event.kind === 'TARGET_MISSING') skipped = nameOf(step);
            if (back && target && event.kind === 'STEP_SEEN' && (!step.target || !findTarget(container, step.target)))
              emit({ kind: 'missing', step: nameOf(step), visitors: step.missingTarget });
            else if (skipped !== null) emit({ kind: 'skipped', step: skipped });
            if (event.kind === 'STEP_SEEN') skipped = null;
          },
          onEnd: () => {
            if (live) end(empty);
          },
        });
        player.current.start(Math.min(startAt, Math.max(steps.length - 1, 0)));
      },
    );
    return () => {
      live = false;
      void player.current?.stop(null);
      player.current = null;
    };
  }, [root, steps, language, theme, startAt]);
}

/** Nothing is visible. */
const observeWaiting =
  (inner: RendererFactory, onWaiting: (waits: boolean) => void): RendererFactory =>
  (steps, theme, onCommand, language) => {
    const renderer = inner(steps, theme, onCommand, language);
    return {
      show: view => {
        onWaiting(false);
        return renderer.show(view);
      },
      showProgress: () => renderer.showProgress(),
      hide: () => {
        onWaiting(true);
        return renderer.hide();
      },
      showHotspot: view => {
        onWaiting(false);
        return renderer.showHotspot(view);
      },
      hideHotspot: index => renderer.hideHotspot(index),
      replaceElement: (index, element) => renderer.replaceElement(index, element),
      close: () => renderer.close(),
    };
  };
