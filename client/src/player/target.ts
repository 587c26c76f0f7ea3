// Now or when it appears.

import type { Target } from './types';

export function selectorOf(target: Target): string {
  return target.by === 'DATA_TOUR' ? `[data-tour="${CSS.escape(target.value)}"]` : target.value;
}

function isVisible(element: Element): boolean {
  if (element.getClientRects().length === 0) return false;
  if (typeof element.checkVisibility === 'function') {
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
  }
  const frame = frameOf(element);
  return frame === null || isVisible(frame);
}

/** Returns null for an element in the page itself. */
export function frameOf(element: Element): Element | null {
  const view = element.ownerDocument.defaultView;
  return view === null || view === window ? null : view.frameElement;
}

/** Also searches open shadow roots and frames of the same origin if `deep`. Returns null for an invalid selector. */
export function findTarget(root: ParentNode, target: Target, deep = true): Element | null {
  try {
    return findIn(root, selectorOf(target), deep);
  } catch {
    return null;
  }
}

function findIn(root: ParentNode, selector: string, deep: boolean): Element | null {
  for (const element of root.querySelectorAll(selector)) if (isVisible(element)) return element;
  if (!deep) return null;
  for (const element of root.querySelectorAll('*')) {
    const inner = element.shadowRoot ?? documentOf(element);
    const found = inner && findIn(inner, selector, true);
    if (found) return found;
  }
  return null;
}

function documentOf(element: Element): Document | null {
  return element.localName === 'iframe' ? (element as HTMLIFrameElement).contentDocument : null;
}

function isBelow(root: Node, element: Element): boolean {
  for (let node: Element | null = element; node?.isConnected;) {
    if (root.contains(node)) return true;
    const tree = node.getRootNode();
    node = 'host' in tree ? (tree as ShadowRoot).host : frameOf(node);
  }
  return false;
}

/** Style sheets, shadow roots and frames cause no mutations of the root. */
const POLL_MS = 250;

/**
 * Calls `listener` with false at each mutation, and with true four times per second. Returns a function that stops it.
 */
function watch(root: Node, listener: (polled: boolean) => void): () => void {
  const observer = new MutationObserver(() => listener(false));
  observer.observe(root, { childList: true, subtree: true, attributes: true });
  const timer = setInterval(() => listener(true), POLL_MS);
  return () => {
    observer.disconnect();
    clearInterval(timer);
  };
}

/** Resolves with null if `waitMs` milliseconds have passed or `signal` has aborted. */
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
      stop();
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      resolve(element);
    };
    const onAbort = () => finish(null);
    // A deep search visits every element, too slow for each mutation.
    const stop = watch(root, polled => {
      const element = findTarget(root, target, polled);
      if (element) finish(element);
    });
    const timer = setTimeout(() => finish(findTarget(root, target)), waitMs);
    signal.addEventListener('abort', onAbort);
  });
}

/** Pages remove an element before they render it again. */
const GONE_MS = 500;

/** Calls `listener` once, after half a second. Stops if `signal` aborts. */
export function watchGone(root: ParentNode & Node, element: Element, listener: () => void, signal: AbortSignal): void {
  if (signal.aborted) return;
  let timer: ReturnType<typeof setTimeout> | null = null;
  const isPresent = () => isBelow(root, element) && isVisible(element);
  const stop = () => {
    unwatch();
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
  const unwatch = watch(root, check);
  signal.addEventListener('abort', stop, { once: true });
  check();
}
