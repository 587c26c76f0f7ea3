// Measures requests per second, latency and cost of each subject on each workload, in alternating rounds.

import { WORKLOADS } from './options.mjs';
import { bodyFor } from './requests.mjs';
import { load, startAll } from './servers.mjs';
import { formatInteger, formatNumber, median, table } from './tables.mjs';

/** Utilization of the load generator above which it counts as the bottleneck. */
const MAX_UTILIZATION = 0.95;

export async function throughput(bench) {
  const servers = await startAll(bench.subjects, bench);
  const found = new Map();
  try {
    await warmUp(servers, bench);
    for (let round = 0; round < bench.rounds; round += 1) {
      console.log(`round ${round + 1} of ${bench.rounds}`);
      for (const workload of bench.workloads) {
        for (const name of rotated(bench.subjects, round)) {
          const key = `${workload} ${name}`;
          found.set(key, [...(found.get(key) ?? []), await measure(servers.get(name), workload, bench)]);
        }
      }
    }
  } finally {
    for (const server of servers.values()) await server.stop();
  }
  return bench.workloads.map(workload => section(workload, found, bench)).join('\n\n');
}

/** For JIT compilers and caches. */
async function warmUp(servers, bench) {
  console.log('warming up');
  const seconds = bench.quick ? 0.1 : 1;
  for (const workload of bench.workloads) {
    for (const server of servers.values()) await measure(server, workload, { ...bench, seconds });
  }
}

function measure(server, workload, bench) {
  const { seconds, warm, connections, folder } = bench;
  const body = bodyFor(server.name, WORKLOADS[workload], folder);
  return load(server, { body, seconds, warm, connections }, bench);
}

/** No subject always runs after the same one. */
function rotated(names, round) {
  const order = round % 2 === 0 ? names : names.toReversed();
  const at = (round * 3) % order.length;
  return [...order.slice(at), ...order.slice(0, at)];
}

function section(workload, found, bench) {
  const { operation, what } = WORKLOADS[workload];
  const baseline = found.get(`${workload} handwritten`);
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
  const rows = bench.subjects.map(name => {
    const rounds = found.get(`${workload} ${name}`);
    const ratios = rounds.map((round, at) => round.rate / baseline[at].rate);
    const isLimited = median(rounds.map(round => round.busy)) > MAX_UTILIZATION;
    limited ||= isLimited;
    const counted = bench.counts.get(`${workload} ${name}`);
    const of = key => median(rounds.map(round => round[key]));
    return [
      name,
      `${isLimited ? '> ' : ''}${formatNumber(median(ratios))}`,
      `${formatNumber(Math.min(...ratios))} – ${formatNumber(Math.max(...ratios))}`,
      formatInteger(of('rate')),
      formatInteger(of('p50_us')),
      formatInteger(of('p99_us')),
      formatNumber(of('cpu_us')),
      formatNumber(counted?.allocations),
      formatNumber(counted?.kilobytes),
      formatInteger(counted?.instructions),
    ];
  });
  const note = limited ? '\n\n`>`: the load generator was the bottleneck, not the server.' : '';
  return `## ${workload}\n\n\`${operation}\`: ${what}. ${bench.connections} connections.\n\n${table([head, ...rows])}${note}`;
}
