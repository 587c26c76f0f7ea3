// Plays a draft on the demo page, over the whole window, without recording anything.

import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { t } from '../texts/player';
import { DEMO_HOME, DemoPage, type DemoCustomer } from './DemoPage';
import { browserPage } from './page';
import { createPlayer, type Player } from './player';
import { findTarget } from './target';
import type { PlayStep, PlayTheme, RendererFactory } from './types';

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
  const [path, setPath] = useState(DEMO_HOME);
  const [customer, setCustomer] = useState<DemoCustomer>('guest');
  // The demo page has an address of its own here; those who watch it are told when it has changed.
  const place = useRef({ path: DEMO_HOME, customer: 'guest', moves: new EventTarget() });
  const [missing, setMissing] = useState<string | null>(null);
  const [waits, setWaits] = useState(false);
  const close = useEffectEvent(onClose);

  useEffect(() => {
    place.current.path = path;
    place.current.moves.dispatchEvent(new Event('move'));
  }, [path]);

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
      const page = browserPage({
        root,
        properties: () => ({ customer: place.current.customer }),
        address: {
          path: () => place.current.path,
          onPath: (listener, signal) => place.current.moves.addEventListener('move', listener, { signal }),
        },
      });
      player.current = createPlayer({
        steps: shown,
        theme,
        renderer: telling(introRenderer, setWaits),
        page: { ...page, locate: (target, waitMs, signal) => page.locate(target, Math.min(waitMs, PREVIEW_WAIT_MS), signal) },
        onEvent: (event) => {
          if (event.kind !== 'STEP_SEEN') return;
          const step = shown.find(({ key }) => key === event.stepKey);
          const pointing = step?.kind === 'SPOTLIGHT' || step?.kind === 'POINTER';
          const absent = pointing && (!step.target || !findTarget(root, step.target));
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
        <DemoPage
          path={path}
          onGo={setPath}
          customer={customer}
          onCustomer={(next) => {
            place.current.customer = next;
            setCustomer(next);
          }}
        />
      </section>
      {/* Above the tour's own layers, so that the way out is never dimmed. */}
      <div className="fixed inset-x-0 top-0 z-[100000001] flex h-11 items-center gap-3 bg-stone-900 px-4 text-sm text-white">
        <span className="font-medium">{t.preview.title}</span>
        <output className="min-w-0 flex-1 truncate text-stone-300">
          {waits ? t.preview.waits : missing === null ? '' : t.preview.missing(missing)}
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

/** A renderer that also tells whether the run goes on without anything to see. */
const telling =
  (inner: RendererFactory, setWaits: (waits: boolean) => void): RendererFactory =>
  (steps, theme, onCommand) => {
    const renderer = inner(steps, theme, onCommand);
    return {
      show: (view) => {
        setWaits(false);
        return renderer.show(view);
      },
      hide: () => {
        setWaits(true);
        return renderer.hide();
      },
      showHint: (view) => {
        setWaits(false);
        return renderer.showHint(view);
      },
      hideHint: (index) => renderer.hideHint(index),
      close: () => renderer.close(),
    };
  };
