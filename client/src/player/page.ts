// The page around a run, as the player asks about it: elements, the path, what the page says has happened.

import { deviceOf, holds, type Condition, type Facts } from './condition';
import { PAGE_EVENT } from './page-event';
import { onAddress } from './path';
import { waitForTarget, watchGone } from './target';
import type { Target } from './types';

/** Whatever is watched is watched until the signal aborts. */
export interface Page {
  /** Finds a step's element; null when it did not appear in time. */
  locate(target: Target, waitMs: number, signal: AbortSignal): Promise<Element | null>;
  /** Calls once, when an element that fits the selector can be seen. */
  onElement(selector: string, listener: () => void, signal: AbortSignal): void;
  /** Calls once, when the element has not been there, or not to be seen, for a moment. */
  onGone(element: Element, listener: () => void, signal: AbortSignal): void;
  path(): string;
  onPath(listener: () => void, signal: AbortSignal): void;
  /** Calls with the name of whatever the page says has happened. */
  onEvent(listener: (name: string) => void, signal: AbortSignal): void;
  holds(condition: Condition): boolean;
}

function onPageEvent(listener: (name: string) => void, signal: AbortSignal): void {
  const heard = (event: Event) => {
    if (event instanceof CustomEvent && typeof event.detail === 'string') listener(event.detail);
  };
  window.addEventListener(PAGE_EVENT, heard, { signal });
}

/** As long as a timer can be set for: 24 days. */
const FOR_EVER = 2 ** 31 - 1;

export interface PageOptions {
  root: ParentNode & Node;
  properties: () => Facts['properties'];
  /** Where the page keeps its path, when that is not the address. */
  address?: Pick<Page, 'path' | 'onPath'>;
}

export function browserPage({ root, properties, address }: PageOptions): Page {
  const path = address?.path ?? (() => location.pathname);
  return {
    locate: (target, waitMs, signal) => waitForTarget(root, target, waitMs, signal),
    onElement(selector, listener, signal) {
      void waitForTarget(root, { by: 'SELECTOR', value: selector }, FOR_EVER, signal).then(element => {
        if (element && !signal.aborted) listener();
      });
    },
    onGone: (element, listener, signal) => watchGone(root, element, listener, signal),
    path,
    onPath: address?.onPath ?? onAddress,
    onEvent: onPageEvent,
    holds: condition =>
      holds(condition, { path: path(), locale: navigator.language, device: deviceOf(), properties: properties() }),
  };
}
