// Subjects for which counting is not possible are reported as n/a.

import { spawnSync } from 'node:child_process';
import { output } from '../../../../.scripts/lib/processes.mjs';
import { announce } from '../../../../.scripts/lib/steps.mjs';
import { RUST, WORKLOADS } from './options.mjs';
import { bodyFor } from './requests.mjs';
import { outputOf, program } from './servers.mjs';

export async function counts(bench) {
  const tool = counter();
  announce(`Counting allocations and instructions (${tool?.name ?? 'install perf or valgrind to count instructions'})`);
  const found = new Map();
  for (const workload of bench.workloads) {
    for (const name of bench.subjects.filter(name => RUST.includes(name))) {
      const body = bodyFor(name, WORKLOADS[workload], bench.folder);
      const { allocations, bytes } = JSON.parse(outputOf('bench-count', ['allocations', name, body]));
      const instructions = tool === null ? null : perRequest(tool, ['run', name, body], bench);
      found.set(`${workload} ${name}`, { allocations, kilobytes: bytes / 1_000, instructions });
    }
  }
  return found;
}

/** The startup cost is constant. */
function perRequest(tool, args, { quick }) {
  const [few, many] = quick ? [10, 30] : [50, 250];
  const [before, after] = [few, many].map(times => tool.count([program('bench-serve'), ...args, String(times)]));
  return before === null || after === null ? null : (after - before) / (many - few);
}

/** Hardware counters, otherwise valgrind. */
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
