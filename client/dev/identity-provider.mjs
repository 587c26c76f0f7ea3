// For development and tests, on loopback only; not secure. `node client/dev/identity-provider.mjs --help` lists the
// options.

import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { interactionPolicy, Provider } from 'oidc-provider';
import { ACCOUNTS, claimsOf } from './accounts.mjs';
import { SECRET } from './environment.mjs';
import { FileStore } from './file-adapter.mjs';
import { problemPage, SIGN_OUT_SCRIPT, signInPage, signOutPage, STYLESHEET } from './pages.mjs';
import { QUIRKS, subjectOfBearer } from './quirks.mjs';
import { bodyOf } from './request-body.mjs';
import { loadKeys } from './signing-keys.mjs';
import { Faults } from './test-controls.mjs';

/** RFC 8707; audience of every access token. */
export const RESOURCE = 'urn:waypost:api';

/** Rotating refresh tokens. */
export const CLIENT = 'waypost';

/** Renewed in a hidden frame. */
export const CLIENT_WITHOUT_REFRESH = 'waypost-frame';

/** With a secret and without CORS. */
export const CLIENT_WITH_SECRET = 'waypost-secret';

/** Class of a strong sign-in (`acr`, phishing-resistant). The form is accepted as each required factor. */
const STRONG_CLASS = 'phr';

/** Key of the nonces in proofs of bound tokens (DPoP, RFC 9449). */
const NONCE_SECRET = randomBytes(32);

const SCOPES = ['openid', 'profile', 'email', 'offline_access'];

/**
 * Starts the provider. Resolves when it listens.
 * @param {{ port: number, origins: readonly string[], folder: string | null, tests: boolean,
 *   quirks?: Record<string, string> }} options
 *   `origins`: origins of the app; `folder`: storage of keys and sessions (null: in memory); `tests`: enables `/test`;
 *   `quirks`: initial settings of quirks.mjs
 */
export async function startIdentityProvider({ port, origins, folder, tests, quirks = {} }) {
  const origin = `http://localhost:${port}`;
  const keys = loadKeys(folder && join(folder, 'keys.json'));
  const store = new FileStore(folder && join(folder, 'sessions.json'));
  const build = () => makeProvider({ issuer: faults.quirks.issuerAt(origin), origins, keys, store, faults });
  const faults = new Faults(keys, () => {
    provider = build();
  });
  faults.quirks.set(quirks);
  let provider = build();

  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', origin);
    if (tests && pathname === '/test') return faults.control(request, response);
    if (faults.outage) return request.socket.destroy();
    await faults.delay();
    faults.record(request, response, pathname);
    faults.rewriteCookies(response);
    if (faults.isolated) response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
    if (faults.quirks.intercept(request, response, pathname, keys.signing)) return undefined;
    if (pathname === '/page.css') return send(response, 200, 'text/css', STYLESHEET);
    if (pathname === '/sign-out.js') return send(response, 200, 'text/javascript', SIGN_OUT_SCRIPT);
    if (/^\/sign-in\/[\w-]+$/.test(pathname)) return signIn(provider, request, response, pathname, faults.quirks);
    const subject = pathname === '/me' ? subjectOfBearer(request, keys.signing) : null;
    const account = subject !== null && ACCOUNTS.find(({ name }) => name === subject);
    if (account) {
      const { origin: page = '' } = request.headers;
      response.setHeader('Content-Type', 'application/json');
      if (origins.includes(page)) response.setHeader('Access-Control-Allow-Origin', page);
      return response.end(JSON.stringify({ sub: account.name, ...claimsIn('userinfo', account, faults) }));
    }
    return provider.callback()(request, response);
  });
  await new Promise((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));

  return {
    issuer: faults.quirks.issuerAt(origin),
    stop() {
      store.flush();
      server.closeAllConnections();
      return new Promise(resolve => server.close(resolve));
    },
  };
}

