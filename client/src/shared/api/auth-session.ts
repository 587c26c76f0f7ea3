/**
 * The interface between requests and sign-in, which do not depend on each other: `features/sign-in` registers a session
 * and `client.ts` reads it.
 */
export interface AuthSession {
  /** Unique key of the signed-in account; null if signed out. */
  accountKey(): string | null;
  /** Returns the access token, after a pending renewal; null if signed out. */
  token(): Promise<string | null>;
  /** Renews a token that the server rejected. Returns the new token, or null if the user has to sign in again. */
  renew(): Promise<string | null>;
  /**
   * Lets the user sign in again if their last sign-in is older than `maxAgeSeconds`. Returns false if they do not.
   */
  stepUp(maxAgeSeconds: number): Promise<boolean>;
  /** Ends the session in all tabs, unless it has another token already, because the server reports that it has ended. */
  end(token: string): Promise<void>;
  /** Signs out and leaves the page. */
  signOut(): Promise<void>;
}

const signedOut: AuthSession = {
  accountKey: () => null,
  token: async () => null,
  renew: async () => null,
  stepUp: async () => false,
  end: async () => {},
  signOut: async () => {},
};

let current = signedOut;

/** Registers a session. Returns a function that removes it. Missing methods behave as if signed out. */
export function connectAuthSession(session: Partial<AuthSession>): () => void {
  const connected = { ...signedOut, ...session };
  current = connected;
  return () => {
    if (current === connected) current = signedOut;
  };
}

export const authSession: AuthSession = {
  accountKey: () => current.accountKey(),
  token: () => current.token(),
  renew: () => current.renew(),
  stepUp: maxAgeSeconds => current.stepUp(maxAgeSeconds),
  end: token => current.end(token),
  signOut: () => current.signOut(),
};
