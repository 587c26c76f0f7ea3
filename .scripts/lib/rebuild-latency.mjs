// Works in a copy in `target/`, which shares the target directory with the repository, so that a second measurement
// compiles less.

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { median } from '../../server/traitql/bench/run/tables.mjs';
import { SERVER } from './build.mjs';
import { measureProcess, megabytes, seconds } from './generator.mjs';
import { ROOT, UserError } from './processes.mjs';
import { setUniqueVersion } from './workspace-copy.mjs';

const COPY = join(ROOT, 'target/bench-generator/waypost');
/** The files that cargo reads. */
const COPIED = ['.cargo', 'Cargo.toml', 'Cargo.lock', 'schema', 'operations', 'server'];
const EDITED_FILE = 'server/waypost/resolvers/src/tour/queries.rs';
const COMMANDS = [
  ['check', ...SERVER],
  ['build', ...SERVER],
];

/**
 * Returns the rows of a table: wall time and CPU time in seconds, and the memory of the largest process.
 * @param {number} times number of edits
 */
export async function measureRebuild(times) {
  copy();
  const file = join(COPY, EDITED_FILE);
  const before = readFileSync(file, 'utf8');
  // The beginning of the body of the first resolver.
  const body = /async fn resolve\([^{]*\{\n/.exec(before);
  if (body === null) throw new UserError(`${EDITED_FILE} contains no resolver.`);
  const at = body.index + body[0].length;
  const rows = [['Waypost, a line in a resolver', 'median s', 'fastest', 'cpu s', 'peak MB']];
  for (const command of COMMANDS) {
    writeFileSync(file, before);
    await cargo(command);
    const all = [];
    for (let time = 0; time < times; time += 1) {
      // A statement, because a comment would only change line numbers.
      writeFileSync(file, `${before.slice(0, at)}        let _ = std::hint::black_box(${time});\n${before.slice(at)}`);
      all.push(await cargo(command));
    }
    const wallTimes = all.map(({ milliseconds }) => milliseconds);
    const cpu = median(all.map(({ cpu }) => cpu));
    const peak = Math.max(...all.map(({ peak }) => peak));
    rows.push([
      `cargo ${command.filter(each => !SERVER.includes(each)).join(' ')}`,
      seconds(median(wallTimes)),
      seconds(Math.min(...wallTimes)),
      seconds(cpu),
      megabytes(peak),
    ]);
  }
  return rows;
}

function copy() {
  const isSource = path => !['node_modules', 'target'].includes(basename(path));
  rmSync(COPY, { recursive: true, force: true });
  mkdirSync(COPY, { recursive: true });
  // Keeps the modification times, so that cargo only compiles files that have changed since the last copy.
  for (const path of COPIED)
    cpSync(join(ROOT, path), join(COPY, path), { recursive: true, preserveTimestamps: true, filter: isSource });
  setUniqueVersion(COPY, 2);
}

async function cargo(command) {
  const env = { CARGO_TARGET_DIR: process.env['CARGO_TARGET_DIR'] ?? join(ROOT, 'target') };
  const result = await measureProcess('cargo', command, env, COPY);
  if (result.code !== 0)
    throw new UserError(`cargo ${command.join(' ')} failed in a copy of Waypost:\n${result.output}`);
  return result;
}
