// The work of `npm run bench:generator`: what generation costs on schemas that others have published, in a release build,
// with every crate compiled; beside it graphql-codegen and async-graphql's macros on the same input; and what Waypost's own
// project takes while it is edited.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aligned, machine, megabytes, publicSchemas, seconds } from './generator.mjs';
import { asyncGraphql, graphqlCodegen } from './other-generators.mjs';
import { giveUp, must, ROOT, Sorry } from './processes.mjs';
import { prepare, SCHEMAS } from './public-schemas.mjs';
import { waypost } from './watching.mjs';

const given = process.argv.slice(2);
const known = SCHEMAS.map(({ name }) => name);
const folder = mkdtempSync(join(tmpdir(), 'traitql-bench-'));
try {
  for (const name of given) if (!known.includes(name)) throw new Sorry(`${name} is none of ${known.join(', ')}`);
  const chosen = SCHEMAS.filter(({ name }) => given.length === 0 || given.includes(name));
  await must('Building traitql', 'cargo', ['build', '--release', '--package', 'traitql-cli', '--bin', 'traitql']);
  const traitql = join(process.env['CARGO_TARGET_DIR'] ?? join(ROOT, 'target'), 'release/traitql');
  console.log(`\n${machine()}\n\n${aligned(await waypost(traitql))}\n`);
  const { failed, table } = await publicSchemas(traitql, { all: true, schemas: chosen });
  console.log(`\n${table}\n`);
  const rows = [['schema', 'graphql-codegen ms', 'cpu ms', 'peak MB', 'async-graphql macros, check s', 'cpu s', 'peak MB']];
  for (const schema of chosen) {
    const input = prepare(schema);
    const types = await graphqlCodegen(input, schema.name);
    const macros = await asyncGraphql(input, join(folder, schema.name));
    rows.push([schema.name, ...told(types, Math.round), ...told(macros, seconds)]);
  }
  console.log(aligned(rows));
  process.exitCode = failed === 0 ? 0 : 1;
} catch (error) {
  giveUp(error);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function told({ code, milliseconds, processor, peak, output }, time) {
  if (code === 0) return [time(milliseconds), time(processor), megabytes(peak)];
  console.error(output);
  return ['failed', '', ''];
}
