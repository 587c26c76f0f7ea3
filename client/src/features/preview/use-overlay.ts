import { useEffect, useEffectEvent } from 'react';

/** Restores the focus afterwards. */
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
