import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react';
import type { PlayStep, PlayTheme, TourLanguage } from '../../../embed/player/types';
import { t } from '../../shared/i18n/en/player';
import { cx } from '../../shared/lib/class-names';
import { stepsOnPicture, type PictureAreas } from './picture';
import { PictureAreaEditor, areaStyle } from './PictureAreaEditor';
import { BAR_BUTTON, BELOW_BAR } from './PreviewBar';
import { useEscape } from './use-overlay';
import { usePreviewRun, type PreviewEvent } from './use-preview-run';

export interface StageProps {
  steps: readonly PlayStep[];
  language: TourLanguage | null;
  theme: PlayTheme;
  startAt: number;
  onStatus: (status: string) => void;
}

interface Picture {
  readonly url: string;
  readonly areas: PictureAreas;
}

/** The pictures by tour, until the page is closed. */
const pictures = new Map<string, Picture>();

export function PictureStage({
  tourId,
  steps,
  language,
  theme,
  startAt,
  onStatus,
  onEnd,
}: StageProps & { tourId: string; onEnd: () => void }) {
  const [picture, setPicture] = useState(pictures.get(tourId) ?? null);
  const [playing, setPlaying] = useState(false);
  const container = useRef<HTMLElement>(null);
  const savePicture = (next: Picture) => {
    pictures.set(tourId, next);
    setPicture(next);
  };
  const loadPicture = async (file: File | undefined) => {
    if (!file || playing) return;
    const url = await pictureUrl(file);
    onStatus(url === null ? t.picture.noPicture : '');
    // A new picture usually shows the same page.
    if (url !== null) savePicture({ url, areas: picture?.areas ?? {} });
  };
  const loadFrom = useEffectEvent((data: DataTransfer | null) => void loadPicture(data?.files[0]));
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    document.addEventListener('paste', event => loadFrom(event.clipboardData), { signal });
    document.addEventListener('dragover', event => event.preventDefault(), { signal });
    const onDrop = (event: DragEvent) => {
      event.preventDefault();
      loadFrom(event.dataTransfer);
    };
    document.addEventListener('drop', onDrop, { signal });
    return () => controller.abort();
  }, []);
  // The player handles Escape while the tour plays.
  useEscape(() => {
    if (!playing) onEnd();
  });
  return (
    <section
      ref={container}
      aria-label={t.picture.region}
      className={cx(BELOW_BAR, 'bg-stone-100 text-stone-900 dark:bg-stone-950 dark:text-stone-100')}
    >
      {picture === null ? (
        <div className="mx-auto mt-16 grid max-w-lg justify-items-center gap-4 rounded-card border border-dashed border-stone-400 p-8 text-center">
          <h2 className="text-lg font-semibold">{t.picture.title}</h2>
          <p>{t.picture.paste}</p>
          <PictureInput label={t.picture.choose} onFile={file => void loadPicture(file)} />
        </div>
      ) : (
        <>
          {playing ? (
            <>
              <PictureAreaElements picture={picture} />
              <PictureRun
                root={container}
                steps={steps}
                language={language}
                areas={picture.areas}
                theme={theme}
                startAt={startAt}
                onStatus={onStatus}
                onEnd={empty => {
                  onStatus(empty ? t.picture.empty : '');
                  setPlaying(false);
                }}
              />
            </>
          ) : (
            <PictureAreaEditor
              steps={steps}
              startAt={startAt}
              url={picture.url}
              areas={picture.areas}
              onChange={areas => savePicture({ ...picture, areas })}
            >
              <PictureInput label={t.picture.other} onFile={file => void loadPicture(file)} />
              <button type="button" className={BAR_BUTTON} onClick={() => setPlaying(true)}>
                {t.picture.play}
              </button>
            </PictureAreaEditor>
          )}
        </>
      )}
    </section>
  );
}

/** Targets of the steps. */
function PictureAreaElements({ picture: { url, areas } }: { picture: Picture }) {
  return (
    <div className="relative mx-auto w-fit">
      <img src={url} alt={t.picture.alt} className="block max-w-full" />
      {Object.entries(areas).map(([key, area]) => (
        <div key={key} data-place={key} className="absolute" style={areaStyle(area)} />
      ))}
    </div>
  );
}

/** Renders nothing. */
function PictureRun({
  steps,
  areas,
  onStatus,
  ...run
}: StageProps & { root: RefObject<HTMLElement | null>; areas: PictureAreas; onEnd: (empty: boolean) => void }) {
  const [previewSteps] = useState(() => stepsOnPicture(steps, areas));
  usePreviewRun({
    ...run,
    steps: previewSteps,
    page: stillPage,
    onPreviewEvent: event => onStatus(formatEvent(event)),
  });
  return null;
}

const stillPage = { path: () => '/', onPath: () => undefined };

function formatEvent(event: PreviewEvent): string {
  switch (event.kind) {
    case 'shown':
    case 'waiting':
      return '';
    case 'missing':
      return t.picture.missing(event.step);
    case 'skipped':
      return t.picture.passed(event.step);
    default:
      return event satisfies never;
  }
}

function PictureInput({ label, onFile }: { label: string; onFile: (file: File | undefined) => void }) {
  return (
    <label className="inline-flex cursor-pointer rounded-md border border-stone-500 bg-stone-900 px-3 py-1 font-medium whitespace-nowrap text-white hover:bg-stone-700 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus">
      {label}
      <input
        type="file"
        accept="image/*"
        className="sr-only"
        onChange={event => {
          onFile(event.target.files?.[0]);
          event.target.value = '';
        }}
      />
    </label>
  );
}

async function pictureUrl(file: File): Promise<string | null> {
  const url = await new Promise<string>(resolve => {
    const reader = new FileReader();
    reader.addEventListener('loadend', () => resolve(typeof reader.result === 'string' ? reader.result : ''));
    reader.readAsDataURL(file);
  });
  const image = new Image();
  image.src = url;
  return image.decode().then(
    () => url,
    () => null,
  );
}
