import { parseArgs } from 'node:util';
import { describeMachine } from '../../server/traitql/bench/run/machine.mjs';
import { writeTables } from './benchmark-page.mjs';
import { requirePostgres } from './postgres.mjs';
import { exitWithError, runOrFail, run, UserError } from './processes.mjs';
import { requireCompilers } from './requirements.mjs';

const PAGE = 'server/waypost/resolvers/BENCHMARKS.md';
const SAVE_COMMAND = 'npm run bench:insights -- --save';

const HELP = `npm run bench:insights -- [options]

  --quick   10,000 runs and two seconds of events, to check that it works; the figures are meaningless
  --save    writes the tables to ${PAGE}`;

try {
  const flag = { type: 'boolean', default: false };
  const { values: options } = parseArgs({ options: { quick: flag, save: flag, help: flag } });
  if (options.help) console.log(HELP);
  else await bench(options);
} catch (error) {
  exitWithError(error);
}

async function bench(options) {
  await requireCompilers('npm run bench:insights');
  await requirePostgres();
  const program = ['bench', '--locked', '--workspace', '--bench', 'insights'];
  await runOrFail('Building the benchmark', 'cargo', [...program, '--no-run']);
  const on = describeMachine();
  const started = Date.now();
  const size = options.quick ? { WAYPOST_BENCH_RUNS: '10000', WAYPOST_BENCH_SECONDS: '2' } : {};
  const { code, output } = await run('cargo', [...program, '--quiet'], { env: size, output: 'both' });
  if (code !== 0) throw new UserError('The benchmark failed: see above. Nothing was saved.');
  const minutes = ((Date.now() - started) / 60_000).toFixed(1);
  const command = ['npm run bench:insights', ...(options.quick ? ['-- --quick'] : [])].join(' ');
  const tables = output.slice(output.indexOf('### SQLite')).trim();
  if (options.save) writeTables(PAGE, SAVE_COMMAND, `\`${command}\` on ${on}, in ${minutes} minutes.\n\n${tables}`);
}
