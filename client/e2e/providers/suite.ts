import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, expect, type Page, test as base } from '@playwright/test';
import { type CommandResult, freePort, run, startServer } from '../../../.scripts/lib/processes.mjs';
import { watch } from '../fixtures';
import {
  chooseFromSession,
  expectNotice,
  expectSignedIn,
  fullNames,
  type Name,
  openSeparateTab,
  renewSession,
} from '../people';
import { waypostBinary } from '../servers';
import type { IdentityProvider } from './provider';

interface Installation {
  provider: IdentityProvider;
  origin: string;
  /** Expects another audience. */
  strict: string;
  doctor: () => Promise<CommandResult>;
}

interface Fixtures {
  installation: Installation;
  settings: Readonly<Record<string, string>>;
}

export const inThisTab = /^Sign in with .+(?<!new window)$/;
export const inWindow = /in a new window$/;

export function testsWith(startProvider: (origins: readonly string[]) => Promise<IdentityProvider>) {
  return base.extend<object, Fixtures>({
    settings: [{}, { option: true, scope: 'worker' }],
    installation: [
      async ({ settings }, use) => {
        const ports = [await freePort(), await freePort()] as const;
        const [origin, strict] = [`http://localhost:${ports[0]}`, `http://localhost:${ports[1]}`];
        const provider = await startProvider([origin, strict]);
        const folder = mkdtempSync(join(tmpdir(), 'waypost-provider-'));
        const environment = (port: number, extra: Readonly<Record<string, string>>) => ({
          PORT: String(port),
          WAYPOST_DATA: join(folder, String(port)),
          WAYPOST_SAMPLE: 'tours',
          WAYPOST_OIDC_ROLES_WORKSPACE: 'acme',
          ...provider.settings,
          ...extra,
        });
        const defaults = environment(ports[0], settings);
        const running = [
          await startServer(waypostBinary(), [], { env: defaults, url: `${origin}/readyz` }),
          await startServer(waypostBinary(), [], {
            env: environment(ports[1], provider.otherAudience),
            url: `${strict}/readyz`,
          }),
        ];
        const doctor = () =>
          run(waypostBinary(), ['doctor', 'oidc', '--json'], {
            env: { ...defaults, WAYPOST_PUBLIC_URL: origin },
            output: 'stdout',
          });
        await use({ provider, origin, strict, doctor });
        await Promise.all(running.map(server => server.stop()));
        await provider.stop();
        rmSync(folder, { recursive: true, force: true });
      },
      { scope: 'worker' },
    ],
    baseURL: async ({ installation }, use) => use(installation.origin),
    page: async ({ page }, use) => watch(page, use),
  });
}

export type ProviderTest = ReturnType<typeof testsWith>;

