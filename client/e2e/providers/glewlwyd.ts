/** Configured through the API that its administration pages use. */
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from '@playwright/test';
import { requireGlewlwyd } from '../../../.scripts/lib/glewlwyd.mjs';
import { freePort, startServer } from '../../../.scripts/lib/processes.mjs';
import { ACCOUNTS } from '../../dev/accounts.mjs';
import { newSigningKey } from '../../dev/signing-keys.mjs';
import { callbacks, type IdentityProvider, signedOutPages } from './provider';

const ADMINISTRATOR = { username: 'admin', password: 'password' };

/** Glewlwyd requires resource indicators to be URLs. */
const RESOURCE = 'https://waypost.example/api';

const CLIENT = 'waypost';

/** User names must differ from the administrator's, and passwords, which are equal to them, need at least eight characters. */
const usernameOf = (name: string) => `${name}@waypost`;

type Session = (method: string, path: string, body?: unknown) => Promise<Record<string, unknown>>;

export async function startGlewlwyd(
  origins: readonly string[],
  front?: { origin: string; port: number },
): Promise<IdentityProvider> {
  const { program, libraries, root } = await requireGlewlwyd();
  const port = front?.port ?? (await freePort());
  const here = `http://localhost:${port}`;
  const origin = front?.origin ?? here;
  const folder = mkdtempSync(join(tmpdir(), 'waypost-glewlwyd-'));
  writeFileSync(join(folder, 'glewlwyd.conf'), configuration({ root, folder, port, origin }));
  copyPages(root, folder);
  createDatabase(root, folder);
  const args = ['--config-file', join(folder, 'glewlwyd.conf')];
  const environment = libraries === '' ? {} : { LD_LIBRARY_PATH: libraries };
  const child = await startServer(program, args, { env: environment, url: `${here}/config` });
  const stop = async () => {
    await child.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const administrator = await session(here, ADMINISTRATOR);
    const plugin = await setUp(administrator, origin, origins);
    for (const { name } of ACCOUNTS) {
      const person = await session(here, { username: usernameOf(name), password: usernameOf(name) });
      // The tests see no consent page.
      await person('PUT', `/auth/grant/${CLIENT}`, { scope: 'openid' });
    }
    return {
      issuer: `${origin}/api/oidc`,
      settings: {
        WAYPOST_OIDC_ISSUER: `${origin}/api/oidc`,
        WAYPOST_OIDC_NAME: 'Glewlwyd',
        WAYPOST_OIDC_CLIENT_ID: CLIENT,
        WAYPOST_OIDC_RESOURCE: RESOURCE,
        WAYPOST_OIDC_SCOPE: 'openid',
        // Access tokens do not contain names.
        WAYPOST_OIDC_USERINFO: '1',
      },
      otherAudience: { WAYPOST_OIDC_AUDIENCE: 'https://other.example/api' },
      continueInNewTab: page => page.getByRole('button', { name: 'Continue' }).click(),
      enterPassword: async (page, name) => {
        await page.getByLabel('Login').fill(usernameOf(name));
        await page.getByLabel('Password').fill(usernameOf(name));
        await page.getByRole('button', { name: 'OK', exact: true }).click();
        await page.getByRole('button', { name: 'Continue' }).click();
      },
      confirmSignOut: async page => {
        await page.getByRole('button', { name: 'Logout' }).click();
        await expect(page.getByRole('heading', { name: 'Session closed' })).toBeVisible();
        // Its last page has no link back.
        await page.goto(signedOutPages(origins)[0] ?? '/');
      },
      isTokenActive: null,
      rotateKeys: async () => {
        const parameters = { ...plugin.parameters, 'jwks-private': keys() };
        await administrator('PUT', '/mod/plugin/oidc', { ...plugin, parameters });
        await administrator('PUT', '/mod/plugin/oidc/reset');
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function session(origin: string, account: { username: string; password: string }): Promise<Session> {
  const login = await fetch(`${origin}/api/auth/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(account),
  });
  if (!login.ok) throw new Error(`Glewlwyd rejected the sign-in of ${account.username}: status ${login.status}`);
  const cookie = login.headers
    .getSetCookie()
    .map(text => text.split(';')[0])
    .join('; ');
  return async (method, path, body) => {
    const headers = { 'Content-Type': 'application/json', cookie };
    const request = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
    const response = await fetch(`${origin}/api${path}`, request);
    const text = await response.text();
    if (!response.ok)
      throw new Error(`Glewlwyd responded to ${method} ${path} with status ${response.status}: ${text}`);
    return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
  };
}

async function setUp(administrator: Session, origin: string, origins: readonly string[]) {
  const users = await administrator('GET', '/mod/user/database');
  const parameters = users['parameters'] as { 'data-format': Record<string, unknown> };
  parameters['data-format']['roles'] = { multiple: true, read: true, write: true };
  await administrator('PUT', '/mod/user/database', users);
  await administrator('PUT', '/mod/user/database/reset');
  for (const { name, fullName, email, role } of ACCOUNTS) {
    const account = { username: usernameOf(name), password: usernameOf(name), name: fullName, email, enabled: true };
    await administrator('POST', '/user', { ...account, scope: ['openid', 'g_profile'], roles: [role.toLowerCase()] });
  }
  const plugin = {
    module: 'oidc',
    name: 'oidc',
    display_name: 'OpenID Connect',
    parameters: {
      ...BASICS,
      iss: `${origin}/api/oidc`,
      'jwks-private': keys(),
      'resource-scope': { openid: [RESOURCE] },
    },
  };
  await administrator('POST', '/mod/plugin', plugin);
  await administrator('POST', '/client', {
    client_id: CLIENT,
    name: 'Waypost',
    enabled: true,
    confidential: false,
    redirect_uri: callbacks(origins),
    // Glewlwyd accepts only one.
    post_logout_redirect_uri: signedOutPages(origins)[0],
    authorization_type: ['code', 'refresh_token'],
    token_endpoint_auth_method: ['none'],
    scope: ['openid'],
  });
  return plugin;
}

const BASICS = {
  'jwt-type': 'rsa',
  'jwt-key-size': '256',
  'access-token-duration': 300,
  'refresh-token-duration': 86_400,
  'code-duration': 60,
  'refresh-token-rolling': true,
  'refresh-token-one-use': 'always',
  'auth-type-code-enabled': true,
  'auth-type-refresh-enabled': true,
  'allowed-scope': ['openid'],
  'additional-parameters': [{ 'user-parameter': 'roles', 'token-parameter': 'roles', 'token-changed': true }],
  claims: [],
  'name-claim': 'mandatory',
  'email-claim': 'mandatory',
  'jwks-show': true,
  'subject-type': 'public',
  'pkce-allowed': true,
  'pkce-required': true,
  'resource-allowed': true,
  'introspection-revocation-allowed': true,
  'introspection-revocation-allow-target-client': true,
  'session-management-allowed': true,
  'front-channel-logout-allowed': true,
  'back-channel-logout-allowed': false,
  'session-cookie-name': 'GLEWLWYD2_OIDC_SID',
  'session-cookie-expiration': 86_400,
};

function keys(): string {
  return JSON.stringify({ keys: [newSigningKey()] });
}

/** glewlwyd does not serve symbolic links. */
function copyPages(root: string, folder: string): void {
  const from = join(root, 'usr/share/glewlwyd/webapp');
  const to = join(folder, 'webapp');
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory() || entry.name === 'config.json') continue;
    const path = join(entry.parentPath, entry.name);
    const target = join(to, relative(from, path));
    mkdirSync(dirname(target), { recursive: true });
    const real = [path, linkedFromPackage(path, root)].find(candidate => existsSync(candidate));
    if (real !== undefined) copyFileSync(real, target);
  }
  copyFileSync(join(root, 'usr/share/glewlwyd/templates/config.json'), join(to, 'config.json'));
}

function linkedFromPackage(path: string, root: string): string {
  const target = lstatSync(path).isSymbolicLink() ? resolve(dirname(path), readlinkSync(path)) : path;
  return join('/', relative(root, target));
}

function createDatabase(root: string, folder: string): void {
  const sql = gunzipSync(readFileSync(join(root, 'usr/share/doc/glewlwyd/database/init.sqlite3.sql.gz')));
  const program = 'import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(sys.stdin.read())';
  const { status, stderr } = spawnSync('python3', ['-c', program, join(folder, 'glewlwyd.db')], { input: sql });
  if (status !== 0)
    throw new Error(`The database of glewlwyd could not be created: ${stderr?.toString() ?? 'python3 is missing'}`);
}

function configuration({ root, folder, port, origin }: { root: string; folder: string; port: number; origin: string }) {
  const modules = join(root, 'usr/lib/glewlwyd');
  const types = {
    html: 'text/html',
    css: 'text/css',
    js: 'application/javascript',
    json: 'application/json',
    png: 'image/png',
    woff2: 'font/woff2',
  };
  const mime = Object.entries(types).map(
    ([end, type]) => `{ extension = ".${end}" mime_type = "${type}" compress = 0 }`,
  );
  return `port = ${port}
bind_address = "127.0.0.1"
external_url = "${origin}"
login_url = "login.html"
api_prefix = "api"
static_files_path = "${join(folder, 'webapp')}/"
allow_origin = "*"
log_mode = "console"
log_level = "WARNING"
cookie_domain = "${new URL(origin).hostname}"
cookie_secure = 0
cookie_same_site = "lax"
session_expiration = 86400
session_key = "GLEWLWYD2_SESSION_ID"
add_x_frame_option_header_deny = true
admin_scope = "g_admin"
profile_scope = "g_profile"
user_module_path = "${modules}/user"
client_module_path = "${modules}/client"
user_auth_scheme_module_path = "${modules}/scheme"
plugin_module_path = "${modules}/plugin"
hash_algorithm = "SHA512"
database = { type = "sqlite3" path = "${join(folder, 'glewlwyd.db')}" };
static_files_mime_types = (
  ${mime.join(',\n  ')}
)
`;
}
