/** The browser that the tests drive. `npm test` finds one and names it; run alone, the tests look on the path. */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

export function browserPath(): string {
  const named = process.env['CHROMIUM_PATH'];
  if (named) return named;
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const candidates = ['chromium', 'chromium-browser', 'google-chrome'].flatMap(name =>
    folders.map(folder => join(folder, name)),
  );
  const found = candidates.find(isProgram);
  if (found) return found;
  throw new Error(
    'The browser tests need Chromium or Chrome. Install one (Debian: apt-get install chromium), or name it by CHROMIUM_PATH.',
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
