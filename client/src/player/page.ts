// The player's view of the page: its elements, its path and its events.

import { deviceOf, evaluate, type Condition, type Facts } from './condition';
import { PAGE_EVENT } from './page-event';
import { onAddress } from './path-pattern';
import { waitForTarget, watchGone } from './target';
import type { Target } from './types';

/** All listeners are removed when their signal aborts. */
export interface Page {
  /** Resolves with a step's element, or with null if it does not appear within `waitMs` milliseconds. */
  locate(target: Target, waitMs: number, signal: AbortSignal): Promise<Element | null>;
  /** Calls the listener once, when an element that matches the selector is visible. */
  onElement(selector: string, listener: () => void, signal: AbortSignal): void;
  /** Calls the listener once, when the element has been missing or invisible for half a second. */
  onGone(element: Element, listener: () => void, signal: AbortSignal): void;
  path(): string;
  onPath(listener: () => void, signal: AbortSignal): void;
  /** Calls the listener when the visitor uses the page: a click, an input, or a form that is sent. */
  onUse(listener: () => void, signal: AbortSignal): void;
  /** Calls the listener with the name of each event that the page reports. */
  onEvent(listener: (name: string) => void, signal: AbortSignal): void;
  evaluate(condition: Condition): boolean;
}

function onPageEvent(listener: (name: string) => void, signal: AbortSignal): void {
  const onCustomEvent = (event: Event) => {
    if (event instanceof CustomEvent && typeof event.detail === 'string') listener(event.detail);
  };
  window.addEventListener(PAGE_EVENT, onCustomEvent, { signal });
}

/** The longest delay of a timer in browsers: 24 days. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export interface PageOptions {
  root: ParentNode & Node;
  properties: () => Facts['properties'];
  /** Source of the path if it is not the browser's address. */
  address?: Pick<Page, 'path' | 'onPath'>;
}

export function browserPage({ root, properties, address }: PageOptions): Page {
  const path = address?.path ?? (() => location.pathname + location.search);
  return {
    locate: (target, waitMs, signal) => waitForTarget(root, target, waitMs, signal),
    onElement(selector, listener, signal) {
      void waitForTarget(root, { by: 'SELECTOR', value: selector }, MAX_TIMER_MS, signal).then(element => {
        if (element && !signal.aborted) listener();
      });
    },
    onGone: (element, listener, signal) => watchGone(root, element, listener, signal),
    path,
    onPath: address?.onPath ?? onAddress,
    onUse(listener, signal) {
      // In the capture phase, because the page may stop the propagation.
      for (const type of ['click', 'input', 'submit']) root.addEventListener(type, listener, { signal, capture: true });
    },
    onEvent: onPageEvent,
    evaluate: condition =>
      evaluate(condition, { path: path(), locale: navigator.language, device: deviceOf(), properties: properties() }),
  };
}
