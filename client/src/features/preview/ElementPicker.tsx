/** The demo page with a labeled button on each `data-tour` element. */

import { useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { DemoShop } from '../../demo/DemoShop';
import { t } from '../../shared/i18n/en/player';
import { cx } from '../../shared/lib/class-names';
import { paths } from '../../shared/lib/paths';
import { BAR_BUTTON, PreviewBar } from './PreviewBar';
import { useOverlay, useEscape } from './use-overlay';

interface Mark {
  readonly name: string;
  readonly zIndex: number;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

type Box = Omit<Mark, 'zIndex'>;

export function ElementPicker({ onPick, onClose }: { onPick: (name: string) => void; onClose: () => void }) {
  const content = useRef<HTMLDivElement>(null);
  const [path, setPath] = useState<string>(paths.play);
  const [marks, setMarks] = useState<readonly Mark[]>([]);
  const [clickedOutside, setClickedOutside] = useState(false);
  useOverlay();
  useEscape(onClose);
  const first = useRef<HTMLButtonElement>(null);
  const ready = marks.length > 0;
  useEffect(() => {
    if (ready) first.current?.focus();
  }, [ready]);
  useEffect(() => {
    const page = content.current;
    if (!page) return;
    const measure = () => setMarks(marksOf(page));
    // The page is inert.
    const wrapper = page.parentElement;
    const onClick = (event: MouseEvent) => setClickedOutside(event.target === wrapper);
    wrapper?.addEventListener('click', onClick);
    // The ResizeObserver also reports the initial size, the MutationObserver navigation in the demo.
    const sizes = new ResizeObserver(measure);
    const elements = new MutationObserver(measure);
    sizes.observe(page);
    elements.observe(page, { childList: true, subtree: true });
    return () => {
      sizes.disconnect();
      elements.disconnect();
      wrapper?.removeEventListener('click', onClick);
    };
  }, []);
  return createPortal(
    <>
      <section
        aria-label={t.picker.region}
        className="fixed inset-x-0 top-11 bottom-0 z-50 overflow-auto bg-stone-50 dark:bg-stone-950"
      >
        <div className="relative min-h-full">
          <div ref={content} inert className="min-h-full">
            <DemoShop path={path} onGo={setPath} customer="guest" onCustomer={() => undefined} />
          </div>
          {marks.map(({ name, ...place }, index) => (
            <button
              key={name}
              type="button"
              ref={index === 0 ? first : undefined}
              aria-label={name}
              className="absolute rounded-sm border-2 border-dashed border-blue-600 hover:bg-blue-600/20 focus-visible:bg-blue-600/20"
              style={place}
              onClick={() => onPick(name)}
            >
              <span className="absolute top-full -left-0.5 rounded-b-sm bg-blue-700 whitespace-nowrap px-1 font-mono text-xs text-white">
                {name}
              </span>
            </button>
          ))}
        </div>
      </section>
      <PreviewBar title={t.picker.title}>
        <span
          role="status"
          className={cx('min-w-0 flex-1 truncate', clickedOutside ? 'font-medium text-amber-300' : 'text-stone-300')}
        >
          {clickedOutside ? t.picker.elementWithoutName : t.picker.hint}
        </span>
        <div role="group" aria-label={t.picker.pages} className="flex gap-1">
          <button
            type="button"
            className={BAR_BUTTON}
            aria-pressed={path === paths.play}
            onClick={() => setPath(paths.play)}
          >
            {t.picker.shop}
          </button>
          <button
            type="button"
            className={BAR_BUTTON}
            aria-pressed={path === paths.playCart}
            onClick={() => setPath(paths.playCart)}
          >
            {t.picker.cart}
          </button>
        </div>
        <button type="button" className={BAR_BUTTON} onClick={() => onClose()}>
          {t.picker.cancel}
        </button>
      </PreviewBar>
    </>,
    document.body,
  );
}

/** Returns the named elements in document order. Smaller ones have a higher z-index, so nested ones stay reachable. */
function marksOf(page: HTMLElement): Mark[] {
  const frame = page.getBoundingClientRect();
  const marks = [...page.querySelectorAll<HTMLElement>('[data-tour]')].map((element): Box => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return { name: element.dataset['tour'] ?? '', left: left - frame.left, top: top - frame.top, width, height };
  });
  const smaller = (a: Box, b: Box) => a.width * a.height < b.width * b.height;
  return marks.map(mark => ({ ...mark, zIndex: marks.filter(other => smaller(mark, other)).length }));
}
