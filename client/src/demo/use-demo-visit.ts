import { useEffect, useEffectEvent, useState } from 'react';
import { identify, off, on, reset } from '../../embed/packages/browser/src/index';
import type { TourEvent } from '../../embed/packages/browser/src/types';
import { traitInputs, visitorId, visitorInput } from '../../embed/player/visitor-id';
import { useBootMutation } from '../generated/hooks';
import type { BootMutation } from '../generated/operations';
import { type AppError, toAppError } from '../shared/api/app-error';
import type { DemoCustomer } from './DemoShop';

export interface DemoVisit {
  anonymousId: string;
  /** Null until the response arrives. */
  offer: BootMutation['boot'] | null;
  playing: boolean;
  error: AppError | null;
  reset: () => void;
}

const LAST_EVENTS = new Set<TourEvent['kind']>(['RUN_COMPLETED', 'RUN_DISMISSED', 'RUN_FAILED']);

export function useDemoVisit(siteKey: string | null, customer: DemoCustomer): DemoVisit {
  const [anonymousId, setAnonymousId] = useState(visitorId);
  /** The script suspends a run when the visitor or their trait changes. */
  const visit = `${anonymousId} ${customer}`;
  const [playingIn, setPlayingIn] = useState('');
  const [boot, { data, error }] = useBootMutation({ fetchPolicy: 'no-cache' });

  const onEvent = useEffectEvent(({ kind }: TourEvent) => setPlayingIn(LAST_EVENTS.has(kind) ? '' : visit));
  useEffect(() => {
    const listener = (event: TourEvent) => onEvent(event);
    on(listener);
    return () => off(listener);
  }, []);

  useEffect(() => {
    if (siteKey === null) return;
    const traits = { customer };
    // The script starts again with the new visitor or the new trait.
    identify(null, { traits });
    const visitor = visitorInput(anonymousId, { traits: traitInputs(traits) }, navigator.language);
    // The state of the mutation has the error.
    boot({ variables: { siteKey, visitor, url: location.href }, context: { anonymous: true } }).catch(() => undefined);
  }, [siteKey, anonymousId, customer, boot]);

  return {
    anonymousId,
    offer: data?.boot ?? null,
    playing: playingIn === visit,
    error: error ? toAppError(error) : null,
    reset() {
      reset();
      setAnonymousId(visitorId());
    },
  };
}
