/**
 * The item follows the pointer, a line shows the drop position, and the list changes only on drop. Escape cancels.
 */
import {
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type PointerEvent as ReactPointerEvent,
  type RefObject,
} from 'react';

export interface Drag {
  readonly from: number;
  readonly to: number;
  /** The distance below the top of the list, in pixels. */
  readonly line: number;
}

/** The distance in pixels. */
const DRAG_THRESHOLD = 4;
const SCROLL_EDGE = 56;
const MAX_SCROLL_STEP = 16;

interface Press {
  readonly index: number;
  readonly pointerId: number;
  readonly item: HTMLElement;
  readonly startY: number;
  /** The distance from the top of the item. */
  readonly grip: number;
}

/** `press` is for the `onPointerDown` of drag handles. The children of `list` are the items. */
export function useReorder(
  list: RefObject<HTMLElement | null>,
  onMove: (from: number, to: number) => void,
): { drag: Drag | null; press: (index: number, event: ReactPointerEvent<HTMLElement>) => void } {
  const [pressed, setPressed] = useState<Press | null>(null);
  const [drag, setDrag] = useState<Drag | null>(null);
  const last = useRef<Drag | null>(null);
  const drop = useEffectEvent(onMove);

  useEffect(() => {
    const element = list.current;
    if (!pressed || !element) return undefined;
    const { index, item, pointerId, startY, grip } = pressed;
    let y = startY;
    let frame = 0;
    let dragging = false;

    const show = (next: Drag | null) => {
      const before = last.current;
      if (before?.to === next?.to && before?.line === next?.line) return;
      last.current = next;
      setDrag(next);
    };
    const follow = () => {
      item.style.translate = '';
      const { top, height } = item.getBoundingClientRect();
      const inside = element.getBoundingClientRect();
      // The item would extend the scrollable area.
      const wanted = Math.max(inside.top, Math.min(inside.bottom - height, y - grip));
      item.style.translate = `0 ${Math.round(wanted - top)}px`;
      const { to, line } = dropPosition(element, item, y);
      show({ from: index, to, line });
    };
    const scroll = () => {
      frame = requestAnimationFrame(scroll);
      if (dragging && scrollAtEdge(element, y)) follow();
    };
    const move = (event: PointerEvent) => {
      if (event.pointerId !== pointerId) return;
      y = event.clientY;
      if (!dragging && Math.abs(y - startY) < DRAG_THRESHOLD) return;
      dragging = true;
      follow();
    };
    const end = (dropped: boolean) => {
      const at = last.current;
      show(null);
      setPressed(null);
      if (dropped && at && at.to !== at.from) drop(at.from, at.to);
    };
    const up = (event: PointerEvent) => {
      if (event.pointerId !== pointerId) return;
      // It would activate the button below the pointer.
      if (dragging) window.addEventListener('click', suppress, { capture: true, once: true });
      window.setTimeout(() => window.removeEventListener('click', suppress, { capture: true }));
      end(true);
    };
    const cancel = () => end(false);
    const key = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      cancel();
    };
    window.addEventListener('pointermove', move);
    window.addEventListener('pointerup', up);
    window.addEventListener('pointercancel', cancel);
    window.addEventListener('blur', cancel);
    window.addEventListener('keydown', key, true);
    frame = requestAnimationFrame(scroll);
    return () => {
      cancelAnimationFrame(frame);
      item.style.translate = '';
      last.current = null;
      window.removeEventListener('pointermove', move);
      window.removeEventListener('pointerup', up);
      window.removeEventListener('pointercancel', cancel);
      window.removeEventListener('blur', cancel);
      window.removeEventListener('keydown', key, true);
    };
  }, [pressed, list]);

  return {
    drag,
    press: (index, event) => {
      const item = list.current?.children[index];
      if (event.button !== 0 || !(item instanceof HTMLElement)) return;
      setPressed({
        index,
        item,
        pointerId: event.pointerId,
        startY: event.clientY,
        grip: event.clientY - item.getBoundingClientRect().top,
      });
    },
  };
}

function suppress(event: Event): void {
  event.preventDefault();
  event.stopPropagation();
}

function dropPosition(list: HTMLElement, item: HTMLElement, y: number): { to: number; line: number } {
  const { top } = list.getBoundingClientRect();
  const others = [...list.children].filter(each => each !== item).map(each => each.getBoundingClientRect());
  const to = others.filter(each => each.top + each.height / 2 < y).length;
  const [above, below] = [others[to - 1], others[to]];
  const middle = above && below ? (above.bottom + below.top) / 2 : (above?.bottom ?? below?.top ?? top);
  return { to, line: Math.round(middle - top) };
}

/** Returns true if it scrolled. */
function scrollAtEdge(list: HTMLElement, y: number): boolean {
  const box = scrollerOf(list);
  const { top, bottom } =
    box === document.scrollingElement ? { top: 0, bottom: window.innerHeight } : box.getBoundingClientRect();
  const over = y < top + SCROLL_EDGE ? y - top - SCROLL_EDGE : y > bottom - SCROLL_EDGE ? y - bottom + SCROLL_EDGE : 0;
  if (over === 0) return false;
  const before = box.scrollTop;
  box.scrollBy({ top: Math.max(-MAX_SCROLL_STEP, Math.min(MAX_SCROLL_STEP, over / 3)), behavior: 'instant' });
  return box.scrollTop !== before;
}

function scrollerOf(list: HTMLElement): Element {
  for (let at: HTMLElement | null = list; at; at = at.parentElement) {
    if (at.scrollHeight > at.clientHeight && /auto|scroll/.test(getComputedStyle(at).overflowY)) return at;
  }
  return document.scrollingElement ?? document.documentElement;
}
