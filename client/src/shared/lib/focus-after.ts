import { useLayoutEffect, type RefObject } from 'react';

/** Where an item goes away while the focus is in it, the first field or button in `next` gets the focus. */
export function useFocusAfter(item: RefObject<HTMLElement | null>, next: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const gone = item.current;
    return () => {
      if (gone?.contains(document.activeElement)) focusIn(next);
    };
  }, [item, next]);
}

const focusIn = ({ current }: RefObject<HTMLElement | null>): void =>
  current?.querySelector<HTMLElement>(':is(select, textarea, button)')?.focus({ preventScroll: true });
