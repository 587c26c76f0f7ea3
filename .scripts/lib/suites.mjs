import { availableParallelism, cpus } from 'node:os';
import { run, UserError } from './processes.mjs';
import { elapsed } from './steps.mjs';

/** @typedef {{ passed: number, failed: number, skipped?: number }} Count */

/** @type {(passed: boolean) => Count} */
export const one = passed => ({ passed: passed ? 1 : 0, failed: passed ? 0 : 1 });

/**
 * Counts a suite as skipped, because this machine cannot run it.
 * @param {string} reason
 * @returns {Count}
 */
export function skip(reason) {
  console.log(`   skipped: ${reason}`);
  return { passed: 0, failed: 0, skipped: 1 };
}

const whole = measure();
const total = { passed: 0, failed: 0, skipped: 0 };
const lines = [];

/** @type {string[]} */
const failures = [];

/** Length of the output of one failure in the summary, in characters. The end of an output has the errors. */
const MAX_FAILURE_LENGTH = 6000;

/**
 * Prints the output of a failure now, and again in the summary: the end of a log is what people and CI services see.
 * @param {unknown} error a text, or an error
 * @param {{ printed?: boolean }} [options] `printed` if the tool has printed it already
 */
export function reportFailure(error, { printed = false } = {}) {
  const text = error instanceof Error ? (error instanceof UserError ? error.message : `${error.stack}`) : `${error}`;
  if (!printed) console.error(text);
  failures.push(text.length > MAX_FAILURE_LENGTH ? `…${text.slice(-MAX_FAILURE_LENGTH)}` : text);
}

/**
 * Runs one suite and counts its tests. An error counts as a failed test, and the next suite runs.
 * @param {string} name
 * @param {() => Promise<Count>} work
 */
export async function suite(name, work) {
  const cost = measure();
  console.log(`── ${name} …`);
  let count;
  try {
    count = await work();
  } catch (error) {
    reportFailure(error);
    count = { passed: 0, failed: 1 };
  }
  total.passed += count.passed;
  total.failed += count.failed;
  total.skipped += count.skipped ?? 0;
  lines.push(`${name.padEnd(24)} ${cost()}  ${describe(count)}`);
  console.log(`── ${lines.at(-1)}`);
}

const describe = ({ passed, failed, skipped = 0 }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;

/**
 * Runs tests that build on each other, until one fails.
 * @param {Record<string, () => Promise<unknown>>} tests
 * @returns {Promise<Count>}
 */
export async function inOrder(tests) {
  let passed = 0;
  for (const [name, test] of Object.entries(tests)) {
    try {
      await test();
      passed += 1;
    } catch (error) {
      reportFailure(`${name}: ${error instanceof UserError ? error.message : error.stack}`);
      return { passed, failed: 1 };
    }
  }
  return { passed, failed: 0 };
}

/**
 * Runs a setup step, which is not a test. Returns null if it fails: the suites that need it then fail with the reason.
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 */
export async function setUp(name, work) {
  const cost = measure();
  const result = await work().catch(error => {
    reportFailure(error);
    return null;
  });
  lines.push(`${name.padEnd(24)} ${cost()}`);
  return result;
}

/**
 * Runs a command as a suite of one test. Its output is printed if it fails.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {Record<string, string>} [env]
 */
export async function command(program, args, env = {}) {
  const { code, output } = await run(program, args, { env, output: 'collect' });
  if (code !== 0) reportFailure(`${program} ${args.join(' ')}\n${output}`);
  return one(code === 0);
}

export const tool = (path, ...args) => command(process.execPath, [`node_modules/${path}`, ...args]);

/**
 * Formats the seconds since then, and the share of all cores that was in use. Steps that run at the same time share
 * the cores.
 */
function measure() {
  const started = Date.now();
  const before = processorTime();
  return () => {
    const used = (processorTime() - before) / ((Date.now() - started) * availableParallelism());
    return `${elapsed(started).padStart(9)} ${`${Math.round(used * 100)} %`.padStart(6)}`;
  };
}

function processorTime() {
  return cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);
}

/**
 * Prints the failures, the seconds of every step, the use of the cores, and, as the last line, the number of tests. Exits
 * with 1 if a test failed.
 */
export function finish() {
  if (failures.length > 0) console.log(`\n── Failures\n\n${failures.join('\n\n')}`);
  console.log(`\n${lines.join('\n')}\n\n${'Total'.padEnd(24)} ${whole()}\n`);
  console.log(describe(total));
  process.exit(total.failed === 0 ? 0 : 1);
}
