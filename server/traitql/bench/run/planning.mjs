// Measures planning at server start: Linear's schema, the documents of its client, and mocks for every field.

import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runOrFail, output, ROOT, UserError } from '../../../../.scripts/lib/processes.mjs';
import { BENCH, TARGET } from './servers.mjs';
import { formatInteger, formatNumber, median, table } from './tables.mjs';

const FOLDER = join(TARGET, 'planning');
const API = join(FOLDER, 'linear-api');

export async function planning(bench) {
  // Imported here, because it needs graphql-js, which is installed by now.
  const { prepareSchema, SCHEMAS } = await import('../../../../.scripts/lib/public-schemas.mjs');
  const linear = prepareSchema(SCHEMAS.find(({ name }) => name === 'linear'));
  mkdirSync(join(FOLDER, 'src'), { recursive: true });
  rmSync(API, { recursive: true, force: true });
  const runtime = join(ROOT, 'server/traitql/runtime');
  const given = [
    '--public',
    '--schema',
    linear.schema,
    '--operations',
    join(linear.operations, '*.graphql'),
    '--crate',
    API,
  ];
  await runOrFail('Generating from Linear’s schema', 'cargo', ['traitql', 'generate', ...given, '--runtime', runtime]);
  makePublic('src/generated/mod.rs', 'mod engine;', 'pub mod engine;');
  makePublic('src/generated/engine/mod.rs', 'pub(crate) struct Wired;', 'pub struct Wired;');
  writeFileSync(join(FOLDER, 'Cargo.toml'), manifest(runtime));
  copyFileSync(join(BENCH, 'Cargo.lock'), join(FOLDER, 'Cargo.lock'));
  copyFileSync(join(BENCH, 'run/planning.rs'), join(FOLDER, 'src/main.rs'));
  // Their dependencies are already built.
  const manifestPath = join(FOLDER, 'Cargo.toml');
  await runOrFail('Building it', 'cargo', [
    'build',
    '--release',
    '--manifest-path',
    manifestPath,
    '--target-dir',
    TARGET,
  ]);
  const runs = Array.from({ length: bench.quick ? 1 : 5 }, () => {
    const text = output(join(TARGET, 'release/planning'), []);
    if (text === null) throw new UserError('Planning failed.');
    return JSON.parse(text);
  });
  const row = part => {
    const of = key => median(runs.map(run => run[part][key]));
    const slowest = Math.max(...runs.map(run => run[part].ms));
    return [of('documents'), of('fields'), of('ms'), slowest, of('most') / 1e6, of('kept') / 1e6].map(formatNumber);
  };
  const rows = [
    ['', 'documents', 'fields in plans', 'ms', 'slowest ms', 'peak MB', 'retained MB'],
    ['engine without documents', ...row('without')],
    ['engine with all documents', ...row('all')],
  ];
  const text = `Linear’s schema (${formatInteger(linear.lines)} lines) and the ${linear.count} operations of its client, with mocks: the cost of creating an engine with the schema alone, and with all documents. Medians of ${runs.length} processes.`;
  return `## Planning\n\n${text}\n\n${table(rows)}`;
}

function makePublic(file, from, to) {
  const path = join(API, file);
  const text = readFileSync(path, 'utf8');
  if (!text.includes(from))
    throw new UserError(`${file} of the generated crate does not contain \`${from}\`. Update run/planning.mjs.`);
  writeFileSync(path, text.replace(from, to));
}

function manifest(runtime) {
  return `[workspace]

[package]
name = "planning"
version = "0.1.0"
edition = "2024"
publish = false

[dependencies]
allocation-counter = "=0.8.1"
linear-api = { path = "linear-api" }
serde_json = "1"
traitql = { path = ${JSON.stringify(runtime)} }

[profile.release]
lto = "thin"
codegen-units = 4
panic = "unwind"
debug = "line-tables-only"
`;
}
