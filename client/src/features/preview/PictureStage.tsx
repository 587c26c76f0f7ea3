// A tour over a picture that the author pastes, drops or chooses. It is read into this window and goes nowhere else.

import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react';
import type { PlayStep, PlayTheme } from '../../player/types';
import { t } from '../../shared/i18n/en/player';
import { stepsOnPicture, type PicturePlaces } from './picture';
import { PicturePlacing, placeStyle } from './PicturePlacing';
import { BAR_BUTTON } from './PreviewBar';
import { useEscape } from './use-overlay';
import { usePreviewRun, type PreviewNews } from './use-preview-run';

export interface StageProps {
  steps: readonly PlayStep[];
  theme: PlayTheme;
  startAt: number;
  onStatus: (status: string) => void;
}

interface Picture {
  readonly url: string;
  readonly places: PicturePlaces;
}

/** The picture of each tour, until the page is left. */
const kept = new Map<string, Picture>();

export function PictureStage({
  tourId,
  steps,
  theme,
  startAt,
  onStatus,
  onEnd,
}: StageProps & { tourId: string; onEnd: () => void }) {
  const [picture, setPicture] = useState(kept.get(tourId) ?? null);
  const [playing, setPlaying] = useState(false);
  const surface = useRef<HTMLElement>(null);
  const keep = (next: Picture) => {
    kept.set(tourId, next);
    setPicture(next);
  };
  const take = async (file: File | undefined) => {
    if (!file || playing) return;
    const url = await pictureUrl(file);
    onStatus(url === null ? t.picture.noPicture : '');
    // The same page in another state: what was placed is likely to be right still.
    if (url !== null) keep({ url, places: picture?.places ?? {} });
  };
  const takeFrom = useEffectEvent((data: DataTransfer | null) => void take(data?.files[0]));
  useEffect(() => {
    const left = new AbortController();
    const { signal } = left;
    document.addEventListener('paste', event => takeFrom(event.clipboardData), { signal });
    document.addEventListener('dragover', event => event.preventDefault(), { signal });
    const dropped = (event: DragEvent) => {
      event.preventDefault();
      takeFrom(event.dataTransfer);
    };
    document.addEventListener('drop', dropped, { signal });
    return () => left.abort();
  }, []);
  // While the tour plays, Escape ends it and leads back here.
  useEscape(() => {
    if (!playing) onEnd();
  });
  return (
    <section
      ref={surface}
      aria-label={t.picture.region}
      className="fixed inset-x-0 top-11 bottom-0 z-50 overflow-auto bg-stone-100 text-stone-900 dark:bg-stone-950 dark:text-stone-100"
    >
      {picture === null ? (
        <div className="mx-auto mt-16 grid max-w-lg justify-items-center gap-4 rounded-card border border-dashed border-stone-400 p-8 text-center">
          <h2 className="text-lg font-semibold">{t.picture.title}</h2>
          <p>{t.picture.paste}</p>
          <PictureInput label={t.picture.choose} onFile={file => void take(file)} />
        </div>
      ) : (
        <>
          {playing ? (
            <>
              <Places picture={picture} />
              <PictureRun
                root={surface}
                steps={steps}
                places={picture.places}
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
            <PicturePlacing
              steps={steps}
              startAt={startAt}
              url={picture.url}
              places={picture.places}
              onPlaces={places => keep({ ...picture, places })}
            >
              <PictureInput label={t.picture.other} onFile={file => void take(file)} />
              <button type="button" className={BAR_BUTTON} onClick={() => setPlaying(true)}>
                {t.picture.play}
              </button>
            </PicturePlacing>
          )}
        </>
      )}
    </section>
  );
}

/** The places as elements that a tour can point at, with nothing to see. */
function Places({ picture: { url, places } }: { picture: Picture }) {
  return (
    <div className="relative mx-auto w-fit">
      <img src={url} alt={t.picture.alt} className="block max-w-full" />
      {Object.entries(places).map(([key, place]) => (
        <div key={key} data-place={key} className="absolute" style={placeStyle(place)} />
      ))}
    </div>
  );
}

/** The run itself; it draws nothing of its own. */
function PictureRun({
  steps,
  places,
  onStatus,
  ...run
}: StageProps & { root: RefObject<HTMLElement | null>; places: PicturePlaces; onEnd: (empty: boolean) => void }) {
  const [shown] = useState(() => stepsOnPicture(steps, places));
  usePreviewRun({ ...run, steps: shown, page: stillPage, onNews: news => onStatus(onPicture(news)) });
  return null;
}

/** A picture has one address and says nothing of itself. */
const stillPage = { properties: () => ({}), address: { path: () => '/', onPath: () => undefined } };

function onPicture(news: PreviewNews): string {
  switch (news.kind) {
    case 'shown':
    case 'waits':
      return '';
    case 'missing':
      return t.picture.missing(news.step);
    case 'passed':
      return t.picture.passed(news.step);
    default:
      return news satisfies never;
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

/** The file as an address that only this window knows; null when the browser cannot show it. */
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
