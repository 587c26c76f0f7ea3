import type { TourEvent } from './packages/browser/src/types';
import type { OfferedTour, TourContent } from './player/choose-tour';
import { jsonOf } from './player/json';
import { browserPath } from './player/page-facts';
import { createRecorder } from './player/recorder';
import { createReportedEvents } from './player/reported-events';
import type { CreateRun } from './player/run';
import { type Booted, createTourSession, type TourSession, type TourSessionOptions } from './player/tour-session';
import type { VisitorInput } from './player/visitor-id';

/** A tour in the response of `/e/boot`. Its content is a separate file, which the browser caches permanently. */
interface EmbeddedTour extends OfferedTour {
  bundle: string;
}

interface BootResponse extends Booted<EmbeddedTour> {
  tokenProblem: string | null;
}

type SharedOptions = Pick<TourSessionOptions<EmbeddedTour>, 'page' | 'isPageBusy' | 'waitUntilReady' | 'onPlaying'>;

export interface SessionOptions extends SharedOptions {
  key: string;
  origin: string;
  /** Each request sends the current token. */
  visitor: VisitorInput;
  onEvent: (event: TourEvent) => void;
  onRefused: (problem: string) => void;
  loadPlayer: () => Promise<CreateRun>;
}

const TIMEOUT_MS = 10_000;

export function openSession(options: SessionOptions): TourSession {
  const { key, origin, visitor, onEvent, onRefused, loadPlayer, ...rest } = options;
  // With `fetch` and a time limit, the start takes about a millisecond more of the main thread.
  const load = <Content>(path: string, body: string | null = null) =>
    new Promise<Content>((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open(body ? 'POST' : 'GET', origin + path);
      request.responseType = 'json';
      request.timeout = TIMEOUT_MS;
      request.onloadend = () => (request.status === 200 ? resolve : reject)(request.response as Content);
      request.send(body);
    });
  // A text needs no preflight request.
  const bodyOf = (content: object) => jsonOf({ siteKey: key, visitor, ...content });

  let storage: Storage | null = null;
  try {
    storage = localStorage;
  } catch {
    // The browser does not allow any.
  }
  const suffix = [key, visitor.anonymousId, visitor.externalId].join('.');
  /** Entries survive the page, an outage and another sign-in. */
  const recorderTo = <Entry extends { at: string }>(name: 'events' | 'goals' | 'attempts', path: string = name) =>
    createRecorder<Entry>({
      storage,
      storageKey: `waypost.${name}.${suffix}`,
      async send(entries) {
        // With `keepalive` the browser completes the request after the visitor has left the page.
        const response = await fetch(`${origin}/e/${path}`, {
          method: 'POST',
          body: bodyOf({ [name]: entries }),
          keepalive: true,
          // Browsers before 2022 have no time limits, and send the entries of an unanswered request from the next page.
          signal: AbortSignal.timeout?.(TIMEOUT_MS),
        });
        // Rejects if another server has responded, such as that of a network's sign-in page.
        await response.json();
        // 401: the token has expired. The page provides a new one, now or at its next visit.
        return response.status !== 401 && response.status < 429;
      },
    });
  const session = createTourSession({
    ...rest,
    async boot() {
      const booted = await load<BootResponse>('/e/boot', bodyOf({ url: location.protocol + browserPath() }));
      if (booted.tokenProblem) onRefused(booted.tokenProblem);
      return booted;
    },
    async loadPlayer(tour) {
      const [createRun, content] = await Promise.all([loadPlayer(), load<TourContent>(tour.bundle)]);
      return (tour, options) => createRun({ ...content, ...tour }, options);
    },
    recorders: [recorderTo('events', 'record'), recorderTo('goals'), recorderTo('attempts')],
    isUnreported: createReportedEvents(storage, `waypost.reported.${key}`),
    onEvent: ({ slug }, event) => onEvent({ tour: slug, ...event }),
  });
  session.begin().catch(() => {});
  return session;
}
