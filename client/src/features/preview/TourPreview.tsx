import { useEffect, useMemo, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { matchesTrait } from '../../../embed/player/trait-test';
import { localize } from '../../../embed/player/translation';
import type { PlayStep, PlayTheme } from '../../../embed/player/types';
import { DemoShop, type DemoCustomer } from '../../demo/DemoShop';
import { t } from '../../shared/i18n/en/player';
import { formatLanguage } from '../../shared/i18n/format';
import { paths } from '../../shared/lib/paths';
import { formatAdvance } from '../tour/format-field';
import { recordTargetLookup } from './missing-targets';
import { PictureStage, type StageProps } from './PictureStage';
import { BAR_BUTTON, BELOW_BAR, PreviewBar } from './PreviewBar';
import { useOverlay } from './use-overlay';
import { usePreviewRun, type PreviewEvent } from './use-preview-run';

export interface TourPreviewProps {
  tourId: string;
  steps: readonly PlayStep[];
  locales: readonly string[];
  /** The language to begin with. Null for the original one. */
  locale?: string | null;
  theme: PlayTheme;
  startAt?: number;
  onClose: () => void;
}

const STAGES = ['onDemo', 'onPicture'] as const;

export function TourPreview({ tourId, locales, theme, startAt: beginAt = 0, onClose, ...props }: TourPreviewProps) {
  const [startAt, setStartAt] = useState(beginAt);
  const [stage, setStage] = useState<(typeof STAGES)[number]>('onDemo');
  const [status, setStatus] = useState('');
  useOverlay();
  const [locale, setLocale] = useState(props.locale ?? locales[0] ?? '');
  const { steps, language } = useMemo(
    () => localize({ steps: props.steps, locales }, [locale]),
    [props.steps, locales, locale],
  );
  const shared = { steps, language, theme, startAt, onStatus: setStatus };
  return createPortal(
    <>
      {stage === 'onDemo' ? (
        <DemoStage key={`${startAt} ${locale}`} {...shared} tourId={tourId} onEnd={onClose} />
      ) : (
        <PictureStage key={`${startAt} ${locale}`} {...shared} tourId={tourId} onEnd={onClose} />
      )}
      <PreviewBar title={startAt > 0 ? t.preview.titleFrom(startAt + 1) : t.preview.title}>
        <output
          title={status}
          className="min-w-0 flex-1 line-clamp-2 leading-tight text-stone-300 empty:invisible max-sm:absolute max-sm:inset-x-0 max-sm:top-full max-sm:block max-sm:bg-stone-900 max-sm:px-4 max-sm:py-1"
        >
          {status}
        </output>
        <div role="group" aria-label={t.preview.where} className="flex gap-1 max-sm:mr-auto">
          {STAGES.map(each => (
            <button
              key={each}
              type="button"
              className={BAR_BUTTON}
              aria-pressed={stage === each}
              onClick={() => {
                setStatus('');
                setStage(each);
              }}
            >
              {t.preview[each]}
            </button>
          ))}
        </div>
        {locales.length > 1 ? (
          <select
            aria-label={t.preview.language}
            className="rounded-md border border-stone-500 bg-stone-900 px-2 py-1"
            value={locale}
            onChange={event => {
              setStatus('');
              setLocale(event.target.value);
            }}
          >
            {locales.map(each => (
              <option key={each} value={each}>
                {formatLanguage(each)}
              </option>
            ))}
          </select>
        ) : null}
        {startAt > 0 ? (
          <button
            type="button"
            className={`${BAR_BUTTON} max-sm:hidden`}
            onClick={() => {
              setStatus('');
              setStartAt(0);
            }}
          >
            {t.preview.fromStart}
          </button>
        ) : null}
        <button type="button" className={`${BAR_BUTTON} ml-auto`} onClick={() => onClose()}>
          {t.preview.end}
        </button>
      </PreviewBar>
    </>,
    document.body,
  );
}

function DemoStage({
  tourId,
  steps,
  language,
  theme,
  startAt,
  onStatus,
  onEnd,
}: StageProps & { tourId: string; onEnd: () => void }) {
  const container = useRef<HTMLElement>(null);
  const [path, setPath] = useState<string>(paths.play);
  const [customer, setCustomer] = useState<DemoCustomer>('guest');
  // The demo page has an in-memory URL; `moves` notifies the player when it changes.
  const demo = useRef<{ path: string; customer: DemoCustomer; moves: EventTarget }>({
    path: paths.play,
    customer: 'guest',
    moves: new EventTarget(),
  });

  useEffect(() => {
    demo.current.path = path;
    demo.current.moves.dispatchEvent(new Event('move'));
  }, [path]);

  usePreviewRun({
    root: container,
    page: {
      testVisitor: ({ trait }) => Boolean(trait && matchesTrait(trait, { customer: demo.current.customer })),
      path: () => demo.current.path,
      onPath: (listener, signal) => demo.current.moves.addEventListener('move', listener, { signal }),
    },
    steps,
    language,
    theme,
    startAt,
    onPreviewEvent: event => onStatus(formatEvent(event)),
    onTargetLookup: (step, found) => recordTargetLookup(tourId, step, found),
    onEnd: empty => (empty ? onStatus(t.preview.empty) : onEnd()),
  });

  return (
    <section ref={container} aria-label={t.preview.demoPage} className={BELOW_BAR}>
      <DemoShop
        path={path}
        onGo={setPath}
        customer={customer}
        onCustomer={next => {
          demo.current.customer = next;
          setCustomer(next);
        }}
      />
    </section>
  );
}

function formatAwaited({ advance, target }: PlayStep): string {
  const rule = formatAdvance(advance);
  return advance.on === 'TARGET_CLICK' && target ? `${rule}: ${target.value}` : rule;
}

function formatEvent(event: PreviewEvent): string {
  switch (event.kind) {
    case 'shown':
      return '';
    case 'waiting':
      return event.step ? t.preview.waitsFor(formatAwaited(event.step)) : t.preview.waits;
    case 'missing':
      return t.preview.missing(event.step, t.preview.visitors[event.visitors]);
    case 'skipped':
      return t.preview.passed(event.step);
    default:
      return event satisfies never;
  }
}
