// The work of `npm run bench:generator`, a section for each table: what Waypost's own project takes while it is edited; what
// generation costs on schemas that others have published, in a release build, with every crate compiled; and beside it
// graphql-codegen and async-graphql's macros on the same input.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { describe } from '../../server/bench/run/machine.mjs';
import { table } from '../../server/bench/run/tables.mjs';
import { writeTables } from './benchmark-page.mjs';
import { megabytes, publicSchemas, seconds } from './generator.mjs';
import { asyncGraphql, graphqlCodegen } from './other-generators.mjs';
import { exitWithError, runOrFail, ROOT, UserError } from './processes.mjs';
import { prepare, SCHEMAS } from './public-schemas.mjs';
import { rebuilding } from './rebuild-latency.mjs';
import { announce } from './steps.mjs';
import { waypost } from './watch-latency.mjs';

const PAGE = 'server/traitql/BENCHMARKS.md';
const SAVE = 'npm run bench:generator -- --save';
const SECTIONS = { waypost: generating, rebuild, schemas, others };
const NAMES = SCHEMAS.map(({ name }) => name);
/** Small, and compiled in seconds. */
const QUICK = ['swapi'];

const HELP = `npm run bench:generator -- [options]

  --only SECTION,…     some of: ${Object.keys(SECTIONS).join(', ')}
  --schemas NAME,…     some of: ${NAMES.join(', ')}
  --quick              a debug build, ${QUICK.join(', ')} alone where no schema is named, and everything once, to see that it
                       works; its figures say nothing
  --save               writes the tables to ${PAGE}`;

try {
  const chosen = options(process.argv.slice(2));
  if (chosen !== null) process.exitCode = await bench(chosen);
} catch (error) {
  exitWithError(error);
}

function options(args) {
  const values = parsed(args);
  if (values.help) {
    console.log(HELP);
    return null;
  }
  const names = some('--schemas', values.schemas ?? (values.quick ? QUICK.join(',') : undefined), NAMES);
  return {
    save: values.save,
    profile: values.quick ? 'debug' : 'release',
    times: values.quick ? 1 : 10,
    rounds: values.quick ? 1 : 5,
    sections: some('--only', values.only, Object.keys(SECTIONS)),
    schemas: SCHEMAS.filter(({ name }) => names.includes(name)),
    command: ['npm run bench:generator', ...(args.length > 0 ? ['--', ...args] : [])].join(' '),
  };
}

function parsed(args) {
  const list = { type: 'string' };
  const yes = { type: 'boolean', default: false };
  try {
    return parseArgs({ args, options: { only: list, schemas: list, quick: yes, save: yes, help: yes } }).values;
  } catch (error) {
    throw new UserError(`${error.message}\n\nnpm run bench:generator -- --help lists the options.`);
  }
}

function some(option, given, known) {
  if (given === undefined) return known;
  const names = given.split(',').filter(Boolean);
  for (const name of names)
    if (!known.includes(name)) throw new UserError(`${option}: ${name} is none of ${known.join(', ')}`);
  return known.filter(name => names.includes(name));
}

async function bench(chosen) {
  const on = describe();
  const release = chosen.profile === 'release' ? ['--release'] : [];
  await runOrFail('Building traitql', 'cargo', [
    'build',
    ...release,
    '--locked',
    '--package',
    'traitql-cli',
    '--bin',
    'traitql',
  ]);
  const traitql = join(process.env['CARGO_TARGET_DIR'] ?? join(ROOT, 'target'), chosen.profile, 'traitql');
  const started = Date.now();
  const parts = [];
  let failed = 0;
  for (const section of chosen.sections) {
    announce(`Measuring: ${section}`);
    const done = await SECTIONS[section]({ ...chosen, traitql });
    failed += done.failed ?? 0;
    parts.push(done.text);
    console.log(`\n${done.text}`);
  }
  const minutes = ((Date.now() - started) / 60_000).toFixed(1);
  const text = [`\`${chosen.command}\` on ${on}, in ${minutes} minutes.`, ...parts].join('\n\n');
  // A table with holes is shown, and not kept.
  if (chosen.save && failed > 0) throw new UserError(`${failed} measurements failed: see above. Nothing was saved.`);
  if (chosen.save) save(PAGE, SAVE, text);
  return failed === 0 ? 0 : 1;
}

async function generating({ traitql, times }) {
  return { text: table(await waypost(traitql, times)) };
}

async function rebuild({ times }) {
  return { text: table(await rebuilding(Math.min(times, 5))) };
}

async function schemas({ traitql, schemas, rounds }) {
  return publicSchemas(traitql, { all: true, schemas, rounds });
}

async function others({ schemas }) {
  const folder = mkdtempSync(join(tmpdir(), 'traitql-bench-'));
  const rows = [
    ['schema', 'graphql-codegen ms', 'cpu ms', 'peak MB', "async-graphql's macros, check s", 'cpu s', 'peak MB'],
  ];
  let failed = 0;
  const told = ({ code, milliseconds, processor, peak, output }, time) => {
    if (code === 0) return [time(milliseconds), time(processor), megabytes(peak)];
    console.error(output);
    failed += 1;
    return ['failed', '', ''];
  };
  try {
    for (const schema of schemas) {
      const input = prepare(schema);
      const types = await graphqlCodegen(input, schema.name);
      const macros = await asyncGraphql(input, join(folder, schema.name));
      rows.push([schema.name, ...told(types, Math.round), ...told(macros, seconds)]);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { text: table(rows), failed };
}
