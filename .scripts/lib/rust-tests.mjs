// Runs the binaries of tests two at a time, because most use one core.

import { availableParallelism } from 'node:os';
import { basename, dirname } from 'node:path';
import { run, UserError } from './processes.mjs';
import { elapsed } from './steps.mjs';
import { reportFailure } from './suites.mjs';

/** Keeps all cores busy at the end. */
const LONGEST = ['sequences', 'traitql', 'it', 'differential', 'waypost_resolvers', 'panics', 'messages', 'change'];

/** The sequences run on both databases anyway. */
const POSTGRES_TARGETS = { waypost_resolvers: ['tests::'], operations: [], released: [] };

const FUZZ_TARGETS = new Set(['traitql', 'traitql_axum']);

/** A fraction of the default of each random search. */
const SHORT_SEARCHES = { WAYPOST_SEQUENCES: '3', TRAITQL_DIFFERENTIAL: '1500', TRAITQL_FUZZ: '200' };

/** Number of random requests and variables: a hundred times the default of the tests. */
const FUZZ_CASES = '2000000';

/**
 * @typedef {{ name: string, executable: string, folder: string, env: Record<string, string> }} Binary
 * @typedef {{ label: string, binary: Binary, args: string[], env: Record<string, string> }} Job
 */

/**
 * Compiles all tests of the workspace and the binaries that they start.
 * @returns {Promise<Binary[]>}
 */
export async function buildTests() {
  const args = ['test', '--locked', '--workspace', '--no-run', '--message-format', 'json-render-diagnostics'];
  const { code, output } = await run('cargo', args, { output: 'stdout' });
  if (code !== 0) throw new UserError('The Rust tests do not compile: see above.');
  return output
    .split('\n')
    .filter(line => line.startsWith('{'))
    .map(line => JSON.parse(line))
    .filter(({ reason, profile, executable }) => reason === 'compiler-artifact' && profile.test && executable)
    .map(({ target, executable, manifest_path }) => {
      const folder = dirname(manifest_path);
      return { name: target.name, executable, folder, env: { CARGO_MANIFEST_DIR: folder } };
    });
}

/**
 * Runs all tests, those that use a database also on PostgreSQL, and the fuzz tests with many cases. All are in one queue,
 * because `sequences` keeps one core busy for as long as the other core needs for everything else.
 * @param {Binary[]} binaries
 */
export function runAllTests(binaries) {
  return runAll([...testJobs(binaries), ...postgresJobs(binaries), ...fuzzJobs(binaries)]);
}

/**
 * Runs the tests with short random searches, and without those that repeat a test of SQLite on PostgreSQL, whose names
 * contain `postgresql`.
 * @param {Binary[]} binaries
 */
export function runMainTests(binaries) {
  const args = ['--skip', 'postgresql'];
  return runAll(testJobs(binaries, { args }).map(job => ({ ...job, env: { ...job.env, ...SHORT_SEARCHES } })));
}

/**
 * Runs the tests whose name or binary contains one of `names`, or all.
 * @param {Binary[]} binaries
 * @param {{ names: readonly string[], args: readonly string[] }} options `args` are for the test binaries
 */
export function runTests(binaries, options) {
  return runAll(testJobs(binaries, options));
}

/** @returns {Job[]} */
function testJobs(binaries, { names = [], args = [] } = {}) {
  return binaries.map(binary => {
    const all = names.length === 0 || names.some(name => binary.name.includes(name));
    return { label: binary.name, binary, args: [...(all ? [] : names), ...args], env: {} };
  });
}

export async function runDocTests() {
  const { code, output } = await run('cargo', ['test', '--locked', '--workspace', '--doc'], { output: 'collect' });
  const results = [...output.matchAll(/^test result: \w+\. (\d+) passed; (\d+) failed/gm)];
  const sum = index => results.reduce((total, result) => total + Number(result[index]), 0);
  if (code !== 0) reportFailure(output);
  return { passed: sum(1), failed: Math.max(sum(2), code === 0 ? 0 : 1) };
}

/** @returns {Job[]} */
function postgresJobs(binaries) {
  return binaries
    .filter(({ name }) => name in POSTGRES_TARGETS)
    .map(binary => ({
      label: `${binary.name} on PostgreSQL`,
      binary,
      args: POSTGRES_TARGETS[binary.name],
      env: { WAYPOST_TEST_DATABASE: 'postgres' },
    }));
}

/** @returns {Job[]} */
function fuzzJobs(binaries) {
  return binaries
    .filter(({ name }) => FUZZ_TARGETS.has(name))
    .map(binary => ({ label: `fuzz ${binary.name}`, binary, args: ['fuzz'], env: { TRAITQL_FUZZ: FUZZ_CASES } }));
}

/**
 * Compares all engines over the documents of public schemas.
 * @param {Binary[]} binaries
 * @param {string} documents the folder of the prepared schemas
 */
export function runPublicDocuments(binaries, documents) {
  const jobs = binaries
    .filter(({ name }) => name === 'differential')
    .map(binary => ({
      label: 'documents of public schemas',
      binary,
      args: ['documents_of_clients'],
      env: { TRAITQL_DIFFERENTIAL_DOCUMENTS: documents },
    }));
  return runAll(jobs);
}

/** @param {Job[]} jobs */
async function runAll(jobs) {
  const rank = ({ binary }) => (LONGEST.includes(binary.name) ? LONGEST.indexOf(binary.name) : LONGEST.length);
  const queue = jobs.toSorted((a, b) => rank(a) - rank(b));
  const count = { passed: 0, failed: 0 };
  const worker = async () => {
    for (let job = queue.shift(); job; job = queue.shift()) {
      const { passed, failed } = await runJob(job);
      count.passed += passed;
      count.failed += failed;
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  if (count.passed + count.failed === 0) throw new UserError('No Rust test matches.');
  return count;
}

/** @param {Job} job */
async function runJob({ label, binary, args, env }) {
  const started = Date.now();
  const options = /** @type {const} */ ({ cwd: binary.folder, output: 'collect' });
  const { code, output } = await run(binary.executable, args, { ...options, env: { ...binary.env, ...env } });
  const [, passed, failed, ignored] =
    /^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored/m.exec(output) ?? [];
  const counts = [passed, failed, ignored].map(Number);
  if (code !== 0) reportFailure(`${basename(binary.folder)}, ${label}:\n${output}`);
  // An ignored test counts as failed because it proves nothing.
  if (counts[2] > 0) reportFailure(`${label} has ignored tests. Delete or fix them.`);
  if (counts[0] + counts[1] > 0)
    console.log(`   ${label.padEnd(36)} ${elapsed(started).padStart(8)}  ${counts[0]} passed, ${counts[1]} failed`);
  const missing = passed === undefined || (code !== 0 && counts[1] === 0) ? 1 : 0;
  return { passed: counts[0] || 0, failed: (counts[1] || 0) + (counts[2] || 0) + missing };
}
