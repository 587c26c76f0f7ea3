import { useSyncExternalStore, useEffect, useState, useLayoutEffect, type RefObject } from 'react';

const NOW_STEP_MS = 30_000;
const nowListeners = new Set<() => void>();
let timer: number | undefined;

function subscribeNow(listener: () => void): () => void {
  nowListeners.add(listener);
  timer ??= window.setInterval(() => {
    for (const each of nowListeners) each();
  }, NOW_STEP_MS);
  return () => {
    nowListeners.delete(listener);
    if (nowListeners.size === 0) {
      window.clearInterval(timer);
      timer = undefined;
    }
  };
}

const currentStep = () => Math.floor(Date.now() / NOW_STEP_MS) * NOW_STEP_MS + NOW_STEP_MS;

/** The time, for texts like "3 minutes ago". Moves every half minute, so that components do not render for nothing. */
export const useNow = (): number => useSyncExternalStore(subscribeNow, currentStep);

/** Names the browser tab after the screen. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Waypost`;
  }, [title]);
}

function subscribeVisibility(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}

/**
 * Whether this tab is in front. Live streams are closed in hidden tabs: over HTTP/1.1 a browser opens six connections to
 * a server for all tabs together, and each stream holds one.
 */
export const useVisible = (): boolean =>
  useSyncExternalStore(subscribeVisibility, () => document.visibilityState === 'visible');

/** The width of an element in CSS pixels, kept current; null before the first measurement. */
export function useWidth(ref: RefObject<HTMLElement | null>): number | null {
  const [width, setWidth] = useState<number | null>(null);
  useEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(([entry]) => entry && setWidth(entry.contentRect.width));
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return width;
}

/** A value as soon as it has been the same for a while: what depends on it is not asked for at each step of a slider. */
export function useDebouncedValue<T>(value: T, ms = 250): T {
  const [settled, setSettled] = useState(value);
  const text = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(text) as T), ms);
    return () => clearTimeout(timer);
  }, [text, ms]);
  return settled;
}

/** Where an item goes away while the focus is in it, the first field or button in `next` gets the focus. */
export function useFocusAfter(item: RefObject<HTMLElement | null>, next: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const gone = item.current;
    return () => {
      if (gone?.contains(document.activeElement)) focusIn(next);
    };
  }, [item, next]);
}

const focusIn = ({ current }: RefObject<HTMLElement | null>): void =>
  current?.querySelector<HTMLElement>(':is(select, textarea, button)')?.focus({ preventScroll: true });
