// Runs the generator on public schemas, compiles what it makes, and tells the price of both.

import { spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from '../../server/bench/run/machine.mjs';
import { median, table, whole } from '../../server/bench/run/tables.mjs';
import { ROOT, UserError } from './processes.mjs';
import { prepare, SCHEMAS, size } from './public-schemas.mjs';

/** Milliseconds of the unit in which Linux tells times of the processors. */
const TICK = 10;

/**
 * Generates from every schema and compiles those that are to be compiled. A warning of rustc is a failure: nobody can mend
 * generated code.
 * @param {string} traitql the program
 * @param {{ all: boolean, schemas?: import('./public-schemas.mjs').PublicSchema[], rounds?: number }} options `all` compiles
 *   every crate, and takes minutes; `rounds` is how often each is generated from nothing
 * @returns {Promise<{ passed: number, failed: number, text: string }>} `text` is a table, and what was mended
 */
export async function publicSchemas(traitql, { all, schemas = SCHEMAS, rounds = 1 }) {
  const folder = mkdtempSync(join(tmpdir(), 'traitql-public-'));
  const rows = [];
  const failures = [];
  const notes = [];
  try {
    for (const schema of schemas) {
      const input = prepare(schema);
      const crate = join(folder, schema.name);
      const given = ['generate', '--schema', input.schema, '--crate', crate, '--runtime', join(ROOT, 'server/traitql')];
      if (input.count > 0) given.push('--operations', join(input.operations, '*.graphql'));
      const made = await often(rounds, () => {
        rmSync(crate, { recursive: true, force: true });
        return measured(traitql, given);
      });
      for (const text of input.invalid) notes.push(`${schema.name}: ${text}`);
      const row = [schema.name, ...[input.lines, input.types, input.fields, input.count].map(whole)];
      if (made.code !== 0) {
        failures.push(`${schema.name} is not generated:\n${made.output}`);
        rows.push(row);
        continue;
      }
      row.push(
        whole(made.milliseconds),
        whole(made.processor),
        megabytes(made.peak),
        megabytes(size(join(crate, 'src'))),
      );
      if (all || schema.checked) {
        // The versions that this repository is tested with; nothing is asked of a registry.
        copyFileSync(join(ROOT, 'Cargo.lock'), join(crate, 'Cargo.lock'));
        const cargo = ['check', '--offline', '--manifest-path', join(crate, 'Cargo.toml')];
        const env = { CARGO_TARGET_DIR: process.env['CARGO_TARGET_DIR'] ?? join(ROOT, 'target') };
        // The runtime is not what is measured.
        await measured('cargo', [...cargo, '--package', 'traitql'], env);
        const checked = await measured('cargo', cargo, env);
        if (checked.code !== 0) failures.push(`the crate of ${schema.name} does not compile:\n${checked.output}`);
        else if (/^warning/m.test(checked.output)) failures.push(`rustc warns of ${schema.name}:\n${checked.output}`);
        row.push(seconds(checked.milliseconds), seconds(checked.processor), megabytes(checked.peak));
      }
      rows.push(row);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  for (const failure of failures) console.error(`\n${failure}`);
  const head = ['schema', 'lines', 'types', 'fields', 'operations', 'generate ms', 'cpu ms', 'peak MB', 'output MB'];
  if (rows.some(row => row.length > head.length)) head.push('check s', 'cpu s', 'peak MB');
  const filled = rows.map(row => [...row, ...Array(head.length - row.length).fill('')]);
  const text = `${table([head, ...filled])}\n\nMended or left out before it was generated:\n\n${summed(notes)}`;
  return { passed: schemas.length - failures.length, failed: failures.length, text };
}

/** What `npm test` prints. */
export async function publicSchemasOn(traitql) {
  const on = describe();
  const { text, ...count } = await publicSchemas(traitql, { all: false });
  console.log(`${on}\n\n${text}`);
  return count;
}

/** The median of several runs; the first that fails ends them. */
async function often(times, run) {
  const all = [];
  while (all.length < times && (all.at(-1)?.code ?? 0) === 0) all.push(await run());
  const last = all.at(-1);
  return {
    ...last,
    milliseconds: median(all.map(({ milliseconds }) => milliseconds)),
    processor: median(all.map(({ processor }) => processor)),
    peak: Math.max(...all.map(({ peak }) => peak)),
  };
}

/**
 * Runs a program and watches what it and its children take of memory and of the processors, where the system tells. Other
 * programs that run beside make the one that waits slower; they do not add to its time of the processors.
 */
export function measured(program, args, env = {}, cwd = ROOT) {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...env, CARGO_TERM_COLOR: 'never' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    let peak = 0;
    let processor = 0;
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', text => (output += text));
    const watch = setInterval(() => {
      const now = taken(child.pid);
      peak = Math.max(peak, now.memory);
      processor = Math.max(processor, now.processor);
    }, 5);
    child.once('error', error => reject(new UserError(`${program} cannot be started: ${error.message}`)));
    child.once('close', code => {
      clearInterval(watch);
      resolve({ code: code ?? 1, output, peak, processor, milliseconds: Math.round(performance.now() - started) });
    });
  });
}

/**
 * The largest resident set of a process or of one of its descendants, in bytes, and what all of them took of the
 * processors, in milliseconds; 0 where there is no /proc.
 */
function taken(pid) {
  try {
    const own = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    // After the name, which may hold anything: user and system time, and those of children that have ended.
    const times = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ').slice(11, 15).map(Number);
    // Any thread may have started a program.
    const children = readdirSync(`/proc/${pid}/task`)
      .flatMap(thread => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean))
      .map(taken);
    return {
      memory: Math.max(Number(own?.[1] ?? 0) * 1024, ...children.map(({ memory }) => memory)),
      processor: [...times.map(ticks => ticks * TICK), ...children.map(({ processor }) => processor)].reduce(
        (sum, one) => sum + one,
      ),
    };
  } catch {
    return { memory: 0, processor: 0 };
  }
}

export function seconds(milliseconds) {
  return (milliseconds / 1000).toFixed(1);
}

export function megabytes(bytes) {
  return bytes < 1e8 ? (bytes / 1e6).toFixed(1) : whole(bytes / 1e6);
}

function summed(notes) {
  return notes.length === 0 ? 'nothing' : notes.map(note => `- ${note}`).join('\n');
}
