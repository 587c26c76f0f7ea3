// The API of the embed. A page can have several installations; they share the visitor and play one tour at a time.

import type { TourListener, Waypost } from '../packages/browser/src/types';
import { dispatchPageEvent } from '../src/player/page-event';
import { pageFacts } from '../src/player/page-facts';
import type { CreateRun } from '../src/player/run';
import type { TourSession } from '../src/player/tour-session';
import { newVisitor, visitorId, visitorInput } from '../src/player/visitor-id';
import { openSession } from './session';

/** The exports of the chunk with the player (player.ts). */
interface PlayerModule {
  playerOn: (facts: ReturnType<typeof pageFacts>, locale: string) => CreateRun;
}

interface Installation {
  readonly key: string;
  readonly origin: string;
  session: TourSession | null;
  playing: boolean;
}

export function createWaypost(): Waypost {
  const installations: Installation[] = [];
  const listeners = new Set<TourListener>();
  let externalId: string | undefined;
  let traits: Readonly<Record<string, string>> = {};
  let locale: string | null = null;
  let player: Promise<PlayerModule> | null = null;

  const facts = pageFacts({ properties: () => traits, locale: () => locale ?? navigator.language });

  /** Loads the player from the server of the first installation, which is the one with this version of the script. */
  async function loadPlayer(): Promise<CreateRun> {
    player ??= import(/* @vite-ignore */ `${installations[0]?.origin}/embed/${PLAYER_FILE}`).catch((error: unknown) => {
      player = null;
      throw error;
    });
    return (await player).playerOn(facts, locale ?? (document.documentElement.lang || navigator.language));
  }

  const each = (call: (session: TourSession) => void) => {
    for (const { session } of installations) if (session) call(session);
  };

  function open(installation: Installation) {
    const { key, origin } = installation;
    installation.session = openSession({
      key,
      origin,
      visitor: visitorInput(visitorId(), externalId, locale ?? undefined),
      facts,
      loadPlayer,
      isPageBusy: () => installations.some(each => each !== installation && each.playing),
      onPlaying(playing) {
        if (installation.playing === playing) return;
        installation.playing = playing;
        if (!playing) each(session => session.check());
      },
      onEvent(event) {
        for (const listener of listeners) safely(listener, event);
      },
    });
  }

  const outdated = new Set<Installation>();

  /** Starts sessions again, once for several calls, after the current script. */
  function restart(changed: readonly Installation[] = installations) {
    if (outdated.size === 0)
      queueMicrotask(() => {
        for (const installation of outdated) {
          void installation.session?.dispose();
          installation.playing = false;
          open(installation);
        }
        outdated.clear();
      });
    for (const installation of changed) outdated.add(installation);
  }

  // A page from the back/forward cache is a new visit: the run may have continued on another page.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) restart();
  });

  return {
    init({ key, origin }) {
      if (installations.some(each => each.key === key && each.origin === origin)) return;
      const installation = { key, origin, session: null, playing: false };
      installations.push(installation);
      restart([installation]);
    },
    identify(id, identity) {
      const isSame = id === (externalId ?? null);
      externalId = id ?? undefined;
      traits = identity?.traits ?? {};
      if (!isSame) restart();
      else each(session => session.check());
    },
    reset() {
      externalId = undefined;
      traits = {};
      newVisitor();
      restart();
    },
    start(slug) {
      // After a restart, which opens the sessions in a microtask.
      queueMicrotask(() => each(session => void session.play(slug)));
    },
    stop() {
      each(session => void session.stop());
    },
    track: dispatchPageEvent,
    setLocale(next) {
      if (locale === next) return;
      locale = next;
      restart();
    },
    explain(slug) {
      const found = installations.map(({ session }) => (session ? session.explain(slug) : 'NOT_LOADED'));
      return found.find(each => each !== 'NOT_OFFERED') ?? 'NOT_OFFERED';
    },
    on: listener => listeners.add(listener),
    off: listener => listeners.delete(listener),
    push(use) {
      safely(use, this);
    },
  };
}

/** Calls a function of the page. Its errors are reported as the page's, and do not end the tour. */
function safely<Value>(call: (value: Value) => void, value: Value) {
  try {
    call(value);
  } catch (error) {
    reportError(error);
  }
}
