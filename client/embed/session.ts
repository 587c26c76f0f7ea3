import type { TourEvent } from '../packages/browser/src/types';
import type { OfferedTour, TourContent } from '../src/player/choose-tour';
import { jsonOf } from '../src/player/json';
import { createRecorder } from '../src/player/recorder';
import { createReportedEvents } from '../src/player/reported-events';
import type { CreateRun } from '../src/player/run';
import { type Booted, createTourSession, type TourSession, type TourSessionOptions } from '../src/player/tour-session';
import type { VisitorInput } from '../src/player/visitor-id';

/** A tour in the response of `/e/boot`. Its content is a separate file, which the browser caches permanently. */
interface EmbeddedTour extends OfferedTour {
  bundle: string;
}

interface BootResponse extends Booted<EmbeddedTour> {
  tokenProblem: string | null;
}

type SharedOptions = Pick<TourSessionOptions<EmbeddedTour>, 'page' | 'isPageBusy' | 'onChange'>;

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
  const request = (path: string, init?: RequestInit): Promise<Response> =>
    fetch(origin + path, { credentials: 'omit', signal: AbortSignal.timeout(TIMEOUT_MS), ...init });
  // A text needs no preflight request. With `keepalive` the browser completes the request after the visitor has left
  // the page.
  const post = (path: string, body: object): Promise<Response> =>
    request(path, { method: 'POST', keepalive: true, body: jsonOf({ siteKey: key, visitor, ...body }) });

  let storage: Storage | null = null;
  try {
    storage = localStorage;
  } catch {
    // The browser does not allow any.
  }
  const suffix = [key, visitor.anonymousId, visitor.externalId].join('.');
  /** Entries survive the page, an outage and another sign-in. */
  const recorderTo = <Entry extends { at: string }>(name: 'events' | 'goals') =>
    createRecorder<Entry>({
      storage,
      storageKey: `waypost.${name}.${suffix}`,
      async send(entries) {
        const response = await post(name === 'events' ? '/e/record' : '/e/goals', { [name]: entries });
        // Rejects if another server has responded, such as that of a network's sign-in page.
        await response.json();
        // 401: the token has expired. The page provides a new one, now or at its next visit.
        return response.status === 401 || response.status >= 429 ? 'failed' : 'done';
      },
    });
  const session = createTourSession({
    ...rest,
    async boot() {
      const booted: BootResponse = await (await post('/e/boot', { url: location.href.split('#')[0] })).json();
      if (booted.tokenProblem) onRefused(booted.tokenProblem);
      return booted;
    },
    async loadPlayer(tour) {
      const [createRun, response] = await Promise.all([loadPlayer(), request(tour.bundle)]);
      if (!response.ok) throw response;
      const content: TourContent = await response.json();
      return (tour, options) => createRun({ ...content, ...tour }, options);
    },
    recorder: recorderTo('events'),
    goalRecorder: recorderTo('goals'),
    isUnreported: createReportedEvents(storage, `waypost.reported.${key}`),
    onEvent: ({ slug }, event) => onEvent({ tour: slug, ...event }),
  });
  session.begin().catch(() => {});
  return session;
}
