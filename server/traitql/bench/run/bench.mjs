import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPackages } from '../../../../.scripts/lib/build.mjs';
import { exitWithError, runOrFail, ROOT, UserError } from '../../../../.scripts/lib/processes.mjs';
import { requireRust } from '../../../../.scripts/lib/requirements.mjs';
import { announce } from '../../../../.scripts/lib/steps.mjs';
import { counts } from './counts.mjs';
import { levels, rows } from './growth.mjs';
import { hostile } from './hostile.mjs';
import { cores, describeMachine } from './machine.mjs';
import { memory } from './memory.mjs';
import { options } from './options.mjs';
import { planning } from './planning.mjs';
import { compareResponses } from './responses.mjs';
import { BENCH, program, stopAll, TARGET } from './servers.mjs';
import { throughput } from './throughput.mjs';

const RESULTS = join(BENCH, 'RESULTS.md');
const SECTIONS = { throughput, rows, levels, memory, planning, hostile };

const folder = mkdtempSync(join(tmpdir(), 'traitql-bench-'));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => {
    stopAll();
    rmSync(folder, { recursive: true, force: true });
    process.exit(1);
  });
}

try {
  const chosen = options(process.argv.slice(2), Object.keys(SECTIONS));
  if (chosen !== null) await bench(chosen);
} catch (error) {
  stopAll();
  exitWithError(error);
} finally {
  stopAll();
  rmSync(folder, { recursive: true, force: true });
}

async function bench(chosen) {
  requireRust('npm run bench');
  const on = describeMachine();
  await prepare(chosen);
  const started = Date.now();
  const bench = { ...chosen, folder, cores: cores(), subjects: chosen.subjects };
  const parts = [];
  if (chosen.sections.some(section => ['throughput', 'rows', 'levels', 'memory'].includes(section))) {
    parts.push(await compareResponses(bench));
    bench.counts = chosen.sections.includes('throughput') ? await counts(bench) : new Map();
  }
  for (const section of chosen.sections) {
    announce(`Measuring: ${section}`);
    parts.push(await SECTIONS[section](bench));
  }
  const minutes = ((Date.now() - started) / 60_000).toFixed(1);
  const head = `\`${chosen.command}\` on ${on}, in ${minutes} minutes.\n\n${bench.cores.description}`;
  const text = [head, ...parts].join('\n\n');
  console.log(`\n${text}`);
  if (!chosen.save) return;
  const title = '# Results\n\nWritten by `npm run bench -- --save`; [README.md](README.md) explains the results.';
  writeFileSync(RESULTS, `${title}\n\n${text}\n`);
  console.log(`\nSaved to ${RESULTS.slice(ROOT.length + 1)}`);
}

async function prepare({ subjects, competitors }) {
  await installPackages();
  announce('Building the subjects in release mode. The first build takes a few minutes');
  const manifest = join(BENCH, 'Cargo.toml');
  await runOrFail('Building the subjects', 'cargo', [
    'build',
    '--release',
    '--manifest-path',
    manifest,
    '--target-dir',
    TARGET,
  ]);
  if (!subjects.some(name => competitors.includes(name))) return;
  announce('Installing the JavaScript competitors');
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  await runOrFail('Installing the competitors', 'npm', ['ci', '--prefix', join(BENCH, 'competitors'), ...quiet]);
  if (program('bench-serve') === null) throw new UserError('The build succeeded, but bench-serve was not found.');
}