export function testProvider(test: ProviderTest): void {
  test('a full-page sign-in returns to the page, with the role from the provider', async ({ page, installation }) => {
    await signInAt(page, installation.provider, 'author', '/workspaces?from=mail');
    await expect(page).toHaveURL('/workspaces?from=mail');
    await page.goto('/w/acme/members');
    await expect(page.getByRole('main')).toContainText(fullNames.author);
    await expect(page.getByRole('button', { name: /Your role: author$/ })).toBeVisible();
  });

  test('a sign-in in a window keeps the page', async ({ page, installation }) => {
    await page.goto('/workspaces');
    await page.evaluate(() => document.body.setAttribute('data-kept', ''));
    const opened = page.waitForEvent('popup');
    await page.getByRole('button', { name: inWindow }).click();
    await installation.provider.enterPassword(await opened, 'viewer');
    await expectSignedIn(page, 'viewer');
    await expect(page.locator('body')).toHaveAttribute('data-kept', '');
  });

  test('a hidden frame renews with one authorization request and one token request', async ({
    page,
    context,
    installation,
  }) => {
    await signInAt(page, installation.provider, 'publisher');
    const requests = requestsOf(context, installation.provider);
    await renewSession(page, 'Renew session in hidden frame');
    await expectNotice(page, 'Session renewed in a hidden frame.');
    expect(requests.find(({ method, frame }) => frame && method === 'GET')?.url).toContain('prompt=none');
    expect(requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
    await expectServed(page);
  });

  test('a refresh token renews with one request, and its replacement renews again', async ({
    page,
    context,
    installation,
  }) => {
    await signInAt(page, installation.provider, 'admin');
    const requests = requestsOf(context, installation.provider);
    for (const times of [1, 2]) {
      const response = page.waitForResponse(
        each => each.request().method() === 'POST' && isAt(each.url(), installation.provider),
      );
      await renewSession(page, 'Renew session with refresh token');
      expect((await response).status()).toBe(200);
      await expect(page.getByRole('menu')).toHaveCount(0);
      await expectNotice(page, 'Session renewed with the refresh token.');
      expect(requests.filter(({ method }) => method !== 'OPTIONS')).toHaveLength(times);
    }
    await expectServed(page);
  });

  test('signing out ends the session in this tab, in other tabs and at the provider', async ({
    page,
    context,
    installation,
  }) => {
    await signInAt(page, installation.provider, 'viewer');
    // From the provider's session, without an error message.
    const separate = await openSeparateTab(context);
    await separate.goto('/workspaces');
    const { continueInNewTab } = installation.provider;
    if (continueInNewTab !== null) {
      await expect(separate.getByRole('heading', { name: 'Sign in to Waypost' })).toBeVisible();
      await expect(separate.getByRole('alert')).toHaveCount(0);
      await separate.getByRole('button', { name: inThisTab }).click();
      await continueInNewTab(separate);
    }
    await expectSignedIn(separate, 'viewer');
    await separate.close();
    // From the first tab, without a click.
    const other = await context.newPage();
    await other.goto('/workspaces');
    await expectSignedIn(other, 'viewer');
    await chooseFromSession(page, 'Sign out');
    await installation.provider.confirmSignOut(page);
    await expect(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible();
    await expect(other.getByRole('heading', { name: 'Sign in to Waypost' })).toBeVisible();
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain('access_token');
    // The provider requires the password again.
    await page.goto('/workspaces');
    await page.getByRole('button', { name: inThisTab }).click();
    await installation.provider.enterPassword(page, 'author');
    await expectSignedIn(page, 'author');
  });

  test('a token for another audience is rejected with a message and without endless retries', async ({
    page,
    context,
    installation,
  }) => {
    const { provider, strict } = installation;
    await page.goto(`${strict}/workspaces`);
    await page.getByRole('button', { name: inThisTab }).click();
    const requests = requestsOf(context, provider);
    const rejections: string[] = [];
    page.on('response', response => {
      if (response.url() !== `${strict}/graphql` || response.status() !== 401) return;
      rejections.push(response.headers()['www-authenticate'] ?? '');
    });
    await provider.enterPassword(page, 'viewer');
    const alert = page.getByRole('alert').filter({ hasText: 'Your sign-in isn’t accepted here' });
    await expect(alert.first()).toContainText('issued for another service');
    await page.waitForLoadState('networkidle');
    expect(rejections[0]).toMatch(/invalid_token.*issued for/);
    expect(rejections.length).toBeLessThanOrEqual(8);
    expect(requests.filter(({ method }) => method === 'POST').length).toBeLessThanOrEqual(4);
  });

  test('tokens with a new signing key are accepted, in the same session and in the next', async ({
    page,
    browser,
    installation,
  }) => {
    await signInAt(page, installation.provider, 'publisher');
    await installation.provider.rotateKeys();
    await renewSession(page, 'Renew session with refresh token');
    await expectNotice(page, 'Session renewed with the refresh token.');
    await expectServed(page);
    const next = await browser.newPage({ baseURL: installation.origin });
    await signInAt(next, installation.provider, 'author');
    await expectServed(next);
    await next.close();
  });

  test('the doctor finds no problems', async ({ installation }) => {
    const { code, output } = await installation.doctor();
    const report = JSON.parse(output) as { reports: { findings: { level: string; message: string }[] }[] };
    const problems = report.reports[0]?.findings.filter(({ level }) => level === 'problem');
    expect(problems).toEqual([]);
    expect(code).toBe(0);
  });
}

export async function signInAt(
  page: Page,
  provider: IdentityProvider,
  name: Name,
  path = '/workspaces',
): Promise<void> {
  await page.goto(path);
  await page.getByRole('button', { name: inThisTab }).click();
  await provider.enterPassword(page, name);
  await expectSignedIn(page, name);
}

interface ProviderRequest {
  method: string;
  url: string;
  frame: boolean;
}

function requestsOf(context: BrowserContext, provider: IdentityProvider): ProviderRequest[] {
  const requests: ProviderRequest[] = [];
  context.on('request', request => {
    if (!isAt(request.url(), provider) || request.url().includes('/.well-known/')) return;
    const frame = request.isNavigationRequest() && request.frame().parentFrame() !== null;
    requests.push({ method: request.method(), url: request.url(), frame });
  });
  return requests;
}

/** Reloads all data. */
async function expectServed(page: Page): Promise<void> {
  await page.reload();
  await expect(page.getByRole('link', { name: /Acme/ }).first()).toBeVisible();
}

function isAt(url: string, provider: IdentityProvider): boolean {
  return new URL(url).origin === new URL(provider.issuer).origin;
}
