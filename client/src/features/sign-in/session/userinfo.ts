/**
 * Requests the names of an account from the userinfo endpoint (OpenID Connect Core 1.0, section 5.3), for providers whose
 * ID tokens have none. Few providers need it, so it is not part of the first screen.
 */
import { provingFetch } from '../../../shared/api/proving-fetch';
import { accountKeyOf } from '../oidc/account-key';
import { fetchWithTimeout } from '../oidc/fetch-with-timeout';
import { activeProvider } from './session';

export interface AccountNames {
  readonly name: string | null;
  readonly email: string | null;
}

const requests = new Map<string, Promise<AccountNames>>();

/** Returns the names of the account whose session is active. Requests them once per page, unless the request fails. */
export function requestNames(account: string): Promise<AccountNames> {
  const request =
    requests.get(account) ??
    send(account).catch((error: unknown) => {
      requests.delete(account);
      throw error;
    });
  requests.set(account, request);
  return request;
}

async function send(account: string): Promise<AccountNames> {
  const { manager } = activeProvider() ?? {};
  const user = await manager?.getUser();
  if (!manager || !user || accountKeyOf(user) !== account) throw new Error('Another account is signed in.');
  const address = await manager.metadataService.getUserInfoEndpoint();
  const fetchBound = provingFetch((url, init) => fetchWithTimeout(String(url), init));
  const response = await fetchBound(address, { headers: { authorization: `Bearer ${user.access_token}` } });
  if (!response.ok) throw new Error(`The userinfo endpoint returned ${response.status}.`);
  const claims = (await response.json()) as Record<string, unknown>;
  // The response could be of another account (section 5.3.2).
  if (claims['sub'] !== user.profile.sub) throw new Error('The userinfo endpoint returned another subject.');
  const [name, userName, email] = ['name', 'preferred_username', 'email'].map(claim => textOf(claims[claim]));
  return { name: name ?? userName ?? email ?? null, email: email ?? null };
}

const textOf = (claim: unknown) => (typeof claim === 'string' && claim.trim() !== '' ? claim : null);
