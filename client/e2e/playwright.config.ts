/** Configuration of the end-to-end tests: a system browser, the built server and real identity providers, on loopback. */
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { findTestBrowser } from '../../.scripts/lib/browser.mjs';

export default defineConfig({
  testDir: '.',
  testMatch: '*.e2e.ts',
  outputDir: '../../test-results',
  timeout: 60_000,
  expect: {
    timeout: 15_000,
    toHaveScreenshot: {
      pathTemplate: '{testDir}/baselines/{arg}{ext}',
      stylePath: join(import.meta.dirname, 'baselines.css'),
      // Baselines have 256 colors, whose error is below `threshold`. A real change affects more pixels than this limit.
      threshold: 0.15,
      maxDiffPixels: 40,
    },
  },
  // A missing baseline is a failure. Only `npm run test:baselines` writes baselines.
  updateSnapshots: 'none',
  // Twice the cores of CI: a test waits for the page or the server for a third of its time.
  workers: 4,
  fullyParallel: false,
  forbidOnly: process.env['CI'] !== undefined,
  reporter: 'list',
  use: {
    actionTimeout: 20_000,
    // Only the offline tests allow a service worker, because it would respond to requests that other tests intercept.
    serviceWorkers: 'block',
    // Recording a trace costs a third of a test's time: `npm test -- browser NAME --trace on` records one when it is needed.
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
