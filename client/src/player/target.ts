// Finds the element of a step, now or when it appears.

import type { Target } from './types';

export function selectorOf(target: Target): string {
  return target.by === 'DATA_TOUR' ? `[data-tour="${CSS.escape(target.value)}"]` : target.value;
}

function isVisible(element: Element): boolean {
  if (element.getClientRects().length === 0) return false;
  return typeof element.checkVisibility === 'function'
    ? element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    : true;
}

/** Returns the first visible element of the target below `root`, or null, also if the selector is invalid. */
export function findTarget(root: ParentNode, target: Target): Element | null {
  let candidates: NodeListOf<Element>;
  try {
    candidates = root.querySelectorAll(selectorOf(target));
  } catch {
    return null;
  }
  for (const element of candidates) if (isVisible(element)) return element;
  return null;
}

/**
 * Waits until the target is visible below `root`. Resolves with null if `waitMs` milliseconds have passed or `signal`
 * has aborted.
 */
export function waitForTarget(
  root: ParentNode & Node,
  target: Target,
  waitMs: number,
  signal: AbortSignal,
): Promise<Element | null> {
  const present = findTarget(root, target);
  if (present || waitMs <= 0 || signal.aborted) return Promise.resolve(present);
  return new Promise(resolve => {
    const finish = (element: Element | null) => {
      observer.disconnect();
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      resolve(element);
    };
    const check = () => {
      const element = findTarget(root, target);
      if (element) finish(element);
    };
    const onAbort = () => finish(null);
    const observer = new MutationObserver(check);
    const timer = setTimeout(() => finish(findTarget(root, target)), waitMs);
    observer.observe(root, { childList: true, subtree: true, attributes: true });
    signal.addEventListener('abort', onAbort);
  });
}

/** Pages that render an element again remove the old one first, so an element may be missing for a moment. */
const GONE_MS = 500;

/** Calls `listener` once, when the element was not visible below `root` for half a second. Stops if `signal` aborts. */
export function watchGone(root: ParentNode & Node, element: Element, listener: () => void, signal: AbortSignal): void {
  if (signal.aborted) return;
  let timer: ReturnType<typeof setTimeout> | null = null;
  const isPresent = () => root.contains(element) && isVisible(element);
  const stop = () => {
    observer.disconnect();
    if (timer !== null) clearTimeout(timer);
  };
  const check = () => {
    if (isPresent()) {
      if (timer !== null) clearTimeout(timer);
      timer = null;
    } else
      timer ??= setTimeout(() => {
        timer = null;
        if (isPresent()) return;
        stop();
        listener();
      }, GONE_MS);
  };
  const observer = new MutationObserver(check);
  observer.observe(root, { childList: true, subtree: true, attributes: true });
  signal.addEventListener('abort', stop, { once: true });
  check();
}
