import { readdirSync, readFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { requireBrowsers } from './browser.mjs';
import { buildClient, installPackages } from './build.mjs';
import { clientChecks, serverChecks } from './checks.mjs';
import { fiveSteps } from './five-steps.mjs';
import { fuzzTests } from './fuzz.mjs';
import { requireGlewlwyd } from './glewlwyd.mjs';
import { handbook } from './handbook.mjs';
import { requirePostgres } from './postgres.mjs';
import { builtProgram, exitWithError, output, ROOT, run, UserError } from './processes.mjs';
import { releaseSuites } from './release.mjs';
import { requireCompilers } from './requirements.mjs';
import { buildTests, runAllTests, runDocTests, runMainTests, runPublicDocuments, runTests } from './rust-tests.mjs';
import { command, finish, reportFailure, setUp, suite } from './suites.mjs';
import { requireToolkit } from './toolkit.mjs';
import { tutorial } from './tutorial.mjs';

const HELP = `npm test                       what a change usually breaks: Rust tests on SQLite with short random searches, unit
                               tests, types and formatting, and the main stories in the browser
npm test -- --all              all tests and checks; --release adds those of a release: packages, LTO build
npm test -- rust [NAME…]       Rust tests, all or those whose name or binary contains NAME
npm test -- unit [NAME…]       vitest: files whose path contains NAME, or tests whose name does
npm test -- browser [NAME…]    Playwright: files whose name contains NAME, or tests whose title does
npm test -- docs [NAME…]       commands and outputs of documents: five-steps, handbook, tutorial

Further options are passed to the tool: npm test -- browser editor --trace on`;

/** Sign-in, and a tour that is written, released, played, also on a hostile page, and measured. */
const MAIN_STORIES = ['embed', 'first-workspace', 'sample', 'sign-in', 'story', 'writing'];

const reports = mkdtempSync(join(tmpdir(), 'waypost-test-'));
process.on('exit', () => rmSync(reports, { recursive: true, force: true }));

const [first, ...rest] = process.argv.slice(2);
const flags = [first, ...rest];
const names = rest.filter(each => !each.startsWith('-') && !rest[rest.indexOf(each) - 1]?.startsWith('--'));
const options = rest.filter(each => !names.includes(each));
const FLAGS = new Set(['--all', '--release']);
const parts = { rust, unit, browser, docs };

try {
  if (first === '--help') {
    console.log(HELP);
    process.exit(0);
  }
  const unknown = first in parts ? undefined : flags.find(each => each !== undefined && !FLAGS.has(each));
  if (unknown !== undefined) throw new UserError(`${unknown} is not a part of the tests.\n\n${HELP}`);
  await requireCompilers('npm test');
  if (first in parts) {
    await installPackages();
    await parts[first]();
  } else if (flags.some(each => FLAGS.has(each))) {
    await everything();
    if (flags.includes('--release')) await releaseSuites();
  } else {
    await mainTests();
  }
} catch (error) {
  exitWithError(error);
}
finish();

async function everything() {
  const binaries = await prepare(installServices);
  await rustSuites(binaries);
  // vitest alone uses less than two cores.
  await Promise.all([suite('vitest', () => unitTests([], [])), serverChecks()]);
  await docs();
  await suite('fuzz', fuzzTests);
  await suite('Playwright', () => browserTests([], []));
}

/** Leaves out what takes minutes and what an edit rarely breaks; `everything` includes all of it. */
async function mainTests() {
  const binaries = await prepare(() => installServices([requirePostgres, requireBrowsers]));
  await Promise.all([
    suite('Rust tests', async () => runMainTests(required(binaries))),
    suite('cargo fmt', () => command('cargo', ['fmt', '--all', '--check'])),
  ]);
  await suite('vitest', () => unitTests([], []));
  await suite('Playwright', () => browserTests(MAIN_STORIES, []));
}

/** Compiles the Rust tests while it installs `services`, checks the client and builds it. */
async function prepare(services) {
  const [binaries] = await Promise.all([
    setUp('compile Rust tests', buildTests),
    (async () => {
      if ((await setUp('npm packages', () => installPackages({ output: 'collect' }).then(() => true))) === null) return;
      await setUp('services', () => services());
      await clientChecks();
      await suite('client build', () => buildClient({ output: 'collect' }).then(() => ({ passed: 1, failed: 0 })));
    })(),
  ]);
  return binaries;
}

async function rust() {
  const binaries = await setUp('compile Rust tests', buildTests);
  if (names.length === 0 && options.length === 0) {
    await setUp('PostgreSQL', requirePostgres);
    await rustSuites(binaries);
  } else if (binaries) {
    await requirePostgres();
    await suite('cargo test', () => runTests(binaries, { names, args: options }));
  }
}

async function rustSuites(binaries) {
  await suite('Rust tests', async () => runAllTests(required(binaries)));
  await suite('doc tests', runDocTests);
  // These read schemas with graphql-js, which is an npm package.
  const { testPublicSchemas } = await import('./generator.mjs');
  const { READY } = await import('./public-schemas.mjs');
  const compareWithGraphqlJs = name =>
    suite(name, () => command(process.execPath, [`server/traitql/schema/tests/${name}.mjs`]));
  await Promise.all([
    (async () => {
      await suite('public schemas', () => testPublicSchemas(builtProgram('traitql')));
      await suite('public documents', async () => runPublicDocuments(required(binaries), READY));
    })(),
    (async () => {
      await compareWithGraphqlJs('graphql-js');
      await compareWithGraphqlJs('graphql-js-changes');
    })(),
  ]);
}

async function unit() {
  await suite('vitest', () => unitTests(names, options));
}

async function browser() {
  await buildClient();
  await setUp('compile the server', () => buildTestedServer());
  await setUp('services', () => installServices());
  await suite('Playwright', () => browserTests(names, options));
}

async function docs() {
  for (const [name, work] of Object.entries({ 'five-steps': fiveSteps, handbook, tutorial })) {
    if (names.length === 0 || names.some(each => name.includes(each))) await suite(name, work);
  }
}

/** No test must time out on a download. */
async function installServices(installers = [requireGlewlwyd, requireToolkit, requirePostgres, requireBrowsers]) {
  for (const install of installers) await install().catch(reportFailure);
}

async function buildTestedServer() {
  if (process.env['WAYPOST_BINARY']) return;
  const { code } = await run('cargo', ['build', '--locked', '--bin', 'waypost']);
  if (code !== 0) throw new UserError('The server does not compile: see above.');
}

/** @returns {Promise<import('./suites.mjs').Count>} */
async function unitTests(filters, args) {
  const file = join(reports, 'vitest.json');
  const specs = output('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.spec.*']) ?? '';
  const isFile = filters.some(name => specs.split('\n').some(spec => spec.includes(name)));
  const selection = isFile || filters.length === 0 ? filters : ['--testNamePattern', filters.join('|')];
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const all = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'client/vite.config.ts', ...reporters];
  const { code, output: text } = await run(process.execPath, [...all, ...selection, ...args], { output: 'collect' });
  // The failures are at the end, after the list of all files.
  if (code !== 0) reportFailure(text.slice(Math.max(0, text.search(/Failed (Tests|Suites)/))));
  else if (filters.length > 0) console.error(text);
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(readFileSync(file, 'utf8'));
  const skipped = isFile || filters.length === 0 ? numPendingTests + numTodoTests : 0;
  const failed = numFailedTests + skipped;
  return { passed: numPassedTests, failed: failed + (code !== 0 && failed === 0 ? 1 : 0) };
}

