/**
 * Glewlwyd's iframe responds only to origins that contain its own and forbids framing, so Waypost runs on a subdomain,
 * behind a proxy that allows it.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, expect, type Page, test as base } from '@playwright/test';
import { type CommandResult, freePort, run, startServer } from '../../.scripts/lib/processes.mjs';
import { watch } from './fixtures';
import { expectSignedIn } from './people';
import { startFront } from './providers/front';
import { startGlewlwyd } from './providers/glewlwyd';
import type { IdentityProvider } from './providers/provider';
import { signInAt } from './providers/suite';
import { waypostBinary } from './servers';

const CHECK_SESSION_PATH = '/api/oidc/check_session_iframe';

interface Installation {
  provider: IdentityProvider;
  login: string;
  tours: string;
  doctor: () => Promise<CommandResult>;
  allow: (allowed: boolean) => void;
}

const test = base.extend<object, { installation: Installation }>({
  installation: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures from here
    async ({}, use) => {
      const [port, inner, own] = [await freePort(), await freePort(), await freePort()] as const;
      const login = `http://login.localhost:${port}`;
      const tours = `http://tours.login.localhost:${port}`;
      let allowed = true;
      const front = await startFront(port, {
        'tours.login.localhost': { port: own },
        'login.localhost': {
          port: inner,
          rewriteHeaders: (path, headers) => {
            if (path !== CHECK_SESSION_PATH || !allowed) return;
            delete headers['x-frame-options'];
            headers['content-security-policy'] = `frame-ancestors ${tours}`;
          },
        },
      });
      const provider = await startGlewlwyd([tours], { origin: login, port: inner });
      const data = mkdtempSync(join(tmpdir(), 'waypost-monitor-'));
      const environment = {
        PORT: String(own),
        WAYPOST_PUBLIC_URL: tours,
        WAYPOST_DATA: data,
        WAYPOST_SAMPLE: 'tours',
        ...provider.settings,
        WAYPOST_OIDC_MONITOR: '1',
      };
      const server = await startServer(waypostBinary(), [], {
        env: environment,
        url: `http://localhost:${own}/readyz`,
      });
      await use({
        provider,
        login,
        tours,
        doctor: () => run(waypostBinary(), ['doctor', 'oidc', '--json'], { env: environment, output: 'stdout' }),
        allow: now => (allowed = now),
      });
      await server.stop();
      await provider.stop();
      await front.stop();
      rmSync(data, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ installation }, use) => use(installation.tours),
  page: async ({ page }, use) => watch(page, use),
});

test('signing out at the provider signs out every open Waypost tab without a reload', async ({
  page,
  context,
  installation,
}) => {
  const { provider, login } = installation;
  const statuses = sessionCheckStatuses(context, login);
  await signInAt(page, provider, 'viewer');
  // Every two seconds.
  await expect.poll(() => statuses.filter(status => status === 200).length, { timeout: 30_000 }).toBeGreaterThan(2);
  await expectSignedIn(page, 'viewer');
  const other = await context.newPage();
  await other.goto('/workspaces');
  await expectSignedIn(other, 'viewer');

  await endSession(await context.newPage(), login);
  for (const tab of [page, other]) {
    await expect(tab.getByRole('heading', { name: 'Sign in to Waypost' })).toBeVisible();
    expect(await tab.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain('access_token');
  }
});

test('the doctor reports whether Waypost may frame the check-session page', async ({ installation }) => {
  expect(await found(installation)).toMatchObject({ level: 'ok' });
  installation.allow(false);
  const refused = await found(installation);
  installation.allow(true);
  expect(refused).toMatchObject({ level: 'warning' });
  expect(refused?.message).toContain('X-Frame-Options');
  expect(refused?.fix).toContain(`frame-ancestors ${installation.tours}`);
});

function sessionCheckStatuses(context: BrowserContext, login: string): number[] {
  const statuses: number[] = [];
  context.on('response', response => {
    if (response.url() === `${login}/api/profile_list/`) statuses.push(response.status());
  });
  return statuses;
}

/** The page is independent of Waypost. */
async function endSession(page: Page, login: string): Promise<void> {
  await page.goto(`${login}/profile.html`);
  // The button has an icon only.
  await page.locator('button:has(.fa-sign-out-alt)').click();
}

interface Finding {
  level: string;
  check: string;
  message: string;
  fix: string | null;
}

async function found({ doctor }: Installation): Promise<Finding | undefined> {
  const report = JSON.parse((await doctor()).output) as { reports: { findings: Finding[] }[] };
  return report.reports[0]?.findings.find(({ check }) => check === 'monitor');
}
