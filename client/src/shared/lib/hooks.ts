import { useSyncExternalStore, useEffect, useState, useLayoutEffect, type RefObject } from 'react';
import { createStore } from '../create-store';

const NOW_STEP_MS = 30_000;

const currentStep = () => Math.floor(Date.now() / NOW_STEP_MS) * NOW_STEP_MS + NOW_STEP_MS;

const steps = createStore(0, () => {
  const timer = window.setInterval(() => steps.set(currentStep()), NOW_STEP_MS);
  return () => window.clearInterval(timer);
});

/** Changes every half minute, to avoid needless renders. */
export const useNow = (): number => useSyncExternalStore(steps.subscribe, currentStep);

export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Waypost`;
  }, [title]);
}

/** Restores the previous title afterwards. Null does not change it. */
export function useTemporaryPageTitle(title: string | null): void {
  useEffect(() => {
    if (title === null) return undefined;
    const previous = document.title;
    document.title = `${title} · Waypost`;
    return () => {
      document.title = previous;
    };
  }, [title]);
}

function subscribeVisibility(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}

/** Hidden tabs close subscriptions, because browsers open six HTTP/1.1 connections per server. */
export const useVisible = (): boolean =>
  useSyncExternalStore(subscribeVisibility, () => document.visibilityState === 'visible');

/** Null before the first measurement. */
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

/** Avoids a request for each step of a slider. */
export function useDebouncedValue<T>(value: T, ms = 250): T {
  const [debounced, setDebounced] = useState(value);
  const text = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(JSON.parse(text) as T), ms);
    return () => clearTimeout(timer);
  }, [text, ms]);
  return debounced;
}

/** Moves the focus to `next` when the item with the focus is removed. */
export function useFocusAfter(item: RefObject<HTMLElement | null>, next: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = item.current;
    return () => {
      if (element?.contains(document.activeElement)) focusIn(next);
    };
  }, [item, next]);
}

const focusIn = ({ current }: RefObject<HTMLElement | null>): void =>
  current?.querySelector<HTMLElement>(':is(select, textarea, button)')?.focus({ preventScroll: true });
