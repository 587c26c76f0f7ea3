// Plays the offered tours one at a time and records their events.

import { chooseTour, type OfferedTour, type Situation, startProblem, type StartProblem } from './choose-tour';
import type { PageFacts } from './page-facts';
import type { RecordedAttempt, RecordedEvent, RecordedGoal, Recorder } from './recorder';
import type { Run, RunOptions } from './run';

export interface Booted<Tour> {
  tours: readonly Tour[];
  goals: readonly string[];
  /** RFC 3339. */
  serverTime: string;
}

export interface TourSessionOptions<Tour> {
  boot: () => Promise<Booted<Tour>>;
  recorders: [events: Recorder, goals: Recorder<RecordedGoal>, attempts: Recorder<RecordedAttempt>];
  /** True once a day for each event that is not a goal and whose name has to be reported, and for each failed player. */
  isUnreported: (name: string) => boolean;
  /** Called when the tour starts. */
  loadPlayer: (tour: Tour) => Promise<(tour: Tour, options: RunOptions) => Run>;
  page: PageFacts;
  isPageBusy: () => boolean | undefined;
  waitUntilReady?: (signal: AbortSignal) => Promise<void>;
  /** Called with the slug of the tour that starts, and with null when it has ended. */
  onPlaying: (slug: string | null) => void;
  onEvent: (tour: Tour, event: RecordedEvent) => void;
}

/** The outcome of a start in this visit. */
type Outcome = 'PLAYED' | 'NO_ELEMENT' | 'PLAYER_FAILED';

export type Obstacle = StartProblem | Outcome | 'NOT_LOADED' | 'NOT_OFFERED' | 'PLAYING';

/** Each failure to load the player doubles the time until the next attempt, which begins with half a minute. */
const HALF_FIRST_RETRY_DELAY_MS = 15_000;

export interface TourSession {
  /** Rejects if the request fails. */
  begin(): Promise<void>;
  /** Starts a tour regardless of its start rule, also while tours are being fetched. */
  play(slug: string): Promise<void>;
  /** Ends the run as dismissed, or cancels a start. */
  stop(): Promise<void>;
  /** Chooses a tour again, for example after traits have changed. */
  check(): void;
  /** Null if it starts. */
  explain(slug: string): Obstacle | null;
  /** The run can be resumed on the next page. */
  dispose(): Promise<void>;
}

