/** End-to-end tests: a system browser, the release binary and the real identity provider, on free loopback ports. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { browserPath } from './browser';

export default defineConfig({
  testDir: '.',
  // A project each, so that each file has workers, and with them servers, of its own: what one leaves behind is in no other's way.
  projects: readdirSync(import.meta.dirname)
    .filter(name => name.endsWith('.e2e.ts'))
    .toSorted()
    .map(name => ({ name: name.replace('.e2e.ts', ''), testMatch: `**/${name}` })),
  outputDir: '../../test-results',
  timeout: 60_000,
  expect: {
    timeout: 15_000,
    toHaveScreenshot: {
      pathTemplate: '{testDir}/baselines/{arg}{ext}',
      stylePath: join(import.meta.dirname, 'baselines.css'),
      // The 256 colours of a kept picture differ by less than `threshold`, and fewer pixels than a letter has are nobody's change.
      threshold: 0.15,
      maxDiffPixels: 40,
    },
  },
  // A picture that is missing is a failure, and none is written but by `npm run looks:renew`.
  updateSnapshots: 'none',
  workers: 2,
  fullyParallel: false,
  forbidOnly: process.env['CI'] !== undefined,
  reporter: 'list',
  use: {
    actionTimeout: 20_000,
    // Only the tests of the service worker have one: it would answer what other tests answer by hand.
    serviceWorkers: 'block',
    // Recording a trace costs a third of a test's time: `npm test -- browser NAME --trace on` records one when it is needed.
    trace: 'off',
    screenshot: 'only-on-failure',
    viewport: { width: 1280, height: 860 },
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    launchOptions: {
      executablePath: browserPath(),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--font-render-hinting=none',
      ],
    },
  },
});
