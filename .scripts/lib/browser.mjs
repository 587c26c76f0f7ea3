// Finds the browser of the end-to-end tests, and installs Debian's package if there is none.

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { output, run, UserError } from './processes.mjs';

/** Programs on the PATH. Debian's chromium-headless-shell is faster, but ignores the setting that blocks third-party cookies. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'];

const OTHER_PATHS = [
  '/snap/bin/chromium',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/**
 * Returns the path of Chromium or Chrome: `CHROMIUM_PATH`, or an installed one.
 * @returns {string}
 */
export function findBrowser() {
  const configured = process.env['CHROMIUM_PATH'];
  if (configured) {
    if (isExecutable(configured)) return configured;
    throw new UserError(`CHROMIUM_PATH is ${configured}, which is not an executable file.`);
  }
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const candidates = [...NAMES.flatMap(name => folders.map(folder => join(folder, name))), ...OTHER_PATHS];
  const found = candidates.find(isExecutable);
  if (found) return found;
  throw new UserError(
    'The browser tests require Chromium or Chrome. Install one (Debian: apt-get install chromium), or set CHROMIUM_PATH.',
  );
}

/** Like `findBrowser`, but installs Debian's package if no browser is found and the process runs as root. */
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

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
