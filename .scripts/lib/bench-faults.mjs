// Measures what users and operators see while a dependency of Waypost fails.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { describeMachine } from '../../server/traitql/bench/run/machine.mjs';
import { table } from '../../server/traitql/bench/run/tables.mjs';
import { writeTables } from './benchmark-page.mjs';
import { buildServer } from './build.mjs';
import { requireCluster } from './cluster.mjs';
import { requirePrograms } from './debian.mjs';
import { namespaceProblem, runInNamespace } from './namespace.mjs';
import { exitWithError, UserError } from './processes.mjs';
import { requireCompilers } from './requirements.mjs';

const PAGE = 'server/packaging/BENCHMARKS.md';
const SAVE_COMMAND = 'npm run bench:faults -- --save';

const HELP = `npm run bench:faults -- [options]

  --quick          a debug build
  --only NAME      only the faults whose names contain NAME, and no cluster
  --save           writes the tables to ${PAGE}`;

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    save: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  console.log(HELP);
  process.exit(0);
}

const folder = mkdtempSync(join(tmpdir(), 'waypost-bench-'));
try {
  await main();
} catch (error) {
  exitWithError(error);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function main() {
  const problem = namespaceProblem();
  if (problem !== null) throw new UserError(`This benchmark cannot run here: ${problem}.`);
  await requireCompilers('npm run bench:faults');
  await requireCluster();
  await requirePrograms({ faketime: 'faketime', python3: 'python3', 'mkfs.ext4': 'e2fsprogs', fsfreeze: 'util-linux' });
  const program = process.env['WAYPOST_BINARY'] ?? (await buildServer(options.quick ? 'debug' : 'release'));
  const on = describeMachine();
  const faults = await measure('faults', ['--program', program, '--only', options.only]);
  if (options.only !== '') return;
  const cluster = await measure('high-availability', ['--program', program]);
  const command = ['npm run bench:faults', ...(options.quick ? ['-- --quick'] : [])].join(' ');
  const text = [
    `\`${command}\` on ${on}.`,
    '## One process',
    table([faults.header, ...faults.rows]),
    '## Two processes, HAProxy, and PostgreSQL with a synchronous standby',
    table([cluster.header, ...cluster.rows]),
    cluster.summary,
  ].join('\n\n');
  if (options.save) writeTables(PAGE, SAVE_COMMAND, text);
}

/** Returns the tables that a script of this folder has written. */
async function measure(script, args) {
  const file = join(folder, `${script}.json`);
  const { code } = await runInNamespace(`.scripts/lib/${script}.mjs`, args, { env: { WAYPOST_MEASURE: file } });
  if (code !== 0) process.exitCode = 1;
  return JSON.parse(readFileSync(file, 'utf8'));
}
