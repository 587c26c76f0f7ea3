// Before anything is measured: whether all contestants give the same answers, to the byte.

import { readFileSync } from 'node:fs';
import { UserError } from '../../../.scripts/lib/processes.mjs';
import { announce } from '../../../.scripts/lib/steps.mjs';
import { WORKLOADS } from './options.mjs';
import { bodyFor } from './requests.mjs';
import { startAll } from './servers.mjs';

const LEVELS = { levels: { operation: 'Places3', variables: { first: 20 } } };

/** A sentence about the answers. Ends with a complaint when one is another one. */
export async function alike(bench) {
  announce('Comparing the answers');
  const servers = await startAll(bench.contestants, bench);
  const notes = [];
  const sizes = [];
  try {
    for (const [name, workload] of Object.entries({ ...WORKLOADS, ...LEVELS })) {
      const expected = await answer(servers.get('handwritten'), workload, bench);
      sizes.push(`${name} ${Buffer.byteLength(expected)}`);
      for (const server of servers.values()) {
        if (server.name === 'empty') continue;
        const difference = compared(await answer(server, workload, bench), expected, `${server.name}, ${name}`);
        if (difference !== null) notes.push(`${server.name} (${name}) ${difference}`);
      }
    }
  } finally {
    for (const server of servers.values()) await server.stop();
  }
  const same = `All contestants give the same answers as the hand-written handler, byte for byte`;
  const but = notes.length === 0 ? '' : `, except that ${summed(notes)}`;
  return `${same}${but}. Bytes of the answers: ${sizes.join(', ')}.`;
}

async function answer(server, workload, { folder }) {
  const response = await fetch(server.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: readFileSync(bodyFor(server.name, workload, folder)),
  });
  const text = await response.text();
  if (!response.ok) throw new UserError(`${server.name} answers with ${response.status}: ${text.slice(0, 300)}`);
  return text;
}

/** What is different, when it is not the data. */
function compared(given, expected, where) {
  if (given === expected) return null;
  if (given.trim() === expected) return 'adds a new line';
  const [one, other] = [JSON.parse(given), JSON.parse(expected)];
  if (JSON.stringify(one) === JSON.stringify(other)) return 'writes the same values in another way';
  if (JSON.stringify(sorted(one)) === JSON.stringify(sorted(other))) return 'has another order of fields';
  throw new UserError(`The answers of ${where} differ:\n${given.slice(0, 400)}\ninstead of\n${expected.slice(0, 400)}`);
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

/** Notes that differ in the workload alone are one. */
function summed(notes) {
  const found = new Map();
  for (const note of notes) {
    const [, name, workload, what] = /^(\S+) \((\w+)\) (.+)$/.exec(note);
    const key = `${name} ${what}`;
    found.set(key, [...(found.get(key) ?? []), workload]);
  }
  return [...found].map(([key, workloads]) => `${key} (${workloads.join(', ')})`).join('; ');
}