/** @returns {Promise<import('./suites.mjs').Count>} */
async function browserTests(filters, args) {
  const file = join(reports, 'playwright.json');
  const env = {
    WAYPOST_BINARY: process.env['WAYPOST_BINARY'] ?? builtProgram('waypost'),
    PLAYWRIGHT_JSON_OUTPUT_NAME: file,
  };
  const files = readdirSync(join(ROOT, 'client/e2e')).filter(name => name.endsWith('.e2e.ts'));
  const isFile = files.some(name => filters.some(filter => name.includes(filter)));
  const selection = isFile ? filters.map(name => `e2e/[^/]*${name}`) : filters.flatMap(name => ['--grep', name]);
  const all = ['test', '--config', 'client/e2e/playwright.config.ts', '--reporter=list,json', ...selection, ...args];
  const { code } = await run(process.execPath, ['node_modules/@playwright/test/cli.js', ...all], { env });
  const { stats, errors, suites } = JSON.parse(readFileSync(file, 'utf8'));
  for (const failure of failedBrowserTests(suites)) reportFailure(failure, { printed: true });
  const failed = stats.unexpected + stats.skipped + errors.length;
  if (failed > 0) console.error('To record a trace of a failed test: npm test -- browser NAME --trace on');
  return { passed: stats.expected + stats.flaky, failed: failed + (code !== 0 && failed === 0 ? 1 : 0) };
}

/** Returns the title, place and errors of each failed test of a Playwright report. */
function failedBrowserTests(suites) {
  return suites.flatMap(({ file, specs = [], suites: nested = [] }) => [
    ...specs
      .filter(({ ok }) => !ok)
      .map(({ title, line, tests }) => {
        const failed = tests.flatMap(({ results }) => results.flatMap(({ errors }) => errors));
        const messages = failed.map(({ message }) => stripVTControlCharacters(message ?? ''));
        return [`${file}:${line} ${title}`, ...messages].join('\n');
      }),
    ...failedBrowserTests(nested),
  ]);
}

function required(binaries) {
  if (binaries === null) throw new UserError('The Rust tests do not compile: see above.');
  return binaries;
}
