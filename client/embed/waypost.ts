// The API of the embed. A page's installations share the visitor and play one tour at a time.

import type { Identity, TourListener, Waypost } from './packages/browser/src/types';
import { dispatchPageEvent, PATH_EVENT } from './player/page-event';
import { browserPath, pageFacts } from './player/page-facts';
import type { CreateRun } from './player/run';
import type { TourSession } from './player/tour-session';
import { newVisitor, traitInputs, visitorId, visitorInput, type VisitorInput } from './player/visitor-id';
import { openSession } from './session';

interface PlayerModule {
  playerOn: (facts: ReturnType<typeof pageFacts>, locale: string) => CreateRun;
}

interface Installation {
  readonly key: string;
  readonly origin: string;
  session?: TourSession;
}

export function createWaypost(): Waypost {
  const installations: Installation[] = [];
  /** The one whose tour starts or is shown. */
  let playing: Installation | undefined;
  const listeners = new Set<TourListener>();
  let visitor = {} as VisitorInput;
  let isRefused = false;
  let externalId: string | undefined;
  let token: string | undefined;
  let traits: Identity['traits'];
  let locale: string | null = null;
  /** The path that the application's router has reported. */
  let page: string | null;

  const language = () => locale ?? navigator.language;
  const facts = pageFacts({
    locale: language,
    path: () => (page ? `//${location.host}${page}` : browserPath()),
  });

  /** The first installation has the server of this version of the script. */
  async function loadPlayer(): Promise<CreateRun> {
    const address = `${installations[0]?.origin}/embed/${PLAYER_FILE}`;
    // Some browsers delay the page's `load` event until a module that is being imported has loaded, but not until a
    // response has. The module then comes from the cache.
    await fetch(address);
    const player: PlayerModule = await import(/* @vite-ignore */ address);
    return player.playerOn(facts, locale ?? (document.documentElement.lang || navigator.language));
  }

  const each = (call: (session: TourSession) => unknown) => {
    for (const { session } of installations) if (session) call(session);
  };

  function open(installation: Installation) {
    const { key, origin } = installation;
    installation.session = openSession({
      key,
      origin,
      visitor,
      page: facts,
      loadPlayer,
      isPageBusy: () => playing && playing !== installation,
      onPlaying(slug) {
        if (slug) playing = installation;
        else if (playing === installation) {
          playing = undefined;
          each(session => session.check());
        }
      },
      onEvent(event) {
        for (const listener of listeners) safely(listener, event);
      },
      onRefused(problem) {
        isRefused = true;
        // oxlint-disable-next-line no-console -- the page's developer has no other place to look
        console.warn('Waypost: token', problem);
      },
    });
  }

  /** True if the sessions have to be restarted with a new visitor, at first to create one. */
  let isOutdated = true;
  let restarts = Promise.resolve();

  function restart(outdated = true) {
    isOutdated ||= outdated;
    restarts = restarts.then(async () => {
      const all = isOutdated;
      // Another call of the same script then finds nothing to do.
      isOutdated = false;
      const closed = installations.filter(({ session }) => all || !session);
      // The server must receive the last events of an anonymous visitor before the token makes the run that of another.
      await Promise.allSettled(closed.map(({ session }) => session?.dispose()));
      if (all) {
        const identity = { externalId, token, traits: traits && traitInputs(traits) };
        visitor = visitorInput(visitorId(), identity, language());
        isRefused = false;
        playing = undefined;
      }
      for (const installation of closed) open(installation);
    });
  }

  // A page from the back/forward cache is a new visit: the run may have continued on another page.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) restart();
  });

  return {
    init({ key, origin }) {
      // A server can have several addresses, but a key belongs to one site.
      if (installations.some(each => each.key === key)) return;
      installations.push({ key, origin });
      restart(false);
    },
    identify(id, identity) {
      // A new token of the same visitor needs no restart, unless the server has not accepted the previous one.
      const state = () => JSON.stringify([externalId, isRefused ? token : !token, traits]);
      const before = state();
      externalId = id ?? undefined;
      token = identity?.token;
      traits = identity?.traits;
      if (state() !== before) return restart();
      visitor.token = token;
      each(session => session.check());
    },
    reset() {
      externalId = token = traits = undefined;
      newVisitor();
      restart();
    },
    start(slug) {
      // After a restart, which opens the sessions later.
      void restarts.then(() => each(session => session.play(slug)));
    },
    stop() {
      each(session => session.stop());
    },
    track: dispatchPageEvent,
    setLocale(next) {
      if (locale === next) return;
      locale = next;
      restart();
    },
    setPage(path) {
      page = path;
      dispatchEvent(new Event(PATH_EVENT));
    },
    explain(slug) {
      for (const { session } of installations) {
        const obstacle = session ? session.explain(slug) : 'NOT_LOADED';
        if (obstacle !== 'NOT_OFFERED') return obstacle;
      }
      return 'NOT_OFFERED';
    },
    on: listener => listeners.add(listener),
    off: listener => listeners.delete(listener),
    push(use) {
      safely(use, this);
    },
  };
}

/** Reports errors as the page's, so that they do not end the tour. */
function safely<Value>(call: (value: Value) => void, value: Value) {
  try {
    call(value);
  } catch (error) {
    reportError(error);
  }
}
