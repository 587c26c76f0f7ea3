// Measures the cost of hostile documents for a server that accepts ad-hoc documents.

import { outputOf } from './servers.mjs';
import { formatInteger, formatNumber, table } from './tables.mjs';

export async function hostile() {
  const lines = outputOf('bench-count', ['hostile'])
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
  const rows = lines.map(({ name, length, ms, bytes, verdict }) => [
    name,
    formatInteger(length),
    formatNumber(ms),
    formatNumber(bytes / 1e6),
    truncated(verdict),
  ]);
  const text =
    'The slowest of 20 runs and the peak memory, from the text to the rejection. In production none of these documents is parsed.';
  return `## Hostile documents\n\n${text}\n\n${table([['', 'bytes', 'ms', 'MB', 'verdict'], ...rows], [4])}`;
}

function truncated(text) {
  const line = text.split('\n')[0].replaceAll('|', '\\|');
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
