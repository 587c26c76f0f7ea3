// Members who write and read, pages that boot and report, and open streams. Counts failures, and finally compares the
// database with the acknowledged changes.

import { randomUUID } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from '../../server/waypost/bench/requests.mjs';
import { UserError } from './processes.mjs';

const SITE = 'https://shop.example';

/** Limits of an address are not reached with this number of addresses. */
const ADDRESSES = 20;

/** A browser gives up later. The server responds within five seconds during an outage. */
const TIMEOUT_MS = 12_000;

const RETRY_MS = 100;

const START_TIMEOUT_MS = 60_000;

/** A workspace has at most 500 tours. */
const MAX_TOURS = 490;

const CREATE_PAUSE_MS = 400;

/** Pauses between the requests of one member or page. */
const PAUSE_MS = 20;

const LATE_MS = 1500;

const DAY_MS = 86_400_000;

/** Time for streams to have the last change. */
const STREAM_TIMEOUT_MS = 15_000;

/** Outcomes of requests whose clients try again. */
const isRetried = outcome => /^(NETWORK|HTTP 50[234]|UNAVAILABLE)/.test(outcome);

/**
 * Starts the load, and returns functions that observe it.
 * @param {{ origin: string, token: (account: string) => string, ca?: string, slug?: string,
 *   streams?: number }} options `ca` is the certificate of the origin, and `slug` that of the new workspace
 */
