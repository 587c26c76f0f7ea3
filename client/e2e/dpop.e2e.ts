import { type Page, type Request } from '@playwright/test';
import { expect, test } from './fixtures';
import { enterPassword, expectNotice, expectSignedIn, renewSession, signIn, signOut } from './people';

const inThisTab = /^Sign in with .+(?<!new window)$/;

test.use({ settings: { WAYPOST_OIDC_DPOP: '1' } });

test('a bound session survives reload, renewal and other tabs, and its token is useless elsewhere', async ({
  page,
  context,
  waypost,
}) => {
  await waypost.control({ quirks: { proofs: 'with-nonce' } });
  const requests: Request[] = [];
  context.on('request', request => {
    if (request.headers()['authorization'] !== undefined && request.url() === `${waypost.origin}/graphql`)
      requests.push(request);
  });
  await signIn(page, 'admin');
  await page.reload();
  await expectSignedIn(page, 'admin');

  const other = await context.newPage();
  await other.goto('/');
  await expectSignedIn(other, 'admin');
  await renewSession(page, 'Renew session with refresh token');
  await expectNotice(page, 'Session renewed with the refresh token.');
  await renewSession(other, 'Renew session in hidden frame');
  await expectNotice(other, 'Session renewed in a hidden frame.');

  const stream = page.waitForResponse(
    response => response.status() === 200 && (response.request().postData() ?? '').includes('subscription '),
  );
  await page.goto('/w/acme/tours');
  await page.getByRole('link', { name: 'Your first order' }).first().click();
  expect((await stream).request().headers()['authorization']).toMatch(/^DPoP /);

  for (const request of requests) expect(request.headers()['authorization']).toMatch(/^DPoP /);
  expect(new Set(requests.map(request => request.headers()['dpop'])).size).toBe(requests.length);
  const statuses = await Promise.all(requests.map(async request => (await request.response())?.status()));
  const failed = statuses.filter(each => each !== undefined && each !== 200);
  // Only the first requests of a page have no nonce yet.
  expect(new Set(failed)).toEqual(new Set([401]));
  expect(failed.length).toBeLessThan(statuses.length / 2);

  expect(await keys(page)).toEqual([{ extractable: false }]);
  const stolen = requests.findLast(each => !each.postData()?.includes('subscription ')) as Request;
  const { authorization = '', dpop = '' } = stolen.headers();
  for (const headers of [
    { authorization: authorization.replace('DPoP', 'Bearer') },
    { authorization },
    // A captured request is not accepted a second time.
    { authorization, dpop },
  ]) {
    const response = await fetch(`${waypost.origin}/graphql`, {
      method: 'POST',
      headers: { ...headers, accept: '*/*', 'content-type': 'application/json' },
      body: stolen.postData() ?? '',
    });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toContain('DPoP');
  }

  await signOut(page);
  await expect(other.getByRole('heading', { name: 'Sign in to Waypost' })).toBeVisible();
  expect(await keys(page)).toEqual([]);
});

test('a provider that does not bind tokens is reported', async ({ page, waypost }) => {
  await waypost.control({ quirks: { proofs: 'ignored' } });
  await page.goto('/');
  await page.getByRole('button', { name: inThisTab }).click();
  await enterPassword(page, 'viewer');
  await expect(page.getByRole('alert')).toContainText('The provider didn’t bind this sign-in to your browser.');
});

test('a browser that cannot store the key gets an explanation before the sign-in', async ({ page }) => {
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('Storage is disabled', 'InvalidStateError');
    };
  });
  await page.goto('/');
  await page.getByRole('button', { name: inThisTab }).click();
  await expect(page.getByRole('alert')).toContainText('This browser can’t store the key that protects your session.');
});

function keys(page: Page): Promise<{ extractable: boolean }[]> {
  return page.evaluate(async () => {
    const settle = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result));
        request.addEventListener('error', () => reject(request.error));
      });
    const database = await settle(indexedDB.open('waypost.keys'));
    const states = await settle(database.transaction('keys').objectStore('keys').getAll());
    database.close();
    return states.map(({ keys: { privateKey } }: { keys: CryptoKeyPair }) => ({ extractable: privateKey.extractable }));
  });
}
