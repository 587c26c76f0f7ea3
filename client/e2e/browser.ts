/** Path of the browser under test: `CHROMIUM_PATH`, which `npm test` sets, or else the first one on the PATH. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

export function browserPath(): string {
  const configured = process.env['CHROMIUM_PATH'];
  if (configured) return configured;
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const candidates = ['chromium', 'chromium-browser', 'google-chrome'].flatMap(name =>
    folders.map(folder => join(folder, name)),
  );
  const found = candidates.find(isProgram);
  if (found) return found;
  throw new Error(
    'The browser tests need Chromium or Chrome. Install one (Debian: apt-get install chromium), or set CHROMIUM_PATH.',
  );
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
