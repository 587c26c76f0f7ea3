/** Drawn, or set with the arrow keys. */

import { useState, type CSSProperties, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react';
import type { PlayStep } from '../../../embed/player/types';
import { t } from '../../shared/i18n/en/player';
import { needsArea, areaBetween, areaAfterKey, type PictureArea, type PictureAreas } from './picture';
import { BAR_BUTTON } from './PreviewBar';

type Point = { x: number; y: number };

const percent = (value: number): string => `${value}%`;

export const areaStyle = ({ left, top, width, height }: PictureArea): CSSProperties => ({
  left: percent(left),
  top: percent(top),
  width: percent(width),
  height: percent(height),
});

export function PictureAreaEditor({
  steps,
  startAt,
  url,
  areas,
  onChange,
  children,
}: {
  steps: readonly PlayStep[];
  startAt: number;
  url: string;
  areas: PictureAreas;
  onChange: (areas: PictureAreas) => void;
  children: ReactNode;
}) {
  const areaSteps = steps.filter(needsArea);
  const [selectedKey, setSelectedKey] = useState(() => {
    const first = steps.slice(startAt).find(needsArea) ?? areaSteps[0];
    return first?.key;
  });
  const [from, setFrom] = useState<Point | null>(null);
  const current = areaSteps.find(({ key }) => key === selectedKey);

  const setArea = (key: string, area: PictureArea) => onChange({ ...areas, [key]: area });
  const draw = (event: PointerEvent<HTMLElement>) => {
    const area = from && areaBetween(from, pointOf(event));
    if (current && area) setArea(current.key, area);
  };
  const onKey = (event: KeyboardEvent, { key }: PlayStep) => {
    const area = areaAfterKey(areas[key], event.key, event.shiftKey);
    if (!area) return;
    event.preventDefault();
    setSelectedKey(key);
    setArea(key, area);
  };
  return (
    <>
      <div className="sticky top-0 z-10 grid gap-2 bg-stone-800 px-4 py-2 text-sm text-white">
        <div className="flex flex-wrap items-center gap-2">
          <ul aria-label={t.picture.steps} className="flex flex-wrap gap-1">
            {areaSteps.map(step => {
              const name = `${steps.indexOf(step) + 1}. ${step.title || step.key}`;
              const hasArea = step.key in areas;
              return (
                <li key={step.key}>
                  <button
                    type="button"
                    className={BAR_BUTTON}
                    aria-pressed={step.key === selectedKey}
                    aria-label={hasArea ? t.picture.placed(name) : name}
                    onClick={() => setSelectedKey(step.key)}
                    onKeyDown={event => onKey(event, step)}
                  >
                    {hasArea ? `✓ ${name}` : name}
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
          const next = areaSteps.find(({ key }) => key !== selectedKey && !(key in areas));
          if (from && areaBetween(from, pointOf(event)) && next) setSelectedKey(next.key);
        }}
        onPointerCancel={() => setFrom(null)}
      >
        <img src={url} alt={t.picture.alt} draggable={false} className="block max-w-full" />
        {areaSteps.map(step => {
          const area = areas[step.key];
          return area ? (
            <div
              key={step.key}
              className={`pointer-events-none absolute border-2 ${step.key === selectedKey ? 'border-blue-600 bg-blue-600/15' : 'border-dashed border-stone-700 bg-white/20'}`}
              style={areaStyle(area)}
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

function pointOf(event: PointerEvent<HTMLElement>): Point {
  const frame = event.currentTarget.getBoundingClientRect();
  return {
    x: ((event.clientX - frame.left) / frame.width) * 100,
    y: ((event.clientY - frame.top) / frame.height) * 100,
  };
}
