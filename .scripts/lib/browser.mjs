// Finds the browser of the end-to-end tests: the one that is named, else the system's, else Debian's package.

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { output, run, UserError } from './processes.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'];

const ELSEWHERE = [
  '/snap/bin/chromium',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** The path of a Chromium or Chrome. Installs Debian's package where that is possible without asking for a password. */
export async function requireBrowser() {
  const named = process.env['CHROMIUM_PATH'];
  if (named) {
    if (isProgram(named)) return named;
    throw new UserError(`CHROMIUM_PATH names ${named}, and that is no program.`);
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
    'The browser tests need Chromium or Chrome. Install one (Debian: apt-get install chromium), or name it by CHROMIUM_PATH.',
  );
}

function findBrowser() {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const candidates = [...NAMES.flatMap(name => folders.map(folder => join(folder, name))), ...ELSEWHERE];
  return candidates.find(isProgram) ?? null;
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
