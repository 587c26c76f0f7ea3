// Describes the machine, and selects the cores for the server and the load generator.

import { readFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem } from 'node:os';
import { output } from '../../../../.scripts/lib/processes.mjs';

export function describeMachine() {
  const rust = output('rustc', ['--version'])?.trim() ?? 'unknown Rust';
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`;
  const model = cpus()[0]?.model ?? 'unknown processor';
  const system = `${process.platform} ${release()}`;
  return `${cpus().length} × ${model}, ${memory}, ${system}, ${rust}, Node.js ${process.version}, load ${loadavg()[0].toFixed(1)} at the beginning`;
}

/**
 * The system must have `taskset`. `description` is printed above the tables.
 * @returns {{ server: string | null, generator: string | null, description: string }}
 */
export function cores() {
  const free = { server: null, generator: null };
  if (output('taskset', ['--version']) === null) {
    return {
      ...free,
      description:
        'Nothing is pinned to a core, because `taskset` is missing. Servers with several threads have an advantage.',
    };
  }
  const [server, ...others] = allowed();
  const generator = others.find(core => physicalCore(core) !== physicalCore(server)) ?? others[0];
  if (server === undefined || generator === undefined) {
    return {
      ...free,
      description: 'The server and the load generator share one core, so the results are not meaningful.',
    };
  }
  return {
    server,
    generator,
    description: `The server runs on core ${server}, the load generator on core ${generator}.`,
  };
}

function allowed() {
  const status = read('/proc/self/status') ?? '';
  const list = /^Cpus_allowed_list:\s+(\S+)$/m.exec(status)?.[1] ?? '';
  return list.split(',').flatMap(range => {
    const [first, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, at) => String(first + at));
  });
}

/** Hardware threads of one core are not independent. */
function physicalCore(core) {
  const topology = `/sys/devices/system/cpu/cpu${core}/topology`;
  return ['physical_package_id', 'core_id'].map(name => read(`${topology}/${name}`)?.trim() ?? core).join(' ');
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
