import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, type Service, startServer, startService } from '../../.scripts/lib/processes.mjs';
import { SECRET } from '../dev/environment.mjs';
import { expect, test } from './fixtures';
import { startDevelopment } from './providers/development';
import { signInAt } from './providers/suite';
import { type Waypost, waypostBinary } from './servers';

interface Finding {
  level: 'ok' | 'note' | 'warning' | 'problem';
  check: string;
  message: string;
  fix: string | null;
}

async function diagnose(waypost: Waypost, changes: Record<string, string> = {}) {
  const { code, output } = await waypost.run(['doctor', 'oidc', '--json'], {
    WAYPOST_PUBLIC_URL: waypost.origin,
    ...changes,
  });
  const report = JSON.parse(output) as { reports: { findings: Finding[] }[] };
  const findings = report.reports[0]?.findings ?? [];
  return { code, issues: findings.filter(({ level }) => level === 'problem' || level === 'warning') };
}

test('a correctly configured provider has no problems and no warnings', async ({ waypost }) => {
  expect(await diagnose(waypost)).toEqual({ code: 0, issues: [] });
});

test('each misconfiguration is reported with its fix', async ({ waypost }) => {
  const slash = await diagnose(waypost, { WAYPOST_OIDC_ISSUER: `${waypost.provider}/` });
  expect(slash.code).toBe(1);
  expect(slash.issues).toMatchObject([{ check: 'discovery', fix: `Set WAYPOST_OIDC_ISSUER=${waypost.provider}.` }]);

  const otherOrigin = await diagnose(waypost, { WAYPOST_PUBLIC_URL: 'http://localhost:9' });
  expect(otherOrigin.code).toBe(1);
  expect(otherOrigin.issues.map(({ check }) => check)).toEqual(['redirects', 'cors']);
  expect(otherOrigin.issues[0]?.message).toContain('http://localhost:9/auth/silent.html');

  const unknownClient = await diagnose(waypost, { WAYPOST_OIDC_CLIENT_ID: 'unknown' });
  expect(unknownClient.issues.map(({ check }) => check)).toContain('token endpoint');

  const scope = await diagnose(waypost, { WAYPOST_OIDC_RESOURCE: 'not a resource' });
  expect(scope.issues.map(({ check }) => check)).toEqual(['sign-in']);
  expect(scope.issues[0]?.message).toContain('invalid_target');

  const secret = await diagnose(waypost, { WAYPOST_OIDC_CLIENT_ID: 'waypost-secret' });
  expect(secret.issues.map(({ check }) => check)).toEqual(['token endpoint', 'cors']);
  const relayed = { WAYPOST_OIDC_CLIENT_ID: 'waypost-secret', WAYPOST_OIDC_RELAY: '1' };
  const wrongSecret = await diagnose(waypost, { ...relayed, WAYPOST_OIDC_CLIENT_SECRET: 'wrong' });
  expect(wrongSecret.issues.map(({ check }) => check)).toEqual(['token endpoint']);
  const rightSecret = await diagnose(waypost, { ...relayed, WAYPOST_OIDC_CLIENT_SECRET: SECRET });
  expect(rightSecret).toEqual({ code: 0, issues: [] });
});

test('an unreachable provider is reported', async ({ waypost }) => {
  await waypost.control({ outage: true });
  const { code, issues } = await diagnose(waypost);
  await waypost.control({ outage: false });
  expect(code).toBe(1);
  expect(issues[0]?.message).toContain('cannot be reached from this machine');
});

test('a sign-in finds the settings from issuer and client id alone, and a server works with them', async ({
  browser,
}) => {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const data = mkdtempSync(join(tmpdir(), 'waypost-e2e-'));
  const provider = await startDevelopment([origin]);
  const running: Service[] = [];
  try {
    const env = {
      PORT: String(port),
      WAYPOST_OIDC_ISSUER: provider.issuer,
      WAYPOST_OIDC_CLIENT_ID: 'waypost',
      // The test opens the address itself.
      DISPLAY: '',
      WAYLAND_DISPLAY: '',
    };
    const file = join(data, 'waypost.env');
    const doctor = startService(waypostBinary(), ['doctor', 'oidc', '--sign-in', '--write', file], { env });
    running.push(doctor);
    await expect.poll(doctor.printed).toContain(`Open ${origin}/, and sign in there.`);
    const page = await browser.newPage({ baseURL: origin });
    await page.goto('/');
    await provider.enterPassword(page, 'author');
    // As on a second device.
    await expect.poll(doctor.printed).toContain('Sign in once more with the same account');
    await expect(page.getByLabel('Password')).toHaveValue('');
    await provider.enterPassword(page, 'author');
    await expect(page.getByRole('heading', { name: 'Done' })).toBeVisible();
    await expect.poll(() => doctor.child.exitCode).toBe(0);
    expect(doctor.printed()).toContain('The provider continued the session in a hidden frame.');
    expect(doctor.printed()).toContain('After a sign-in on a second device, the first renews its session.');
    expect(doctor.printed()).not.toContain('eyJ');
    const lines = [...doctor.printed().matchAll(/^(WAYPOST_\w+)='?(.*?)'?$/gm)];
    expect(readFileSync(file, 'utf8')).toBe(lines.map(([line]) => `${line}\n`).join(''));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const settings = Object.fromEntries(lines.map(([, name = '', value = '']) => [name, value]));
    expect(settings).toEqual({
      WAYPOST_PUBLIC_URL: origin,
      WAYPOST_OIDC_ISSUER: provider.issuer,
      WAYPOST_OIDC_CLIENT_ID: 'waypost',
      WAYPOST_OIDC_SCOPE: 'openid profile email offline_access',
      WAYPOST_OIDC_AUDIENCE: 'urn:waypost:api',
    });

    const server = { env: { ...settings, PORT: String(port), WAYPOST_DATA: data }, url: `${origin}/readyz` };
    running.push(await startServer(waypostBinary(), [], server));
    await signInAt(page, provider, 'author');
    await page.close();
  } finally {
    await Promise.all(running.map(service => service.stop()));
    await provider.stop();
    rmSync(data, { recursive: true, force: true });
  }
});
