// The work of `npm test`, once Node.js is known to be new enough: every step in order, whatever the ones before it
// said. A step is one test, unless it runs a suite: then it is as many as the suite says. Nothing is skipped in
// silence.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requireBrowser } from './browser.mjs';
import { buildServer, installPackages, program } from './build.mjs';
import { fiveSteps } from './five-steps.mjs';
import { requireGlewlwyd } from './glewlwyd.mjs';
import { requirePostgres } from './postgres.mjs';
import { giveUp, must, ROOT, run, Sorry } from './processes.mjs';
import { requireRust } from './requirements.mjs';
import { requireToolkit } from './toolkit.mjs';
import { tutorial } from './tutorial.mjs';

/** @typedef {{ passed: number, failed: number }} Count */

const published = ['traitql', 'traitql-schema', 'traitql-codegen', 'traitql-cli', 'traitql-rules'];
const documented = [...published, 'traitql-sample'];
const npx = tool => ['node', `node_modules/${tool}`];
const reports = mkdtempSync(join(tmpdir(), 'waypost-test-'));
const total = { passed: 0, failed: 0 };
const lines = [];
const started = Date.now();

try {
  requireRust('npm test');
  await timed('packages', installPackages);
} catch (error) {
  giveUp(error);
}

const browser = await timed('browser', requireBrowser).catch(error => {
  console.error(error.message);
  return null;
});

// The browser tests would get them as well, but not in the time of a test. Those that sign in at a provider which is not
// there fail and say why.
for (const provider of [requireGlewlwyd, requireToolkit]) {
  await timed('identity provider', provider).catch(error => console.error(error.message));
}

await timed('PostgreSQL', requirePostgres).catch(error => console.error(error.message));

await suite('cargo traitql check', () => command('cargo', ['traitql', 'check']));
await suite('graphql-codegen', () =>
  command(...split([...npx('@graphql-codegen/cli/esm/bin.js'), '--config', 'codegen.yml', '--check'])),
);
await suite('cargo fmt', () => command('cargo', ['fmt', '--all', '--check']));
await suite('cargo clippy', () =>
  command('cargo', ['clippy', '--locked', '--workspace', '--all-targets', '--', '--deny', 'warnings']),
);
// The toolchain is read by people who use it elsewhere: a link that leads nowhere is a mistake.
await suite('cargo doc', () =>
  command('cargo', ['doc', '--locked', '--no-deps', ...documented.flatMap(name => ['--package', name])], {
    RUSTDOCFLAGS: '--deny warnings',
  }),
);
await suite('cargo test', () => rustTests([]));
// The application's tests over a database once more, on PostgreSQL; its random sequences ran on both above. The choice of
// targets is that of the workspace, so that nothing is compiled again.
await suite('PostgreSQL', () => {
  const nouns = readdirSync(join(ROOT, 'server/waypost-app/src/tests')).map(
    file => `tests::${file.replace('.rs', '')}::`,
  );
  return rustTests(['--lib', '--', ...nouns], { WAYPOST_TEST_DATABASE: 'postgres' });
});
await suite('PostgreSQL, documents', () =>
  rustTests(['--test', 'operations', '--test', 'released'], { WAYPOST_TEST_DATABASE: 'postgres' }),
);
// Fifty times what the tests above try of requests and variables that are right, nearly right and damaged: about a minute.
await suite('fuzz', () =>
  command('cargo', ['test', '--locked', '--workspace', '--lib', '--', 'fuzz'], { TRAITQL_FUZZ: '2000000' }),
);
// Nine schemas that others have published are generated; two of the crates are compiled. `npm run bench:generator`
// compiles them all.
await suite('public schemas', async () => {
  await must('Building traitql', 'cargo', ['build', '--locked', '--package', 'traitql-cli', '--bin', 'traitql']);
  const target = process.env['CARGO_TARGET_DIR'] ?? join(ROOT, 'target');
  // Reads schemas with graphql-js, which the first step has installed.
  const { publicSchemasOn } = await import('./generator.mjs');
  return publicSchemasOn(join(target, 'debug/traitql'));
});
// The documents of these schemas, over data and faults made by chance: all engines give the same bytes.
await suite('public documents', async () => {
  const { READY } = await import('./public-schemas.mjs');
  // As much as the tests above have built: another choice of packages would build their libraries again.
  const only = ['--workspace', '--test', 'differential', '--', 'documents_of_clients'];
  return command('cargo', ['test', '--locked', ...only], { TRAITQL_DIFFERENTIAL_DOCUMENTS: READY });
});
// The validation of schemas and documents against that of graphql-js, and what changes of schemas mean.
await suite('graphql-js', () => command(process.execPath, ['server/traitql-schema/tests/graphql-js.mjs']));
await suite('graphql-js, changes', () =>
  command(process.execPath, ['server/traitql-schema/tests/graphql-js-changes.mjs']),
);
await suite('tsc', () => command(...split([...npx('typescript/bin/tsc'), '--project', 'client'])));
await suite('oxlint', () =>
  command(...split([...npx('oxlint/bin/oxlint'), '--config', 'client/.oxlintrc.json', '--deny-warnings', 'client'])),
);
await suite('vitest', unitTests);
await suite('five steps', fiveSteps);
await suite('tutorial', tutorial);
// What would be published holds all its files and says what it must. It is compiled in the steps before.
await suite('cargo package', () =>
  command('cargo', [
    'package',
    '--offline',
    '--allow-dirty',
    '--no-verify',
    ...published.flatMap(name => ['--package', name]),
  ]),
);
// The build also holds the first screen to its budget (client/build/budget.ts).
await suite('client build', () =>
  command(...split([...npx('vite/bin/vite.js'), 'build', 'client', '--config', 'client/vite.config.ts'])),
);
await suite('release build', async () => {
  await buildServer('release');
  return { passed: 1, failed: 0 };
});
await suite('playwright', browserTests);
if (process.env['WAYPOST_MEASURE'])
  await suite('measurements', () => command(process.execPath, ['client/scripts/measure.mjs']));

