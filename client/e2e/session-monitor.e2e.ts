/**
 * A provider's session that is watched (OpenID Connect Session Management), at Debian's glewlwyd behind a proxy. Its frame
 * answers pages whose address contains its own, and may not be framed as it comes: so Waypost is below its name, and the
 * proxy lets Waypost's pages frame that one address.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, expect, type Page, test as base } from '@playwright/test';
import { watch } from './fixtures';
import { expectSignedIn } from './people';
import { type Ended, freePort, run, start } from './processes';
import { startFront } from './providers/front';
import { startGlewlwyd } from './providers/glewlwyd';
import type { IdentityProvider } from './providers/provider';
import { inThisTab, signInAt } from './providers/suite';
import { waypostBinary } from './servers';

const WATCHED = '/api/oidc/check_session_iframe';

interface Installation {
  provider: IdentityProvider;
  /** Where people find the provider. */
  login: string;
  /** Where people find Waypost. */
  tours: string;
  /** Looks at the provider, with these settings. */
  doctor: () => Promise<Ended>;
  /** Whether the proxy lets Waypost frame the watching page. */
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
          dress: (path, headers) => {
            if (path !== WATCHED || !allowed) return;
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
        WAYPOST_SAMPLE: '1',
        ...provider.settings,
        WAYPOST_OIDC_MONITOR: '1',
      };
      const server = await start(waypostBinary(), [], environment, `http://localhost:${own}/readyz`);
      await use({
        provider,
        login,
        tours,
        doctor: () => run(waypostBinary(), ['doctor', 'oidc', '--json'], environment),
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

test('who signs out at the provider is signed out in each open tab of Waypost, without a reload', async ({
  page,
  context,
  installation,
}) => {
  const { provider, login } = installation;
  const looks = looksOf(context, login);
  await signInAt(page, provider, 'viewer');
  // The frame looks every two seconds, and as long as the session is there nothing happens.
  await expect.poll(() => looks.filter(status => status === 200).length, { timeout: 30_000 }).toBeGreaterThan(2);
  await expectSignedIn(page, 'viewer');
  const other = await context.newPage();
  await other.goto('/workspaces');
  await other.getByRole('button', { name: inThisTab }).click();
  await provider.continueInNewTab?.(other);
  await expectSignedIn(other, 'viewer');

  await endSession(await context.newPage(), login);
  for (const tab of [page, other]) {
    await expect(tab.getByRole('heading', { name: 'Sign in to Waypost' })).toBeVisible();
    expect(await tab.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain('access_token');
  }
});

test('the doctor says whether the frame may be framed', async ({ installation }) => {
  expect(await found(installation)).toMatchObject({ level: 'ok' });
  installation.allow(false);
  const refused = await found(installation);
  installation.allow(true);
  expect(refused).toMatchObject({ level: 'warning' });
  expect(refused?.says).toContain('X-Frame-Options');
  expect(refused?.cure).toContain(`frame-ancestors ${installation.tours}`);
});

/** What the frame of the provider has learned about its session so far, as the statuses of its requests. */
function looksOf(context: BrowserContext, login: string): number[] {
  const statuses: number[] = [];
  context.on('response', response => {
    if (response.url() === `${login}/api/profile_list/`) statuses.push(response.status());
  });
  return statuses;
}

/** Signs out on a page of the provider's own, which knows nothing of Waypost. */
async function endSession(page: Page, login: string): Promise<void> {
  await page.goto(`${login}/profile.html`);
  // A button without a word.
  await page.locator('button:has(.fa-sign-out-alt)').click();
}

interface Finding {
  level: string;
  check: string;
  says: string;
  cure: string | null;
}

async function found({ doctor }: Installation): Promise<Finding | undefined> {
  const report = JSON.parse((await doctor()).printed) as { providers: { findings: Finding[] }[] };
  return report.providers[0]?.findings.find(({ check }) => check === 'monitor');
}
