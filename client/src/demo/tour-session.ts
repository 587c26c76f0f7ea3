// A visit of one participant to one page: asks which tours to play, plays them one at a time, records what happens.
// Framework-free; what reaches the network and the page is passed in.

import { v7 as uuidv7 } from 'uuid';
import { type Page } from '../player/page';
import { createPlayer, type Player } from '../player/player';
import type { PlayEvent, RendererFactory } from '../player/types';
import { begins, type BootedTour, chooseTour, type Situation } from './choose-tour';
import type { RecordedGoal, Recorder } from './recorder';

/** What the server tells a page. */
export interface Booted {
  tours: readonly BootedTour[];
  /** The events to tell the server of. */
  goals: readonly string[];
  /** RFC 3339. */
  serverTime: string;
}

export interface TourSessionOptions {
  boot: () => Promise<Booted>;
  recorder: Recorder;
  goalRecorder: Recorder<RecordedGoal>;
  /** Whether the server is to hear of an event that is no goal; true once for each that is worth telling. */
  isUnreported: (event: string) => boolean;
  /** Loads the renderer when the first tour is about to play, so that pages without one do not pay for it. */
  renderer: () => Promise<RendererFactory>;
  page: Page;
  /** Waits until the page is free for a tour that begins by itself. */
  free?: (signal: AbortSignal) => Promise<void>;
  onChange?: (state: TourSessionState) => void;
}

export interface TourSessionState {
  tours: readonly BootedTour[];
  /** Slug of the tour that plays now. */
  playing: string | null;
}

export interface TourSession {
  /**
   * Asks for the tours and begins the one that fits the page, now or when the person comes to it within the visit. Rejects
   * when the server cannot be asked.
   */
  begin(): Promise<void>;
  /** Plays a tour by its address, whatever its trigger. */
  play(slug: string): Promise<void>;
  /** Leaves the page: a run that plays now can go on at the next one. */
  dispose(): Promise<void>;
}

/** How many events are kept until the server has answered. */
const MAX_EARLY = 100;

const visible = () => document.visibilityState === 'visible';

/** Counts the time in which the page could be seen. */
function stopwatch() {
  let total = 0;
  let since: number | null = visible() ? performance.now() : null;
  const onChange = () => {
    if (since !== null) total += performance.now() - since;
    since = visible() ? performance.now() : null;
  };
  document.addEventListener('visibilitychange', onChange);
  return {
    read: () => Math.round(total + (since === null ? 0 : performance.now() - since)),
    stop: () => document.removeEventListener('visibilitychange', onChange),
  };
}

