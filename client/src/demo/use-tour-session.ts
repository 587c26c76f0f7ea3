// React hook that plays the tours of Waypost's own pages, until the component is unmounted. Only the renderer differs from
// customers' pages: it is intro.js.

import { useEffect } from 'react';
import { browserPage } from '../../embed/player/page';
import type { RendererFactory } from '../../embed/player/types';
import { visitorInput } from '../../embed/player/visitor-id';
import { openSession } from '../../embed/session';

function brandColor(): string {
  const probe = document.createElement('span');
  probe.style.color = 'var(--color-brand)';
  document.body.append(probe);
  const channels = getComputedStyle(probe).color.match(/\d+/g) ?? [];
  probe.remove();
  return `#${channels.map(channel => Number(channel).toString(16).padStart(2, '0')).join('')}`;
}

/** The renderer of Waypost's own tours, which have Waypost's brand color regardless of the workspace's theme. */
const brandedRenderer =
  (inner: RendererFactory): RendererFactory =>
  (steps, theme, onCommand, language) =>
    inner(steps, { ...theme, accentColor: brandColor() }, onCommand, language);

export interface TourSessionInput {
  siteKey: string | null;
  visitor: string;
  externalId: string;
  waitUntilReady: (signal: AbortSignal) => Promise<void>;
}

/** Errors are not shown, because the user is not waiting for a tour. */
export function useTourSession({ siteKey, visitor, externalId, waitUntilReady }: TourSessionInput): void {
  useEffect(() => {
    if (siteKey === null) return;
    const page = browserPage({ root: document.body });
    const loadPlayer = async () => {
      const [{ runsOn }, { introRenderer }] = await Promise.all([
        import('../../embed/player/run'),
        import('../intro/intro-renderer'),
      ]);
      return runsOn({ renderer: brandedRenderer(introRenderer), page, locales: [document.documentElement.lang] });
    };
    const session = openSession({
      key: siteKey,
      origin: location.origin,
      // Bound to this session, so that late events are never sent in the name of another visitor.
      visitor: visitorInput(visitor, { externalId }, navigator.language),
      page,
      isPageBusy: () => false,
      onPlaying: () => {},
      onEvent: () => {},
      onRefused: () => {},
      loadPlayer,
      async waitUntilReady(signal) {
        // Before the wait, so that no dialog can open between its end and the tour.
        await loadPlayer().catch(() => null);
        await waitUntilReady(signal);
      },
    });
    return () => void session.dispose();
  }, [siteKey, visitor, externalId, waitUntilReady]);
}
