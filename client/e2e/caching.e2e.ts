import { expect, test } from './fixtures';

test('a second visit revalidates the cached response and gets a 304 without a body', async ({ page }) => {
  const requestIds = new Set<string>();
  const responses = new Map<string, { status: number; bytes: string | undefined }>();
  const received = () => [...responses].filter(([id]) => requestIds.has(id)).map(([, response]) => response);
  const session = await page.context().newCDPSession(page);
  session.on('Network.requestWillBeSent', ({ requestId, request: { method, url } }) => {
    if (method === 'GET' && url.includes('/graphql?operationName=Instance')) requestIds.add(requestId);
  });
  // The page itself sees status 200.
  session.on('Network.responseReceivedExtraInfo', ({ requestId, statusCode, headers }) => {
    responses.set(requestId, { status: statusCode, bytes: headers['content-length'] });
  });
  await session.send('Network.enable');

  for (const visit of [1, 2]) {
    await page.goto('/');
    await expect(page.getByRole('button', { name: /^Sign in with / }).first()).toBeVisible();
    await expect.poll(() => received().length).toBeGreaterThanOrEqual(visit);
  }
  expect(received()[0]).toMatchObject({ status: 200 });
  expect(Number(received()[0]?.bytes)).toBeGreaterThan(100);
  expect(received().at(-1)).toEqual({ status: 304, bytes: undefined });
});
