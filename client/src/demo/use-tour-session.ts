// React hook that plays the tours of Waypost's own pages with intro.js, until the component is unmounted.

import { useEffect, useEffectEvent } from 'react';
import type { BootedTour } from '../../embed/player/choose-tour';
import { browserPage } from '../../embed/player/page';
import {
  createRecorder,
  type RecordedAttempt,
  type RecordedEvent,
  type RecordedGoal,
} from '../../embed/player/recorder';
import { createReportedEvents } from '../../embed/player/reported-events';
import { type Booted, createTourSession } from '../../embed/player/tour-session';
import type { RendererFactory } from '../../embed/player/types';
import { visitorInput } from '../../embed/player/visitor-id';
import {
  useAttemptRecordMutation,
  useBootMutation,
  useGoalRecordMutation,
  useRecordMutation,
} from '../generated/hooks';
import type { VisitorInput } from '../generated/operations';
import { toAppError } from '../shared/api/app-error';

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

const KEEPALIVE_CONTEXT = { anonymous: true, fetchOptions: { keepalive: true } };

const isDone = (sent: Promise<unknown>): Promise<boolean> =>
  sent.then(
    () => true,
    (failure: unknown) => !toAppError(failure).retryable,
  );

function eventStorage(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

/** Errors are not shown, because the user is not waiting for a tour. */
export function useTourSession({ siteKey, visitor, externalId, waitUntilReady }: TourSessionInput): void {
  const [boot] = useBootMutation({ fetchPolicy: 'no-cache' });
  const [record] = useRecordMutation({ fetchPolicy: 'no-cache' });
  const [recordAttempts] = useAttemptRecordMutation({ fetchPolicy: 'no-cache' });
  const [recordGoals] = useGoalRecordMutation({ fetchPolicy: 'no-cache' });

  const bootTours = useEffectEvent(async (key: string, visitor: VisitorInput): Promise<Booted<BootedTour>> => {
    const variables = { siteKey: key, visitor, url: location.href };
    const { data } = await boot({ variables, context: { anonymous: true } });
    return data?.boot ?? { tours: [], goals: [], serverTime: new Date().toISOString() };
  });

  const sendEvents = useEffectEvent((siteKey: string, visitor: VisitorInput, events: RecordedEvent[]) =>
    isDone(record({ variables: { siteKey, visitor, events }, context: KEEPALIVE_CONTEXT })),
  );
  const sendGoals = useEffectEvent((siteKey: string, visitor: VisitorInput, goals: RecordedGoal[]) =>
    isDone(recordGoals({ variables: { siteKey, visitor, goals }, context: KEEPALIVE_CONTEXT })),
  );

  const sendAttempts = useEffectEvent((siteKey: string, visitor: VisitorInput, attempts: RecordedAttempt[]) =>
    isDone(recordAttempts({ variables: { siteKey, visitor, attempts }, context: KEEPALIVE_CONTEXT })),
  );

  useEffect(() => {
    if (siteKey === null) return;
    // Bound to this session, so that late events are never sent in the name of another visitor.
    const input = visitorInput(visitor, { externalId }, navigator.language);
    const storage = eventStorage();
    const storageSuffix = [siteKey, visitor, externalId].join('.');
    const page = browserPage({ root: document.body });
    const loadPlayer = async () => {
      const [{ runsOn }, { introRenderer }] = await Promise.all([
        import('../../embed/player/run'),
        import('../intro/intro-renderer'),
      ]);
      return runsOn({ renderer: brandedRenderer(introRenderer), page, locales: [document.documentElement.lang] });
    };
    const session = createTourSession({
      boot: () => bootTours(siteKey, input),
      recorders: [
        createRecorder({
          storage,
          storageKey: `waypost.events.${storageSuffix}`,
          send: events => sendEvents(siteKey, input, events),
        }),
        createRecorder({
          storage,
          storageKey: `waypost.goals.${storageSuffix}`,
          send: goals => sendGoals(siteKey, input, goals),
        }),
        createRecorder({
          storage,
          storageKey: `waypost.attempts.${storageSuffix}`,
          send: attempts => sendAttempts(siteKey, input, attempts),
        }),
      ],
      isPageBusy: () => false,
      onPlaying: () => {},
      onEvent: () => {},
      isUnreported: createReportedEvents(storage, `waypost.reported.${siteKey}`),
      loadPlayer,
      async waitUntilReady(signal) {
        // Before the wait, so that no dialog can open between its end and the tour.
        await loadPlayer().catch(() => null);
        await waitUntilReady(signal);
      },
      page,
    });
    session.begin().catch(() => {});
    return () => void session.dispose();
  }, [siteKey, visitor, externalId, waitUntilReady]);
}
