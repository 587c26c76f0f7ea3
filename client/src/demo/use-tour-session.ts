// React hook for a tour session that uses the generated operations and ends when the component is unmounted.

import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useBootMutation, useGoalRecordMutation, useRecordMutation } from '../generated/hooks';
import type { TraitInput, VisitorInput } from '../generated/operations';
import { browserPage } from '../player/page';
import { createRecorder, type RecordedEvent, type RecordedGoal, type SendOutcome } from '../player/recorder';
import { createReportedEvents } from '../player/reported-events';
import { type Booted, createTourSession, type TourSession, type TourSessionState } from '../player/tour-session';
import { visitorInput } from '../player/visitor-id';
import { type AppError, toAppError } from '../shared/api/app-error';

export interface TourSessionInput {
  /** The session starts when the key is not null. */
  siteKey: string | null;
  visitor: string;
  externalId?: string;
  /** Visitor traits for conditions. Another object starts the session again. */
  traits?: TraitInput[];
  /** Waits until a tour may start automatically. */
  waitUntilReady?: (signal: AbortSignal) => Promise<void>;
}

export interface TourSessionView extends TourSessionState {
  error: AppError | null;
  ready: boolean;
  /** The server's id of the visitor; null until it has responded. */
  visitorId: string | null;
  play: (slug: string) => void;
}

/** With `keepalive` the browser completes a request after the visitor has left the page. */
const KEEPALIVE_CONTEXT = { anonymous: true, fetchOptions: { keepalive: true } };

const outcomeOf = (sent: Promise<unknown>): Promise<SendOutcome> =>
  sent.then(
    () => 'done',
    (failure: unknown) => (toAppError(failure).retryable ? 'failed' : 'done'),
  );

const IDLE: TourSessionState = { tours: [], playing: null };

function eventStorage(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

export function useTourSession({
  siteKey,
  visitor,
  externalId,
  traits,
  waitUntilReady,
}: TourSessionInput): TourSessionView {
  const [state, setState] = useState<TourSessionState>(IDLE);
  const [ready, setReady] = useState(false);
  const [visitorId, setVisitorId] = useState<string | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  const session = useRef<TourSession | null>(null);
  const [boot] = useBootMutation({ fetchPolicy: 'no-cache' });
  const [record] = useRecordMutation({ fetchPolicy: 'no-cache' });
  const [recordGoals] = useGoalRecordMutation({ fetchPolicy: 'no-cache' });

  const bootTours = useEffectEvent(
    async (key: string, visitor: VisitorInput): Promise<Booted & { visitorId: string | null }> => {
      const { data } = await boot({
        variables: { siteKey: key, visitor, url: location.href },
        context: { anonymous: true },
      });
      return data?.boot ?? { visitorId: null, tours: [], goals: [], serverTime: new Date().toISOString() };
    },
  );

  const sendEvents = useEffectEvent((siteKey: string, visitor: VisitorInput, events: RecordedEvent[]) =>
    outcomeOf(record({ variables: { siteKey, visitor, events }, context: KEEPALIVE_CONTEXT })),
  );
  const sendGoals = useEffectEvent((siteKey: string, visitor: VisitorInput, goals: RecordedGoal[]) =>
    outcomeOf(recordGoals({ variables: { siteKey, visitor, goals }, context: KEEPALIVE_CONTEXT })),
  );

  useEffect(() => {
    if (siteKey === null) return;
    let mounted = true;
    // Bound to this session, so that late events are never sent in the name of another visitor.
    const input = visitorInput(visitor, externalId === undefined ? {} : { externalId });
    const storage = eventStorage();
    const storageSuffix = [siteKey, visitor, ...(externalId === undefined ? [] : [externalId])].join('.');
    const page = browserPage({ root: document.body });
    const loadPlayer = async () => {
      const [{ runsOn }, { introRenderer }] = await Promise.all([
        import('../player/run'),
        import('../intro/intro-renderer'),
      ]);
      return runsOn({ renderer: introRenderer, page });
    };
    const current = createTourSession({
      boot: async () => {
        const booted = await bootTours(siteKey, { ...input, ...(traits === undefined ? {} : { traits }) });
        if (mounted) setVisitorId(booted.visitorId);
        return booted;
      },
      recorder: createRecorder({
        storage,
        storageKey: `waypost.events.${storageSuffix}`,
        send: events => sendEvents(siteKey, input, events),
      }),
      goalRecorder: createRecorder({
        storage,
        storageKey: `waypost.goals.${storageSuffix}`,
        send: goals => sendGoals(siteKey, input, goals),
      }),
      isUnreported: createReportedEvents(storage, `waypost.reported.${siteKey}`),
      loadPlayer,
      async waitUntilReady(signal) {
        if (!waitUntilReady) return;
        // Before the wait, so that no dialog can open between its end and the tour.
        await loadPlayer().catch(() => null);
        await waitUntilReady(signal);
      },
      page,
      onChange: next => {
        if (mounted) setState(next);
      },
    });
    session.current = current;
    current.begin().then(
      () => {
        if (mounted) setReady(true);
      },
      (failure: unknown) => {
        if (mounted) setError(toAppError(failure));
      },
    );
    return () => {
      mounted = false;
      session.current = null;
      setState(IDLE);
      setReady(false);
      setVisitorId(null);
      setError(null);
      void current.dispose();
    };
  }, [siteKey, visitor, externalId, traits, waitUntilReady]);

  return { ...state, ready, visitorId, error, play: slug => void session.current?.play(slug) };
}
