// How long Waypost's own project takes: to generate all of it, and while `traitql watch` runs, from a save to written
// files. Works in a copy.

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
import { setTimeout as after } from 'node:timers/promises';
import { median } from '../../server/bench/run/tables.mjs';
import { ROOT, UserError } from './processes.mjs';

/** No round of either generator is this long without a file. */
const SETTLED = 3_000;
/** Long enough once every file that is expected has been written. */
const COMPLETE = 500;
const GIVEN_UP = 60_000;
const RUST = 'server/waypost-api/src/generated';
/** What is saved: one file of the schema and one operation, which traitql and graphql-codegen read. */
const EDITS = [
  { file: 'schema/schema.graphql', edit: text => `${text}\ninput MeasuredInput {\n  value: Int!\n}\n` },
  { file: operation(), edit: text => text.replace('{\n', '{\n  measured: __typename\n') },
];

/**
 * Rows of a table: what was done, and the median and the fastest in milliseconds.
 * @param {string} traitql the program
 * @param {number} times how often each is done
 */
export async function waypost(traitql, times) {
  const folder = mkdtempSync(join(tmpdir(), 'traitql-watch-'));
  try {
    copy(folder);
    const rows = [['Waypost', 'traitql ms', 'fastest', 'with graphql-codegen ms', 'fastest']];
    rows.push(['generate, all files anew', ...summary(await repeated(times, () => anew(traitql, folder))), '', '']);
    rows.push(['generate, nothing to write', ...summary(await repeated(times, () => once(traitql, folder))), '', '']);
    const watch = await started(traitql, folder);
    try {
      for (const { file, edit } of EDITS)
        rows.push([`watch, save of ${file}`, ...(await saves(folder, file, edit, times))]);
    } finally {
      watch.kill();
    }
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function operation() {
  const found = readdirSync(join(ROOT, 'operations'), { recursive: true })
    .filter(file => file.endsWith('.graphql'))
    .sort();
  const query = found.find(file => readFileSync(join(ROOT, 'operations', file), 'utf8').startsWith('query '));
  return join('operations', query);
}

/** What `codegen.yml` names, and the packages that graphql-codegen needs. */
function copy(folder) {
  const own = path => !path.includes('node_modules');
  for (const path of [
    'codegen.yml',
    'package.json',
    'schema',
    'operations',
    'client/codegen',
    'client/src',
    'server/waypost-api',
  ]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(ROOT, path), join(folder, path), { recursive: true, filter: own });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
}

async function repeated(times, work) {
  const all = [];
  for (let time = 0; time < times; time += 1) all.push(await work());
  return all;
}

function anew(traitql, folder) {
  rmSync(join(folder, RUST), { recursive: true });
  return once(traitql, folder);
}

function once(traitql, folder) {
  return new Promise((resolve, reject) => {
    const begun = performance.now();
    let said = '';
    const child = spawn(traitql, ['generate'], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    child.stderr.setEncoding('utf8').on('data', text => (said += text));
    child.once('error', reject);
    child.once('close', code => {
      const took = performance.now() - begun;
      if (code === 0) resolve(took);
      else reject(new UserError(`traitql generate failed on a copy of Waypost:\n${said}`));
    });
  });
}

/** `traitql watch`, after its first round and that of graphql-codegen. */
async function started(traitql, folder) {
  const child = spawn(traitql, ['watch'], { cwd: folder, stdio: 'ignore' });
  const written = join(folder, 'client/src/generated/operations.ts');
  // graphql-codegen writes what is missing, which tells that it runs.
  rmSync(written);
  await until(() => modified(written) !== null, 'graphql-codegen does not write');
  await settled(folder);
  return child;
}

/** Times from a save to the last of traitql's files, and to the last of all. */
async function saves(folder, file, edit, times) {
  const path = join(folder, file);
  const before = readFileSync(path, 'utf8');
  const states = [edit(before), before];
  // The first save and its reverse tell which files such a save changes.
  const old = state(folder);
  writeFileSync(path, states[0]);
  await settled(folder);
  const changed = [...state(folder)].filter(([name, time]) => old.get(name) !== time).map(([name]) => name);
  writeFileSync(path, states[1]);
  await settled(folder);
  const own = changed.filter(name => !isOfGraphqlCodegen(join(folder, name)));
  if (own.length === 0) throw new UserError(`a save of ${file} changes no generated file`);
  const both = [];
  const first = [];
  for (let time = 0; time < times; time += 1) {
    const former = new Map(changed.map(name => [name, modified(join(folder, name))]));
    const written = names => names.every(name => modified(join(folder, name)) !== former.get(name));
    const begun = performance.now();
    writeFileSync(path, states[time % 2]);
    await until(() => written(own), `a save of ${file} is not noticed`);
    first.push(performance.now() - begun);
    await until(() => written(changed), `graphql-codegen does not notice a save of ${file}`);
    both.push(performance.now() - begun);
    await settled(folder, COMPLETE);
  }
  return [...summary(first), ...(own.length === changed.length ? ['', ''] : summary(both))];
}

/** Whether graphql-codegen wrote a file: the first line says by which command (`client/codegen/header.mjs`). */
function isOfGraphqlCodegen(file) {
  return readFileSync(file, 'utf8').split('\n', 1)[0].includes('npm run generate:ts');
}

/** When each generated file was written. */
function state(folder) {
  const places = [RUST, 'client/src/generated', 'operations/generated'];
  const files = places.flatMap(place =>
    readdirSync(join(folder, place), { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name).slice(folder.length + 1)),
  );
  return new Map(files.map(name => [name, modified(join(folder, name))]));
}

function modified(file) {
  return statSync(file, { bigint: true, throwIfNoEntry: false })?.mtimeNs ?? null;
}

async function settled(folder, quiet = SETTLED) {
  let last = state(folder);
  let since = performance.now();
  while (performance.now() - since < quiet) {
    await after(100);
    const now = state(folder);
    if (now.size === last.size && [...now].every(([name, time]) => last.get(name) === time)) continue;
    last = now;
    since = performance.now();
  }
}

async function until(holds, complaint) {
  const begun = performance.now();
  while (!holds()) {
    if (performance.now() - begun > GIVEN_UP) throw new UserError(`${complaint} within ${GIVEN_UP / 1000} s`);
    await after(1);
  }
}

function summary(numbers) {
  return [median(numbers).toFixed(1), Math.min(...numbers).toFixed(1)];
}
