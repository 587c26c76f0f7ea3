// A tour session for a React page: through the generated operations, for as long as the page is shown.

import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useBootMutation, useGoalRecordMutation, useRecordMutation } from '../generated/hooks';
import type { ParticipantInput } from '../generated/operations';
import { ParticipantInputRules } from '../generated/rules';
import { hasFormat } from '../generated/traitql';
import { browserPage } from '../player/page';
import { type AppError, toAppError } from '../shared/api/app-error';
import { createRecorder, eventId, goalId, type RecordedEvent, type RecordedGoal, type SendOutcome } from './recorder';
import { createReportedEvents } from './reported-events';
import { type Booted, createTourSession, type TourSession, type TourSessionState } from './tour-session';

export interface TourSessionInput {
  /** Null: nothing is asked yet. */
  siteKey: string | null;
  visitor: string;
  externalId?: string;
  /** What the page says of the person, for conditions. */
  properties?: Readonly<Record<string, string>>;
  /** Waits until the page is free for a tour that begins by itself. */
  free?: (signal: AbortSignal) => Promise<void>;
}

const NO_PROPERTIES = {};

export interface TourSessionView extends TourSessionState {
  error: AppError | null;
  /** True when the server has told the tours. */
  asked: boolean;
  /** Who the visitor is to the server; null until it has said so. */
  participantId: string | null;
  play: (slug: string) => void;
}

/** The browser finishes a request marked so even when its page is left. */
const OUTLIVING = { anonymous: true, fetchOptions: { keepalive: true } };

const outcomeOf = (sent: Promise<unknown>): Promise<SendOutcome> =>
  sent.then(
    () => 'kept',
    (failure: unknown) => (toAppError(failure).retryable ? 'failed' : 'kept'),
  );

const IDLE: TourSessionState = { tours: [], playing: null };

function eventStorage(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

/** The browser's language goes along only when the server takes it: some browsers name one that is no language tag. */
export function participantOf(
  visitor: string,
  externalId: string | undefined,
  locale = navigator.language,
): ParticipantInput {
  const fits = hasFormat('LOCALE', locale) && locale.length <= ParticipantInputRules.fields.locale.length.max;
  return {
    anonymousId: visitor,
    ...(fits ? { locale } : {}),
    ...(externalId === undefined ? {} : { externalId }),
  };
}

export function useTourSession({
  siteKey,
  visitor,
  externalId,
  properties = NO_PROPERTIES,
  free,
}: TourSessionInput): TourSessionView {
  const [state, setState] = useState<TourSessionState>(IDLE);
  const [asked, setAsked] = useState(false);
  const [participantId, setParticipantId] = useState<string | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  const session = useRef<TourSession | null>(null);
  const [boot] = useBootMutation({ fetchPolicy: 'no-cache' });
  const [record] = useRecordMutation({ fetchPolicy: 'no-cache' });
  const [recordGoals] = useGoalRecordMutation({ fetchPolicy: 'no-cache' });

  const bootTours = useEffectEvent(
    async (key: string, participant: ParticipantInput): Promise<Booted & { participantId: string | null }> => {
      const { data } = await boot({
        variables: { siteKey: key, participant, url: location.href },
        context: { anonymous: true },
      });
      return data?.boot ?? { participantId: null, tours: [], goals: [], serverTime: new Date().toISOString() };
    },
  );

  const currentProperties = useEffectEvent(() => properties);

  const sendEvents = useEffectEvent((siteKey: string, participant: ParticipantInput, events: RecordedEvent[]) =>
    outcomeOf(record({ variables: { siteKey, participant, events }, context: OUTLIVING })),
  );
  const sendGoals = useEffectEvent((siteKey: string, participant: ParticipantInput, goals: RecordedGoal[]) =>
    outcomeOf(recordGoals({ variables: { siteKey, participant, goals }, context: OUTLIVING })),
  );

  useEffect(() => {
    if (siteKey === null) return;
    let live = true;
    // Bound to this session: what one person did is never sent as somebody else's, however late it goes.
    const participant = participantOf(visitor, externalId);
    const storage = eventStorage();
    const whose = [siteKey, visitor, ...(externalId === undefined ? [] : [externalId])].join('.');
    const current = createTourSession({
      boot: async () => {
        const booted = await bootTours(siteKey, participant);
        if (live) setParticipantId(booted.participantId);
        return booted;
      },
      recorder: createRecorder({
        storage,
        storageKey: `waypost.events.${whose}`,
        idOf: eventId,
        send: events => sendEvents(siteKey, participant, events),
      }),
      goalRecorder: createRecorder({
        storage,
        storageKey: `waypost.goals.${whose}`,
        idOf: goalId,
        send: goals => sendGoals(siteKey, participant, goals),
      }),
      isUnreported: createReportedEvents(storage, `waypost.told.${siteKey}`),
      renderer: async () => (await import('../player/intro-renderer')).introRenderer,
      ...(free ? { free } : {}),
      page: browserPage({ root: document.body, properties: () => currentProperties() }),
      onChange: next => {
        if (live) setState(next);
      },
    });
    session.current = current;
    current.begin().then(
      () => {
        if (live) setAsked(true);
      },
      (failure: unknown) => {
        if (live) setError(toAppError(failure));
      },
    );
    return () => {
      live = false;
      session.current = null;
      setState(IDLE);
      setAsked(false);
      setParticipantId(null);
      setError(null);
      void current.dispose();
    };
  }, [siteKey, visitor, externalId, free]);

  return { ...state, asked, participantId, error, play: slug => void session.current?.play(slug) };
}
