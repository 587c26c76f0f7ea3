/**
 * What every end-to-end test gets: a Waypost and an identity provider for its file, and a page that fails the test
 * when the page throws or when the Content-Security-Policy stops something.
 */
import { type Page, test as base } from '@playwright/test';
import { startWaypost, type Waypost } from './servers';

interface WorkerFixtures {
  /**
   * `waypost` renews by refresh token, `waypost-frame` gets none and renews in a hidden frame, `waypost-secret` needs the
   * token relay.
   */
  clientId: 'waypost' | 'waypost-frame' | 'waypost-secret';
  /** The name of a second identity provider, or null. */
  otherProvider: string | null;
  /** Further settings of the server, as environment variables. */
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

/** Fails the test when the page throws, or does what its Content-Security-Policy forbids. */
export async function watch(page: Page, use: (page: Page) => Promise<void>): Promise<void> {
  const wrong: string[] = [];
  page.on('pageerror', error => wrong.push(String(error)));
  page.on('console', message => {
    if (/Content.Security.Policy/i.test(message.text())) wrong.push(message.text());
  });
  await use(page);
  base.expect(wrong, 'mistakes that the page made').toEqual([]);
}

export { expect } from '@playwright/test';
