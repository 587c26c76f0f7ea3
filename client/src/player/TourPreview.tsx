// Plays a draft on the demo page, over the whole window, without recording anything.

import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { t } from '../texts/player';
import { DemoPage } from './DemoPage';
import { createPlayer, type Player } from './player';
import { findTarget, waitForTarget } from './target';
import type { PlayStep, PlayTheme } from './types';

/** In a preview nobody waits for an element that a real page would bring later. */
const PREVIEW_WAIT_MS = 400;

export interface TourPreviewProps {
  steps: readonly PlayStep[];
  theme: PlayTheme;
  /** Index of the step to begin with. */
  startAt?: number;
  onClose: () => void;
}

export function TourPreview({ steps, theme, startAt = 0, onClose }: TourPreviewProps) {
  const surface = useRef<HTMLElement>(null);
  const player = useRef<Player | null>(null);
  const [missing, setMissing] = useState<string | null>(null);
  const close = useEffectEvent(onClose);

  useEffect(() => {
    const root = surface.current;
    if (!root) return;
    const app = document.getElementById('root');
    app?.setAttribute('inert', '');
    let live = true;
    void import('./intro-renderer').then(({ introRenderer }) => {
      if (!live) return;
      // A step whose element is not on the demo page is shown in the middle: the author wants to see every step.
      const shown = steps.map((step): PlayStep => ({ ...step, missingTarget: 'SHOW_CENTERED' }));
      player.current = createPlayer({
        steps: shown,
        theme,
        renderer: introRenderer,
        locate: (target, waitMs, signal) => waitForTarget(root, target, Math.min(waitMs, PREVIEW_WAIT_MS), signal),
        onEvent: (event) => {
          if (event.kind !== 'STEP_SEEN') return;
          const step = shown.find(({ key }) => key === event.stepKey);
          const absent = step?.kind === 'SPOTLIGHT' && (!step.target || !findTarget(root, step.target));
          setMissing(absent ? step.title || step.key : null);
        },
        onEnd: () => {
          if (live) close();
        },
      });
      void player.current.start(Math.min(startAt, Math.max(steps.length - 1, 0)));
    });
    return () => {
      live = false;
      app?.removeAttribute('inert');
      void player.current?.suspend();
      player.current = null;
    };
  }, [steps, theme, startAt]);

  return createPortal(
    <>
      <section ref={surface} aria-label={t.preview.demoPage} className="fixed inset-x-0 top-11 bottom-0 z-50 overflow-auto">
        <DemoPage />
      </section>
      {/* Above the tour's own layers, so that the way out is never dimmed. */}
      <div className="fixed inset-x-0 top-0 z-[100000001] flex h-11 items-center gap-3 bg-stone-900 px-4 text-sm text-white">
        <span className="font-medium">{t.preview.title}</span>
        <output className="min-w-0 flex-1 truncate text-stone-300">
          {missing === null ? '' : t.preview.missing(missing)}
        </output>
        <button
          type="button"
          className="rounded-md border border-stone-500 px-3 py-1 font-medium hover:bg-stone-700"
          onClick={() => onClose()}
        >
          {t.preview.end}
        </button>
      </div>
    </>,
    document.body,
  );
}