export async function startLoad({ origin, token, ca, slug = 'load', streams = 4 }) {
  const agents = Array.from({ length: ADDRESSES }, (_, index) => newAgent(origin, index, ca));
  /** Ends the requests first, and the streams when they have the last change. */
  const phase = { works: true, watches: true };
  /** Times of successes and of failures with their outcomes, by kind. */
  const successes = { write: [], read: [], visit: [] };
  const failures = [];

  const post = (path, body, headers, index = 0) =>
    send(agents[index % ADDRESSES], `${origin}${path}`, body, headers).then(outcomeOf, error => ({
      outcome: `NETWORK ${error.code ?? error.message}`,
      data: null,
    }));
  const operate = (operation, variables) =>
    post('/graphql', request(operation, variables), {
      'content-type': 'application/json',
      accept: 'application/json',
      authorization: `Bearer ${token('owner')}`,
    });
  const report = (path, variables, index) =>
    post(path, JSON.stringify(variables), { 'content-type': 'text/plain', origin: SITE }, index);

  /** Sends a request until it succeeds. `known` are other outcomes, of a repeated request whose first one succeeded. */
  const persist = async (kind, attempt, known = []) => {
    for (;;) {
      const { outcome, data } = await attempt();
      if (outcome === 'OK' || known.includes(outcome)) {
        successes[kind].push(performance.now());
        return data;
      }
      failures.push({ at: performance.now(), kind, outcome });
      if (!phase.works || !isRetried(outcome)) return 'ended';
      await sleep(RETRY_MS);
    }
  };
  /** The server may still be starting. */
  const expectData = async (operation, variables) => {
    for (const deadline = performance.now() + START_TIMEOUT_MS; ; await sleep(RETRY_MS)) {
      const { outcome, data } = await operate(operation, variables);
      if (outcome === 'OK') return data;
      if (!isRetried(outcome) || performance.now() > deadline) throw new UserError(`${operation} failed: ${outcome}`);
    }
  };

  const id = randomUUID().slice(0, 8);
  const { workspaceCreate: workspace } = await expectData('WorkspaceCreate', { input: { name: 'Load', slug } });
  const { siteCreate: site } = await expectData('SiteCreate', {
    input: { workspaceId: workspace.id, name: 'Shop', origins: [SITE] },
  });
  const create = name => operate('TourCreate', { input: { workspaceId: workspace.id, title: name, slug: name } });
  const created = await create('watched');
  if (created.outcome !== 'OK') throw new UserError(`TourCreate failed: ${created.outcome}`);
  const { tourCreate: tour } = created.data;
  const { tourSave } = await expectData('TourSave', {
    input: {
      id: tour.id,
      expectedVersion: tour.version,
      steps: [{ key: 'hello', kind: 'MODAL', title: 'Hello' }],
    },
  });
  const { tourRelease } = await expectData('TourRelease', {
    input: { tourId: tour.id, expectedVersion: tourSave.version, siteIds: [site.id] },
  });
  const releaseId = tourRelease[0].id;
  const read = () => operate('TourEditor', { workspaceId: workspace.id, slug: 'watched' });
  const { tourBySlug } = (await read()).data;

  const slugs = [];
  const runs = [];
  /** The newest version whose change was acknowledged. */
  let version = tourBySlug.version;
  let stale = 0;

  const createTours = async () => {
    for (let number = 0; phase.works && number < MAX_TOURS; number += 1) {
      const name = `tour-${number}`;
      // A repeated request finds the tour of the first one, whose response was lost.
      if ((await persist('write', () => create(name), ['SLUG_TAKEN'])) !== 'ended') slugs.push(name);
      await sleep(CREATE_PAUSE_MS);
    }
  };
  const rename = async () => {
    for (let number = 0; phase.works; number += 1) {
      const { outcome, data } = await operate('TourRename', {
        id: tour.id,
        expectedVersion: version,
        title: `Title ${number}`,
      });
      if (outcome === 'OK') {
        successes.write.push(performance.now());
        version = data.tourRename.version;
      } else {
        // The change of a request whose response was lost is a conflict for the next one.
        if (outcome !== 'VERSION_CONFLICT') failures.push({ at: performance.now(), kind: 'write', outcome });
        await sleep(RETRY_MS);
        // The change may have been made although no response arrived.
        const known = await read();
        if (known.outcome === 'OK') version = Math.max(version, known.data.tourBySlug.version);
      }
      await sleep(PAUSE_MS);
    }
  };
  const readTour = async () => {
    while (phase.works) {
      const acknowledged = version;
      const data = await persist('read', read);
      if (data !== 'ended' && data.tourBySlug.version < acknowledged) stale += 1;
      await sleep(PAUSE_MS);
    }
  };
  const visit = async page => {
    for (let number = 0; phase.works; number += 1) {
      const index = page * 1000 + number;
      const visitor = { anonymousId: `browser-${id}-${index}` };
      const booted = await persist('visit', () =>
        report('/e/boot', { siteKey: site.key, visitor, url: `${SITE}/` }, index),
      );
      if (booted === 'ended') continue;
      const event = { runId: newRunId(), releaseId, stepKey: 'hello', at: booted.serverTime };
      const events = [{ ...event, seq: 0, kind: 'RUN_STARTED' }];
      const recorded = await persist('visit', () => report('/e/record', { siteKey: site.key, visitor, events }, index));
      if (recorded.accepted === 1) runs.push(event.runId);
      await sleep(5 * PAUSE_MS);
    }
  };

  const watched = Array.from({ length: streams }, () => ({ version: 0, connections: 0, backwards: 0 }));
  const watch = async seen => {
    while (phase.watches) {
      seen.connections += 1;
      const onTour = changed => {
        if (changed.version < seen.version) seen.backwards += 1;
        seen.version = changed.version;
      };
      // A client connects again after any end.
      await follow({ url: `${origin}/graphql`, ca }, tour.id, token('owner'), onTour, () => !phase.watches).catch(
        () => {},
      );
      await sleep(RETRY_MS);
    }
  };
  const loops = [createTours(), rename(), readTour(), readTour(), visit(0), visit(1)];
  const streaming = watched.map(watch);

  return {
    tour,
    site,
    /** Returns the number of failed requests. */
    failed: () => failures.length,
    /** Returns the time of the server, as pages get it. */
    async serverTime() {
      const visitor = { anonymousId: 'browser-with-a-clock' };
      const { data } = await report('/e/boot', { siteKey: site.key, visitor, url: `${SITE}/` }, 0);
      return data?.serverTime;
    },
    /** Waits until members and pages succeed again, and returns the time without success of each kind, in seconds. */
    async observe(fault, { atLeastMs = 5000, timeoutMs = 120_000 } = {}) {
      const began = performance.now();
      const firstFailure = failures.length;
      await fault();
      await sleep(atLeastMs);
      const isServed = () => Object.values(successes).every(times => times.at(-1) > performance.now() - 1000);
      const deadline = performance.now() + timeoutMs;
      let served = 0;
      // Three seconds in a row, because the first connection may succeed before the others.
      while (served < 15) {
        if (performance.now() > deadline) throw new UserError(`No service after ${timeoutMs / 1000} s.`);
        served = isServed() ? served + 1 : 0;
        await sleep(200);
      }
      const seen = failures.slice(firstFailure);
      return {
        seconds: Object.fromEntries(
          Object.entries(successes).map(([kind, times]) => [kind, longestGap(times, began) / 1000]),
        ),
        failed: seen.length,
        outcomes: count(seen.map(({ outcome }) => outcome)),
      };
    },

    /** Ends the load, and compares the database with the acknowledged changes. */
    async finish() {
      phase.works = false;
      await Promise.all(loops);
      const deadline = Date.now() + STREAM_TIMEOUT_MS;
      const { tourBySlug: last } = await expectData('TourEditor', { workspaceId: workspace.id, slug: 'watched' });
      while (watched.some(seen => seen.version !== last.version) && Date.now() < deadline) await sleep(50);
      const behind = watched.filter(seen => seen.version !== last.version).length;
      const found = await allSlugs(expectData, workspace.id);
      const lost = slugs.filter(name => !found.has(name));
      // A replica may serve them.
      await sleep(LATE_MS);
      const [from, to] = [Date.now() - DAY_MS, Date.now()].map(time => new Date(time).toISOString().slice(0, 10));
      const { tourInsights } = await expectData('TourInsights', {
        tourId: tour.id,
        siteId: site.id,
        range: { from, to },
      });
      phase.watches = false;
      await Promise.all(streaming);
      for (const agent of agents) agent.destroy();
      return {
        acknowledged: slugs.length + runs.length + last.version - tourBySlug.version,
        lost: lost.length + Number(last.version < version),
        // Each acknowledged run counts once.
        wrong:
          stale + Math.abs(tourInsights.started - runs.length) + watched.reduce((sum, seen) => sum + seen.backwards, 0),
        internal: failures.filter(({ outcome }) => /INTERNAL|HTTP 500/.test(outcome)).length,
        unexpected: count(failures.map(({ outcome }) => outcome).filter(outcome => !isRetried(outcome))),
        streams: { count: streams, behind, connections: watched.reduce((sum, seen) => sum + seen.connections, 0) },
        requests: Object.values(successes).reduce((sum, times) => sum + times.length, 0),
      };
    },
  };
}

