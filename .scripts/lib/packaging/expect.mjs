// Waits for an installed Waypost and compares its output with the expected one.

import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../processes.mjs';

const READY_TIMEOUT_MS = 60_000;

/**
 * Waits until the server is ready. `log` returns the text of the error if it never is.
 * @param {string} origin
 * @param {() => Promise<string>} log
 */
export async function ready(origin, log) {
  try {
    await until(async () => (await fetch(`${origin}/readyz`).catch(() => null))?.ok === true, `${origin} is ready`);
  } catch (error) {
    throw new UserError(`${error.message}\n${await log()}`);
  }
}

/**
 * @param {() => Promise<boolean>} condition
 * @param {string} what a sentence that becomes true
 */
export async function until(condition, what) {
  for (const deadline = Date.now() + READY_TIMEOUT_MS; Date.now() < deadline; await sleep(100)) {
    if (await condition()) return;
  }
  throw new UserError(`After ${READY_TIMEOUT_MS / 1000} s, it is not true that ${what}.`);
}

export function equal(actual, expected) {
  if (actual !== expected) throw new UserError(`Expected ${expected}, but found ${actual}.`);
}

/** @param {string} text */
export function includes(text, part) {
  if (!text.includes(part)) throw new UserError(`Expected a text with \`${part}\`, but found:\n${text}`);
}
