/** `waypost doctor oidc` at the identity provider for development: well, misconfigured, and away. */
import { SECRET } from '../dev/environment.mjs';
import { expect, test } from './fixtures';
import type { Waypost } from './servers';

interface Finding {
  level: 'ok' | 'note' | 'warning' | 'problem';
  check: string;
  says: string;
  cure: string | null;
}

/** What is wrong with these settings, and the exit code. */
async function examine(waypost: Waypost, changes: Record<string, string> = {}) {
  const { code, printed } = await waypost.run(['doctor', 'oidc', '--json'], {
    WAYPOST_PUBLIC_URL: waypost.origin,
    ...changes,
  });
  const report = JSON.parse(printed) as { providers: { findings: Finding[] }[] };
  const findings = report.providers[0]?.findings ?? [];
  return { code, wrong: findings.filter(({ level }) => level === 'problem' || level === 'warning') };
}

test('a provider that is well has no problem and no warning', async ({ waypost }) => {
  expect(await examine(waypost)).toEqual({ code: 0, wrong: [] });
});

test('what is misconfigured is named with its cure', async ({ waypost }) => {
  const slash = await examine(waypost, { WAYPOST_OIDC_ISSUER: `${waypost.provider}/` });
  expect(slash.code).toBe(1);
  expect(slash.wrong).toMatchObject([{ check: 'discovery', cure: `Set WAYPOST_OIDC_ISSUER=${waypost.provider}.` }]);

  const elsewhere = await examine(waypost, { WAYPOST_PUBLIC_URL: 'http://localhost:9' });
  expect(elsewhere.code).toBe(1);
  expect(elsewhere.wrong.map(({ check }) => check)).toEqual(['redirects', 'cors']);
  expect(elsewhere.wrong[0]?.says).toContain('http://localhost:9/auth/silent.html');

  const stranger = await examine(waypost, { WAYPOST_OIDC_CLIENT_ID: 'nobody' });
  expect(stranger.wrong.map(({ check }) => check)).toContain('token endpoint');

  const scope = await examine(waypost, { WAYPOST_OIDC_RESOURCE: 'not a resource' });
  expect(scope.wrong.map(({ check }) => check)).toEqual(['sign-in']);
  expect(scope.wrong[0]?.says).toContain('invalid_target');

  const secret = await examine(waypost, { WAYPOST_OIDC_CLIENT_ID: 'waypost-secret' });
  expect(secret.wrong.map(({ check }) => check)).toEqual(['token endpoint', 'cors']);
  const relayed = { WAYPOST_OIDC_CLIENT_ID: 'waypost-secret', WAYPOST_OIDC_RELAY: '1' };
  const wrong = await examine(waypost, { ...relayed, WAYPOST_OIDC_CLIENT_SECRET: 'wrong' });
  expect(wrong.wrong.map(({ check }) => check)).toEqual(['token endpoint']);
  const right = await examine(waypost, { ...relayed, WAYPOST_OIDC_CLIENT_SECRET: SECRET });
  expect(right).toEqual({ code: 0, wrong: [] });
});

test('a provider that is away is said to be away', async ({ waypost }) => {
  await waypost.control({ outage: true });
  const { code, wrong } = await examine(waypost);
  await waypost.control({ outage: false });
  expect(code).toBe(1);
  expect(wrong[0]?.says).toContain('cannot be reached from this machine');
});
