/** System browser, built server and real providers, on loopback. */
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { findTestBrowser } from '../../.scripts/lib/browser.mjs';

export default defineConfig({
  testDir: '.',
  testMatch: '*.e2e.ts',
  outputDir: '../../test-results',
  // A busy machine does not reach it.
  timeout: 180_000,
  expect: {
    timeout: 15_000,
    toHaveScreenshot: {
      pathTemplate: '{testDir}/baselines/{arg}{ext}',
      stylePath: join(import.meta.dirname, 'baselines.css'),
      // Of 256 colors. A real change affects more pixels.
      threshold: 0.15,
      maxDiffPixels: 40,
    },
  },
  // Only `npm run test:baselines` writes them.
  updateSnapshots: 'none',
  // Twice the cores of CI: a third of the time is waiting.
  workers: 4,
  fullyParallel: false,
  forbidOnly: process.env['CI'] !== undefined,
  reporter: 'list',
  use: {
    actionTimeout: 20_000,
    // It would respond to intercepted requests.
    serviceWorkers: 'block',
    // A third of a test's time: `npm test -- browser NAME --trace on` records one when it is needed.
    trace: 'off',
    screenshot: 'only-on-failure',
    viewport: { width: 1280, height: 860 },
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    launchOptions: {
      executablePath: findTestBrowser(),
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
