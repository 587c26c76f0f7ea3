/**
 * Where tokens are kept. The only module that decides it, from the server's setting `WAYPOST_TOKEN_STORE`. README.md
 * says which to choose.
 *
 * - `SESSION`: sessionStorage. They survive a reload and end with the tab. The default.
 * - `MEMORY`: nowhere else. Every load of the page gets new ones from the provider's session, by a hidden frame.
 *
 * Never localStorage: every script of the origin, in every tab, at any later time, could read them there.
 */
import { InMemoryWebStorage, type StateStore, WebStorageStateStore } from 'oidc-client-ts';
import type { TokenStore } from '../../generated/operations';

/** The stores of a user manager: of the tokens, and of the half-finished requests (state, nonce, PKCE verifier). */
export function tokenStores(kind: TokenStore): { userStore: StateStore; stateStore: StateStore } {
  const tokens = kind === 'MEMORY' ? new InMemoryWebStorage() : window.sessionStorage;
  return {
    userStore: new WebStorageStateStore({ prefix: 'waypost.user.', store: tokens }),
    // A full-page sign-in leaves the page, so its request must outlive it whatever the tokens do.
    stateStore: new WebStorageStateStore({ prefix: 'waypost.request.', store: window.sessionStorage }),
  };
}
