// Plays the offered tours one at a time and records their events.

import { chooseTour, type OfferedTour, type Situation, startProblem, type StartProblem } from './choose-tour';
import type { PageFacts } from './page-facts';
import type { RecordedEvent, RecordedGoal, Recorder } from './recorder';
import type { Run, RunOptions } from './run';

export interface Booted<Tour> {
  tours: readonly Tour[];
  goals: readonly string[];
  /** RFC 3339. */
  serverTime: string;
}

export interface TourSessionOptions<Tour> {
  boot: () => Promise<Booted<Tour>>;
  recorder: Recorder;
  goalRecorder: Recorder<RecordedGoal>;
  /** True once for each event that is not a goal and whose name has to be reported. */
  isUnreported: (event: string) => boolean;
  /** Called when the tour starts. */
  loadPlayer: (tour: Tour) => Promise<(tour: Tour, options: RunOptions) => Run>;
  page: PageFacts;
  isPageBusy?: () => boolean;
  waitUntilReady?: (signal: AbortSignal) => Promise<void>;
  onChange?: (state: TourSessionState<Tour>) => void;
  onEvent?: (tour: Tour, event: RecordedEvent) => void;
}

export type Obstacle = StartProblem | 'NOT_LOADED' | 'NOT_OFFERED' | 'PLAYING' | 'PLAYED';

export interface TourSessionState<Tour> {
  tours: readonly Tour[];
  playing: string | null;
}

export interface TourSession {
  /** Rejects if the request fails. */
  begin(): Promise<void>;
  /** Regardless of its start rule, also while tours are being fetched. */
  play(slug: string): Promise<void>;
  /** As dismissed, or cancels a start. */
  stop(): Promise<void>;
  /** Also for changed traits. */
  check(): void;
  /** Null if it starts. */
  explain(slug: string): Obstacle | null;
  /** The run can be resumed on the next page. */
  dispose(): Promise<void>;
}

export function createTourSession<Tour extends OfferedTour>(options: TourSessionOptions<Tour>): TourSession {
  const { recorder, goalRecorder, page } = options;
  let state: TourSessionState<Tour> = { tours: [], playing: null };
  let playing: Run | null = null;
  let disposed = false;
  let pending = false;
  let inCooldown = false;
  let booted = false;
  /** Last, possibly before the server responds. */
  let requested: string | null = null;
  /** In this visit. A tour repeats in a later one. */
  const played = new Set<string>();
  /** Milliseconds by which the server is ahead of the browser. */
  let clockOffset = 0;
  const visit = new AbortController();
  const { signal } = visit;

  function change(next: Partial<TourSessionState<Tour>>) {
    state = { ...state, ...next };
    options.onChange?.(state);
  }

  const flush = () => Promise.all([recorder.flush(), goalRecorder.flush()]);
  addEventListener('pagehide', flush, { signal });

  async function run(tour: Tour): Promise<void> {
    // A concurrent call must not start another tour.
    if (isBusy() || disposed) return;
    // A player that cannot be loaded would be requested again immediately.
    played.add(tour.tourId);
    change({ playing: tour.slug });
    const createRun = await options.loadPlayer(tour).catch(() => null);
    // Stopped, and started again or another one.
    if (disposed || playing || state.playing !== tour.slug) return;
    if (!createRun) {
      // After a network error, the page can play it again.
      change({ playing: null });
      return;
    }
    playing = createRun(tour, {
      clockOffset,
      onEvent(event) {
        recorder.add(event);
        options.onEvent?.(tour, event);
      },
      onEnd() {
        playing = null;
        // Playing again starts a new run.
        const tours = state.tours.map(each => (each.slug === tour.slug ? { ...each, resume: null } : each));
        change({ playing: null, tours });
        void recorder.flush();
        startMatchingTour(null);
      },
    });
    await playing.start();
  }

  const findTour = (slug: string | null) => state.tours.find(tour => tour.slug === slug);

  const isBusy = () => state.playing !== null || options.isPageBusy?.() === true;

  const situation = (event: string | null): Situation => ({
    path: page.path(),
    evaluate: page.evaluate,
    event,
    inCooldown,
  });

  function startMatchingTour(event: string | null) {
    if (isBusy() || pending || disposed) return;
    const tour = chooseTour(
      state.tours.filter(({ tourId }) => !played.has(tourId)),
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
    if (startProblem(tour, situation(tour.resume ? null : event)) !== null) return startMatchingTour(null);
    inCooldown ||= !tour.resume;
    await run(tour);
  }

  return {
    async begin() {
      // Goals and start rules are known only when the server has responded.
      const buffered: [event: string, at: number][] = [];
      let onEvent = (event: string, at = Date.now()): unknown => buffered.push([event, at]);
      page.onEvent(event => onEvent(event), signal);
      await flush();
      const { tours, goals, serverTime } = await options.boot().finally(() => {
        // After an error, the page's events would fill the memory.
        onEvent = () => {};
      });
      if (disposed) return;
      booted = true;
      clockOffset = Date.parse(serverTime) - Date.now();
      const openGoals = new Set(goals);
      onEvent = (event, at = Date.now()) => {
        // A goal is reported once in a visit, because only the first one counts, and immediately. Other names are sent
        // with the next batch.
        const reached = openGoals.delete(event);
        if (reached || (!goals.includes(event) && options.isUnreported(event)))
          goalRecorder.add({ event, at: new Date(at + clockOffset).toISOString() });
        if (reached) void goalRecorder.flush();
        startMatchingTour(event);
      };
      change({ tours });
      const first = findTour(requested);
      if (first) void run(first);
      else startMatchingTour(null);
      page.onPath(() => startMatchingTour(null), signal);
      for (const each of buffered) onEvent(...each);
    },
    async play(slug) {
      requested = slug;
      const tour = findTour(slug);
      if (tour) await run(tour);
    },
    async stop() {
      requested = null;
      if (playing) await playing.stop('PROGRAM');
      else change({ playing: null });
    },
    check: () => startMatchingTour(null),
    explain(slug) {
      const tour = findTour(slug);
      if (!tour) return booted ? 'NOT_OFFERED' : 'NOT_LOADED';
      if (isBusy()) return 'PLAYING';
      return played.has(tour.tourId) ? 'PLAYED' : startProblem(tour, situation(null));
    },
    async dispose() {
      disposed = true;
      visit.abort();
      await playing?.suspend();
      await flush();
      recorder.dispose();
      goalRecorder.dispose();
    },
  };
}