rmSync(reports, { recursive: true, force: true });
console.log(`\n${lines.join('\n')}\n\nAltogether ${seconds(started)}\n`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);

/** Runs one step, counts it, and remembers how long it took. */
async function suite(name, work) {
  console.log(`\n── ${name}`);
  const start = Date.now();
  /** @type {Count} */
  let count;
  try {
    count = await work();
  } catch (error) {
    console.error(error instanceof Sorry ? error.message : error);
    count = { passed: 0, failed: 1 };
  }
  total.passed += count.passed;
  total.failed += count.failed;
  lines.push(`${name.padEnd(20)} ${seconds(start).padStart(9)}  ${count.passed} passed, ${count.failed} failed`);
  console.log(lines.at(-1));
}

async function timed(name, work) {
  const start = Date.now();
  const result = await work();
  lines.push(`${name.padEnd(20)} ${seconds(start).padStart(9)}`);
  return result;
}

/** @returns {Promise<Count>} */
async function command(tool, args, env = {}) {
  const { code } = await run(tool, args, { env });
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/** @returns {Promise<Count>} */
async function rustTests(only, env = {}) {
  const all = ['test', '--locked', '--workspace', '--no-fail-fast', ...only];
  const { code, output } = await run('cargo', all, { capture: true, env });
  const results = [...output.matchAll(/^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored/gm)];
  const sum = index => results.reduce((count, result) => count + Number(result[index]), 0);
  const [passed, failed, ignored] = [sum(1), sum(2), sum(3)];
  if (ignored > 0)
    console.error(`${ignored} ignored tests: a test that is never run proves nothing. Delete or mend them.`);
  // A crate that does not compile, or a test that dies, leaves no result line.
  return { passed, failed: failed + ignored + (code !== 0 && failed === 0 ? 1 : 0) };
}

/** @returns {Promise<Count>} */
async function unitTests() {
  const file = join(reports, 'vitest.json');
  const args = [
    'run',
    '--config',
    'client/vite.config.ts',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ];
  const { code } = await run(...split([...npx('vitest/vitest.mjs'), ...args]));
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(readFileSync(file, 'utf8'));
  const failed = numFailedTests + numPendingTests + numTodoTests;
  return { passed: numPassedTests, failed: failed + (code !== 0 && failed === 0 ? 1 : 0) };
}

/** @returns {Promise<Count>} */
async function browserTests() {
  if (browser === null) throw new Sorry('No browser, so the browser tests did not run. See above for how to get one.');
  const file = join(reports, 'playwright.json');
  const env = {
    CHROMIUM_PATH: browser,
    WAYPOST_BINARY: process.env['WAYPOST_BINARY'] ?? program('release'),
    PLAYWRIGHT_JSON_OUTPUT_NAME: file,
  };
  const args = ['test', '--config', 'client/e2e/playwright.config.ts', '--reporter=list,json'];
  const { code } = await run(...split([...npx('@playwright/test/cli.js'), ...args]), { env });
  const { stats, errors } = JSON.parse(readFileSync(file, 'utf8'));
  const failed = stats.unexpected + stats.skipped + errors.length;
  return { passed: stats.expected + stats.flaky, failed: failed + (code !== 0 && failed === 0 ? 1 : 0) };
}

function split([tool, ...args]) {
  return [tool === 'node' ? process.execPath : tool, args];
}

function seconds(since) {
  return `${((Date.now() - since) / 1000).toFixed(1)} s`;
}
