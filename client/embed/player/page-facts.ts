import { deviceOf, evaluate, type Condition, type Facts } from './condition';
import { PAGE_EVENT } from './page-event';
import { onAddress } from './path-pattern';

/** Listeners are removed when their signal aborts. */
export interface PageFacts {
  /** Returns the path with host and query: `//app.example.com/billing?tab=1`. */
  path(): string;
  onPath(listener: () => void, signal: AbortSignal): void;
  onEvent(listener: (name: string) => void, signal: AbortSignal): void;
  evaluate(condition: Condition): boolean;
}

function onPageEvent(listener: (name: string) => void, signal: AbortSignal): void {
  addEventListener(
    PAGE_EVENT,
    event => {
      const { detail } = event as CustomEvent<unknown>;
      if (typeof detail === 'string') listener(detail);
    },
    { signal },
  );
}

export interface PageFactsOptions {
  /** See {@link Facts.testVisitor}. */
  testVisitor?: Facts['testVisitor'];
  path: PageFacts['path'];
  onPath?: PageFacts['onPath'];
  locale: () => string;
}

export const browserPath = (): string => location.href.replace(/^\w+:|#.*/g, '');

export const pageFacts = ({ testVisitor, path, onPath = onAddress, locale }: PageFactsOptions): PageFacts => ({
  path,
  onPath,
  onEvent: onPageEvent,
  evaluate: condition => evaluate(condition, { path: path(), locale: locale(), device: deviceOf(), testVisitor }),
});
