// Allocations and instructions of one request, within a process and without a socket. What has no such process is told as n/a.

import { spawnSync } from 'node:child_process';
import { output } from '../../../.scripts/lib/processes.mjs';
import { announce } from '../../../.scripts/lib/steps.mjs';
import { RUST, WORKLOADS } from './options.mjs';
import { bodyFor } from './requests.mjs';
import { program, told } from './servers.mjs';

/** Counts by `workload contestant`. */
export async function counts(bench) {
  const tool = counter();
  announce(
    `Counting allocations and instructions (${tool?.name ?? 'no tool counts instructions here: install perf or valgrind'})`,
  );
  const found = new Map();
  for (const workload of bench.workloads) {
    for (const name of bench.contestants.filter(name => RUST.includes(name))) {
      const body = bodyFor(name, WORKLOADS[workload], bench.folder);
      const { allocations, bytes } = JSON.parse(told('bench-count', ['allocations', name, body]));
      const instructions = tool === null ? null : perRequest(tool, ['run', name, body], bench);
      found.set(`${workload} ${name}`, { allocations, kilobytes: bytes / 1_000, instructions });
    }
  }
  return found;
}

/** The start of the process costs the same however often it is asked. */
function perRequest(tool, args, { quick }) {
  const [few, many] = quick ? [10, 30] : [50, 250];
  const [before, after] = [few, many].map(times => tool.count([program('bench-serve'), ...args, String(times)]));
  return before === null || after === null ? null : (after - before) / (many - few);
}

/** What counts instructions: the processor where it lets itself be asked, else valgrind, which executes them itself. */
function counter() {
  const perf = command =>
    number('perf', ['stat', '-x', ',', '-e', 'instructions:u', '--', ...command], /^(\d+),,instructions/m);
  if (perf(['true']) !== null) return { name: 'perf stat, instructions:u', count: perf };
  const options = ['--tool=cachegrind', '--cache-sim=no', '--cachegrind-out-file=/dev/null'];
  const valgrind = command => number('valgrind', [...options, ...command], /I\s+refs:\s+([\d,]+)/);
  return output('valgrind', ['--version']) === null ? null : { name: 'valgrind', count: valgrind };
}

function number(name, args, pattern) {
  const { status, stderr } = spawnSync(name, args, { encoding: 'utf8' });
  const found = status === 0 ? pattern.exec(stderr) : null;
  return found === null ? null : Number(found[1].replaceAll(',', ''));
}
