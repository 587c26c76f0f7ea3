// Finds the browser of the end-to-end tests: CHROMIUM_PATH, an installed one, or Debian's package.

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { output, run, UserError } from './processes.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'];

const OTHER_PATHS = [
  '/snap/bin/chromium',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Returns the path of Chromium or Chrome. Installs Debian's package if none is found and the process runs as root. */
export async function requireBrowser() {
  const configured = process.env['CHROMIUM_PATH'];
  if (configured) {
    if (isExecutable(configured)) return configured;
    throw new UserError(`CHROMIUM_PATH is ${configured}, which is not an executable file.`);
  }
  const found = findBrowser();
  if (found) return found;
  if (process.getuid?.() === 0 && output('apt-get', ['--version']) !== null) {
    console.log('No browser found: installing Debian’s package chromium');
    const env = { DEBIAN_FRONTEND: 'noninteractive' };
    await run('apt-get', ['update', '--quiet'], { env });
    await run('apt-get', ['install', '--quiet', '--yes', '--no-install-recommends', 'chromium', 'fonts-liberation'], {
      env,
    });
    const installed = findBrowser();
    if (installed) return installed;
  }
  throw new UserError(
    'The browser tests require Chromium or Chrome. Install one (Debian: apt-get install chromium), or set CHROMIUM_PATH.',
  );
}

function findBrowser() {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const candidates = [...NAMES.flatMap(name => folders.map(folder => join(folder, name))), ...OTHER_PATHS];
  return candidates.find(isExecutable) ?? null;
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
