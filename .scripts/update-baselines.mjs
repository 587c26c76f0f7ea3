// Updates the screenshots in client/e2e/baselines/ that differ, or all of them if the version of Chromium has changed.
// The client and the server (WAYPOST_BINARY) must be built.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findTestBrowser, requireBrowsers } from './lib/browser.mjs';
import { toPalette } from './lib/palette-png.mjs';
import { exitWithError, output, ROOT, run } from './lib/processes.mjs';

const folder = join(ROOT, 'client/e2e/baselines');
const versionFile = join(folder, 'chromium.txt');

try {
  await requireBrowsers();
  const major = /(\d+)\./.exec(output(findTestBrowser(), ['--version']) ?? '')?.[1] ?? '';
  mkdirSync(folder, { recursive: true });
  const same = existsSync(versionFile) && readFileSync(versionFile, 'utf8').trim() === major;
  writeFileSync(versionFile, `${major}\n`);
  const update = `--update-snapshots=${same ? 'changed' : 'all'}`;
  const config = ['--config', 'client/e2e/playwright.config.ts'];
  const args = ['node_modules/@playwright/test/cli.js', 'test', ...config, 'looks', update];
  const { code } = await run(process.execPath, args);
  for (const name of readdirSync(folder).filter(each => each.endsWith('.png'))) {
    const file = join(folder, name);
    writeFileSync(file, toPalette(readFileSync(file)));
  }
  process.exitCode = code;
} catch (error) {
  exitWithError(error);
}
