import {
  cloneElement,
  useEffect,
  useId,
  useRef,
  useState,
  type FocusEvent,
  type PointerEvent,
  type ReactElement,
} from 'react';
import { createPortal, flushSync } from 'react-dom';

interface TargetProps {
  onPointerEnter?: (event: PointerEvent<HTMLElement>) => void;
  onPointerLeave?: (event: PointerEvent<HTMLElement>) => void;
  onPointerDown?: (event: PointerEvent<HTMLElement>) => void;
  onFocus?: (event: FocusEvent<HTMLElement>) => void;
  onBlur?: (event: FocusEvent<HTMLElement>) => void;
}

const DELAY_MS = 250;
const GAP = 6;
const EDGE = 8;

interface TooltipProps {
  /** Shows no tooltip if there is no text. */
  text: string | null | undefined;
  children: ReactElement<TargetProps>;
}

/** Escape hides the tooltip (WCAG 2.2, 1.4.13). The element also needs its own accessible name or description. */
export function Tooltip({ text, children }: TooltipProps) {
  const id = useId();
  const [at, setAt] = useState<DOMRect | null>(null);
  // The element whose tooltip will be shown after the delay.
  const [pending, setPending] = useState<{ element: HTMLElement; delay: number } | null>(null);
  const hide = () => {
    setPending(null);
    setAt(null);
  };
  useEffect(() => {
    if (!pending) return undefined;
    const timer = window.setTimeout(() => setAt(pending.element.getBoundingClientRect()), pending.delay);
    return () => window.clearTimeout(timer);
  }, [pending]);
  useEffect(() => {
    if (!at) return undefined;
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && setAt(null);
    const onScroll = () => setAt(null);
    window.addEventListener('keydown', onKey);
    window.addEventListener('scroll', onScroll, { capture: true, passive: true });
    return () => {
      window.removeEventListener('keydown', onKey);
      window.removeEventListener('scroll', onScroll, { capture: true });
    };
  }, [at]);

  const { onPointerEnter, onPointerLeave, onPointerDown, onFocus, onBlur } = children.props;
  return (
    <>
      {cloneElement(children, {
        onPointerEnter: event => {
          onPointerEnter?.(event);
          if (event.pointerType !== 'touch') setPending({ element: event.currentTarget, delay: DELAY_MS });
        },
        onPointerLeave: event => {
          onPointerLeave?.(event);
          // Otherwise React renders later, and the timer may show the tooltip before that.
          flushSync(hide);
        },
        onPointerDown: event => {
          onPointerDown?.(event);
          hide();
        },
        onFocus: event => {
          onFocus?.(event);
          if (event.currentTarget.matches(':focus-visible')) setPending({ element: event.currentTarget, delay: 0 });
        },
        onBlur: event => {
          onBlur?.(event);
          hide();
        },
      })}
      {at && text ? createPortal(<Bubble key={text} id={id} text={text} at={at} />, document.body) : null}
    </>
  );
}

function Bubble({ id, text, at }: { id: string; text: string; at: DOMRect }) {
  const bubble = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = bubble.current;
    if (!element) return;
    const { width, height } = element.getBoundingClientRect();
    const below = at.bottom + GAP + height <= window.innerHeight - EDGE;
    const left = Math.max(EDGE, Math.min(window.innerWidth - width - EDGE, at.left + at.width / 2 - width / 2));
    element.style.left = `${left}px`;
    element.style.top = `${below ? at.bottom + GAP : at.top - GAP - height}px`;
    element.style.visibility = 'visible';
  }, [at]);
  return (
    <div
      ref={bubble}
      id={id}
      role="tooltip"
      className="pointer-events-none fixed z-50 max-w-72 animate-appear rounded-control bg-ink px-2.5 py-1.5 text-sm text-paper shadow-raised"
      style={{ visibility: 'hidden' }}
    >
      {text}
    </div>
  );
}
