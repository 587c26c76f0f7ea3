/**
 * Storage of tokens, by the server's setting `WAYPOST_TOKEN_STORE`.
 *
 * - `SESSION`: sessionStorage. Tokens survive a reload and are removed with the tab. This is the default.
 * - `MEMORY`: not stored. Every page load gets new tokens from the provider's session in a hidden frame.
 *
 * Never localStorage, which scripts of the origin in all tabs could read later.
 */
import { InMemoryWebStorage, type StateStore, WebStorageStateStore } from 'oidc-client-ts';
import type { TokenStore } from '../../../generated/operations';

/** Tokens, and pending requests (state, nonce, PKCE verifier). */
export function tokenStores(kind: TokenStore): { userStore: StateStore; stateStore: StateStore } {
  const tokens = kind === 'MEMORY' ? new InMemoryWebStorage() : window.sessionStorage;
  return {
    userStore: new WebStorageStateStore({ prefix: 'waypost.user.', store: tokens }),
    // A full-page sign-in leaves the page.
    stateStore: new WebStorageStateStore({ prefix: 'waypost.request.', store: window.sessionStorage }),
  };
}
