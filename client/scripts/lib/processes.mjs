// Runs other programs from the root of the repository.

import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../../..');

/** A sentence for the person at the terminal; no stack trace is shown with it. */
export class Sorry extends Error {
  name = 'Sorry';
}

// rustup puts cargo where only a new login shell looks.
const cargoBin = join(homedir(), '.cargo/bin');
if (existsSync(cargoBin) && !(process.env['PATH'] ?? '').split(delimiter).includes(cargoBin)) {
  process.env['PATH'] = `${process.env['PATH'] ?? ''}${delimiter}${cargoBin}`;
}

/**
 * Runs a program to its end and shows what it prints. Answers with its exit code and with what it wrote to stdout.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: Record<string, string>, capture?: boolean }} [options] `capture` also collects stdout
 *   and stderr
 * @returns {Promise<{ code: number, output: string }>}
 */
export function run(program, args, { cwd = ROOT, env = {}, capture = false } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', capture ? 'pipe' : 'inherit', capture ? 'pipe' : 'inherit'],
    });
    let output = '';
    const collect = (from, to) =>
      from?.setEncoding('utf8').on('data', text => {
        output += text;
        to.write(text);
      });
    collect(child.stdout, process.stdout);
    collect(child.stderr, process.stderr);
    child.once('error', error => reject(missing(program, error)));
    child.once('close', code => resolve({ code: code ?? 1, output }));
  });
}

/** Runs a program that must succeed. `what` says what failed when it does not. */
export async function must(what, program, args, options) {
  const { code } = await run(program, args, options);
  if (code !== 0) throw new Sorry(`${what} failed: see above. The command was: ${program} ${args.join(' ')}`);
}

/** What a program prints, or null when it is not there or fails. */
export function output(program, args) {
  const { status, stdout } = spawnSync(program, args, { cwd: ROOT, encoding: 'utf8' });
  return status === 0 ? stdout : null;
}

/** Ends the process with the sentence of a `Sorry`, or with everything about any other error. */
export function giveUp(error) {
  console.error(error instanceof Sorry ? `\n${error.message}` : error);
  process.exit(1);
}

function missing(program, error) {
  return error.code === 'ENOENT' ? new Sorry(`${program} is needed and cannot be found.`) : error;
}
