// Measures `npm start` and `npm test` of a fresh clone, and rebuilds after an edit, in a copy of the tracked files.
// The download caches of cargo and npm are used.

import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { describeMachine } from '../../server/traitql/bench/run/machine.mjs';
import { median, table } from '../../server/traitql/bench/run/tables.mjs';
import { writeTables } from './benchmark-page.mjs';
import { exitWithError, freePort, run, UserError } from './processes.mjs';
import { copyRepository } from './workspace-copy.mjs';

const PAGE = '.scripts/BENCHMARKS.md';

const HELP = `npm run bench:build -- [options]

  --only PART,…   some of: start, test, rebuild
  --save          writes the tables to ${PAGE}`;

/** An edit that changes generated machine code, and the commands that a contributor runs after it. */
const EDITS = [
  {
    name: 'a line in a resolver',
    file: 'server/waypost/resolvers/src/tour/queries.rs',
    edit: (text, n) => text.replace(/(async fn resolve\([^{]*\{\n)/, `$1        let _ = std::hint::black_box(${n});\n`),
    commands: [['cargo', 'build', '--locked', '--bin', 'waypost']],
  },
  {
    name: 'a field in the schema',
    file: 'schema/schema.graphql',
    edit: (text, n) => `${text}\ninput MeasuredInput {\n  value${n}: Int!\n}\n`,
    commands: [
      ['cargo', 'traitql', 'generate'],
      ['npm', 'run', '--silent', 'generate:ts'],
      ['cargo', 'build', '--locked', '--bin', 'waypost'],
    ],
  },
  {
    name: 'a line in a component',
    file: 'client/src/features/tour/ToursPage.tsx',
    edit: (text, n) => `${text}\nexport const MEASURED = ${n};\n`,
    commands: [['npm', 'run', '--silent', 'build:client']],
  },
  {
    name: 'a line in traitql',
    file: 'server/traitql/runtime/src/lib.rs',
    edit: (text, n) => `${text}\n/// Measured.\npub const MEASURED: u32 = ${n};\n`,
    commands: [['cargo', 'build', '--locked', '--bin', 'waypost']],
  },
];

const PARTS = { start: measureStart, test: measureTest, rebuild: measureRebuild };

try {
  const { values: options } = parseArgs({
    options: { only: { type: 'string' }, save: { type: 'boolean' }, help: { type: 'boolean' } },
  });
  if (options.help) console.log(HELP);
  else await bench(options);
} catch (error) {
  exitWithError(error);
}

async function bench(options) {
  const parts = options.only?.split(',') ?? Object.keys(PARTS);
  for (const part of parts) if (!(part in PARTS)) throw new UserError(`${part} is not a part.\n\n${HELP}`);
  const machine = describeMachine();
  const folder = mkdtempSync(join(tmpdir(), 'waypost-bench-build-'));
  const copy = join(folder, 'waypost');
  try {
    copyRepository(copy);
    // Tests list the files of the repository. Uncommitted schema files would be generated from.
    const git = (...args) => execFileSync('git', args, { cwd: copy });
    git('init', '--quiet');
    git('add', '--all');
    git('-c', 'user.name=bench', '-c', 'user.email=bench@waypost.invalid', 'commit', '--quiet', '--message', 'Copy');
    const texts = [];
    for (const part of parts) {
      texts.push(await PARTS[part](copy));
      console.log(`\n${texts.at(-1)}\n`);
    }
    const command = ['npm run bench:build', ...(options.only ? [`-- --only ${options.only}`] : [])].join(' ');
    if (options.save)
      writeTables(PAGE, 'npm run bench:build -- --save', `\`${command}\` on ${machine}.\n\n${texts.join('\n\n')}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureStart(copy) {
  reset(copy);
  const cold = await untilReady(copy);
  const warm = await untilReady(copy);
  return table([
    ['`npm start`', 'seconds'],
    ['cold', cold],
    ['warm', warm],
  ]);
}

async function untilReady(copy) {
  const [port, provider] = [await freePort(), await freePort()];
  const env = {
    ...process.env,
    PORT: String(port),
    WAYPOST_PROVIDER_PORT: String(provider),
    CARGO_TARGET_DIR: join(copy, 'target'),
  };
  const started = Date.now();
  const child = spawn('npm', ['start'], { cwd: copy, env, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  const exited = new Promise(resolve => child.once('exit', resolve));
  const seconds = await new Promise((resolve, reject) => {
    let printed = '';
    child.once('exit', code => reject(new UserError(`npm start exited with ${code}:\n${printed}`)));
    child.stdout.setEncoding('utf8').on('data', text => {
      printed += text;
      if (printed.includes('Waypost is ready')) resolve(((Date.now() - started) / 1000).toFixed(1));
    });
  });
  process.kill(-child.pid, 'SIGTERM');
  await exited;
  return seconds;
}

async function measureTest(copy) {
  reset(copy);
  const { code, output } = await run('npm', ['test'], {
    cwd: copy,
    env: { CARGO_TARGET_DIR: join(copy, 'target') },
    output: 'both',
  });
  if (code !== 0) throw new UserError('npm test failed: see above.');
  const steps = [...output.matchAll(/^(?!── )(\S.*?) +([\d.]+) s +(\d+) %(?: {2}\d+ passed, \d+ failed)?$/gm)];
  if (steps.length === 0) throw new UserError('npm test printed no steps.');
  const rows = steps.map(([, name, seconds, cores]) => [name, seconds, `${cores} %`]);
  return `${table([['`npm test`, cold', 'seconds', 'cores in use'], ...rows])}\n\n${countCrates(copy)}`;
}

function countCrates(copy) {
  const deps = join(copy, 'target/debug/deps');
  const files = readdirSync(deps);
  const built = new Map();
  const checked = new Map();
  for (const file of files) {
    const [, name, kind] = /^lib(.+-[0-9a-f]{16})\.(rlib|rmeta|so)$/.exec(file) ?? [];
    if (!name || (kind === 'rmeta' && files.includes(`lib${name}.rlib`))) continue;
    const counts = kind === 'rmeta' ? checked : built;
    const crate = packageFolder(copy, join(deps, `${name}.d`));
    counts.set(crate, (counts.get(crate) ?? 0) + 1);
  }
  const row = (name, counts) => {
    const repeated = [...counts].filter(([, count]) => count > 1).map(([crate]) => basename(crate));
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
    return [name, total, repeated.length, repeated.slice(0, 12).join(', ')];
  };
  const head = ['crates', 'in total', 'more than once', 'names'];
  return table([head, row('compiled', built), row('checked (clippy, documentation)', checked)], [3]);
}

/** Returns the folder of a package from its dep-info file. The name of the folder contains the version. */
function packageFolder(copy, depInfo) {
  if (!existsSync(depInfo)) return depInfo;
  const [, source = ''] = /: (\S+)/.exec(readFileSync(depInfo, 'utf8')) ?? [];
  let folder = dirname(resolve(copy, source));
  while (!existsSync(join(folder, 'Cargo.toml')) && folder !== dirname(folder)) folder = dirname(folder);
  return folder;
}

async function measureRebuild(copy) {
  const rows = [['rebuild after', 'median s', 'fastest']];
  for (const { name, file, edit, commands } of EDITS) {
    const path = join(copy, file);
    const before = readFileSync(path, 'utf8');
    const times = [];
    for (let round = 0; round <= 3; round += 1) {
      writeFileSync(path, edit(before, round));
      const started = Date.now();
      for (const [program, ...args] of commands) {
        const { code, output } = await run(program, args, {
          cwd: copy,
          env: { CARGO_TARGET_DIR: join(copy, 'target') },
          output: 'collect',
        });
        if (code !== 0) throw new UserError(`${program} ${args.join(' ')} failed after ${name}:\n${output}`);
      }
      // The first build compiles everything else.
      if (round > 0) times.push((Date.now() - started) / 1000);
    }
    writeFileSync(path, before);
    rows.push([name, median(times).toFixed(1), Math.min(...times).toFixed(1)]);
  }
  return table(rows);
}

function reset(copy) {
  for (const name of ['target', 'node_modules', 'client/dist', 'data'])
    rmSync(join(copy, name), { recursive: true, force: true });
}
