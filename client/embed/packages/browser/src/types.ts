// The types of the embed's API. They are part of the package, so they import nothing.

/** The script's address is the origin of the Waypost server, without a path. */
export interface InitOptions {
  /** The site key: `wp_pub_…`. */
  key: string;
  /** The origin of the Waypost server: `https://tours.example.com`. */
  origin: string;
}

export interface Identity {
  /**
   * Traits of the visitor for the conditions of tours, at most 50. The server stores them and evaluates the conditions.
   * Keys have up to 40 lower-case letters, digits, `-` and `_`, beginning with a letter; values up to 200 characters.
   * Others are ignored. Omitted traits keep those of the previous visit.
   */
  traits?: Readonly<Record<string, string | number | boolean>>;
  /**
   * A JWT that proves the external id, signed by your server with an identity key of the site. Call `identify` again with
   * a new token before it expires.
   */
  token?: string;
}

/**
 * The reason why a tour does not start automatically now.
 *
 * - `NOT_LOADED`: the server has not responded, or rejected the site key or the page's origin.
 * - `NOT_OFFERED`: the server does not offer the tour to this visitor. The visitor's page in Waypost explains why.
 * - `PLAYING`: a tour is playing.
 * - `PLAYED`: the tour was played on this page load.
 * - `NO_ELEMENT`: the tour was started on this page load and has shown no step, because its elements are missing.
 * - `PLAYER_FAILED`: the player or the content of the tour could not be loaded. The page tries again after half a minute,
 *   then at longer intervals.
 * - `COOLDOWN`: another tour was started automatically on this page load.
 * - `TRIGGER`: the tour starts on an event or on a call of `start`.
 * - `PAGE`, `CONDITION`: the page's address or the visitor does not match.
 */
export type Obstacle =
  | 'NOT_LOADED'
  | 'NOT_OFFERED'
  | 'PLAYING'
  | 'PLAYED'
  | 'NO_ELEMENT'
  | 'PLAYER_FAILED'
  | 'COOLDOWN'
  | 'TRIGGER'
  | 'PAGE'
  | 'CONDITION';

export type TourEventKind =
  | 'RUN_STARTED'
  | 'STEP_SEEN'
  | 'STEP_DONE'
  | 'TARGET_MISSING'
  | 'RUN_COMPLETED'
  | 'RUN_DISMISSED'
  | 'RUN_FAILED';

export interface TourEvent {
  /** The slug of the tour. */
  tour: string;
  kind: TourEventKind;
  stepKey?: string;
  reason?: 'FINISHED' | 'CLOSE_BUTTON' | 'ESCAPE' | 'OVERLAY_CLICK' | 'TARGET_MISSING' | 'PROGRAM';
}

export type TourListener = (event: TourEvent) => void;

export interface Waypost {
  /** Plays the tours of a site. Does nothing if the site already plays on this page. */
  init(options: InitOptions): void;
  /**
   * Identifies the visitor, so that they see a tour once on all devices. Null is an anonymous visitor, who may have
   * traits.
   */
  identify(externalId: string | null, identity?: Identity): void;
  /** Forgets the visitor, for example when they sign out. */
  reset(): void;
  /** Plays a tour, regardless of its start rule. Does nothing if the visitor may not see it or a tour is playing. */
  start(slug: string): void;
  /** Ends the current tour as dismissed. */
  stop(): void;
  /** Reports an event. Tours can start with it, steps can wait for it, and it can be the goal of a release. */
  track(event: string): void;
  /**
   * Sets the language of tours, buttons and conditions, a BCP 47 tag. Null selects that of the page or the browser. A tour
   * that is shown goes on at its step in the new language.
   */
  setLocale(locale: string | null): void;
  /**
   * Sets the path of the page for the page rules of tours, such as `/orders?tab=open`, if the application's router does
   * not change the browser's address, or only its fragment. Call it after each navigation. Null selects the browser's
   * address.
   */
  setPage(path: string | null): void;
  /** Returns why a tour does not start automatically now; null if it does. */
  explain(slug: string): Obstacle | null;
  on(listener: TourListener): void;
  off(listener: TourListener): void;
  /** Calls `use` immediately. Before the script has loaded, `window.waypost` is an array of such functions. */
  push(use: (waypost: Waypost) => void): void;
}

declare global {
  interface Window {
    waypost?: Waypost | ((waypost: Waypost) => void)[];
  }
}
