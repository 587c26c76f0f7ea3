// Audits the list of tours with Lighthouse's desktop and phone settings. Fails if a score is below its minimum. The
// first run installs Lighthouse, which has 200 dependencies, into target/.

import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describeMachine } from '../../server/traitql/bench/run/machine.mjs';
import { median, table } from '../../server/traitql/bench/run/tables.mjs';
import { requireBrowsers } from './browser.mjs';
import { buildClient, buildServer } from './build.mjs';
import { startProvider, startWaypost } from './development.mjs';
import { exitWithError, freePort, ROOT, runOrFail } from './processes.mjs';
import { requireCompilers } from './requirements.mjs';

const VERSION = '13.5.0';

const ROUNDS = 3;

/** Minimum scores, of 100, by device and category. */
const MIN_SCORES = {
  desktop: { performance: 95, accessibility: 100, 'best-practices': 100 },
  phone: { performance: 90, accessibility: 100, 'best-practices': 100 },
};

const tools = join(ROOT, 'target/lighthouse');
const folder = mkdtempSync(join(tmpdir(), 'waypost-lighthouse-'));
const running = [];
let browser = null;
try {
  const executablePath = await requireBrowsers();
  const { lighthouse, desktop, puppeteer } = await loadLighthouse();
  await buildClient();
  const configured = process.env['WAYPOST_BINARY'];
  if (!configured) await requireCompilers('npm run bench:lighthouse');
  const program = configured ?? (await buildServer('release'));
  const [port, providerPort] = [await freePort(), await freePort()];
  const origin = `http://localhost:${port}`;
  running.push(await startProvider({ port: providerPort, origins: [origin], folder }));
  running.push(
    await startWaypost({ program, port, providerPort, data: join(folder, 'data'), extra: { WAYPOST_LOG: 'error' } }),
  );
  browser = await puppeteer.launch({ executablePath, args: ['--no-sandbox', '--lang=en'] });
  const page = await browser.newPage();
  const url = `${origin}/w/acme/tours`;
  await signIn(page, url);

  const rows = [];
  const advice = [];
  for (const [device, minimum] of Object.entries(MIN_SCORES)) {
    const results = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const options = { onlyCategories: Object.keys(minimum), disableStorageReset: true, logLevel: 'error' };
      results.push((await lighthouse(url, options, device === 'desktop' ? desktop : undefined, page)).lhr);
    }
    const scores = Object.keys(minimum).map(name =>
      Math.round(median(results.map(each => 100 * each.categories[name].score))),
    );
    const missed = Object.values(minimum).some((score, index) => scores[index] < score);
    if (missed) process.exitCode = 1;
    const times = ['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time'];
    rows.push([
      device,
      ...scores.map(String),
      ...times.map(id => String(Math.round(median(results.map(each => each.audits[id].numericValue))))),
      missed ? `below ${Object.values(minimum).join(' / ')}` : 'passed',
    ]);
    advice.push(...failedAudits(results[0]).map(each => `${device}: ${each}`));
  }
  const head = [
    '/w/acme/tours',
    'performance',
    'accessibility',
    'best practices',
    'first paint ms',
    'largest paint ms',
    'blocked ms',
    'result',
  ];
  console.log(
    `\n${describeMachine()}\nLighthouse ${VERSION}, the median of ${ROUNDS}\n\n${table([head, ...rows], [head.length - 1])}\n`,
  );
  for (const line of advice) console.log(line);
} catch (error) {
  process.exitCode = 1;
  await stopAll();
  exitWithError(error);
}
await stopAll();

async function stopAll() {
  await browser?.close();
  for (const service of running.toReversed()) await service.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function loadLighthouse() {
  const modules = join(tools, 'node_modules');
  if (!existsSync(join(modules, 'lighthouse'))) {
    mkdirSync(tools, { recursive: true });
    writeFileSync(join(tools, 'package.json'), '{ "private": true }\n');
    const args = ['install', '--prefix', tools, '--ignore-scripts', '--no-audit', '--no-fund', `lighthouse@${VERSION}`];
    await runOrFail('Installing Lighthouse', 'npm', args);
  }
  const from = path => import(pathToFileURL(join(modules, path)).href);
  // Resolved through its package.json, because its version, and with it its entry point, is not fixed here.
  const puppeteer = createRequire(join(tools, 'package.json')).resolve('puppeteer-core');
  return {
    lighthouse: (await from('lighthouse/core/index.js')).default,
    desktop: (await from('lighthouse/core/config/desktop-config.js')).default,
    puppeteer: (await import(pathToFileURL(puppeteer).href)).default,
  };
}

/** The session remains for the audits. */
async function signIn(page, url) {
  await page.goto(url);
  await page.locator('main button').click();
  await page.locator('::-p-aria([name="Name"][role="textbox"])').fill('admin');
  await page.locator('input[type="password"]').fill('admin');
  await page.locator('::-p-aria([name="Sign in"][role="button"])').click();
  const dismissed = page.waitForResponse(response => (response.request().postData() ?? '').includes('RUN_DISMISSED'));
  await page.locator('.wp-popover .introjs-skipbutton').click();
  await dismissed;
}

function failedAudits({ categories, audits }) {
  const scored = Object.values(categories).flatMap(({ auditRefs }) => auditRefs.filter(({ weight }) => weight > 0));
  return scored
    .map(({ id }) => audits[id])
    .filter(({ score }) => score !== null && score < 0.9)
    .map(({ title, displayValue }) => [title, displayValue].filter(Boolean).join(': '));
}
