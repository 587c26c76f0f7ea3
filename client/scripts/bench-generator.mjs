// `npm run bench:generator`: what generation costs on schemas that others have published, in a release build, with every
// crate compiled; and beside it graphql-codegen and async-graphql's macros on the same input. Takes several minutes.
// server/traitql/BENCHMARKS.md says how to read it.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aligned, publicSchemas } from './lib/generator.mjs';
import { asyncGraphql, graphqlCodegen } from './lib/other-generators.mjs';
import { giveUp, must, ROOT } from './lib/processes.mjs';
import { prepare, SCHEMAS } from './lib/public-schemas.mjs';

/** The macro form of the largest takes minutes and gigabytes, which says enough once. */
const COMPARED = new Set(['github', 'sui', 'relay']);

const folder = mkdtempSync(join(tmpdir(), 'traitql-bench-'));
try {
  await must('Building traitql', 'cargo', ['build', '--release', '--package', 'traitql-cli', '--bin', 'traitql']);
  const target = process.env['CARGO_TARGET_DIR'] ?? join(ROOT, 'target');
  const { failed, table } = await publicSchemas(join(target, 'release/traitql'), { all: true });
  console.log(`\n${table}\n`);
  const rows = [['schema', 'graphql-codegen ms', 'peak MB', 'async-graphql macros, check s', 'peak MB']];
  for (const schema of SCHEMAS.filter(({ name }) => COMPARED.has(name))) {
    const input = prepare(schema);
    const types = await graphqlCodegen(input, join(folder, `${schema.name}-types`));
    const macros = await asyncGraphql(input, join(folder, `${schema.name}-macros`));
    const said = ({ code, peak, output }, told) => {
      if (code === 0) return [told, (peak / 1e6).toFixed(1)];
      console.error(output);
      return ['failed', ''];
    };
    rows.push([
      schema.name,
      ...said(types, types.milliseconds),
      ...said(macros, (macros.milliseconds / 1000).toFixed(1)),
    ]);
  }
  console.log(aligned(rows));
  process.exitCode = failed === 0 ? 0 : 1;
} catch (error) {
  giveUp(error);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
