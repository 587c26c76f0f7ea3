import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cores, describeMachine } from '../../server/traitql/bench/run/machine.mjs';
import { BENCH, stopAll, TARGET } from '../../server/traitql/bench/run/servers.mjs';
import { measureScreens } from '../../server/waypost/bench/screens.mjs';
import { writeTables } from './benchmark-page.mjs';
import { buildServer } from './build.mjs';
import { exitWithError, runOrFail } from './processes.mjs';
import { requireCompilers } from './requirements.mjs';

const PAGE = 'server/waypost/bench/README.md';
const SAVE_COMMAND = 'npm run bench:api -- --save';

const HELP = `npm run bench:api -- [options]

  --quick   a debug build and one short round, to check that it works; the figures are meaningless
  --save    writes the table to ${PAGE}`;

const folder = mkdtempSync(join(tmpdir(), 'waypost-bench-'));
const removeAll = () => {
  stopAll();
  rmSync(folder, { recursive: true, force: true });
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => {
    removeAll();
    process.exit(1);
  });
}

try {
  const flag = { type: 'boolean', default: false };
  const { values: options } = parseArgs({ options: { quick: flag, save: flag, help: flag } });
  if (options.help) console.log(HELP);
  else await bench(options);
} catch (error) {
  process.exitCode = 1;
  removeAll();
  exitWithError(error);
} finally {
  removeAll();
}

async function bench(options) {
  await requireCompilers('npm run bench:api');
  const program = await buildServer(options.quick ? 'debug' : 'release');
  const generator = ['--package', 'bench-load', '--manifest-path', join(BENCH, 'Cargo.toml'), '--target-dir', TARGET];
  await runOrFail('Building the load generator', 'cargo', ['build', '--release', '--locked', ...generator]);
  const on = describeMachine();
  const started = Date.now();
  const usable = cores();
  const size = options.quick ? { rounds: 1, seconds: 0.2, warm: 0.1 } : { rounds: 5, seconds: 2, warm: 0.4 };
  const screens = await measureScreens(program, { ...size, connections: 32, folder, cores: usable });
  const minutes = ((Date.now() - started) / 60_000).toFixed(1);
  const command = ['npm run bench:api', ...(options.quick ? ['-- --quick'] : [])].join(' ');
  const text = [`\`${command}\` on ${on}, in ${minutes} minutes.`, usable.description, screens].join('\n\n');
  console.log(`\n${text}`);
  if (options.save) writeTables(PAGE, SAVE_COMMAND, text);
}
