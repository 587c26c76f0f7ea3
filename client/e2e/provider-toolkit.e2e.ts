/** Sign-in with PyPI’s django-oauth-toolkit, whose tokens are opaque. */
import { expect } from '@playwright/test';
import { chooseFromSession } from './people';
import { signInAt, testProvider, testsWith } from './providers/suite';
import { startToolkit } from './providers/toolkit';

/** The server remembers what the provider said of a token for a minute; and as much again for a busy machine. */
const REMEMBERED = 120_000;

const test = testsWith(startToolkit);

testProvider(test);

test('an access token is worth nothing after signing out, once the server has asked again', async ({
  page,
  request,
  installation,
}) => {
  test.setTimeout(REMEMBERED + 60_000);
  const { provider, origin } = installation;
  // It comes with the end of the sign-in, whose steps have their own time.
  const sent = page.waitForRequest(asked => asked.url() === `${origin}/graphql` && 'authorization' in asked.headers(), {
    timeout: 0,
  });
  await signInAt(page, provider, 'viewer');
  const { authorization = '' } = (await sent).headers();
  const body = (await sent).postDataJSON() as unknown;
  const replay = async () => {
    const answer = await request.post(`${origin}/graphql`, { headers: { authorization, origin }, data: body });
    return { status: answer.status(), why: answer.headers()['www-authenticate'] ?? '' };
  };
  const token = authorization.replace('Bearer ', '');
  expect(await provider.answersFor?.(token)).toBe(true);
  expect(await replay()).toEqual({ status: 200, why: '' });
  await chooseFromSession(page, 'Sign out');
  await expect(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible();
  expect(await provider.answersFor?.(token)).toBe(false);
  await expect.poll(replay, { timeout: REMEMBERED, intervals: [2000] }).toMatchObject({ status: 401 });
  expect((await replay()).why).toMatch(/invalid_token/);
});