export function createTourSession<Tour extends OfferedTour>(options: TourSessionOptions<Tour>): TourSession {
  const { recorders, page } = options;
  const [events, goalRecorder, attempts] = recorders;
  /** Null before the server has responded. */
  let tours: readonly Tour[] | null = null;
  /** The slug of the tour whose player is loaded, or that is shown. */
  let starting: string | null = null;
  let playing: Run | null = null;
  let disposed = false;
  let pending = false;
  let inCooldown = false;
  /** The slug that the page has requested last, possibly before the server responds. */
  let requested: string | null = null;
  /** Outcomes of this visit by tour. A tour repeats in a later visit. */
  const outcomes = new Map<string, Outcome>();
  let retryDelay = HALF_FIRST_RETRY_DELAY_MS;
  /** Milliseconds by which the server is ahead of the browser. */
  let clockOffset = 0;
  const visit = new AbortController();
  const { signal } = visit;

  function change(slug: string | null) {
    starting = slug;
    options.onPlaying(slug);
  }

  const flush = () => Promise.all(recorders.map(each => each.flush()));
  addEventListener('pagehide', flush, { signal });

  async function run(tour: Tour, isAutomatic = false): Promise<void> {
    // A concurrent call must not start another tour.
    if (isBusy() || disposed) return;
    const { tourId, releaseId } = tour;
    outcomes.set(tourId, 'PLAYED');
    change(tour.slug);
    const createRun = await options.loadPlayer(tour).catch(() => null);
    // Stopped, and started again or another one.
    if (disposed || playing || starting !== tour.slug) return;
    if (!createRun) {
      outcomes.set(tourId, 'PLAYER_FAILED');
      // Also if the network has failed: the recorder sends it later.
      if (options.isUnreported(`p${releaseId}`)) attempts.add({ releaseId, problem: 'PLAYER_FAILED', at: now() });
      setTimeout(
        () => {
          // Unless the page has started it in the meantime.
          if (outcomes.get(tourId) === 'PLAYER_FAILED') outcomes.delete(tourId);
          startMatchingTour();
        },
        (retryDelay *= 2),
      );
      return change(null);
    }
    playing = createRun(tour, {
      clockOffset,
      onAttempt: attempts.add,
      onEvent(event) {
        inCooldown ||= isAutomatic;
        events.add(event);
        options.onEvent(tour, event);
      },
      onEnd(obstacle) {
        if (obstacle) outcomes.set(tourId, obstacle);
        playing = null;
        // Playing again starts a new run.
        tour.resume = null;
        change(null);
        void flush();
        startMatchingTour();
      },
    });
    return playing.start();
  }

  const now = (at = Date.now()) => new Date(at + clockOffset).toISOString();

  const findTour = (slug: string | null) => tours?.find(tour => tour.slug === slug);

  const isBusy = () => starting ?? options.isPageBusy();

  const situation = (event: string | null): Situation => ({
    path: page.path(),
    evaluate: page.evaluate,
    event,
    inCooldown,
  });

  function startMatchingTour(event: string | null = null) {
    if (isBusy() || pending || disposed || !tours) return;
    const tour = chooseTour(
      tours.filter(({ tourId }) => !outcomes.has(tourId)),
      situation(event),
    );
    if (!tour) return;
    pending = true;
    setTimeout(() => void autoStart(tour, event), tour.resume ? 0 : tour.start.delayMs);
  }

  async function autoStart(tour: Tour, event: string | null): Promise<void> {
    await options.waitUntilReady?.(signal);
    pending = false;
    // Another session plays, and calls `check` at the end.
    if (disposed || isBusy()) return;
    // The visitor may have navigated.
    if (startProblem(tour, situation(tour.resume ? null : event)) !== null) return startMatchingTour();
    await run(tour, !tour.resume);
  }

  return {
    async begin() {
      // Goals and start rules are known only when the server has responded.
      const buffered: [event: string, at: number][] = [];
      let onEvent = (event: string, at = Date.now()): unknown => buffered.push([event, at]);
      page.onEvent(event => onEvent(event), signal);
      await flush();
      const { goals, serverTime, ...booted } = await options.boot().finally(() => {
        // After an error, the page's events would fill the memory.
        onEvent = () => {};
      });
      if (disposed) return;
      tours = booted.tours;
      clockOffset = Date.parse(serverTime) - Date.now();
      const openGoals = new Set(goals);
      onEvent = (event, at = Date.now()) => {
        // A goal is reported once in a visit, because only the first one counts, and immediately. Other names are sent
        // with the next batch.
        const reached = openGoals.delete(event);
        if (reached || (!goals.includes(event) && options.isUnreported(event)))
          goalRecorder.add({ event, at: now(at) });
        if (reached) void goalRecorder.flush();
        startMatchingTour(event);
      };
      const first = findTour(requested);
      if (first) void run(first);
      startMatchingTour();
      page.onPath(() => startMatchingTour(), signal);
      for (const each of buffered) onEvent(...each);
    },
    async play(slug) {
      requested = slug;
      const tour = findTour(slug);
      return tour && run(tour);
    },
    async stop() {
      requested = null;
      if (playing) await playing.stop('PROGRAM');
      else change(null);
    },
    check: () => startMatchingTour(),
    explain(slug) {
      const tour = findTour(slug);
      if (!tour) return tours ? 'NOT_OFFERED' : 'NOT_LOADED';
      if (isBusy()) return 'PLAYING';
      return outcomes.get(tour.tourId) ?? startProblem(tour, situation(null));
    },
    async dispose() {
      disposed = true;
      visit.abort();
      await playing?.suspend();
      await flush();
      for (const each of recorders) each.dispose();
    },
  };
}
