import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import type { EmbedBootMutation } from '../src/generated/operations';

const EMBED = join(import.meta.dirname, '../dist/embed');

export interface ReportedEvent {
  kind: string;
  stepKey?: string;
  runId: string;
  seq: number;
}

export interface ForeignSite {
  origin: string;
  events: ReportedEvent[];
  goals: string[];
  /** The problems of attempts. */
  attempts: string[];
  boots: () => number;
  /** The server resumes the run as Waypost does. */
  offer: (tour: Tour) => void;
  state: { server: 'up' | 'down' | 'wrong' };
  stop: () => Promise<void>;
}

interface Tour {
  steps: { key: string; page: string | null }[];
  theme: object;
  locales?: string[];
}

interface Body {
  siteKey: string;
  events: ReportedEvent[];
  goals: { event: string }[];
  attempts: { problem: string }[];
}

async function bodyOf(request: IncomingMessage): Promise<Body> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return JSON.parse(Buffer.concat(parts).toString() || '{}') as Body;
}

async function listen(handler: (request: IncomingMessage, response: ServerResponse) => Promise<void>) {
  const server = createServer((request, response) => {
    handler(request, response).catch(error => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const stop = () =>
    new Promise<void>(resolve => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return { port: (server.address() as AddressInfo).port, stop };
}

interface StoredRun {
  runId: string;
  seq: number;
  stepKey: string;
  ended: boolean;
}

function bootedTour({ steps }: Tour, run: StoredRun | undefined): EmbedBootMutation['boot']['tours'][number] {
  const page = steps.find(({ key }) => key === run?.stepKey)?.page ?? null;
  return {
    tourId: 't',
    releaseId: 'r',
    slug: 'tour',
    bundle: '/t/1.json',
    start: { trigger: 'AUTO', event: null, page: null, when: null, delayMs: 0, ignoreCooldown: false },
    branches: [],
    resume: run ? { runId: run.runId, stepKey: run.stepKey, page, seq: run.seq + 1, doneSteps: [] } : null,
  };
}

/** Allows the page nothing else than its own script and Waypost. */
const strictPolicy = (waypost: string) =>
  `default-src 'none'; script-src 'self' 'nonce-page' ${waypost}; connect-src ${waypost}; style-src 'self' 'nonce-page'; img-src https:; ` +
  `frame-src 'self'; require-trusted-types-for 'script'`;

export async function startForeignSite(
  html: (waypost: string, path: string) => string,
  policy: (waypost: string) => string = strictPolicy,
): Promise<ForeignSite> {
  const events: ReportedEvent[] = [];
  const goals: string[] = [];
  const attempts: string[] = [];
  const state: ForeignSite['state'] = { server: 'up' };
  let boots = 0;
  let offered: Tour | null = null;
  /** The newest run of each site. */
  const runs = new Map<string, StoredRun>();

  const waypost = await listen(async (request, response) => {
    const path = request.url ?? '';
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
    if (path.startsWith('/embed/')) {
      const name = path.slice('/embed/'.length);
      const manifest = JSON.parse(readFileSync(join(EMBED, 'manifest.json'), 'utf8')) as { loader: { file: string } };
      response.setHeader('Content-Type', 'text/javascript');
      response.end(readFileSync(join(EMBED, name === 'v1.js' ? manifest.loader.file : name)));
      return;
    }
    if (state.server === 'down') return void request.socket.destroy();
    if (state.server === 'wrong') return void response.end('<html>Sign in to the hotel network</html>');
    response.setHeader('Content-Type', 'application/json');
    if (path.startsWith('/t/'))
      return void response.end(JSON.stringify({ title: 'Tour', locales: ['en'], ...offered }));
    const body = await bodyOf(request);
    const run = runs.get(body.siteKey);
    if (path === '/e/boot') {
      boots += 1;
      const booted: EmbedBootMutation['boot'] = {
        visitorId: 'v',
        serverTime: new Date().toISOString(),
        goals: ['bought'],
        tokenProblem: null,
        tours: offered === null || run?.ended ? [] : [bootedTour(offered, run)],
      };
      response.end(JSON.stringify(booted));
    } else if (path === '/e/record') {
      for (const event of body.events) {
        const isDuplicate = events.some(({ runId, seq }) => runId === event.runId && seq === event.seq);
        if (isDuplicate) continue;
        events.push(event);
        const ended = /^RUN_(COMPLETED|DISMISSED|FAILED)$/.test(event.kind);
        const stepKey = event.stepKey ?? runs.get(body.siteKey)?.stepKey ?? '';
        runs.set(body.siteKey, { runId: event.runId, seq: event.seq, stepKey, ended });
      }
      response.end('{"accepted":1,"rejected":[]}');
    } else if (path === '/e/attempts') {
      for (const { problem } of body.attempts) attempts.push(problem);
      response.end('1');
    } else {
      for (const { event } of body.goals) goals.push(event);
      response.end('1');
    }
  });
  const origin = `http://127.0.0.1:${waypost.port}`;
  const pages = await listen(async (request, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.setHeader('Content-Security-Policy', policy(origin));
    response.end(html(origin, request.url ?? ''));
  });
  return {
    origin: `http://localhost:${pages.port}`,
    events,
    goals,
    attempts,
    boots: () => boots,
    offer(tour) {
      offered = tour;
      runs.clear();
      events.length = 0;
    },
    state,
    async stop() {
      await Promise.all([waypost.stop(), pages.stop()]);
    },
  };
}

export const theme = {
  overlayOpacity: 0.7,
  stagePadding: 10,
  stageRadius: 5,
  popoverOffset: 10,
  animationMs: 400,
  overlayColor: '#000000',
  accentColor: '#2f5bea',
  popoverWidth: 320,
};

export const step = (key: string, selector: string | null, rest: object = {}) => ({
  key,
  kind: selector === null ? 'MODAL' : 'SPOTLIGHT',
  title: `About ${key}`,
  body: 'A **short** text with a [link](https://example.com/).',
  target: selector === null ? null : { by: 'SELECTOR', value: selector },
  side: 'AUTO',
  nextLabel: null,
  previousLabel: null,
  doneLabel: null,
  missingTarget: 'SKIP_STEP',
  // The player's waits begin when the page has loaded; a slow test must not skip the step of an element that it adds.
  waitMs: 60_000,
  page: null,
  advance: { on: 'BUTTON', page: null, selector: null, event: null, delayMs: 0 },
  branches: [],
  blockPage: false,
  closeOnOutsideClick: false,
  translations: [],
  ...rest,
});

// The first check verifies that they are closed. A page may get the script twice.
export const OPEN_ROOTS = `if (window.shifts === undefined) {
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (init) {
    if (init.mode === 'closed') window.closedRoots = (window.closedRoots ?? 0) + 1;
    return attach.call(this, { ...init, mode: 'open' });
  };
  window.shifts = 0;
  const isOurs = ({ node }) => node === null || (node.getRootNode().host ?? node).dataset?.waypost !== undefined;
  new PerformanceObserver(list => (window.shifts += list.getEntries().filter(each => each.sources.some(isOurs)).length))
    .observe({ type: 'layout-shift' });
}`;

export const popover = (page: Page, title: string): Locator => page.getByRole('dialog', { name: title });
/** Presses a button like a person: a press at the place of the previous one counts as its second click for a moment. */
export async function press(page: Page, title: string, name: string): Promise<void> {
  const button = popover(page, title).getByRole('button', { name, exact: true });
  await expect(button).toBeVisible();
  await expect(page.locator('[data-waypost] .wp-guard')).toHaveCount(0);
  await button.click();
}
