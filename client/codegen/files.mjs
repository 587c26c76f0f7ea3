// Runs graphql-codegen without writing, so that a caller can write all files or none.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { generate, loadContext } from '@graphql-codegen/cli';

/**
 * Generates the files of `codegen.yml` in the current folder. Throws an error if schema or operations have one.
 * @returns {Promise<{ count: number, write: () => number }>} the number of files, and a function that writes the changed
 *   ones, deletes those of removed operations, and returns how many it has written or deleted
 */
export async function generateFiles() {
  const context = await loadContext('codegen.yml');
  context.updateConfig({ silent: true, errorsOnly: true });
  const files = await generate(context, false);
  const folders = Object.keys(context.getConfig().generates).filter(path => path.endsWith('/'));
  return {
    count: files.length,
    write: () => files.filter(writeIfChanged).length + removeStale(files, folders),
  };
}

/** Leaves unchanged files alone, so that build tools do not process them again. */
function writeIfChanged({ filename, content }) {
  if (existsSync(filename) && readFileSync(filename, 'utf8') === content) return false;
  mkdirSync(dirname(filename), { recursive: true });
  writeFileSync(filename, content);
  return true;
}

function removeStale(files, folders) {
  const names = files.map(({ filename }) => filename);
  const stale = folders.flatMap(folder => staleFiles(folder, names));
  for (const path of stale) rmSync(path);
  return stale.length;
}

/**
 * Returns the files in a folder of generated code that no operation generates.
 * @param {string} folder
 * @param {readonly string[]} generated
 */
export function staleFiles(folder, generated) {
  const current = new Set(generated.map(name => resolve(name)));
  const existing = existsSync(folder) ? readdirSync(folder) : [];
  return existing.map(name => join(folder, name)).filter(path => !current.has(resolve(path)));
}
