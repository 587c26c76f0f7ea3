import { browserPath, pageFacts, type PageFacts, type PageFactsOptions } from './page-facts';
import { type FollowOptions, followTarget, waitForTarget } from './target';
import type { Target } from './types';

export interface Page extends PageFacts {
  /** Null after `waitMs` milliseconds. An inert element counts as missing if it must be usable. */
  locate(target: Target, waitMs: number, signal: AbortSignal, mustBeUsable: boolean): Promise<Element | null>;
  /** Calls the listener once, when an element that matches the selector is visible. */
  onElement(selector: string, listener: () => void, signal: AbortSignal): void;
  /** Reports each replacement of the element, and its end. */
  follow(target: Target, element: Element, options: FollowOptions, signal: AbortSignal): void;
  /** A click, an input, or a sent form. */
  onUse(listener: () => void, signal: AbortSignal): void;
}

/** 24 days. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Path and locale are the browser's by default. */
export interface PageOptions extends Partial<PageFactsOptions> {
  root: ParentNode & Node;
}

export const browserPage = ({ root, ...facts }: PageOptions): Page =>
  pageWithElements(pageFacts({ path: browserPath, locale: () => navigator.language, ...facts }), root);

export const pageWithElements = (facts: PageFacts, root: ParentNode & Node): Page => ({
  ...facts,
  locate: (target, waitMs, signal, mustBeUsable) => waitForTarget(root, target, waitMs, signal, mustBeUsable),
  onElement(selector, listener, signal) {
    void waitForTarget(root, { by: 'SELECTOR', value: selector }, MAX_TIMER_MS, signal).then(element => {
      if (element && !signal.aborted) listener();
    });
  },
  follow: (target, element, options, signal) => followTarget(root, target, element, options, signal),
  onUse(listener, signal) {
    // The page may stop the propagation.
    for (const type of ['click', 'input', 'submit']) root.addEventListener(type, listener, { signal, capture: true });
  },
});
