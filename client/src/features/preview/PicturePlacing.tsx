// Says where on a picture each step stands: by drawing with a pointer, or by the arrow keys.

import { useState, type CSSProperties, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react';
import type { PlayStep } from '../../player/types';
import { t } from '../../shared/i18n/en/player';
import { needsPlace, placeBetween, placeByKey, type PicturePlace, type PicturePlaces } from './picture';
import { BAR_BUTTON } from './PreviewBar';

type Point = { x: number; y: number };

const percent = (value: number): string => `${value}%`;

export const placeStyle = ({ left, top, width, height }: PicturePlace): CSSProperties => ({
  left: percent(left),
  top: percent(top),
  width: percent(width),
  height: percent(height),
});

export function PicturePlacing({
  steps,
  startAt,
  url,
  places,
  onPlaces,
  children,
}: {
  steps: readonly PlayStep[];
  startAt: number;
  url: string;
  places: PicturePlaces;
  onPlaces: (places: PicturePlaces) => void;
  /** What else can be done with the picture. */
  children: ReactNode;
}) {
  const standing = steps.filter(needsPlace);
  const [chosen, setChosen] = useState(() => {
    const first = steps.slice(startAt).find(needsPlace) ?? standing[0];
    return first?.key;
  });
  const [from, setFrom] = useState<Point | null>(null);
  const current = standing.find(({ key }) => key === chosen);

  const put = (key: string, place: PicturePlace) => onPlaces({ ...places, [key]: place });
  const draw = (event: PointerEvent<HTMLElement>) => {
    const place = from && placeBetween(from, pointOf(event));
    if (current && place) put(current.key, place);
  };
  const onKey = (event: KeyboardEvent, { key }: PlayStep) => {
    const place = placeByKey(places[key], event.key, event.shiftKey);
    if (!place) return;
    event.preventDefault();
    setChosen(key);
    put(key, place);
  };
  return (
    <>
      <div className="sticky top-0 z-10 grid gap-2 bg-stone-800 px-4 py-2 text-sm text-white">
        <div className="flex flex-wrap items-center gap-2">
          <ul aria-label={t.picture.steps} className="flex flex-wrap gap-1">
            {standing.map(step => {
              const name = `${steps.indexOf(step) + 1}. ${step.title || step.key}`;
              const placed = step.key in places;
              return (
                <li key={step.key}>
                  <button
                    type="button"
                    className={BAR_BUTTON}
                    aria-pressed={step.key === chosen}
                    aria-label={placed ? t.picture.placed(name) : name}
                    onClick={() => setChosen(step.key)}
                    onKeyDown={event => onKey(event, step)}
                  >
                    {placed ? `✓ ${name}` : name}
                  </button>
                </li>
              );
            })}
          </ul>
          <span className="ml-auto flex gap-2">{children}</span>
        </div>
        <p>{current ? t.picture.draw(current.title || current.key) : t.picture.nothing}</p>
      </div>
      <div
        className="relative mx-auto w-fit touch-none cursor-crosshair select-none"
        onPointerDown={event => {
          event.currentTarget.setPointerCapture(event.pointerId);
          setFrom(pointOf(event));
        }}
        onPointerMove={draw}
        onPointerUp={event => {
          draw(event);
          setFrom(null);
          // On to the next one that has no place yet.
          const next = standing.find(({ key }) => key !== chosen && !(key in places));
          if (from && placeBetween(from, pointOf(event)) && next) setChosen(next.key);
        }}
        onPointerCancel={() => setFrom(null)}
      >
        <img src={url} alt={t.picture.alt} draggable={false} className="block max-w-full" />
        {standing.map(step => {
          const place = places[step.key];
          return place ? (
            <div
              key={step.key}
              className={`pointer-events-none absolute border-2 ${step.key === chosen ? 'border-blue-600 bg-blue-600/15' : 'border-dashed border-stone-700 bg-white/20'}`}
              style={placeStyle(place)}
            >
              <span className="absolute top-0 left-0 bg-stone-900 px-1 text-xs font-medium text-white">
                {steps.indexOf(step) + 1}
              </span>
            </div>
          ) : null;
        })}
      </div>
    </>
  );
}

/** Where a pointer is on the picture, in percent. */
function pointOf(event: PointerEvent<HTMLElement>): Point {
  const frame = event.currentTarget.getBoundingClientRect();
  return {
    x: ((event.clientX - frame.left) / frame.width) * 100,
    y: ((event.clientY - frame.top) / frame.height) * 100,
  };
}
