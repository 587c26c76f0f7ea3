/**
 * What must work with every identity provider, as a test of each: the three flows, both renewals, signing out, tokens
 * that are for somebody else, and a new key.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, expect, type Page, test as base } from '@playwright/test';
import { watch } from '../fixtures';
import { chooseFromSession, expectNotice, expectSignedIn, fullNames, type Name } from '../people';
import { type Ended, freePort, run, start } from '../processes';
import { waypostBinary } from '../servers';
import type { IdentityProvider } from './provider';

interface Installation {
  provider: IdentityProvider;
  /** Where Waypost is. */
  origin: string;
  /** Where a Waypost is that wants tokens for somebody else. */
  strict: string;
  doctor: () => Promise<Ended>;
}

interface Fixtures {
  installation: Installation;
  /** Further settings of the server. */
  settings: Readonly<Record<string, string>>;
}

export const inThisTab = /^Sign in with .+(?<!new window)$/;
export const inWindow = /in a new window$/;

/** The start of a provider, as the tests of it. */
export function testsWith(begin: (origins: readonly string[]) => Promise<IdentityProvider>) {
  return base.extend<object, Fixtures>({
    settings: [{}, { option: true, scope: 'worker' }],
    installation: [
      async ({ settings }, use) => {
        const ports = [await freePort(), await freePort()] as const;
        const [origin, strict] = [`http://localhost:${ports[0]}`, `http://localhost:${ports[1]}`];
        const provider = await begin([origin, strict]);
        const folder = mkdtempSync(join(tmpdir(), 'waypost-provider-'));
        const environment = (port: number, further: Readonly<Record<string, string>>) => ({
          PORT: String(port),
          WAYPOST_DATA: join(folder, String(port)),
          WAYPOST_SAMPLE: '1',
          WAYPOST_OIDC_ROLES_WORKSPACE: 'acme',
          ...provider.settings,
          ...further,
        });
        const usual = environment(ports[0], settings);
        const running = [
          await start(waypostBinary(), [], usual, `${origin}/readyz`),
          await start(waypostBinary(), [], environment(ports[1], provider.otherAudience), `${strict}/readyz`),
        ];
        const doctor = () =>
          run(waypostBinary(), ['doctor', 'oidc', '--json'], { ...usual, WAYPOST_PUBLIC_URL: origin });
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

/** The tests that every provider has. */
export function testProvider(test: ProviderTest): void {
  test('the full-page sign-in leads back, with the role that the provider gives', async ({ page, installation }) => {
    await signInAt(page, installation.provider, 'author', '/workspaces?from=mail');
    await expect(page).toHaveURL('/workspaces?from=mail');
    await page.goto('/w/acme/members');
    await expect(page.getByRole('main')).toContainText(fullNames.author);
    await expect(page.getByRole('button', { name: /Your role: author$/ })).toBeVisible();
  });

  test('a window signs in, and the page stays', async ({ page, installation }) => {
    await page.goto('/workspaces');
    await page.evaluate(() => document.body.setAttribute('data-kept', ''));
    const opened = page.waitForEvent('popup');
    await page.getByRole('button', { name: inWindow }).click();
    await installation.provider.enterPassword(await opened, 'viewer');
    await expectSignedIn(page, 'viewer');
    await expect(page.locator('body')).toHaveAttribute('data-kept', '');
  });

  test('a hidden frame renews, by one page and one request for tokens', async ({ page, context, installation }) => {
    await signInAt(page, installation.provider, 'publisher');
    const asked = requestsOf(context, installation.provider);
    await chooseFromSession(page, 'Renew session in hidden frame');
    await expectNotice(page, 'Session renewed in a hidden frame.');
    expect(asked.find(({ method, frame }) => frame && method === 'GET')?.url).toContain('prompt=none');
    expect(asked.filter(({ method }) => method === 'POST')).toHaveLength(1);
    await expectServed(page);
  });

  test('a refresh token renews by one request, and again with the one that came back', async ({
    page,
    context,
    installation,
  }) => {
    await signInAt(page, installation.provider, 'admin');
    const asked = requestsOf(context, installation.provider);
    for (const times of [1, 2]) {
      const answer = page.waitForResponse(
        response => response.request().method() === 'POST' && isAt(response.url(), installation.provider),
      );
      await chooseFromSession(page, 'Renew session with refresh token');
      expect((await answer).status()).toBe(200);
      await expect(page.getByRole('menu')).toHaveCount(0);
      await expectNotice(page, 'Session renewed with the refresh token.');
      expect(asked.filter(({ method }) => method !== 'OPTIONS')).toHaveLength(times);
    }
    await expectServed(page);
  });

  test('signing out ends the session here, in the other tab and at the provider', async ({
    page,
    context,
    installation,
  }) => {
    await signInAt(page, installation.provider, 'viewer');
    const other = await context.newPage();
    await other.goto('/workspaces');
    // The second tab gets a session of its own from the provider's: without a click where the provider lets it, and
    // without a complaint where it does not.
    const { continueInNewTab } = installation.provider;
    if (continueInNewTab !== null) {
      await expect(other.getByRole('heading', { name: 'Sign in to Waypost' })).toBeVisible();
      await expect(other.getByRole('alert')).toHaveCount(0);
      await other.getByRole('button', { name: inThisTab }).click();
      await continueInNewTab(other);
    }
    await expectSignedIn(other, 'viewer');
    await chooseFromSession(page, 'Sign out');
    await installation.provider.confirmSignOut(page);
    await expect(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible();
    await expect(other.getByRole('heading', { name: 'Sign in to Waypost' })).toBeVisible();
    expect(await page.evaluate(() => JSON.stringify({ ...sessionStorage }))).not.toContain('access_token');
    // The provider asks again, whoever comes.
    await page.goto('/workspaces');
    await page.getByRole('button', { name: inThisTab }).click();
    await installation.provider.enterPassword(page, 'author');
    await expectSignedIn(page, 'author');
  });

  test('a token for somebody else is refused, which is said, and nothing is tried for ever', async ({
    page,
    context,
    installation,
  }) => {
    const { provider, strict } = installation;
    await page.goto(`${strict}/workspaces`);
    await page.getByRole('button', { name: inThisTab }).click();
    const asked = requestsOf(context, provider);
    const refused: string[] = [];
    page.on('response', response => {
      if (response.url() !== `${strict}/graphql` || response.status() !== 401) return;
      refused.push(response.headers()['www-authenticate'] ?? '');
    });
    await provider.enterPassword(page, 'viewer');
    const said = page.getByRole('alert').filter({ hasText: 'Your sign-in isn’t accepted here' });
    await expect(said.first()).toContainText('made for another service');
    await page.waitForLoadState('networkidle');
    expect(refused[0]).toMatch(/invalid_token.*made for/);
    expect(refused.length).toBeLessThanOrEqual(8);
    expect(asked.filter(({ method }) => method === 'POST').length).toBeLessThanOrEqual(4);
  });

  test('tokens of a new key are taken, in the same session and in the next', async ({
    page,
    browser,
    installation,
  }) => {
    await signInAt(page, installation.provider, 'publisher');
    await installation.provider.rotateKeys();
    await chooseFromSession(page, 'Renew session with refresh token');
    await expectNotice(page, 'Session renewed with the refresh token.');
    await expectServed(page);
    const next = await browser.newPage({ baseURL: installation.origin });
    await signInAt(next, installation.provider, 'author');
    await expectServed(next);
    await next.close();
  });

  test('the doctor finds nothing that keeps people out', async ({ installation }) => {
    const { code, printed } = await installation.doctor();
    const report = JSON.parse(printed) as { providers: { findings: { level: string; says: string }[] }[] };
    const problems = report.providers[0]?.findings.filter(({ level }) => level === 'problem');
    expect(problems).toEqual([]);
    expect(code).toBe(0);
  });
}

/** Opens `path` and signs in there, by a full-page redirect. */
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

interface Asked {
  method: string;
  url: string;
  /** Whether a hidden frame went there. */
  frame: boolean;
}

/** What pages ask the provider from now on. */
function requestsOf(context: BrowserContext, provider: IdentityProvider): Asked[] {
  const asked: Asked[] = [];
  context.on('request', request => {
    if (!isAt(request.url(), provider) || request.url().includes('/.well-known/')) return;
    const frame = request.isNavigationRequest() && request.frame().parentFrame() !== null;
    asked.push({ method: request.method(), url: request.url(), frame });
  });
  return asked;
}

/** The server takes the token that the page has: a reload asks it for everything again. */
async function expectServed(page: Page): Promise<void> {
  await page.reload();
  await expect(page.getByRole('link', { name: /Acme/ }).first()).toBeVisible();
}

function isAt(url: string, provider: IdentityProvider): boolean {
  return new URL(url).origin === new URL(provider.issuer).origin;
}
