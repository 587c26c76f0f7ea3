import { spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeMachine } from '../../server/traitql/bench/run/machine.mjs';
import { formatInteger, median, table } from '../../server/traitql/bench/run/tables.mjs';
import { ROOT, UserError } from './processes.mjs';
import { prepareSchema, SCHEMAS, size } from './public-schemas.mjs';
import { shareDependencies } from './shared-dependencies.mjs';
import { reportFailure } from './suites.mjs';

/** Milliseconds of a clock tick, the unit of CPU times in /proc. */
const TICK_MS = 10;

/**
 * Generates a crate for every schema and compiles some or all of them. A warning of rustc is a failure, because users
 * cannot fix generated code.
 * @param {string} traitql the program
 * @param {{ all: boolean, schemas?: import('./public-schemas.mjs').PublicSchema[], rounds?: number }} options `all`
 *   compiles and measures every crate, which takes minutes; `rounds` is the number of generations of each
 * @returns {Promise<{ passed: number, failed: number, text: string }>} `text` is a table, and a list of the fixes of
 *   the schemas
 */
export async function measurePublicSchemas(traitql, { all, schemas = SCHEMAS, rounds = 1 }) {
  const folder = mkdtempSync(join(tmpdir(), 'traitql-public-'));
  const rows = [];
  const failures = [];
  const notes = [];
  try {
    for (const schema of schemas) {
      const input = prepareSchema(schema);
      const crate = join(folder, schema.name);
      const args = [
        'generate',
        '--public',
        '--schema',
        input.schema,
        '--crate',
        crate,
        '--runtime',
        join(ROOT, 'server/traitql/runtime'),
      ];
      if (input.count > 0) args.push('--operations', join(input.operations, '*.graphql'));
      const generated = await repeat(rounds, () => {
        rmSync(crate, { recursive: true, force: true });
        return measureProcess(traitql, args);
      });
      for (const text of input.invalid) notes.push(`${schema.name}: ${text}`);
      const row = [schema.name, ...[input.lines, input.types, input.fields, input.count].map(formatInteger)];
      if (generated.code !== 0) {
        failures.push(`Generating ${schema.name} failed:\n${generated.output}`);
        rows.push(row);
        continue;
      }
      row.push(
        formatInteger(generated.milliseconds),
        formatInteger(generated.cpu),
        megabytes(generated.peak),
        megabytes(size(join(crate, 'src'))),
      );
      if (all || schema.checked) {
        const cargo = ['check', '--offline', '--manifest-path', join(crate, 'Cargo.toml')];
        const env = { CARGO_TARGET_DIR: process.env['CARGO_TARGET_DIR'] ?? join(ROOT, 'target') };
        if (all) {
          // The same versions as in this repository, so that cargo needs no registry.
          copyFileSync(join(ROOT, 'Cargo.lock'), join(crate, 'Cargo.lock'));
          // The runtime is checked first, because it is not part of the measurement.
          await measureProcess('cargo', [...cargo, '--package', 'traitql'], env);
        } else {
          await shareDependencies(crate);
        }
        const checked = await measureProcess('cargo', cargo, env);
        if (checked.code !== 0) failures.push(`The crate of ${schema.name} does not compile:\n${checked.output}`);
        else if (/^warning/m.test(checked.output))
          failures.push(`The crate of ${schema.name} compiles with warnings:\n${checked.output}`);
        if (all) row.push(seconds(checked.milliseconds), seconds(checked.cpu), megabytes(checked.peak));
      }
      rows.push(row);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  for (const failure of failures) reportFailure(failure);
  const head = ['schema', 'lines', 'types', 'fields', 'operations', 'generate ms', 'cpu ms', 'peak MB', 'output MB'];
  if (rows.some(row => row.length > head.length)) head.push('check s', 'cpu s', 'peak MB');
  const filled = rows.map(row => [...row, ...Array(head.length - row.length).fill('')]);
  for (const note of notes) console.log(`Fixed or omitted before generation: ${note}`);
  const text = table([head, ...filled]);
  return { passed: schemas.length - failures.length, failed: failures.length, text };
}

export async function testPublicSchemas(traitql) {
  const machine = describeMachine();
  const { text, ...count } = await measurePublicSchemas(traitql, { all: false });
  console.log(`${machine}\n\n${text}`);
  return count;
}

async function repeat(times, run) {
  const all = [];
  while (all.length < times && (all.at(-1)?.code ?? 0) === 0) all.push(await run());
  const last = all.at(-1);
  return {
    ...last,
    milliseconds: median(all.map(({ milliseconds }) => milliseconds)),
    cpu: median(all.map(({ cpu }) => cpu)),
    peak: Math.max(...all.map(({ peak }) => peak)),
  };
}

/**
 * Reads memory and CPU time from /proc. Other programs on the machine increase the wall time, but not the CPU time.
 */
export function measureProcess(program, args, env = {}, cwd = ROOT) {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...env, CARGO_TERM_COLOR: 'never' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    let peak = 0;
    let cpu = 0;
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', text => (output += text));
    const watch = setInterval(() => {
      const now = usage(child.pid);
      peak = Math.max(peak, now.memory);
      cpu = Math.max(cpu, now.cpu);
    }, 5);
    child.once('error', error => reject(new UserError(`Starting ${program} failed: ${error.message}`)));
    child.once('close', code => {
      clearInterval(watch);
      resolve({ code: code ?? 1, output, peak, cpu, milliseconds: Math.round(performance.now() - started) });
    });
  });
}

/** Includes all descendants. Returns 0 without /proc. */
function usage(pid) {
  try {
    const own = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    // User and system time, of the process and of children that have exited. They follow the name, which may contain
    // spaces.
    const times = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ').slice(11, 15).map(Number);
    // Children are listed for each thread, because any thread can start one.
    const children = readdirSync(`/proc/${pid}/task`)
      .flatMap(thread => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean))
      .map(usage);
    return {
      memory: Math.max(Number(own?.[1] ?? 0) * 1024, ...children.map(({ memory }) => memory)),
      cpu: [...times.map(ticks => ticks * TICK_MS), ...children.map(({ cpu }) => cpu)].reduce(
        (sum, each) => sum + each,
      ),
    };
  } catch {
    return { memory: 0, cpu: 0 };
  }
}

export function seconds(milliseconds) {
  return (milliseconds / 1000).toFixed(1);
}

export function megabytes(bytes) {
  return bytes < 1e8 ? (bytes / 1e6).toFixed(1) : formatInteger(bytes / 1e6);
}
