import { GROWING } from './options.mjs';
import { bodyFor } from './requests.mjs';
import { load, startAll } from './servers.mjs';
import { formatNumber, median, table } from './tables.mjs';

/** Few connections, because the responses are large. */
const CONNECTIONS = 8;

export async function rows(bench) {
  const steps = [10, 100, 1_000, 10_000].map(first => ({
    name: first.toLocaleString('en-US'),
    workload: { operation: 'Products', variables: { first } },
    parts: first,
  }));
  const [all, each] = await measure(steps, bench);
  const text = 'CPU time in microseconds for a request of this many products, and below for one product.';
  return `## From 10 to 10,000 rows\n\n${text}\n\n${all}\n\n${each}`;
}

export async function levels(bench) {
  const steps = [1, 2, 3, 4, 5, 6].map(level => ({
    name: String(level),
    workload: { operation: `Places${level}`, variables: { first: 20 } },
    parts: level,
  }));
  const [all, each] = await measure(steps, bench);
  const text =
    'CPU time in microseconds for 20 places with this many levels of surrounding places, each level in one lookup; below for one level.';
  return `## From 1 to 6 levels\n\n${text}\n\n${all}\n\n${each}`;
}

async function measure(steps, bench) {
  const names = GROWING.filter(name => bench.subjects.includes(name));
  const servers = await startAll(names, bench);
  const found = new Map();
  try {
    for (let round = 0; round <= Math.ceil(bench.rounds / 2); round += 1) {
      for (const { name: step, workload } of steps) {
        for (const name of names) {
          const request = { ...bench, connections: CONNECTIONS, seconds: bench.seconds / 2 };
          const report = await load(
            servers.get(name),
            { ...request, body: bodyFor(name, workload, bench.folder) },
            bench,
          );
          // The first round is a warm-up for JIT compilers.
          if (round > 0) found.set(`${step} ${name}`, [...(found.get(`${step} ${name}`) ?? []), report.cpu_us]);
        }
      }
    }
  } finally {
    for (const server of servers.values()) await server.stop();
  }
  const head = ['', ...steps.map(({ name }) => name)];
  const format = part =>
    table([
      head,
      ...names.map(name => [
        name,
        ...steps.map(step => formatNumber(divided(median(found.get(`${step.name} ${name}`)), part(step)))),
      ]),
    ]);
  return [format(() => 1), format(({ parts }) => parts)];
}

function divided(number, by) {
  return number === null ? null : number / by;
}
