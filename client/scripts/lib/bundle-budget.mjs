// How much JavaScript a first visit loads: the scripts that index.html names and the modules that they import statically.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ROOT } from './processes.mjs';

/** In kilobytes, compressed by gzip: what the client promises (README of the client). */
const BUDGET = 220;

/** The bytes of a first visit, per file, largest first. */
export function firstLoad(folder = join(ROOT, 'client/dist')) {
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  const names = [...page.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)].map(([, name]) => name);
  const seen = new Map();
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    const file = join(folder, name);
    if (seen.has(name) || !existsSync(file)) continue;
    const code = readFileSync(file, 'utf8');
    seen.set(name, gzipSync(code, { level: 9 }).length);
    const imports = code.matchAll(/(?:from|import)\s*["'](\.{1,2}\/[^"']+\.js)["']/g);
    for (const [, relative] of imports) names.push(join(dirname(name), relative));
  }
  return [...seen].toSorted(([, one], [, other]) => other - one);
}

export async function checkBundle() {
  const files = firstLoad();
  const bytes = files.reduce((sum, [, size]) => sum + size, 0);
  for (const [name, size] of files) console.log(`${(size / 1000).toFixed(1).padStart(8)} kB  ${name}`);
  console.log(`${(bytes / 1000).toFixed(1).padStart(8)} kB  on a first visit; the budget is ${BUDGET} kB`);
  if (bytes > 0 && bytes <= BUDGET * 1000) return { passed: 1, failed: 0 };
  console.error('The first visit loads too much. Load the largest part later, by import(), or leave it out.');
  return { passed: 0, failed: 1 };
}
