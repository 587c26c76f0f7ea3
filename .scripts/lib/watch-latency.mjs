// Works in a copy.

import { spawn } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '../../server/traitql/bench/run/tables.mjs';
import { ROOT, UserError } from './processes.mjs';

/** Neither generator runs this long without writing a file. */
const IDLE_MS = 3_000;
/** Sufficient after every expected file has been written. */
const SHORT_IDLE_MS = 500;
const TIMEOUT_MS = 60_000;
const RUST_OUTPUT = 'server/waypost/api/src/generated';
const EDITS = [
  { file: 'schema/schema.graphql', edit: text => `${text}\ninput MeasuredInput {\n  value: Int!\n}\n` },
  { file: firstQuery(), edit: text => text.replace('{\n', '{\n  measured: __typename\n') },
];

/**
 * Returns the rows of a table: name, median and minimum in milliseconds.
 * @param {string} traitql the program
 * @param {number} times repetitions of each measurement
 */
export async function measureWatch(traitql, times) {
  const folder = mkdtempSync(join(tmpdir(), 'traitql-watch-'));
  try {
    copy(folder);
    const rows = [['Waypost', 'traitql ms', 'fastest', 'with graphql-codegen ms', 'fastest']];
    rows.push(['generate, all files', ...summary(await repeat(times, () => generateAll(traitql, folder))), '', '']);
    rows.push(['generate, no changes', ...summary(await repeat(times, () => generate(traitql, folder))), '', '']);
    const watch = await startWatch(traitql, folder);
    try {
      for (const { file, edit } of EDITS)
        rows.push([`watch, save of ${file}`, ...(await measureSaves(folder, file, edit, times))]);
    } finally {
      watch.kill();
    }
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function firstQuery() {
  const found = readdirSync(join(ROOT, 'operations'), { recursive: true })
    .filter(file => file.endsWith('.graphql'))
    .sort();
  const query = found.find(file => readFileSync(join(ROOT, 'operations', file), 'utf8').startsWith('query '));
  return join('operations', query);
}

function copy(folder) {
  const isSource = path => !path.includes('node_modules');
  for (const path of [
    'codegen.yml',
    'package.json',
    'schema',
    'operations',
    'client/codegen',
    'client/src',
    'server/waypost/api',
  ]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(ROOT, path), join(folder, path), { recursive: true, filter: isSource });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
}

async function repeat(times, work) {
  const all = [];
  for (let time = 0; time < times; time += 1) all.push(await work());
  return all;
}

function generateAll(traitql, folder) {
  rmSync(join(folder, RUST_OUTPUT), { recursive: true });
  return generate(traitql, folder);
}

function generate(traitql, folder) {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    let stderr = '';
    const child = spawn(traitql, ['generate'], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    child.stderr.setEncoding('utf8').on('data', text => (stderr += text));
    child.once('error', reject);
    child.once('close', code => {
      const duration = performance.now() - start;
      if (code === 0) resolve(duration);
      else reject(new UserError(`traitql generate failed on a copy of Waypost:\n${stderr}`));
    });
  });
}

async function startWatch(traitql, folder) {
  const child = spawn(traitql, ['watch'], { cwd: folder, stdio: 'ignore' });
  const written = join(folder, 'client/src/generated/operations.ts');
  // graphql-codegen writes the missing file when it runs.
  rmSync(written);
  await until(() => modified(written) !== null, 'graphql-codegen did not write its output');
  await untilIdle(folder);
  return child;
}

async function measureSaves(folder, file, edit, times) {
  const path = join(folder, file);
  const before = readFileSync(path, 'utf8');
  const states = [edit(before), before];
  // The first save and its reversal determine the files that a save changes.
  const initial = state(folder);
  writeFileSync(path, states[0]);
  await untilIdle(folder);
  const changed = [...state(folder)].filter(([name, time]) => initial.get(name) !== time).map(([name]) => name);
  writeFileSync(path, states[1]);
  await untilIdle(folder);
  const own = changed.filter(name => !isOfGraphqlCodegen(join(folder, name)));
  if (own.length === 0) throw new UserError(`Saving ${file} changed no generated file.`);
  const both = [];
  const traitqlOnly = [];
  for (let time = 0; time < times; time += 1) {
    const timesBefore = new Map(changed.map(name => [name, modified(join(folder, name))]));
    const written = names => names.every(name => modified(join(folder, name)) !== timesBefore.get(name));
    const start = performance.now();
    writeFileSync(path, states[time % 2]);
    await until(() => written(own), `traitql watch did not react to a save of ${file}`);
    traitqlOnly.push(performance.now() - start);
    await until(() => written(changed), `graphql-codegen did not react to a save of ${file}`);
    both.push(performance.now() - start);
    await untilIdle(folder, SHORT_IDLE_MS);
  }
  return [...summary(traitqlOnly), ...(own.length === changed.length ? ['', ''] : summary(both))];
}

/** True if graphql-codegen wrote the file. The first line names the command (`client/codegen/header.mjs`). */
function isOfGraphqlCodegen(file) {
  return readFileSync(file, 'utf8').split('\n', 1)[0].includes('npm run generate:ts');
}

function state(folder) {
  const folders = [RUST_OUTPUT, 'client/src/generated', 'operations/generated'];
  const files = folders.flatMap(each =>
    readdirSync(join(folder, each), { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name).slice(folder.length + 1)),
  );
  return new Map(files.map(name => [name, modified(join(folder, name))]));
}

function modified(file) {
  return statSync(file, { bigint: true, throwIfNoEntry: false })?.mtimeNs ?? null;
}

async function untilIdle(folder, duration = IDLE_MS) {
  let last = state(folder);
  let since = performance.now();
  while (performance.now() - since < duration) {
    await sleep(100);
    const now = state(folder);
    if (now.size === last.size && [...now].every(([name, time]) => last.get(name) === time)) continue;
    last = now;
    since = performance.now();
  }
}

async function until(condition, problem) {
  const start = performance.now();
  while (!condition()) {
    if (performance.now() - start > TIMEOUT_MS) throw new UserError(`${problem} within ${TIMEOUT_MS / 1000} s.`);
    await sleep(1);
  }
}

function summary(numbers) {
  return [median(numbers).toFixed(1), Math.min(...numbers).toFixed(1)];
}
