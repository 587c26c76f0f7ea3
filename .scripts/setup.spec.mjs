// The scripts install the packages, so what they load before that can hold none of them.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const SCRIPTS = [
  'start.mjs',
  'dev.mjs',
  'test.mjs',
  'bench-generator.mjs',
  'bench-sign-in.mjs',
  '../server/bench/run.mjs',
];
/** `import … from 'x'` and `import 'x'`, over several lines, and not `import('x')`. */
const STATIC = /^(?:import|export)\s(?:[^'"();=]*\sfrom\s)?'([^']+)'/gm;
/** What a script loads once Node.js is known to be new enough; it installs the packages itself. */
const FIRST = /import\('(\.\/(?:lib\/(?:start|dev|test|check)|run\/bench)\.mjs)'\)/g;

describe.each(SCRIPTS)('%s', script => {
  it('loads no package before packages are installed', () => {
    const entry = join(import.meta.dirname, script);
    const first = [...readFileSync(entry, 'utf8').matchAll(FIRST)].map(([, path]) => join(dirname(entry), path));
    expect([entry, ...first].flatMap(file => packages(file))).toEqual([]);
  });
});

/** `file: package` for each package that is loaded with a file. */
function packages(file, seen = new Set()) {
  if (seen.has(file)) return [];
  seen.add(file);
  return [...readFileSync(file, 'utf8').matchAll(STATIC)].flatMap(([, name]) => {
    if (name.startsWith('node:')) return [];
    return name.startsWith('.') ? packages(join(dirname(file), name), seen) : [`${file}: ${name}`];
  });
}
