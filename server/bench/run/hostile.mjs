// What documents that want to be expensive cost a server which takes documents of strangers.

import { told } from './servers.mjs';
import { short, table, whole } from './tables.mjs';

export async function hostile() {
  const lines = told('bench-count', ['hostile'])
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
  const rows = lines.map(({ name, length, ms, bytes, verdict }) => [
    name,
    whole(length),
    short(ms),
    short(bytes / 1e6),
    clipped(verdict),
  ]);
  const text =
    'The slowest of 20 times, and the most memory at once, from the text to the refusal. In production none of this is parsed at all.';
  return `## Hostile documents\n\n${text}\n\n${table([['', 'bytes', 'ms', 'MB', 'verdict'], ...rows], [4])}`;
}

function clipped(text) {
  const line = text.split('\n')[0].replaceAll('|', '\\|');
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
