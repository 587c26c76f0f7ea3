// Now or when it appears.

import type { Target } from './types';

export function selectorOf(target: Target): string {
  return target.by === 'DATA_TOUR' ? `[data-tour="${CSS.escape(target.value)}"]` : target.value;
}

/** Returns the element, or the range of its content if it has no box. */
function boxed(element: Element): Element | Range {
  if (element.getClientRects().length > 0 || getComputedStyle(element).display !== 'contents') return element;
  const content = element.ownerDocument.createRange();
  content.selectNodeContents(element);
  return content;
}

export const hasBox = (element: Element): boolean => boxed(element).getClientRects().length > 0;

/** Returns the box in the window of the element's document. */
export const rectOf = (element: Element): DOMRect => boxed(element).getBoundingClientRect();

/** Returns the element and those around it in the layout: of slots, shadow roots and frames, too. */
export function layoutPath(element: Element): Element[] {
  const tree = element.getRootNode();
  const parent = element.assignedSlot ?? element.parentElement;
  const outer = parent ?? ('host' in tree ? (tree as ShadowRoot).host : frameOf(element));
  return outer ? [element, ...layoutPath(outer)] : [element];
}

/** Returns the shadow roots and documents around the element, from the inside. */
export const treesOf = (element: Element): Set<Node> => new Set(layoutPath(element).map(each => each.getRootNode()));

/** True if the visitor cannot use the element, because an element around it or the page behind a dialog is inert. */
function isInert(element: Element): boolean {
  const dialogs = [...document.querySelectorAll('dialog:modal')];
  const dialog = dialogs.findLast(each => each.contains(document.activeElement)) ?? dialogs.at(-1);
  const path = layoutPath(element);
  return (dialog && !path.includes(dialog)) || path.some(each => each.hasAttribute('inert'));
}

function isVisible(element: Element): boolean {
  const box = boxed(element);
  if (box.getClientRects().length === 0) return false;
  const seen = box === element ? element : layoutPath(element)[1];
  if (typeof seen?.checkVisibility === 'function') {
    if (!seen.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
  }
  const frame = frameOf(element);
  return frame === null || isVisible(frame);
}

/** Returns null for an element in the page itself. */
export function frameOf(element: Element): Element | null {
  const view = element.ownerDocument.defaultView;
  return view === null || view === window ? null : view.frameElement;
}

/** Options of a search for an element. */
export interface TargetSearch {
  /** True, the default, to search open shadow roots and frames of the same origin too. */
  deep?: boolean;
  /** True if an inert element counts as missing. */
  mustBeUsable?: boolean;
}

/** Returns the first visible element. Returns null for an invalid selector. */
export function findTarget(root: ParentNode, target: Target, search: TargetSearch = {}): Element | null {
  try {
    return findIn(root, selectorOf(target), search);
  } catch {
    return null;
  }
}

function findIn(root: ParentNode, selector: string, search: TargetSearch): Element | null {
  const { deep = true, mustBeUsable } = search;
  for (const element of root.querySelectorAll(selector))
    if (isVisible(element) && !(mustBeUsable && isInert(element))) return element;
  if (!deep) return null;
  for (const element of root.querySelectorAll('*')) {
    const inner = element.shadowRoot ?? documentOf(element);
    const found = inner && findIn(inner, selector, search);
    if (found) return found;
  }
  return null;
}

function documentOf(element: Element): Document | null {
  return element.localName === 'iframe' ? (element as HTMLIFrameElement).contentDocument : null;
}

/** Style sheets, shadow roots and frames cause no mutations of the root. */
const POLL_MS = 250;
/** While nothing is missing. */
const QUIET_POLL_MS = 2000;

/** Calls `listener` with false at each mutation of a root, and with true periodically. Returns a function that stops it. */
function watch(roots: Iterable<Node>, listener: (polled: boolean) => void, pollMs = POLL_MS): () => void {
  const observer = new MutationObserver(() => listener(false));
  for (const root of roots) observer.observe(root, { childList: true, subtree: true, attributes: true });
  const timer = setInterval(() => listener(true), pollMs);
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
  mustBeUsable = false,
): Promise<Element | null> {
  const find = (deep: boolean) => findTarget(root, target, { deep, mustBeUsable });
  const present = find(true);
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
    const stop = watch([root], polled => {
      const element = find(polled);
      if (element) finish(element);
    });
    const timer = setTimeout(() => finish(find(true)), waitMs);
    signal.addEventListener('abort', onAbort);
  });
}

/** Pages remove an element before they render it again. The visitor then sees that the tour waits. */
const GONE_MS = 300;

export interface FollowOptions {
  /** True if an inert element counts as missing. */
  mustBeUsable: boolean;
  replaced: (by: Element) => void;
  /** Called once, when the element has been missing for 0.3 seconds. */
  gone: () => void;
}

/** Searches for a replacement before the browser draws the page without the element. Stops if `signal` aborts. */
export function followTarget(
  root: ParentNode & Node,
  target: Target,
  element: Element,
  { mustBeUsable, replaced, gone }: FollowOptions,
  signal: AbortSignal,
): void {
  if (signal.aborted) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** A replacement is usually in the same ones. */
  let trees = new Set<Node>();
  let unwatch = () => {};
  const isPresent = () => treesOf(element).has(document) && isVisible(element) && !(mustBeUsable && isInert(element));
  const stop = () => {
    unwatch();
    clearTimeout(timer);
    timer = undefined;
  };
  const follow = (other: Element) => {
    stop();
    element = other;
    trees = treesOf(other);
    unwatch = watch([root, ...trees], check, QUIET_POLL_MS);
  };
  const search = (deep: boolean) => {
    const find = (tree: ParentNode, isDeep: boolean) => findTarget(tree, target, { deep: isDeep, mustBeUsable });
    const inTree = [...trees].map(tree => tree !== document && find(tree as Document, false));
    return inTree.find(Boolean) || find(root, deep);
  };
  const check = (deep: boolean) => {
    if (isPresent()) {
      clearTimeout(timer);
      timer = undefined;
      return;
    }
    const other = search(deep);
    if (other) {
      follow(other);
      replaced(other);
    } else timer ??= setTimeout(onMissing, GONE_MS);
  };
  const onMissing = () => {
    check(true);
    if (isPresent()) return;
    stop();
    gone();
  };
  signal.addEventListener('abort', stop, { once: true });
  follow(element);
  check(false);
}
