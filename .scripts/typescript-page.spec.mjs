// The configuration in server/traitql/docs/typescript.md generates documents that compile with the installed version
// of Apollo Client.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const page = readFileSync(join(ROOT, 'server/traitql/docs/typescript.md'), 'utf8');
const tutorial = readFileSync(join(ROOT, 'server/traitql/README.md'), 'utf8');
// Within the repository, so that the compiler finds the packages.
mkdirSync(join(ROOT, 'node_modules/.cache'), { recursive: true });
const folder = mkdtempSync(join(ROOT, 'node_modules/.cache/typescript-page-'));

afterAll(() => rmSync(folder, { recursive: true }));

const section = page.slice(page.indexOf('\n## Operations\n'), page.indexOf('\n## Forms\n'));
const block = (text, start) => text.split(`\n\`\`\`${start}\n`)[1].split('\n```')[0];
const write = (path, text) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};

it('documents a configuration whose output compiles with Apollo Client', async () => {
  write('schema/books.graphql', block(tutorial, 'graphql file=books.graphql'));
  write('operations/Shelf.graphql', block(tutorial, 'graphql file=operations/Shelf.graphql'));
  const head = 'schema: schema/*.graphql\ndocuments: operations/*.graphql\n';
  write('codegen.yml', head + block(section, 'yaml'));
  const program = join(ROOT, 'node_modules/@graphql-codegen/cli/esm/bin.js');
  execFileSync(process.execPath, [program, '--config', 'codegen.yml'], { cwd: folder, stdio: 'pipe' });
  write('client/src/Shelf.tsx', block(section, 'tsx'));
  const { compilerOptions } = JSON.parse(readFileSync(join(ROOT, 'client/tsconfig.json'), 'utf8'));
  write('tsconfig.json', JSON.stringify({ compilerOptions: { ...compilerOptions, types: [] }, include: ['client'] }));
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const compile = () => execFileSync(process.execPath, [compiler, '--project', folder], { encoding: 'utf8' });
  expect(compile()).toBe('');
}, 120_000);
