import { readFileSync } from 'node:fs';
import { UserError } from '../../../../.scripts/lib/processes.mjs';
import { announce } from '../../../../.scripts/lib/steps.mjs';
import { WORKLOADS } from './options.mjs';
import { bodyFor } from './requests.mjs';
import { startAll } from './servers.mjs';

const LEVELS = { levels: { operation: 'Places3', variables: { first: 20 } } };

/** Describes differences. Throws if data differ. */
export async function compareResponses(bench) {
  announce('Comparing the responses');
  const servers = await startAll(bench.subjects, bench);
  const notes = [];
  const sizes = [];
  try {
    for (const [name, workload] of Object.entries({ ...WORKLOADS, ...LEVELS })) {
      const expected = await responseOf(servers.get('handwritten'), workload, bench);
      sizes.push(`${name} ${Buffer.byteLength(expected)}`);
      for (const server of servers.values()) {
        if (server.name === 'empty') continue;
        const found = difference(await responseOf(server, workload, bench), expected, `${server.name}, ${name}`);
        if (found !== null) notes.push(`${server.name} (${name}) ${found}`);
      }
    }
  } finally {
    for (const server of servers.values()) await server.stop();
  }
  const same = `All subjects return the same responses as the hand-written handler, byte for byte`;
  const except = notes.length === 0 ? '' : `, except that ${merged(notes)}`;
  return `${same}${except}. Bytes of the responses: ${sizes.join(', ')}.`;
}

async function responseOf(server, workload, { folder }) {
  const response = await fetch(server.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: readFileSync(bodyFor(server.name, workload, folder)),
  });
  const text = await response.text();
  if (!response.ok) throw new UserError(`${server.name} returned status ${response.status}: ${text.slice(0, 300)}`);
  return text;
}

/** Returns the difference between two responses with the same data, or null if they are equal. */
function difference(given, expected, where) {
  if (given === expected) return null;
  if (given.trim() === expected) return 'adds a newline';
  const [one, other] = [JSON.parse(given), JSON.parse(expected)];
  if (JSON.stringify(one) === JSON.stringify(other)) return 'formats values differently';
  if (JSON.stringify(sorted(one)) === JSON.stringify(sorted(other))) return 'has a different order of fields';
  throw new UserError(`The response of ${where} differs:\n${given.slice(0, 400)}\nexpected\n${expected.slice(0, 400)}`);
}

function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted()
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}

function merged(notes) {
  const found = new Map();
  for (const note of notes) {
    const [, name, workload, what] = /^(\S+) \((\w+)\) (.+)$/.exec(note);
    const key = `${name} ${what}`;
    found.set(key, [...(found.get(key) ?? []), workload]);
  }
  return [...found].map(([key, workloads]) => `${key} (${workloads.join(', ')})`).join('; ');
}
