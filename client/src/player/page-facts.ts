import { deviceOf, evaluate, type Condition, type Facts } from './condition';
import { PAGE_EVENT } from './page-event';
import { onAddress } from './path-pattern';

/** Listeners are removed when their signal aborts. */
export interface PageFacts {
  /** Includes host and query: `//app.example.com/billing?tab=1`. */
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
  address?: Pick<PageFacts, 'path' | 'onPath'>;
  /** The browser's by default. */
  locale?: () => string;
}

export function pageFacts({ testVisitor, address, locale = () => navigator.language }: PageFactsOptions): PageFacts {
  const path = address?.path ?? (() => location.href.replace(/^\w+:|#.*/g, ''));
  return {
    path,
    onPath: address?.onPath ?? onAddress,
    onEvent: onPageEvent,
    evaluate: condition => evaluate(condition, { path: path(), locale: locale(), device: deviceOf(), testVisitor }),
  };
}
