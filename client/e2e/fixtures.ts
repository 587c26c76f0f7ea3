/** Server and provider per file; a page fails on uncaught errors and violations of the Content-Security-Policy. */
import { type Page, test as base } from '@playwright/test';
import { type Options, startWaypost, type Waypost } from './servers';

interface Fixtures {
  /** `waypost-frame` has no refresh token. `waypost-secret` needs the relay. */
  clientId: 'waypost' | 'waypost-frame' | 'waypost-secret';
  otherProvider: string | null;
  settings: Readonly<Record<string, string>>;
  waypost: Waypost;
}

interface WorkerFixtures {
  /** A worker has one at a time. */
  serverOf: (file: string, options: Options) => Promise<Waypost>;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  clientId: ['waypost', { option: true }],
  otherProvider: [null, { option: true }],
  settings: [{}, { option: true }],
  serverOf: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures from here
    async ({}, use) => {
      let current: { key: string; waypost: Waypost } | null = null;
      await use(async (file, options) => {
        const key = JSON.stringify([file, options]);
        if (current?.key !== key) {
          await current?.waypost.stop();
          current = null;
          current = { key, waypost: await startWaypost(options) };
        }
        return current.waypost;
      });
      await (current as { waypost: Waypost } | null)?.waypost.stop();
    },
    { scope: 'worker' },
  ],
  waypost: async ({ serverOf, clientId, otherProvider, settings }, use, { file }) => {
    await use(await serverOf(file, { clientId, otherProvider, settings }));
  },
  baseURL: async ({ waypost }, use) => {
    await use(waypost.origin);
  },
  page: async ({ page }, use) => watch(page, use),
});

export async function watch(page: Page, use: (page: Page) => Promise<void>): Promise<void> {
  const errors: string[] = [];
  page.on('pageerror', error => errors.push(String(error)));
  page.on('console', message => {
    if (/Content.Security.Policy/i.test(message.text())) errors.push(message.text());
  });
  await use(page);
  base.expect(errors, 'errors of the page').toEqual([]);
}

export { expect } from '@playwright/test';