function makeProvider({ issuer, origins, keys, store, faults }) {
  const client = {
    token_endpoint_auth_method: 'none',
    response_types: ['code'],
    redirect_uris: origins.flatMap(origin => [
      `${origin}/auth/callback`,
      `${origin}/auth/popup.html`,
      `${origin}/auth/silent.html`,
    ]),
    post_logout_redirect_uris: origins.flatMap(origin => [
      `${origin}/signed-out`,
      `${origin}/auth/popup.html`,
      `${origin}/auth/silent.html`,
    ]),
    // A client has one URI.
    backchannel_logout_uri: `${origins[0]}/auth/backchannel-logout`,
    backchannel_logout_session_required: true,
  };
  const cookie = { httpOnly: true, sameSite: 'lax' };
  // The clients are our own.
  const policy = interactionPolicy.base();
  policy.remove('consent');
  const { Check } = interactionPolicy;
  const isStrongEnough = ({ oidc }) =>
    !requestsStrongClass(oidc.params) || oidc.acr === STRONG_CLASS ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT;
  policy.get('login').checks.add(new Check('acr_values', 'a stronger sign-in is required', isStrongEnough));

  const provider = new Provider(issuer, {
    adapter: store.adapter(kind => kind !== 'RefreshToken' || faults.quirks.settings.refreshTokens !== 'rotate'),
    clients: [
      { ...client, client_id: CLIENT, grant_types: ['authorization_code', 'refresh_token'] },
      { ...client, client_id: CLIENT_WITHOUT_REFRESH, grant_types: ['authorization_code'] },
      {
        ...client,
        client_id: CLIENT_WITH_SECRET,
        client_secret: SECRET,
        token_endpoint_auth_method: 'client_secret_post',
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
    jwks: { keys: keys.signing },
    cookies: {
      keys: keys.cookies,
      names: { session: 'waypost_idp_session', interaction: 'waypost_idp_interaction', resume: 'waypost_idp_resume' },
      long: cookie,
      short: cookie,
    },
    pkce: { required: () => true },
    clientBasedCORS: (_ctx, origin, { clientId }) => clientId !== CLIENT_WITH_SECRET && origins.includes(origin),
    acrValues: [STRONG_CLASS],
    scopes: SCOPES,
    claims: {
      openid: ['sub'],
      profile: ['name', 'preferred_username', 'roles'],
      email: ['email', 'email_verified'],
    },
    // Includes all claims in the ID token.
    conformIdTokenClaims: false,
    findAccount: (_ctx, id) => {
      const account = ACCOUNTS.find(({ name }) => name === id);
      return account && { accountId: id, claims: use => ({ sub: id, ...claimsIn(PLACES[use], account, faults) }) };
    },
    extraTokenClaims: ({ oidc }, token) => {
      const account = ACCOUNTS.find(({ name }) => name === token.accountId);
      const { RefreshToken, AuthorizationCode } = oidc.entities;
      const { authTime, acr, sid } = RefreshToken ?? AuthorizationCode ?? {};
      return (
        account && { ...claimsIn('access-token', account, faults), auth_time: authTime - faults.authAge, acr, sid }
      );
    },
    loadExistingGrant,
    // By default, offline_access is ignored without a consent prompt (OpenID Connect Core 1.0, section 11).
    issueRefreshToken: (_ctx, client) =>
      client.grantTypeAllowed('refresh_token') && faults.quirks.settings.refreshTokens !== 'none',
    rotateRefreshToken: () => faults.quirks.settings.refreshTokens !== 'keep',
    ttl: {
      AccessToken: () => faults.life,
      IdToken: () => faults.life,
      Grant: 14 * 86_400,
      Interaction: 600,
      // Rotation does not extend the lifetime of a refresh token (RFC 9700).
      RefreshToken: ctx => ctx?.oidc?.entities?.RotatedRefreshToken?.remainingTTL ?? faults.refreshLife,
      Session: 8 * 3600,
    },
    // By default, requests to loopback addresses are blocked.
    fetch: (url, { dispatcher: _, ...options }) => fetch(url, options),
    features: {
      backchannelLogout: { enabled: true },
      devInteractions: { enabled: false },
      dPoP: {
        enabled: true,
        nonceSecret: NONCE_SECRET,
        requireNonce: () => faults.quirks.settings.proofs === 'with-nonce',
      },
      revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
      resourceIndicators: {
        enabled: true,
        // Tokens without a resource are opaque.
        defaultResource: () => (faults.quirks.settings.accessTokens === 'jwt' ? RESOURCE : undefined),
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: '',
          audience: RESOURCE,
          accessTokenTTL: faults.life,
          accessTokenFormat: faults.quirks.settings.accessTokens,
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx, form) => {
          ctx.body = signOutPage(form);
        },
      },
    },
    interactions: { policy, url: (_ctx, interaction) => `/sign-in/${interaction.uid}` },
    renderError: (ctx, { error, error_description }) => {
      ctx.type = 'html';
      ctx.body = problemPage('The request failed', `${error_description ?? error} (${error})`);
    },
  });
  provider.on('server_error', (_ctx, error) => console.error('identity provider:', error));
  return provider;
}

/** The clients are our own. */
async function loadExistingGrant({ oidc }) {
  const { provider, client, session } = oidc;
  const id = session.grantIdFor(client.clientId);
  const grant =
    (id && (await provider.Grant.find(id))) ||
    new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
  grant.addOIDCScope(SCOPES.join(' '));
  await grant.save();
  return grant;
}

/** By oidc-provider. */
const PLACES = { id_token: 'id-token', userinfo: 'userinfo' };

function claimsIn(place, account, faults) {
  return faults.quirks.namesIn(place, claimsOf(account, faults.rolesOf(account)));
}

function requestsStrongClass({ acr_values: values }) {
  return values?.split(' ').includes(STRONG_CLASS) ?? false;
}

async function signIn(provider, request, response, action, quirks) {
  try {
    await provider.interactionDetails(request, response);
    if (request.method !== 'POST') {
      quirks.pendingRequest(request, response, basename(action));
      return send(response, 200, 'text/html', signInPage({ action }));
    }
    const form = new URLSearchParams(await bodyOf(request));
    const name = form.get('name') ?? '';
    const account = ACCOUNTS.find(account => account.name === name.trim().toLowerCase());
    if (!account || form.get('password') !== account.name) {
      const problem = 'No account has this name and password. Each account’s password is its name.';
      return send(response, 401, 'text/html', signInPage({ action, name, problem }));
    }
    const { consent } = quirks.settings;
    const own = basename(action);
    const { Interaction } = provider;
    const pending = quirks.pendingRequest(request, response, own);
    const interaction = (await Interaction.find(pending)) ?? (await Interaction.find(own));
    const acr = requestsStrongClass(interaction.params) ? STRONG_CLASS : undefined;
    const login = { login: { accountId: account.name, remember: true, acr } };
    interaction.result = consent === 'granted' ? login : { error: consent, error_description: 'The user declined.' };
    if (consent === 'granted') quirks.recordSignIn(account.name);
    await interaction.save(Math.round(interaction.exp - Date.now() / 1000));
    response.writeHead(303, { Location: interaction.returnTo }).end();
  } catch (error) {
    const text = 'This sign-in has expired or was completed in another window. Return to Waypost and sign in again.';
    if (error.name !== 'SessionNotFound') console.error('identity provider:', error);
    send(response, 400, 'text/html', problemPage('Sign-in expired', text));
  }
}

function send(response, status, type, body) {
  response.writeHead(status, {
    'Content-Type': `${type}; charset=utf-8`,
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'Content-Security-Policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; frame-ancestors 'none'; base-uri 'none'",
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(body);
}

if (import.meta.main ?? process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '4001' },
      origin: { type: 'string', multiple: true, default: ['http://localhost:4000', 'http://127.0.0.1:4000'] },
      folder: { type: 'string' },
      tests: { type: 'boolean', default: false },
      quirk: { type: 'string', multiple: true, default: [] },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(`Waypost's identity provider for development.

  --port <number>    port to listen on, on loopback [default: 4001]
  --origin <origin>  origin of the app; repeatable [default: http://localhost:4000 and http://127.0.0.1:4000]
  --folder <path>    folder for keys and sessions [default: in memory]
  --tests            enables /test, which changes token lifetimes, roles, keys and quirks, and simulates outages
  --quirk <name>=<value>
                     behaves like another provider; repeatable:
${Object.entries(QUIRKS)
  .map(([name, values]) => `                     ${name}: ${values.join(', ')}`)
  .join('\n')}`);
    process.exit(0);
  }
  const running = await startIdentityProvider({
    port: Number(values.port),
    origins: values.origin,
    folder: values.folder ?? null,
    tests: values.tests,
    quirks: Object.fromEntries(values.quirk.map(each => each.split('=', 2))),
  }).catch(error => {
    const isPortInUse = error.code === 'EADDRINUSE';
    console.error(
      isPortInUse
        ? `The identity provider cannot start: port ${values.port} is in use. Choose another with --port.`
        : error,
    );
    process.exit(1);
  });
  console.log(`identity provider at ${running.issuer}`);
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => running.stop().then(() => process.exit(0)));
}
