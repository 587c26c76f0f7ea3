// Requests per second, latency and cost of each contestant on each workload, in rounds that take turns.

import { WORKLOADS } from './options.mjs';
import { bodyFor } from './requests.mjs';
import { load, startAll } from './servers.mjs';
import { median, short, table, whole } from './tables.mjs';

/** A generator of load that is busier than this was the limit. */
const LIMIT = 0.95;

export async function throughput(bench) {
  const servers = await startAll(bench.contestants, bench);
  const found = new Map();
  try {
    await warmUp(servers, bench);
    for (let round = 0; round < bench.rounds; round += 1) {
      console.log(`round ${round + 1} of ${bench.rounds}`);
      for (const workload of bench.workloads) {
        for (const name of turned(bench.contestants, round)) {
          const key = `${workload} ${name}`;
          found.set(key, [...(found.get(key) ?? []), await measured(servers.get(name), workload, bench)]);
        }
      }
    }
  } finally {
    for (const server of servers.values()) await server.stop();
  }
  return bench.workloads.map(workload => section(workload, found, bench)).join('\n\n');
}

/** Compilers at run time need their time, and caches their content. */
async function warmUp(servers, bench) {
  console.log('warming up');
  const seconds = bench.quick ? 0.1 : 1;
  for (const workload of bench.workloads) {
    for (const server of servers.values()) await measured(server, workload, { ...bench, seconds });
  }
}

function measured(server, workload, bench) {
  const { seconds, warm, connections, folder } = bench;
  const body = bodyFor(server.name, WORKLOADS[workload], folder);
  return load(server, { body, seconds, warm, connections }, bench);
}

/** Another order in each round, so that nobody always follows the same one. */
function turned(names, round) {
  const order = round % 2 === 0 ? names : names.toReversed();
  const at = (round * 3) % order.length;
  return [...order.slice(at), ...order.slice(0, at)];
}

function section(workload, found, bench) {
  const { operation, what } = WORKLOADS[workload];
  const measure = found.get(`${workload} handwritten`);
  const head = [
    '',
    'ratio',
    'from – to',
    'requests/s',
    'p50 µs',
    'p99 µs',
    'CPU µs',
    'allocations',
    'kB',
    'instructions',
  ];
  let limited = false;
  const rows = bench.contestants.map(name => {
    const rounds = found.get(`${workload} ${name}`);
    const ratios = rounds.map((round, at) => round.rate / measure[at].rate);
    const isLimited = median(rounds.map(round => round.busy)) > LIMIT;
    limited ||= isLimited;
    const counted = bench.counts.get(`${workload} ${name}`);
    const of = key => median(rounds.map(round => round[key]));
    return [
      name,
      `${isLimited ? '> ' : ''}${short(median(ratios))}`,
      `${short(Math.min(...ratios))} – ${short(Math.max(...ratios))}`,
      whole(of('rate')),
      whole(of('p50_us')),
      whole(of('p99_us')),
      short(of('cpu_us')),
      short(counted?.allocations),
      short(counted?.kilobytes),
      whole(counted?.instructions),
    ];
  });
  const note = limited ? '\n\n`>`: the generator of load was the limit, not the server.' : '';
  return `## ${workload}\n\n\`${operation}\`: ${what}. ${bench.connections} connections.\n\n${table([head, ...rows])}${note}`;
}
