// Each section writes one table. `--help` lists them.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { describeMachine } from '../../server/traitql/bench/run/machine.mjs';
import { table } from '../../server/traitql/bench/run/tables.mjs';
import { writeTables } from './benchmark-page.mjs';
import { measurePublicSchemas, megabytes, seconds } from './generator.mjs';
import { asyncGraphql, graphqlCodegen } from './other-generators.mjs';
import { exitWithError, runOrFail, ROOT, UserError } from './processes.mjs';
import { prepareSchema, SCHEMAS } from './public-schemas.mjs';
import { measureRebuild } from './rebuild-latency.mjs';
import { announce } from './steps.mjs';
import { measureWatch } from './watch-latency.mjs';

const PAGE = 'server/traitql/BENCHMARKS.md';
const SAVE_COMMAND = 'npm run bench:generator -- --save';
const SECTIONS = {
  waypost: waypostSection,
  rebuild: rebuildSection,
  schemas: schemasSection,
  others: othersSection,
};
const NAMES = SCHEMAS.map(({ name }) => name);
/** Small schemas, which compile in seconds. */
const QUICK_SCHEMAS = ['swapi'];

const HELP = `npm run bench:generator -- [options]

  --only SECTION,…     some of: ${Object.keys(SECTIONS).join(', ')}
  --schemas NAME,…     some of: ${NAMES.join(', ')}
  --quick              a debug build and one measurement of everything, by default of ${QUICK_SCHEMAS.join(', ')} only, to check
                       that it works; the figures are meaningless
  --save               writes the tables to ${PAGE}`;

try {
  const chosen = parseOptions(process.argv.slice(2));
  if (chosen !== null) process.exitCode = await bench(chosen);
} catch (error) {
  exitWithError(error);
}

function parseOptions(args) {
  const values = parseValues(args);
  if (values.help) {
    console.log(HELP);
    return null;
  }
  const names = some('--schemas', values.schemas ?? (values.quick ? QUICK_SCHEMAS.join(',') : undefined), NAMES);
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

function parseValues(args) {
  const list = { type: 'string' };
  const flag = { type: 'boolean', default: false };
  try {
    return parseArgs({ args, options: { only: list, schemas: list, quick: flag, save: flag, help: flag } }).values;
  } catch (error) {
    throw new UserError(`${error.message}\n\nnpm run bench:generator -- --help lists the options.`);
  }
}

function some(option, given, known) {
  if (given === undefined) return known;
  const names = given.split(',').filter(Boolean);
  for (const name of names)
    if (!known.includes(name)) throw new UserError(`${option}: unknown value ${name}, use some of ${known.join(', ')}`);
  return known.filter(name => names.includes(name));
}

async function bench(chosen) {
  const on = describeMachine();
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
    const result = await SECTIONS[section]({ ...chosen, traitql });
    failed += result.failed ?? 0;
    parts.push(result.text);
    console.log(`\n${result.text}`);
  }
  const minutes = ((Date.now() - started) / 60_000).toFixed(1);
  const text = [`\`${chosen.command}\` on ${on}, in ${minutes} minutes.`, ...parts].join('\n\n');
  // Incomplete tables are printed but not saved.
  if (chosen.save && failed > 0) throw new UserError(`${failed} measurements failed: see above. Nothing was saved.`);
  if (chosen.save) writeTables(PAGE, SAVE_COMMAND, text);
  return failed === 0 ? 0 : 1;
}

async function waypostSection({ traitql, times }) {
  return { text: table(await measureWatch(traitql, times)) };
}

async function rebuildSection({ times }) {
  return { text: table(await measureRebuild(Math.min(times, 5))) };
}

async function schemasSection({ traitql, schemas, rounds }) {
  return measurePublicSchemas(traitql, { all: true, schemas, rounds });
}

async function othersSection({ schemas }) {
  const folder = mkdtempSync(join(tmpdir(), 'traitql-bench-'));
  const rows = [
    ['schema', 'graphql-codegen ms', 'cpu ms', 'peak MB', "async-graphql's macros, check s", 'cpu s', 'peak MB'],
  ];
  let failed = 0;
  const cells = ({ code, milliseconds, cpu, peak, output }, time) => {
    if (code === 0) return [time(milliseconds), time(cpu), megabytes(peak)];
    console.error(output);
    failed += 1;
    return ['failed', '', ''];
  };
  try {
    for (const schema of schemas) {
      const input = prepareSchema(schema);
      const types = await graphqlCodegen(input, schema.name);
      const macros = await asyncGraphql(input, join(folder, schema.name));
      rows.push([schema.name, ...cells(types, Math.round), ...cells(macros, seconds)]);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { text: table(rows), failed };
}
