/** What a browser keeps of the API: answers that are the same for everybody, for as long as they hold. */
import { expect, test } from './fixtures';

test('a visit after the first asks whether the answer still holds, and is told so without a body', async ({ page }) => {
  const asked = new Set<string>();
  const answers = new Map<string, { status: number; bytes: string | undefined }>();
  const told = () => [...answers].filter(([id]) => asked.has(id)).map(([, answer]) => answer);
  const session = await page.context().newCDPSession(page);
  session.on('Network.requestWillBeSent', ({ requestId, request: { method, url } }) => {
    if (method === 'GET' && url.includes('/graphql?operationName=Instance')) asked.add(requestId);
  });
  // What came over the wire; the page itself is handed the kept answer, with its status 200.
  session.on('Network.responseReceivedExtraInfo', ({ requestId, statusCode, headers }) => {
    // It may be told of before the request is.
    answers.set(requestId, { status: statusCode, bytes: headers['content-length'] });
  });
  await session.send('Network.enable');

  for (const visit of [1, 2]) {
    await page.goto('/');
    await expect(page.getByRole('button', { name: /^Sign in with / }).first()).toBeVisible();
    await expect.poll(() => told().length).toBeGreaterThanOrEqual(visit);
  }
  expect(told()[0]).toMatchObject({ status: 200 });
  expect(Number(told()[0]?.bytes)).toBeGreaterThan(100);
  expect(told().at(-1)).toEqual({ status: 304, bytes: undefined });
});
