// How long a contributor waits: generation, type checks after a change of the schema, a build after the edit of a
// resolver. Run after the tests (WAYPOST_MEASURE=1 npm test), when everything is built. Puts every file back that it
// changes.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { must, ROOT } from './lib/processes.mjs';

const lines = [];

await measure('cargo traitql generate', () => must('Generating', 'cargo', ['traitql', 'generate']));
await measure('graphql-codegen', () => must('Generating', 'npm', ['run', '--silent', 'generate:ts']));
await measure('tsc', () => must('tsc', 'npm', ['run', '--silent', 'typecheck']));
await must('cargo check', 'cargo', ['check', '--package', 'waypost']);
await changing('schema/schema.graphql', 'input MeasuredInput {\n  value: Int!\n}\n', async () => {
  await must('Generating', 'cargo', ['traitql', 'generate']);
  await measure('cargo check after a change of the schema', () =>
    must('cargo check', 'cargo', ['check', '--package', 'waypost']),
  );
});
await must('Generating', 'cargo', ['traitql', 'generate']);
await must('cargo build', 'cargo', ['build', '--package', 'waypost']);
await changing('server/waypost-app/src/tour/resolvers.rs', '\n// Measured.\n', () =>
  measure('cargo build after the edit of a resolver', () =>
    must('cargo build', 'cargo', ['build', '--package', 'waypost']),
  ),
);
console.log(`\n${lines.join('\n')}`);

async function measure(name, work) {
  const start = Date.now();
  await work();
  lines.push(`${name.padEnd(44)} ${((Date.now() - start) / 1000).toFixed(1)} s`);
}

/** Appends to a file while `work` runs. */
async function changing(path, text, work) {
  const file = join(ROOT, path);
  const before = readFileSync(file, 'utf8');
  writeFileSync(file, before + text);
  try {
    await work();
  } finally {
    writeFileSync(file, before);
  }
}