export function createTourSession(options: TourSessionOptions): TourSession {
  const { recorder, goalRecorder, page } = options;
  let state: TourSessionState = { tours: [], playing: null };
  let player: Player | null = null;
  let disposed = false;
  let delay: ReturnType<typeof setTimeout> | null = null;
  /** A tour is about to begin by itself. */
  let pending = false;
  /** Whether a tour has begun by itself in this visit. */
  let quiet = false;
  /** The tours that were played in this visit: however often a rule lets them come again, it is on later visits. */
  const played = new Set<string>();
  const visit = new AbortController();

  function change(next: Partial<TourSessionState>) {
    state = { ...state, ...next };
    options.onChange?.(state);
  }

  const flush = () => Promise.all([recorder.flush(), goalRecorder.flush()]);
  const onPageHide = () => void flush();
  window.addEventListener('pagehide', onPageHide);

  async function run(tour: BootedTour): Promise<void> {
    // Said before anything is awaited: whoever asks meanwhile finds that a tour plays.
    if (state.playing !== null || disposed) return;
    change({ playing: tour.slug });
    const renderer = await options.renderer().catch(() => null);
    if (disposed) return;
    if (renderer === null) {
      // Most likely the network: the tour stays where it is, and can be asked for again.
      change({ playing: null });
      return;
    }
    played.add(tour.tourId);
    const runId = tour.resume?.runId ?? uuidv7();
    let seq = tour.resume?.seq ?? 0;
    const clock = stopwatch();
    const onEvent = (event: PlayEvent) => {
      // A resumed run has begun already; telling so again would only be noise in its log.
      if (event.kind === 'RUN_STARTED' && tour.resume) return;
      recorder.add({
        runId,
        releaseId: tour.releaseId,
        seq: seq++,
        at: new Date().toISOString(),
        activeMs: clock.read(),
        ...event,
      });
    };
    player = createPlayer({
      steps: tour.steps,
      theme: tour.theme,
      renderer,
      page,
      done: tour.resume?.doneSteps ?? [],
      onEvent,
      onEnd: () => {
        clock.stop();
        player = null;
        // The run is over: whoever plays the tour again begins another one.
        const tours = state.tours.map(each => (each.slug === tour.slug ? { ...each, resume: null } : each));
        change({ playing: null, tours });
        void recorder.flush();
        if (!disposed) consider(null);
      },
    });
    const resumeAt = tour.steps.findIndex(step => step.key === tour.resume?.stepKey);
    await player.start(Math.max(resumeAt, 0));
  }

  const situation = (event: string | null): Situation => ({
    path: page.path(),
    holds: condition => page.holds(condition),
    event,
    quiet,
  });

  /** Begins what fits the page now; `event` is what the page tells of. */
  function consider(event: string | null) {
    if (state.playing !== null || pending || disposed) return;
    const tour = chooseTour(
      state.tours.filter(({ tourId }) => !played.has(tourId)),
      situation(event),
    );
    if (!tour) return;
    pending = true;
    delay = setTimeout(() => void beginByItself(tour, event), tour.resume ? 0 : tour.start.delayMs);
  }

  async function beginByItself(tour: BootedTour, event: string | null): Promise<void> {
    if (options.free) {
      // Loaded before the wait, so that nothing can open between its end and the tour.
      await options.renderer().catch(() => null);
      await options.free(visit.signal);
    }
    pending = false;
    if (disposed) return;
    // Meanwhile the person may have gone elsewhere.
    const still = tour.resume ? chooseTour([tour], situation(null)) !== null : begins(tour, situation(event));
    if (!still) return consider(null);
    quiet ||= tour.resume === null;
    await run(tour);
  }

  /** What the page said before the server said which events are goals, and which begin tours. */
  const early: { event: string; at: number }[] = [];
  const hearEarly = (event: string) => {
    if (early.length < MAX_EARLY) early.push({ event, at: Date.now() });
  };

  /**
   * Tells the server of goals, each once in a visit: the first is the one that counts. Other events can wait: only their names
   * are kept.
   */
  function watchGoals({ goals, serverTime }: Booted) {
    const open = new Set(goals);
    const ahead = Date.parse(serverTime) - Date.now();
    const reach = ({ event, at }: { event: string; at: number }) => {
      const reached = open.delete(event);
      if (!reached && (goals.includes(event) || !options.isUnreported(event))) return;
      goalRecorder.add({ event, at: new Date(at + ahead).toISOString() });
      if (reached) void goalRecorder.flush();
    };
    for (const told of early) reach(told);
    page.onEvent(event => reach({ event, at: Date.now() }), visit.signal);
  }

  return {
    async begin() {
      const asking = new AbortController();
      page.onEvent(hearEarly, AbortSignal.any([asking.signal, visit.signal]));
      await flush();
      const booted = await options.boot().finally(() => asking.abort());
      if (disposed) return;
      const { tours } = booted;
      watchGoals(booted);
      change({ tours });
      consider(null);
      page.onPath(() => consider(null), visit.signal);
      const beginners = new Set(tours.map(({ start }) => (start.trigger === 'EVENT' ? start.event : null)));
      const hear = (event: string) => {
        if (beginners.has(event)) consider(event);
      };
      for (const { event } of early) hear(event);
      page.onEvent(hear, visit.signal);
    },
    async play(slug) {
      const tour = state.tours.find(candidate => candidate.slug === slug);
      if (tour) await run(tour);
    },
    async dispose() {
      disposed = true;
      visit.abort();
      if (delay) clearTimeout(delay);
      window.removeEventListener('pagehide', onPageHide);
      await player?.suspend();
      await flush();
      recorder.dispose();
      goalRecorder.dispose();
    },
  };
}
