/**
 * The seam between requests and sign-in: `client/src/features/sign-in` connects itself here, `client.ts` asks here.
 * Neither knows the other.
 */
export interface AuthSession {
  /** Who is signed in, by a text that is different for everybody; null while nobody is. */
  person(): string | null;
  /** The access token to send; null when nobody is signed in. May wait for a renewal that is under way. */
  token(): Promise<string | null>;
  /** Called when the server refused the token: a fresh one, or null when the person has to sign in again. */
  renew(): Promise<string | null>;
}

const nobody: AuthSession = { person: () => null, token: async () => null, renew: async () => null };

let current = nobody;

/** Connects sign-in. Returns a function that disconnects it. */
export function connectAuthSession(session: AuthSession): () => void {
  current = session;
  return () => {
    if (current === session) current = nobody;
  };
}

export const authSession: AuthSession = {
  person: () => current.person(),
  token: () => current.token(),
  renew: () => current.renew(),
};
