import { useEffect, useEffectEvent } from 'react';

/** While something covers the whole window: the application below it cannot be used, and gets the focus back afterwards. */
export function useOverlay(): void {
  useEffect(() => {
    const app = document.getElementById('root');
    const before = document.activeElement;
    app?.setAttribute('inert', '');
    return () => {
      app?.removeAttribute('inert');
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
}

/** What Escape does, wherever the focus is. */
export function useEscape(onEscape: () => void): void {
  const escape = useEffectEvent(onEscape);
  useEffect(() => {
    const controller = new AbortController();
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape') escape();
    };
    document.addEventListener('keydown', onKeyDown, { signal: controller.signal });
    return () => controller.abort();
  }, []);
}
