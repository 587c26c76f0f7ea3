// How long Waypost takes to be built anew after somebody has written a line into a resolver. Works in a copy, which shares what
// is built with the repository and stays in `target/`, so that a second measurement need not build all of it.

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { median } from '../../server/bench/run/tables.mjs';
import { SERVER } from './build.mjs';
import { measured, megabytes, seconds } from './generator.mjs';
import { ROOT, UserError } from './processes.mjs';
import { setUniqueVersion } from './workspace-copy.mjs';

const COPY = join(ROOT, 'target/bench-generator/waypost');
/** What cargo reads. */
const READ = ['.cargo', 'Cargo.toml', 'Cargo.lock', 'schema', 'operations', 'server'];
const EDITED = 'server/waypost-app/src/tour/resolvers.rs';
/** The commands of somebody who looks for mistakes, of `npm run dev`, and of who wants one file that runs anywhere. */
const COMMANDS = [
  ['check', ...SERVER],
  ['build', ...SERVER],
];

/**
 * Rows of a table: seconds of the clock and of the processors, and the largest process.
 * @param {number} times how often a line is written
 */
export async function rebuilding(times) {
  copy();
  const file = join(COPY, EDITED);
  const before = readFileSync(file, 'utf8');
  // Where the body of the first resolver begins.
  const body = /async fn resolve\([^{]*\{\n/.exec(before);
  if (body === null) throw new UserError(`${EDITED} has no resolver`);
  const at = body.index + body[0].length;
  const rows = [['Waypost, a line in a resolver', 'median s', 'fastest', 'cpu s', 'peak MB']];
  for (const command of COMMANDS) {
    writeFileSync(file, before);
    await cargo(command);
    const all = [];
    for (let time = 0; time < times; time += 1) {
      // A statement: a comment alone would change no more than places.
      writeFileSync(file, `${before.slice(0, at)}        let _ = std::hint::black_box(${time});\n${before.slice(at)}`);
      all.push(await cargo(command));
    }
    const clock = all.map(({ milliseconds }) => milliseconds);
    const processor = median(all.map(({ processor }) => processor));
    const peak = Math.max(...all.map(({ peak }) => peak));
    rows.push([
      `cargo ${command.filter(each => !SERVER.includes(each)).join(' ')}`,
      seconds(median(clock)),
      seconds(Math.min(...clock)),
      seconds(processor),
      megabytes(peak),
    ]);
  }
  return rows;
}

function copy() {
  const own = path => !['node_modules', 'target'].includes(basename(path));
  rmSync(COPY, { recursive: true, force: true });
  mkdirSync(COPY, { recursive: true });
  // Times stay, so that cargo sees what has changed since the last copy.
  for (const path of READ)
    cpSync(join(ROOT, path), join(COPY, path), { recursive: true, preserveTimestamps: true, filter: own });
  setUniqueVersion(COPY, 2);
}

async function cargo(command) {
  const env = { CARGO_TARGET_DIR: process.env['CARGO_TARGET_DIR'] ?? join(ROOT, 'target') };
  const done = await measured('cargo', command, env, COPY);
  if (done.code !== 0) throw new UserError(`cargo ${command.join(' ')} of a copy of Waypost failed:\n${done.output}`);
  return done;
}
