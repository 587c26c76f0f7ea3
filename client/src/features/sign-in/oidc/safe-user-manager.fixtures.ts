/* oxlint-disable eslint/no-underscore-dangle -- the library marks its protected members so */
import {
  InMemoryWebStorage,
  type OidcMetadata,
  User,
  type UserManagerSettings,
  WebStorageStateStore,
} from 'oidc-client-ts';
import { beforeEach, vi } from 'vitest';
import type { Capabilities } from './checked-user-manager';
import { jwt } from './fixtures';
import { SafeUserManager } from './safe-user-manager';

export const issuer = 'https://id.example';
export const endpoint = (name: string) => `${issuer}/${name}`;
export const now = () => Math.floor(Date.now() / 1000);
export const idToken = (change: object = {}) =>
  jwt({ iss: issuer, aud: 'waypost', sub: 'ada', exp: now() + 300, iat: now(), ...change });

export const metadata: Partial<OidcMetadata> & Record<string, unknown> = {
  issuer,
  authorization_endpoint: endpoint('auth'),
  token_endpoint: endpoint('token'),
  revocation_endpoint: endpoint('revocation'),
  end_session_endpoint: endpoint('end'),
  authorization_response_iss_parameter_supported: true,
};

export const PROFILE = { iss: issuer, aud: 'waypost', sub: 'ada', exp: now() + 300, iat: now() };

export let tokens: Storage;
/** Responds to the requests of a manager. */
export const server: { answer: (request: Request) => Response | Promise<Response> } = {
  answer: () => Response.error(),
};
export const requests: { path: string; form: URLSearchParams }[] = [];

beforeEach(() => {
  tokens = new InMemoryWebStorage();
  requests.length = 0;
  server.answer = () => Response.json({ error: 'invalid_grant' }, { status: 400 });
  vi.unstubAllGlobals();
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, init);
    requests.push({ path: new URL(request.url).pathname, form: new URLSearchParams(await request.clone().text()) });
    return server.answer(request);
  });
});

export class TestUserManager extends SafeUserManager {
  processResponse(url: string) {
    return this._signinEnd(url);
  }
}

export function createManager(capabilities: Partial<Capabilities> = {}, change: Partial<UserManagerSettings> = {}) {
  const settings = {
    authority: issuer,
    client_id: 'waypost',
    redirect_uri: 'https://waypost.example/auth/callback',
    popup_redirect_uri: 'https://waypost.example/auth/popup.html',
    silent_redirect_uri: 'https://waypost.example/auth/silent.html',
    metadata,
    automaticSilentRenew: false,
    userStore: new WebStorageStateStore({ store: tokens }),
    stateStore: new WebStorageStateStore({ store: tokens }),
    post_logout_redirect_uri: 'https://waypost.example/signed-out',
    ...change,
  };
  return new TestUserManager(settings, capabilities);
}

export async function signedIn(manager: SafeUserManager, refreshToken = 'first') {
  const user = new User({
    access_token: 'old',
    refresh_token: refreshToken,
    id_token: idToken(),
    token_type: 'Bearer',
    scope: 'openid',
    profile: PROFILE,
    expires_at: now() + 5,
  });
  await manager.storeUser(user);
  return user;
}

export async function startSignIn(manager: TestUserManager) {
  const assigned = new Promise<URL>(resolve => {
    vi.spyOn(window.location, 'assign').mockImplementation(url => resolve(new URL(url)));
  });
  manager.signinRedirect().catch(() => undefined);
  const request = await assigned;
  const reply = (parameters: Record<string, string>) =>
    manager.processResponse(
      `https://waypost.example/auth/callback?${new URLSearchParams({
        state: request.searchParams.get('state') ?? '',
        code: 'code',
        ...parameters,
      })}`,
    );
  return { request, reply };
}

export const grant = (change: object = {}) => {
  server.answer = () => Response.json({ access_token: 'new', token_type: 'Bearer', expires_in: 300, ...change });
};
