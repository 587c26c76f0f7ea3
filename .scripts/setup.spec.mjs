// Scripts install the npm packages, so the modules that they load before that must not import any.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ACCOUNTS } from '../client/dev/accounts.mjs';
import { accountTable } from './lib/development.mjs';

const SCRIPTS = [
  'start.mjs',
  'dev.mjs',
  'generate.mjs',
  'run-tool.mjs',
  'test.mjs',
  'bench-generator.mjs',
  'bench-sign-in.mjs',
  '../server/traitql/bench/run.mjs',
];
/** Matches `import … from 'x'` and `import 'x'`, also over several lines, but not `import('x')`. */
const STATIC_IMPORT = /^(?:import|export)\s(?:[^'"();=]*\sfrom\s)?'([^']+)'/gm;
/**
 * Matches the import of the implementation, which a script loads after the version check and which installs the
 * packages.
 */
const IMPLEMENTATION = /import\('(\.\/(?:lib\/(?:start|dev|generate|test|check)|run\/bench)\.mjs)'\)/g;

describe.each(SCRIPTS)('%s', script => {
  it('imports no package before packages are installed', () => {
    const entry = join(import.meta.dirname, script);
    const implementations = [...readFileSync(entry, 'utf8').matchAll(IMPLEMENTATION)].map(([, path]) =>
      join(dirname(entry), path),
    );
    expect([entry, ...implementations].flatMap(file => importedPackages(file))).toEqual([]);
  });
});

it('npm start, which installs no devDependencies, needs none of them', () => {
  const root = join(import.meta.dirname, '..');
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const used = ['client/vite.config.ts', 'client/dev/identity-provider.mjs']
    .flatMap(file => importedPackages(join(root, file)))
    .filter(line => Object.keys(devDependencies).some(name => `${line}/`.includes(`: ${name}/`)));
  expect(used).toEqual([]);
});

function importedPackages(file, seen = new Set()) {
  if (seen.has(file)) return [];
  seen.add(file);
  return [...readFileSync(file, 'utf8').matchAll(STATIC_IMPORT)].flatMap(([, name]) => {
    if (name.startsWith('node:')) return [];
    return name.startsWith('.') ? importedPackages(join(dirname(file), name), seen) : [`${file}: ${name}`];
  });
}

it('the table of development accounts describes the permissions of each', () => {
  const [, ...rows] = accountTable().split('\n');
  expect(rows.map(row => row.trim().split(/\s{2,}/))).toEqual(
    ACCOUNTS.map(({ name, permissions }) => [name, name, permissions]),
  );
});