async function allSlugs(query, workspaceId) {
  const found = new Set();
  for (let after = null; ;) {
    const { tours } = await query('Tours', { workspaceId, first: 100, after });
    for (const tour of tours.nodes) found.add(tour.slug);
    if (!tours.pageInfo.hasNextPage) return found;
    after = tours.pageInfo.endCursor;
  }
}

function newAgent(origin, index, ca) {
  const options = { keepAlive: true, localAddress: `127.0.0.${100 + index}`, ca };
  return origin.startsWith('https') ? new https.Agent(options) : new http.Agent(options);
}

const clientOf = url => (url.startsWith('https') ? https : http);

function send(agent, url, body, headers) {
  return new Promise((resolve, reject) => {
    const sent = clientOf(url).request(url, { method: 'POST', agent, headers, timeout: TIMEOUT_MS }, response => {
      let text = '';
      response.setEncoding('utf8').on('data', part => (text += part));
      response.on('end', () => resolve({ status: response.statusCode, text }));
      response.on('error', reject);
    });
    sent.on('timeout', () => sent.destroy(Object.assign(new Error('no response'), { code: 'TIMEOUT' })));
    sent.on('error', reject);
    sent.end(body);
  });
}

function outcomeOf({ status, text }) {
  let body;
  try {
    body = JSON.parse(text);
  } catch {
    return { outcome: `HTTP ${status}`, data: null };
  }
  const code = body.errors?.[0]?.extensions?.code ?? body.error?.code;
  if (code !== undefined) return { outcome: code, data: null };
  if (status !== 200) return { outcome: `HTTP ${status}`, data: null };
  return { outcome: 'OK', data: body.data ?? body };
}

/** Reads the events of a subscription until the response ends. */
function follow({ url, ca }, id, token, onTour, isEnded) {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      accept: 'multipart/mixed;subscriptionSpec=1.0, application/json',
      authorization: `Bearer ${token}`,
    };
    const sent = clientOf(url).request(url, { method: 'POST', agent: false, ca, headers }, response => {
      const timer = setInterval(() => isEnded() && sent.destroy(), 100);
      let rest = '';
      response.setEncoding('utf8').on('data', part => {
        const parts = `${rest}${part}`.split('\r\n--graphql');
        rest = parts.pop() ?? '';
        for (const each of parts) {
          const start = each.indexOf('\r\n\r\n{');
          const tour = start < 0 ? null : JSON.parse(each.slice(start)).payload?.data?.tourChanged;
          if (tour) onTour(tour);
        }
      });
      response.on('close', () => (clearInterval(timer), resolve(undefined)));
      response.on('error', () => {});
    });
    sent.on('error', reject);
    sent.end(request('TourChanged', { id }));
  });
}

/** Returns a UUID of version 7, as browsers do. */
function newRunId() {
  const time = Date.now().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

function longestGap(times, began) {
  const relevant = times.filter(time => time >= began - 1000);
  const ends = [...relevant, performance.now()];
  return Math.max(0, ...ends.slice(1).map((time, index) => time - ends[index]));
}

function count(names) {
  const counts = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
