// Measures the memory that a server needs for a thousand connections that all request the list.

import { WORKLOADS } from './options.mjs';
import { bodyFor } from './requests.mjs';
import { load, startOne } from './servers.mjs';
import { formatInteger, formatNumber, megabytes, table } from './tables.mjs';

const CONNECTIONS = 1_000;

export async function memory(bench) {
  const rows = [['', 'MB idle', 'MB', 'kB per connection', 'requests/s', 'p50 ms', 'p99 ms']];
  for (const name of bench.subjects) {
    // A fresh process, so that memory of earlier measurements is not included.
    const server = await startOne(name, bench);
    try {
      const body = bodyFor(name, WORKLOADS.list, bench.folder);
      const request = { body, seconds: bench.quick ? 0.5 : 3, warm: bench.quick ? 0.5 : 2, connections: CONNECTIONS };
      const {
        memory_before: before,
        memory: after,
        rate,
        p50_us: p50,
        p99_us: p99,
      } = await load(server, request, bench);
      const each = before === null ? null : (after - before) / CONNECTIONS / 1_000;
      rows.push([
        name,
        megabytes(before),
        megabytes(after),
        formatNumber(each),
        formatInteger(rate),
        formatNumber(p50 / 1_000),
        formatNumber(p99 / 1_000),
      ]);
    } finally {
      await server.stop();
    }
  }
  const text =
    'Resident memory of a fresh process, and with 1,000 connections that all request the list. Both include the data itself.';
  return `## 1,000 connections\n\n${text}\n\n${table(rows)}`;
}
