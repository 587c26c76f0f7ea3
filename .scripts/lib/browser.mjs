import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installDebianPackages } from './debian.mjs';
import { UserError } from './processes.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'];

const FIREFOX = ['firefox-esr', 'firefox'];

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
  const found = findOnPath(NAMES) ?? OTHER_PATHS.find(isExecutable);
  if (found) return found;
  throw new UserError(
    'The browser tests require Chromium or Chrome. Install one (Debian: apt-get install chromium), or set CHROMIUM_PATH.',
  );
}

/**
 * Returns the path of the headless shell of Chromium, which needs about a third less processor time than the browser
 * with its windows, or of that browser if the shell is not installed.
 * @returns {string}
 */
export function findTestBrowser() {
  return findHeadlessShell() ?? findBrowser();
}

export function findHeadlessShell() {
  if (process.env['CHROMIUM_PATH']) return null;
  return findOnPath(['chromium-headless-shell']);
}

/**
 * Returns the path of Firefox.
 * @returns {string}
 */
export function findFirefox() {
  const found = findOnPath(FIREFOX);
  if (found) return found;
  throw new UserError('The browser tests require Firefox (Debian: apt-get install firefox-esr).');
}

/** Programs of the browser tests, and Debian's packages with them. WebKitGTK needs the display of Xvfb. */
const PACKAGES = [
  { programs: NAMES, packages: ['chromium', 'fonts-liberation'] },
  { programs: ['chromium-headless-shell'], packages: ['chromium-headless-shell'] },
  { programs: FIREFOX, packages: ['firefox-esr'] },
  { programs: ['WebKitWebDriver'], packages: ['webkit2gtk-driver'] },
  { programs: ['Xvfb'], packages: ['xvfb'] },
];

/** Installs Debian's packages of missing browsers if the process runs as root. */
export async function requireBrowsers() {
  const missing = PACKAGES.filter(({ programs }) => findOnPath(programs) === null).flatMap(({ packages }) => packages);
  if (missing.length > 0 && !process.env['CHROMIUM_PATH']) await installDebianPackages(missing);
  return findBrowser();
}

function findOnPath(names) {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return names.flatMap(name => folders.map(folder => join(folder, name))).find(isExecutable) ?? null;
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
