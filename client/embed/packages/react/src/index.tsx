import { identify, init, off, on, reset, setLocale, setPage, type Identity, type TourEvent } from '@waypost/browser';
import { useEffect, useRef } from 'react';

export * from '@waypost/browser';

export interface WaypostProps {
  siteKey: string;
  /** The origin of the Waypost server: `https://tours.example.com`. */
  origin: string;
  /** The id of the signed-in user. Null if no user is signed in. */
  user?: string | null;
  /** A token that proves the id of the user, see `Identity.token`. Pass a new one before it expires. */
  token?: string;
  /** Traits of the visitor for the conditions of tours, see `Identity.traits`. */
  traits?: NonNullable<Identity['traits']>;
  /** The language of tours and buttons, a BCP 47 tag. Default: that of the page or the browser. */
  locale?: string;
  /** The path of the page, if the router does not change the browser's address, see `setPage`. */
  page?: string;
}

export function Waypost({ siteKey, origin, user = null, token, traits, locale, page }: WaypostProps): null {
  const previousUser = useRef<string | null>(null);
  // Equal traits of another render are not a change.
  const traitsText = JSON.stringify(traits);

  useEffect(() => {
    if (previousUser.current !== null && user === null) reset();
    previousUser.current = user;
    identify(user, {
      ...(traitsText === undefined ? {} : { traits: JSON.parse(traitsText) as NonNullable<Identity['traits']> }),
      ...(token === undefined ? {} : { token }),
    });
  }, [user, token, traitsText]);
  useEffect(() => setLocale(locale ?? null), [locale]);
  useEffect(() => setPage(page ?? null), [page]);
  // After the others, so that the first request identifies the visitor.
  useEffect(() => init({ key: siteKey, origin }), [siteKey, origin]);
  return null;
}

/** Calls the listener of the latest render for each event of a tour. */
export function useTourEvents(listener: (event: TourEvent) => void): void {
  const latest = useRef(listener);
  useEffect(() => {
    latest.current = listener;
  });
  useEffect(() => {
    const call = (event: TourEvent) => latest.current(event);
    on(call);
    return () => off(call);
  }, []);
}
