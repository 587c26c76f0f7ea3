// Builds the targets of server/fuzz with LLVM's fuzzer, and runs them.

import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { installDebianPackages } from './debian.mjs';
import { output, ROOT, run, TARGET, UserError } from './processes.mjs';

const SEEDS = join(ROOT, 'server/fuzz/seeds');

/** The targets of server/fuzz/src/lib.rs. */
export const TARGETS = ['requests', 'pages', 'identity-tokens', 'access-tokens', 'tour-files'];

/** Longer inputs only make a run slower: no parser has a limit above it. */
const MAX_LENGTH = 4096;

/** Seconds for one input; the code that it runs takes milliseconds. */
const INPUT_TIMEOUT = 20;

const MAX_MEMORY_MB = 2048;

/** @returns {Promise<string>} the program */
export async function buildFuzzer() {
  const hasCompiler = () => output('c++', ['--version']) !== null;
  if (!hasCompiler()) await installDebianPackages(['g++']);
  if (!hasCompiler()) throw new UserError('The fuzzer requires a C++ compiler, for example g++.');
  const args = ['build', '--locked', '--workspace', '--features', 'waypost-fuzz/libfuzzer', '--example', 'fuzz'];
  // The wrapper compiles only the crates of the workspace, with counters. Dependencies are those of the tests, because
  // the whole workspace selects their features.
  const env = { RUSTC_WORKSPACE_WRAPPER: join(ROOT, 'server/fuzz/instrument.sh') };
  const { code, output: text } = await run('cargo', args, { env, output: 'collect' });
  if (code !== 0) throw new UserError(`The fuzzer does not compile:\n${text}`);
  return join(TARGET, 'debug/examples/fuzz');
}

/** Seconds for each target in the tests; `npm run fuzz` takes longer. */
const SHORT = 10;

/** @returns {Promise<import('./suites.mjs').Count>} one test for each target */
export async function fuzzTests() {
  const program = await buildFuzzer();
  for (const target of TARGETS) await fuzz(program, target, SHORT);
  return { passed: TARGETS.length, failed: 0 };
}

/**
 * Runs one target. Throws a `UserError` with the input that failed, or if the fuzzer does not see which code runs.
 * @param {string} program
 * @param {string} target
 * @param {number} seconds
 * @param {{ corpus?: string }} [options]
 */
export async function fuzz(program, target, seconds, { corpus } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'waypost-fuzz-'));
  try {
    const found = corpus === undefined ? join(folder, 'corpus') : join(corpus, target);
    const failures = join(folder, 'failures');
    mkdirSync(found, { recursive: true });
    mkdirSync(failures);
    const args = [
      found,
      join(SEEDS, target),
      `-max_total_time=${seconds}`,
      `-max_len=${MAX_LENGTH}`,
      `-timeout=${INPUT_TIMEOUT}`,
      `-rss_limit_mb=${MAX_MEMORY_MB}`,
      `-artifact_prefix=${failures}/`,
      '-print_final_stats=1',
    ];
    const { code, output: text } = await run(program, args, { env: { WAYPOST_FUZZ: target }, output: 'collect' });
    if (code !== 0) throw new UserError(explain(target, text, failures));
    const { counters, first, last, executions } = coverage(text);
    if (counters === 0 || last <= 0)
      throw new UserError(`${target}: the crates were compiled without counters:\n${text}`);
    console.log(`   ${target.padEnd(18)} ${executions} inputs, ${first} → ${last} of ${counters} branches`);
    return { first, last, executions };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Reads the messages of the fuzzer: the number of instrumented branches, those that the seeds reached, and those that all
 * inputs reached.
 * @param {string} text
 */
export function coverage(text) {
  const [, counters = '0'] = /Loaded \d+ modules\s+\((\d+) inline 8-bit counters\)/.exec(text) ?? [];
  const reached = [...text.matchAll(/^#\d+\s+\w+\s+cov: (\d+)/gm)].map(([, count]) => Number(count));
  const [, executions = '0'] = /stat::number_of_executed_units:\s+(\d+)/.exec(text) ?? [];
  return {
    counters: Number(counters),
    first: reached[0] ?? 0,
    last: reached.at(-1) ?? 0,
    executions: Number(executions),
  };
}

function explain(target, text, failures) {
  const [name] = readdirSync(failures);
  if (name === undefined) return `${target}: the fuzzer failed:\n${text}`;
  const input = readFileSync(join(failures, name));
  const saved = join(ROOT, 'server/fuzz/seeds', target, name);
  cpSync(join(failures, name), saved);
  return [
    `${target}: an input failed. It is now a test: server/fuzz/seeds/${relative(SEEDS, saved)}.`,
    'Run it with: cargo test --package waypost-fuzz. Keep the file, under a better name, with the fix.',
    `As base64: ${input.toString('base64')}`,
    text.slice(-4000),
  ].join('\n');
}
