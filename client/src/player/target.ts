// Finds the element that a step points at, now or when it appears.

import type { Target } from './types';

/** The CSS selector of a target. */
export function selectorOf(target: Target): string {
  return target.by === 'DATA_TOUR' ? `[data-tour="${CSS.escape(target.value)}"]` : target.value;
}

function isVisible(element: Element): boolean {
  if (element.getClientRects().length === 0) return false;
  return typeof element.checkVisibility === 'function'
    ? element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    : true;
}

/** The first visible element of the target below `root`. A selector that the browser refuses finds nothing. */
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
 * Waits until the target is visible below `root`: at once if it is there, otherwise after the change of the page that
 * brings it. Null when `waitMs` milliseconds have passed or `signal` has ended the wait.
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
    const look = () => {
      const element = findTarget(root, target);
      if (element) finish(element);
    };
    const onAbort = () => finish(null);
    const observer = new MutationObserver(look);
    const timer = setTimeout(() => finish(findTarget(root, target)), waitMs);
    observer.observe(root, { childList: true, subtree: true, attributes: true });
    signal.addEventListener('abort', onAbort);
  });
}

/** A page that draws an element anew takes the old one away first. */
const GONE_MS = 500;

/** Calls once, when the element has not been visible below `root` for half a second; not after `signal` has aborted. */
export function watchGone(root: ParentNode & Node, element: Element, listener: () => void, signal: AbortSignal): void {
  if (signal.aborted) return;
  let timer: ReturnType<typeof setTimeout> | null = null;
  const isThere = () => root.contains(element) && isVisible(element);
  const stop = () => {
    observer.disconnect();
    if (timer !== null) clearTimeout(timer);
  };
  const look = () => {
    if (isThere()) {
      if (timer !== null) clearTimeout(timer);
      timer = null;
    } else
      timer ??= setTimeout(() => {
        timer = null;
        if (isThere()) return;
        stop();
        listener();
      }, GONE_MS);
  };
  const observer = new MutationObserver(look);
  observer.observe(root, { childList: true, subtree: true, attributes: true });
  signal.addEventListener('abort', stop, { once: true });
  look();
}
