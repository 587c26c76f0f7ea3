// The machine: what it is, and which of its cores the server and the generator of load have for themselves.

import { readFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem } from 'node:os';
import { output } from '../../../.scripts/lib/processes.mjs';

export function describe() {
  const rust = output('rustc', ['--version'])?.trim() ?? 'unknown Rust';
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`;
  const model = cpus()[0]?.model ?? 'unknown processor';
  const system = `${process.platform} ${release()}`;
  return `${cpus().length} × ${model}, ${memory}, ${system}, ${rust}, Node.js ${process.version}, load ${loadavg()[0].toFixed(1)} at the beginning`;
}

/**
 * A core for the server and another one for the generator, where the system has them and the program `taskset`. `said` is
 * what the tables say about it.
 * @returns {{ server: string | null, generator: string | null, said: string }}
 */
export function cores() {
  const free = { server: null, generator: null };
  if (output('taskset', ['--version']) === null) {
    return {
      ...free,
      said: 'Nothing is pinned to a core, because there is no `taskset` here: servers of several threads have an advantage.',
    };
  }
  const [server, ...others] = allowed();
  const generator = others.find(core => place(core) !== place(server)) ?? others[0];
  if (server === undefined || generator === undefined) {
    return { ...free, said: 'The server and the generator of load share one core, which says little.' };
  }
  return { server, generator, said: `Each server has core ${server}, the generator of load core ${generator}.` };
}

/** The cores that this process may use, as `0-3,8` tells them. */
function allowed() {
  const status = read('/proc/self/status') ?? '';
  const list = /^Cpus_allowed_list:\s+(\S+)$/m.exec(status)?.[1] ?? '';
  return list.split(',').flatMap(range => {
    const [first, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, at) => String(first + at));
  });
}

/** Two threads of one core are not two cores. */
function place(core) {
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
