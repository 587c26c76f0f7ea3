/** Ends the provider's session, after the tokens were removed from this browser. */
import type { UserManager } from 'oidc-client-ts';
import type { Logout } from '../../../generated/operations';
import { PROBE_TIMEOUT_MS } from './checked-user-manager';
import { headerOf } from './id-token';

const SIGN_OUT_WINDOW_TIMEOUT_MS = 60_000;

/** `provider`: a redirect follows. `ended`: also at the provider. `local`: the provider may still have a session. */
export type SignOutResult = 'provider' | 'ended' | 'local';

interface Options {
  /** The id of the provider in requests to the server. */
  id: string;
  logout: Logout;
  idToken: string | undefined;
  isAvailable: Promise<boolean>;
}

interface SignOutRequest {
  client_id: string;
  id_token_hint?: string;
}

export async function signOutAtProvider(manager: UserManager, options: Options): Promise<SignOutResult> {
  const { id, logout, idToken, isAvailable } = options;
  const { client_id, post_logout_redirect_uri: logout_uri = '' } = manager.settings;
  // Providers cannot derive `client_id` from several audiences (OpenID Connect RP-Initiated Logout, section 2).
  const request: SignOutRequest = idToken === undefined ? { client_id } : { client_id, id_token_hint: idToken };
  // Browsers allow a window only during the click.
  const inWindow = logout === 'POPUP' ? signOutInWindow(manager, request) : null;
  // The redirect would end on an error page.
  if (!(await isAvailable) || logout === 'LOCAL') return 'local';
  const windowResult = await inWindow;
  if (windowResult !== null && windowResult !== 'blocked') return windowResult;
  if (logout === 'FRAME') {
    // The page needs a state to notify this one.
    const back = { post_logout_redirect_uri: manager.settings.silent_redirect_uri, state: {} };
    await manager.signoutSilent({ ...request, ...back });
    return 'ended';
  }
  if (!(await manager.metadataService.getEndSessionEndpoint())) return 'local';
  // The provider would show an error page.
  if (await isKeyRemoved(id, idToken)) delete request.id_token_hint;
  await manager.signoutRedirect({ ...request, ...(logout === 'COGNITO' ? { extraQueryParams: { logout_uri } } : {}) });
  return 'provider';
}

/** False if that is unknown. The server reads the keys, because not all providers allow pages to do so. */
async function isKeyRemoved(providerId: string, idToken: string | undefined): Promise<boolean> {
  const keyId = idToken === undefined ? undefined : headerOf(idToken)?.['kid'];
  if (typeof keyId !== 'string') return false;
  try {
    const url = `/auth/sign-out/${providerId}/key-ids`;
    const response = await fetch(url, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
    const ids = (await response.json()) as readonly string[] | null;
    return ids !== null && ids.length > 0 && !ids.includes(keyId);
  } catch {
    return false;
  }
}

async function signOutInWindow(manager: UserManager, request: SignOutRequest): Promise<'blocked' | 'ended' | 'local'> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort('Popup aborted'), SIGN_OUT_WINDOW_TIMEOUT_MS);
  const back = { post_logout_redirect_uri: manager.settings.popup_redirect_uri, state: {} };
  try {
    await manager.signoutPopup({ ...request, ...back, popupSignal: timeout.signal });
    return 'ended';
  } catch (error) {
    return error instanceof Error && error.message.includes('disposed window') ? 'blocked' : 'local';
  } finally {
    clearTimeout(timer);
  }
}
