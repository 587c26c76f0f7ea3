/** The tokens are opaque. */
import { expect } from '@playwright/test';
import { chooseFromSession } from './people';
import { signInAt, testProvider, testsWith } from './providers/suite';
import { startToolkit } from './providers/toolkit';

/** Introspection is cached for a minute; doubled for slow machines. */
const CACHE_TIMEOUT = 120_000;

const test = testsWith(startToolkit);

testProvider(test);

test('an access token is rejected after signing out, once the cached introspection result expires', async ({
  page,
  request,
  installation,
}) => {
  test.setTimeout(CACHE_TIMEOUT + 60_000);
  const { provider, origin } = installation;
  // Its steps have their own timeouts.
  const sent = page.waitForRequest(each => each.url() === `${origin}/graphql` && 'authorization' in each.headers(), {
    timeout: 0,
  });
  await signInAt(page, provider, 'viewer');
  const { authorization = '' } = (await sent).headers();
  const body = (await sent).postDataJSON() as unknown;
  const replay = async () => {
    const response = await request.post(`${origin}/graphql`, { headers: { authorization, origin }, data: body });
    return { status: response.status(), why: response.headers()['www-authenticate'] ?? '' };
  };
  const token = authorization.replace('Bearer ', '');
  expect(await provider.isTokenActive?.(token)).toBe(true);
  expect(await replay()).toEqual({ status: 200, why: '' });
  await chooseFromSession(page, 'Sign out');
  await expect(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible();
  expect(await provider.isTokenActive?.(token)).toBe(false);
  await expect.poll(replay, { timeout: CACHE_TIMEOUT, intervals: [2000] }).toMatchObject({ status: 401 });
  expect((await replay()).why).toMatch(/invalid_token/);
});
