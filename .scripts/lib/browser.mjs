// Finds the browser of the end-to-end tests, and installs Debian's package if there is none.

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { output, run, UserError } from './processes.mjs';

/** Programs on the PATH. The headless shell is preferred because it takes a third less CPU time than the whole browser. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
];

const OTHER_PATHS = [
  '/snap/bin/chromium',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/**
 * Returns the path of a Chromium or Chrome: the one that `CHROMIUM_PATH` names, or an installed one.
 * @returns {string}
 */
export function findBrowser() {
  const named = process.env['CHROMIUM_PATH'];
  if (named) {
    if (isProgram(named)) return named;
    throw new UserError(`CHROMIUM_PATH is ${named}, which is not a program.`);
  }
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const candidates = [...NAMES.flatMap(name => folders.map(folder => join(folder, name))), ...OTHER_PATHS];
  const found = candidates.find(isProgram);
  if (found) return found;
  throw new UserError(
    'The browser tests need Chromium or Chrome. Install it (Debian: apt-get install chromium), or set CHROMIUM_PATH.',
  );
}

/** Like `findBrowser`, but installs Debian's package if root runs the tests and there is no browser. */
export async function requireBrowser() {
  try {
    return findBrowser();
  } catch (error) {
    if (process.env['CHROMIUM_PATH'] || process.getuid?.() !== 0 || output('apt-get', ['--version']) === null)
      throw error;
  }
  console.log('No browser found: installing Debian’s package chromium');
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  await run('apt-get', ['update', '--quiet'], { env });
  const packages = ['chromium', 'fonts-liberation'];
  await run('apt-get', ['install', '--quiet', '--yes', '--no-install-recommends', ...packages], { env });
  return findBrowser();
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
