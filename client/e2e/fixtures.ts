/**
 * Fixtures of all end-to-end tests: a Waypost server and an identity provider per file, and a page that fails the test on
 * uncaught errors and on violations of the Content-Security-Policy.
 */
import { type Page, test as base } from '@playwright/test';
import { startWaypost, type Waypost } from './servers';

interface WorkerFixtures {
  /**
   * `waypost` renews with a refresh token. `waypost-frame` gets no refresh token and renews in a hidden frame.
   * `waypost-secret` requires the token relay.
   */
  clientId: 'waypost' | 'waypost-frame' | 'waypost-secret';
  /** Name of a second identity provider, or null. */
  otherProvider: string | null;
  /** Additional settings of the server, as environment variables. */
  settings: Readonly<Record<string, string>>;
  waypost: Waypost;
}

export const test = base.extend<object, WorkerFixtures>({
  clientId: ['waypost', { option: true, scope: 'worker' }],
  otherProvider: [null, { option: true, scope: 'worker' }],
  settings: [{}, { option: true, scope: 'worker' }],
  waypost: [
    async ({ clientId, otherProvider, settings }, use) => {
      const waypost = await startWaypost({ clientId, otherProvider, settings });
      await use(waypost);
      await waypost.stop();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ waypost }, use) => {
    await use(waypost.origin);
  },
  page: async ({ page }, use) => watch(page, use),
});

/** Fails the test on uncaught errors and on violations of the Content-Security-Policy. */
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
